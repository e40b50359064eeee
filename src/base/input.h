/* Opens files that others wrote. Their paths come from scenes and command lines and may name anything. */
#ifndef FR_BASE_INPUT_H
#define FR_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { INPUT_TROUBLE = 160 };

typedef struct input_file {
    FILE *stream;            /* to read from, at the beginning; the caller closes it */
    int64_t bytes;           /* how long it was when it was opened; it may grow meanwhile */
    char trouble[INPUT_TROUBLE];   /* why there is no stream, to follow the path in a sentence: "is a folder" */
} input_file;

/* Only regular files are opened: a pipe would be waited for, a device may never end. What was opened is what is looked
   at, so that nobody can put another file in its place between the two. False: `trouble` says why. */
bool input_open(const char *path, input_file *in);

/* The same as a descriptor; −1: `trouble` says why. */
int input_descriptor(const char *path, int64_t *bytes, char trouble[INPUT_TROUBLE]);

#endif
