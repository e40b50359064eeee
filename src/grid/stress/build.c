/* The system of the finest level from the geometry. */
#include <math.h>

#include "base/threads.h"
#include "grid/layer.h"
#include "grid/stress/parts.h"

/* Least share of faces that touch liquid: they are not to follow dry ones. */
static const float LEAST_MASS = 0.01f;

typedef struct build_job {
    stress *s;
    stress_level *l;
    field layout[3];            /* of the faces, for the offsets of the marks */
    float mass[3];              /* W of a full box */
    double normal[3], shear[3], bulk; /* K of it, per ν */
} build_job;

static bool build_has_cell(const stress_level *l, const int at[3], int axis)
{
    return at[axis] >= 0 && at[axis] < l->cells[axis];
}

/* Brings a sample up to as far beyond an end of a periodic axis as there are cells back to the one that it is. */
static void build_wrap(const stress_level *l, const int sample[3], int at[3])
{
    for (int b = 0; b < 3; b++)
        at[b] = l->periodic[b] ? (sample[b] + l->cells[b]) % l->cells[b] : sample[b];
}

/* What the face across a is, beyond the sides too. */
static diffusion_mark build_mark(const build_job *job, int a, const int face[3])
{
    const stress_level *l = job->l;
    const stress_problem *p = &job->s->problem;
    int at[3];
    build_wrap(l, face, at);
    for (int b = 0; b < l->dims; b++)
        if (b != a && !l->periodic[b] && !build_has_cell(l, at, b))
            return p->sides[a][2 * b + (at[b] > 0)].kind == HALO_VALUE ? DIFFUSION_FIXED : DIFFUSION_OUTSIDE;
    if (!l->periodic[a] && (at[a] < 0 || at[a] > l->cells[a]))
        return DIFFUSION_OUTSIDE;
    if (!l->periodic[a] &&
        ((at[a] == 0 && p->fixed_sides[2 * a]) || (at[a] == l->cells[a] && p->fixed_sides[2 * a + 1])))
        return DIFFUSION_FIXED;
    if (!p->marks)
        return DIFFUSION_FREE;
    const field *layout = &job->layout[a];
    return (diffusion_mark)p->marks[a][field_offset(layout, at[0] + GHOST, at[1] + GHOST, at[2] + GHOST)];
}

/* How deep the liquid in a cell beside a wall across b is, in cells: a film may be thinner than the cell. */
static float build_depth(const build_job *job, int b, const int cell[3])
{
    const field *surface = job->s->problem.surface;
    float above = surface ? field_row(surface, cell[1], cell[2])[cell[0]] / (float)job->s->block.h[b] : -1;
    return fminf(fmaxf(0.5f - above, 0.5f), 1);
}

/* One over the distance in cells over which the velocity of a cell beside a wall across b falls to that of the wall: u
   is the mean over its liquid, U times layer_mean, and the shear is U over the thickness. */
static float build_wall_shear(const build_job *job, const float *layer, int b, const int cell[3])
{
    const stress_level *l = job->l;
    int at[3], lower = b == 0 ? 1 : 0, upper = b == 2 ? 1 : 2;
    for (int c = 0; c < 3; c++) {
        int n = l->cells[c], i = l->periodic[c] ? (cell[c] + n) % n : cell[c];
        at[c] = i < 0 ? 0 : i < n ? i : n - 1;
    }
    float thickness = layer[at[lower] + (ptrdiff_t)at[upper] * l->cells[lower]] / (float)job->s->block.h[b];
    thickness = fmaxf(thickness, LAYER_THINNEST);
    return 1 / (thickness * layer_mean(build_depth(job, b, at), thickness));
}

/* The distance from a face across `a` to a wall across b, in cells: half a cell, less where the layer is thin. Shear is
   the mean of that of both cells. */
static double build_wall_reach(const build_job *job, int a, int b, const int face[3], bool high)
{
    const float *layer = job->s->problem.layers[2 * b + high];
    int before[3] = {face[0], face[1], face[2]};
    before[a]--;
    return layer ? 2 / (double)(build_wall_shear(job, layer, b, before) + build_wall_shear(job, layer, b, face)) : 0.5;
}

/* The distance from the free one of two faces across `a` to what holds the other, in cells. 1 where both are free. */
static double build_reach(const build_job *job, int a, const int upper[3], const int lower[3], const bool fixed[2])
{
    const stress_level *l = job->l;
    if (fixed[0] == fixed[1])
        return 1;
    const int *held = fixed[1] ? lower : upper, *loose = fixed[1] ? upper : lower;
    for (int b = 0; b < l->dims; b++)
        if (b != a && !l->periodic[b] && !build_has_cell(l, held, b))
            return build_wall_reach(job, a, b, loose, held[b] > 0); /* a wall between the two */
    const field *distance = job->s->problem.distance;
    return distance ? diffusion_reach(distance, a, loose, held) : 1;
}

/* How much stiffer a strain of the two faces across `a` on either side along b is for being held; 0: no stress. */
static double build_hold(const build_job *job, int a, int b, const int at[3], bool fixed[2])
{
    int lower[3] = {at[0], at[1], at[2]}, upper[3] = {at[0], at[1], at[2]};
    if (a == b)
        upper[b]++;
    else
        lower[b]--;
    diffusion_mark marks[2] = {build_mark(job, a, upper), build_mark(job, a, lower)};
    if (marks[0] == DIFFUSION_OUTSIDE || marks[1] == DIFFUSION_OUTSIDE)
        return 0;
    for (int i = 0; i < 2; i++)
        fixed[i] = marks[i] == DIFFUSION_FIXED;
    return 1 / build_reach(job, a, upper, lower, fixed);
}

static double build_normal_hold(const build_job *job, int a, const int at[3])
{
    bool fixed[2];
    double hold = build_hold(job, a, a, at, fixed);
    return hold > 0 && fixed[0] && fixed[1] ? 0 : hold;
}

static double build_shear_hold(const build_job *job, int a, int b, const int at[3])
{
    bool fixed[4];
    double of_a = build_hold(job, a, b, at, fixed), of_b = build_hold(job, b, a, at, fixed + 2);
    bool all_fixed = of_a > 0 && of_b > 0 && fixed[0] && fixed[1] && fixed[2] && fixed[3];
    return all_fixed ? 0 : of_a > 0 && of_b > 0 ? fmax(of_a, of_b) : 0;
}

/* ν of the edge along c, at the low corner of four cells: the harmonic mean of the wet ones, with which stress is
   continuous where ν jumps; for the Laplacian form the geometric mean (Carlson 2004, equation 58). */
static double build_edge_viscosity(const stress_problem *p, int c, const int at[3])
{
    if (p->edges[c])
        return field_row(p->edges[c], at[1], at[2])[at[0]];
    if (!p->viscosities)
        return p->viscosity;
    int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
    double wet = 0, sum = 0, product = 1;
    for (int pass = 0; pass < 2 && wet == 0; pass++)
        for (int corner = 0; corner < 4; corner++) {
            int cell[3] = {at[0], at[1], at[2]};
            cell[a] -= corner & 1;
            cell[b] -= corner >> 1;
            if (pass == 0 && p->surface && field_row(p->surface, cell[1], cell[2])[cell[0]] > 0)
                continue;
            double here = fmax(field_row(p->viscosities, cell[1], cell[2])[cell[0]], 1e-30);
            wet += 1;
            sum += 1 / here;
            product *= here;
        }
    return p->form == STRESS_FULL ? wet / sum : pow(product, 1 / wet);
}

static double build_cell_viscosity(const stress_problem *p, const int at[3])
{
    return p->viscosities ? field_row(p->viscosities, at[1], at[2])[at[0]] : p->viscosity;
}

/* Whether the faces of a cell say what flows out of it: not those with their middle in a solid. */
static bool build_is_open(const build_job *job, const int at[3])
{
    const stress_level *l = job->l;
    const stress_problem *p = &job->s->problem;
    for (int side = 0; side < 2 * l->dims && p->marks; side++) {
        int face[3] = {at[0], at[1], at[2]};
        const int a = side / 2;
        face[a] += side % 2;
        const bool given = !l->periodic[a] && p->fixed_sides[side] && face[a] == (side % 2 ? l->cells[a] : 0);
        const field *layout = &job->layout[a];
        const uint8_t mark = p->marks[a][field_offset(layout, face[0] + GHOST, face[1] + GHOST, face[2] + GHOST)];
        if (!given && (mark == DIFFUSION_FIXED || mark == DIFFUSION_OUTSIDE))
            return false;
    }
    return true;
}

/* K of the divergence, and what the pressure pushes, by what the step before has left of it (bulk.c). */
static void build_bulk(const build_job *job, const int at[3], double share, ptrdiff_t to)
{
    stress *s = job->s;
    const stress_problem *p = &s->problem;
    const double h = domain_min_h(&s->block), viscosity = build_cell_viscosity(p, at);
    const double wet = share > 0 && p->bulk > 0 && build_is_open(job, at) ? share : 0;
    const double left = wet > 0 && p->pressure ? (double)field_row(p->pressure, at[1], at[2])[at[0]] : 0;
    s->wet[to] = (float)wet;
    s->push[to] = (float)(p->dt / h * wet * sqrt(viscosity) * left);
    job->l->bulk[to] = (float)(job->bulk * wet * viscosity);
}

/* `plain`: no strain of the cell, its lower faces and edges has a face that is held or missing. */
static void build_normal(const build_job *job, const int at[3], bool plain, ptrdiff_t to)
{
    const stress_level *l = job->l;
    const stress_problem *p = &job->s->problem;
    bool inside = build_has_cell(l, at, 0) && build_has_cell(l, at, 1) && build_has_cell(l, at, 2);
    double share = inside ? stress_share(job->s, at, (bool[3]){false}) : 0;
    for (int a = 0; a < l->dims; a++) {
        double k = 0;
        if (share > 0)
            k = job->normal[a] * share * build_cell_viscosity(p, at) * (plain ? 1 : build_normal_hold(job, a, at));
        l->normal.of[a][to] = (float)k;
    }
    build_bulk(job, at, share, to);
}

static void build_shear(const build_job *job, const int at[3], bool plain, ptrdiff_t to)
{
    const stress_level *l = job->l;
    const stress_problem *p = &job->s->problem;
    for (int c = l->dims == 2 ? 2 : 0; c < 3; c++) {
        int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
        bool half[3] = {c != 0, c != 1, c != 2};
        double share = build_has_cell(l, at, c) ? stress_share(job->s, at, half) : 0, k = 0;
        if (share > 0)
            k = job->shear[c] * share * build_edge_viscosity(p, c, at) * (plain ? 1 : build_shear_hold(job, a, b, at));
        l->shear.of[c][to] = (float)k;
    }
}

/* The same for full boxes far from all that is held, or empty ones. */
static void build_constant(const build_job *job, double viscosity, ptrdiff_t to)
{
    const stress_level *l = job->l;
    for (int a = 0; a < l->dims; a++)
        l->normal.of[a][to] = (float)(job->normal[a] * viscosity);
    for (int c = l->dims == 2 ? 2 : 0; c < 3; c++)
        l->shear.of[c][to] = (float)(job->shear[c] * viscosity);
}

/* A piece of a row, of at most STRESS_RUN samples from `at` on. */
typedef void (*build_piece)(const build_job *job, const bool *plain, int at[3], int count);

static void build_stiffness(const build_job *job, const bool *plain, int at[3], int count)
{
    const stress_problem *p = &job->s->problem;
    for (int i = 0; i < count; i++, at[0]++) {
        ptrdiff_t to = stress_offset(job->l, at);
        stress_zone zone = stress_zone_of(job->s, at);
        if (zone == STRESS_OUTSIDE || (zone == STRESS_INSIDE && !p->viscosities && plain[i])) {
            build_constant(job, zone == STRESS_INSIDE ? p->viscosity : 0, to);
            build_bulk(job, at, zone == STRESS_INSIDE, to);
            continue;
        }
        build_normal(job, at, plain[i], to);
        build_shear(job, at, plain[i], to);
    }
}

static void build_rows(const build_job *job, build_piece piece, int begin, int end)
{
    bool plain[STRESS_RUN];
    for (int r = begin; r < end; r++)
        for (int first = 0; first < job->l->n[0]; first += STRESS_RUN) {
            const int left = job->l->n[0] - first, count = left < STRESS_RUN ? left : STRESS_RUN;
            int at[3] = {first, r % job->l->n[1], r / job->l->n[1]};
            stress_find_plain(job->s, at, count, plain);
            piece(job, plain, at, count);
        }
}

static void build_stiffness_rows(void *context, int begin, int end)
{
    build_rows(context, build_stiffness, begin, end);
}

static bool build_is_free(const build_job *job, int a, const int at[3])
{
    diffusion_mark mark = build_mark(job, a, at);
    return mark == DIFFUSION_FREE || mark == DIFFUSION_WHOLE;
}

/* Liquid share around a face; half of the box lies outside where the face is on a side. */
static float build_share(const build_job *job, int a, const int at[3])
{
    bool half[3] = {a == 0, a == 1, a == 2};
    float share = stress_share(job->s, at, half);
    bool on_side = !job->l->periodic[a] && (at[a] == 0 || at[a] == job->l->cells[a]);
    return on_side ? 0.5f * share : share;
}

/* Whether a face has no cell of liquid beside it. Pressure does not act there, and velocities are extended from the
   liquid. */
static bool build_is_dry(const build_job *job, int a, const int face[3])
{
    const field *surface = job->s->problem.surface;
    int at[3];
    build_wrap(job->l, face, at); /* it may be two faces beyond an end, where ghosts are too few */
    const float *phi = field_row(surface, at[1], at[2]) + at[0];
    return phi[0] >= 0 && phi[-surface->stride[a]] >= 0;
}

/* The neighbour of a face in direction 0 … 5, if it is free and as dry as asked for. */
static bool build_neighbour(const build_job *job, int a, const int at[3], int direction, bool dry, int next[3])
{
    if (direction / 2 >= job->l->dims)
        return false;
    for (int b = 0; b < 3; b++)
        next[b] = at[b];
    next[direction / 2] += direction % 2 ? 1 : -1;
    return build_is_free(job, a, next) && build_is_dry(job, a, next) == dry;
}

/* The mass of a dry face goes to its neighbours that are not. What is extended from them would else act on the liquid
   with a mass of its own, and brake it: extending a constant is no rigid motion. */
static float build_mass(const build_job *job, int a, const int at[3])
{
    const field *surface = job->s->problem.surface;
    if (!surface)
        return build_share(job, a, at);
    if (build_is_dry(job, a, at))
        return STRESS_DRY_MASS;
    float mass = build_share(job, a, at);
    for (int direction = 0, dry[3], wet[3]; direction < 6; direction++) {
        if (!build_neighbour(job, a, at, direction, true, dry))
            continue;
        int receivers = 0;
        for (int other = 0; other < 6; other++)
            receivers += build_neighbour(job, a, dry, other, false, wet);
        mass += build_share(job, a, dry) / (float)receivers;
    }
    return fmaxf(mass, LEAST_MASS);
}

static float build_face(const build_job *job, int a, const int at[3], bool plain)
{
    const bool full = plain && stress_zone_of(job->s, at) == STRESS_INSIDE;
    if (full && !job->s->problem.marks)
        return job->mass[a];
    if (!plain && !build_is_free(job, a, at))
        return STRESS_HELD;
    if (!(stress_stiffness(job->l, a, stress_offset(job->l, at)) > 0))
        return 0;
    return (full ? 1 : build_mass(job, a, at)) * job->mass[a];
}

static void build_masses(const build_job *job, const bool *plain, int at[3], int count)
{
    for (int i = 0; i < count; i++, at[0]++)
        for (int a = 0; a < job->l->dims; a++)
            job->l->mass.of[a][stress_offset(job->l, at)] = build_face(job, a, at, plain[i]);
}

static void build_mass_rows(void *context, int begin, int end)
{
    build_rows(context, build_masses, begin, end);
}

void stress_build(stress *s)
{
    stress_level *l = &s->level[0];
    const domain *d = &s->block;
    build_job job = {.s = s, .l = l};
    l->coupled = s->problem.form == STRESS_FULL;
    double h = domain_min_h(d), volume = domain_cell_volume(d);
    for (int a = 0; a < l->dims; a++) {
        field_layout(d, field_face(a), &job.layout[a]);
        job.mass[a] = (float)pow(h / d->h[a], 2);
        job.normal[a] = (s->problem.form == STRESS_FULL ? 2 : 1) * s->problem.dt * pow(h / (d->h[a] * d->h[a]), 2);
    }
    for (int a = 0; a < 3; a++)
        l->spread[a] = a < l->dims ? pow(h / d->h[a], 2) : 0;
    job.bulk = s->problem.bulk * s->problem.dt / (h * h);
    for (int c = 0; c < 3; c++)
        job.shear[c] = s->problem.dt * pow(h * d->h[c] / volume, 2);
    threads_for_cost(l->n[1] * l->n[2], l->n[0], build_stiffness_rows, &job);
    stress_wrap(l, &l->normal);
    stress_wrap(l, &l->shear);
    stress_wrap_cells(l, l->bulk);
    stress_wrap_cells(l, s->push);
    stress_wrap_cells(l, s->wet);
    threads_for_cost(l->n[1] * l->n[2], l->n[0], build_mass_rows, &job);
    stress_tie_solids(s);
    stress_finish(l);
}
