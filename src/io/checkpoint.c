/* Checkpoints: /blocks/000000 … hold the bytes of the blocks, each with its name and checksum; the root has the
   format and the number of blocks, the seal the order. */
#ifdef FR_HAVE_HDF5
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/checksum.h"
#include "io/h5file.h"

enum { CHECKPOINT_FORMAT = 1, CHECKPOINT_BLOCKS_MOST = 999999, SLOTS = 2 };
static const char *const slot_names[SLOTS] = {"a.h5", "b.h5"};

typedef struct checkpoint_slot {
    char path[FILE_PATH];
    bool there, whole;       /* `whole` as far as the seal alone tells */
    int64_t order;
} checkpoint_slot;

static fr_result checkpoint_find(const char *folder, checkpoint_slot slots[SLOTS])
{
    for (int i = 0; i < SLOTS; i++) {
        file_bytes bytes;
        seal seal = {0};
        FR_TRY(file_join(slots[i].path, folder, slot_names[i]));
        slots[i].there = access(slots[i].path, F_OK) == 0;
        slots[i].whole = false;
        if (!slots[i].there || file_open(slots[i].path, &bytes) != FR_OK)
            continue;
        slots[i].whole = seal_read(&bytes, slots[i].path, &seal) == FR_OK && seal.kind == SEAL_CHECKPOINT;
        slots[i].order = seal.number;
        file_close(&bytes);
    }
    return FR_OK;
}

static bool checkpoint_is_intact(const checkpoint_slot *slot)
{
    file_bytes bytes;
    seal seal;
    if (file_open(slot->path, &bytes) != FR_OK)
        return false;
    bool intact = seal_check(&bytes, slot->path, &seal) == FR_OK;
    file_close(&bytes);
    return intact;
}

/* What is missing or damaged goes first, then what claims to be no older than the new one (left by a run that was
   begun again), then the older. Only the newer one is read whole: the other is replaced when that one is intact. */
static int checkpoint_choose(const checkpoint_slot slots[SLOTS], int64_t order)
{
    for (int i = 0; i < SLOTS; i++)
        if (!slots[i].whole)
            return i;
    int newer = slots[1].order > slots[0].order;
    if (slots[newer].order >= order || !checkpoint_is_intact(&slots[newer]))
        return newer;
    return !newer;
}

static fr_result checkpoint_put_block(h5_file *h5, hid_t group, int index, const fr_block *block)
{
    char link[16];
    snprintf(link, sizeof link, "%06d", index);
    hsize_t size = block->bytes;
    int64_t sum = (int64_t)checksum_of(block->data, block->bytes);
    hid_t space = H5Screate_simple(1, &size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false); /* the same state makes the same file */
    hid_t dataset = H5Dcreate2(group, link, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(creation);
    if (dataset < 0)
        return h5_fail(h5, "write", block->name);
    FR_TRY(h5_put_text(h5, dataset, "name", block->name));
    FR_TRY(h5_put_integers(h5, dataset, "checksum", &sum, 1));
    if (size > 0 && H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, block->data) < 0)
        return h5_fail(h5, "write", block->name);
    if (H5Dclose(dataset) < 0 || h5->bytes->error)
        return h5_fail(h5, "write", block->name);
    return FR_OK;
}

static fr_result checkpoint_put_all(h5_file *h5, const fr_block *blocks, int count)
{
    hid_t group;
    const int64_t format = CHECKPOINT_FORMAT, many = count;
    FR_TRY(h5_put_integers(h5, h5->file, "format", &format, 1));
    FR_TRY(h5_put_integers(h5, h5->file, "blocks", &many, 1));
    FR_TRY(h5_make_group(h5, h5->file, "blocks", &group));
    for (int i = 0; i < count; i++)
        FR_TRY(checkpoint_put_block(h5, group, i, &blocks[i]));
    return FR_OK;
}

fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order)
{
    checkpoint_slot slots[SLOTS];
    file_draft draft;
    h5_file h5;
    if (count < 0 || count > CHECKPOINT_BLOCKS_MOST)
        return fr_fail(FR_ERROR_INPUT, "a checkpoint of %d blocks: 0 to %d", count, CHECKPOINT_BLOCKS_MOST);
    FR_TRY(fr_make_folder(folder));
    FR_TRY(checkpoint_find(folder, slots));
    FR_TRY(file_begin(&draft, slots[checkpoint_choose(slots, order)].path));
    fr_result result = h5_create(&h5, &draft);
    if (result == FR_OK)
        result = checkpoint_put_all(&h5, blocks, count);
    fr_result closed = result == FR_OK ? h5_close(&h5) : (h5_close(&h5), result);
    if (closed != FR_OK) {
        file_abandon(&draft);
        return closed;
    }
    seal_write(&draft.bytes, (seal){SEAL_CHECKPOINT, order});
    return file_commit(&draft, true);
}

/* The size of a block's dataset, or −1 when it is not a row of bytes. */
static hssize_t checkpoint_block_size(hid_t dataset)
{
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    bool bytes = H5Sget_simple_extent_ndims(space) == 1 && H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == 1;
    hssize_t size = bytes ? H5Sget_simple_extent_npoints(space) : -1;
    H5Sclose(space);
    H5Tclose(type);
    return size;
}

static fr_result checkpoint_get_block(h5_file *h5, hid_t group, int index, fr_block *block)
{
    char link[16];
    hid_t dataset;
    int64_t sum;
    arena texts = {0};
    const char *name = NULL;
    snprintf(link, sizeof link, "%06d", index);
    FR_TRY(h5_open_dataset(h5, group, link, &dataset));
    fr_result result = h5_get_text(h5, dataset, "name", &texts, &name);
    block->name = result == FR_OK ? strdup(name) : NULL;
    arena_free(&texts);
    FR_TRY(result);
    FR_TRY(h5_get_integers(h5, dataset, "checksum", &sum, 1));
    hssize_t size = checkpoint_block_size(dataset);
    if (size < 0)
        return fr_fail(FR_ERROR_FILE, "%s cannot be used: block %d is not a row of bytes", h5->path, index);
    block->data = memory_alloc((size_t)size);
    block->bytes = (size_t)size;
    if (!block->data || !block->name)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %s", h5->path);
    if (size > 0 && H5Dread(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, block->data) < 0)
        return h5_fail(h5, "read", block->name);
    if ((uint64_t)sum != checksum_of(block->data, block->bytes))
        return fr_fail(FR_ERROR_FILE, "%s is damaged: the checksum of block '%s' does not match", h5->path,
                       block->name);
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", block->name) : FR_OK;
}

static fr_result checkpoint_get_all(h5_file *h5, fr_checkpoint *checkpoint)
{
    hid_t group;
    int64_t format, count;
    FR_TRY(h5_get_integers(h5, h5->file, "format", &format, 1));
    if (format != CHECKPOINT_FORMAT)
        return fr_fail(FR_ERROR_FILE, "%s has format %lld; this program knows format %d", h5->path, (long long)format,
                       CHECKPOINT_FORMAT);
    FR_TRY(h5_get_integers(h5, h5->file, "blocks", &count, 1));
    if (count < 0 || count > CHECKPOINT_BLOCKS_MOST)
        return fr_fail(FR_ERROR_FILE, "%s cannot be used: its number of blocks makes no sense", h5->path);
    FR_TRY(h5_open_group(h5, h5->file, "blocks", &group));
    checkpoint->blocks = calloc((size_t)count + 1, sizeof *checkpoint->blocks);
    if (!checkpoint->blocks)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %s", h5->path);
    for (int i = 0; i < count; i++) {
        checkpoint->count = i + 1;
        FR_TRY(checkpoint_get_block(h5, group, i, &checkpoint->blocks[i]));
    }
    return FR_OK;
}

static fr_result checkpoint_read_slot(const checkpoint_slot *slot, fr_checkpoint *checkpoint)
{
    h5_file h5;
    *checkpoint = (fr_checkpoint){.order = slot->order};
    snprintf(checkpoint->path, sizeof checkpoint->path, "%s", slot->path);
    fr_result result = h5_open(&h5, slot->path, SEAL_CHECKPOINT);
    if (result == FR_OK)
        result = checkpoint_get_all(&h5, checkpoint);
    h5_close(&h5);
    if (result != FR_OK)
        fr_checkpoint_free(checkpoint);
    return result;
}

fr_result fr_checkpoint_read(const char *folder, int back, fr_checkpoint *checkpoint)
{
    checkpoint_slot slots[SLOTS];
    *checkpoint = (fr_checkpoint){0};
    FR_TRY(checkpoint_find(folder, slots));
    /* one without a seal cannot be read, but is tried first so that the warning is given */
    int first = slots[0].whole && (!slots[1].whole || slots[1].order > slots[0].order);
    for (int turn = 0; turn < SLOTS; turn++) {
        const checkpoint_slot *slot = &slots[turn == 0 ? first : !first];
        if (!slot->there)
            continue;
        fr_result result = checkpoint_read_slot(slot, checkpoint);
        if ((result == FR_OK && back-- == 0) || result == FR_ERROR_MEMORY)
            return result;
        if (result == FR_OK)
            fr_checkpoint_free(checkpoint);
        else
            fr_log(FR_LOG_WARNING, "checkpoint passed over: %s", fr_error_message());
    }
    if (slots[0].there || slots[1].there)
        return fr_fail(FR_ERROR_FILE, "no checkpoint in %s is whole: run the scene from the start", folder);
    return fr_fail(FR_ERROR_FILE, "there is no checkpoint in %s: run the scene from the start", folder);
}

void fr_checkpoint_free(fr_checkpoint *checkpoint)
{
    for (int i = 0; i < checkpoint->count; i++) {
        free((char *)checkpoint->blocks[i].name);
        memory_free(checkpoint->blocks[i].data);
    }
    free(checkpoint->blocks);
    *checkpoint = (fr_checkpoint){0};
}
#endif
