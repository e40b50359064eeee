/* Functions of a scene, called once before any step: walls, sources and forces. Those of the initial state are called
   when the world is made. */
#include "doctor/doctor.h"

#include <math.h>

/* The points where a step asks: cell centres for scalars, faces across x for vectors. At others a function may have no
   value (1/r in the middle of a vortex) without harm. */
typedef struct doctor_place {
    double cell[3], face[3];
    double time;
} doctor_place;

static doctor_place doctor_snap(const doctor *doctor, const double at[3], double time)
{
    const fr_estimate *e = &doctor->estimate;
    const double *origin = doctor->def->domain.origin;
    doctor_place place = {.time = time};
    for (int a = 0; a < e->dims; a++) {
        double index = floor((at[a] - origin[a]) / e->spacing[a]);
        index = fmin(fmax(index, 0), e->cells[a] - 1);
        place.cell[a] = origin[a] + (index + 0.5) * e->spacing[a];
        place.face[a] = a == 0 ? origin[a] + index * e->spacing[a] : place.cell[a];
    }
    return place;
}

static doctor_place doctor_place_on_wall(const doctor *doctor, int side)
{
    const fr_estimate *e = &doctor->estimate;
    const double *origin = doctor->def->domain.origin;
    double middle[3] = {0, 0, 0};
    for (int a = 0; a < e->dims; a++)
        middle[a] = origin[a] + (e->cells[a] / 2 + 0.5) * e->spacing[a];
    doctor_place place = doctor_snap(doctor, middle, 0);
    int across = side / 2;
    place.cell[across] = origin[across] + (side % 2 ? e->cells[across] * e->spacing[across] : 0);
    for (int a = 0; a < 3; a++)
        place.face[a] = place.cell[a];
    return place;
}

/* Deep inside the shape, or in the middle of the domain without one. */
static doctor_place doctor_place_in(const doctor *doctor, const fr_placed_shape *shape, double time)
{
    const fr_estimate *e = &doctor->estimate;
    double at[3] = {0, 0, 0};
    if (!shape->shape || !doctor_point_inside(doctor, shape, at))
        for (int a = 0; a < e->dims; a++)
            at[a] = doctor->def->domain.origin[a] + (e->cells[a] / 2 + 0.5) * e->spacing[a];
    return doctor_snap(doctor, at, time);
}

static fr_result doctor_call(fr_function function, void *context, const double at[3], double time)
{
    double args[4] = {at[0], at[1], at[2], time}, out[3] = {0, 0, 0};
    return function ? function(context, args, out) : FR_OK;
}

static fr_result doctor_call_scalars(const fr_scalar_value *scalars, int count, const doctor_place *place)
{
    for (int s = 0; s < count; s++)
        FR_TRY(doctor_call(scalars[s].value.function, scalars[s].value.context, place->cell, place->time));
    return FR_OK;
}

static bool doctor_source_calls(const fr_source_def *source)
{
    bool calls = source->sets_velocity && source->velocity.function;
    for (int s = 0; s < source->scalar_count; s++)
        calls = calls || source->scalars[s].value.function;
    return calls;
}

/* The middle of a cell of a river. */
static doctor_place doctor_place_in_cell(const doctor *doctor, const int cell[3], double time)
{
    doctor_place place = {.time = time};
    doctor_river_centre(doctor->frame, cell, place.cell);
    return place;
}

static fr_result doctor_river_sources(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        if (!source->in_cells)
            continue;   /* which cells a shape covers is known in the run */
        doctor_place place = doctor_place_in_cell(doctor, source->cells.from, fmax(source->from, 0));
        FR_TRY(doctor_call_scalars(source->scalars, source->scalar_count, &place));
    }
    return FR_OK;
}

static fr_result doctor_river_sides(const doctor *doctor)
{
    for (int side = 0; side < 2 * doctor->estimate.dims; side++) {
        const fr_river_side *given = &doctor->def->river.sides[side];
        const double nowhere[3] = {0, 0, 0};
        FR_TRY(doctor_call(given->speed.function, given->speed.context, nowhere, 0));
        int cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = a != side / 2 ? doctor->estimate.cells[a] / 2 : side % 2 ? doctor->estimate.cells[a] - 1 : 0;
        if (given->scalar_count == 0 || !doctor->frame)
            continue;
        doctor_place place = doctor_place_in_cell(doctor, cell, 0);
        FR_TRY(doctor_call_scalars(given->scalars, given->scalar_count, &place));
    }
    return FR_OK;
}

static fr_result doctor_river_functions(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const int *cells = doctor->estimate.cells, middle[3] = {cells[0] / 2, cells[1] / 2, cells[2] / 2};
    FR_TRY(doctor_river_sides(doctor));
    if (!doctor->frame)
        return FR_OK;
    FR_TRY(doctor_river_sources(doctor));
    doctor_place place = doctor_place_in_cell(doctor, middle, 0);
    for (int i = 0; i < def->force_count; i++)
        if (!def->forces[i].shape.shape)
            FR_TRY(doctor_call(def->forces[i].value.function, def->forces[i].value.context, place.cell, 0));
    return FR_OK;
}

fr_result doctor_functions(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    if (def->method == FR_METHOD_RIVER)
        return doctor_river_functions(doctor);
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        const fr_wall_def *wall = &def->walls[side];
        doctor_place place = doctor_place_on_wall(doctor, side);
        FR_TRY(doctor_call(wall->velocity.function, wall->velocity.context, place.face, 0));
        FR_TRY(doctor_call_scalars(wall->scalars, wall->scalar_count, &place));
    }
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        if (!doctor_source_calls(source))
            continue;
        doctor_place place = doctor_place_in(doctor, &source->shape, fmax(source->from, 0));
        FR_TRY(doctor_call(source->velocity.function, source->velocity.context, place.face, place.time));
        FR_TRY(doctor_call_scalars(source->scalars, source->scalar_count, &place));
    }
    for (int i = 0; i < def->force_count; i++) {
        if (!def->forces[i].value.function)
            continue;
        doctor_place place = doctor_place_in(doctor, &def->forces[i].shape, 0);
        FR_TRY(doctor_call(def->forces[i].value.function, def->forces[i].value.context, place.face, 0));
    }
    return FR_OK;
}
