/* JSON: a writer, and a minimal reader for a run's own run.json. */
#ifndef KIT_JSON_H
#define KIT_JSON_H

#include "kit/text.h"

/* Writes into `out`. Keys are NULL inside a list. NaN and infinities become null. */
typedef struct json {
    text out;
    bool indented;   /* one value per line; false: all on one line */
    int depth;
    bool filled;     /* the current object or list already has a value */
} json;

void json_open(json *json, const char *key);
void json_close(json *json);
void json_open_list(json *json, const char *key);
void json_close_list(json *json);
void json_string(json *json, const char *key, const char *value);
void json_number(json *json, const char *key, double value);
void json_bool(json *json, const char *key, bool value);
void json_free(json *json);

/* Values of the outermost object of `source`, by key; false when the key is missing or has another type. */
bool json_read_number(const char *source, const char *key, double *value);
bool json_read_bool(const char *source, const char *key, bool *value);
/* Appends the string to `value`. */
bool json_read_string(const char *source, const char *key, text *value);
/* The string at `index` of a list of strings. */
bool json_read_item(const char *source, const char *key, int index, text *value);

#endif
