#include "mac/stage/walls.h"

#include <math.h>
#include <string.h>

#include "method/evaluate.h"

/* The samples of a side's plane of `layout`, in the order of halo_side.values. */
typedef struct walls_plane {
    const domain *d;
    const field *layout;
    int side, lower, upper;      /* the other axes */
} walls_plane;

static walls_plane walls_plane_of(const domain *d, const field *layout, int side)
{
    int axis = side / 2;
    return (walls_plane){d, layout, side, axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
}

static void walls_position(const walls_plane *p, int b, int c, double at[3])
{
    int axis = p->side / 2;
    field_origin(p->layout, p->d, at);
    at[axis] = p->d->origin[axis] + (p->side % 2 ? p->d->n[axis] * p->d->h[axis] : 0);
    at[p->lower] += p->lower < p->d->dims ? b * p->d->h[p->lower] : 0;
    at[p->upper] += p->upper < p->d->dims ? c * p->d->h[p->upper] : 0;
}

static fr_result walls_set_velocity(const walls_plane *p, const fr_vector *value, double t, int component, float *out)
{
    for (int c = 0; c < p->layout->size[p->upper]; c++)
        for (int b = 0; b < p->layout->size[p->lower]; b++) {
            double at[3], v[3];
            walls_position(p, b, c, at);
            FR_TRY(evaluate_vector(value, at, t, v));
            out[b + (ptrdiff_t)c * p->layout->size[p->lower]] = (float)v[component];
        }
    return FR_OK;
}

/* Adds turbulence to the flow that enters. */
static void walls_add_turbulence(const walls_plane *p, const turbulence *eddies, double t, int component, float *out)
{
    int n = p->layout->size[p->lower];
    for (int c = 0; c < p->layout->size[p->upper]; c++) {
        turbulence_line line = {.spacing = p->d->h[p->lower], .axis = p->lower, .n = n, .component = component};
        walls_position(p, 0, c, line.start);
        turbulence_add_line(eddies, &line, t, out + (ptrdiff_t)c * n);
    }
}

/* Closes an inflow above its level: each face by the share of it that is higher. */
static void walls_close_above(const walls_plane *p, const fr_wall_def *wall, const double up[3], float *out)
{
    double across = 0;
    for (int a = 0; a < p->d->dims; a++)
        across += fabs(up[a]) * p->d->h[a];
    for (int c = 0; c < p->layout->size[p->upper]; c++)
        for (int b = 0; b < p->layout->size[p->lower]; b++) {
            double at[3], below = wall->level;
            walls_position(p, b, c, at);
            for (int a = 0; a < p->d->dims; a++)
                below -= up[a] * at[a];
            out[b + (ptrdiff_t)c * p->layout->size[p->lower]] *= (float)fmin(fmax(0.5 + below / across, 0), 1);
        }
}

/* `value`: NULL where clean fluid comes in. */
static fr_result walls_set_scalar(const walls_plane *p, const model_scalar *scalar, const fr_number *value, double t,
                                  float *out)
{
    for (int c = 0; c < p->layout->size[p->upper]; c++)
        for (int b = 0; b < p->layout->size[p->lower]; b++) {
            double at[3], v = 0;
            walls_position(p, b, c, at);
            if (value)
                FR_TRY(evaluate_number(value, at, t, &v));
            out[b + (ptrdiff_t)c * p->layout->size[p->lower]] =
                (float)(value ? model_scalar_kept(scalar, v) : scalar->clean);
        }
    return FR_OK;
}

static const fr_number *walls_given(const model *m, int side, const char *name)
{
    const fr_wall_def *wall = &m->walls[side];
    for (int i = 0; i < wall->scalar_count; i++)
        if (!strcmp(wall->scalars[i].name, name))
            return &wall->scalars[i].value;
    return NULL;
}

/* Adds the flow in through a side, m³/s: the net, and that of either direction counted as positive. Obstacles on the
   side close it. */
static void walls_add_flow(const model *m, const state *s, int side, double *net, double *gross)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    const field *layout = &s->velocity[axis], *open = s->solids.any ? &s->solids.open[axis] : NULL;
    double area = domain_cell_volume(&m->domain) / m->domain.h[axis];
    for (int k = 0; k < layout->size[c]; k++)
        for (int j = 0; j < layout->size[b]; j++) {
            ptrdiff_t face = (side % 2 ? m->domain.n[axis] * layout->stride[axis] : 0) + j * layout->stride[b] +
                             k * layout->stride[c];
            double share = open ? open->data[face] : 1;
            double inward =
                (side % 2 ? -area : area) * share * s->sides[side].velocity[axis][j + (ptrdiff_t)k * layout->size[b]];
            *net += inward;
            *gross += inward > 0 ? inward : -inward;
        }
}

/* A domain without an open side keeps its volume: what flows in must flow out again. Liquids may fill what was air. */
static fr_result walls_check_balance(const model *m, const state *s, double t)
{
    double net = 0, gross = 0;
    for (int side = 0; side < 2 * m->domain.dims; side++) {
        if (m->walls[side].kind == FR_WALL_OPEN)
            return FR_OK;
        if (m->walls[side].kind == FR_WALL_INFLOW)
            walls_add_flow(m, s, side, &net, &gross);
    }
    if (net > 1e-4 * gross || net < -1e-4 * gross)
        return fr_fail_key("walls",
                           "walls: at t = %g s the inflows bring %.3g m³/s into a domain that has no open side; make "
                           "one side \"open\" or let as much flow out",
                           t, net);
    return FR_OK;
}

fr_result stage_walls_update(const model *m, state *s, double t)
{
    const domain *d = &m->domain;
    for (int side = 0; side < 2 * d->dims; side++) {
        const fr_wall_def *wall = &m->walls[side];
        for (int a = 0; a < d->dims; a++)
            if (s->sides[side].velocity[a]) {
                walls_plane plane = walls_plane_of(d, &s->velocity[a], side);
                FR_TRY(walls_set_velocity(&plane, &wall->velocity, t, a, s->sides[side].velocity[a]));
                if (m->wall_turbulence[side])
                    walls_add_turbulence(&plane, m->wall_turbulence[side], t, a, s->sides[side].velocity[a]);
                if (wall->has_level)
                    walls_close_above(&plane, wall, m->up, s->sides[side].velocity[a]);
            }
        for (int i = 0; i < m->scalar_count; i++)
            if (s->sides[side].scalars[i]) {
                walls_plane plane = walls_plane_of(model_scalar_domain(m, i), &s->scalars[i], side);
                const fr_number *given = walls_given(m, side, m->scalars[i].name);
                FR_TRY(walls_set_scalar(&plane, &m->scalars[i], given, t, s->sides[side].scalars[i]));
            }
    }
    return m->prescribed || s->surface ? FR_OK : walls_check_balance(m, s, t);
}

void stage_walls_velocity_rules(const model *m, const state *s, int axis, halo_side sides[6])
{
    for (int side = 0; side < 6; side++) {
        fr_wall_kind kind = m->walls[side].kind;
        bool normal = side / 2 == axis;
        sides[side] = (halo_side){.kind = HALO_EVEN};
        if (kind == FR_WALL_PERIODIC)
            sides[side].kind = HALO_PERIODIC;
        else if (m->prescribed)
            sides[side].kind = HALO_LINEAR;      /* the flow is as given, whatever the sides are */
        else if (normal)
            sides[side].kind = kind == FR_WALL_OPEN || kind == FR_WALL_INFLOW ? HALO_EVEN : HALO_VALUE;
        else if (kind == FR_WALL_NO_SLIP || kind == FR_WALL_INFLOW)
            sides[side] = (halo_side){.kind = HALO_VALUE,
                                      .values = s->sides[side].velocity[axis],
                                      .thin = s->surface && kind == FR_WALL_NO_SLIP};
    }
}

/* Flow through a side: none through walls, as given through inflows, free through open and periodic ones. */
static void walls_set_normal(const model *m, const state *s, int side, field *f)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    fr_wall_kind kind = m->walls[side].kind;
    if (kind == FR_WALL_OPEN || kind == FR_WALL_PERIODIC)
        return;
    const float *given = kind == FR_WALL_INFLOW ? s->sides[side].velocity[axis] : NULL;
    float *face = f->data + (side % 2 ? m->domain.n[axis] * f->stride[axis] : 0);
    for (int k = 0; k < f->size[c]; k++)
        for (int j = 0; j < f->size[b]; j++)
            face[j * f->stride[b] + k * f->stride[c]] = given ? given[j + (ptrdiff_t)k * f->size[b]] : 0;
}

/* The air outside an open side is at rest until it is drawn in. Were it taken to move as the air inside does, a vortex
   on the side would feed itself and grow without bound. */
static void walls_enter_still(const model *m, int side, const field velocity[3], field *f)
{
    int axis = side / 2, own = field_axis(f), b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    const field *normal = &velocity[axis];
    bool high = side % 2;
    const float *through = normal->data + (high ? m->domain.n[axis] * normal->stride[axis] : 0);
    float *first = f->data + (high ? (f->size[axis] - 1) * f->stride[axis] : 0);
    ptrdiff_t out = high ? f->stride[axis] : -f->stride[axis], across = own == axis ? 0 : normal->stride[own];
    for (int k = 0; k < f->size[c]; k++)
        for (int j = 0; j < f->size[b]; j++) {
            const float *u = through + j * normal->stride[b] + k * normal->stride[c];
            float mean = 0.5f * (u[0] + u[-across]), *at = first + j * f->stride[b] + k * f->stride[c];
            bool enters = high ? mean < 0 : mean > 0;
            for (int g = 1; g <= GHOST && enters; g++)
                at[g * out] = own == axis ? 0 : -at[(1 - g) * out];
        }
}

static void walls_fill_component(const model *m, const state *s, field *f)
{
    const int axis = field_axis(f);
    halo_side sides[6];
    for (int side = 2 * axis; side < 2 * axis + 2 && !m->prescribed; side++)
        walls_set_normal(m, s, side, f);
    stage_walls_velocity_rules(m, s, axis, sides);
    halo_fill(f, &m->domain, sides);
}

static void walls_enter_component(const model *m, const field flow[3], field *f)
{
    for (int side = 0; side < 2 * m->domain.dims && !m->prescribed; side++)
        if (m->walls[side].kind == FR_WALL_OPEN)
            walls_enter_still(m, side, flow, f);
}

void stage_walls_component(const model *m, const state *s, const field flow[3], field *component)
{
    walls_fill_component(m, s, component);
    walls_enter_component(m, flow, component);
}

/* The last face across a periodic axis is the first one. */
static void walls_close_period(const model *m, int axis, field *f)
{
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    for (int k = 0; k < f->size[c]; k++)
        for (int j = 0; j < f->size[b]; j++) {
            float *first = f->data + j * f->stride[b] + k * f->stride[c];
            first[m->domain.n[axis] * f->stride[axis]] = *first;
        }
}

void stage_walls_normal(const model *m, const state *s, field velocity[3])
{
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (!m->prescribed)
            walls_set_normal(m, s, side, &velocity[side / 2]);
    for (int a = 0; a < m->domain.dims; a++)
        if (m->domain.periodic[a])
            walls_close_period(m, a, &velocity[a]);
}

void stage_walls_velocity(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims; a++)
        walls_fill_component(m, s, &velocity[a]);
    for (int a = 0; a < m->domain.dims; a++)
        walls_enter_component(m, velocity, &velocity[a]);
}

void stage_walls_scalar_rules(const model *m, const state *s, int index, halo_side sides[6])
{
    for (int side = 0; side < 6; side++) {
        const fr_wall_def *wall = &m->walls[side];
        sides[side] = (halo_side){.kind = HALO_EVEN};
        if (wall->kind == FR_WALL_PERIODIC)
            sides[side].kind = HALO_PERIODIC;
        else if (wall->kind == FR_WALL_INFLOW || walls_given(m, side, m->scalars[index].name))
            sides[side] = (halo_side){.kind = HALO_VALUE, .values = s->sides[side].scalars[index]};
    }
}

/* The value on a side: where the flow enters what is given, or clean air; where it leaves the value inside. The
   scalar's grid may be finer than the flow's. */
static void walls_set_entering(const model *m, state *s, int side, const field *velocity, const field *scalar,
                               float clean, const float *given)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    bool high = side % 2;
    int refine = scalar->size[axis] / m->domain.n[axis];
    const float *flow = velocity->data + (high ? m->domain.n[axis] * velocity->stride[axis] : 0);
    const float *inside = scalar->data + (high ? (scalar->size[axis] - 1) * scalar->stride[axis] : 0);
    float *entering = s->sides[side].entering;
    for (int k = 0; k < scalar->size[c]; k++)
        for (int j = 0; j < scalar->size[b]; j++) {
            float u = flow[j / refine * velocity->stride[b] + k / refine * velocity->stride[c]];
            bool enters = high ? u < 0 : u > 0;
            ptrdiff_t at = j + (ptrdiff_t)k * scalar->size[b];
            entering[at] = !enters ? inside[j * scalar->stride[b] + k * scalar->stride[c]] : given ? given[at] : clean;
        }
}

static void walls_set_open(const model *m, state *s, int index, const field velocity[3], const field *scalar,
                           halo_side sides[6])
{
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (m->walls[side].kind == FR_WALL_OPEN) {
            walls_set_entering(m, s, side, &velocity[side / 2], scalar, (float)m->scalars[index].clean, NULL);
            sides[side] = (halo_side){.kind = HALO_VALUE, .values = s->sides[side].entering};
        }
}

void stage_walls_scalar(const model *m, state *s, int index, const field velocity[3], field *scalar)
{
    halo_side sides[6];
    stage_walls_scalar_rules(m, s, index, sides);
    walls_set_open(m, s, index, velocity, scalar, sides);
    halo_fill(scalar, model_scalar_domain(m, index), sides);
}

void stage_walls_mean(const model *m, state *s, int index, const field velocity[3], field *mean)
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++)
        sides[side] = (halo_side){.kind = m->walls[side].kind == FR_WALL_PERIODIC ? HALO_PERIODIC : HALO_EVEN};
    walls_set_open(m, s, index, velocity, mean, sides);
    halo_fill(mean, &m->domain, sides);
}

void stage_walls_upwind(const model *m, state *s, int index, const field velocity[3], field *scalar)
{
    halo_side sides[6] = {{.kind = HALO_EVEN}, {.kind = HALO_EVEN}, {.kind = HALO_EVEN},
                          {.kind = HALO_EVEN}, {.kind = HALO_EVEN}, {.kind = HALO_EVEN}};
    for (int side = 0; side < 2 * m->domain.dims; side++) {
        fr_wall_kind kind = m->walls[side].kind;
        if (kind == FR_WALL_PERIODIC)
            sides[side].kind = HALO_PERIODIC;
        if (kind != FR_WALL_OPEN && kind != FR_WALL_INFLOW)
            continue;
        const float *given = kind == FR_WALL_INFLOW ? s->sides[side].scalars[index] : NULL;
        walls_set_entering(m, s, side, &velocity[side / 2], scalar, (float)m->scalars[index].clean, given);
        sides[side] = (halo_side){.kind = HALO_BEYOND, .values = s->sides[side].entering};
    }
    halo_fill(scalar, &m->domain, sides);
}

void stage_walls_pressure(const model *m, field *pressure)
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++) {
        fr_wall_kind kind = m->walls[side].kind;
        sides[side] = (halo_side){.kind = kind == FR_WALL_PERIODIC ? HALO_PERIODIC
                                          : kind == FR_WALL_OPEN   ? HALO_VALUE
                                                                   : HALO_EVEN};
    }
    halo_fill(pressure, &m->domain, sides);
}
