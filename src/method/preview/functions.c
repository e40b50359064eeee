/* Calls the callbacks of a scene once before the first step. */
#include <math.h>

#include "method/evaluate.h"
#include "method/preview/preview.h"
#include "method/preview/sample.h"
#include "method/sizes.h"

/* Points where a step evaluates callbacks: cell centres for scalars, x faces for vectors. Elsewhere a callback may be
   undefined without harm, like 1/r in the centre of a vortex. */
typedef struct call_place {
    double cell[3], face[3];         /* m */
    double time;                     /* s */
} call_place;

/* The sample points of the cell that contains a point. */
static call_place call_snap(const fr_preview *preview, const double at[3], double time)
{
    const fr_estimate *e = preview->estimate;
    const double *origin = preview->def->domain.origin;
    call_place place = {.time = time};
    for (int a = 0; a < e->dims; a++) {
        double index = floor((at[a] - origin[a]) / e->spacing[a]);
        index = fmin(fmax(index, 0), e->cells[a] - 1);
        place.cell[a] = origin[a] + (index + 0.5) * e->spacing[a];
        place.face[a] = a == 0 ? origin[a] + index * e->spacing[a] : place.cell[a];
    }
    return place;
}

static void call_middle(const fr_preview *preview, double at[3])
{
    const fr_estimate *e = preview->estimate;
    for (int a = 0; a < e->dims; a++)
        at[a] = preview->def->domain.origin[a] + (e->cells[a] / 2 + 0.5) * e->spacing[a];
}

static call_place call_on_wall(const fr_preview *preview, int side)
{
    const fr_estimate *e = preview->estimate;
    double middle[3] = {0, 0, 0};
    call_middle(preview, middle);
    call_place place = call_snap(preview, middle, 0);
    int across = side / 2;
    place.cell[across] =
        preview->def->domain.origin[across] + (side % 2 ? e->cells[across] * e->spacing[across] : 0);
    for (int a = 0; a < 3; a++)
        place.face[a] = place.cell[a];
    return place;
}

/* A point deep inside a shape and in the domain. Fails if the shape cannot be sampled. */
static fr_result call_inside(const fr_preview *preview, const fr_placed_shape *shape, double at[3])
{
    sample s;
    FR_TRY(sample_create(&preview->def->domain, &s));
    fr_result result = sample_add(&s, shape);
    sizes_centre(&s.grid, sample_deepest(&s), at);
    sample_destroy(&s);
    return result;
}

/* Deep inside the shape, or the centre of the domain if there is none. */
static call_place call_in(const fr_preview *preview, const fr_placed_shape *shape, double time)
{
    double at[3] = {0, 0, 0};
    if (!shape->shape || call_inside(preview, shape, at) != FR_OK)
        call_middle(preview, at);
    return call_snap(preview, at, time);
}

static fr_result call_vector(const fr_vector *vector, const call_place *place)
{
    double out[3];
    return evaluate_vector(vector, place->face, place->time, out);
}

fr_result preview_call_scalars(const fr_scalar_value *scalars, int count, const double at[3], double time)
{
    double out;
    for (int s = 0; s < count; s++)
        FR_TRY(evaluate_number(&scalars[s].value, at, time, &out));
    return FR_OK;
}

static bool call_has_functions(const fr_source_def *source)
{
    bool calls = source->sets_velocity && source->velocity.function;
    for (int s = 0; s < source->scalar_count; s++)
        calls = calls || source->scalars[s].value.function;
    return calls;
}

/* Functions of time alone. */
static fr_result call_bodies(const fr_scene_def *def)
{
    const double start = 0;
    double out[3];
    for (int i = 0; i < def->body_count; i++) {
        const fr_body_def *body = &def->bodies[i];
        if (body->force.function)
            FR_TRY(body->force.function(body->force.context, &body->from, out));
        if (body->torque.function)
            FR_TRY(body->torque.function(body->torque.context, &body->from, out));
    }
    for (int i = 0; i < def->joint_count; i++)
        if (def->joints[i].motor.function)
            FR_TRY(def->joints[i].motor.function(def->joints[i].motor.context, &start, out));
    return FR_OK;
}

fr_result preview_call_functions(const fr_preview *preview)
{
    const fr_scene_def *def = preview->def;
    double diffusivity;
    if (def->heat.diffusivity_of)
        FR_TRY(def->heat.diffusivity_of(def->heat.diffusivity_context, &def->heat.ambient, &diffusivity));
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        const fr_wall_def *wall = &def->walls[side];
        call_place place = call_on_wall(preview, side);
        FR_TRY(call_vector(&wall->velocity, &place));
        FR_TRY(preview_call_scalars(wall->scalars, wall->scalar_count, place.cell, 0));
    }
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        if (!call_has_functions(source))
            continue;
        call_place place = call_in(preview, &source->shape, fmax(source->from, 0));
        FR_TRY(call_vector(&source->velocity, &place));
        FR_TRY(preview_call_scalars(source->scalars, source->scalar_count, place.cell, place.time));
    }
    for (int i = 0; i < def->force_count; i++) {
        if (!def->forces[i].value.function)
            continue;
        call_place place = call_in(preview, &def->forces[i].shape, 0);
        FR_TRY(call_vector(&def->forces[i].value, &place));
    }
    return call_bodies(def);
}
