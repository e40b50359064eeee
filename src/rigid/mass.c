/* Mass, centre and inertia of a body from its shape's signed distance: an octree that is refined along the surface.
   Cells that the surface cuts count by the share below its tangent plane; the depth grows until the volume settles, so
   that thin shells are found as well. */
#include <math.h>

#include "geom/box.h"
#include "rigid/rigid.h"

/* Cells along the longest side of the bounds at the coarsest level, and how many times they may be halved. */
enum { COARSEST = 8, LEVELS_LEAST = 3, LEVELS_MOST = 5 };

/* Levels to which the inside is divided where the density varies. */
enum { DENSITY_LEVELS = 2 };

/* Relative change of the volume from level to level at which it has settled; the error is about a third of it. */
static const double SETTLED = 5e-4;

/* Of a cell's side: what counts as on the surface. */
static const double ON = 1e-9;

/* Sums over the cells: volume, and the moments of mass of order zero, one and two. */
typedef struct mass_sums {
    double volume, mass, first[3], second[3][3];
    double deepest; /* m, the least distance that was seen */
} mass_sums;

typedef struct mass_work {
    const fr_body_def *def;
    const char *key;
    const shape *shape;
    int dims, levels;
    mass_sums sums;
} mass_work;

typedef struct mass_cell {
    double centre[3], half[3];
} mass_cell;

static fr_result mass_density(const mass_work *w, const mass_cell *c, double *density)
{
    const fr_number *given = &w->def->density;
    *density = given->value;
    if (given->function)
        FR_TRY(given->function(given->context, (double[4]){c->centre[0], c->centre[1], c->centre[2], 0}, density));
    if (*density > 0 && isfinite(*density))
        return FR_OK;
    return fr_fail_key(w->key, "%s: its density must be a positive number, at (%g, %g, %g) it is %g kg/m³", w->key,
                       c->centre[0], c->centre[1], c->centre[2], *density);
}

/* Whether all corners of a cell are inside, or on the surface but for round-off. */
static fr_result mass_full(const mass_work *w, const mass_cell *c, bool *full)
{
    *full = true;
    for (int part = 0; part < 1 << w->dims && *full; part++) {
        double at[3] = {0}, distance, size = 0;
        for (int a = 0; a < w->dims; a++) {
            at[a] = c->centre[a] + (part >> a & 1 ? c->half[a] : -c->half[a]);
            size = fmax(size, c->half[a]);
        }
        FR_TRY(shape_distance(w->shape, at, &distance));
        *full = distance <= ON * size;
    }
    return FR_OK;
}

/* The share of a cell inside. Value and slope of the distance come from four corners of a tetrahedron in it; across a
   plane surface the share grows linearly from 0 to 1 over the cell's width along the slope, but for the cell's corners.
   A cell in the corner of a box is full. */
static fr_result mass_share(mass_work *w, const mass_cell *c, double *share)
{
    static const int corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const double in = 0.5;
    double d[4], mean = 0, width = 0;
    for (int k = 0; k < 4; k++) {
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = c->centre[a] + in * corner[k][a] * c->half[a];
        FR_TRY(shape_distance(w->shape, at, &d[k]));
        mean += 0.25 * d[k];
        w->sums.deepest = fmin(w->sums.deepest, d[k]);
    }
    for (int a = 0; a < w->dims; a++) {
        double slope = 0;
        for (int k = 0; k < 4; k++)
            slope += 0.25 * corner[k][a] * d[k] / in;
        width += 2 * fabs(slope);
    }
    *share = width > 0 ? clampd(0.5 - mean / width, 0, 1) : mean < 0;
    bool full = false;
    if (*share > 0.5 && *share < 1)
        FR_TRY(mass_full(w, c, &full));
    *share = full ? 1 : *share;
    return FR_OK;
}

static fr_result mass_add(mass_work *w, const mass_cell *c, bool inside)
{
    double share = 1, density, volume = 1;
    if (!inside)
        FR_TRY(mass_share(w, c, &share));
    if (share == 0)
        return FR_OK;
    FR_TRY(mass_density(w, c, &density));
    for (int a = 0; a < w->dims; a++)
        volume *= 2 * c->half[a];
    const double mass = density * share * volume;
    w->sums.volume += share * volume;
    w->sums.mass += mass;
    for (int a = 0; a < w->dims; a++) {
        w->sums.first[a] += mass * c->centre[a];
        for (int b = 0; b < w->dims; b++)
            w->sums.second[a][b] += mass * c->centre[a] * c->centre[b];
        w->sums.second[a][a] += mass * c->half[a] * c->half[a] / 3;
    }
    return FR_OK;
}

static fr_result mass_visit(mass_work *w, const mass_cell *c, int level)
{
    double distance, reach = 0;
    FR_TRY(shape_distance(w->shape, c->centre, &distance));
    for (int a = 0; a < w->dims; a++)
        reach += c->half[a] * c->half[a];
    reach = sqrt(reach);
    if (distance >= reach)
        return FR_OK;
    w->sums.deepest = fmin(w->sums.deepest, distance);
    const bool inside = distance <= -reach;
    if (level >= (inside ? w->def->density.function ? DENSITY_LEVELS : 0 : w->levels))
        return mass_add(w, c, inside);
    for (int part = 0; part < 1 << w->dims; part++) {
        mass_cell child = *c;
        for (int a = 0; a < w->dims; a++) {
            child.half[a] *= 0.5;
            child.centre[a] += part >> a & 1 ? child.half[a] : -child.half[a];
        }
        FR_TRY(mass_visit(w, &child, level + 1));
    }
    return FR_OK;
}

static fr_result mass_sum(mass_work *w, const box *b)
{
    double longest = 0;
    int n[3] = {1, 1, 1}, at[3];
    mass_cell c = {{0}, {0}};
    w->sums = (mass_sums){0};
    for (int a = 0; a < w->dims; a++)
        longest = fmax(longest, b->max[a] - b->min[a]);
    for (int a = 0; a < w->dims; a++) {
        n[a] = (int)ceil(COARSEST * (b->max[a] - b->min[a]) / longest);
        c.half[a] = 0.5 * (b->max[a] - b->min[a]) / n[a];
    }
    for (at[2] = 0; at[2] < n[2]; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                for (int a = 0; a < w->dims; a++)
                    c.centre[a] = b->min[a] + (2 * at[a] + 1) * c.half[a];
                FR_TRY(mass_visit(w, &c, 0));
            }
    return FR_OK;
}

static fr_result mass_finish(const mass_work *w, rigid_mass *out)
{
    const mass_sums *s = &w->sums;
    const double scale = w->def->mass > 0 ? w->def->mass / s->mass : 1;
    double about[3][3] = {{0}}, trace = 0;
    *out = (rigid_mass){.volume = s->volume, .mass = scale * s->mass};
    for (int a = 0; a < w->dims; a++)
        out->centre[a] = s->first[a] / s->mass;
    for (int a = 0; a < w->dims; a++)
        for (int b = 0; b < w->dims; b++)
            about[a][b] = scale * (s->second[a][b] - s->mass * out->centre[a] * out->centre[b]);
    for (int a = 0; a < w->dims; a++)
        trace += about[a][a];
    for (int a = w->dims == 2 ? 2 : 0; a < 3; a++)
        for (int b = w->dims == 2 ? 2 : 0; b < 3; b++)
            out->inertia[a][b] = (a == b ? trace : 0) - about[a][b];
    if (isfinite(out->mass) && isfinite(trace) && trace > 0)
        return FR_OK;
    return fr_fail_key(w->key, "%s: its mass or its moments of inertia are beyond all numbers", w->key);
}

static fr_result mass_measure(mass_work *w, rigid_mass *out)
{
    box b;
    shape_bounds(w->shape, b.min, b.max);
    for (int a = 0; a < w->dims; a++)
        if (!isfinite(b.min[a]) || !isfinite(b.max[a]))
            return fr_fail_key(w->key, "%s: its shape has no bounds; a body must end somewhere", w->key);
    double before = 0;
    for (w->levels = LEVELS_LEAST - 1; w->levels <= LEVELS_MOST; w->levels++) {
        before = w->sums.volume;
        FR_TRY(mass_sum(w, &b));
        if (w->levels >= LEVELS_LEAST && fabs(w->sums.volume - before) <= SETTLED * w->sums.volume)
            break;
    }
    if (!(w->sums.volume > 0) || !(w->sums.deepest < 0))
        return fr_fail_key(w->key, "%s: its shape has no volume", w->key);
    return mass_finish(w, out);
}

fr_result rigid_mass_of(const fr_body_def *def, int dims, const char *key, rigid_mass *out)
{
    shape *s;
    *out = (rigid_mass){0};
    if (!(def->mass >= 0) || !isfinite(def->mass))
        return fr_fail_key(key, "%s: its mass must be a positive number, it is %g kg", key, def->mass);
    FR_TRY(shape_create(&(fr_placed_shape){.shape = def->shape.shape}, dims, key, &s));
    mass_work w = {.def = def, .key = key, .shape = s, .dims = dims};
    fr_result result = mass_measure(&w, out);
    shape_destroy(s);
    return result;
}
