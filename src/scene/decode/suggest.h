/* "did you mean …?": the nearest of many names. */
#ifndef FR_SCENE_DECODE_SUGGEST_H
#define FR_SCENE_DECODE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct suggestion {
    const char *word;
    char best[64]; /* "": none */
    int distance;  /* of the best one; initially the largest that still counts as near */
} suggestion;

suggestion suggest_begin(const char *word);
void suggest_offer(suggestion *suggestion, const char *name);

/* "; did you mean 'viscosity'?" or "". */
void suggest_text(const suggestion *suggestion, char *text, size_t size);

#endif
