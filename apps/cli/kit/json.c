#include "kit/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are not valid UTF-8, or control a terminal, are escaped by their code. The text stays valid JSON, and
   json_unescape restores the bytes. */
static void json_quote(text *out, const char *value)
{
    text_add(out, "\"");
    for (const char *c = value ? value : ""; *c;) {
        size_t length = *c == '\n' || *c == '\t' ? 0 : fr_printable_length(c);
        if (length == 0)
            text_add(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            text_add(out, "%s%.*s", *c == '"' || *c == '\\' ? "\\" : "", (int)length, c);
        c += length ? length : 1;
    }
    text_add(out, "\"");
}

/* Writes what precedes a value: comma, line break, key. */
static void json_lead(json *json, const char *key)
{
    if (json->filled)
        text_add(&json->out, json->indented ? "," : ", ");
    if (json->indented && json->depth > 0)
        text_add(&json->out, "\n%*s", 2 * json->depth, "");
    if (key) {
        json_quote(&json->out, key);
        text_add(&json->out, ": ");
    }
    json->filled = true;
}

static void json_begin(json *json, const char *key, char bracket)
{
    json_lead(json, key);
    text_add(&json->out, "%c", bracket);
    json->depth++;
    json->filled = false;
}

static void json_end(json *json, char bracket)
{
    json->depth--;
    if (json->indented && json->filled)
        text_add(&json->out, "\n%*s", 2 * json->depth, "");
    text_add(&json->out, "%c", bracket);
    json->filled = true;
}

void json_open(json *json, const char *key)
{
    json_begin(json, key, '{');
}

void json_close(json *json)
{
    json_end(json, '}');
}

void json_open_list(json *json, const char *key)
{
    json_begin(json, key, '[');
}

void json_close_list(json *json)
{
    json_end(json, ']');
}

void json_string(json *json, const char *key, const char *value)
{
    json_lead(json, key);
    json_quote(&json->out, value);
}

void json_number(json *json, const char *key, double value)
{
    json_lead(json, key);
    if (isfinite(value))
        text_add_number(&json->out, value);
    else
        text_add(&json->out, "null");
}

void json_bool(json *json, const char *key, bool value)
{
    json_lead(json, key);
    text_add(&json->out, value ? "true" : "false");
}

void json_free(json *json)
{
    text_free(&json->out);
}

static const char *json_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* The position behind the string that begins at the quote `at`; NULL when it does not end. */
static const char *json_skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

/* The position behind a value of any type; NULL when the text ends within it. */
static const char *json_skip(const char *at)
{
    int depth = 0;
    do {
        at = json_space(at);
        if (*at == '"') {
            at = json_skip_string(at);
            if (!at)
                return NULL;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else if (*at) {
            at += strcspn(at, ",:{}[]\" \t\r\n");
        } else {
            return NULL;
        }
    } while (depth > 0);
    return at;
}

static void json_unescape(const char *at, text *value)
{
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1] == 'u') {
            char digits[5] = {0};
            strncpy(digits, at + 2, 4);
            text_add(value, "%c", (char)strtol(digits, NULL, 16));
            at += 1 + strlen(digits);
        } else {
            if (*at == '\\' && at[1])
                at++;
            text_add(value, "%c", *at);
        }
    }
}

/* The beginning of the value of a key in the outermost object, or NULL. */
static const char *json_find(const char *source, const char *key)
{
    const char *at = json_space(source);
    if (*at != '{')
        return NULL;
    at++;
    size_t length = strlen(key);
    while (*(at = json_space(at)) == '"') {
        const char *name = at + 1;
        at = json_skip_string(at);
        if (!at)
            return NULL;
        bool same = (size_t)(at - name) == length + 1 && !strncmp(name, key, length);
        at = json_space(at);
        if (*at != ':')
            return NULL;
        at = json_space(at + 1);
        if (same)
            return at;
        at = json_skip(at);
        if (!at)
            return NULL;
        at = json_space(at);
        if (*at == ',')
            at++;
    }
    return NULL;
}

bool json_read_number(const char *source, const char *key, double *value)
{
    const char *at = json_find(source, key);
    if (!at)
        return false;
    char *end;
    double number = strtod(at, &end);
    if (end == at || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool json_read_bool(const char *source, const char *key, bool *value)
{
    const char *at = json_find(source, key);
    if (!at || (strncmp(at, "true", 4) && strncmp(at, "false", 5)))
        return false;
    *value = *at == 't';
    return true;
}

bool json_read_string(const char *source, const char *key, text *value)
{
    const char *at = json_find(source, key);
    if (!at || *at != '"' || !json_skip_string(at))
        return false;
    json_unescape(at, value);
    text_add(value, "%s", "");
    return true;
}

bool json_read_item(const char *source, const char *key, int index, text *value)
{
    const char *at = json_find(source, key);
    if (!at || *at != '[')
        return false;
    at = json_space(at + 1);
    for (int i = 0; *at == '"'; i++) {
        const char *end = json_skip_string(at);
        if (!end)
            return false;
        if (i == index) {
            json_unescape(at, value);
            text_add(value, "%s", "");
            return true;
        }
        end = json_space(end);
        at = json_space(*end == ',' ? end + 1 : end);
    }
    return false;
}
