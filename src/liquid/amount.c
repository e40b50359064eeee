/* Shapes are sampled on a coarse lattice as shares of its cells, w = ½ − φ/h between 0 and 1. Their volume is Σ w h³,
   their surface Σ |∇w| h³: where a fill ends at a side of the domain it has none. */
#include "liquid/amount.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/vec.h"
#include "geom/shape.h"
#include "method/evaluate.h"
#include "method/motion.h"
#include "method/times.h"

enum { AMOUNT_POINTS = 1 << 18, AMOUNT_POINTS_OF_SOURCE = 1 << 12, AMOUNT_TIMES = 16, AMOUNT_ACROSS = 8 };

typedef struct amount_lattice {
    domain d;
    float *wet;  /* share of each cell that shapes cover */
    float *open; /* and that obstacles leave */
    float *row;  /* scratch */
} amount_lattice;

/* What a lattice holds. */
typedef struct amount_sums {
    double volume, open; /* m³ */
    double area;         /* m² */
    double across;       /* m²: what is seen of it from one direction */
    double height;       /* m⁴: ∫ height above the lowest point, against gravity */
} amount_sums;

/* Of the same box, with fewer and larger cells. */
static fr_result amount_create(const domain *box, double points, amount_lattice *out)
{
    domain d = *box;
    double coarser = fmin(1, pow(points / (double)domain_cells(box), 1.0 / box->dims));
    for (int a = 0; a < d.dims; a++) {
        d.n[a] = (int)fmax(1, round(box->n[a] * coarser));
        d.h[a] = box->n[a] * box->h[a] / d.n[a];
    }
    int64_t cells = domain_cells(&d);
    *out = (amount_lattice){d, MEMORY_NEW(float, cells), MEMORY_NEW(float, cells), MEMORY_NEW(float, d.n[0])};
    for (int64_t i = 0; i < cells && out->open; i++)
        out->open[i] = 1;
    return out->wet && out->open && out->row ? FR_OK : FR_ERROR_MEMORY;
}

static void amount_destroy(amount_lattice *l)
{
    memory_free(l->wet);
    memory_free(l->open);
    memory_free(l->row);
}

/* Adds a shape to what is wet, or takes it from what is open. */
static fr_result amount_take(const amount_lattice *l, const shape *s, bool solid)
{
    const domain *d = &l->d;
    const float width = (float)domain_min_h(d);
    float *share = solid ? l->open : l->wet;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++, share += d->n[0]) {
            double start[3] = {d->origin[0] + 0.5 * d->h[0], d->origin[1] + (j + 0.5) * d->h[1],
                               d->dims == 3 ? d->origin[2] + (k + 0.5) * d->h[2] : 0};
            FR_TRY(shape_distance_row(s, start, d->h[0], d->n[0], l->row));
            for (int i = 0; i < d->n[0]; i++) {
                float covers = fminf(fmaxf(0.5f - l->row[i] / width, 0), 1);
                share[i] = solid ? fminf(share[i], 1 - covers) : fmaxf(share[i], covers);
            }
        }
    return FR_OK;
}

static fr_result amount_take_placed(const amount_lattice *l, const fr_placed_shape *placed, const char *key, bool solid)
{
    shape *s;
    FR_TRY(shape_create(placed, l->d.dims, key, &s));
    fr_result result = amount_take(l, s, solid);
    shape_destroy(s);
    return result;
}

/* ∇w by what lies to both sides, as far as there is something. */
static vec3 amount_slope(const amount_lattice *l, const int c[3], int64_t at)
{
    const int64_t stride[3] = {1, l->d.n[0], (int64_t)l->d.n[0] * l->d.n[1]};
    double slope[3] = {0};
    for (int a = 0; a < l->d.dims; a++) {
        int low = c[a] > 0, high = c[a] + 1 < l->d.n[a];
        if (low + high > 0)
            slope[a] = (l->wet[at + high * stride[a]] - l->wet[at - low * stride[a]]) / ((low + high) * l->d.h[a]);
    }
    return vec3_of(slope);
}

/* The lowest height in a box, m; `up` is a unit vector. */
static double amount_floor(const domain *d, vec3 up)
{
    double far[3] = {0};
    for (int a = 0; a < d->dims; a++)
        far[a] = d->n[a] * d->h[a];
    const double along[3] = {up.x * far[0], up.y * far[1], up.z * far[2]};
    return vec3_dot(up, vec3_of(d->origin)) + fmin(along[0], 0) + fmin(along[1], 0) + fmin(along[2], 0);
}

static amount_sums amount_sum(const amount_lattice *l, vec3 direction)
{
    const domain *d = &l->d;
    const double volume = domain_cell_volume(d), bottom = amount_floor(d, direction);
    amount_sums sums = {0};
    int64_t at = 0;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++, at++) {
                const double place[3] = {d->origin[0] + (i + 0.5) * d->h[0], d->origin[1] + (j + 0.5) * d->h[1],
                                         d->dims == 3 ? d->origin[2] + (k + 0.5) * d->h[2] : 0};
                const double open = volume * l->open[at], wet = open * l->wet[at];
                vec3 slope = amount_slope(l, (int[3]){i, j, k}, at);
                sums.open += open;
                sums.volume += wet;
                sums.area += open * vec3_length(slope);
                sums.across += 0.5 * open * fabs(vec3_dot(slope, direction));
                sums.height += wet * (vec3_dot(direction, vec3_of(place)) - bottom);
            }
    return sums;
}

/* The box around a shape, two cells of a lattice wider, within the domain's own where that ends before. */
static domain amount_box(const shape *s, const domain *d)
{
    enum { ALONG = 16 };
    double min[3], max[3];
    domain box = *d;
    shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++) {
        double end = d->origin[a] + d->n[a] * d->h[a], low = fmax(min[a], d->origin[a]), high = fmin(max[a], end);
        double margin = 2 * fmax(high - low, 0.01 * d->h[a]) / ALONG;
        box.origin[a] = low - margin;
        box.n[a] = ALONG;
        box.h[a] = (fmax(high, low) + 2 * margin - low) / ALONG;
    }
    return box;
}

/* What a source gives: what is seen of it along its velocity, times that. */
static fr_result amount_of_flow(const fr_source_def *source, const shape *s, double duration, const domain *d,
                                double *volume)
{
    const double from = source->from, to = fmin(times_end(source->to), duration);
    domain box = amount_box(s, d);
    amount_lattice l;
    fr_result result = amount_create(&box, AMOUNT_POINTS_OF_SOURCE, &l);
    if (result == FR_OK)
        result = amount_take(&l, s, false);
    double centre[3] = {0};
    for (int a = 0; a < d->dims; a++)
        centre[a] = box.origin[a] + 0.5 * box.n[a] * box.h[a];
    for (int i = 0; i < AMOUNT_TIMES && to > from && result == FR_OK; i++) {
        double v[3];
        result = evaluate_vector(&source->velocity, centre, from + (to - from) * (i + 0.5) / AMOUNT_TIMES, v);
        double speed = vec3_length(vec3_of(v));
        if (result == FR_OK && speed > 0)
            *volume += amount_sum(&l, vec3_unit(vec3_of(v))).across * speed * (to - from) / AMOUNT_TIMES;
    }
    amount_destroy(&l);
    return result;
}

static fr_result amount_of_source(const fr_source_def *source, double duration, const domain *d, double *volume)
{
    shape *s;
    if (!source->sets_velocity)
        return FR_OK;
    FR_TRY(shape_create(&source->shape, d->dims, "sources", &s));
    fr_result result = amount_of_flow(source, s, duration, d, volume);
    shape_destroy(s);
    return result;
}

/* m³/s through a side at one time, from the middles of parts of it. */
static fr_result amount_through_side(const fr_scene_def *def, const domain *d, int side, double time, double *flow)
{
    const fr_wall_def *wall = &def->walls[side];
    const int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    const vec3 up = vec3_scale(vec3_of(def->gravity), -1);
    double part = domain_cell_volume(d) / d->h[axis] * d->n[b] * d->n[c] / AMOUNT_ACROSS;
    int layers = d->dims == 3 ? AMOUNT_ACROSS : 1;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < AMOUNT_ACROSS; j++) {
            double at[3] = {0}, v[3];
            at[axis] = d->origin[axis] + (side % 2 ? d->n[axis] * d->h[axis] : 0);
            at[b] = d->origin[b] + (j + 0.5) / AMOUNT_ACROSS * d->n[b] * d->h[b];
            at[c] = d->dims == 3 ? d->origin[c] + (k + 0.5) / AMOUNT_ACROSS * d->n[c] * d->h[c] : 0;
            FR_TRY(evaluate_vector(&wall->velocity, at, time, v));
            bool dry = wall->has_level && vec3_dot(up, vec3_of(at)) > wall->level * vec3_length(up);
            *flow += dry ? 0 : fmax(side % 2 ? -v[axis] : v[axis], 0) * part / layers;
        }
    return FR_OK;
}

/* What comes in while the scene lasts. */
static fr_result amount_of_inflow(const fr_scene_def *def, const domain *d, double *volume)
{
    const double step = def->time.duration / AMOUNT_TIMES;
    for (int i = 0; i < def->source_count; i++)
        FR_TRY(amount_of_source(&def->sources[i], def->time.duration, d, volume));
    for (int side = 0; side < 2 * d->dims; side++)
        for (int i = 0; i < AMOUNT_TIMES && def->walls[side].kind == FR_WALL_INFLOW; i++) {
            double flow = 0;
            FR_TRY(amount_through_side(def, d, side, (i + 0.5) * step, &flow));
            *volume += flow * step;
        }
    return FR_OK;
}

/* m⁴: the height to which the velocities of fills could lift them, times their volume. Without gravity there is no end
   to it. */
static fr_result amount_of_motion(const fr_scene_def *def, const domain *d, double volume, double *height)
{
    const double gravity = vec3_length(vec3_of(def->gravity));
    double fastest = 0;
    for (int i = 0; i < def->fill_count; i++) {
        const fr_fill_def *fill = &def->fill[i];
        double v[3], middle[3] = {0};
        for (int a = 0; a < d->dims; a++)
            middle[a] = d->origin[a] + 0.5 * d->n[a] * d->h[a];
        FR_TRY(evaluate_vector(&fill->velocity, middle, fmax(fill->from, 0), v));
        fastest = fmax(fastest, vec3_length(vec3_of(v)));
    }
    if (fastest > 0)
        *height += gravity > 0 ? fastest * fastest / (2 * gravity) * volume : INFINITY;
    return FR_OK;
}

/* How much the liquid will be stirred, 0 … 1: the energy that it sets free when it becomes level, beside that it then
   has. */
static double amount_stirs(const fr_scene_def *def, const amount_sums *start, double came, double bottom)
{
    for (int i = 0; i < def->obstacle_count; i++)
        if (motion_moves(&def->obstacles[i]))
            return 1;
    double level = start->volume * start->volume / (2 * bottom);
    return came > 0 ? 1 : level > 0 ? fmin(fmax(start->height / level - 1, 0), 1) : 0;
}

static fr_result amount_lay_out(const fr_scene_def *def, const amount_lattice *l)
{
    char key[48];
    for (int i = 0; i < def->fill_count; i++) {
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(amount_take_placed(l, &def->fill[i].shape, key, false));
    }
    for (int i = 0; i < def->obstacle_count; i++) {
        snprintf(key, sizeof key, "obstacles[%d]", i + 1);
        FR_TRY(amount_take_placed(l, &def->obstacles[i].shape, key, true));
    }
    return FR_OK;
}

/* The area of the ground: of the box, seen along gravity. */
static double amount_bottom(const domain *d, vec3 up)
{
    double height = 0, volume = domain_cell_volume(d) * (double)domain_cells(d);
    const double along[3] = {up.x, up.y, up.z};
    for (int a = 0; a < d->dims; a++)
        height += fabs(along[a]) * d->n[a] * d->h[a];
    return volume / height;
}

/* A splash opens as much surface again as the box is wide, where there is liquid enough to cover it. */
fr_result liquid_amount_find(const fr_scene_def *def, const domain *d, liquid_amount *out)
{
    const double gravity[3] = {def->gravity[0], def->gravity[1], def->gravity[2]};
    const bool falls = vec3_length(vec3_of(gravity)) > 0;
    const vec3 up = falls ? vec3_unit(vec3_scale(vec3_of(gravity), -1)) : (vec3){0, 1, 0};
    amount_lattice l;
    double came = 0;
    fr_result result = amount_create(d, AMOUNT_POINTS, &l);
    if (result == FR_OK)
        result = amount_lay_out(def, &l);
    if (result == FR_OK) {
        const double bottom = amount_bottom(d, up);
        amount_sums start = amount_sum(&l, up);
        start.height = falls ? start.height : 0;
        result = amount_of_motion(def, d, start.volume, &start.height);
        if (result == FR_OK)
            result = amount_of_inflow(def, d, &came);
        out->volume = fmin(start.volume + came, start.open);
        out->area = start.area + amount_stirs(def, &start, came, bottom) * fmin(bottom, out->volume / domain_min_h(d));
    }
    amount_destroy(&l);
    return result;
}
