/* A sheet of liquid that falls on a floor, D = 1 m thick, at U = 1 m/s from the height H. It folds where
   Re = U D/ν < 0.56 and H/D > 8.8 to 10 (Cruickshank & Munson 1981, Cruickshank 1988), in between where
   Re² < (1 − (8.8 D/H)^2.6)/π (Tomé & McKee 1999); else it spreads evenly. The nozzle sways a little for the first
   moments, the same for all: what is even stays so. */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double SHEET_GRAVITY = 0.1, SHEET_BOX = 10;              /* m/s²; D */
static const double SHEET_SWAY = 0.02, SHEET_SWAYS = 4 * VALIDATE_PI; /* of the speed; s, for one sway */

static fr_result sheet_velocity(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[3] < SHEET_SWAYS ? SHEET_SWAY * sin(2 * VALIDATE_PI * args[3] / SHEET_SWAYS) : 0;
    out[1] = -1;
    out[2] = 0;
    return FR_OK;
}

typedef struct sheet_way {
    double reynolds, height; /* height in D */
    fr_liquid_surface surface;
    validate_curve *outline, *middle; /* NULL: not drawn */
    double shift;                     /* of the outline, m */
} sheet_way;

/* How far its middle is aside, in D, at the most: in rows that the sheet passes through, not those of the heap, which
   is wider than two sheets. */
static double sheet_aside(const fr_frame *frame)
{
    double most = 0;
    for (int j = 0; j < frame->cells[1]; j++) {
        double sum = 0, moment = 0;
        for (int i = 0; i < frame->cells[0]; i++) {
            const double share = validate_share(frame, i, j, 0), x = frame->origin[0] + (i + 0.5) * frame->spacing[0];
            sum += share;
            moment += share * x;
        }
        if (sum * frame->spacing[0] > 0.5 && sum * frame->spacing[0] < 2)
            most = fmax(most, fabs(moment / sum));
    }
    return most;
}

static fr_result sheet_follow(fr_world *world, const validate_case *self, const sheet_way *way, double *aside)
{
    *aside = 0;
    for (int f = 0; f < fr_world_frame_count(world); f++) {
        FR_TRY(validate_frame(world, self->name));
        const double now = sheet_aside(fr_world_frame(world));
        *aside = fmax(*aside, now);
        if (way->middle)
            validate_point_add(way->middle, fr_world_time(world), now);
    }
    if (way->outline)
        validate_outline(fr_world_frame(world), way->shift, way->outline);
    return FR_OK;
}

/* The sheet starts at the nozzle, which is as wide and reaches a metre down from the roof. */
static void sheet_nozzle(validate_liquid *liquid, fr_shape_def *nozzle, double height)
{
    *nozzle = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 2; a++) {
        nozzle->min[a] = liquid->shape.min[a] = a == 0 ? -0.5 : height;
        nozzle->max[a] = liquid->shape.max[a] = a == 0 ? 0.5 : height + 1;
    }
    liquid->shape.min[1] -= 0.5;
}

static fr_result sheet_run(const validate_case *self, const sheet_way *way, double *aside)
{
    fr_shape_def nozzle;
    const fr_source_def source = {.shape.shape = &nozzle, .sets_velocity = true, .velocity.function = sheet_velocity};
    validate_liquid liquid;
    validate_liquid_full(&liquid, way->surface, 2, (double[3]){SHEET_BOX, way->height + 1, 0}, 0);
    fr_scene_def *def = &liquid.def;
    sheet_nozzle(&liquid, &nozzle, way->height);
    def->domain.cells[0] = self->cells * (int)SHEET_BOX;
    def->domain.cells[1] = self->cells * (int)(way->height + 1);
    def->domain.origin[0] = -SHEET_BOX / 2;
    def->gravity[1] = -SHEET_GRAVITY;
    def->fluid.viscosity = 1 / way->reynolds;
    def->walls[FR_BOTTOM].kind = FR_WALL_NO_SLIP;
    def->walls[FR_TOP].kind = FR_WALL_OPEN;
    def->sources = &source;
    def->source_count = 1;
    def->time = (fr_time_def){.duration = way->height + 16, .fps = 2};
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = sheet_follow(world, self, way, aside);
    fr_world_destroy(world);
    return result;
}

/* Points on each side of both limits. Folds: more than half of D aside. */
enum { SHEET_POINTS = 4, SHEET_SCAN = 5 };
static const struct {
    double reynolds, height;
    bool folds;
} sheet_points[SHEET_POINTS] = {{0.25, 12, true}, {1.2, 12, false}, {0.25, 6, false}, {1.2, 6, false}};

/* By every tracker; that of a level set is drawn. */
static fr_result sheet_judge(const validate_case *self, validate_record *record, int n, sheet_way way)
{
    way.reynolds = sheet_points[n].reynolds;
    way.height = sheet_points[n].height;
    way.shift = SHEET_BOX * n;
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        const bool folds = sheet_points[n].folds;
        validate_row row = {.published = NAN, .rule = folds ? VALIDATE_AT_LEAST : VALIDATE_AT_MOST, .limit = 0.5};
        way.surface = validate_trackers[t].surface;
        FR_TRY(sheet_run(self, &way, &row.measured));
        validate_row_add(record, row, "Re %g, H/D %g, %s: aside, in D", way.reynolds, way.height,
                         validate_trackers[t].name);
        way.outline = way.middle = NULL;
    }
    return FR_OK;
}

static fr_result sheet_four(const validate_case *self, validate_record *record)
{
    sheet_way ways[SHEET_POINTS] = {0};
    validate_panel_add(record, "sheets at the end, side by side", "x (D)", "y (D)");
    for (int n = 0; n < SHEET_POINTS; n++)
        ways[n].outline =
            validate_curve_add(record, false, "Re %g, H/D %g", sheet_points[n].reynolds, sheet_points[n].height);
    validate_panel_add(record, "how far the middle of the sheet is aside", "time (D/U)", "aside (D)");
    for (int n = 0; n < SHEET_POINTS; n++)
        ways[n].middle =
            validate_curve_add(record, false, "Re %g, H/D %g", sheet_points[n].reynolds, sheet_points[n].height);
    for (int n = 0; n < SHEET_POINTS; n++)
        FR_TRY(sheet_judge(self, record, n, ways[n]));
    return FR_OK;
}

/* The same along one of the two numbers, reported only. */
static fr_result sheet_scan(const validate_case *self, validate_record *record, const sheet_way points[SHEET_SCAN],
                            bool along_height)
{
    validate_curve *curve = validate_curve_add(record, false, "level set");
    for (int n = 0; n < SHEET_SCAN; n++) {
        double aside;
        FR_TRY(sheet_run(self, &points[n], &aside));
        validate_point_add(curve, along_height ? points[n].height : points[n].reynolds, aside);
        validate_report(record, aside, NAN, "Re %g, H/D %g: aside, in D", points[n].reynolds, points[n].height);
    }
    return FR_OK;
}

fr_result validate_melting_buckling(const validate_case *self, validate_record *record)
{
    const fr_liquid_surface surface = FR_LIQUID_LEVEL_SET;
    const sheet_way thin[SHEET_SCAN] = {{.reynolds = 0.1, .height = 12, .surface = surface},
                                        {.reynolds = 0.4, .height = 12, .surface = surface},
                                        {.reynolds = 0.5, .height = 12, .surface = surface},
                                        {.reynolds = 0.6, .height = 12, .surface = surface},
                                        {.reynolds = 0.8, .height = 12, .surface = surface}};
    const sheet_way low[SHEET_SCAN] = {{.reynolds = 0.25, .height = 5, .surface = surface},
                                       {.reynolds = 0.25, .height = 7, .surface = surface},
                                       {.reynolds = 0.25, .height = 8, .surface = surface},
                                       {.reynolds = 0.25, .height = 9, .surface = surface},
                                       {.reynolds = 0.25, .height = 10, .surface = surface}};
    FR_TRY(sheet_four(self, record));
    validate_panel_add(record, "H/D = 12: folds below Re 0.42", "Re", "aside (D)");
    FR_TRY(sheet_scan(self, record, thin, false));
    validate_panel_add(record, "Re = 0.25: folds above H/D 9.6", "H/D", "aside (D)");
    FR_TRY(sheet_scan(self, record, low, true));
    validate_note(record,
                  "aside: how far the middle of the sheet goes from that of the nozzle, at the most until t = H/U + 16 "
                  "D/U; more than half of D counts as folding");
    validate_note(record, "the nozzle sways once, by %g of the speed, and is then still; g D/U2 = %g, %d cells in D",
                  SHEET_SWAY, SHEET_GRAVITY, self->cells);
    validate_note(record, "published: folds where Re < 0.56 and H/D > 8.8 to 10; by Tome & McKee at H/D = 12 below Re "
                          "0.42, at Re = 0.25 above H/D 9.6");
    return FR_OK;
}
