/* What can be said of rigid bodies before a scene runs. */
#include <math.h>
#include <stdio.h>

#include "geom/shape.h"
#include "method/preview/preview.h"
#include "method/preview/sample.h"

/* How many bodies are told of one by one, and how many are looked at. */
enum { LISTED = 8, LOOKED_AT = 200 };

/* m: thickness at the deepest point, and the longest side of the box around it, before it is turned. */
typedef struct body_size {
    double thickness, longest;
} body_size;

/* The box that contains a shape; false where it has no end. */
static bool bodies_box(const fr_placed_shape *placed, int dims, fr_domain_def *box)
{
    shape *s;
    double min[3], max[3];
    bool ends = true;
    if (shape_create(placed, dims, "", &s) != FR_OK)
        return false;
    shape_bounds(s, min, max);
    shape_destroy(s);
    *box = (fr_domain_def){.dims = dims};
    for (int a = 0; a < dims; a++) {
        box->origin[a] = min[a];
        box->size[a] = max[a] - min[a];
        ends = ends && isfinite(box->size[a]) && box->size[a] > 0;
    }
    return ends;
}

static bool bodies_measure(const fr_body_def *body, int dims, body_size *size)
{
    const fr_obstacle_def unplaced = {.shape = {.shape = body->shape.shape}};
    fr_domain_def box;
    if (!bodies_box(&unplaced.shape, dims, &box))
        return false;
    *size = (body_size){.longest = preview_longest_side(&box).metres};
    return sample_thickness(&box, &unplaced, &size->thickness) == FR_OK;
}

static void bodies_weight(const fr_scene_def *def, const fr_body_def *body, char text[96])
{
    const bool liquid = def->method == FR_METHOD_LIQUID;
    const double ratio = body->density.value / def->fluid.density;
    const char *fate = fabs(ratio - 1) < 1e-3 ? ", as dense as the liquid" : ratio < 1 ? ", floats" : ", sinks";
    if (body->mass > 0)
        snprintf(text, 96, "%.6g kg%s", body->mass, def->domain.dims == 2 ? " per metre" : "");
    else if (body->density.function)
        snprintf(text, 96, "density by a function");
    else
        snprintf(text, 96, "%.6g kg/m³%s", body->density.value, liquid ? fate : "");
}

static void bodies_describe(const remarks *to, int index, const body_size *size, double cell)
{
    const fr_scene_def *def = to->about->def;
    const fr_body_def *body = &def->bodies[index];
    char weight[96], from[48] = "";
    bodies_weight(def, body, weight);
    if (body->from > 0)
        snprintf(from, sizeof from, ", from %.6g s", body->from);
    remark(to, FR_REMARK_SIZE, "body", "%d%s%.40s: %s%s, %.3g cells thick", index + 1, body->name ? " " : "",
           body->name ? body->name : "", body->fixed ? "fixed" : weight, from, size->thickness / cell);
}

static bool bodies_is_rough(const body_size *size, double cell)
{
    return size->thickness < SAMPLE_CERTAIN * cell || size->longest < 3 * SAMPLE_CERTAIN * cell;
}

static void bodies_warn_size(const remarks *to, int index, const body_size *size, double cell)
{
    if (size->thickness < SAMPLE_CERTAIN * cell)
        remark_warn(
            to,
            "bodies[%d] is thinner than a cell (about %.3g m; a cell is %.3g m): the flow hardly feels it; make "
            "it thicker, or use more cells",
            index + 1, size->thickness, cell);
    else
        remark_warn(to,
                    "bodies[%d] is smaller than three cells (%.3g m; a cell is %.3g m): how it floats and turns is "
                    "rough; use more cells",
                    index + 1, size->longest, cell);
}

static bool bodies_is_pushed(const fr_body_def *body)
{
    bool pushed = body->force.function || body->torque.function;
    for (int a = 0; a < 3; a++)
        pushed = pushed || body->velocity[a] != 0 || body->spin[a] != 0 || body->force.value[a] != 0 ||
                 body->torque.value[a] != 0;
    return pushed;
}

static void bodies_each(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    const double cell = preview_least_spacing(to->about->estimate);
    int rough = 0;
    for (int i = 0; i < def->body_count && i < LOOKED_AT; i++) {
        body_size size;
        if (def->bodies[i].fixed && bodies_is_pushed(&def->bodies[i]))
            remark_warn(to, "bodies[%d] is fixed: its velocity, spin, force and torque have no effect", i + 1);
        if (!bodies_measure(&def->bodies[i], def->domain.dims, &size))
            continue;
        if (i < LISTED)
            bodies_describe(to, i, &size, cell);
        if (bodies_is_rough(&size, cell) && rough++ < LISTED)
            bodies_warn_size(to, i, &size, cell);
    }
    if (rough > LISTED)
        remark_warn(to, "%d more bodies are thinner than a cell or smaller than three", rough - LISTED);
    if (def->body_count > LISTED)
        remark(to, FR_REMARK_SIZE, "bodies", "%d in all", def->body_count);
}

static void bodies_joints(const remarks *to)
{
    static const char *const names[] = {"hinge", "ball joint", "slider"};
    const fr_scene_def *def = to->about->def;
    int count[3] = {0}, used = 0;
    char text[96] = "";
    for (int i = 0; i < def->joint_count; i++)
        count[def->joints[i].kind]++;
    for (int k = 0; k < 3; k++)
        if (count[k] > 0)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%d %s%s", used ? ", " : "", count[k], names[k],
                             count[k] > 1 ? "s" : "");
    if (used)
        remark(to, FR_REMARK_SIZE, "joints", "%s", text);
}

static void bodies_coupling(const remarks *to)
{
    static const char *const couplings[] = {
        [FR_COUPLING_MONOLITHIC] = "monolithic: the pressure and the bodies are found together",
        [FR_COUPLING_RIGID_FLUID] = "rigid_fluid: bodies are fluid that is then made rigid",
        [FR_COUPLING_ONE_WAY] = "one_way: bodies push the fluid and do not feel it",
        [FR_COUPLING_CARRIED] = "carried: bodies feel the fluid and do not push it",
    };
    remark(to, FR_REMARK_FLOW, "coupling", "%s", couplings[to->about->def->coupling]);
}

void remark_bodies(const remarks *to)
{
    if (to->about->def->body_count == 0)
        return;
    bodies_each(to);
    bodies_joints(to);
    bodies_coupling(to);
}
