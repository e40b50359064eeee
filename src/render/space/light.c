/* Single scattering with Beer–Lambert extinction. The optical depth towards the light is swept through the brick layer
   by layer from the lit side: each voxel interpolates the four voxels upstream of it. So a frame costs one pass. */
#include "render/space/light.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/flat/resample.h"

#include <stdlib.h>

static const float solid_depth = 6;     /* optical depth that a voxel of an obstacle adds */

lights lights_of_look(const fr_look_def *look)
{
    vec3 towards = vec3_unit(vec3_of(look->light));
    if (!(vec3_length(towards) > 0.5))
        towards = vec3_unit((vec3){-0.62, 0.70, 0.22});
    return (lights){towards, {1.68f, 1.55f, 1.37f}, {0.125f, 0.165f, 0.225f}, {0.035f, 0.032f, 0.032f}};
}

typedef struct light_sweeping {
    const brick *brick;
    float *depth;
    int axes[3];              /* the axis of the sweep, and the two across it */
    size_t stride[3];         /* strides of those axes */
    int side;                 /* +1: the light comes from the axis' high end */
    int whole[2];             /* offset of the upstream point in the previous layer, voxels: integer part */
    float part[2];            /* and fraction */
    float length;             /* m between layers, along the light's direction */
    float spread;             /* widening of the beam per layer */
    int margin;               /* empty rows and columns around a layer: there is no smoke outside the brick */
    size_t row;               /* floats per row of a layer with margins */
    float *before, *after;    /* optical depth at the far side of the previous and of this layer */
} light_sweeping;

static float *light_layer_row(const light_sweeping *s, float *layer, int a)
{
    return layer + (size_t)(a + s->margin) * s->row + (size_t)s->margin;
}

/* Optical depth upstream of a row: bilinear between four voxels, blurred with their neighbours by `spread`. */
static void light_upstream(const light_sweeping *s, int a, float *out)
{
    const float *r0 = light_layer_row(s, s->before, a + s->whole[0]) + s->whole[1];
    const float *r1 = r0 + s->row, *below = r0 - s->row, *above = r1 + s->row;
    float fa = s->part[0], fb = s->part[1], keep = 1 - 4 * s->spread;
    float w00 = keep * (1 - fa) * (1 - fb), w01 = keep * (1 - fa) * fb, w10 = keep * fa * (1 - fb),
          w11 = keep * fa * fb;
    for (int b = 0; b < s->brick->n[s->axes[2]]; b++)
        out[b] = w00 * r0[b] + w01 * r0[b + 1] + w10 * r1[b] + w11 * r1[b + 1]
               + s->spread * (below[b] + above[b + 1] + r0[b + 2] + r1[b - 1]);
}

static float light_extinction(const brick *brick, size_t at, float length)
{
    float depth = brick->voxels[at][3] * length;
    const float *dark = brick->dark ? brick->dark : brick->solid;
    if (dark) {
        float inside = 0.5f - dark[at] / (float)brick->spacing[1];
        depth += solid_depth * (inside < 0 ? 0 : inside > 1 ? 1 : inside);
    }
    return depth;
}

static void light_sweep_layer(const light_sweeping *s, int layer)
{
    const brick *brick = s->brick;
    for (int a = 0; a < brick->n[s->axes[1]]; a++) {
        float *after = light_layer_row(s, s->after, a);
        light_upstream(s, a, after);
        size_t at = (size_t)layer * s->stride[0] + (size_t)a * s->stride[1];
        for (int b = 0; b < brick->n[s->axes[2]]; b++, at += s->stride[2]) {
            float half = 0.5f * light_extinction(brick, at, s->length);
            s->depth[at] = after[b] + half;
            after[b] += 2 * half;
        }
    }
}

static void light_sweep_setup(light_sweeping *s, vec3 towards)
{
    double t[3] = {towards.x, towards.y, towards.z};
    int main = fabs(t[1]) >= fabs(t[0]) && fabs(t[1]) >= fabs(t[2]) ? 1 : fabs(t[0]) >= fabs(t[2]) ? 0 : 2;
    const brick *brick = s->brick;
    const size_t stride[3] = {1, (size_t)brick->n[0], (size_t)brick->n[0] * (size_t)brick->n[1]};
    /* the inner loop runs along x where possible */
    s->axes[0] = main;
    s->axes[1] = main == 2 ? 1 : 2;
    s->axes[2] = main == 0 ? 1 : 0;
    for (int i = 0; i < 3; i++)
        s->stride[i] = stride[s->axes[i]];
    s->side = t[main] > 0 ? 1 : -1;
    double layer = brick->spacing[main];
    s->length = (float)(layer / fabs(t[main]));
    for (int i = 0; i < 2; i++) {
        double shift = t[s->axes[i + 1]] / fabs(t[main]) * layer / brick->spacing[s->axes[i + 1]];
        /* with stretched cells the offset can be huge; beyond the brick's width there is no smoke */
        shift = clampd(shift, -brick->n[s->axes[i + 1]], brick->n[s->axes[i + 1]]);
        s->whole[i] = (int)floor(shift);
        s->part[i] = (float)(shift - s->whole[i]);
        int reach = abs(s->whole[i]) + 3;
        s->margin = reach > s->margin ? reach : s->margin;
    }
    s->row = (size_t)(brick->n[s->axes[2]] + 2 * s->margin);
}

fr_result light_sweep(const brick *brick, vec3 towards, float spread, float *depth)
{
    light_sweeping s = {.brick = brick, .depth = depth, .spread = spread};
    light_sweep_setup(&s, towards);
    int layers = brick->n[s.axes[0]];
    size_t size = s.row * (size_t)(brick->n[s.axes[1]] + 2 * s.margin);
    float *buffers = MEMORY_NEW(float, 2 * size);
    if (!buffers)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < layers; i++) {
        s.before = buffers + (size_t)((i + 1) % 2) * size;
        s.after = buffers + (size_t)(i % 2) * size;
        light_sweep_layer(&s, s.side > 0 ? layers - 1 - i : i);
    }
    memory_free(buffers);
    return FR_OK;
}

float light_depth_at(const brick *brick, const float *depth, vec3 p)
{
    vec3 place = brick_place(brick, p);
    double q[3] = {place.x, place.y, place.z};
    for (int axis = 0; axis < 3; axis++)
        if (!(q[axis] >= -0.501 && q[axis] <= brick->n[axis] - 0.499))
            return 0;
    return brick_sample_scalar(brick, depth, place);
}

/* The phase function: mild forward scattering (Henyey and Greenstein 1941, g = 0.35, mixed with isotropic), about 1 for
   light from the side. */
static float light_phase(float cosine)
{
    const float g = 0.35f;
    float base = 1 + g * g - 2 * g * cosine;
    return 0.55f + 0.5f * (1 - g * g) / (base * sqrtf(base));
}

typedef struct light_job {
    brick *brick;
    const lights *lights;
    vec3 eye;
} light_job;

/* The source function: light sent to the eye for colour 1 and extinction 1. Multiple scattering reaches deeper than the
   direct beam; a second, weaker beam with reduced extinction approximates it. */
static rgb light_source(const light_job *job, size_t at, float cosine)
{
    float depth = job->brick->light[at], sky = job->brick->sky[at];
    float key = light_phase(cosine) * 0.74f * expf(-depth) + 0.17f * expf(-0.2f * depth);
    float open = 0.75f * expf(-0.55f * sky) + 0.25f * expf(-0.1f * sky);
    rgb sum = rgb_scale(job->lights->key, key);
    sum = rgb_add(sum, rgb_scale(job->lights->sky, open));
    return rgb_add(sum, job->lights->ground);
}

static void light_brick_layers(void *context, int begin, int end)
{
    const light_job *job = context;
    brick *brick = job->brick;
    vec3 to = job->lights->towards;
    for (int k = begin; k < end; k++)
        for (int j = 0; j < brick->n[1]; j++)
            for (int i = 0; i < brick->n[0]; i++) {
                size_t at = ((size_t)k * (size_t)brick->n[1] + (size_t)j) * (size_t)brick->n[0] + (size_t)i;
                if (!(brick->voxels[at][3] > 1e-4f))
                    continue;
                vec3 p = {brick->low[0] + (i + 0.5) * brick->spacing[0], brick->low[1] + (j + 0.5) * brick->spacing[1],
                          brick->low[2] + (k + 0.5) * brick->spacing[2]};
                float cosine = (float)vec3_dot(vec3_unit(vec3_sub(p, job->eye)), to);
                rgb source = light_source(job, at, cosine);
                brick->voxels[at] *= (brick_voxel){source.r, source.g, source.b, 1};
            }
}

/* The two sweeps, one per item of work: within a sweep each layer depends on the previous one. */
typedef struct light_sweeps {
    brick *brick;
    const lights *lights;
    fr_result results[2];
} light_sweeps;

static void light_sweep_both(void *context, int begin, int end)
{
    light_sweeps *sweeps = context;
    brick *brick = sweeps->brick;
    for (int i = begin; i < end; i++)
        sweeps->results[i] = i == 0 ? light_sweep(brick, sweeps->lights->towards, 0.02f, brick->light)
                                    : light_sweep(brick, (vec3){0, 1, 0}, 0.12f, brick->sky);
}

fr_result light_brick(brick *brick, const lights *lights, vec3 eye)
{
    light_sweeps sweeps = {brick, lights, {FR_OK, FR_OK}};
    threads_for(2, light_sweep_both, &sweeps);
    /* error messages are per thread, so the worker's message is lost: report it again here */
    if (sweeps.results[0] != FR_OK || sweeps.results[1] != FR_OK)
        return fr_fail(FR_ERROR_MEMORY, "no memory to light %d × %d × %d voxels", brick->n[0], brick->n[1],
                       brick->n[2]);
    light_job job = {brick, lights, eye};
    threads_for(brick->n[2], light_brick_layers, &job);
    return FR_OK;
}

/* From deep red through orange to yellowish white, brighter with heat. */
static rgb light_glow_colour(float heat)
{
    return (rgb){2.2f * heat, 0.85f * heat * sqrtf(heat), 0.30f * heat * heat * heat};
}

fr_result light_add_glow(brick *brick, const fr_field *temperature, const light_glow *glow)
{
    size_t count = brick_count(brick);
    float *heat = MEMORY_NEW(float, count);
    if (!heat)
        return FR_ERROR_MEMORY;
    fr_result result = resample_field(&(resample_source){.field = temperature, .smooth = true}, brick->n, heat);
    double across = brick->high[0] - brick->low[0];
    for (size_t i = 0; result == FR_OK && i < count; i++) {
        float h = (float)clampd((heat[i] - glow->ambient) / glow->hottest, 0, 1);
        rgb colour = rgb_scale(light_glow_colour(h), (float)(14 * glow->strength / across));
        /* hot gas has little soot yet to scatter light */
        float soot = 1 - 0.85f * h * (float)fmin(glow->strength, 1);
        brick->voxels[i] =
            brick->voxels[i] * (brick_voxel){soot, soot, soot, 1} + (brick_voxel){colour.r, colour.g, colour.b, 0};
    }
    memory_free(heat);
    return result;
}
