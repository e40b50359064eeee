/* Natural convection in a square (de Vahl Davis 1983): hot wall x = 0 (T = 1), cold wall x = 1 (T = 0), floor and roof
   insulated, Pr 0.71, Boussinesq. Lengths in L, velocities in the free-fall speed √(gβΔT L), so that b = 1,
   ν = √(Pr/Ra), κ = 1/√(Ra Pr); the published velocities are in κ/L. The Nusselt number is the mean heat flux of a wall
   relative to pure conduction. The published one is the mean over the cavity, which is the same in a steady flow. Air
   by "smoke", and a tank full of liquid by "liquid". */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double prandtl = 0.71;

typedef struct heated_table {
    double rayleigh, nusselt;
    double u_max, y, v_max, x; /* largest velocities and their positions */
    bool judged;               /* must be within 1 %: the grid resolves the boundary layer */
} heated_table;

static const heated_table heated_tables[] = {
    {1e3, 1.118, 3.649, 0.813, 3.697, 0.178, true},
    {1e4, 2.243, 16.178, 0.823, 19.617, 0.119, true},
    {1e5, 4.519, 34.73, 0.855, 68.59, 0.066, true},
    {1e6, 8.800, 64.63, 0.850, 219.36, 0.0379, false},
};

static const heated_table *heated_find(double rayleigh)
{
    const heated_table *table = heated_tables;
    while (table->rayleigh != rayleigh)
        table++;
    return table;
}

/* −∂T/∂x at a wall, second order, from the wall's value and the two nearest samples. */
static double heated_flux(const fr_field *t, int j, bool hot)
{
    int64_t last = t->size[0] - 1;
    double wall = hot ? 1 : 0, first = validate_value(t, hot ? 0 : last, j, 0),
           second = validate_value(t, hot ? 1 : last - 1, j, 0);
    double inward = (-8 * wall + 9 * first - second) / 3; /* h ∂T/∂n towards the inside */
    return hot ? -inward : inward;
}

static double heated_nusselt(const fr_frame *frame, bool hot)
{
    const fr_field *t = fr_frame_field(frame, "temperature");
    double sum = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        sum += heated_flux(t, j, hot);
    return sum / frame->spacing[0] / frame->cells[1];
}

/* A velocity component in κ/L on a centreline: adds it to the plot and compares its maximum with the published one. */
static fr_result heated_profile(fr_world *world, int axis, double scale, double where, double published,
                                validate_record *record)
{
    const char *name = axis == 1 ? "u" : "v", *line = axis == 1 ? "x = 0.5" : "y = 0.5";
    char title[48];
    validate_extremes extremes;
    snprintf(title, sizeof title, "%s on %s", name, line);
    validate_panel_add(record, title, axis == 1 ? "y" : "x", "velocity in kappa/L");
    FR_TRY(validate_profile(world, name, axis, scale, validate_curve_add(record, false, "freshet"), &extremes));
    validate_point_add(validate_curve_add(record, true, "published maximum"), where, published);
    validate_row_add(
        record,
        (validate_row){.measured = extremes.most, .published = published, .rule = VALIDATE_RELATIVE, .limit = 0.01},
        "greatest %s on %s, in kappa/L", name, line);
    return FR_OK;
}

/* Runs until it is steady and judges what is seen on the walls and on the lines through the middle. */
static fr_result heated_measure(fr_world *world, const validate_case *self, validate_record *record)
{
    const heated_table *table = heated_find(self->number);
    double scale = sqrt(self->number * prandtl);
    validate_steady steady = {.change = 1e-6, .cap = 600};
    FR_TRY(validate_run_steady(world, self->name, &steady));
    const fr_frame *frame = fr_world_frame(world);
    double hot = heated_nusselt(frame, true), cold = heated_nusselt(frame, false);
    validate_rule rule = table->judged ? VALIDATE_RELATIVE : VALIDATE_REPORT;
    validate_row_add(record, (validate_row){.measured = hot, .published = table->nusselt, .rule = rule, .limit = 0.01},
                     "Nusselt number of the hot wall");
    validate_row_add(record,
                     (validate_row){.measured = cold / hot, .published = 1, .rule = VALIDATE_WITHIN, .limit = 1e-3},
                     "Nusselt number of the cold wall over it");
    FR_TRY(heated_profile(world, 1, scale, table->y, table->u_max, record));
    FR_TRY(heated_profile(world, 0, scale, table->x, table->v_max, record));
    validate_note_steady(record, &steady);
    if (!table->judged)
        validate_note(
            record,
            "the heat flux would miss the mark of 1 %% that the coarser cases keep: the layer on the wall, 0.03 wide, "
            "has four cells here");
    return FR_OK;
}

static fr_result heated_run(const validate_case *self, const fr_scene_def *def, validate_record *record)
{
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = heated_measure(world, self, record);
    fr_world_destroy(world);
    return result;
}

static const fr_scalar_value heated_hot = {.name = "temperature", .value.value = 1},
                             heated_cold = {.name = "temperature", .value.value = 0};

/* What both have in common. */
static void heated_set(fr_scene_def *def, double rayleigh)
{
    for (int side = 0; side < 4; side++)
        def->walls[side].kind = FR_WALL_NO_SLIP;
    def->walls[FR_LEFT].scalars = &heated_hot;
    def->walls[FR_RIGHT].scalars = &heated_cold;
    def->walls[FR_LEFT].scalar_count = def->walls[FR_RIGHT].scalar_count = 1;
    def->fluid.viscosity = sqrt(prandtl / rayleigh);
    def->time = (fr_time_def){.duration = 600, .fps = 1};
}

fr_result validate_heated_cavity(const validate_case *self, validate_record *record)
{
    fr_scene_def def = validate_box(2, 1, self->cells, FR_WALL_NO_SLIP);
    const fr_scalar_def heat = {.name = "temperature", .diffusion = 1 / sqrt(self->number * prandtl)};
    heated_set(&def, self->number);
    def.scalars = &heat;
    def.scalar_count = 1;
    def.smoke = (fr_smoke_def){.advection = VALIDATE_BEST, .buoyancy_temperature = 1, .ambient = 0.5};
    validate_note(record, "%d x %d equal cells, advection \"central\", steps as the program chooses them", self->cells,
                  self->cells);
    return heated_run(self, &def, record);
}

fr_result validate_heated_tank(const validate_case *self, validate_record *record)
{
    validate_liquid liquid;
    validate_liquid_full(&liquid, FR_LIQUID_LEVEL_SET, 2, (double[3]){1, 1, 0}, self->cells);
    heated_set(&liquid.def, self->number);
    liquid.def.gravity[1] = -1;
    liquid.def.heat =
        (fr_heat_def){.set = true, .diffusivity = 1 / sqrt(self->number * prandtl), .ambient = 0.5, .expansion = 1};
    validate_note(record, "%d x %d equal cells, level set, steps as the program chooses them", self->cells,
                  self->cells);
    return heated_run(self, &liquid.def, record);
}
