/* Frames of a cache: one that can be read has all it speaks of. */
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include <math.h>

#include "sealed.h"

static volatile float sink;

static void fuzz_read_field(const fr_field *field)
{
    for (int64_t k = 0; k < field->size[2]; k++)
        for (int64_t j = 0; j < field->size[1]; j++)
            for (int64_t i = 0; i < field->size[0]; i++)
                sink = field->data[i * field->stride[0] + j * field->stride[1] + k * field->stride[2]];
}

static void fuzz_read_particles(const fr_frame *frame)
{
    for (int64_t n = 0; n < frame->particle_count; n++) {
        sink = frame->particles.data[n * frame->particles.stride];
        for (int a = 0; a < frame->attribute_count; a++)
            sink = frame->attributes[a].data[n];
    }
}

static void fuzz_read_bodies(const fr_frame *frame)
{
    for (int b = 0; b < frame->body_count; b++)
        FUZZ_REQUIRE(isfinite(frame->bodies[b].position[0]) && fabs(frame->bodies[b].rotation[0]) < 1.1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fr_cached_frame *cached;
    fr_set_log_sink(NULL, NULL);
    if (fr_cache_read(fuzz_store_sealed("frame.h5", data, size, SEAL_CACHE), &cached) != FR_OK) {
        FUZZ_REQUIRE(fr_error_message()[0]);
        return 0;
    }
    const fr_frame *frame = fr_cached_frame_view(cached);
    for (int f = 0; f < frame->field_count; f++)
        fuzz_read_field(&frame->fields[f]);
    for (int i = 0; i < frame->ledger.count; i++)
        FUZZ_REQUIRE(frame->ledger.names[i]);
    fuzz_read_particles(frame);
    fuzz_read_bodies(frame);
    fr_cached_frame_destroy(cached);
    return 0;
}
