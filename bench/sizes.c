#include "sizes.h"

#include <freshet/base.h>
#include <stdlib.h>

int sizes_run(int argc, char **argv, void (*run)(int size, int dims))
{
    int only = argc > 1 ? atoi(argv[1]) : 0;
    for (int threads = 1; threads <= 2; threads++) {
        if (only && threads != only)
            continue;
        fr_set_threads(threads);
        for (int i = 2; i < argc; i++)
            run(atoi(argv[i]), 3);
        if (argc <= 2) {
            run(64, 3);
            run(128, 3);
        }
        run(1024, 2);
    }
    return 0;
}
