/* A blob whose viscosity goes from 0.1 to 1e4 m²/s across it, in empty space: stresses within it can neither turn nor
   push it (shared/validation/07_viscous_invariants.csv). It turns as it would without viscosity, and falls as stones
   do. ∇·(ν∇u) instead of the full stress brakes what turns. */
#include "validate/validate.h"

#include <math.h>

static const double BLOB_RADIUS = 0.3, BLOB_TURN = 2, BLOB_GRAVITY = 9.81; /* m, 1/s, m/s² */

enum { SPIN_FRAMES = 40 }; /* a turn */

/* Across the blob, from −1 to 1; the context is its radius. */
static fr_result blob_temperature(void *context, const double *args, double *out)
{
    *out = args[0] / *(const double *)context;
    return FR_OK;
}

static fr_result blob_velocity(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = -BLOB_TURN * args[1];
    out[1] = BLOB_TURN * args[0];
    out[2] = 0;
    return FR_OK;
}

/* A disc about the origin in a box of 1 m × `height` about it, `cells` along the longer side. */
static void blob_make(validate_liquid *liquid, fr_liquid_surface surface, double height, double radius, int cells)
{
    validate_liquid_full(liquid, surface, 2, (double[3]){1, height, 0}, cells);
    liquid->shape = fr_default_shape(FR_SHAPE_SPHERE);
    liquid->shape.radius = radius;
    liquid->def.domain.origin[0] = -0.5;
    liquid->def.domain.origin[1] = -height / 2;
}

/* From 0.1 to 1e4 across it. `heat` must outlive the definition. */
static void blob_mix(validate_liquid *liquid, fr_scalar_value *heat, const double *radius)
{
    *heat = (fr_scalar_value){.name = "temperature",
                              .value = {.function = blob_temperature, .context = (void *)(uintptr_t)radius}};
    liquid->def.initial = heat;
    liquid->def.initial_count = 1;
    liquid->def.heat =
        (fr_heat_def){.set = true, .melt = {.set = true, .from = -1, .to = 1, .solid = 1e4, .liquid = 0.1}};
}

/* About the origin, over the density: m⁴/s per metre of depth. */
static double blob_angular(const fr_frame *frame)
{
    double sum = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            const double x = frame->origin[0] + (i + 0.5) * frame->spacing[0],
                         y = frame->origin[1] + (j + 0.5) * frame->spacing[1];
            const double u = 0.5 * (validate_velocity(frame, 0, i, j, 0) + validate_velocity(frame, 0, i + 1, j, 0)),
                         v = 0.5 * (validate_velocity(frame, 1, i, j, 0) + validate_velocity(frame, 1, i, j + 1, 0));
            sum += validate_share(frame, i, j, 0) * (x * v - y * u);
        }
    return sum * validate_area(frame, 0, 0);
}

typedef struct spin_way {
    fr_liquid_surface surface;
    bool viscous;
    fr_stress stress;
    validate_curve *curve; /* of the share that is left; NULL: not drawn */
} spin_way;

typedef struct spin_seen {
    double step, early, turn; /* the share of the angular momentum after a step, a tenth of a turn and a whole one */
} spin_seen;

static fr_result spin_follow(fr_world *world, const validate_case *self, const spin_way *way, spin_seen *seen)
{
    const double before = blob_angular(fr_world_frame(world));
    for (int f = 1; f <= SPIN_FRAMES; f++) {
        FR_TRY(validate_frame(world, self->name));
        seen->turn = blob_angular(fr_world_frame(world)) / before;
        if (f == SPIN_FRAMES / 10)
            seen->early = seen->turn;
        if (way->curve)
            validate_point_add(way->curve, (double)f / SPIN_FRAMES, seen->turn);
    }
    return FR_OK;
}

/* One step, so short that only the viscosity acts, 2300 times as strong as it would have to be for explicit steps. */
static fr_result spin_step(const fr_scene_def *scene, spin_seen *seen)
{
    fr_scene_def def = *scene;
    fr_world *world;
    def.time = (fr_time_def){.duration = 1e-4, .fps = 1e4};
    FR_TRY(fr_world_create(&def, &world));
    const double before = blob_angular(fr_world_frame(world));
    fr_result result = fr_world_step_frame(world);
    seen->step = blob_angular(fr_world_frame(world)) / before;
    fr_world_destroy(world);
    return result;
}

static fr_result spin_run(const validate_case *self, const spin_way *way, spin_seen *seen)
{
    const double turn = 2 * VALIDATE_PI / BLOB_TURN;
    fr_scalar_value heat;
    validate_liquid liquid;
    blob_make(&liquid, way->surface, 1, BLOB_RADIUS, self->cells);
    liquid.fill.velocity.function = blob_velocity;
    liquid.def.solver.stress = way->stress;
    liquid.def.time = (fr_time_def){.duration = turn, .fps = SPIN_FRAMES / turn, .dt = turn / (4 * SPIN_FRAMES)};
    if (way->viscous)
        blob_mix(&liquid, &heat, &BLOB_RADIUS);
    fr_world *world;
    FR_TRY(spin_step(&liquid.def, seen));
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = spin_follow(world, self, way, seen);
    fr_world_destroy(world);
    return result;
}

static void spin_rows(validate_record *record, const validate_tracker *tracker, const spin_seen *full,
                      const spin_seen *without)
{
    /* Parcels do not tell the grid of a turn to the last digit: that leaves something for the viscosity to do. */
    const bool parcels = tracker->surface == FR_LIQUID_FLIP || tracker->surface == FR_LIQUID_APIC;
    const validate_rule rule = parcels ? VALIDATE_REPORT : VALIDATE_AT_MOST;
    validate_row row = {.measured = fabs(full->step - without->step), .published = NAN, .rule = rule, .limit = 1e-6};
    validate_row_add(record, row, "%s: taken by the viscosity in one step", tracker->name);
    row = (validate_row){.measured = full->early, .published = without->early, .rule = VALIDATE_WITHIN, .limit = 0.01};
    validate_row_add(record, row, "%s: left after a tenth of a turn", tracker->name);
    row = (validate_row){.measured = full->turn, .published = without->turn, .rule = VALIDATE_AT_LEAST};
    row.limit = without->turn;
    validate_row_add(record, row, "%s: left after a turn", tracker->name);
}

static fr_result spin_judge(const validate_case *self, const validate_tracker *tracker, validate_record *record)
{
    spin_way way = {.surface = tracker->surface};
    spin_seen without, full, laplacian;
    FR_TRY(spin_run(self, &way, &without));
    way.viscous = true;
    way.curve = validate_curve_add(record, false, "%s", tracker->name);
    FR_TRY(spin_run(self, &way, &full));
    way.stress = FR_STRESS_LAPLACIAN;
    way.curve = tracker->surface == FR_LIQUID_APIC ? validate_curve_add(record, false, "apic, laplacian") : NULL;
    FR_TRY(spin_run(self, &way, &laplacian));
    spin_rows(record, tracker, &full, &without);
    validate_row row = {
        .measured = without.step - laplacian.step, .published = NAN, .rule = VALIDATE_AT_LEAST, .limit = 0.01};
    validate_row_add(record, row, "%s: taken by \"laplacian\" in one step", tracker->name);
    return FR_OK;
}

fr_result validate_melting_spin(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "a blob of 0.1 to 10000 m2/s turns once", "turns", "share of its angular momentum");
    for (int t = 0; t < VALIDATE_TRACKERS; t++)
        FR_TRY(spin_judge(self, &validate_trackers[t], record));
    validate_note(record, "shares of the angular momentum; published: of the same tracker without viscosity");
    validate_note(record, "a disc of radius %g m, %d cells along 1 m, %d steps a turn; single steps of 1e-4 s",
                  BLOB_RADIUS, self->cells, 4 * SPIN_FRAMES);
    validate_note(record, "what turns without viscosity is torn apart within a turn, as there is nothing that holds it "
                          "together; so it is compared after a tenth of one, and then has to be outdone");
    return FR_OK;
}

/* Free fall. */

static const double FALL_RADIUS = 0.15, FALL_FROM = 0.7, FALL_TIME = 0.45; /* m, m over the middle, s */
enum { FALL_FRAMES = 9 };

typedef struct fall_way {
    fr_liquid_surface surface;
    double viscosity;      /* m²/s; below 0: mixed */
    validate_curve *curve; /* of the height, m; NULL: not drawn */
} fall_way;

typedef struct fall_seen {
    double speed, place; /* the largest error of the mean velocity, relative, and of the centre, in cells */
} fall_seen;

static double fall_centre(const fr_frame *frame)
{
    double sum = 0, moment = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            const double share = validate_share(frame, i, j, 0);
            sum += share;
            moment += share * (frame->origin[1] + (j + 0.5) * frame->spacing[1]);
        }
    return moment / sum;
}

static fr_result fall_follow(fr_world *world, const validate_case *self, const fall_way *way, fall_seen *seen)
{
    const double from = fall_centre(fr_world_frame(world)), h = fr_world_frame(world)->spacing[0];
    for (int f = 0; f < FALL_FRAMES; f++) {
        FR_TRY(validate_frame(world, self->name));
        const double t = fr_world_time(world), fallen = from - fall_centre(fr_world_frame(world));
        const double speed = validate_ledger(world, "momentum_y") / (1000 * validate_ledger(world, "volume"));
        seen->speed = fmax(seen->speed, fabs(-speed / (BLOB_GRAVITY * t) - 1));
        seen->place = fmax(seen->place, fabs(fallen - 0.5 * BLOB_GRAVITY * t * t) / h);
        if (way->curve)
            validate_point_add(way->curve, t, fallen);
    }
    return FR_OK;
}

static fr_result fall_run(const validate_case *self, const fall_way *way, fall_seen *seen)
{
    fr_scalar_value heat;
    validate_liquid liquid;
    blob_make(&liquid, way->surface, 2, FALL_RADIUS, self->cells);
    liquid.fill.shape.at[1] = FALL_FROM;
    liquid.def.gravity[1] = -BLOB_GRAVITY;
    if (way->viscosity < 0)
        blob_mix(&liquid, &heat, &FALL_RADIUS);
    else
        liquid.def.fluid.viscosity = way->viscosity;
    liquid.def.time = (fr_time_def){.duration = FALL_TIME, .fps = FALL_FRAMES / FALL_TIME};
    fr_world *world;
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = fall_follow(world, self, way, seen);
    fr_world_destroy(world);
    return result;
}

fr_result validate_melting_fall(const validate_case *self, validate_record *record)
{
    const double viscosities[] = {0, 0.1, 10, 1e4, -1};
    validate_panel_add(record, "free fall, viscosities mixed", "time (s)", "fallen (m)");
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        fall_seen seen = {0};
        const char *name = validate_trackers[t].name;
        for (int n = 0; n < 5; n++) {
            fall_way way = {validate_trackers[t].surface, viscosities[n], NULL};
            way.curve = n == 4 ? validate_curve_add(record, false, "%s", name) : NULL;
            FR_TRY(fall_run(self, &way, &seen));
        }
        validate_row row = {.measured = seen.speed, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1e-4};
        validate_row_add(record, row, "%s: velocity off by, relative", name);
        row = (validate_row){.measured = seen.place, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 0.05};
        validate_row_add(record, row, "%s: centre off by, cells", name);
    }
    validate_curve *marks = validate_curve_add(record, true, "g t^2/2");
    for (int n = 0; n <= 20; n++)
        validate_point_add(marks, FALL_TIME * n / 20, 0.5 * BLOB_GRAVITY * pow(FALL_TIME * n / 20, 2));
    validate_note(
        record,
        "a disc of radius %g m falls for %g s, %d cells along 2 m; the worst of %d times and of viscosities 0, "
        "0.1, 10, 1e4, and 0.1 to 1e4 across it",
        FALL_RADIUS, FALL_TIME, self->cells, FALL_FRAMES);
    return FR_OK;
}
