/* Writes PNG files, through a draft and an atomic rename. */
#include "render/draw/image.h"

#ifdef FR_HAVE_PNG

#include <png.h>
#include <stdio.h>

#include "base/files.h"

typedef struct png_job {
    const fr_image *image;
    const char *path;
    file_draft draft;
    char trouble[256];
} png_job;

/* The draft remembers write errors; file_commit reports them. */
static void png_put(png_structp png, png_bytep data, png_size_t count)
{
    file_put(&((png_job *)png_get_io_ptr(png))->draft, data, count);
}

static void png_flush_nothing(png_structp png)
{
    (void)png;
}

static void png_on_error(png_structp png, png_const_charp message)
{
    png_job *job = png_get_error_ptr(png);
    snprintf(job->trouble, sizeof job->trouble, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void png_on_warning(png_structp png, png_const_charp message)
{
    const png_job *job = png_get_error_ptr(png);
    fr_log(FR_LOG_WARNING, "%s: %s", job->path, message);
}

/* Everything between png_create and png_destroy. False when libpng left by longjmp; `trouble` then says why. */
static bool png_encode(png_structp png, png_infop info, png_job *job)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    const fr_image *image = job->image;
    png_set_write_fn(png, job, png_put, png_flush_nothing);
    /* Pictures of fluids are smooth: a low zlib level makes files a few per cent larger and saves most of the time. */
    png_set_compression_level(png, 3);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < image->height; y++)
        png_write_row(png, image_pixel(image, 0, y));
    png_write_end(png, info);
    return true;
}

static fr_result png_write_stream(png_job *job)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, png_on_error, png_on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return fr_fail(FR_ERROR_MEMORY, "no memory to write %s", job->path);
    }
    bool whole = png_encode(png, info, job);
    png_destroy_write_struct(&png, &info);
    return whole ? FR_OK : fr_fail(FR_ERROR_FILE, "cannot write %s: %s", job->path, job->trouble);
}

fr_result fr_image_write_png(const fr_image *image, const char *path)
{
    png_job job = {.image = image, .path = path};
    FR_TRY(file_begin(&job.draft, path));
    fr_result result = png_write_stream(&job);
    if (result == FR_OK)
        return file_commit(&job.draft, false);
    file_abandon(&job.draft);
    return result;
}

#else

fr_result fr_image_write_png(const fr_image *image, const char *path)
{
    (void)image;
    return fr_fail(FR_ERROR_UNSUPPORTED,
                   "cannot write %s: this build has no libpng; install libpng-dev and build again", path);
}

#endif
