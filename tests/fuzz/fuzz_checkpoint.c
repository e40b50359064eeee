/* Checkpoints: every block that is read is there. */
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include "sealed.h"

static volatile uint8_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fr_checkpoint checkpoint;
    fr_set_log_sink(NULL, NULL);
    fuzz_store_sealed("a.chk", data, size, SEAL_CHECKPOINT);
    if (fr_checkpoint_read(fuzz_path(""), 0, &checkpoint) != FR_OK) {
        FUZZ_REQUIRE(fr_error_message()[0]);
        return 0;
    }
    for (int b = 0; b < checkpoint.count; b++) {
        FUZZ_REQUIRE(strlen(checkpoint.blocks[b].name) < size);
        for (size_t i = 0; i < checkpoint.blocks[b].bytes; i += 64)
            sink = ((const uint8_t *)checkpoint.blocks[b].data)[i];
    }
    fr_checkpoint_free(&checkpoint);
    return 0;
}
