/* Ctrl-C and SIGTERM: the first asks to stop after the running step, the second ends at once. */
#ifndef KIT_INTERRUPT_H
#define KIT_INTERRUPT_H

#include <stdbool.h>

/* From now on signals are watched; until then they end the program as usual. */
void interrupt_watch(void);
bool interrupt_asked(void);

#endif
