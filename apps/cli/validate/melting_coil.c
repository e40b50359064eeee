/* A thread of honey that falls on a floor coils. How often, says Ribe (2004) by its flux Q and its radius a over the
   coil: Ω ∝ Q/(H a²) where its viscosity alone resists (low falls), Ω ∝ (g Q³/(ν a⁸))^¼ where its weight bends it
   (higher ones). The nozzle is D = 1 m wide and circles a little for the first moments; then the thread is on its own.
 */
#include "validate/validate.h"

#include <math.h>

static const double COIL_VISCOSITY = 20, COIL_BOX = 7; /* m²/s; m, its width */
static const double COIL_SWAY = 0.05, COIL_TURN = 0.7; /* of the speed; once round for 2π/0.7 m of thread, */
static const double COIL_SWAYED = 24;                  /* for so much of it, m */

typedef struct coil_way {
    double speed, height, gravity; /* m/s, m, m/s² */
    double length;                 /* of the thread that is poured, m */
    validate_curve *curve;         /* of its middle */
} coil_way;

static fr_result coil_velocity(void *context, const double *args, double *out)
{
    const double speed = *(const double *)context, come = speed * args[3];
    const double sway = come < COIL_SWAYED ? COIL_SWAY * speed : 0;
    out[0] = sway * cos(COIL_TURN * come);
    out[1] = -speed;
    out[2] = sway * sin(COIL_TURN * come);
    return FR_OK;
}

/* What is seen in a row of cells. */
typedef struct coil_row {
    double area, x, z; /* m², and the middle of the liquid, m */
} coil_row;

static coil_row coil_look(const fr_frame *frame, int j)
{
    coil_row row = {0};
    for (int k = 0; k < frame->cells[2]; k++)
        for (int i = 0; i < frame->cells[0]; i++) {
            const double share = validate_share(frame, i, j, k);
            row.area += share;
            row.x += share * (frame->origin[0] + (i + 0.5) * frame->spacing[0]);
            row.z += share * (frame->origin[2] + (k + 0.5) * frame->spacing[2]);
        }
    row.x /= fmax(row.area, 1e-9);
    row.z /= fmax(row.area, 1e-9);
    row.area *= frame->spacing[0] * frame->spacing[0];
    return row;
}

/* The thread over the heap. */
typedef struct coil_thread {
    double fall;   /* from the nozzle to the heap: to the highest row with more than one and a half threads in it, m */
    double radius; /* where it is thinnest, m */
    double x, z;   /* its middle at three fifths to seven tenths of the height, m */
} coil_thread;

static coil_thread coil_find(const fr_frame *frame, double height)
{
    const double h = frame->spacing[1], nozzle = 0.25 * VALIDATE_PI;
    coil_thread thread = {0};
    double least = nozzle, count = 0;
    for (int j = (int)((height - 0.5) / h); j >= 0; j--) {
        const coil_row row = coil_look(frame, j);
        const double y = (j + 0.5) * h;
        if (row.area > 1.5 * nozzle)
            break;
        thread.fall = height - j * h;
        least = fmin(least, row.area);
        if (y < 0.6 * height || y > 0.7 * height)
            continue;
        thread.x += row.x;
        thread.z += row.z;
        count++;
    }
    thread.radius = sqrt(least / VALIDATE_PI);
    thread.x /= fmax(count, 1);
    thread.z /= fmax(count, 1);
    return thread;
}

enum { COIL_FRAMES = 120 };

/* What is seen from a third of the time on. */
typedef struct coil_seen {
    double rate;         /* 1/s */
    double round;        /* 1: it goes round in circles, 0: to and fro */
    double fall, radius; /* means, m */
} coil_seen;

/* The power of the places x + i z that turns at a rate, counted positive and negative; frames are 1 apart. */
static void coil_power(const coil_thread *thread, int count, double rate, double power[2])
{
    double sum[2][2] = {{0}};
    coil_thread mean = {0};
    for (int f = 0; f < count; f++) {
        mean.x += thread[f].x / count;
        mean.z += thread[f].z / count;
    }
    for (int f = 0; f < count; f++) {
        const double hann = 1 - cos(2 * VALIDATE_PI * (f + 0.5) / count), c = hann * cos(rate * f),
                     s = hann * sin(rate * f), x = thread[f].x - mean.x, z = thread[f].z - mean.z;
        sum[0][0] += x * c + z * s;
        sum[0][1] += z * c - x * s;
        sum[1][0] += x * c - z * s;
        sum[1][1] += z * c + x * s;
    }
    for (int way = 0; way < 2; way++)
        power[way] = sum[way][0] * sum[way][0] + sum[way][1] * sum[way][1];
}

/* The rate with the greatest power: at least two turns are in what is seen. */
static coil_seen coil_measure(const coil_thread *thread, int count)
{
    coil_seen seen = {0};
    double most = 0;
    for (int n = 200; n < 3000; n++) {
        const double rate = 2 * VALIDATE_PI * n / (100 * count);
        double power[2];
        coil_power(thread, count, rate, power);
        if (power[0] + power[1] <= most)
            continue;
        most = power[0] + power[1];
        seen.rate = rate;
        seen.round = fabs(power[0] - power[1]) / most;
    }
    for (int f = 0; f < count; f++) {
        seen.fall += thread[f].fall / count;
        seen.radius += thread[f].radius / count;
    }
    return seen;
}

static fr_result coil_follow(fr_world *world, const validate_case *self, const coil_way *way, coil_seen *seen)
{
    const int first = COIL_FRAMES / 3;
    coil_thread thread[COIL_FRAMES];
    for (int f = 0; f < COIL_FRAMES; f++) {
        FR_TRY(validate_frame(world, self->name));
        thread[f] = coil_find(fr_world_frame(world), way->height);
        if (f >= first)
            validate_point_add(way->curve, way->speed * fr_world_time(world), thread[f].x);
    }
    *seen = coil_measure(thread + first, COIL_FRAMES - first);
    seen->rate *= COIL_FRAMES * way->speed / way->length;
    return FR_OK;
}

/* The nozzle reaches a metre down from the roof; the thread starts half a metre below it. */
static void coil_make(validate_liquid *liquid, const coil_way *way, int cells)
{
    validate_liquid_full(liquid, FR_LIQUID_LEVEL_SET, 3, (double[3]){COIL_BOX, way->height + 1, COIL_BOX}, 0);
    liquid->shape = fr_default_shape(FR_SHAPE_CYLINDER);
    liquid->shape.radius = 0.5;
    liquid->shape.height = 1.5;
    liquid->fill.shape.at[1] = way->height + 0.25;
    fr_scene_def *def = &liquid->def;
    for (int a = 0; a < 3; a++)
        def->domain.cells[a] = (int)lround(cells * def->domain.size[a]);
    def->domain.origin[0] = def->domain.origin[2] = -COIL_BOX / 2;
    def->gravity[1] = -way->gravity;
    def->fluid.viscosity = COIL_VISCOSITY;
    def->walls[FR_BOTTOM].kind = FR_WALL_NO_SLIP;
    def->walls[FR_TOP].kind = FR_WALL_OPEN;
    def->time = (fr_time_def){.duration = way->length / way->speed, .fps = COIL_FRAMES * way->speed / way->length};
}

static fr_result coil_run(const validate_case *self, coil_way *way, coil_seen *seen)
{
    fr_shape_def nozzle = fr_default_shape(FR_SHAPE_CYLINDER);
    nozzle.radius = 0.5;
    nozzle.height = 1;
    const fr_source_def source = {.shape = {.shape = &nozzle, .at = {0, way->height + 0.5, 0}},
                                  .sets_velocity = true,
                                  .velocity = {.function = coil_velocity, .context = &way->speed}};
    validate_liquid liquid;
    coil_make(&liquid, way, self->cells);
    liquid.def.sources = &source;
    liquid.def.source_count = 1;
    fr_world *world;
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = coil_follow(world, self, way, seen);
    fr_world_destroy(world);
    return result;
}

/* What the rate goes with, 1/s. */
static double coil_scale(const coil_way *way, const coil_seen *seen, bool by_weight)
{
    const double flux = 0.25 * VALIDATE_PI * way->speed, a = seen->radius;
    return by_weight ? pow(way->gravity * pow(flux, 3) / (COIL_VISCOSITY * pow(a, 8)), 0.25)
                     : flux / (seen->fall * a * a);
}

enum { COIL_SPEEDS = 3 };

typedef struct coil_regime {
    const char *name;
    double height, gravity, length; /* m, m/s², m: until the heap is near to where the thread is looked at */
    bool by_weight;
    double exponent; /* of the flux, by Ribe */
} coil_regime;

/* Rows of one run; returns the rate over the scale. Slow threads go to and fro rather than round. */
static fr_result coil_report(const validate_case *self, validate_record *record, const coil_regime *regime,
                             double speed, double *share)
{
    coil_way way = {.speed = speed, .height = regime->height, .gravity = regime->gravity, .length = regime->length};
    coil_seen seen;
    way.curve = validate_curve_add(record, false, "%g m/s", speed);
    FR_TRY(coil_run(self, &way, &seen));
    *share = seen.rate / coil_scale(&way, &seen, regime->by_weight);
    validate_row row = {.measured = seen.round, .published = NAN, .limit = 0.5};
    row.rule = speed < 1 ? VALIDATE_REPORT : VALIDATE_AT_LEAST;
    validate_row_add(record, row, "%s, %g m/s: share that goes round, not to and fro", regime->name, speed);
    validate_report(record, seen.rate, NAN, "%s, %g m/s: rate, 1/s", regime->name, speed);
    validate_report(record, seen.radius, NAN, "%s, %g m/s: radius of the thread, m", regime->name, speed);
    validate_report(record, seen.fall, NAN, "%s, %g m/s: fall to the heap, m", regime->name, speed);
    validate_report(record, *share, NAN, "%s, %g m/s: rate over Ribe's scale", regime->name, speed);
    return FR_OK;
}

/* The exponent by which the rate grows with the flux, the radius and the height of the fall being the same. */
static fr_result coil_judge(const validate_case *self, validate_record *record, const coil_regime *regime)
{
    const double speeds[COIL_SPEEDS] = {0.5, 1, 2};
    double over = 0, square = 0;
    validate_panel_add(record, regime->name, "length of thread (m)", "x of its middle (m)");
    for (int n = 0; n < COIL_SPEEDS; n++) {
        double share;
        FR_TRY(coil_report(self, record, regime, speeds[n], &share));
        over += log(speeds[n]) * log(share); /* the mean of the first is 0 */
        square += log(speeds[n]) * log(speeds[n]);
    }
    validate_report(record, regime->exponent + over / square, regime->exponent, "%s: exponent of the flux",
                    regime->name);
    return FR_OK;
}

fr_result validate_melting_coiling(const validate_case *self, validate_record *record)
{
    const coil_regime regimes[] = {{"viscous", 8, 0.05, 48, false, 1}, {"by weight", 12, 0.28, 60, true, 0.75}};
    for (int n = 0; n < 2; n++)
        FR_TRY(coil_judge(self, record, &regimes[n]));
    validate_note(record, "Ribe's scales: Q/(H a2) where the viscosity alone resists, (g Q3/(nu a8))^(1/4) by weight; "
                          "the exponent is that of the rates over them, and that of the scale");
    validate_note(record,
                  "a nozzle of 1 m, %d cells across it, viscosity %g m2/s; it circles by %g of the speed for %g m of "
                  "thread; rates from a third of the thread's length on, three to five turns: to about a tenth",
                  self->cells, COIL_VISCOSITY, COIL_SWAY, COIL_SWAYED);
    return FR_OK;
}
