/* A message for when a library kills the program. When out of memory the ray tracer aborts or crashes, in its own
   threads. While it works, that becomes a message and exit status 1. */
#ifndef KIT_LAST_WORDS_H
#define KIT_LAST_WORDS_H

/* From now on a crash signal prints `text` and exits with status 1. NULL restores the default. */
void last_words_set(const char *text);

#endif
