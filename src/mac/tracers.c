#include "mac/tracers.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "mac/solids/cover.h"
#include "method/times.h"

/* Emitted particles start at these places in turn: too many for the eye to see one again, few enough to store. */
enum { MOST_BIRTH_PLACES = 1 << 16 };

/* A shape that no more than one in so many random points of its box hits is too thin. */
enum { TRIES_PER_PLACE = 4096 };

static void tracers_box(const shape *s, const domain *d, scatter *box)
{
    double min[3] = {-INFINITY, -INFINITY, -INFINITY}, max[3] = {INFINITY, INFINITY, INFINITY};
    if (s)
        shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++) {
        box->low[a] = fmax(min[a], d->origin[a]);
        box->high[a] = fmin(max[a], d->origin[a] + d->n[a] * d->h[a]);
    }
}

int64_t tracers_born(const fr_tracers_def *def, double t)
{
    double worked = fmin(t, times_end(def->to)) - def->from;
    return def->rate > 0 && worked > 0 ? (int64_t)ceil(def->rate * worked) : 0;
}

double tracers_birth_time(const fr_tracers_def *def, int64_t index)
{
    return def->from + (double)index / def->rate;
}

/* Where emitted particles start. Chosen beforehand: a shape may call a function of the scene, which may fail. */
static fr_result tracers_make_births(const char *key, double duration, model_tracers *tracers)
{
    /* few emitted particles are near each other at a time: the rows of an even sequence would show */
    const double blur = 0.3;
    scatter places = tracers->scatter;
    places.blur = blur;
    int64_t born = tracers_born(tracers->def, fmin(duration, 1e9));
    int64_t wanted = born < MOST_BIRTH_PLACES ? born : MOST_BIRTH_PLACES;
    tracers->births = MEMORY_NEW(particle_vector, wanted + 1);
    if (!tracers->births)
        return FR_ERROR_MEMORY;
    for (uint64_t i = 0; tracers->birth_count < wanted; i++) {
        double place[3];
        bool covered;
        scatter_place(&places, i, place);
        FR_TRY(scatter_covers(&places, place, &covered));
        for (int a = 0; a < 3 && covered; a++)
            tracers->births[tracers->birth_count][a] = (float)place[a];
        tracers->birth_count += covered;
        if (i > TRIES_PER_PLACE * ((uint64_t)tracers->birth_count + 1))
            return fr_fail_key(key, "%s is too thin to find places in it; make it thicker or simpler", key);
    }
    return FR_OK;
}

fr_result tracers_create(const fr_scene_def *def, const domain *d, int index, model_tracers *out)
{
    char key[64];
    snprintf(key, sizeof key, "particles[%d]", index + 1);
    out->def = &def->tracers[index];
    if (out->def->shape.shape) {
        FR_TRY(shape_create(&out->def->shape, d->dims, key, &out->shape));
        FR_TRY(cover_check_inside(out->shape, d, key));
    }
    out->scatter =
        (scatter){.shape = out->shape, .dims = d->dims, .seed = (uint64_t)out->def->seed * 1000 + (uint64_t)index};
    tracers_box(out->shape, d, &out->scatter);
    return tracers_make_births(key, def->time.duration, out);
}

void tracers_destroy(model_tracers *tracers)
{
    shape_destroy(tracers->shape);
    memory_free(tracers->births);
    *tracers = (model_tracers){0};
}

fr_result tracers_most(const fr_scene_def *def, const domain *d, double *most)
{
    *most = 0;
    for (int i = 0; i < def->tracer_count; i++) {
        const fr_tracers_def *tracers = &def->tracers[i];
        double share = 1;
        if (tracers->shape.shape) {
            shape *s;
            FR_TRY(shape_create(&tracers->shape, d->dims, "particles", &s));
            share = cover_share_of_domain(s, d);
            shape_destroy(s);
        }
        double working = times_overlap(tracers->from, tracers->to, 0, def->time.duration);
        double together = tracers->lifetime > 0 ? fmin(tracers->lifetime, working) : working;
        /* a frame's particles are emitted before those that have reached their lifetime are removed */
        *most += tracers->count + tracers->per_cell * share * (double)domain_cells(d) +
                 ceil(tracers->rate * (together + 1 / def->time.fps));
    }
    return FR_OK;
}
