/* Lists of words for messages. */
#ifndef FR_BASE_WORDS_H
#define FR_BASE_WORDS_H

#include <stdio.h>
#include <string.h>

/* Adds to the list, which ends with dots where there are more than it has room for. */
static inline void words_add(char *list, size_t room, const char *word)
{
    size_t length = strlen(list);
    snprintf(list + length, room - length, "%s%s", length ? ", " : "", length + strlen(word) + 8 < room ? word : "…");
}

#endif
