/* Flow between plates and down a wall, of liquid whose viscosity varies: the shear stress says what the profile is.

   Two layers under a moving plate (shared/validation/07_two_layer_couette.csv): the same stress in both, so that their
   slopes are as 1/ν. Between a hot and a cold plate, driven by a force G: ν(T(y)) u' = τ − G y, where τ lets u vanish
   on both. A film of thickness h on a wall (Nusselt 1916): u = g/ν (h x − x²/2). Pastes between plates (Bingham 1922;
   Ostwald & de Waele): at a distance d from the middle the stress is G d, and that is yield + ν γ̇^power. */
#include "validate/validate.h"

#include <math.h>

/* What the speed should be at a place from 0 to 1 across the channel. */
typedef struct channel_profile {
    const char *name;
    double (*at)(const void *of, double place);
    const void *of;
    double limit; /* how far it may be off, % of the greatest speed */
} channel_profile;

/* A periodic piece of a channel of 1 m between plates that hold the liquid. */
static void channel_make(validate_liquid *liquid, fr_liquid_surface surface, int cells)
{
    validate_liquid_full(liquid, surface, 2, (double[3]){4.0 / cells, 1, 0}, cells);
    fr_wall_def *walls = liquid->def.walls;
    walls[FR_LEFT].kind = walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    walls[FR_BOTTOM].kind = walls[FR_TOP].kind = FR_WALL_NO_SLIP;
}

static void channel_start(validate_liquid *liquid, const fr_scalar_value *temperature)
{
    liquid->def.initial = temperature;
    liquid->def.initial_count = 1;
}

/* Runs to the end; returns by how much the speed differs at most, over the largest speed. Adds it to `curve` if there
   is one. */
static fr_result channel_run(const validate_case *self, const fr_scene_def *def, channel_profile exact,
                             validate_curve *curve, double *worst)
{
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = validate_frame(world, self->name);
    double off = 0, most = 0;
    for (int j = 0; j < self->cells && result == FR_OK; j++) {
        const double y = (j + 0.5) / self->cells, u = validate_velocity(fr_world_frame(world), 0, 1, j, 0);
        off = fmax(off, fabs(u - exact.at(exact.of, y)));
        most = fmax(most, fabs(exact.at(exact.of, y)));
        if (curve)
            validate_point_add(curve, y, u);
    }
    *worst = off / most;
    fr_world_destroy(world);
    return result;
}

static void channel_marks(validate_record *record, channel_profile exact)
{
    validate_curve *marks = validate_curve_add(record, true, "exact");
    for (int j = 0; j <= 40; j++)
        validate_point_add(marks, j / 40.0, exact.at(exact.of, j / 40.0));
}

/* The same flow by every tracker; the first one's profile is drawn. */
static fr_result channel_judge(const validate_case *self, validate_liquid *liquid, channel_profile exact,
                               validate_record *record)
{
    validate_curve *curve = validate_curve_add(record, false, "freshet");
    channel_marks(record, exact);
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        validate_row row = {.published = NAN, .rule = VALIDATE_AT_MOST, .limit = exact.limit};
        liquid->def.liquid.surface = validate_trackers[t].surface;
        FR_TRY(channel_run(self, &liquid->def, exact, t == 0 ? curve : NULL, &row.measured));
        row.measured *= 100;
        validate_row_add(record, row, "%s, %s: off by, %% of the greatest speed", exact.name,
                         validate_trackers[t].name);
    }
    return FR_OK;
}

/* Two layers. */

static fr_result layers_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] < 0.5 ? 1 : -1;
    return FR_OK;
}

static double layers_speed(const void *of, double y)
{
    const double ratio = *(const double *)of, between = ratio / (1 + ratio);
    return y < 0.5 ? 2 * between * y : 1 - 2 * (1 - between) * (1 - y);
}

fr_result validate_melting_couette(const validate_case *self, validate_record *record)
{
    const fr_scalar_value start = {.name = "temperature", .value.function = layers_temperature};
    const double ratios[] = {100, 1e4};
    const char *const names[] = {"1 : 100", "1 : 10000"};
    for (int r = 0; r < 2; r++) {
        validate_liquid liquid;
        channel_make(&liquid, FR_LIQUID_LEVEL_SET, self->cells);
        channel_start(&liquid, &start);
        liquid.def.walls[FR_TOP].velocity.value[0] = 1;
        liquid.def.heat = (fr_heat_def){.set = true, .melt = {.set = true, .solid = ratios[r], .liquid = 1}};
        liquid.def.time = (fr_time_def){.duration = 2, .fps = 0.5, .dt = 0.02};
        validate_panel_add(record, r ? "upper layer 10000 times as viscous" : "upper layer 100 times as viscous", "y",
                           "u");
        FR_TRY(channel_judge(self, &liquid, (channel_profile){names[r], layers_speed, &ratios[r], 0.2}, record));
    }
    validate_note(record, "hot and thin below, cold and thick above; the upper plate moves");
    return FR_OK;
}

/* Hot and cold plates. */

static const double HEATED_FORCE = 8, HEATED_RATIO = 100; /* m/s², of the viscosities at the plates */

/* ∫ (a + b y)/ν dy from 0 to y by Simpson's rule; ν = ratio^y. */
static double heated_integral(double a, double b, double end)
{
    enum { PIECES = 400 };
    double sum = 0;
    for (int i = 0; i <= PIECES; i++) {
        const double y = end * i / PIECES, weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * (a + b * y) / pow(HEATED_RATIO, y);
    }
    return sum * end / (3 * PIECES);
}

static double heated_speed(const void *of, double y)
{
    (void)of;
    const double stress = heated_integral(0, HEATED_FORCE, 1) / heated_integral(1, 0, 1);
    return heated_integral(stress, -HEATED_FORCE, y);
}

fr_result validate_melting_poiseuille(const validate_case *self, validate_record *record)
{
    const fr_scalar_value hot = {.name = "temperature", .value.value = 1},
                          cold = {.name = "temperature", .value.value = 0},
                          start = {.name = "temperature", .value.value = 0.5};
    const fr_force_def push = {.value.value = {HEATED_FORCE, 0, 0}};
    validate_liquid liquid;
    channel_make(&liquid, FR_LIQUID_LEVEL_SET, self->cells);
    channel_start(&liquid, &start);
    liquid.def.walls[FR_BOTTOM].scalars = &hot;
    liquid.def.walls[FR_TOP].scalars = &cold;
    liquid.def.walls[FR_BOTTOM].scalar_count = liquid.def.walls[FR_TOP].scalar_count = 1;
    liquid.def.forces = &push;
    liquid.def.force_count = 1;
    liquid.def.heat = (fr_heat_def){
        .set = true, .diffusivity = 1, .melt = {.set = true, .to = 1, .solid = HEATED_RATIO, .liquid = 1}};
    liquid.def.time = (fr_time_def){.duration = 3, .fps = 1.0 / 3, .dt = 0.02};
    validate_panel_add(record, "between a hot (y = 0) and a cold plate (y = 1)", "y (m)", "u (m/s)");
    FR_TRY(channel_judge(self, &liquid, (channel_profile){"u", heated_speed, NULL, 0.5}, record));
    validate_note(record,
                  "viscosity 1 m2/s at the hot plate, %g at the cold one, its logarithm linear in the temperature; the "
                  "liquid starts lukewarm and at rest",
                  HEATED_RATIO);
    return FR_OK;
}

/* Pastes. */

#define PASTE_FORCE 8.0 /* m/s² */

typedef struct paste {
    const char *name;
    double yield, power; /* m²/s², with a viscosity of 1 m²/s at 1/s */
} paste;

/* One of the two is ordinary. In the middle of a paste with a yield stress a plug goes along as a whole. */
static double paste_speed(const void *of, double y)
{
    const paste *p = of;
    const double d = fabs(y - 0.5), n = 1 + 1 / p->power, plug = fmin(p->yield / PASTE_FORCE, 0.5);
    return pow(PASTE_FORCE, 1 / p->power) / n * (pow(0.5 - plug, n) - pow(fmax(d - plug, 0), n));
}

static const fr_force_def paste_push = {.value.value = {PASTE_FORCE, 0, 0}};

static void paste_make(validate_liquid *liquid, const paste *p, int cells)
{
    channel_make(liquid, FR_LIQUID_LEVEL_SET, cells);
    liquid->def.forces = &paste_push;
    liquid->def.force_count = 1;
    liquid->def.fluid.viscosity = 1;
    liquid->def.fluid.yield = p->yield;
    liquid->def.fluid.power = p->power;
    liquid->def.time = (fr_time_def){.duration = 4, .fps = 0.25, .dt = 0.01};
}

static fr_result paste_run(const validate_case *self, validate_record *record, const paste *p)
{
    validate_liquid liquid;
    paste_make(&liquid, p, self->cells);
    validate_panel_add(record, p->name, "y (m)", "u (m/s)");
    FR_TRY(channel_judge(self, &liquid, (channel_profile){p->name, paste_speed, p, 2}, record));
    const validate_curve *curve = &record->panels[record->panel_count - 1].curves[0];
    validate_row row = {.published = paste_speed(p, 0.5), .rule = VALIDATE_RELATIVE, .limit = 0.02};
    row.measured = curve->y[self->cells / 2];
    validate_row_add(record, row, "%s: speed in the middle, m/s", p->name);
    return FR_OK;
}

/* Pushed too weakly, nothing moves: the stress on the plates is 4 m²/s². */
static fr_result paste_hold(const validate_case *self, validate_record *record)
{
    const paste p = {"yield 4.1", 4.1, 1};
    validate_liquid liquid;
    paste_make(&liquid, &p, self->cells);
    fr_world *world;
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = validate_frame(world, self->name);
    validate_row row = {.published = 0, .rule = VALIDATE_WITHIN, .limit = 1e-4};
    row.measured = validate_velocity(fr_world_frame(world), 0, 1, self->cells / 2, 0);
    validate_row_add(record, row, "%s: speed in the middle, m/s (1 without a yield stress)", p.name);
    fr_world_destroy(world);
    return result;
}

fr_result validate_melting_bingham(const validate_case *self, validate_record *record)
{
    const paste pastes[] = {{"yield 1/2", 0.5, 1}, {"yield 1", 1, 1}, {"yield 2", 2, 1}, {"yield 3", 3, 1}};
    for (int n = 0; n < 4; n++)
        FR_TRY(paste_run(self, record, &pastes[n]));
    FR_TRY(paste_hold(self, record));
    validate_note(record, "viscosity 1 m2/s, force %g m/s2: the stress on the plates is %g m2/s2; yields in m2/s2",
                  PASTE_FORCE, PASTE_FORCE / 2);
    return FR_OK;
}

fr_result validate_melting_power_law(const validate_case *self, validate_record *record)
{
    const paste pastes[] = {{"power 0.5", 0, 0.5}, {"power 0.7", 0, 0.7}, {"power 1.5", 0, 1.5}};
    for (int n = 0; n < 3; n++)
        FR_TRY(paste_run(self, record, &pastes[n]));
    validate_note(record, "viscosity 1 m2/s at a shear rate of 1/s, force %g m/s2", PASTE_FORCE);
    return FR_OK;
}

/* A film on a wall. */

static const double FILM_THICKNESS = 0.51, FILM_GRAVITY = 9.81, FILM_VISCOSITY = 1; /* m, m/s², m²/s */

static double film_speed(double x)
{
    const double within = fmin(x, FILM_THICKNESS);
    return -FILM_GRAVITY / FILM_VISCOSITY * (FILM_THICKNESS * within - 0.5 * within * within);
}

/* The largest error of a speed in the film, and the flux by the speeds, over the exact ones. */
static void film_judge(validate_record *record, const validate_tracker *tracker, const fr_frame *frame,
                       validate_curve *curve)
{
    const double h = frame->spacing[0], flux = FILM_GRAVITY * pow(FILM_THICKNESS, 3) / (3 * FILM_VISCOSITY);
    double off = 0, sum = 0;
    for (int i = 0; i < frame->cells[0]; i++) {
        const double x = (i + 0.5) * h, v = validate_velocity(frame, 1, i, 2, 0),
                     share = validate_share(frame, i, 2, 0);
        if (x < FILM_THICKNESS)
            off = fmax(off, fabs(v - film_speed(x)) / fabs(film_speed(FILM_THICKNESS)));
        sum -= share * v * h;
        if (curve && share > 0)
            validate_point_add(curve, x, -v);
    }
    validate_row row = {.measured = 100 * off, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1};
    validate_row_add(record, row, "%s: off by, %% of the speed of the surface", tracker->name);
    row = (validate_row){.measured = sum, .published = flux, .rule = VALIDATE_RELATIVE, .limit = 0.01};
    validate_row_add(record, row, "%s: flux, m2/s", tracker->name);
}

fr_result validate_melting_film(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "a film on a wall at x = 0", "x (m)", "speed downwards (m/s)");
    validate_curve *curve = validate_curve_add(record, false, "freshet");
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        validate_liquid liquid;
        validate_liquid_full(&liquid, validate_trackers[t].surface, 2, (double[3]){1, 4.0 / self->cells, 0},
                             self->cells);
        liquid.shape.max[0] = FILM_THICKNESS;
        liquid.def.gravity[1] = -FILM_GRAVITY;
        liquid.def.fluid.viscosity = FILM_VISCOSITY;
        liquid.def.walls[FR_LEFT].kind = FR_WALL_NO_SLIP;
        liquid.def.walls[FR_BOTTOM].kind = liquid.def.walls[FR_TOP].kind = FR_WALL_PERIODIC;
        liquid.def.time = (fr_time_def){.duration = 2, .fps = 0.5, .dt = 0.01};
        fr_world *world;
        FR_TRY(fr_world_create(&liquid.def, &world));
        fr_result result = validate_frame(world, self->name);
        if (result == FR_OK)
            film_judge(record, &validate_trackers[t], fr_world_frame(world), t == 0 ? curve : NULL);
        fr_world_destroy(world);
        FR_TRY(result);
    }
    validate_curve *marks = validate_curve_add(record, true, "Nusselt");
    for (int i = 0; i <= 40; i++)
        validate_point_add(marks, FILM_THICKNESS * i / 40, -film_speed(FILM_THICKNESS * i / 40));
    validate_note(record, "%.3g m thick, %d cells along 1 m, so that the surface lies within cells; periodic along it",
                  FILM_THICKNESS, self->cells);
    return FR_OK;
}
