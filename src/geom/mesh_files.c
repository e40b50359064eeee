/* File access for the importer. Files that a mesh refers to are opened here as well, so that none of them can be a pipe
   or a device. */
#include "geom/mesh_parts.h"

#ifdef FR_HAVE_ASSIMP
#include <assimp/cfileio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"

static input_file *files_input(struct aiFile *file)
{
    return (input_file *)(void *)file->UserData;
}

static size_t files_read(struct aiFile *file, char *to, size_t size, size_t count)
{
    return fread(to, size, count, files_input(file)->stream);
}

static size_t files_write(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t files_tell(struct aiFile *file)
{
    long at = ftell(files_input(file)->stream);
    return at > 0 ? (size_t)at : 0;
}

static size_t files_size(struct aiFile *file)
{
    return (size_t)files_input(file)->bytes;
}

static enum aiReturn files_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    int from = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek(files_input(file)->stream, (long)offset, from) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void files_flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *files_open(struct aiFileIO *io, const char *path, const char *mode)
{
    (void)io;
    struct aiFile *file = calloc(1, sizeof *file);
    input_file *in = calloc(1, sizeof *in);
    if (!file || !in || mode[0] != 'r' || !input_open(path, in)) {
        free(file);
        free(in);
        return NULL;
    }
    *file = (struct aiFile){files_read, files_write, files_tell, files_size, files_seek, files_flush, (char *)in};
    return file;
}

static void files_close(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (!file)
        return;
    fclose(files_input(file)->stream);
    free(files_input(file));
    free(file);
}

struct aiFileIO *mesh_files(void)
{
    static struct aiFileIO io = {files_open, files_close, NULL};
    return &io;
}
#endif
