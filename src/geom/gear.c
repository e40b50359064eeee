/* Exact signed distance of a spur gear: teeth with straight flanks between tip and root arcs, and a round bore.

   The outline is symmetric about the middle of every tooth and every gap. So the boundary point nearest to a point of
   one half tooth lies in the same half tooth, and three pieces suffice: tip arc, flank, root arc.

        radius ─────╮ tip        `radius` is that of the tips; the roots lie `depth` below. On the circle halfway
                     ╲ flank     tooth and gap are equally wide; the flanks lean by 20 degrees, as an involute
                      ╰──── root does there. */
#include "geom/node.h"

struct gear_profile {
    double tip, root;              /* radii */
    double tip_angle, root_angle;  /* from the tooth's middle to the flank's ends */
    double pitch;                  /* angle of one tooth and one gap */
    double tip_slope, root_slope;  /* tangents of the angles */
    double (*turn)[2];             /* cosine and sine of the middle of each tooth */
    double tx, ty, fx, fy;         /* the flank's outer end, and the vector from there to its inner end */
    double hole;
    int teeth;
};

static gear_profile gear_shape(const fr_shape_def *def)
{
    gear_profile g = {.tip = def->radius, .root = def->radius - def->depth, .pitch = 2 * FR_PI / def->teeth,
                      .hole = def->hole, .teeth = def->teeth};
    double lean = 0.5 * def->depth * tan(20 * FR_PI / 180);
    double middle = (g.tip - 0.5 * def->depth) * sin(0.25 * g.pitch);
    g.tip_angle = asin(max2(middle - lean, 0.2 * middle) / g.tip);
    g.root_angle = min2(asin(min2((middle + lean) / g.root, 1)), 0.48 * g.pitch);
    g.tip_slope = tan(g.tip_angle);
    g.root_slope = tan(g.root_angle);
    g.tx = g.tip * cos(g.tip_angle);
    g.ty = g.tip * sin(g.tip_angle);
    g.fx = g.root * cos(g.root_angle) - g.tx;
    g.fy = g.root * sin(g.root_angle) - g.ty;
    return g;
}

/* Distance in the plane, for a point (x, y) at the distance r from the axis, seen from the middle of the nearest tooth,
   along x; y ≥ 0. */
static double gear_outline(const gear_profile *g, double x, double y, double r)
{
    double dx = x - g->tx, dy = y - g->ty;
    double t = clampd((dx * g->fx + dy * g->fy) / (g->fx * g->fx + g->fy * g->fy), 0, 1);
    double lx = dx - t * g->fx, ly = dy - t * g->fy;
    double nearest = sqrt(lx * lx + ly * ly);
    if (y <= g->tip_slope * x)
        nearest = min2(nearest, fabs(r - g->tip));
    if (y >= g->root_slope * x)
        nearest = min2(nearest, fabs(r - g->root));
    bool in_tooth = r < g->tip && dx * g->fy - dy * g->fx < 0;
    double outline = r < g->root || in_tooth ? -nearest : nearest;
    return g->hole > 0 ? max2(outline, g->hole - r) : outline;
}

/* The tooth that a point is nearest to. In the middle of a gap the next one says the same, so that single precision is
   enough for the angle. */
static int gear_tooth(const gear_profile *g, double u, double v)
{
    const double angle = (double)atan2f((float)v, (float)u);
    const int tooth = angle == angle ? (int)floor(angle / g->pitch + 0.5) : 0; /* of no number any will do */
    return tooth < 0 ? tooth + g->teeth : tooth;
}

static fr_result gear_distance(const node *self, const line *l, double *d)
{
    int w = self->def.axis, u = (w + 1) % 3, v = (w + 2) % 3;
    double half = w < self->dims ? 0.5 * self->def.thickness : INFINITY;
    const gear_profile *g = self->gear;
    for (int i = 0; i < l->n; i++) {
        double pu = line_coordinate(l, u, i), pv = line_coordinate(l, v, i), pw = line_coordinate(l, w, i);
        const double *turn = g->turn[gear_tooth(g, pu, pv)];
        double x = pu * turn[0] + pv * turn[1], y = fabs(pv * turn[0] - pu * turn[1]);
        d[i] = node_extrude(gear_outline(g, x, y, sqrt(pu * pu + pv * pv)), fabs(pw) - half);
    }
    return FR_OK;
}

fr_result gear_setup(shape_compiler *c, node *n)
{
    const fr_shape_def *def = &n->def;
    bool endless = def->axis >= c->dims;
    FR_TRY(node_require_positive(c, "radius", def->radius));
    FR_TRY(node_require_positive(c, "depth", def->depth));
    if (!endless)
        FR_TRY(node_require_positive(c, "thickness", def->thickness));
    if (def->teeth < 3 || def->teeth > 10000)
        return fr_fail_key(c->key, "%s: teeth must be between 3 and 10000, it is %d", c->kind, def->teeth);
    if (def->depth > 0.9 * def->radius)
        return fr_fail_key(c->key, "%s: depth (%g m) must be at most 0.9 of the radius (%g m)", c->kind, def->depth,
                           def->radius);
    if (!(def->hole >= 0 && def->hole < def->radius - def->depth))
        return fr_fail_key(c->key, "%s: hole must be between 0 and the radius below the teeth (%g m), it is %g",
                           c->kind, def->radius - def->depth, def->hole);
    n->gear = ARENA_NEW(c->arena, gear_profile, 1);
    if (!n->gear)
        return FR_ERROR_MEMORY;
    *n->gear = gear_shape(def);
    n->gear->turn = arena_alloc(c->arena, sizeof *n->gear->turn * (size_t)def->teeth);
    if (!n->gear->turn)
        return FR_ERROR_MEMORY;
    for (int k = 0; k < def->teeth; k++) {
        n->gear->turn[k][0] = cos(k * n->gear->pitch);
        n->gear->turn[k][1] = sin(k * n->gear->pitch);
    }
    n->distance = gear_distance;
    n->bounds = box_about(def->axis, endless ? INFINITY : 0.5 * def->thickness, def->radius);
    return FR_OK;
}
