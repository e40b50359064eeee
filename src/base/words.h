/* Comma-separated lists for messages. */
#ifndef FR_BASE_WORDS_H
#define FR_BASE_WORDS_H

#include <stdio.h>
#include <string.h>

/* Appends a word. "…" takes the place of words that no longer fit. */
static inline void words_add(char *list, size_t room, const char *word)
{
    size_t length = strlen(list);
    snprintf(list + length, room - length, "%s%s", length ? ", " : "", length + strlen(word) + 8 < room ? word : "…");
}

#endif
