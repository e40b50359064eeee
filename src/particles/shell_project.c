/* Projects a point to a given depth inside a shape by Newton's method along the numerical gradient of the distance. The
   distance of a mesh is expensive, so no value is computed twice. */
#include "particles/shell_parts.h"

enum { MOST_STEPS = 6, SECTIONS = 14 };

/* In spacings: the finite difference, the target and the accepted error of the depth. */
static const double difference = 0.01, close = 1e-3, accepted = 0.03;

static void step_along(const double from[3], vec3 direction, double by, double to[3])
{
    to[0] = from[0] + by * direction.x;
    to[1] = from[1] + by * direction.y;
    to[2] = from[2] + by * direction.z;
}

/* The gradient at a point of known value, by one-sided differences of width h. */
static fr_result one_sided_gradient(const shape *s, const shell_plan *plan, const double at[3], double value, double h,
                                    vec3 *slope)
{
    double beside[3] = {at[0], at[1], at[2]}, g[3] = {0};
    for (int a = 0; a < plan->dims; a++) {
        beside[a] = at[a] + h;
        FR_TRY(shape_distance(s, beside, &g[a]));
        g[a] = (g[a] - value) / h;
        beside[a] = at[a];
    }
    *slope = vec3_of(g);
    return FR_OK;
}

/* Sets the normal and the slope. In the middle of a thin part the difference may vanish on one side; then the other
   side is used. */
static fr_result spot_set_normal(const shape *s, const shell_plan *plan, shell_spot *spot)
{
    vec3 slope;
    double h = difference * plan->spacing;
    FR_TRY(one_sided_gradient(s, plan, spot->at, spot->value, h, &slope));
    if (vec3_length(slope) < 1e-6)
        FR_TRY(one_sided_gradient(s, plan, spot->at, spot->value, -h, &slope));
    spot->normal = vec3_unit(slope);
    spot->slope = shape_is_parallel(s) ? 1 : fmax(vec3_length(slope), 1e-6);
    return FR_OK;
}

/* A user's function may not have slope 1; its value divided by its slope approximates the distance near the surface. */
static double spot_depth(const shell_spot *spot)
{
    return -spot->value / spot->slope;
}

/* The deepest point on a line from the surface inwards, by golden-section search: the depth rises to the middle of the
   part and then falls. */
static fr_result find_middle(const shape *s, const double surface[3], vec3 normal, double longest, shell_spot *spot)
{
    const double golden = 0.6180339887498949;
    double low = 0, high = longest, middle[3];
    for (int n = 0; n < SECTIONS; n++) {
        double nearer = high - golden * (high - low), farther = low + golden * (high - low), value_nearer,
               value_farther;
        step_along(surface, normal, -nearer, middle);
        FR_TRY(shape_distance(s, middle, &value_nearer));
        step_along(surface, normal, -farther, middle);
        FR_TRY(shape_distance(s, middle, &value_farther));
        if (value_nearer <= value_farther)
            high = farther;
        else
            low = nearer;
    }
    step_along(surface, normal, -0.5 * (low + high), spot->at);
    return shape_distance(s, spot->at, &spot->value);
}

/* Newton's method with steps of at most one spacing. */
static fr_result find_depth(const shape *s, const shell_plan *plan, double depth, shell_spot *spot)
{
    double d = plan->spacing;
    for (int n = 0; n < MOST_STEPS; n++) {
        if (n == 0 || fabs(spot_depth(spot) - depth) > close * d)
            FR_TRY(spot_set_normal(s, plan, spot));
        double off = depth - spot_depth(spot);
        if (fabs(off) <= close * d)
            break;
        step_along(spot->at, spot->normal, -clampd(off, -d, d), spot->at);
        FR_TRY(shape_distance(s, spot->at, &spot->value));
    }
    spot->found = fabs(depth - spot_depth(spot)) <= accepted * d;
    return FR_OK;
}

/* Where the shape is thinner than d, the point in its middle. */
static fr_result find_thin(const shape *s, const shell_plan *plan, shell_spot *spot)
{
    double surface[3];
    FR_TRY(spot_set_normal(s, plan, spot));
    step_along(spot->at, spot->normal, spot_depth(spot), surface);
    FR_TRY(find_middle(s, surface, spot->normal, 0.5 * plan->spacing, spot));
    spot->found = spot->value < 0;
    spot->narrow = true;
    return FR_OK;
}

/* If the shape is shallower half a spacing further in, the layer of the opposite side is there: the point is narrow. */
static fr_result find_narrow(const shape *s, const shell_plan *plan, shell_spot *spot)
{
    double behind[3], value;
    step_along(spot->at, spot->normal, -0.5 * plan->spacing, behind);
    FR_TRY(shape_distance(s, behind, &value));
    spot->narrow = value > spot->value + accepted * plan->spacing;
    return FR_OK;
}

fr_result shell_project(const shape *s, const shell_plan *plan, int layer, const shell_place *from, shell_spot *spot)
{
    const shell_spot start = {.at = {from->at[0], from->at[1], from->at[2]}, .value = from->value, .slope = 1};
    *spot = start;
    FR_TRY(find_depth(s, plan, shell_depth(plan, layer), spot));
    if (spot->found)
        return find_narrow(s, plan, spot);
    if (layer > 0)
        return FR_OK;
    *spot = start;
    return find_thin(s, plan, spot);
}

/* The second step corrects for the curvature of the surface. */
fr_result shell_slide(const shape *s, const shell_plan *plan, vec3 by, shell_spot *spot, bool *done)
{
    shell_spot to = *spot;
    step_along(spot->at, vec3_sub(by, vec3_scale(spot->normal, vec3_dot(by, spot->normal))), 1, to.at);
    *done = false;
    for (int n = 0; n < 3 && !*done; n++) {
        FR_TRY(shape_distance(s, to.at, &to.value));
        double off = (to.value - spot->value) / spot->slope;
        *done = fabs(off) <= 2 * close * plan->spacing;
        if (!*done)
            step_along(to.at, spot->normal, -off, to.at);
    }
    to.value = spot->value;
    *done = *done && shell_plan_holds(plan, to.at);
    if (*done)
        *spot = to;
    return FR_OK;
}

fr_result shell_face(const shape *s, const shell_plan *plan, shell_spot *spot)
{
    vec3 ahead, behind;
    double h = difference * plan->spacing;
    FR_TRY(shape_distance(s, spot->at, &spot->value));
    FR_TRY(one_sided_gradient(s, plan, spot->at, spot->value, h, &ahead));
    FR_TRY(one_sided_gradient(s, plan, spot->at, spot->value, -h, &behind));
    vec3 both = vec3_add(ahead, behind);
    if (vec3_length(both) > 0.1 * spot->slope)
        spot->normal = vec3_unit(both);
    return FR_OK;
}
