/* Lid-driven cavity: unit square, the lid moves with u = 1, ν = 1/Re. Centreline profiles of the steady flow against
   tables: Ghia, Ghia & Shin 1982 (tables I and II) and, at Re 1000, Botella & Peyret 1998 (tables 9 and 10, the lid turned
   round), a Chebyshev solution good to seven digits. Ghia's own tables are off by up to 0.003 at Re 100 and 0.011 at
   Re 1000. Two misprints of theirs are mended: u(0.4531) at Re 3200 is −0.086636. */
#include "validate.h"

#include <math.h>

enum { CAVITY_POINTS = 15 };

typedef struct cavity_table {
    double reynolds;
    double limit;            /* greatest deviation allowed */
    double u[CAVITY_POINTS], v[CAVITY_POINTS];
} cavity_table;

static const double cavity_y[CAVITY_POINTS] = {0.9766, 0.9688, 0.9609, 0.9531, 0.8516, 0.7344, 0.6172, 0.5,
                                               0.4531, 0.2813, 0.1719, 0.1016, 0.0703, 0.0625, 0.0547};
static const double cavity_x[CAVITY_POINTS] = {0.9688, 0.9609, 0.9531, 0.9453, 0.9063, 0.8594, 0.8047, 0.5,
                                               0.2344, 0.2266, 0.1563, 0.0938, 0.0781, 0.0703, 0.0625};

static const cavity_table cavity_tables[] = {
    {100, 0.005,
     {0.84123, 0.78871, 0.73722, 0.68717, 0.23151, 0.00332, -0.13641, -0.20581, -0.2109, -0.15662, -0.1015, -0.06434, -0.04775, -0.04192, -0.03717},
     {-0.05906, -0.07391, -0.08864, -0.10313, -0.16914, -0.22445, -0.24533, 0.05454, 0.17527, 0.17507, 0.16077, 0.12317, 0.1089, 0.10091, 0.09233}},
    {1000, 0.01,
     {0.6644227, 0.5808359, 0.5169277, 0.4723329, 0.3372212, 0.1886747, 0.0570178, -0.0620561, -0.1081999, -0.2803696, -0.3885691, -0.3004561,
      -0.2228955, -0.20233, -0.1812881},
     {-0.2279225, -0.2936869, -0.3553213, -0.4103754, -0.5264392, -0.4264545, -0.3202137, 0.0257995, 0.3253592, 0.3339924, 0.3769189, 0.3330442,
      0.3099097, 0.2962703, 0.2807056}},
    {3200, 0.03,
     {0.53236, 0.48296, 0.46547, 0.46101, 0.34682, 0.19791, 0.07156, -0.04272, -0.086636, -0.24427, -0.34323, -0.41933, -0.37827, -0.35344, -0.32407},
     {-0.39017, -0.47425, -0.52357, -0.54053, -0.44307, -0.37401, -0.31184, 0.00999, 0.28188, 0.2903, 0.37119, 0.42768, 0.41906, 0.40917, 0.3956}},
};

static const cavity_table *cavity_find(double reynolds)
{
    const cavity_table *table = cavity_tables;
    while (table->reynolds != reynolds)
        table++;
    return table;
}

/* A profile through the middle: u over y (axis 1) or v over x (axis 0), beside the table; the greatest deviation. */
static fr_result cavity_profile(fr_world *world, int axis, const double *place, const double *published, validate_record *record)
{
    const char *name = axis == 1 ? "u" : "v";
    validate_panel_add(record, axis == 1 ? "u on x = 0.5" : "v on y = 0.5", axis == 1 ? "y" : "x", axis == 1 ? "u" : "v");
    validate_curve *ours = validate_curve_add(record, false, "freshet");
    for (int i = 0; i <= 200; i++) {
        double at[3] = {0.5, 0.5, 0}, value;
        at[axis] = i / 200.0;
        FR_TRY(fr_world_probe(world, name, at, &value));
        validate_point_add(ours, at[axis], value);
    }
    validate_curve *theirs = validate_curve_add(record, true, "published");
    double most = 0;
    for (int i = 0; i < CAVITY_POINTS; i++) {
        double at[3] = {0.5, 0.5, 0}, value;
        at[axis] = place[i];
        FR_TRY(fr_world_probe(world, name, at, &value));
        validate_point_add(theirs, place[i], published[i]);
        most = fmax(most, fabs(value - published[i]));
    }
    validate_row row = {.measured = most, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = cavity_find(record->of->number)->limit};
    validate_row_add(record, row, "%s on %s = 0.5, greatest deviation of %d points", name, axis == 1 ? "x" : "y", CAVITY_POINTS);
    return FR_OK;
}

/* The least u on x = 0.5 and the extremes of v on y = 0.5, by a parabola through the three samples around them. */
static fr_result cavity_extreme(fr_world *world, int axis, double sign, int cells, double *extreme)
{
    const char *name = axis == 1 ? "u" : "v";
    double value[3] = {0, 0, 0}, best = -INFINITY;
    for (int i = 1; i < cells - 1; i++) {
        double near[3];
        for (int n = 0; n < 3; n++) {
            double at[3] = {0.5, 0.5, 0};
            at[axis] = (i + n - 0.5) / cells;
            FR_TRY(fr_world_probe(world, name, at, &near[n]));
        }
        if (sign * near[1] > best) {
            best = sign * near[1];
            for (int n = 0; n < 3; n++)
                value[n] = near[n];
        }
    }
    double slope = (value[2] - value[0]) / 2, bend = value[2] - 2 * value[1] + value[0];
    *extreme = value[1] - (bend != 0 ? slope * slope / (2 * bend) : 0);
    return FR_OK;
}

/* Botella & Peyret's extremes; the table of Re 100 has those of Marchi, Suero & Araki 2009 (1024² and extrapolation). */
static fr_result cavity_extremes(fr_world *world, const validate_case *self, validate_record *record)
{
    static const struct { double reynolds, u_min, v_max, v_min; } known[] = {{100, -0.2140417, 0.1795728, -0.253803},
                                                                            {1000, -0.3885698, 0.3769447, -0.5270771}};
    for (int i = 0; i < 2; i++) {
        if (known[i].reynolds != self->number)
            continue;
        validate_row rows[3] = {{.published = known[i].u_min}, {.published = known[i].v_max}, {.published = known[i].v_min}};
        FR_TRY(cavity_extreme(world, 1, -1, self->cells, &rows[0].measured));
        FR_TRY(cavity_extreme(world, 0, 1, self->cells, &rows[1].measured));
        FR_TRY(cavity_extreme(world, 0, -1, self->cells, &rows[2].measured));
        static const char *const names[] = {"least u on x = 0.5", "greatest v on y = 0.5", "least v on y = 0.5"};
        for (int r = 0; r < 3; r++)
            validate_row_add(record, rows[r], "%s (%s)", names[r], i == 0 ? "Marchi et al. 2009" : "Botella & Peyret 1998");
    }
    return FR_OK;
}

static fr_result cavity_measure(fr_world *world, const validate_case *self, validate_record *record)
{
    validate_steady steady = {.change = 1e-6, .cap = 200};
    FR_TRY(validate_run_steady(world, self->name, &steady));
    const cavity_table *table = cavity_find(self->number);
    FR_TRY(cavity_profile(world, 1, cavity_y, table->u, record));
    FR_TRY(cavity_profile(world, 0, cavity_x, table->v, record));
    FR_TRY(cavity_extremes(world, self, record));
    validate_note(record, "%d x %d cells, advection \"central\", steps as the program chooses them", self->cells, self->cells);
    validate_note_steady(record, &steady);
    return FR_OK;
}

fr_result validate_cavity(const validate_case *self, validate_record *record)
{
    fr_scene_def def = validate_box(2, 1, self->cells, FR_WALL_NO_SLIP);
    def.walls[FR_TOP].velocity.value[0] = 1;
    def.fluid.viscosity = 1 / self->number;
    def.time = (fr_time_def){.duration = 200, .fps = 1};
    def.smoke.advection = VALIDATE_BEST;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = cavity_measure(world, self, record);
    fr_world_destroy(world);
    return result;
}
