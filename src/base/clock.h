/* Wall-clock time. */
#ifndef FR_BASE_CLOCK_H
#define FR_BASE_CLOCK_H

/* Seconds since some fixed moment. */
double clock_now(void);

#endif
