/* Caches and checkpoints where HDF5 was not there at build time: refused, with what to do. */
#ifndef FR_HAVE_HDF5
#include <freshet/io.h>

static fr_result without_hdf5(const char *what)
{
    return fr_fail(FR_ERROR_UNSUPPORTED, "%s need HDF5, which this build does not have: install it (on Debian "
                   "'apt install libhdf5-dev') and build again", what);
}

fr_result fr_cache_write(const char *path, const fr_frame *frame)
{
    (void)path, (void)frame;
    return without_hdf5("cache files");
}

fr_result fr_cache_read(const char *path, fr_cached_frame **frame)
{
    (void)path;
    *frame = NULL;
    return without_hdf5("cache files");
}

const fr_frame *fr_cached_frame_view(const fr_cached_frame *frame)
{
    (void)frame;
    return NULL;
}

void fr_cached_frame_destroy(fr_cached_frame *frame)
{
    (void)frame;
}

fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order)
{
    (void)folder, (void)blocks, (void)count, (void)order;
    return without_hdf5("checkpoints");
}

fr_result fr_checkpoint_read(const char *folder, int back, fr_checkpoint *checkpoint)
{
    (void)folder, (void)back;
    *checkpoint = (fr_checkpoint){0};
    return without_hdf5("checkpoints");
}

void fr_checkpoint_free(fr_checkpoint *checkpoint)
{
    *checkpoint = (fr_checkpoint){0};
}
#endif
