/* Checkpoints. The file format, all numbers little-endian:

   mark, 8 bytes | format, 4 | number of blocks, 4
   for every block: length of its name, 4 | length of its data, 8 | name | data | checksum of the data, 8
   seal (seal.h): the checkpoint's order and the checksum of everything before */
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/numbers.h"
#include "io/seal.h"

enum {
    CHECKPOINT_FORMAT = 2,
    CHECKPOINT_BLOCKS_MOST = 999999,
    HEADER_BYTES = 16,
    BLOCK_HEADER_BYTES = 12,
    BLOCK_BYTES_LEAST = BLOCK_HEADER_BYTES + 8,
    PIECE = 256 << 10,           /* hashed and written (or read and hashed) at once, while it is in cache */
    SLOTS = 2
};
static const char checkpoint_mark[] = "FRCHECK\n";
static const char *const slot_names[SLOTS] = {"a.chk", "b.chk"};

typedef struct checkpoint_slot {
    char path[FILE_PATH];
    bool there, whole;       /* `whole`: the seal is there; the data are not checked */
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

/* Chooses the slot to overwrite: a missing or unsealed one first; then one that is not older than the new checkpoint
   (left by a run that was restarted); then the older one. Only the newer one is verified in full: the older may be
   replaced only when the newer is intact. */
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

typedef struct checkpoint_writer {
    file_draft draft;
    checksum sum;                /* of the whole file */
} checkpoint_writer;

static void checkpoint_put_block(checkpoint_writer *w, const fr_block *block)
{
    unsigned char number[BLOCK_HEADER_BYTES];
    checksum sum;
    size_t length = strlen(block->name);
    number_store(number, length, 4);
    number_store(number + 4, block->bytes, 8);
    seal_put(&w->draft, &w->sum, number, BLOCK_HEADER_BYTES);
    seal_put(&w->draft, &w->sum, block->name, length);
    checksum_begin(&sum);
    for (size_t at = 0; at < block->bytes && !w->draft.bytes.error; at += PIECE) {
        const char *piece = (const char *)block->data + at;
        size_t bytes = block->bytes - at < PIECE ? block->bytes - at : PIECE;
        checksum_add(&sum, piece, bytes);
        seal_put(&w->draft, &w->sum, piece, bytes);
    }
    number_store(number, checksum_end(&sum), 8);
    seal_put(&w->draft, &w->sum, number, 8);
}

fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order)
{
    checkpoint_slot slots[SLOTS];
    checkpoint_writer w;
    unsigned char header[HEADER_BYTES];
    if (count < 0 || count > CHECKPOINT_BLOCKS_MOST)
        return fr_fail(FR_ERROR_INPUT, "a checkpoint of %d blocks: 0 to %d", count, CHECKPOINT_BLOCKS_MOST);
    FR_TRY(fr_make_folder(folder));
    FR_TRY(checkpoint_find(folder, slots));
    FR_TRY(file_begin(&w.draft, slots[checkpoint_choose(slots, order)].path));
    checksum_begin(&w.sum);
    memcpy(header, checkpoint_mark, 8);
    number_store(header + 8, CHECKPOINT_FORMAT, 4);
    number_store(header + 12, (uint64_t)count, 4);
    seal_put(&w.draft, &w.sum, header, HEADER_BYTES);
    for (int i = 0; i < count && !w.draft.bytes.error; i++)
        checkpoint_put_block(&w, &blocks[i]);
    seal_end(&w.draft, &w.sum, (seal){SEAL_CHECKPOINT, order});
    return file_commit(&w.draft, true);
}

typedef struct checkpoint_reader {
    file_bytes bytes;
    int64_t at;                  /* offset of the next byte to read */
    const char *path;
} checkpoint_reader;

static fr_result checkpoint_refuse(const checkpoint_reader *r, const char *what)
{
    return fr_fail(FR_ERROR_FILE, "%s cannot be used: its %s is not valid", r->path, what);
}

static int64_t checkpoint_left(const checkpoint_reader *r)
{
    return r->bytes.size - r->at;
}

/* The caller has checked that `count` bytes are left. */
static fr_result checkpoint_get(checkpoint_reader *r, void *data, size_t count)
{
    if (!file_bytes_read(&r->bytes, r->at, data, count))
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", r->path, strerror(r->bytes.error));
    r->at += (int64_t)count;
    return FR_OK;
}

static fr_result checkpoint_get_data(checkpoint_reader *r, const fr_block *block)
{
    unsigned char stored[8];
    checksum sum;
    checksum_begin(&sum);
    for (size_t at = 0; at < block->bytes; at += PIECE) {
        char *piece = (char *)block->data + at;
        size_t bytes = block->bytes - at < PIECE ? block->bytes - at : PIECE;
        FR_TRY(checkpoint_get(r, piece, bytes));
        checksum_add(&sum, piece, bytes);
    }
    FR_TRY(checkpoint_get(r, stored, 8));
    if (number_load(stored, 8) != checksum_end(&sum))
        return fr_fail(FR_ERROR_FILE, "%s is damaged: the checksum of block '%s' does not match", r->path, block->name);
    return FR_OK;
}

static fr_result checkpoint_get_block(checkpoint_reader *r, fr_block *block)
{
    unsigned char header[BLOCK_HEADER_BYTES];
    if (checkpoint_left(r) < BLOCK_BYTES_LEAST)
        return checkpoint_refuse(r, "number of blocks");
    FR_TRY(checkpoint_get(r, header, BLOCK_HEADER_BYTES));
    uint64_t room = (uint64_t)checkpoint_left(r) - 8, length = number_load(header, 4),
             bytes = number_load(header + 4, 8);
    if (length > room || bytes > room - length || bytes > SIZE_MAX)
        return checkpoint_refuse(r, "size of a block");
    char *name = calloc((size_t)length + 1, 1);
    block->name = name;
    block->data = memory_alloc((size_t)bytes);
    block->bytes = (size_t)bytes;
    if (!name || !block->data)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %s", r->path);
    FR_TRY(checkpoint_get(r, name, (size_t)length));
    return checkpoint_get_data(r, block);
}

static fr_result checkpoint_get_all(checkpoint_reader *r, fr_checkpoint *checkpoint)
{
    unsigned char header[HEADER_BYTES];
    if (checkpoint_left(r) < HEADER_BYTES)
        return checkpoint_refuse(r, "size");
    FR_TRY(checkpoint_get(r, header, HEADER_BYTES));
    if (memcmp(header, checkpoint_mark, 8) != 0)
        return checkpoint_refuse(r, "beginning");
    uint64_t format = number_load(header + 8, 4), count = number_load(header + 12, 4);
    if (format != CHECKPOINT_FORMAT)
        return fr_fail(FR_ERROR_FILE, "%s has format %d; this program knows format %d", r->path, (int)format,
                       CHECKPOINT_FORMAT);
    if (count > CHECKPOINT_BLOCKS_MOST || count > (uint64_t)checkpoint_left(r) / BLOCK_BYTES_LEAST)
        return checkpoint_refuse(r, "number of blocks");
    checkpoint->blocks = calloc((size_t)count + 1, sizeof *checkpoint->blocks);
    if (!checkpoint->blocks)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %s", r->path);
    for (int i = 0; i < (int)count; i++) {
        checkpoint->count = i + 1;
        FR_TRY(checkpoint_get_block(r, &checkpoint->blocks[i]));
    }
    return checkpoint_left(r) > 0 ? checkpoint_refuse(r, "size") : FR_OK;
}

static fr_result checkpoint_get_file(checkpoint_reader *r, fr_checkpoint *checkpoint)
{
    seal seal;
    FR_TRY(seal_check(&r->bytes, r->path, &seal));
    if (seal.kind != SEAL_CHECKPOINT)
        return fr_fail(FR_ERROR_FILE, "%s is not a checkpoint file", r->path);
    checkpoint->order = seal.number;
    return checkpoint_get_all(r, checkpoint);
}

static fr_result checkpoint_read_slot(const checkpoint_slot *slot, fr_checkpoint *checkpoint)
{
    checkpoint_reader r = {.path = slot->path};
    *checkpoint = (fr_checkpoint){0};
    memcpy(checkpoint->path, slot->path, FILE_PATH);
    FR_TRY(file_open(slot->path, &r.bytes));
    fr_result result = checkpoint_get_file(&r, checkpoint);
    file_close(&r.bytes);
    if (result != FR_OK)
        fr_checkpoint_free(checkpoint);
    return result;
}

/* Whether the folder has checkpoints of Freshet 0.1.0. */
static bool checkpoint_is_old(const char *folder)
{
    char path[FILE_PATH];
    return file_join(path, folder, "a.h5") == FR_OK && access(path, F_OK) == 0;
}

fr_result fr_checkpoint_read(const char *folder, int back, fr_checkpoint *checkpoint)
{
    checkpoint_slot slots[SLOTS];
    *checkpoint = (fr_checkpoint){0};
    FR_TRY(checkpoint_find(folder, slots));
    /* a file without a seal cannot be read; it is tried first so that the user gets the warning */
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
            fr_log(FR_LOG_WARNING, "checkpoint skipped: %s", fr_error_message());
    }
    if (slots[0].there || slots[1].there)
        return fr_fail(FR_ERROR_FILE, "no checkpoint in %s is whole: run the scene from the start", folder);
    if (checkpoint_is_old(folder))
        return fr_fail(FR_ERROR_FILE,
                       "the checkpoints in %s were written by Freshet 0.1.0, whose files this version cannot read: "
                       "run the scene from the start",
                       folder);
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
