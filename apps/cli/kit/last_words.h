/* What to say when a library ends the program. The ray tracer answers a lack of memory by abort or worse, from threads
   of its own; while it works, that becomes a message and exit status 1. */
#ifndef KIT_LAST_WORDS_H
#define KIT_LAST_WORDS_H

/* From here on an abort or a bad access says `text` and ends with status 1; NULL: as it was before. */
void last_words_set(const char *text);

#endif
