/* Exact signed distance of an ellipsoid.

   The closest point to p has coordinates xᵢ = eᵢ² pᵢ / (t + eᵢ²), where t > −min eᵢ² is the root of
       F(t) = Σ (eᵢ pᵢ / (t + eᵢ²))² − 1
   (D. Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid", 2013). 1/√(F + 1) grows there
   and is concave, nearly a straight line, so Newton's method for its crossing of 1, started left of the root, never
   overshoots it and takes a few steps (as Moré & Sorensen 1983 do for trust regions). The unknown used here is
   s = t + min eᵢ², which stays accurate near the pole t = −min eᵢ². */
#include "geom/node.h"

#define ELLIPSOID_INLINE static inline __attribute__((always_inline))

enum { NEWTON_STEPS = 60 };

/* A point on a plane of symmetry is moved off it by this fraction of the radius. That keeps the root away from the pole
   of F and changes the distance by no more than the move. */
static const double symmetry_gap = 1e-13;

/* What F may be before a step that leaves nothing but rounding of it: each squares it. */
static const double settled = 1e-8;

typedef struct ellipsoid_form {
    const double *e;
    double least2;    /* min eᵢ² */
    double excess[3]; /* eᵢ² − min eᵢ² */
    int axes;
} ellipsoid_form;

typedef struct ellipsoid_points {
    double p[3][LINE_MAX_POINTS]; /* |coordinate| */
    double s[LINE_MAX_POINTS];
} ellipsoid_points;

static ellipsoid_form ellipsoid_measure(const double e[3])
{
    ellipsoid_form form = {.e = e, .axes = e[2] > 0 ? 3 : 2};
    double least = e[0];
    for (int a = 1; a < form.axes; a++)
        least = min2(least, e[a]);
    for (int a = 0; a < form.axes; a++)
        form.excess[a] = (e[a] - least) * (e[a] + least);
    form.least2 = least * least;
    return form;
}

/* Each term of F alone equals 1 at t = −e² + e p. The largest of these t lies left of the root: the starting point. */
ELLIPSOID_INLINE void ellipsoid_start(const ellipsoid_form *form, const line *l, const int n, ellipsoid_points *points)
{
    for (int i = 0; i < n; i++)
        points->s[i] = -INFINITY;
    for (int a = 0; a < form->axes; a++)
        for (int i = 0; i < n; i++) {
            double p = max2(fabs(line_coordinate(l, a, i)), symmetry_gap * form->e[a]);
            points->p[a][i] = p;
            points->s[i] = max2(points->s[i], form->e[a] * p - form->excess[a]);
        }
}

/* One Newton step for all points. Returns the largest F before the step. */
ELLIPSOID_INLINE double ellipsoid_newton(const ellipsoid_form *form, const int n, ellipsoid_points *points)
{
    double f[LINE_MAX_POINTS], slope[LINE_MAX_POINTS], change = 0;
    for (int i = 0; i < n; i++) {
        f[i] = -1;
        slope[i] = 0;
    }
    for (int a = 0; a < form->axes; a++)
        for (int i = 0; i < n; i++) {
            double inverse = 1 / (points->s[i] + form->excess[a]);
            double ratio = form->e[a] * points->p[a][i] * inverse;
            f[i] += ratio * ratio;
            slope[i] += 2 * ratio * ratio * inverse;
        }
    for (int i = 0; i < n; i++) {
        const double above = max2(f[i], 0);
        points->s[i] += 2 * above * (1 + above) / ((1 + sqrt(1 + above)) * slope[i]);
        change = max2(change, f[i]);
    }
    return change;
}

ELLIPSOID_INLINE void ellipsoid_distances(const ellipsoid_form *form, const line *l, const int n, double *d)
{
    ellipsoid_points points;
    ellipsoid_start(form, l, n, &points);
    for (int k = 0; k < NEWTON_STEPS; k++)
        if (ellipsoid_newton(form, n, &points) < settled)
            break;
    for (int i = 0; i < n; i++)
        d[i] = 0;
    /* p − x = p t / (t + e²), which avoids cancellation */
    for (int a = 0; a < form->axes; a++)
        for (int i = 0; i < n; i++) {
            double gap = points.p[a][i] * (points.s[i] - form->least2) / (points.s[i] + form->excess[a]);
            d[i] += gap * gap;
        }
    for (int i = 0; i < n; i++)
        d[i] = points.s[i] < form->least2 ? -sqrt(d[i]) : sqrt(d[i]);
}

/* Single points are asked for most often: the compiler keeps all of one in registers. */
static fr_result ellipsoid_distance(const node *self, const line *l, double *d)
{
    ellipsoid_form form = ellipsoid_measure(self->def.size);
    if (l->n == 1 && form.axes == 3)
        ellipsoid_distances(&(ellipsoid_form){form.e, form.least2, {form.excess[0], form.excess[1], form.excess[2]}, 3},
                            l, 1, d);
    else
        ellipsoid_distances(&form, l, l->n, d);
    return FR_OK;
}

/* In 2D the third radius may be left out (0): the ellipsoid is then an infinite cylinder along z. */
fr_result ellipsoid_setup(shape_compiler *c, node *n)
{
    double *e = n->def.size;
    bool flat = c->dims == 2 && !(e[2] > 0);
    FR_TRY(node_require_positive(c, "radii (x)", e[0]));
    FR_TRY(node_require_positive(c, "radii (y)", e[1]));
    if (flat)
        e[2] = 0;
    else
        FR_TRY(node_require_positive(c, "radii (z)", e[2]));
    n->distance = ellipsoid_distance;
    n->bounds = box_centred(e[0], e[1], flat ? INFINITY : e[2]);
    return FR_OK;
}
