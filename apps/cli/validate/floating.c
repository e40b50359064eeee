/* Bodies at rest in water. Archimedes: a body swims as deep as it displaces its own weight; one of the density of water
   stays where it is. */
#include "validate/floating.h"

#include <math.h>
#include <string.h>

void floating_make(floating *f, fr_liquid_surface surface, int dims, const double size[3], int cells)
{
    memset(f, 0, sizeof *f);
    validate_liquid_full(&f->water, surface, dims, size, cells);
    f->water.def.gravity[1] = -FLOATING_GRAVITY;
    f->water.def.bodies = f->bodies;
}

void floating_fill(floating *f, double height)
{
    f->water.shape.max[1] = height;
}

fr_shape_def floating_ball(double radius)
{
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = radius;
    return ball;
}

fr_shape_def floating_box(double x, double y, double z)
{
    const double size[3] = {x, y, z};
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        box.min[a] = -size[a] / 2;
        box.max[a] = size[a] / 2;
    }
    return box;
}

fr_body_def *floating_add(floating *f, fr_shape_def shape, const double at[3], double density)
{
    const int n = f->water.def.body_count++;
    fr_body_def *body = &f->bodies[n];
    f->shapes[n] = shape;
    *body = fr_default_body();
    body->shape.shape = &f->shapes[n];
    memcpy(body->shape.at, at, sizeof body->shape.at);
    body->density.value = density;
    return body;
}

fr_result floating_follow(const floating *f, const char *name, floating_look *look, void *context)
{
    fr_world *world;
    FR_TRY(fr_world_create(&f->water.def, &world));
    fr_result result = FR_OK;
    for (int n = 0; n <= fr_world_frame_count(world) && result == FR_OK; n++) {
        result = n > 0 ? validate_frame(world, name) : FR_OK;
        if (result == FR_OK)
            look(context, fr_world_frame(world));
    }
    fr_world_destroy(world);
    return result;
}

double floating_sum(const fr_frame *frame, const char *column)
{
    for (int c = 0; c < frame->ledger.count; c++)
        if (!strcmp(frame->ledger.names[c], column))
            return frame->ledger.values[c];
    return NAN;
}

/* Archimedes. */

static const double DEPTH = 0.5, TANK_HEIGHT = 0.75;                   /* m */
static const double RADIUS = 0.1, BOX_WIDTH = 0.2, BOX_HEIGHT = 0.14;  /* m */
static const double REST_FROM = 3, REST_TO = 4, REST_VISCOSITY = 0.01; /* s, over which is averaged; m²/s */

enum { REST_BODIES = 9 };
static const double rest_densities[REST_BODIES] = {50, 100, 250, 450, 550, 740, 900, 950, 350};

/* The share of a body below the level when its centre is `above` it: a box, a segment of a disc, a cap of a ball. */
static double rest_share(int dims, bool ball, double above)
{
    const double height = ball ? 2 * RADIUS : BOX_HEIGHT, x = fmin(1, fmax(0, 0.5 - above / height));
    const double angle = acos(1 - 2 * x);
    return !ball ? x : dims == 3 ? x * x * (3 - 2 * x) : (angle - sin(angle) * cos(angle)) / VALIDATE_PI;
}

/* How far above the level its centre lies where it swims, by halving. */
static double rest_above(int dims, bool ball, double share)
{
    double low = -RADIUS, high = RADIUS;
    for (int n = 0; n < 60; n++) {
        const double middle = (low + high) / 2;
        *(rest_share(dims, ball, middle) > share ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* Every second one is a ball, the other way round in the second tank. */
static bool rest_is_ball(int body, int tank)
{
    return (body + tank) % 2 == 0;
}

typedef struct rest_look {
    int frames;
    double share[REST_BODIES], speed[REST_BODIES], tilt; /* sums and largest ones */
    int tank;
} rest_look;

/* The height of the water in the columns at the walls, where no body is. */
static double rest_level(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    double sum = 0;
    int count = 0;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int i = 0; i < frame->cells[0]; i++) {
            const bool deep = frame->dims == 3 && (k == 0 || k == frame->cells[2] - 1);
            const bool rim = deep || i == 0 || i == frame->cells[0] - 1;
            for (int j = frame->cells[1] - 2; rim && j >= 0; j--) {
                const double low = validate_value(phi, i, j, k), high = validate_value(phi, i, j + 1, k);
                if (!(low < 0 && high >= 0))
                    continue;
                sum += frame->spacing[1] * (j + 0.5 + low / (low - high));
                count++;
                break;
            }
        }
    return frame->origin[1] + sum / count;
}

static void rest_see(void *context, const fr_frame *frame)
{
    rest_look *look = context;
    if (frame->time < REST_FROM)
        return;
    const double level = rest_level(frame);
    look->frames++;
    for (int b = 0; b < frame->body_count; b++) {
        const fr_body_state *s = &frame->bodies[b];
        const double upright = 1 - 2 * (s->rotation[1] * s->rotation[1] + s->rotation[3] * s->rotation[3]);
        look->share[b] += rest_share(frame->dims, rest_is_ball(b, look->tank), s->position[1] - level);
        look->speed[b] = fmax(look->speed[b], sqrt(s->velocity[0] * s->velocity[0] + s->velocity[1] * s->velocity[1] +
                                                   s->velocity[2] * s->velocity[2]));
        if (!rest_is_ball(b, look->tank))
            look->tilt = fmax(look->tilt, acos(fmin(1, upright)) * 180 / VALIDATE_PI);
    }
}

/* In 3D nine stand in a square, in 2D in a row. */
static fr_result rest_run(const validate_case *self, int tracker, rest_look *look)
{
    const int dims = (int)self->number, along = dims == 3 ? 3 : REST_BODIES;
    const double wide = along / 3.0;
    floating f;
    floating_make(&f, validate_trackers[tracker].surface, dims, (double[3]){wide, TANK_HEIGHT, dims == 3 ? 1 : 0},
                  self->cells * along / 3);
    floating_fill(&f, DEPTH);
    for (int b = 0; b < REST_BODIES; b++) {
        const bool ball = rest_is_ball(b, look->tank);
        const double above = rest_above(dims, ball, rest_densities[b] / 1000);
        const double z = dims == 3 ? (1 + 2 * (int)(b / 3)) / 6.0 : 0;
        floating_add(&f, ball ? floating_ball(RADIUS) : floating_box(BOX_WIDTH, BOX_HEIGHT, BOX_WIDTH),
                     (double[3]){(1 + 2 * (b % along)) / 6.0, DEPTH + above, z}, rest_densities[b]);
    }
    f.water.def.fluid.viscosity = REST_VISCOSITY;
    f.water.def.time = (fr_time_def){.duration = REST_TO, .fps = 20};
    return floating_follow(&f, self->name, rest_see, look);
}

static void rest_judge(validate_record *record, int tracker, const rest_look look[2])
{
    const char *name = validate_trackers[tracker].name;
    const bool parcels = tracker >= 3; /* flip, apic */
    double off[2] = {0, 0}, speed = 0;
    for (int t = 0; t < 2; t++)
        for (int b = 0; b < REST_BODIES; b++) {
            const bool ball = rest_is_ball(b, t);
            const double share = look[t].share[b] / look[t].frames;
            off[ball] = fmax(off[ball], fabs(share - rest_densities[b] / 1000));
            speed = fmax(speed, look[t].speed[b]);
        }
    for (int ball = 0; ball < 2; ball++)
        validate_row_add(
            record, (validate_row){.measured = off[ball], .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 0.01},
            "%s: share of a %s under water, largest error", name, ball ? "ball" : "box");
    validate_row_add(
        record,
        (validate_row){.measured = speed, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = parcels ? 3e-3 : 1e-3},
        "%s: largest speed, in m/s", name);
    validate_report(record, fmax(look[0].tilt, look[1].tilt), 0, "%s: largest tilt of a box, in degrees", name);
}

/* The shares against the density, of one tracker. */
static void rest_draw(validate_record *record, int tracker, const rest_look look[2])
{
    validate_curve *curve = validate_curve_add(record, true, "%s", validate_trackers[tracker].name);
    for (int t = 0; t < 2; t++)
        for (int b = 0; b < REST_BODIES; b++)
            validate_point_add(curve, rest_densities[b], look[t].share[b] / look[t].frames - rest_densities[b] / 1000);
}

fr_result validate_floating_rest(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "share under water less that of Archimedes", "density (kg/m3)", "error");
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        rest_look look[2] = {{.tank = 0}, {.tank = 1}};
        for (int tank = 0; tank < 2; tank++)
            FR_TRY(rest_run(self, t, &look[tank]));
        rest_judge(record, t, look);
        rest_draw(record, t, look);
    }
    validate_note(record,
                  "balls (in 2D discs) of radius %g m and boxes %g m wide and %g m high, of densities from 50 to 950 "
                  "kg/m3, nine in each of two tanks with water %g m deep, %d cells along 1 m",
                  RADIUS, BOX_WIDTH, BOX_HEIGHT, DEPTH, self->cells);
    validate_note(record,
                  "they start where they should float, in a liquid at rest with %g m2/s: without viscosity they ring "
                  "for minutes; shares are means from t = %g to %g s against the level of the liquid then",
                  REST_VISCOSITY, REST_FROM, REST_TO);
    return FR_OK;
}

/* Neutral: a ball and a tilted box of the density of water, deep in a tank. */

typedef struct neutral_look {
    double most; /* m/s² */
} neutral_look;

static void neutral_see(void *context, const fr_frame *frame)
{
    neutral_look *look = context;
    for (int b = 0; b < frame->body_count && frame->time > 0; b++)
        for (int a = 0; a < 3; a++)
            look->most = fmax(look->most, fabs(frame->bodies[b].velocity[a]) / frame->time);
}

static fr_result neutral_run(const validate_case *self, int tracker, int dims, double *most)
{
    const double z = dims == 3 ? 0.5 : 0;
    neutral_look look = {0};
    floating f;
    floating_make(&f, validate_trackers[tracker].surface, dims, (double[3]){1, 1, dims == 3 ? 1 : 0}, self->cells);
    floating_fill(&f, 0.82);
    floating_add(&f, floating_ball(0.12), (double[3]){0.27, 0.47, z}, 1000);
    fr_body_def *box = floating_add(&f, floating_box(0.3, 0.16, 0.2), (double[3]){0.68, 0.42, z}, 1000);
    box->shape.axis[2] = 1;
    box->shape.degrees = 25;
    f.water.def.time = (fr_time_def){.duration = 1, .fps = 20};
    fr_result result = floating_follow(&f, self->name, neutral_see, &look);
    *most = look.most / FLOATING_GRAVITY;
    return result;
}

fr_result validate_floating_neutral(const validate_case *self, validate_record *record)
{
    for (int t = 0; t < VALIDATE_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            validate_row row = {.published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1e-6};
            FR_TRY(neutral_run(self, t, dims, &row.measured));
            validate_row_add(record, row, "%s, %dD: speed over time, in g", validate_trackers[t].name, dims);
        }
    validate_note(record,
                  "a ball and a box tilted by 25 degrees of the density of water, in a tank 1 m wide with water 0.82 m "
                  "deep, %d cells; the largest |u|/t of any frame in 1 s",
                  self->cells);
    return FR_OK;
}
