/* A growing string. */
#ifndef KIT_TEXT_H
#define KIT_TEXT_H

#include <freshet/base.h>

typedef struct text {
    char *data;      /* zero-terminated; NULL before the first text_add */
    size_t length, capacity;
} text;

/* When out of memory, the program reports it and exits with status 1. */
void text_add(text *text, const char *format, ...) FR_PRINTF(2, 3);

/* The shortest decimal number that reads back as the same double. */
void text_add_number(text *text, double number);

void text_free(text *text);

/* Reads a regular file of at most `most` bytes; fails with FR_ERROR_FILE and the reason. */
fr_result text_read_file(const char *path, size_t most, text *text);

#endif
