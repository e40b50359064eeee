/* Exact signed distances of sphere, torus, block, cylinder, capsule, cone and plane. */
#include "geom/node.h"

#include <float.h>

static fr_result sphere_distance(const node *self, const line *l, double *d)
{
    double radius = self->def.radius;
    for (int i = 0; i < l->n; i++)
        d[i] = vec3_length(line_point(l, i)) - radius;
    return FR_OK;
}

fr_result sphere_setup(shape_compiler *c, node *n)
{
    double r = n->def.radius;
    FR_TRY(node_require_positive(c, "radius", r));
    n->distance = sphere_distance;
    n->bounds = box_centred(r, r, r);
    return FR_OK;
}

static fr_result torus_distance(const node *self, const line *l, double *d)
{
    int w = self->def.axis, u = (w + 1) % 3, v = (w + 2) % 3;
    double radius = self->def.radius, tube = self->def.tube;
    for (int i = 0; i < l->n; i++) {
        double pu = line_coordinate(l, u, i), pv = line_coordinate(l, v, i), pw = line_coordinate(l, w, i);
        double ring = sqrt(pu * pu + pv * pv) - radius;
        d[i] = sqrt(ring * ring + pw * pw) - tube;
    }
    return FR_OK;
}

fr_result torus_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "radius", n->def.radius));
    FR_TRY(node_require_positive(c, "tube", n->def.tube));
    n->distance = torus_distance;
    n->bounds = box_about(n->def.axis, n->def.tube, n->def.radius + n->def.tube);
    return FR_OK;
}

/* Rounded box: the distance to a smaller box minus the rounding radius. An infinite axis has an infinite half-side,
   which does not affect the other two. */
static fr_result block_distance(const node *self, const line *l, double *d)
{
    double round = self->def.round, centre[3], half[3];
    for (int a = 0; a < 3; a++) {
        bool endless = a >= self->dims;
        centre[a] = endless ? 0 : 0.5 * (self->def.min[a] + self->def.max[a]);
        half[a] = endless ? INFINITY : 0.5 * (self->def.max[a] - self->def.min[a]) - round;
    }
    for (int i = 0; i < l->n; i++) {
        double qx = fabs(line_coordinate(l, 0, i) - centre[0]) - half[0];
        double qy = fabs(line_coordinate(l, 1, i) - centre[1]) - half[1];
        double qz = fabs(line_coordinate(l, 2, i) - centre[2]) - half[2];
        double inside = min2(max2(qx, max2(qy, qz)), 0);
        double ox = max2(qx, 0), oy = max2(qy, 0), oz = max2(qz, 0);
        d[i] = inside + sqrt(ox * ox + oy * oy + oz * oz) - round;
    }
    return FR_OK;
}

fr_result block_setup(shape_compiler *c, node *n)
{
    const fr_shape_def *def = &n->def;
    double least = INFINITY;
    FR_TRY(node_require_finite(c, "min", def->min, c->dims));
    FR_TRY(node_require_finite(c, "max", def->max, c->dims));
    n->bounds = box_endless();
    for (int a = 0; a < c->dims; a++) {
        double side = def->max[a] - def->min[a];
        if (!(side > 0))
            return fr_fail_key(c->key, "%s: max must be greater than min along %c (%g, %g)", c->kind, "xyz"[a],
                               def->min[a], def->max[a]);
        least = min2(least, side);
        n->bounds.min[a] = def->min[a];
        n->bounds.max[a] = def->max[a];
    }
    if (!(def->round >= 0 && def->round <= 0.5 * least))
        return fr_fail_key(c->key, "%s: round must be between 0 and half the shortest side (%g m), it is %g", c->kind,
                           0.5 * least, def->round);
    n->distance = block_distance;
    return FR_OK;
}

static fr_result cylinder_distance(const node *self, const line *l, double *d)
{
    int w = self->def.axis, u = (w + 1) % 3, v = (w + 2) % 3;
    double radius = self->def.radius, half = w < self->dims ? 0.5 * self->def.height : INFINITY;
    for (int i = 0; i < l->n; i++) {
        double pu = line_coordinate(l, u, i), pv = line_coordinate(l, v, i), pw = line_coordinate(l, w, i);
        d[i] = node_extrude(sqrt(pu * pu + pv * pv) - radius, fabs(pw) - half);
    }
    return FR_OK;
}

/* In 2D a cylinder along z is a circle, whatever its height. */
fr_result cylinder_setup(shape_compiler *c, node *n)
{
    bool endless = n->def.axis >= c->dims;
    FR_TRY(node_require_positive(c, "radius", n->def.radius));
    if (!endless)
        FR_TRY(node_require_positive(c, "height", n->def.height));
    n->distance = cylinder_distance;
    n->bounds = box_about(n->def.axis, endless ? INFINITY : 0.5 * n->def.height, n->def.radius);
    return FR_OK;
}

static fr_result capsule_distance(const node *self, const line *l, double *d)
{
    int w = self->def.axis, u = (w + 1) % 3, v = (w + 2) % 3;
    double radius = self->def.radius, half = 0.5 * self->def.height;
    for (int i = 0; i < l->n; i++) {
        double pu = line_coordinate(l, u, i), pv = line_coordinate(l, v, i), pw = line_coordinate(l, w, i);
        double past = max2(fabs(pw) - half, 0);
        d[i] = sqrt(pu * pu + pv * pv + past * past) - radius;
    }
    return FR_OK;
}

fr_result capsule_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "radius", n->def.radius));
    if (!(n->def.height >= 0 && isfinite(n->def.height)))
        return fr_fail_key(c->key, "%s: height must be zero or a positive number of metres, it is %g", c->kind,
                           n->def.height);
    n->distance = capsule_distance;
    n->bounds = box_about(n->def.axis, 0.5 * n->def.height + n->def.radius, n->def.radius);
    return FR_OK;
}

/* In the half-plane of radius and height the cone is a triangle with one side on the axis. The distance is that to the
   nearer of base and flank. */
static fr_result cone_distance(const node *self, const line *l, double *d)
{
    int w = self->def.axis, u = (w + 1) % 3, v = (w + 2) % 3;
    double radius = self->def.radius, height = self->def.height;
    double inverse = 1 / (radius * radius + height * height);
    for (int i = 0; i < l->n; i++) {
        double pu = line_coordinate(l, u, i), pv = line_coordinate(l, v, i);
        double r = sqrt(pu * pu + pv * pv), y = line_coordinate(l, w, i) + 0.5 * height;
        double foot_r = max2(r - radius, 0);
        double t = ((radius - r) * radius + y * height) * inverse;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double flank_r = r - radius * (1 - t), flank_y = y - height * t;
        double nearest = sqrt(min2(foot_r * foot_r + y * y, flank_r * flank_r + flank_y * flank_y));
        bool inside = y > 0 && (r - radius) * height + y * radius < 0;
        d[i] = inside ? -nearest : nearest;
    }
    return FR_OK;
}

fr_result cone_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "radius", n->def.radius));
    FR_TRY(node_require_positive(c, "height", n->def.height));
    n->distance = cone_distance;
    n->bounds = box_about(n->def.axis, 0.5 * n->def.height, n->def.radius);
    return FR_OK;
}

static fr_result plane_distance(const node *self, const line *l, double *d)
{
    vec3 normal = vec3_of(self->def.normal);
    for (int i = 0; i < l->n; i++)
        d[i] = vec3_dot(normal, line_point(l, i)) - self->def.offset;
    return FR_OK;
}

fr_result plane_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_finite(c, "normal", n->def.normal, 3));
    FR_TRY(node_require_finite(c, "offset", &n->def.offset, 1));
    double length = vec3_length(vec3_of(n->def.normal));
    if (!(length >= DBL_MIN && isfinite(length)))
        return fr_fail_key(c->key, "%s: normal needs a direction, it is (%g, %g, %g)", c->kind, n->def.normal[0],
                           n->def.normal[1], n->def.normal[2]);
    n->def.offset /= length;
    n->bounds = box_endless();
    for (int a = 0; a < 3; a++) {
        n->def.normal[a] /= length;
        if (n->def.normal[a] == 1)
            n->bounds.max[a] = n->def.offset;
        if (n->def.normal[a] == -1)
            n->bounds.min[a] = -n->def.offset;
    }
    n->distance = plane_distance;
    return FR_OK;
}
