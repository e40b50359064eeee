/* Chunks are gathered and compressed on all cores and handed to HDF5 ready-made: its own filters work on one thread
   inside its lock. A chunk of zeros is not stored at all, HDF5 reads it back as zeros; smoke is mostly that. */
#ifdef FR_HAVE_HDF5
#include "io/pack.h"

#include <string.h>
#ifdef FR_HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/memory.h"
#include "base/threads.h"

enum {
    CHUNK_3D = 64, CHUNK_3D_LAYERS = 16, CHUNK_2D = 256, /* at most: 64 Ki samples, 256 KiB */
    BATCH = 32,                 /* chunks at once */
    LEVEL = 1,                  /* of zlib: level 6 takes 2.6 times as long for 2 % less */
    FILTERS_SKIPPED = 3         /* bits of shuffle and deflate: the chunk is stored as it is */
};

typedef struct pack_item {
    int64_t at[3];
    float *raw;
    unsigned char *packed;
    size_t bytes;               /* of `packed`; 0: store `raw` */
    bool empty;                 /* nothing but zero bits */
} pack_item;

typedef struct pack_job {
    const pack_source *source;
    int64_t chunk[3], chunks[3];
    size_t samples;             /* in a chunk */
    float *memory;
    pack_item items[BATCH];
} pack_job;

/* x first to HDF5's order, slowest first, the components last. Returns how many axes that makes. */
static int pack_axes(const pack_job *job, const int64_t xyz[3], int64_t components, hsize_t axes[4])
{
    for (int a = 0; a < 3; a++)
        axes[2 - a] = (hsize_t)xyz[a];
    axes[3] = (hsize_t)components;
    return job->source->parts > 1 ? 4 : 3;
}

/* Shares an axis evenly, so that the last chunk is not nearly empty. */
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
}

static bool pack_is_empty(const pack_item *item, size_t samples)
{
    const unsigned char *bytes = (const unsigned char *)item->raw;
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, samples * sizeof(float) - 1) == 0;
}

#ifdef FR_HAVE_ZLIB
/* Whether bytes are all about equally frequent in a sample: the low bytes of most mantissas, on which deflate would
   spend three quarters of its time for 2 %. The sum of squared counts is least for noise. */
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

/* The four bytes of each float apart, as HDF5's shuffle has them, in one zlib stream. */
static size_t pack_deflate(const float *raw, size_t samples, unsigned char *plane, unsigned char *packed)
{
    const unsigned char *bytes = (const unsigned char *)raw;
    z_stream stream = {.next_out = packed, .avail_out = (uInt)(samples * sizeof(float))};
    int status = deflateInit(&stream, LEVEL);
    if (status != Z_OK)
        return 0;
    for (int part = 0; part < 4; part++) {
        for (size_t i = 0; i < samples; i++)
            plane[i] = bytes[4 * i + (size_t)part];
        deflateParams(&stream, pack_is_noise(plane, samples) ? 0 : LEVEL, Z_DEFAULT_STRATEGY);
        stream.next_in = plane;
        stream.avail_in = (uInt)samples;
        status = deflate(&stream, part == 3 ? Z_FINISH : Z_NO_FLUSH);
    }
    size_t length = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? length : 0;
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
#ifdef FR_HAVE_ZLIB
        unsigned char *plane = item->packed + job->samples * sizeof(float);
        if (!item->empty)
            item->bytes = pack_deflate(item->raw, job->samples, plane, item->packed);
#endif
    }
}

#ifdef FR_HAVE_ZLIB
static herr_t pack_store(const pack_job *job, hid_t dataset, const pack_item *item)
{
    hsize_t offset[4];
    pack_axes(job, item->at, 0, offset);
    if (item->bytes > 0)
        return H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, item->bytes, item->packed);
    return H5Dwrite_chunk(dataset, H5P_DEFAULT, FILTERS_SKIPPED, offset, job->samples * sizeof(float), item->raw);
}
#else
/* HDF5 compresses. */
static herr_t pack_store(const pack_job *job, hid_t dataset, const pack_item *item)
{
    hsize_t chunk[4], count[4], begin[4] = {0}, offset[4];
    int64_t inside[3], parts = job->source->parts;
    for (int a = 0; a < 3; a++) {
        int64_t left = job->source->size[a] - item->at[a];
        inside[a] = left < job->chunk[a] ? left : job->chunk[a];
    }
    pack_axes(job, item->at, 0, offset);
    pack_axes(job, inside, parts, count);
    int rank = pack_axes(job, job->chunk, parts, chunk);
    hid_t from = H5Screate_simple(rank, chunk, NULL), to = H5Dget_space(dataset);
    H5Sselect_hyperslab(from, H5S_SELECT_SET, begin, NULL, count, NULL);
    H5Sselect_hyperslab(to, H5S_SELECT_SET, offset, NULL, count, NULL);
    herr_t status = H5Dwrite(dataset, H5T_NATIVE_FLOAT, from, to, H5P_DEFAULT, item->raw);
    H5Sclose(from);
    H5Sclose(to);
    return status;
}
#endif

static fr_result pack_fill(h5_file *h5, hid_t dataset, pack_job *job)
{
    int64_t total = job->chunks[0] * job->chunks[1] * job->chunks[2];
    for (int64_t first = 0; first < total; first += BATCH) {
        int count = total - first < BATCH ? (int)(total - first) : BATCH;
        for (int i = 0; i < count; i++) {
            int64_t n = first + i;
            job->items[i].at[0] = n % job->chunks[0] * job->chunk[0];
            job->items[i].at[1] = n / job->chunks[0] % job->chunks[1] * job->chunk[1];
            job->items[i].at[2] = n / job->chunks[0] / job->chunks[1] * job->chunk[2];
        }
        threads_for_cost(count, (int64_t)job->samples, pack_items, job);
        for (int i = 0; i < count; i++)
            if (!job->items[i].empty && pack_store(job, dataset, &job->items[i]) < 0)
                return h5_fail(h5, "write", "a chunk is refused");
        if (h5->bytes->error)
            return h5_fail(h5, "write", "");
    }
    return FR_OK;
}

static hid_t pack_create(const pack_job *job, hid_t group, const char *name)
{
    hsize_t size[4], chunk[4];
    pack_axes(job, job->source->size, job->source->parts, size);
    int rank = pack_axes(job, job->chunk, job->source->parts, chunk);
    hid_t space = H5Screate_simple(rank, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    /* without times: the same frame makes the same file */
    if (space >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0
        && H5Pset_deflate(creation, LEVEL) >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
        dataset = H5Dcreate2(group, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(creation);
    return dataset;
}

fr_result pack_dataset(h5_file *h5, hid_t group, const char *name, const pack_source *source, hid_t *dataset)
{
    pack_job job = {.source = source};
    pack_choose_chunks(&job);
    size_t item_samples = job.samples * 9 / 4 + 1; /* raw, packed, one plane of bytes */
    int64_t chunks = job.chunks[0] * job.chunks[1] * job.chunks[2];
    int items = chunks < BATCH ? (int)chunks : BATCH;
    job.memory = MEMORY_NEW(float, item_samples * (size_t)items);
    if (!job.memory)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < items; i++) {
        job.items[i].raw = job.memory + (size_t)i * item_samples;
        job.items[i].packed = (unsigned char *)(job.items[i].raw + job.samples);
    }
    *dataset = pack_create(&job, group, name);
    fr_result result = *dataset < 0 ? h5_fail(h5, "write", name) : pack_fill(h5, *dataset, &job);
    memory_free(job.memory);
    return result;
}
#endif
