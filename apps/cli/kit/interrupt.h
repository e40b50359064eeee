/* Ctrl-C and SIGTERM: the first signal asks to stop after the current step, the second ends the program at once. */
#ifndef KIT_INTERRUPT_H
#define KIT_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers. Before this call signals end the program as usual. */
void interrupt_watch(void);
bool interrupt_asked(void);

#endif
