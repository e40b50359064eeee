/* The sides of a river's model: where they face, what they are made of, and the friction of its banks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "method/check.h"
#include "method/evaluate.h"
#include "river/check.h"
#include "river/model.h"

static void sides_unit(const double v[3], float unit[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        unit[a] = (float)(length > 0 ? v[a] / length : 0);
}

/* The inward and along directions at one cell of a side; returns the area of its face. */
static double sides_aim(const river_model *m, int side, const int cell[3], const int face[3], float inward[3],
                        float along[3])
{
    int axis = side / 2;
    double square[3] = {0, 0, 0}, length = 0, grid[3], tangents[3][3];
    for (int a = 0; a < m->curve.domain.dims; a++) {
        double part = field_row(&m->curve.face[axis][a], face[1], face[2])[face[0]];
        square[a] = side % 2 ? -part : part;
        length += part * part;
    }
    for (int a = 0; a < 3; a++)
        grid[a] = cell[a] + (a == axis ? side % 2 : 0.5);
    curve_tangents(&m->curve, grid, tangents);
    sides_unit(square, inward);
    sides_unit(tangents[0], along);
    return sqrt(length);
}

/* The scalars that an inflow carries in: 0 for those that it does not name. */
static fr_result sides_make_brings(const fr_river_side *given, const river_model *m, river_side *side)
{
    if (!(side->brings = MEMORY_NEW(fr_number, m->scalar_count + 1)))
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->scalar_count; i++)
        for (int n = given->scalar_count - 1; n >= 0; n--)
            if (!strcmp(given->scalars[n].name, m->scalars[i].name))
                side->brings[i] = given->scalars[n].value;
    return FR_OK;
}

/* A function is asked once, at the centre of every face: friction is part of matrices that stay. */
static fr_result sides_make_roughness(const fr_river_side *given, int side, const river_frame *f, river_side *made)
{
    const fr_number number = {given->roughness, given->roughness_of, given->roughness_context};
    for (int n = 0; n < f->n[0] * f->n[1]; n++) {
        double shares[3];
        river_shares(f, n, shares);
        FR_TRY(evaluate_number(&number, shares, 0, &made->roughness[n]));
        if (!(made->roughness[n] >= 0 && made->roughness[n] <= 1)) {
            char key[CHECK_KEY];
            snprintf(key, sizeof key, "river.sides.%s.roughness", river_side_names[side]);
            return fr_fail_key(key,
                               "%s must lie between 0 (the water slips along) and 1 (it sticks); its function gives %g "
                               "at the share %.4g of the way along",
                               key, made->roughness[n], shares[0]);
        }
        made->sticks = made->sticks || made->roughness[n] > 0;
    }
    return FR_OK;
}

static bool sides_alloc(river_side *side, int64_t cells)
{
    side->roughness = MEMORY_NEW(double, cells);
    side->inward = memory_alloc(sizeof *side->inward * (size_t)cells);
    side->along = memory_alloc(sizeof *side->along * (size_t)cells);
    side->areas = MEMORY_NEW(double, cells);
    return side->roughness && side->inward && side->along && side->areas;
}

fr_result river_make_side(const fr_river_side *given, int side, river_model *m)
{
    const domain *d = &m->curve.domain;
    const river_frame f = river_frame_of(d, side);
    river_side *made = &m->sides[side];
    if (!sides_alloc(made, (int64_t)f.n[0] * f.n[1]))
        return FR_ERROR_MEMORY;
    made->speed = given->speed;
    made->uneven = given->speed.function && given->speed_along;
    made->gated = given->kind == FR_RIVER_BANK && river_lets_in(given);
    made->inflow = given->inflow;
    for (int k = 0; k < f.n[1]; k++)
        for (int j = 0; j < f.n[0]; j++) {
            int cell[3], face[3], at = j + f.n[0] * k;
            river_beside(d, side, j, k, cell, face);
            double area = sides_aim(m, side, cell, face, made->inward[at], made->along[at]);
            made->areas[at] = river_solid(m, cell[0], cell[1], cell[2]) ? 0 : area;
            made->area += made->areas[at];
        }
    FR_TRY(sides_make_roughness(given, side, &f, made));
    return river_lets_in(given) ? sides_make_brings(given, m, made) : FR_OK;
}

/* The cell of a side nearest to (j, k) along it; beyond the end of a periodic axis the one that comes round. */
static int sides_cell(const domain *d, const river_frame *f, int j, int k)
{
    const int at[2] = {j, k}, axis[2] = {f->b, f->c};
    int near[2];
    for (int i = 0; i < 2; i++) {
        int n = f->n[i];
        near[i] = d->periodic[axis[i]] ? (at[i] + n) % n : at[i] < 0 ? 0 : at[i] >= n ? n - 1 : at[i];
    }
    return near[0] + f->n[0] * near[1];
}

/* Scales the coefficients of a bank's faces or, with `along` an axis of the side, of its edges along that axis. An edge
   gets the smaller roughness β of the two faces that meet there: the energy of each face is then β times that of the
   bank that sticks, which is positive, and more of its own square. */
static void sides_scale(const river_model *m, int side, int along, field *coefficients)
{
    const domain *d = &m->curve.domain;
    const river_frame f = river_frame_of(d, side);
    const int beyond[2] = {along >= 0 && along != f.b, along >= 0 && along != f.c};
    for (int k = 0; k < f.n[1] + beyond[1]; k++)
        for (int j = 0; j < f.n[0] + beyond[0]; j++) {
            int at[3];
            at[f.axis] = side % 2 ? d->n[f.axis] : 0;
            at[f.b] = j;
            at[f.c] = k;
            double here = m->sides[side].roughness[sides_cell(d, &f, j, k)];
            double before = m->sides[side].roughness[sides_cell(d, &f, j - beyond[0], k - beyond[1])];
            field_row(coefficients, at[1], at[2])[at[0]] *= (float)fmin(here, before);
        }
}

void river_scale_friction(river_model *m)
{
    const int dims = m->curve.domain.dims;
    for (int side = 0; side < 2 * dims; side++) {
        if (m->sides[side].kind != FR_RIVER_BANK)
            continue;
        sides_scale(m, side, -1, &m->rough.weight[side / 2]);
        for (int along = dims == 3 ? 0 : 2; along < 3; along++)
            if (along != side / 2)
                sides_scale(m, side, along, &m->rough.cross[along]);
    }
}
