/* An X-macro list of the smoothing kernels of fr_kernel: KERNEL_LIST(ROW) expands to ROW(CUBIC, cubic) … for
   FR_KERNEL_CUBIC, which scenes call "cubic". particles/kernel.h defines the shape of each and particles/kernel.c its
   constants, under the same name. */
#ifndef FR_BASE_KERNELS_H
#define FR_BASE_KERNELS_H

#include <freshet/defs.h>

#define KERNEL_LIST(ROW)    \
    ROW(CUBIC, cubic)       \
    ROW(GAUSSIAN, gaussian) \
    ROW(QUINTIC, quintic)   \
    ROW(POLY6, poly6)       \
    ROW(WENDLAND, wendland)

#define KERNEL_ONE(KIND, name) +1
_Static_assert(0 KERNEL_LIST(KERNEL_ONE) == FR_KERNELS, "every kernel of freshet/defs.h has its row");

#endif
