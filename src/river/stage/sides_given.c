/* What is prescribed on the sides at a time: speeds, and what enters. */
#include <math.h>

#include "method/evaluate.h"
#include "river/stage/sides.h"

static int given_cells(const river_model *m, int side)
{
    return (int)(domain_cells(&m->curve.domain) / m->curve.domain.n[side / 2]);
}

/* A number of a side at each of its cells. One that does not depend on the place is asked once. */
static fr_result given_evaluate(const river_model *m, int side, const fr_number *number, bool each, double t,
                                double *out)
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    const int cells = given_cells(m, side);
    double shares[3] = {0, 0, 0};
    for (int n = 0; n < cells; n++) {
        out[n] = out[0];
        if (each)
            river_shares(&f, n, shares);
        if (each || n == 0)
            FR_TRY(evaluate_number(number, shares, t, &out[n]));
    }
    return FR_OK;
}

static fr_result given_scalar(const river_model *m, river_state *s, int side, int index, double t)
{
    const fr_number *brings = &m->sides[side].brings[index];
    const river_frame f = river_frame_of(&m->curve.domain, side);
    double value = brings->value;
    for (int k = 0; k < f.n[1]; k++)
        for (int j = 0; j < f.n[0]; j++) {
            double grid[3], world[3];
            grid[f.axis] = side % 2 ? m->curve.domain.n[f.axis] : 0;
            grid[f.b] = j + 0.5;
            grid[f.c] = k + 0.5;
            if (brings->function && stage_river_sides_lets_in(m, s, side, j + f.n[0] * k)) {
                curve_position(&m->curve, grid, world);
                FR_TRY(evaluate_number(brings, world, t, &value));
            }
            s->side_scalars[side][index][j + f.n[0] * k] = (float)value;
        }
    return FR_OK;
}

fr_result stage_river_sides_inflow(const river_model *m, const river_state *s, double t, double *inflow)
{
    *inflow = 0;
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        const river_side *given = &m->sides[side];
        if (given->kind != FR_RIVER_INFLOW || river_side_varies(given))
            continue;
        FR_TRY(given_evaluate(m, side, &given->speed, false, t, s->side_later));
        *inflow += s->side_later[0] * given->area;
    }
    return FR_OK;
}

fr_result stage_river_sides_reach(const river_model *m, const river_state *s, double t, double *reach)
{
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        const river_side *given = &m->sides[side];
        if (!river_side_varies(given))
            continue;
        FR_TRY(given_evaluate(m, side, given->gated ? &given->inflow : &given->speed, true, t, s->side_later));
        const river_frame f = river_frame_of(&m->curve.domain, side);
        for (int n = 0; n < given_cells(m, side); n++) {
            int cell[3], face[3];
            river_beside(&m->curve.domain, side, n % f.n[0], n / f.n[0], cell, face);
            float now = field_row(&s->flux[f.axis], face[1], face[2])[face[0]];
            float changed = now - field_row(&s->past_flux[f.axis], face[1], face[2])[face[0]];
            float left = stage_river_sides_through(m, side, n, s->side_later[n]) - now;
            if (changed != 0)
                *reach = fmin(*reach, fmax(0, (double)left / (double)changed));
        }
    }
    return FR_OK;
}

fr_result stage_river_sides_update(const river_model *m, river_state *s, double t)
{
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        const river_side *given = &m->sides[side];
        FR_TRY(given_evaluate(m, side, &given->speed, given->uneven, t, s->side_speed[side]));
        if (given->gated)
            FR_TRY(given_evaluate(m, side, &given->inflow, true, t, s->side_enters[side]));
        for (int n = 0; n < given_cells(m, side) && given->gated; n++)
            s->side_open[side][n] = s->side_enters[side][n] != 0;
        double sum = 0;
        for (int n = 0; n < given_cells(m, side) && s->side_passing[side]; n++) {
            sum += fmax(stage_river_sides_entering(m, s, side, n), 0) * given->areas[n];
            s->side_passing[side][n] = sum;
        }
        for (int i = 0; i < m->scalar_count && given->brings; i++)
            FR_TRY(given_scalar(m, s, side, i, t));
    }
    return stage_river_sides_inflow(m, s, t, &s->inflow);
}

double stage_river_sides_entering(const river_model *m, const river_state *s, int side, int cell)
{
    const double *enters = m->sides[side].gated ? s->side_enters[side] : s->side_speed[side];
    return stage_river_sides_lets_in(m, s, side, cell) ? enters[cell] : 0;
}

/* The speed of a side at a cell, m/s: of the water that enters there, else of the bank. */
static double given_speed(const river_model *m, const river_state *s, int side, int cell)
{
    return stage_river_sides_lets_in(m, s, side, cell) ? stage_river_sides_entering(m, s, side, cell)
                                                       : s->side_speed[side][cell];
}

double stage_river_sides_driven(const river_model *m, const river_state *s, int side)
{
    const river_side *given = &m->sides[side];
    double sum = 0;
    if (!given->uneven && !given->gated)
        return fabs(s->side_speed[side][0]) * given->area;
    for (int n = 0; n < given_cells(m, side); n++)
        sum += fabs(given_speed(m, s, side, n)) * given->areas[n];
    return sum;
}

/* The velocity of a speed at a cell of a side. */
static void given_velocity(double speed, const float direction[3], float velocity[3])
{
    for (int a = 0; a < 3; a++)
        velocity[a] = (float)speed * direction[a];
}

void stage_river_sides_own(const river_model *m, const river_state *s, int side, int cell, float velocity[3])
{
    const river_side *given = &m->sides[side];
    bool enters = stage_river_sides_lets_in(m, s, side, cell);
    given_velocity(given_speed(m, s, side, cell), enters ? given->inward[cell] : given->along[cell], velocity);
}

float stage_river_sides_through(const river_model *m, int side, int cell, double speed)
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    int beside[3], face[3];
    float own[3], through = 0;
    if (speed == 0)
        return 0;
    river_beside(&m->curve.domain, side, cell % f.n[0], cell / f.n[0], beside, face);
    given_velocity(speed, m->sides[side].inward[cell], own);
    for (int a = 0; a < m->curve.domain.dims; a++)
        through += own[a] * field_row(&m->curve.face[f.axis][a], face[1], face[2])[face[0]];
    return through;
}

/* Courant number per second of a velocity in a cell, in cells: the largest of the axes. */
static double given_cell_rate(const river_model *m, const int cell[3], const float velocity[3])
{
    double most = 0;
    for (int k = 0; k < m->curve.domain.dims; k++) {
        double flux = 0;
        for (int a = 0; a < m->curve.domain.dims; a++)
            flux += velocity[a] * field_row(&m->curve.face[k][a], cell[1], cell[2])[cell[0]];
        most = fmax(most, fabs(flux) / field_row(&m->curve.volume, cell[1], cell[2])[cell[0]]);
    }
    return most;
}

double stage_river_sides_rate(const river_model *m, const river_state *s)
{
    double most = 0;
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        const river_side *given = &m->sides[side];
        const river_frame f = river_frame_of(&m->curve.domain, side);
        for (int n = 0; n < given_cells(m, side) && (given->sticks || given->brings); n++) {
            int cell[3], face[3];
            float own[3];
            bool enters = stage_river_sides_lets_in(m, s, side, n);
            if (given_speed(m, s, side, n) == 0 || (given->roughness[n] == 0 && !enters))
                continue;
            river_beside(&m->curve.domain, side, n % f.n[0], n / f.n[0], cell, face);
            stage_river_sides_own(m, s, side, n, own);
            most = fmax(most, given_cell_rate(m, cell, own));
        }
    }
    return most;
}
