/* Flow past a cylinder in a channel (Schäfer & Turek 1996, the "DFG benchmark"): channel 2.2 by 0.41, cylinder of
   diameter D = 0.1 at (0.2, 0.2), ν = 10⁻³, ρ = 1, inflow 4 U y (H − y)/H², open outlet. With the mean speed Um = 2U/3
   the coefficients are c = 2F/(Um² D). U = 0.3 is steady (Re 20), U = 1.5 sheds vortices (Re 100).

   Reference values are those of later, more precise finite-element work (John & Matthies 2001, Nabh 1998), not the
   intervals of 1996: the largest lift of the second case lies outside its interval. Only the pressure drop of the
   second case is from 1996: the middle of the interval 2.46 to 2.50.

   20 cells per diameter give the drag to 1 or 2 %; the lift of a vortex street needs 40 or more. */
#include "validate/validate.h"

#include <math.h>

static const double channel_length = 2.2, channel_height = 0.41, diameter = 0.1, place[2] = {0.2, 0.2};

static fr_result cylinder_inflow(void *context, const double *args, double *out)
{
    double fastest = *(const double *)context, y = args[1];
    out[0] = 4 * fastest * y * (channel_height - y) / (channel_height * channel_height);
    out[1] = out[2] = 0;
    return FR_OK;
}

/* Memory that the scene's definition points into. */
typedef struct cylinder_parts {
    double fastest;          /* U, m/s */
    fr_shape_def circle;
    fr_obstacle_def obstacle;
} cylinder_parts;

static fr_scene_def cylinder_scene(cylinder_parts *parts, double fastest, int per_diameter)
{
    fr_scene_def def = validate_box(2, 1, 1, FR_WALL_NO_SLIP);
    double h = diameter / per_diameter;
    def.domain = (fr_domain_def){.dims = 2, .size = {channel_length, channel_height, 0},
                                 .cells = {(int)lround(channel_length / h), (int)lround(channel_height / h), 0}};
    def.fluid.viscosity = 1e-3;
    def.smoke.advection = VALIDATE_BEST;
    parts->fastest = fastest;
    parts->circle = fr_default_shape(FR_SHAPE_SPHERE);
    parts->circle.radius = diameter / 2;
    parts->obstacle =
        (fr_obstacle_def){.shape = {.shape = &parts->circle, .at = {place[0], place[1], 0}}, .no_slip = true};
    def.obstacles = &parts->obstacle;
    def.obstacle_count = 1;
    fr_vector inflow = {.function = cylinder_inflow, .context = &parts->fastest};
    def.walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity = inflow};
    def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    def.has_initial_velocity = true;
    def.initial_velocity = inflow;
    return def;
}

/* All quantities judged here have the limit of the drag. */
static void cylinder_judge(double measured, double published, validate_record *record, const char *quantity)
{
    validate_row_add(
        record, (validate_row){.measured = measured, .published = published, .rule = VALIDATE_RELATIVE, .limit = 0.02},
        "%s", quantity);
}

/* Drag (axis 0) or lift (axis 1). */
static double cylinder_coefficient(const fr_frame *frame, double fastest, int axis)
{
    double mean = 2 * fastest / 3;
    return frame->obstacle_count ? 2 * frame->obstacles[0].force[axis] / (mean * mean * diameter) : NAN;
}

/* The pressure on the cylinder's surface where it meets the horizontal centreline, on the side that `outward` points
   to. A probe there would take the nearest cell's value; a parabola through three cells extrapolates to the surface. */
static fr_result cylinder_surface_pressure(fr_world *world, double outward, double *pressure)
{
    static const double weights[3] = {15 / 8.0, -10 / 8.0, 3 / 8.0};      /* of samples 1/2, 3/2 and 5/2 cells away */
    double h = fr_world_frame(world)->spacing[0];
    *pressure = 0;
    for (int i = 0; i < 3; i++) {
        double value;
        FR_TRY(fr_world_probe(world, "pressure",
                              (double[3]){place[0] + outward * (diameter / 2 + (i + 0.5) * h), place[1], 0}, &value));
        *pressure += weights[i] * value;
    }
    return FR_OK;
}

/* The pressure difference between the front and the rear point of the cylinder. */
static fr_result cylinder_pressure_drop(fr_world *world, double *drop)
{
    double front, rear;
    FR_TRY(cylinder_surface_pressure(world, -1, &front));
    FR_TRY(cylinder_surface_pressure(world, 1, &rear));
    *drop = front - rear;
    return FR_OK;
}

/* The length of the recirculation zone: where the velocity on the centreline behind the cylinder changes sign. */
static fr_result cylinder_wake(fr_world *world, validate_record *record, double *length)
{
    validate_panel_add(record, "u behind the cylinder on y = 0.2", "distance from its rear", "u");
    validate_curve *curve = validate_curve_add(record, false, "freshet");
    double before = 0;
    *length = NAN;
    for (int i = 1; i <= 300; i++) {
        double behind = 0.0005 * i, u;
        FR_TRY(fr_world_probe(world, "u", (double[3]){place[0] + diameter / 2 + behind, place[1], 0}, &u));
        validate_point_add(curve, behind, u);
        if (before < 0 && u >= 0 && isnan(*length))
            *length = behind - 0.0005 * u / (u - before);
        before = u;
    }
    validate_point_add(validate_curve_add(record, true, "published end of the backward flow"), 0.08469, 0);
    return FR_OK;
}

static fr_result cylinder_judge_steady(fr_world *world, const validate_case *self, double fastest,
                                       validate_record *record)
{
    double drop, wake;
    validate_steady steady = {.change = 1e-6, .cap = 20};
    FR_TRY(validate_run_steady(world, self->name, &steady));
    FR_TRY(cylinder_pressure_drop(world, &drop));
    FR_TRY(cylinder_wake(world, record, &wake));
    const fr_frame *frame = fr_world_frame(world);
    cylinder_judge(cylinder_coefficient(frame, fastest, 0), 5.57953523, record, "drag coefficient");
    cylinder_judge(cylinder_coefficient(frame, fastest, 1), 0.01061895, record, "lift coefficient");
    cylinder_judge(wake, 0.08469, record, "length of the backward flow");
    validate_report(record, drop, 0.11752017, "pressure drop from front to rear");
    validate_note_steady(record, &steady);
    return FR_OK;
}

fr_result validate_cylinder_steady(const validate_case *self, validate_record *record)
{
    cylinder_parts parts;
    fr_scene_def def = cylinder_scene(&parts, 0.3, self->cells);
    def.time = (fr_time_def){.duration = 20, .fps = 1};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = cylinder_judge_steady(world, self, parts.fastest, record);
    fr_world_destroy(world);
    validate_note(record, "%d cells per diameter, advection \"central\", steps as the program chooses them",
                  self->cells);
    validate_note(record, "the pressure on the surface is a parabola's through the three cells before it");
    return result;
}

/* Times of the vortex street, s: duration of the run; start of the plot, after the initial transient; start of the
   measurement. */
static const double street_duration = 6, street_plotted = 0.5, street_measured = 4.5;

/* The time series, as curves of three panels. */
typedef struct cylinder_history {
    validate_curve *drag, *lift, *drop;
} cylinder_history;

/* Whole periods at the end of a run, between upward zero crossings of the lift. */
typedef struct cylinder_cycles {
    double first, last;      /* s, first and last crossing */
    int count;               /* number of periods between them */
    double drag_max, drag_min, lift_max, lift_min;
    double lift_max_at;      /* s, in the first period */
} cylinder_cycles;

static cylinder_cycles cylinder_find_cycles(const cylinder_history *history)
{
    const validate_curve *drag = history->drag, *lift = history->lift;
    cylinder_cycles cycles = {
        .count = -1, .drag_max = -INFINITY, .drag_min = INFINITY, .lift_max = -INFINITY, .lift_min = INFINITY};
    double crest = -INFINITY;
    for (int i = 1; i < lift->count; i++) {
        if (lift->x[i] < street_measured)
            continue;
        if (lift->y[i - 1] < 0 && lift->y[i] >= 0) {
            double share = lift->y[i - 1] / (lift->y[i - 1] - lift->y[i]);
            cycles.last = lift->x[i - 1] + share * (lift->x[i] - lift->x[i - 1]);
            cycles.first = cycles.count < 0 ? cycles.last : cycles.first;
            cycles.count++;
        }
        if (cycles.count == 0 && lift->y[i] > crest) {
            crest = lift->y[i];
            cycles.lift_max_at = lift->x[i];
        }
        cycles.drag_max = fmax(cycles.drag_max, drag->y[i]);
        cycles.drag_min = fmin(cycles.drag_min, drag->y[i]);
        cycles.lift_max = fmax(cycles.lift_max, lift->y[i]);
        cycles.lift_min = fmin(cycles.lift_min, lift->y[i]);
    }
    return cycles;
}

/* The value of a curve with equally spaced points. */
static double cylinder_value_at(const validate_curve *curve, double time)
{
    double place = (time - curve->x[0]) / (curve->x[1] - curve->x[0]);
    int i = (int)place;
    return i >= 0 && i + 1 < curve->count ? curve->y[i] + (place - i) * (curve->y[i + 1] - curve->y[i]) : NAN;
}

static void cylinder_judge_shedding(const cylinder_history *history, double fastest, validate_record *record)
{
    cylinder_cycles cycles = cylinder_find_cycles(history);
    double period = cycles.count > 0 ? (cycles.last - cycles.first) / cycles.count : NAN;
    cylinder_judge(diameter / (period * 2 * fastest / 3), 0.301841, record, "Strouhal number");
    cylinder_judge(cycles.drag_max, 3.227393, record, "greatest drag coefficient");
    cylinder_judge(cycles.drag_min, 3.164263, record, "least drag coefficient");
    validate_report(record, cycles.lift_max - cycles.lift_min, 2.007871, "lift coefficient, peak to peak");
    validate_report(record, cycles.lift_max, 0.986571, "greatest lift coefficient");
    double half_later = cycles.lift_max_at + period / 2;
    validate_report(record, cylinder_value_at(history->drop, half_later), 2.48,
                    "pressure drop half a period after the greatest lift");
    validate_point_add(validate_curve_add(record, true, "published, half a period after the greatest lift"), half_later,
                       2.48);
    validate_note(record, "%d periods between t = %.3f and %.3f", cycles.count, cycles.first, cycles.last);
}

/* A panel for a coefficient, with its published extremes marked over the measured time. */
static validate_curve *cylinder_panel(validate_record *record, const char *title, const char *label, double least,
                                      double most)
{
    validate_panel_add(record, title, "time (s)", label);
    validate_curve *measured = validate_curve_add(record, false, "freshet"),
                   *marks = validate_curve_add(record, true, "published extremes");
    for (int i = 0; i <= 6; i++) {
        double time = street_measured + (street_duration - street_measured) * i / 6;
        validate_point_add(marks, time, least);
        validate_point_add(marks, time, most);
    }
    return measured;
}

static fr_result cylinder_record(fr_world *world, const validate_case *self, double fastest, validate_record *record)
{
    cylinder_history history;
    history.drag = cylinder_panel(record, "drag coefficient", "c_d", 3.164263, 3.227393);
    history.lift = cylinder_panel(record, "lift coefficient", "c_l", 0.986571 - 2.007871, 0.986571);
    validate_panel_add(record, "pressure drop from front to rear", "time (s)", "pressure (Pa)");
    history.drop = validate_curve_add(record, false, "freshet");
    while (fr_world_frame_index(world) < fr_world_frame_count(world)) {
        FR_TRY(validate_frame(world, self->name));
        const fr_frame *frame = fr_world_frame(world);
        if (frame->time < street_plotted)
            continue;
        double drop;
        FR_TRY(cylinder_pressure_drop(world, &drop));
        validate_point_add(history.drag, frame->time, cylinder_coefficient(frame, fastest, 0));
        validate_point_add(history.lift, frame->time, cylinder_coefficient(frame, fastest, 1));
        validate_point_add(history.drop, frame->time, drop);
    }
    cylinder_judge_shedding(&history, fastest, record);
    return FR_OK;
}

fr_result validate_cylinder_shedding(const validate_case *self, validate_record *record)
{
    cylinder_parts parts;
    fr_scene_def def = cylinder_scene(&parts, 1.5, self->cells);
    def.time = (fr_time_def){.duration = street_duration, .fps = 200};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = cylinder_record(world, self, parts.fastest, record);
    fr_world_destroy(world);
    validate_note(record,
                  "%d cells per diameter, advection \"central\", steps as the program chooses them; measured over "
                  "the last %g s of %g",
                  self->cells, street_duration - street_measured, street_duration);
    validate_note(record,
                  "lift and pressure drop would miss the mark of the drag: for them the cylinder has too few cells");
    return result;
}
