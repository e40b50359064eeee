/* Compresses chunks on all cores. A chunk of zeros is not stored and reads back as zeros; in smoke most chunks are. */
#include "io/pack.h"

#include <stdlib.h>
#include <errno.h>
#include <string.h>
#ifdef FR_HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/memory.h"
#include "base/threads.h"
#include "io/numbers.h"

enum {
    CHUNK_3D = 64, CHUNK_3D_LAYERS = 16, CHUNK_2D = 256, /* products are PACK_SAMPLES_MOST at most */
    BATCH = 32                  /* chunks at once */
};

typedef struct pack_item {
    int64_t at[3];
    float *raw;
    unsigned char *packed;
    size_t bytes;               /* of `packed`; 0: store `raw` */
    bool empty;                 /* only zero bits */
    bool starved;               /* no memory to compress it: a failure, since storing it raw would change the file */
} pack_item;

typedef struct pack_job {
    const pack_source *source;
    int64_t chunk[3], chunks[3];
    size_t samples;             /* per chunk */
    float *memory;
    pack_item items[BATCH];
} pack_job;

/* Divides each axis evenly, so that the last chunk is not nearly empty. */
static void pack_choose_chunks(pack_job *job)
{
    const int64_t *size = job->source->size;
    bool flat = size[2] == 1;
    int64_t most[3] = {flat ? CHUNK_2D : CHUNK_3D, flat ? CHUNK_2D : CHUNK_3D, CHUNK_3D_LAYERS};
    most[flat ? 1 : 2] /= job->source->parts;
    for (int a = 0; a < 3; a++) {
        job->chunks[a] = (size[a] + most[a] - 1) / most[a];
        job->chunk[a] = (size[a] + job->chunks[a] - 1) / job->chunks[a];
    }
    job->samples = (size_t)(job->chunk[0] * job->chunk[1] * job->chunk[2] * job->source->parts);
}

/* One row of a chunk: `count` samples from (i, j, k) along x. */
static void pack_row(const pack_source *source, const int64_t at[3], int64_t count, float *row)
{
    for (int part = 0; part < source->parts; part++) {
        const fr_field *field = source->part[part];
        if (!field)
            continue;
        const ptrdiff_t *stride = field->stride;
        const float *data = field->data + at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2];
        if (source->parts == 1)
            for (int64_t i = 0; i < count; i++)
                row[i] = data[i * stride[0]];
        else
            for (int64_t i = 0; i < count; i++)
                row[3 * i + part] = 0.5f * (data[i * stride[0]] + data[i * stride[0] + stride[part]]);
    }
}

static void pack_gather(const pack_job *job, pack_item *item)
{
    const pack_source *source = job->source;
    int64_t end[3];
    for (int a = 0; a < 3; a++)
        end[a] = item->at[a] + job->chunk[a] < source->size[a] ? item->at[a] + job->chunk[a] : source->size[a];
    memset(item->raw, 0, job->samples * sizeof(float));
    for (int64_t k = item->at[2]; k < end[2]; k++)
        for (int64_t j = item->at[1]; j < end[1]; j++) {
            int64_t row = ((k - item->at[2]) * job->chunk[1] + j - item->at[1]) * job->chunk[0];
            pack_row(source, (int64_t[3]){item->at[0], j, k}, end[0] - item->at[0], item->raw + row * source->parts);
        }
    numbers_swap(item->raw, job->samples, sizeof(float));
}

static bool pack_is_empty(const pack_item *item, size_t samples)
{
    const unsigned char *bytes = (const unsigned char *)item->raw;
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, samples * sizeof(float) - 1) == 0;
}

#ifdef FR_HAVE_ZLIB
/* Whether all byte values are about equally frequent in a sample of the bytes. The low bytes of mantissas mostly are:
   deflate would spend three quarters of its time on them to save 2 %. The sum of squared counts is smallest for
   noise. */
static bool pack_is_noise(const unsigned char *bytes, size_t count)
{
    enum { SAMPLE = 4096 };
    uint32_t counts[256] = {0}, squares = 0;
    if (count < SAMPLE)
        return false;
    for (size_t i = 0; i < SAMPLE; i++)
        counts[bytes[i * (count / SAMPLE)]]++;
    for (int i = 0; i < 256; i++)
        squares += counts[i] * counts[i];
    return squares < 2 * SAMPLE * (SAMPLE / 256);
}

/* Shuffle and deflate: the floats' first bytes, then their second bytes and so on, in one zlib stream. */
static void pack_deflate(pack_item *item, size_t samples)
{
    const unsigned char *bytes = (const unsigned char *)item->raw;
    unsigned char *plane = item->packed + samples * sizeof(float);
    z_stream stream = {.next_out = item->packed, .avail_out = (uInt)(samples * sizeof(float))};
    int status = deflateInit(&stream, H5_DEFLATE_LEVEL);
    item->starved = status != Z_OK;
    if (item->starved)
        return;
    for (int part = 0; part < 4; part++) {
        for (size_t i = 0; i < samples; i++)
            plane[i] = bytes[4 * i + (size_t)part];
        deflateParams(&stream, pack_is_noise(plane, samples) ? 0 : H5_DEFLATE_LEVEL, Z_DEFAULT_STRATEGY);
        stream.next_in = plane;
        stream.avail_in = (uInt)samples;
        status = deflate(&stream, part == 3 ? Z_FINISH : Z_NO_FLUSH);
    }
    item->bytes = status == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
}
#endif

static void pack_items(void *context, int begin, int end)
{
    pack_job *job = context;
    for (int i = begin; i < end; i++) {
        pack_item *item = &job->items[i];
        pack_gather(job, item);
        item->empty = pack_is_empty(item, job->samples);
        item->bytes = 0;
        item->starved = false;
#ifdef FR_HAVE_ZLIB
        if (!item->empty)
            pack_deflate(item, job->samples);
#endif
    }
}

static void pack_store(const pack_job *job, file_draft *draft, const pack_item *item, pack_stored *stored)
{
    size_t bytes = item->bytes > 0 ? item->bytes : job->samples * sizeof(float);
    stored->chunks[stored->count++] = (h5_chunk){
        .at = {item->at[2], item->at[1], item->at[0]},
        .address = h5_place(draft), .bytes = (uint32_t)bytes, .skipped = item->bytes > 0 ? 0 : H5_FILTERS_SKIPPED,
    };
    file_put(draft, item->bytes > 0 ? item->packed : (const unsigned char *)item->raw, bytes);
}

static void pack_fill(file_draft *draft, pack_job *job, pack_stored *stored)
{
    int64_t total = job->chunks[0] * job->chunks[1] * job->chunks[2];
    for (int64_t first = 0; first < total && !draft->bytes.error; first += BATCH) {
        int count = total - first < BATCH ? (int)(total - first) : BATCH;
        for (int i = 0; i < count; i++) {
            int64_t n = first + i;
            job->items[i].at[0] = n % job->chunks[0] * job->chunk[0];
            job->items[i].at[1] = n / job->chunks[0] % job->chunks[1] * job->chunk[1];
            job->items[i].at[2] = n / job->chunks[0] / job->chunks[1] * job->chunk[2];
        }
        threads_for_cost(count, (int64_t)job->samples, pack_items, job);
        for (int i = 0; i < count; i++) {
            if (job->items[i].starved)
                draft->bytes.error = ENOMEM;
            if (!job->items[i].empty)
                pack_store(job, draft, &job->items[i], stored);
        }
    }
}

/* From our order (x first) to HDF5's: slowest index first, components last. */
static void pack_describe(const pack_job *job, h5_array *array)
{
    *array = (h5_array){.type = H5_FLOAT32, .rank = job->source->parts > 1 ? 4 : 3, .address = H5_NOWHERE};
    for (int a = 0; a < 3; a++) {
        array->size[2 - a] = job->source->size[a];
        array->chunk[2 - a] = job->chunk[a];
    }
    array->size[3] = array->chunk[3] = job->source->parts;
}

fr_result pack_write(file_draft *draft, const pack_source *source, pack_stored *stored)
{
    pack_job job = {.source = source};
    pack_choose_chunks(&job);
    size_t item_samples = job.samples * 9 / 4 + 1; /* raw, compressed, one plane of bytes: (4 + 4 + 1)/4 */
    int64_t chunks = job.chunks[0] * job.chunks[1] * job.chunks[2];
    int items = chunks < BATCH ? (int)chunks : BATCH;
    *stored = (pack_stored){.chunks = malloc((size_t)chunks * sizeof *stored->chunks)};
    if (!stored->chunks)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the places of %lld chunks", (long long)chunks);
    pack_describe(&job, &stored->array);
    job.memory = MEMORY_NEW(float, item_samples * (size_t)items);
    if (!job.memory)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < items; i++) {
        job.items[i].raw = job.memory + (size_t)i * item_samples;
        job.items[i].packed = (unsigned char *)(job.items[i].raw + job.samples);
    }
    pack_fill(draft, &job, stored);
    memory_free(job.memory);
    return FR_OK;
}

void pack_free(pack_stored *stored)
{
    free(stored->chunks);
    *stored = (pack_stored){0};
}
