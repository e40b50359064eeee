#include "render/picture.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/draw/image.h"

/* Tone mapping: compresses highlights smoothly above 0.7 and changes nothing below. */
static float picture_shoulder(float v)
{
    const float knee = 0.7f, room = 1 - knee;
    return v <= knee ? v : knee + room * (1 - expf((knee - v) / room));
}

typedef struct picture_job {
    const picture *picture;
    picture_see see;
    const void *scene;
} picture_job;

static seen picture_pixel(const picture_job *job, int row, int column, const double offset[2])
{
    const camera *camera = job->picture->camera;
    double x = column + offset[0], y = row + offset[1];
    /* Jitter breaks up the banding of the ray march. Only half a step, since the rest of it shows as grain. */
    float noise = colour_noise((uint32_t)column, (uint32_t)row, (uint32_t)(offset[0] * 64));
    sight sight = {.from = camera->eye,
                   .along = camera_ray(camera, x, y),
                   .x = x / camera->width,
                   .y = y / camera->height,
                   .jitter = 0.25f + 0.5f * noise};
    return job->see(job->scene, &sight);
}

/* Permutes the rows so that consecutive items are far apart: every thread gets some of the costly rows. */
static int picture_spread(int i, int count)
{
    int stride = (int)(count * 0.618) | 1;
    for (int a = stride, b = count; ; stride += 2, a = stride, b = count) {
        while (b) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return (int)((int64_t)i * stride % count);
    }
}

static void picture_rows(void *context, int begin, int end)
{
    const picture_job *job = context;
    int width = job->picture->image->width;
    for (int i = begin; i < end; i++) {
        int row = picture_spread(i, job->picture->image->height);
        for (int column = 0; column < width; column++) {
            seen seen = picture_pixel(job, row, column, (double[2]){0.5, 0.5});
            job->picture->colours[(size_t)row * (size_t)width + (size_t)column] = seen.colour;
            job->picture->surface[(size_t)row * (size_t)width + (size_t)column] = (uint8_t)seen.surface;
        }
    }
}

/* Whether a silhouette or an edge (where a side of the domain cuts an obstacle) runs through the pixel. */
static bool picture_outline(const picture_job *job, int row, int column)
{
    int width = job->picture->image->width, height = job->picture->image->height;
    uint8_t here = job->picture->surface[(size_t)row * (size_t)width + (size_t)column];
    static const int step[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int k = 0; k < 4; k++) {
        int r = row + step[k][0], c = column + step[k][1];
        if (r >= 0 && c >= 0 && r < height && c < width &&
            job->picture->surface[(size_t)r * (size_t)width + (size_t)c] != here)
            return true;
    }
    return false;
}

/* Anti-aliases the pixels of outlines with eight more rays. */
static void picture_outline_rows(void *context, int begin, int end)
{
    const picture_job *job = context;
    for (int i = begin; i < end; i++) {
        int row = picture_spread(i, job->picture->image->height);
        for (int column = 0; column < job->picture->image->width; column++) {
            if (!picture_outline(job, row, column))
                continue;
            rgb *colour = &job->picture->colours[(size_t)row * (size_t)job->picture->image->width + (size_t)column];
            for (int k = 0; k < 8; k++) {
                const double offset[2] = {(k + 0.5) / 8, (k * 3 % 8 + 0.5) / 8};
                *colour = rgb_add(*colour, picture_pixel(job, row, column, offset).colour);
            }
            *colour = rgb_scale(*colour, 1.0f / 9);
        }
    }
}

static void picture_write_rows(void *context, int begin, int end)
{
    const picture *picture = context;
    int width = picture->image->width;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < width; column++) {
            rgb colour = picture->colours[(size_t)row * (size_t)width + (size_t)column];
            rgb shown = {picture_shoulder(colour.r), picture_shoulder(colour.g), picture_shoulder(colour.b)};
            colour_to_bytes_dithered(shown, (uint32_t)column, (uint32_t)row, image_pixel(picture->image, column, row));
        }
}

fr_result picture_create(picture *out, const camera *camera, const fr_image *image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    *out = (picture){camera, image, MEMORY_NEW(rgb, count), MEMORY_NEW(uint8_t, count)};
    if (out->colours && out->surface)
        return FR_OK;
    picture_destroy(out);
    return FR_ERROR_MEMORY;
}

void picture_destroy(picture *picture)
{
    memory_free(picture->colours);
    memory_free(picture->surface);
}

void picture_trace(picture *picture, picture_see see, const void *scene)
{
    picture_job job = {picture, see, scene};
    threads_for(picture->image->height, picture_rows, &job);
    threads_for(picture->image->height, picture_outline_rows, &job);
}

void picture_write(picture *picture)
{
    threads_for(picture->image->height, picture_write_rows, picture);
}
