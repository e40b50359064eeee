#include "render/volume.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/dots.h"
#include "render/image.h"
#include "render/palette.h"

static float volume_smooth(double v)
{
    double t = clampd(v, 0, 1);
    return (float)(t * t * (3 - 2 * t));
}

/* Light that reaches the floor at p, 1 where nothing is in its way. */
static float backdrop_floor(const volume *volume, vec3 p)
{
    const brick *brick = &volume->brick;
    const lights *lights = &volume->lights;
    double range[2];
    sight up = {.from = {p.x, p.y + 1e-3 * brick->spacing[1], p.z}, .along = lights->towards};
    float shadow = 1;
    if (lights->towards.y > 0.02 && sight_cross(&up, brick->low, brick->high, range))
        shadow = expf(-light_depth_at(brick, brick->light, vec3_add(up.from, vec3_scale(up.along, range[0] + 1e-6))));
    /* Beyond the domain no shade from above is known: it fades towards the sides. */
    double side = fmin(fmin(p.x - brick->low[0], brick->high[0] - p.x) / (brick->high[0] - brick->low[0]),
                       fmin(p.z - brick->low[2], brick->high[2] - p.z) / (brick->high[2] - brick->low[2]));
    float above = expf(-0.22f * light_depth_at(brick, brick->sky, up.from) * volume_smooth(side / 0.3));
    return 0.68f * shadow + 0.32f * above;
}

rgb backdrop_colour(const volume *volume, const sight *sight)
{
    const brick *brick = &volume->brick;
    double dx = (sight->x - 0.5) * volume->camera.width / volume->camera.height, dy = sight->y - 0.46;
    float glow = volume_smooth(1 - sqrt(dx * dx + dy * dy) / 0.95);
    rgb colour = rgb_scale(volume->background, 0.42f + 0.95f * glow);
    double floor = brick->low[1];
    if (sight->along.y > -1e-6 || sight->from.y <= floor)
        return colour;
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, (floor - sight->from.y) / sight->along.y));
    double width = brick->high[0] - brick->low[0], depth = brick->high[2] - brick->low[2], size = fmax(width, depth);
    double away = hypot(p.x - brick->low[0] - width / 2, p.z - brick->low[2] - depth / 2) / size;
    /* A pool of light around the scene, fading into the backdrop. */
    float pool = 1 + 0.55f * expf((float)(-away * away * 0.9));
    float lit = backdrop_floor(volume, p), fade = 1 - volume_smooth((away - 1.5) / 2.5);
    return rgb_scale(colour, 1 + fade * (lit * pool - 1));
}

seen volume_see(const volume *volume, const sight *sight)
{
    double range[2], distance;
    seen seen = {.surface = 0};
    if (!sight_cross(sight, volume->brick.low, volume->brick.high, range)) {
        seen.colour = backdrop_colour(volume, sight);
        return seen;
    }
    seen.surface = solid_hit(&volume->brick, sight, &distance);
    if (seen.surface)
        range[1] = distance;
    marched smoke = march_smoke(&volume->brick, sight, range);
    rgb behind = {0, 0, 0};
    if (smoke.through > 0)
        behind = seen.surface ? solid_shade(volume, sight, distance) : backdrop_colour(volume, sight);
    seen.colour = rgb_add(smoke.light, rgb_scale(behind, smoke.through));
    return seen;
}

/* The bright end bends over softly; below 0.7 nothing changes. */
static float volume_shoulder(float v)
{
    const float knee = 0.7f, room = 1 - knee;
    return v <= knee ? v : knee + room * (1 - expf((knee - v) / room));
}

typedef struct volume_job {
    const volume *volume;
    const fr_image *image;
    rgb *colours;
    uint8_t *surface;
} volume_job;

static seen volume_pixel(const volume_job *job, int row, int column, const double offset[2])
{
    const camera *camera = &job->volume->camera;
    double x = column + offset[0], y = row + offset[1];
    /* Enough noise to break up the steps, and no more than that: what is left of it shows as grain. */
    float noise = colour_noise((uint32_t)column, (uint32_t)row, (uint32_t)(offset[0] * 64));
    sight sight = {.from = camera->eye, .along = camera_ray(camera, x, y), .x = x / camera->width, .y = y / camera->height,
                   .jitter = 0.25f + 0.5f * noise};
    return volume_see(job->volume, &sight);
}

/* Rows far apart one after the other, so that every thread gets its part of the smoke. */
static int volume_spread(int i, int count)
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

static void volume_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    int width = job->image->width;
    for (int i = begin; i < end; i++) {
        int row = volume_spread(i, job->image->height);
        for (int column = 0; column < width; column++) {
            seen seen = volume_pixel(job, row, column, (double[2]){0.5, 0.5});
            job->colours[(size_t)row * (size_t)width + (size_t)column] = seen.colour;
            job->surface[(size_t)row * (size_t)width + (size_t)column] = (uint8_t)seen.surface;
        }
    }
}

/* Whether the obstacle's outline, or an edge where a side of the domain cuts it, runs through the pixel. */
static bool volume_outline(const volume_job *job, int row, int column)
{
    int width = job->image->width, height = job->image->height;
    uint8_t here = job->surface[(size_t)row * (size_t)width + (size_t)column];
    static const int step[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int k = 0; k < 4; k++) {
        int r = row + step[k][0], c = column + step[k][1];
        if (r >= 0 && c >= 0 && r < height && c < width && job->surface[(size_t)r * (size_t)width + (size_t)c] != here)
            return true;
    }
    return false;
}

/* Smooths the pixels of outlines: from eight sights more. */
static void volume_outline_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    for (int i = begin; i < end; i++) {
        int row = volume_spread(i, job->image->height);
        for (int column = 0; column < job->image->width; column++) {
            if (!volume_outline(job, row, column))
                continue;
            rgb *colour = &job->colours[(size_t)row * (size_t)job->image->width + (size_t)column];
            for (int k = 0; k < 8; k++) {
                const double offset[2] = {(k + 0.5) / 8, (k * 3 % 8 + 0.5) / 8};
                *colour = rgb_add(*colour, volume_pixel(job, row, column, offset).colour);
            }
            *colour = rgb_scale(*colour, 1.0f / 9);
        }
    }
}

static void volume_write_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < job->image->width; column++) {
            rgb colour = job->colours[(size_t)row * (size_t)job->image->width + (size_t)column];
            rgb shown = {volume_shoulder(colour.r), volume_shoulder(colour.g), volume_shoulder(colour.b)};
            colour_to_bytes_dithered(shown, (uint32_t)column, (uint32_t)row, image_pixel(job->image, column, row));
        }
}

/* `dots`: the frame whose particles are shown, or NULL. */
static fr_result volume_draw(const volume *volume, const fr_frame *dots, const fr_look_def *look, const fr_image *image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    volume_job job = {volume, image, MEMORY_NEW(rgb, count), MEMORY_NEW(uint8_t, count)};
    fr_result result = job.colours && job.surface ? FR_OK : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        threads_for(image->height, volume_rows, &job);
        threads_for(image->height, volume_outline_rows, &job);
        if (dots)
            result = dots_in_volume(volume, dots, look, job.colours);
        threads_for(image->height, volume_write_rows, &job);
    }
    memory_free(job.colours);
    memory_free(job.surface);
    return result;
}

static fr_result volume_light(volume *volume, const fr_frame *frame, const fr_scene_def *def)
{
    static const double studio[3] = {0.20, 0.225, 0.265};
    const fr_look_def *look = &def->look;
    volume->lights = lights_of_look(look);
    volume->background = colour_light(look->background_set ? look->background : studio);
    volume->obstacle = palette_colour(look->obstacle_colour, 0.62, 0.60, 0.57);
    FR_TRY(light_brick(&volume->brick, &volume->lights, volume->camera.eye));
    const fr_field *temperature = fr_frame_field(frame, "temperature");
    if (look->glow > 0 && temperature) {
        light_glow glow = {look->glow, def->smoke.ambient, look->glow_temperature > 0 ? look->glow_temperature : 1000};
        FR_TRY(light_add_glow(&volume->brick, temperature, &glow));
    }
    brick_find_blocks(&volume->brick);
    return FR_OK;
}

fr_result volume_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, fr_image *image)
{
    volume volume;
    FR_TRY(camera_of_scene(frame, def, &volume.camera));
    FR_TRY(image_create(image, volume.camera.width, volume.camera.height));
    fr_result result = brick_create(frame, def, &volume.brick);
    if (result == FR_OK) {
        result = volume_light(&volume, frame, def);
        if (result == FR_OK)
            result = volume_draw(&volume, frame->has_particles && !view->hide_particles ? frame : NULL, &def->look, image);
        brick_destroy(&volume.brick);
    }
    if (result != FR_OK)
        fr_image_free(image);
    return result;
}
