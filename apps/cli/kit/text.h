/* A growing piece of text. */
#ifndef KIT_TEXT_H
#define KIT_TEXT_H

#include <freshet/base.h>

typedef struct text {
    char *data;      /* ends with a 0 once something was added; NULL before */
    size_t length, capacity;
} text;

/* Without memory the program says so and ends with status 1. */
void text_add(text *text, const char *format, ...) FR_PRINTF(2, 3);

/* The shortest decimals that read back as the same double. */
void text_add_number(text *text, double number);

void text_free(text *text);

/* The whole of a regular file of at most `most` bytes; FR_ERROR_FILE with the reason. */
fr_result text_read_file(const char *path, size_t most, text *text);

#endif
