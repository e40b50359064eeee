/* Start-up flow between two plane walls (ν = 1, width 1), driven from t = 0 on by the upper wall,

     u = y + Σ 2 (−1)ⁿ/(nπ) exp(−n²π²t) sin nπy,

   or by a body force G = 8, with the steady state u = 4 y (1 − y),

     u = 4 y (1 − y) − Σ_odd 32/(nπ)³ exp(−n²π²t) sin nπy.

   The second case also with SPH. */
#include "validate/validate.h"

#include <math.h>

enum { CHANNEL_TIMES = 5, CHANNEL_TERMS = 200, CHANNEL_GRIDS = 3 };
static const double channel_times[CHANNEL_TIMES] = {0.02, 0.05, 0.1, 0.2, 0.4};

typedef double (*channel_exact)(double y, double t);

static double channel_couette(double y, double t)
{
    double sum = y;
    for (int n = 1; n < CHANNEL_TERMS; n++)
        sum += (n % 2 ? -2 : 2) / (n * VALIDATE_PI) * exp(-n * n * VALIDATE_PI * VALIDATE_PI * t) *
               sin(n * VALIDATE_PI * y);
    return sum;
}

static double channel_poiseuille(double y, double t)
{
    double sum = 4 * y * (1 - y);
    for (int n = 1; n < CHANNEL_TERMS; n += 2)
        sum -= 32 / pow(n * VALIDATE_PI, 3) * exp(-n * n * VALIDATE_PI * VALIDATE_PI * t) * sin(n * VALIDATE_PI * y);
    return sum;
}

/* The largest error at the current time. Adds the profile to the plot if a record is given. */
static fr_result channel_error(fr_world *world, channel_exact exact, int cells, validate_record *record, double *most)
{
    double t = fr_world_time(world);
    validate_curve *curve = record ? validate_curve_add(record, false, "t = %.2g", t) : NULL;
    for (int j = 0; j < cells; j++) {
        double at[3] = {0.25, (j + 0.5) / cells, 0}, value;
        FR_TRY(fr_world_probe(world, "u", at, &value));
        *most = fmax(*most, fabs(value - exact(at[1], t)));
        if (curve)
            validate_point_add(curve, at[1], value);
    }
    return FR_OK;
}

/* Runs to t = 0.4; returns the largest error over all times. */
static fr_result channel_run(const validate_case *self, fr_scene_def *def, channel_exact exact, validate_record *record,
                             double *most)
{
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = FR_OK;
    *most = 0;
    for (int i = 0; i < CHANNEL_TIMES && result == FR_OK; i++) {
        while (result == FR_OK && fr_world_time(world) < channel_times[i] - 1e-6)
            result = validate_frame(world, self->name);
        if (result == FR_OK)
            result = channel_error(world, exact, def->domain.cells[1], record, most);
    }
    fr_world_destroy(world);
    return result;
}

static void channel_marks(validate_record *record, channel_exact exact)
{
    validate_curve *marks = validate_curve_add(record, true, "exact");
    for (int i = 0; i < CHANNEL_TIMES; i++)
        for (int j = 0; j <= 20; j++)
            validate_point_add(marks, j / 20.0, exact(j / 20.0, channel_times[i]));
}

/* Runs three grids with Δt ∝ h², so that the order of accuracy in space shows whatever the order in time. */
static fr_result channel_grids(const validate_case *self, fr_scene_def *def, channel_exact exact,
                               validate_record *record)
{
    double errors[CHANNEL_GRIDS];
    def->time = (fr_time_def){.duration = 0.4, .fps = 100};
    def->fluid.viscosity = 1;
    def->walls[FR_LEFT].kind = def->walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    def->smoke.advection = VALIDATE_BEST;
    validate_panel_add(record, "velocity between the walls, 32 cells (lines) and exact (marks)", "y", "u");
    for (int g = 0; g < CHANNEL_GRIDS; g++) {
        int cells = 8 << g;
        def->domain = (fr_domain_def){.dims = 2, .size = {0.5, 1, 0}, .cells = {4, cells, 0}};
        def->time.dt = 0.2 / (cells * cells);
        FR_TRY(channel_run(self, def, exact, g == CHANNEL_GRIDS - 1 ? record : NULL, &errors[g]));
        validate_report(record, errors[g], NAN, "greatest error, %d cells", cells);
    }
    channel_marks(record, exact);
    for (int g = 0; g + 1 < CHANNEL_GRIDS; g++) {
        validate_row row = {.measured = validate_order(errors[g], errors[g + 1]),
                            .published = 2,
                            .rule = VALIDATE_AT_LEAST,
                            .limit = 1.8};
        validate_row_add(record, row, "order, %d to %d cells", 8 << g, 16 << g);
    }
    validate_note(
        record,
        "errors are the greatest at t = 0.02, 0.05, 0.1, 0.2 and 0.4; the step is a fifth of the square of a cell");
    return FR_OK;
}

fr_result validate_couette(const validate_case *self, validate_record *record)
{
    fr_scene_def def = validate_box(2, 1, 8, FR_WALL_NO_SLIP);
    def.walls[FR_TOP].velocity.value[0] = 1;
    return channel_grids(self, &def, channel_couette, record);
}

fr_result validate_poiseuille(const validate_case *self, validate_record *record)
{
    fr_scene_def def = validate_box(2, 1, 8, FR_WALL_NO_SLIP);
    const fr_force_def push = {.value.value = {8, 0, 0}};
    def.forces = &push;
    def.force_count = 1;
    return channel_grids(self, &def, channel_poiseuille, record);
}

/* The largest error of a particle's velocity. Adds means over layers one spacing thick to the plot. */
static double channel_error_sph(const fr_frame *frame, validate_curve *curve)
{
    enum { MOST = 64 };
    double most = 0, height[MOST] = {0}, speed[MOST] = {0}, count[MOST] = {0};
    for (int64_t n = 0; n < frame->particle_count; n++) {
        double y = validate_particle(&frame->particles, n)[1], u = validate_particle(&frame->particle_velocity, n)[0];
        int layer = (int)fmin(y / frame->particle_spacing, MOST - 1);
        height[layer] += y;
        speed[layer] += u;
        count[layer] += 1;
        most = fmax(most, fabs(u - channel_poiseuille(y, frame->time)));
    }
    for (int i = 0; i < MOST; i++)
        if (count[i] > 0)
            validate_point_add(curve, height[i] / count[i], speed[i] / count[i]);
    return most;
}

static fr_result channel_follow_sph(fr_world *world, const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "velocity between the walls, particles (lines) and exact (marks)", "y", "u");
    for (int i = 0; i < CHANNEL_TIMES; i++) {
        while (fr_world_time(world) < channel_times[i] - 1e-6)
            FR_TRY(validate_frame(world, self->name));
        double error =
            channel_error_sph(fr_world_frame(world), validate_curve_add(record, false, "t = %.2g", channel_times[i]));
        validate_row_add(record,
                         (validate_row){.measured = error, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 0.05},
                         "greatest error of a particle's speed at t = %.2g, over the final one", channel_times[i]);
    }
    channel_marks(record, channel_poiseuille);
    return FR_OK;
}

fr_result validate_poiseuille_sph(const validate_case *self, validate_record *record)
{
    validate_liquid liquid;
    validate_liquid_make(&liquid, 2, (double[3]){0.5, 1, 0}, (double[3]){0}, (double[3]){0.5, 1, 0}, 1.0 / self->cells);
    fr_scene_def *def = &liquid.def;
    const fr_force_def push = {.value.value = {8, 0, 0}};
    def->forces = &push;
    def->force_count = 1;
    def->gravity[1] = 0;
    def->walls[FR_LEFT].kind = def->walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    def->walls[FR_BOTTOM].kind = def->walls[FR_TOP].kind = FR_WALL_NO_SLIP;
    def->fluid.viscosity = 1;
    def->sph.damping = 0;   /* no artificial viscosity */
    def->sph.support = 2;
    def->time = (fr_time_def){.duration = 0.4, .fps = 100};
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = channel_follow_sph(world, self, record);
    fr_world_destroy(world);
    validate_note(record,
                  "%d spacings between the walls, steps as the program chooses them, dfsph with a support of two "
                  "spacings and no damping",
                  self->cells);
    return result;
}
