#include "render/flat/dots.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/flat/flat.h"

#include <math.h>
#include <stdlib.h>

/* A slice shows only the particles within one cell of it. All dots are collected in the mask and painted once: overlaps
   do not show, and the order does not matter. */
void flat_dots(const flat *flat, canvas *canvas)
{
    const fr_frame *frame = flat->frame;
    const cut *cut = &flat->cut;
    const fr_look_def *look = &flat->def->look;
    double size = look->particle_size > 0 ? look->particle_size : DOTS_SIZE;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = frame->particles.data + n * frame->particles.stride;
        if (frame->dims == 3 &&
            !(fabs(((double)at[cut->across] - frame->origin[cut->across]) / frame->spacing[cut->across] - cut->at) <=
              1))
            continue;
        double dot[2];
        flat_point(flat, (double[2]){at[cut->axes[0]], at[cut->axes[1]]}, dot);
        canvas_line(canvas, dot, dot, size);
    }
    rgb colour = flat->palette.dark ? palette_colour(look->particle_colour, 1.0, 0.80, 0.42)
                                    : palette_colour(look->particle_colour, 0.55, 0.22, 0.05);
    canvas_paint(canvas, colour, 0.9);
}

/* A dot on the picture. */
typedef struct dot {
    float x, y, depth;       /* pixels; depth: m along the view ray */
    float size;              /* diameter, pixels; 0: not visible */
    rgb light;               /* light of the smoke in front, plus the dot's own light that gets through it */
} dot;

typedef struct dots_job {
    const volume *volume;
    const fr_frame *frame;
    rgb colour;
    double size;
    dot *dots;
} dots_job;

/* The light from the dot and from the smoke in front of it. */
static rgb dots_light(const dots_job *job, const sight *sight, double depth)
{
    const brick *brick = &job->volume->brick;
    vec3 at = vec3_add(sight->from, vec3_scale(sight->along, depth));
    float sun = expf(-light_depth_at(brick, brick->light, at)),
          sky = expf(-0.22f * light_depth_at(brick, brick->sky, at));
    rgb own = rgb_scale(job->colour, 0.75f * sun + 0.35f * sky);
    double range[2];
    if (!sight_cross(sight, brick->low, brick->high, range) || depth <= range[0])
        return own;
    marched before = march_smoke(brick, sight, (double[2]){range[0], fmin(depth, range[1])});
    return rgb_add(before.light, rgb_scale(own, before.through));
}

static void dots_see(void *context, int begin, int end)
{
    const dots_job *job = context;
    const camera *camera = &job->volume->camera;
    for (int n = begin; n < end; n++) {
        dot *dot = &job->dots[n];
        const float *p = job->frame->particles.data + n * job->frame->particles.stride;
        vec3 away = vec3_sub((vec3){p[0], p[1], p[2]}, camera->eye);
        double forward = vec3_dot(away, camera->forward), depth = vec3_length(away);
        hard hidden;
        dot->size = 0;
        dot->depth = (float)depth;
        if (!(forward > 1e-6 * depth))
            continue;
        double x = 0.5 + 0.5 * vec3_dot(away, camera->right) / (forward * camera->half_width);
        double y = 0.5 - 0.5 * vec3_dot(away, camera->up) / (forward * camera->half_height);
        sight sight = {.from = camera->eye, .along = vec3_scale(away, 1 / depth), .x = x, .y = y, .jitter = 0.5f};
        if (!(x > -0.1 && x < 1.1 && y > -0.1 && y < 1.1) ||
            (hard_find(job->volume, &sight, &hidden) && hidden.distance < depth))
            continue;
        dot->x = (float)(x * camera->width);
        dot->y = (float)(y * camera->height);
        dot->size = (float)job->size;
        dot->light = dots_light(job, &sight, depth);
    }
}

/* Far ones first; at equal depth by position, so that the order is unique. */
static int dots_compare(const void *a, const void *b)
{
    const dot *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->x != q->x ? (p->x > q->x ? -1 : 1) : (p->y < q->y) - (p->y > q->y);
}

/* A soft disc: opaque inside, fading over its outer pixel. What lies behind a dot of opacity a is weakened by 1 − a,
   but the smoke in front of it is not: C' = C + a (L + T P − C), with L the light of the smoke in front, T its
   transmittance and P the dot's own light. */
static void dots_paint(const camera *camera, const dot *dot, rgb *colours)
{
    float half = 0.5f * dot->size, reach = half + 1;
    int low[2] = {(int)floorf(dot->x - reach), (int)floorf(dot->y - reach)},
        high[2] = {(int)ceilf(dot->x + reach), (int)ceilf(dot->y + reach)};
    for (int y = low[1] < 0 ? 0 : low[1]; y < high[1] && y < camera->height; y++)
        for (int x = low[0] < 0 ? 0 : low[0]; x < high[0] && x < camera->width; x++) {
            float away = hypotf((float)x + 0.5f - dot->x, (float)y + 0.5f - dot->y);
            float cover = (float)clampd(half + 0.5 - away, 0, 1) * fminf(1, dot->size);
            rgb *c = &colours[(size_t)y * (size_t)camera->width + (size_t)x];
            *c = rgb_mix(*c, dot->light, cover);
        }
}

fr_result dots_in_volume(const volume *volume, const fr_frame *frame, const fr_look_def *look, rgb *colours)
{
    enum { MOST_DOTS = 1 << 24 };
    int count = frame->particle_count < MOST_DOTS ? (int)frame->particle_count : MOST_DOTS;
    dots_job job = {volume, frame, palette_colour(look->particle_colour, 1.0, 0.84, 0.52),
                    look->particle_size > 0 ? look->particle_size : DOTS_SIZE, MEMORY_NEW(dot, count)};
    if (!job.dots)
        return FR_ERROR_MEMORY;
    threads_for(count, dots_see, &job);
    qsort(job.dots, (size_t)count, sizeof *job.dots, dots_compare);
    for (int n = 0; n < count; n++)
        if (job.dots[n].size > 0)
            dots_paint(&volume->camera, &job.dots[n], colours);
    memory_free(job.dots);
    return FR_OK;
}
