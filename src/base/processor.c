/* Checks that this processor has the instruction sets that the library was compiled for. This file and all that it
   calls are compiled for any x86-64 (cmake/layers.cmake), so that the program can print a message before it crashes. */
#include "base/processor.h"

#if defined(__x86_64__)
static fr_result processor_lacks(const char *set)
{
    return fr_fail(FR_ERROR_UNSUPPORTED, "this processor has no %s instructions, which this build of Freshet needs; "
                   "build it for this machine: cmake --preset release -DFRESHET_ARCH=native", set);
}

#define PROCESSOR_TRY(member, name)                            \
    if (needs->member && !__builtin_cpu_supports(name))        \
        return processor_lacks(name);

fr_result processor_has(const processor_needs *needs)
{
    PROCESSOR_TRY(avx, "avx")
    PROCESSOR_TRY(avx2, "avx2")
    PROCESSOR_TRY(fma, "fma")
    PROCESSOR_TRY(bmi2, "bmi2")
    PROCESSOR_TRY(avx512f, "avx512f")
    PROCESSOR_TRY(avx512bw, "avx512bw")
    PROCESSOR_TRY(avx512vl, "avx512vl")
    return FR_OK;
}
#else
fr_result processor_has(const processor_needs *needs)
{
    (void)needs;
    return FR_OK;
}
#endif

fr_result fr_processor_check(void)
{
    return processor_has(&processor_built_for);
}
