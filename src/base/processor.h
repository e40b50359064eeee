/* The instruction sets beyond x86-64 that the library was compiled for (build.c), and whether this processor has them
   (processor.c). */
#ifndef FR_BASE_PROCESSOR_H
#define FR_BASE_PROCESSOR_H

#include <freshet/base.h>

typedef struct processor_needs {
    bool avx, avx2, fma, bmi2, avx512f, avx512bw, avx512vl;
} processor_needs;

extern const processor_needs processor_built_for;

/* Fails with the name of the first instruction set that this processor lacks. */
fr_result processor_has(const processor_needs *needs);

#endif
