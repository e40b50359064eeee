/* Elapsed time by a monotonic clock. */
#ifndef FR_BASE_CLOCK_H
#define FR_BASE_CLOCK_H

/* Seconds since an arbitrary fixed moment. */
double clock_now(void);

#endif
