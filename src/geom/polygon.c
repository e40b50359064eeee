/* Exact signed distance of a closed polygon and of the solids made from one: infinite prism, extrusion, solid of
   revolution. A self-intersecting polygon is filled by the even-odd rule, so every edge is on the boundary. */
#include "geom/node.h"

typedef struct polygon_edge {
    double x, y;         /* start */
    double ex, ey;       /* to the end */
    double inverse;      /* 1 / length² */
    double slope;        /* ex / ey; 0 for a horizontal edge, which no horizontal ray crosses */
    bool is_border;      /* false: on the axis of a revolved polygon, inside the solid */
} polygon_edge;

struct polygon {
    polygon_edge *edges;
    int count;
    double min[2], max[2];
};

typedef struct polygon_points {
    double x[LINE_MAX_POINTS], y[LINE_MAX_POINTS];
    int n;
    double min[2], max[2];
} polygon_points;

static double polygon_edge_distance2(const polygon_edge *e, double x, double y)
{
    double dx = x - e->x, dy = y - e->y;
    double t = (dx * e->ex + dy * e->ey) * e->inverse;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    dx -= t * e->ex;
    dy -= t * e->ey;
    return dx * dx + dy * dy;
}

static void polygon_points_bounds(polygon_points *points)
{
    double x0 = points->x[0], x1 = x0, y0 = points->y[0], y1 = y0;
    for (int i = 1; i < points->n; i++) {
        x0 = min2(x0, points->x[i]);
        x1 = max2(x1, points->x[i]);
        y0 = min2(y0, points->y[i]);
        y1 = max2(y1, points->y[i]);
    }
    points->min[0] = x0;
    points->min[1] = y0;
    points->max[0] = x1;
    points->max[1] = y1;
}

/* Let D be the distance of the boundary from the points' centre and R their radius. No point is farther than D + R from
   the boundary, so an edge farther than D + 2R from the centre is nobody's nearest and is skipped. */
static void polygon_nearest(const polygon *p, const polygon_points *points, double *d2)
{
    double x = 0.5 * (points->min[0] + points->max[0]), y = 0.5 * (points->min[1] + points->max[1]);
    double dx = points->max[0] - x, dy = points->max[1] - y, radius = sqrt(dx * dx + dy * dy), nearest = INFINITY;
    for (int k = 0; k < p->count; k++)
        if (p->edges[k].is_border)
            nearest = min2(nearest, polygon_edge_distance2(&p->edges[k], x, y));
    double limit = (sqrt(nearest) + 2 * radius) * (1 + 1e-9);
    for (int i = 0; i < points->n; i++)
        d2[i] = INFINITY;
    for (int k = 0; k < p->count; k++) {
        const polygon_edge *e = &p->edges[k];
        if (!e->is_border || polygon_edge_distance2(e, x, y) > limit * limit)
            continue;
        for (int i = 0; i < points->n; i++)
            d2[i] = min2(d2[i], polygon_edge_distance2(e, points->x[i], points->y[i]));
    }
}

/* Even-odd rule: each edge that a ray towards +x crosses flips the sign. */
static void polygon_sign(const polygon *p, const polygon_points *points, double *sign)
{
    for (int i = 0; i < points->n; i++)
        sign[i] = 1;
    for (int k = 0; k < p->count; k++) {
        const polygon_edge *e = &p->edges[k];
        double x = e->x, y = e->y, end = e->y + e->ey, slope = e->slope;
        if (min2(y, end) > points->max[1] || max2(y, end) <= points->min[1])
            continue;
        for (int i = 0; i < points->n; i++) {
            double py = points->y[i];
            bool crosses = ((y > py) != (end > py)) & (points->x[i] < x + (py - y) * slope);
            sign[i] = crosses ? -sign[i] : sign[i];
        }
    }
}

static void polygon_distance(const polygon *p, polygon_points *points, double *d)
{
    double d2[LINE_MAX_POINTS];
    polygon_points_bounds(points);
    polygon_nearest(p, points, d2);
    polygon_sign(p, points, d);
    for (int i = 0; i < points->n; i++)
        d[i] *= sqrt(d2[i]);
}

static fr_result polygon_check(const shape_compiler *c, const fr_shape_def *def, bool revolved)
{
    if (def->point_count < 3 || !def->points)
        return fr_fail_key(c->key, "%s: a polygon needs at least 3 points, there are %d", c->kind, def->point_count);
    for (int k = 0; k < def->point_count; k++) {
        FR_TRY(node_require_finite(c, "points", def->points[k], 2));
        if (revolved && def->points[k][0] < -1e-9)
            return fr_fail_key(c->key, "%s: point %d has the radius %g; radii must not be negative", c->kind, k + 1,
                               def->points[k][0]);
    }
    return FR_OK;
}

static void polygon_add_edge(polygon *p, const double from[2], const double to[2], bool revolved)
{
    double ex = to[0] - from[0], ey = to[1] - from[1], length2 = ex * ex + ey * ey;
    for (int a = 0; a < 2; a++) {
        p->min[a] = min2(p->min[a], from[a]);
        p->max[a] = max2(p->max[a], from[a]);
    }
    if (!(length2 > 0))
        return;
    p->edges[p->count++] = (polygon_edge){.x = from[0], .y = from[1], .ex = ex, .ey = ey, .inverse = 1 / length2,
                                          .slope = ey != 0 ? ex / ey : 0,
                                          .is_border = !(revolved && from[0] == 0 && to[0] == 0)};
}

static bool polygon_is_collinear(const polygon *p)
{
    double dx = p->max[0] - p->min[0], dy = p->max[1] - p->min[1], scale = dx * dx + dy * dy;
    const polygon_edge *e = &p->edges[0];
    for (int k = 1; k < p->count; k++) {
        double ox = p->edges[k].x - e->x, oy = p->edges[k].y - e->y;
        if (fabs(ox * e->ey - oy * e->ex) * sqrt(e->inverse) > 1e-9 * sqrt(scale))
            return false;
    }
    return true;
}

static fr_result polygon_create(shape_compiler *c, node *n, bool revolved)
{
    FR_TRY(polygon_check(c, &n->def, revolved));
    polygon *p = ARENA_NEW(c->arena, polygon, 1);
    polygon_edge *edges = ARENA_NEW(c->arena, polygon_edge, n->def.point_count);
    if (!p || !edges)
        return FR_ERROR_MEMORY;
    *p = (polygon){.edges = edges, .min = {INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY}};
    for (int k = 0; k < n->def.point_count; k++) {
        const double *a = n->def.points[k], *b = n->def.points[(k + 1) % n->def.point_count];
        double from[2] = {a[0], a[1]}, to[2] = {b[0], b[1]};
        if (revolved && from[0] < 1e-12)
            from[0] = 0;
        if (revolved && to[0] < 1e-12)
            to[0] = 0;
        polygon_add_edge(p, from, to, revolved);
    }
    if (p->count == 0 || polygon_is_collinear(p))
        return fr_fail_key(c->key, "%s: the polygon's points lie on one line", c->kind);
    n->outline = p;
    return FR_OK;
}

/* For polygon and extrude: the half-height is infinite where there are no end caps. */
static fr_result extrude_distance(const node *self, const line *l, double *d)
{
    polygon_points points = {.n = l->n};
    bool endless = self->def.kind == FR_SHAPE_POLYGON || self->dims == 2;
    double half = endless ? INFINITY : 0.5 * self->def.height;
    for (int i = 0; i < l->n; i++) {
        points.x[i] = line_coordinate(l, 0, i);
        points.y[i] = line_coordinate(l, 1, i);
    }
    polygon_distance(self->outline, &points, d);
    for (int i = 0; i < l->n; i++)
        d[i] = node_extrude(d[i], fabs(line_coordinate(l, 2, i)) - half);
    return FR_OK;
}

static box polygon_bounds(const polygon *p, double half)
{
    return (box){{p->min[0], p->min[1], -half}, {p->max[0], p->max[1], half}};
}

fr_result polygon_setup(shape_compiler *c, node *n)
{
    FR_TRY(polygon_create(c, n, false));
    n->bounds = polygon_bounds(n->outline, INFINITY);
    n->distance = extrude_distance;
    return FR_OK;
}

fr_result extrude_setup(shape_compiler *c, node *n)
{
    if (c->dims == 3)
        FR_TRY(node_require_positive(c, "height", n->def.height));
    FR_TRY(polygon_create(c, n, false));
    n->bounds = polygon_bounds(n->outline, c->dims == 3 ? 0.5 * n->def.height : INFINITY);
    n->distance = extrude_distance;
    return FR_OK;
}

static fr_result revolve_distance(const node *self, const line *l, double *d)
{
    polygon_points points = {.n = l->n};
    for (int i = 0; i < l->n; i++) {
        vec3 p = line_point(l, i);
        points.x[i] = sqrt(p.x * p.x + p.z * p.z);
        points.y[i] = p.y;
    }
    polygon_distance(self->outline, &points, d);
    return FR_OK;
}

fr_result revolve_setup(shape_compiler *c, node *n)
{
    FR_TRY(polygon_create(c, n, true));
    const polygon *p = n->outline;
    n->bounds = (box){{-p->max[0], p->min[1], -p->max[0]}, {p->max[0], p->max[1], p->max[0]}};
    n->distance = revolve_distance;
    return FR_OK;
}
