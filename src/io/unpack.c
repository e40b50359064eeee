/* Reads chunks into fields: read sequentially, decompressed on all cores. */
#include "io/pack.h"

#include <stdlib.h>
#include <string.h>
#ifdef FR_HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/threads.h"
#include "io/numbers.h"

enum { BATCH = 32 /* chunks at once */ };

typedef struct unpack_item {
    const h5_chunk *chunk;
    unsigned char *stored;            /* as in the file */
    unsigned char *room;              /* buffer for decompression */
    const unsigned char *bytes;       /* decompressed, in the buffer of this item or of another */
    fr_result result;
} unpack_item;

typedef struct unpack_job {
    h5_source *h5;
    const h5_array *array;
    float *data;
    size_t samples;                   /* per chunk */
    unsigned char *memory;
    unpack_item items[BATCH];
} unpack_job;

/* Fails unless the result has exactly `count` bytes. */
static fr_result unpack_inflate(const unsigned char *stored, size_t stored_count, unsigned char *bytes, size_t count)
{
#ifdef FR_HAVE_ZLIB
    z_stream stream = {.next_in = (unsigned char *)stored,
                       .avail_in = (uInt)stored_count,
                       .next_out = bytes,
                       .avail_out = (uInt)count};
    int status = inflateInit(&stream);
    if (status != Z_OK)
        return FR_ERROR_MEMORY;
    status = inflate(&stream, Z_FINISH);
    bool whole = status == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
    inflateEnd(&stream);
    return whole ? FR_OK : status == Z_MEM_ERROR ? FR_ERROR_MEMORY : FR_ERROR_FILE;
#else
    (void)stored, (void)stored_count, (void)bytes, (void)count;
    return FR_ERROR_UNSUPPORTED;
#endif
}

/* One row of samples. In a compressed chunk the bytes are shuffled: all first bytes, then all second bytes and so
   on. */
static void unpack_row(const unpack_job *job, const unpack_item *item, int64_t first, int64_t count, float *row)
{
    if (item->chunk->skipped) {
        memcpy(row, item->stored + 4 * first, (size_t)count * sizeof *row);
        numbers_swap(row, (size_t)count, sizeof *row);
        return;
    }
    const unsigned char *a = item->bytes + first, *b = a + job->samples, *c = b + job->samples, *d = c + job->samples;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 | (uint32_t)d[i] << 24;
        memcpy(&row[i], &bits, sizeof bits);
    }
}

static void unpack_scatter(const unpack_job *job, const unpack_item *item)
{
    const int64_t *size = job->array->size, *chunk = job->array->chunk, *at = item->chunk->at;
    int64_t count[3];
    for (int a = 0; a < 3; a++)
        count[a] = size[a] - at[a] < chunk[a] ? size[a] - at[a] : chunk[a];
    for (int64_t k = 0; k < count[0]; k++)
        for (int64_t j = 0; j < count[1]; j++)
            unpack_row(job, item, (k * chunk[1] + j) * chunk[2], count[2],
                       job->data + ((at[0] + k) * size[1] + at[1] + j) * size[2] + at[2]);
}

static void unpack_items(void *context, int begin, int end)
{
    unpack_job *job = context;
    for (int i = begin; i < end; i++) {
        unpack_item *item = &job->items[i];
        unsigned char *room = job->items[begin].room;     /* one buffer per thread: touching fresh pages is slow */
        item->bytes = room;
        item->result = item->chunk->skipped ? FR_OK
            : unpack_inflate(item->stored, item->chunk->bytes, room, job->samples * sizeof(float));
        if (item->result == FR_OK)
            unpack_scatter(job, item);
    }
}

static fr_result unpack_fail(const unpack_job *job, fr_result result)
{
    const char *path = job->h5->path;
    if (result == FR_ERROR_MEMORY)
        return fr_fail(result, "out of memory: no room to unpack %s", path);
    if (result == FR_ERROR_UNSUPPORTED)
        return fr_fail(result,
                       "%s is compressed, which needs zlib, and this build does not have it: install it (on Debian "
                       "'apt install zlib1g-dev') and build again",
                       path);
    return h5_refuse(job->h5, "compression of a chunk");
}

static fr_result unpack_batch(unpack_job *job, const h5_chunk *chunks, int count)
{
    for (int i = 0; i < count; i++) {
        if (chunks[i].skipped && chunks[i].bytes != job->samples * sizeof(float))
            return h5_refuse(job->h5, "size of a chunk");
        job->items[i].chunk = &chunks[i];
        FR_TRY(h5_read(job->h5, chunks[i].address, job->items[i].stored, chunks[i].bytes));
    }
    threads_for_cost(count, (int64_t)job->samples, unpack_items, job);
    for (int i = 0; i < count; i++)
        if (job->items[i].result != FR_OK)
            return unpack_fail(job, job->items[i].result);
    return FR_OK;
}

static fr_result unpack_all(unpack_job *job, const h5_chunk *chunks, int64_t count)
{
    size_t items = count < BATCH ? (size_t)count : BATCH, bytes = job->samples * sizeof(float), stored = 1;
    for (int64_t n = 0; n < count; n++)
        stored = chunks[n].bytes > stored ? chunks[n].bytes : stored;
    if (stored > bytes)
        return h5_refuse(job->h5, "size of a chunk");
    job->memory = malloc(items * (stored + bytes));
    if (!job->memory)
        return unpack_fail(job, FR_ERROR_MEMORY);
    for (size_t i = 0; i < items; i++) {
        job->items[i].stored = job->memory + i * stored;
        job->items[i].room = job->memory + items * stored + i * bytes;
    }
    for (int64_t first = 0; first < count; first += BATCH)
        FR_TRY(unpack_batch(job, chunks + first, count - first < BATCH ? (int)(count - first) : BATCH));
    return FR_OK;
}

fr_result pack_read(h5_source *h5, const h5_array *array, float *data)
{
    unpack_job job = {.h5 = h5, .array = array, .data = data, .samples = 1};
    h5_chunk *chunks;
    int64_t count;
    for (int a = 0; a < 3; a++) {
        if (array->chunk[a] < 1 || array->chunk[a] > PACK_SAMPLES_MOST)
            return h5_refuse(h5, "size of a chunk");
        job.samples *= (size_t)array->chunk[a];
        if (job.samples > PACK_SAMPLES_MOST)
            return h5_refuse(h5, "size of a chunk");
    }
    fr_result result = h5_get_chunks(h5, array, &chunks, &count);
    if (result == FR_OK && count > 0)
        result = unpack_all(&job, chunks, count);
    free(job.memory);
    free(chunks);
    return result;
}
