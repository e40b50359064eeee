/* Vortex rings of unit radius and circulation with Gaussian cores, ω = Γ/(πa²) exp(−s²/a²), s the distance from the
   core's centre. A thin one moves along its axis with

     U = Γ/(4πR) [ ln(8R/a) − 0.558 ]                                        (Saffman 1970).

   Its impulse π∫r²ω and its circulation ∫ω are conserved, hence so is R² = ∫r²ω/∫ω: 1 + a²/2 for such a core.

   Two equal coaxial rings leapfrog (Helmholtz 1858): the rear one shrinks, catches up and passes through the front one.

   The axis is the edge x = y = 0 of the box, whose sides slip: by symmetry a quarter of the flow is enough. The initial
   velocity is u_z = ∫_r^∞ ω dr', which has the right curl; the program's own projection makes it divergence-free and
   does not change the curl. */
#include "validate/validate.h"

#include <math.h>

typedef struct ring_set {
    int count;
    double core, at[2];      /* m, along z */
} ring_set;

static fr_result ring_start(void *context, const double *args, double *out)
{
    const ring_set *rings = context;
    double r = hypot(args[0], args[1]);
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < rings->count; i++) {
        double z = (args[2] - rings->at[i]) / rings->core;
        out[2] += exp(-z * z) * erfc((r - 1) / rings->core) / (2 * sqrt(VALIDATE_PI) * rings->core);
    }
    return FR_OK;
}

/* A ring's position, measured in the layer of cells next to y = 0: a plane through the axis. */
typedef struct ring_place {
    double z, radius;
} ring_place;

/* From the vorticity ω: z weighted by r²ω, like the impulse; and R. */
static ring_place ring_by_vorticity(const fr_frame *frame)
{
    const fr_field *u = fr_frame_field(frame, "u"), *w = fr_frame_field(frame, "w");
    double sum = 0, square = 0, moment = 0;
    for (int k = 1; k < frame->cells[2]; k++)
        for (int i = 1; i < frame->cells[0]; i++) {
            double turn = (validate_value(u, i, 0, k) - validate_value(u, i, 0, k - 1)) / frame->spacing[2]
                        - (validate_value(w, i, 0, k) - validate_value(w, i - 1, 0, k)) / frame->spacing[0];
            double x = i * frame->spacing[0], z = k * frame->spacing[2];
            sum += turn;
            square += turn * x * x;
            moment += turn * x * x * z;
        }
    return (ring_place){moment / square, sqrt(square / sum)};
}

/* From an ink that marks the ring. */
static ring_place ring_by_ink(const fr_frame *frame, const char *name)
{
    const fr_field *ink = fr_frame_field(frame, name);
    double sum = 0, away = 0, along = 0;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double at[3], share = validate_value(ink, i, 0, k);
            validate_place(frame, ink, (int64_t[3]){i, 0, k}, at);
            share *= at[0];      /* axisymmetric volume weight */
            sum += share;
            away += share * at[0];
            along += share * at[2];
        }
    return (ring_place){along / sum, away / sum};
}

static fr_scene_def ring_scene(ring_set *rings, const double size[3], int per_radius)
{
    fr_scene_def def = validate_box(3, 1, 1, FR_WALL_FREE_SLIP);
    for (int a = 0; a < 3; a++) {
        def.domain.size[a] = size[a];
        def.domain.cells[a] = (int)lround(size[a] * per_radius);
    }
    def.has_initial_velocity = true;
    def.initial_velocity = (fr_vector){.function = ring_start, .context = rings};
    return def;
}

static fr_result ring_follow(fr_world *world, const validate_case *self, double core, validate_record *record)
{
    validate_panel_add(record, "where the ring is", "time (R^2/Gamma)", "z (R)");
    validate_curve *path = validate_curve_add(record, false, "freshet");
    ring_place first = {0, 0}, last = {0, 0};
    double settled = 1;
    for (int f = 0; f <= fr_world_frame_count(world); f++) {
        if (f > 0)
            FR_TRY(validate_frame(world, self->name));
        last = ring_by_vorticity(fr_world_frame(world));
        if (fr_world_time(world) <= settled + 1e-9)
            first = last;
        validate_point_add(path, fr_world_time(world), last.z);
    }
    double speed = (last.z - first.z) / (fr_world_time(world) - settled),
           published = (log(8 / core) - 0.558) / (4 * VALIDATE_PI);
    validate_curve *theirs = validate_curve_add(record, true, "Saffman's speed");
    for (int i = 0; i <= 10; i++)
        validate_point_add(theirs, settled + 0.2 * i, first.z + 0.2 * i * published);
    validate_row_add(
        record, (validate_row){.measured = speed, .published = published, .rule = VALIDATE_RELATIVE, .limit = 0.05},
        "speed from t = 1 to 3");
    validate_row radius = {
        .measured = last.radius, .published = sqrt(1 + core * core / 2), .rule = VALIDATE_RELATIVE, .limit = 0.01};
    validate_row_add(record, radius, "radius at t = 3");
    return FR_OK;
}

fr_result validate_ring(const validate_case *self, validate_record *record)
{
    ring_set rings = {.count = 1, .core = 0.2, .at = {3.2, 0}};
    fr_scene_def def = ring_scene(&rings, (double[3]){3.6, 3.6, 7.2}, 20);
    def.time = (fr_time_def){.duration = 3, .fps = 5};
    def.smoke.advection = VALIDATE_BEST;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = ring_follow(world, self, rings.core, record);
    fr_world_destroy(world);
    validate_note(
        record,
        "core 0.2 R (4 cells), box 3.6 x 3.6 x 7.2 R, a quarter of the ring, no viscosity, advection \"central\"");
    validate_note(record,
                  "the mark leaves room for a core that is not thin and for the ring's images in the walls, dipoles "
                  "that slow it by about 2 %%");
    return result;
}

typedef struct ring_ink {
    double at, core;
} ring_ink;

static fr_result ring_ink_start(void *context, const double *args, double *out)
{
    const ring_ink *ink = context;
    double r = hypot(args[0], args[1]) - 1, z = args[2] - ink->at;
    *out = exp(-(r * r + z * z) / (ink->core * ink->core));
    return FR_OK;
}

/* Whether the overtaking ring passes through the other one. After the rings have merged, their inks still swap places
   without that. */
static bool leapfrog_is_through(const ring_place *overtaking, const ring_place *overtaken)
{
    return overtaking->radius < 0.8 * overtaken->radius;
}

static fr_result leapfrog_follow(fr_world *world, const validate_case *self, validate_record *record)
{
    static const char *const names[2] = {"rear", "front"};
    validate_curve *curves[2][2];
    validate_panel_add(record, "where the rings are", "time (R^2/Gamma)", "z (R)");
    for (int i = 0; i < 2; i++)
        curves[0][i] = validate_curve_add(record, false, "%s at the start", names[i]);
    validate_panel_add(record, "their radii", "time (R^2/Gamma)", "radius (R)");
    for (int i = 0; i < 2; i++)
        curves[1][i] = validate_curve_add(record, false, "%s at the start", names[i]);
    int passes = 0;
    bool ahead = false;
    double when = NAN;
    for (int f = 0; f <= fr_world_frame_count(world); f++) {
        if (f > 0)
            FR_TRY(validate_frame(world, self->name));
        const fr_frame *frame = fr_world_frame(world);
        ring_place place[2] = {ring_by_ink(frame, names[0]), ring_by_ink(frame, names[1])};
        for (int i = 0; i < 2; i++) {
            validate_point_add(curves[0][i], frame->time, place[i].z);
            validate_point_add(curves[1][i], frame->time, place[i].radius);
        }
        if ((place[0].z > place[1].z) != ahead) {
            ahead = !ahead;
            bool through = leapfrog_is_through(&place[!ahead], &place[ahead]);
            passes += through;
            when = through && isnan(when) ? frame->time : when;
        }
    }
    validate_row_add(record,
                     (validate_row){.measured = passes, .published = NAN, .rule = VALIDATE_AT_LEAST, .limit = 1},
                     "times a ring slips through the other");
    validate_report(record, when, NAN, "when it does so first, in R^2/Gamma");
    return FR_OK;
}

fr_result validate_leapfrog(const validate_case *self, validate_record *record)
{
    ring_set rings = {.count = 2, .core = 0.15, .at = {1, 1.9}};
    fr_scene_def def = ring_scene(&rings, (double[3]){2.4, 2.4, 7.2}, 20);
    ring_ink inks[2] = {{rings.at[0], rings.core}, {rings.at[1], rings.core}};
    const fr_scalar_def scalars[2] = {
        {.name = "rear", .has_initial = true, .initial = {.function = ring_ink_start, .context = &inks[0]}},
        {.name = "front", .has_initial = true, .initial = {.function = ring_ink_start, .context = &inks[1]}}};
    def.scalars = scalars;
    def.scalar_count = 2;
    def.time = (fr_time_def){.duration = 12, .fps = 5};
    def.smoke.advection = FR_ADVECTION_REFLECTION;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = leapfrog_follow(world, self, record);
    fr_world_destroy(world);
    validate_note(record, "cores 0.15 R (3 cells), 0.9 R apart, a quarter of the rings, no viscosity, advection "
                          "\"reflection\"; inks tell them apart");
    return result;
}
