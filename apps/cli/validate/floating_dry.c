/* Bodies without water, or with a blob of it in empty space: the energy of a ball that bounces, a block on an incline,
   and what a ball and a blob exchange. */
#include "validate/floating.h"

#include <math.h>

/* Bouncing. */

typedef struct bounce_look {
    validate_curve *height;
    double energy, first, most; /* J: now, at the start; the largest change, as a share of it */
    double top;                 /* m, the highest after the first bounce */
    bool bounced;
} bounce_look;

static void bounce_see(void *context, const fr_frame *frame)
{
    bounce_look *look = context;
    const fr_body_state *ball = &frame->bodies[0];
    const double floor_energy = ball->position[1] * FLOATING_GRAVITY;
    look->energy = floor_energy + 0.5 * ball->velocity[1] * ball->velocity[1];
    if (frame->time == 0)
        look->first = look->energy;
    look->bounced = look->bounced || ball->velocity[1] > 0;
    look->most = fmax(look->most, fabs(look->energy / look->first - 1));
    look->top = look->bounced ? fmax(look->top, ball->position[1]) : 0;
    validate_point_add(look->height, frame->time, ball->position[1]);
}

static const double BALL_RADIUS = 0.05, BALL_FROM = 1; /* m */

static fr_result bounce_run(const validate_case *self, double bounce, double seconds, bounce_look *look)
{
    floating f;
    floating_make(&f, FR_LIQUID_LEVEL_SET, 2, (double[3]){0.5, 1.25, 0}, self->cells);
    f.water.def.fill_count = 0;
    floating_add(&f, floating_ball(BALL_RADIUS), (double[3]){0.25, BALL_FROM, 0}, 2000)->bounce = bounce;
    f.water.def.time = (fr_time_def){.duration = seconds, .fps = 240};
    return floating_follow(&f, self->name, bounce_see, look);
}

fr_result validate_floating_bounce(const validate_case *self, validate_record *record)
{
    static const double bounces[] = {1, 0.8, 0.5};
    validate_panel_add(record, "height of a ball that bounces", "time (s)", "height (m)");
    for (int n = 0; n < 3; n++) {
        bounce_look look = {.height = validate_curve_add(record, false, "bounce %g", bounces[n])};
        const double fall = BALL_FROM - BALL_RADIUS, once = sqrt(2 * fall / FLOATING_GRAVITY);
        FR_TRY(bounce_run(self, bounces[n], n == 0 ? 10 * once : once * (1 + 1.5 * bounces[n]), &look));
        validate_row top = {.measured = (look.top - BALL_RADIUS) / fall,
                            .published = bounces[n] * bounces[n],
                            .rule = VALIDATE_WITHIN,
                            .limit = 0.01};
        if (n == 0)
            validate_row_add(
                record,
                (validate_row){.measured = look.most, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 0.01},
                "bounce 1: largest change of the energy in five bounces, as a share");
        validate_row_add(record, top, "bounce %g: height after the first one, as a share", bounces[n]);
    }
    validate_note(record,
                  "a ball of radius %g m falls from %g m in an empty box; a bounce of e leaves e2 of the height",
                  BALL_RADIUS, BALL_FROM);
    return FR_OK;
}

/* A block on an incline: gravity leans against a flat floor. */

static void incline_see(void *context, const fr_frame *frame)
{
    *(fr_body_state *)context = frame->bodies[0];
}

static const double SLIDE_FRICTION = 0.5, SLIDE_SECONDS = 0.5;

static fr_result incline_run(const validate_case *self, int dims, double degrees, fr_body_state *end)
{
    const double lean = degrees * VALIDATE_PI / 180, z = dims == 3 ? 0.25 : 0;
    floating f;
    floating_make(&f, FR_LIQUID_LEVEL_SET, dims, (double[3]){2, 0.5, 2 * z}, self->cells);
    f.water.def.fill_count = 0;
    f.water.def.gravity[0] = FLOATING_GRAVITY * sin(lean);
    f.water.def.gravity[1] = -FLOATING_GRAVITY * cos(lean);
    fr_body_def *block = floating_add(&f, floating_box(0.3, 0.1, 0.2), (double[3]){0.4, 0.05, z}, 2000);
    block->friction = SLIDE_FRICTION;
    block->bounce = 0;
    f.water.def.time = (fr_time_def){.duration = SLIDE_SECONDS, .fps = 60};
    return floating_follow(&f, self->name, incline_see, end);
}

fr_result validate_floating_incline(const validate_case *self, validate_record *record)
{
    static const double more[] = {-2, -0.5, 0.5, 2, 10};
    const double angle = atan(SLIDE_FRICTION) * 180 / VALIDATE_PI;
    for (int dims = 2; dims <= 3; dims++)
        for (int n = 0; n < 5; n++) {
            const double lean = (angle + more[n]) * VALIDATE_PI / 180;
            const double rate = fmax(0, sin(lean) - SLIDE_FRICTION * cos(lean));
            fr_body_state end;
            FR_TRY(incline_run(self, dims, angle + more[n], &end));
            validate_row row = {.measured = end.velocity[0] / (SLIDE_SECONDS * FLOATING_GRAVITY),
                                .published = rate,
                                .rule = VALIDATE_WITHIN,
                                .limit = 1e-3};
            validate_row_add(record, row, "%dD, %+g degrees: acceleration along the slope, in g", dims, more[n]);
        }
    validate_note(
        record,
        "a block on a slope whose tangent is its friction, %g, and slopes so many degrees steeper; gravity leans "
        "by %.4g degrees and more against a flat floor without water",
        SLIDE_FRICTION, angle);
    return FR_OK;
}

/* Momentum: a ball flies into a blob in empty space. */

typedef struct swap_look {
    validate_curve *ball, *blob;
    double first, most; /* kg m/s; the largest change as a share */
} swap_look;

static void swap_see(void *context, const fr_frame *frame)
{
    swap_look *look = context;
    const double blob = floating_sum(frame, "momentum_x"), ball = floating_sum(frame, "bodies_momentum_x");
    if (frame->time == 0)
        look->first = blob + ball;
    look->most = fmax(look->most, fabs((blob + ball) / look->first - 1));
    if (look->ball) {
        validate_point_add(look->ball, frame->time, ball / look->first);
        validate_point_add(look->blob, frame->time, blob / look->first);
    }
}

static fr_result swap_run(const validate_case *self, int tracker, int dims, double density, swap_look *look)
{
    const double deep = dims == 3 ? 1 : 0;
    floating f;
    floating_make(&f, validate_trackers[tracker].surface, dims, (double[3]){2.5, 2, 2 * deep}, self->cells);
    f.water.def.gravity[1] = 0;
    f.water.shape = floating_ball(0.4);
    f.water.fill.shape.at[0] = 1.2;
    f.water.fill.shape.at[1] = 1;
    f.water.fill.shape.at[2] = deep;
    floating_add(&f, floating_ball(0.15), (double[3]){0.5, 1, deep}, density)->velocity[0] = 1;
    f.water.def.time = (fr_time_def){.duration = 1, .fps = 40};
    return floating_follow(&f, self->name, swap_see, look);
}

fr_result validate_floating_momentum(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "momentum of a ball and a blob", "time (s)", "share");
    for (int dims = 2; dims <= 3; dims++)
        for (int t = 0; t < VALIDATE_TRACKERS; t++)
            for (int heavy = 0; heavy < 2; heavy++) {
                const double density = heavy ? 4000 : 300;
                const bool parcels =
                    validate_trackers[t].surface == FR_LIQUID_FLIP || validate_trackers[t].surface == FR_LIQUID_APIC;
                swap_look look = {0};
                if (dims == 2 && heavy && validate_trackers[t].surface == FR_LIQUID_FLIP) {
                    look.ball = validate_curve_add(record, false, "ball");
                    look.blob = validate_curve_add(record, false, "blob");
                }
                FR_TRY(swap_run(self, t, dims, density, &look));
                validate_row_add(record,
                                 (validate_row){.measured = look.most,
                                                .published = NAN,
                                                .rule = VALIDATE_AT_MOST,
                                                .limit = parcels ? 1e-3 : 1e-2},
                                 "%dD, %s, %g kg/m3: change of the momentum, as a share", dims,
                                 validate_trackers[t].name, density);
            }
    validate_note(record,
                  "a ball of radius 0.15 m flies at 1 m/s into a blob of water of radius 0.4 m at rest, without weight "
                  "and far from walls; "
                  "%d cells along 2.5 m, the largest change in 1 s; drawn: flip, 4000 kg/m3",
                  self->cells);
    return FR_OK;
}
