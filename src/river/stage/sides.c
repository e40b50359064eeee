#include "river/stage/sides.h"

#include "grid/halo.h"

static void sides_set_flux(const river_model *m, const river_state *s, int side, field *flux)
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    for (int n = 0; n < f.n[0] * f.n[1]; n++) {
        int cell[3], face[3];
        river_beside(&m->curve.domain, side, n % f.n[0], n / f.n[0], cell, face);
        double speed = stage_river_sides_entering(m, s, side, n);
        field_row(flux, face[1], face[2])[face[0]] = stage_river_sides_through(m, side, n, speed);
    }
}

static void sides_join(const river_model *m, int axis, field *flux)
{
    const river_frame f = river_frame_of(&m->curve.domain, 2 * axis);
    for (int k = 0; k < f.n[1]; k++)
        for (int j = 0; j < f.n[0]; j++) {
            float *first = flux->data + j * flux->stride[f.b] + k * flux->stride[f.c];
            first[m->curve.domain.n[axis] * flux->stride[axis]] = first[0];
        }
}

/* Whether the flux through the side is prescribed: a bank or an inflow. */
static bool sides_is_given(const river_model *m, int side)
{
    fr_river_side_kind kind = m->sides[side].kind;
    return kind == FR_RIVER_BANK || kind == FR_RIVER_INFLOW;
}

void stage_river_sides_close(const river_model *m, const river_state *s, field flux[3])
{
    const int dims = m->curve.domain.dims;
    for (int side = 0; side < 2 * dims; side++)
        if (sides_is_given(m, side))
            sides_set_flux(m, s, side, &flux[side / 2]);
    for (int a = 0; a < dims; a++) {
        for (int64_t n = 0; n < m->closed[a].count; n++)
            flux[a].data[m->closed[a].at[n]] = 0;
        if (m->curve.domain.periodic[a])
            sides_join(m, a, &flux[a]);
    }
}

/* Where ghosts beyond a side are filled: along the whole side, including the ghosts of the other axes. */
typedef struct side_line {
    const river_model *m;
    const river_state *s;
    int side, cells[2];        /* the two cells of the side next to a face, or one cell twice */
    int across;                /* axis of the field's faces */
    float rough;
    bool enters;               /* water enters there */
    const float *brings;       /* of a scalar: what it has, per cell of the side */
    bool beyond;               /* that is the value of the ghost, else of the side itself */
} side_line;
typedef void (*side_mirror)(const side_line *line, const float *inside, ptrdiff_t at, float *ghost);

/* The nearest cell along an axis; on a periodic axis the cell it is a copy of. */
static int sides_nearest(const domain *d, int axis, int i)
{
    int n = d->n[axis];
    return d->periodic[axis] ? (i + n * GHOST) % n : i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void sides_cells(const river_model *m, const river_frame *f, int across, const int at[2], int cells[2])
{
    const domain *d = &m->curve.domain;
    for (int hand = 0; hand < 2; hand++) {
        int j = sides_nearest(d, f->b, at[0] - (across == f->b && hand)),
            k = sides_nearest(d, f->c, at[1] - (across == f->c && hand));
        cells[hand] = j + f->n[0] * k;
    }
}

/* The side's normal and its prescribed velocity there. */
static void sides_at(const side_line *line, float inward[3], float own[3])
{
    float first[3], second[3];
    const river_side *side = &line->m->sides[line->side];
    stage_river_sides_own(line->m, line->s, line->side, line->cells[0], first);
    stage_river_sides_own(line->m, line->s, line->side, line->cells[1], second);
    for (int a = 0; a < 3; a++) {
        inward[a] = 0.5f * (side->inward[line->cells[0]][a] + side->inward[line->cells[1]][a]);
        own[a] = 0.5f * (first[a] + second[a]);
    }
}

/* Turns to two cells of the side; false: water enters at one of them alone. */
static bool sides_turn_to(side_line *line, const int cells[2])
{
    const double *rough = line->m->sides[line->side].roughness;
    bool first = stage_river_sides_lets_in(line->m, line->s, line->side, cells[0]);
    line->cells[0] = cells[0];
    line->cells[1] = cells[1];
    line->rough = (float)(0.5 * (rough[cells[0]] + rough[cells[1]]));
    line->enters = first;
    return first == stage_river_sides_lets_in(line->m, line->s, line->side, cells[1]);
}

/* The ghost at the end of a part where water enters is the mean of one there and one beside it. */
static void sides_mirror_end(const side_line *line, side_mirror mirror, const float *inside, ptrdiff_t at, float *ghost)
{
    side_line half = *line;
    float part[2][3] = {{0}};
    for (int hand = 0; hand < 2; hand++) {
        sides_turn_to(&half, (int[2]){line->cells[hand], line->cells[hand]});
        mirror(&half, inside, at, part[hand]);
    }
    for (int a = 0; a < 3; a++)
        ghost[a] = 0.5f * (part[0][a] + part[1][a]);
}

static void sides_fill(side_line line, field *fields, int count, side_mirror mirror)
{
    const river_model *m = line.m;
    const int side = line.side;
    const river_frame f = river_frame_of(&m->curve.domain, side);
    const field *layout = &fields[0];
    int last = layout->size[f.axis] - 1, reach_c = m->curve.domain.dims == 3 || f.c != 2 ? GHOST : 0;
    bool on_side = field_axis(layout) == f.axis;
    ptrdiff_t inward = side % 2 ? -layout->stride[f.axis] : layout->stride[f.axis];
    line.across = field_axis(layout);
    for (int k = -reach_c; k < layout->size[f.c] + reach_c; k++)
        for (int j = -GHOST; j < layout->size[f.b] + GHOST; j++) {
            int edge[3], cells[2];
            edge[f.axis] = side % 2 ? last : 0;
            edge[f.b] = j;
            edge[f.c] = k;
            sides_cells(m, &f, line.across, (int[2]){j, k}, cells);
            const bool whole = sides_turn_to(&line, cells);
            ptrdiff_t at = field_offset(layout, edge[0], edge[1], edge[2]);
            for (int g = 1; g <= GHOST; g++) {
                int depth = on_side ? g : g - 1;
                ptrdiff_t from = at + (depth < last ? depth : last) * inward;
                float inside[3] = {0, 0, 0}, ghost[3];
                for (int n = 0; n < count; n++)
                    inside[n] = fields[n].data[from];
                if (whole)
                    mirror(&line, inside, from, ghost);
                else
                    sides_mirror_end(&line, mirror, inside, from, ghost);
                for (int n = 0; n < count; n++)
                    fields[n].data[at - g * inward] = ghost[n];
            }
        }
}

/* Bank: the ghost has the inside's normal component reversed, and its tangential component mirrored at the bank's
   velocity in proportion to the roughness. Where water enters: its velocity. */
static void sides_mirror_velocity(const side_line *line, const float *inside, ptrdiff_t at, float *ghost)
{
    (void)at;
    float own[3], inward[3], through = 0;
    sides_at(line, inward, own);
    for (int a = 0; a < 3; a++)
        through += inside[a] * inward[a];
    for (int a = 0; a < 3; a++) {
        float along = inside[a] - through * inward[a];
        ghost[a] = line->enters ? own[a] : along + 2 * line->rough * (own[a] - along) - through * inward[a];
    }
}

/* Samples inside an obstacle get the mean of the open ones next to them, times `share`: 1 for slip, −1 for no-slip. */
static void sides_fill_skin(const river_skin *skin, float share, field *f)
{
    for (int64_t n = 0; n < skin->count; n++) {
        float sum = 0, count = 0;
        for (int side = 0; side < 6; side++)
            if (skin->from[n][side] >= 0) {
                sum += f->data[skin->from[n][side]];
                count++;
            }
        f->data[skin->at[n]] = share * sum / count;
    }
}

void stage_river_sides_velocity(const river_model *m, const river_state *s, field velocity[3])
{
    const domain *d = &m->curve.domain;
    int place = velocity[0].at == FR_AT_CELL ? RIVER_CELLS : field_axis(&velocity[0]);
    for (int a = 0; a < d->dims; a++) {
        sides_fill_skin(&m->skins[place], 1 - 2 * (float)m->block_roughness, &velocity[a]);
        halo_fill_even(&velocity[a], d);
    }
    for (int side = 0; side < 2 * d->dims; side++)
        if (sides_is_given(m, side))
            sides_fill((side_line){.m = m, .s = s, .side = side}, velocity, d->dims, sides_mirror_velocity);
}

/* m³/s that leave with the advecting flow through the side's faces there. */
static float sides_leaving(const side_line *line)
{
    const river_frame f = river_frame_of(&line->m->curve.domain, line->side);
    const field *flux = &line->s->carrying_flux[f.axis];
    float sum = 0;
    for (int hand = 0; hand < 2; hand++) {
        int cell[3], face[3];
        river_beside(&line->m->curve.domain, line->side, line->cells[hand] % f.n[0], line->cells[hand] / f.n[0], cell,
                     face);
        sum += field_row(flux, face[1], face[2])[face[0]];
    }
    return line->side % 2 ? sum : -sum;
}

/* Where water comes in, ghost = −inside, so the velocity is 0 on the side. */
static void sides_mirror_still(const side_line *line, const float *inside, ptrdiff_t at, float *ghost)
{
    bool leaves = sides_leaving(line) >= 0;
    (void)at;
    for (int a = 0; a < 3; a++)
        ghost[a] = leaves ? inside[a] : -inside[a];
}

/* A back-trace from a face on the side ends at the face itself. If such a face kept its speed where water comes in, the
   condition p = 0 would accelerate the water without end. So it starts from rest. */
static void sides_stop_faces(const river_model *m, const river_state *s, int side, field velocity[3])
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    for (int n = 0; n < f.n[0] * f.n[1]; n++) {
        int cell[3], face[3];
        side_line line = {.m = m, .s = s, .side = side, .cells = {n, n}};
        river_beside(&m->curve.domain, side, n % f.n[0], n / f.n[0], cell, face);
        for (int a = 0; a < m->curve.domain.dims && sides_leaving(&line) < 0; a++)
            field_row(&velocity[a], face[1], face[2])[face[0]] = 0;
    }
}

void stage_river_sides_still(const river_model *m, const river_state *s, field velocity[3])
{
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        if (m->sides[side].kind != FR_RIVER_OUTFLOW)
            continue;
        if (field_axis(&velocity[0]) == side / 2)
            sides_stop_faces(m, s, side, velocity);
        else
            sides_fill((side_line){.m = m, .s = s, .side = side}, velocity, m->curve.domain.dims, sides_mirror_still);
    }
}

void stage_river_sides_push_back(const river_model *m, const river_state *s, const field before[3],
                                 const field after[3], field *flux)
{
    const int dims = m->curve.domain.dims;
    const river_lean *lean = &m->lean[field_axis(flux)];
    for (int64_t n = 0; n < lean->count; n++) {
        const river_lean_part *p = &lean->part[n];
        float through = s->carrying_flux[p->side / 2].data[p->stopped], taken = 0;
        if (p->outflow && (p->side % 2 ? through >= 0 : through <= 0))
            continue;
        for (int a = 0; a < dims; a++)
            taken += p->part[a] * (after[a].data[p->at] - (p->outflow ? 0 : before[a].data[p->at]));
        flux->data[p->at] -= taken;
    }
}

/* As sides_mirror_velocity, for the flux through a face; the side's part is its velocity through the face inside. */
static void sides_mirror_flux(const side_line *line, const float *inside, ptrdiff_t at, float *ghost)
{
    float own[3], inward[3], flux = 0;
    sides_at(line, inward, own);
    for (int a = 0; a < line->m->curve.domain.dims; a++)
        flux += own[a] * line->m->curve.face[line->across][a].data[at];
    ghost[0] = line->enters ? flux : inside[0] + 2 * line->rough * (flux - inside[0]);
}

void stage_river_sides_flux(const river_model *m, const river_state *s, field flux[3])
{
    for (int a = 0; a < m->curve.domain.dims; a++) {
        sides_fill_skin(&m->skins[a], 1 - 2 * (float)m->block_roughness, &flux[a]);
        halo_fill_even(&flux[a], &m->curve.domain);
        for (int side = 0; side < 2 * m->curve.domain.dims; side++)
            if (side / 2 != a && sides_is_given(m, side))
                sides_fill((side_line){.m = m, .s = s, .side = side}, &flux[a], 1, sides_mirror_flux);
    }
}

static void sides_mirror_scalar(const side_line *line, const float *inside, ptrdiff_t at, float *ghost)
{
    (void)at;
    float value = line->brings[line->cells[0]];
    ghost[0] = !line->enters ? inside[0] : line->beyond ? value : 2 * value - inside[0];
}

static void sides_fill_scalar(const river_model *m, const river_state *s, int index, halo_kind inflow, field *scalar)
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++) {
        fr_river_side_kind kind = m->sides[side].kind;
        bool enters = kind == FR_RIVER_INFLOW && side / 2 < m->curve.domain.dims;
        sides[side] = (halo_side){.kind = kind == FR_RIVER_PERIODIC ? HALO_PERIODIC : enters ? inflow : HALO_EVEN,
                                  .values = enters ? s->side_scalars[side][index] : NULL};
    }
    sides_fill_skin(&m->skins[RIVER_CELLS], 1, scalar);
    halo_fill(scalar, &m->curve.domain, sides);
    for (int side = 0; side < 2 * m->curve.domain.dims; side++)
        if (m->sides[side].gated)
            sides_fill((side_line){.m = m,
                                   .s = s,
                                   .side = side,
                                   .brings = s->side_scalars[side][index],
                                   .beyond = inflow == HALO_BEYOND},
                       scalar, 1, sides_mirror_scalar);
}

void stage_river_sides_scalar(const river_model *m, const river_state *s, int index, field *scalar)
{
    sides_fill_scalar(m, s, index, HALO_VALUE, scalar);
}

void stage_river_sides_upwind(const river_model *m, const river_state *s, int index, field *scalar)
{
    sides_fill_scalar(m, s, index, HALO_BEYOND, scalar);
}
