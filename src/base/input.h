/* Opens input files safely. Their paths come from scenes and command lines and may name anything. */
#ifndef FR_BASE_INPUT_H
#define FR_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { INPUT_TROUBLE = 160 };

typedef struct input_file {
    FILE *stream;            /* at the start of the file; the caller closes it */
    int64_t bytes;           /* size when it was opened; it may grow later */
    char trouble[INPUT_TROUBLE];   /* why opening failed; continues a sentence after the path: "is a folder" */
} input_file;

/* Opens regular files only: a pipe may block, a device may never end. The check is made on the open descriptor, so the
   file cannot be swapped between check and use. False: `trouble` says why. */
bool input_open(const char *path, input_file *in);

/* The same, but returns a file descriptor; −1: `trouble` says why. */
int input_descriptor(const char *path, int64_t *bytes, char trouble[INPUT_TROUBLE]);

#endif
