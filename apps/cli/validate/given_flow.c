/* Surfaces in given flows that end where they began: what comes back is what the tracker has kept (Enright, Fedkiw,
   Ferziger & Mitchell 2002). Reported are the share of the volume that is lost, and the L1 error: the volume between
   the surface at the start and at the end, over the area of the surface, in cells. */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Zalesak 1979: a rigid turn, one in 628 s. */
static fr_result given_turn(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * VALIDATE_PI / 628 * (0.5 - args[1]);
    out[1] = 2 * VALIDATE_PI / 628 * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

/* LeVeque 1996: a vortex that turns back after 4 s. */
static fr_result given_vortex(void *context, const double *args, double *out)
{
    (void)context;
    double sx = sin(VALIDATE_PI * args[0]), sy = sin(VALIDATE_PI * args[1]), back = cos(VALIDATE_PI * args[3] / 8);
    out[0] = -sx * sx * sin(2 * VALIDATE_PI * args[1]) * back;
    out[1] = sy * sy * sin(2 * VALIDATE_PI * args[0]) * back;
    out[2] = 0;
    return FR_OK;
}

/* LeVeque 1996 in three dimensions: turns back after 1.5 s. */
static fr_result given_deformation(void *context, const double *args, double *out)
{
    (void)context;
    double once[3], twice[3], back = cos(VALIDATE_PI * args[3] / 3);
    for (int a = 0; a < 3; a++) {
        once[a] = pow(sin(VALIDATE_PI * args[a]), 2);
        twice[a] = sin(2 * VALIDATE_PI * args[a]);
    }
    out[0] = 2 * once[0] * twice[1] * twice[2] * back;
    out[1] = -twice[0] * once[1] * twice[2] * back;
    out[2] = -twice[0] * twice[1] * once[2] * back;
    return FR_OK;
}

static fr_result given_slotted_disc(void *context, const double *args, double *out)
{
    (void)context;
    double disc = hypot(args[0] - 0.5, args[1] - 0.75) - 0.15;
    double slot = fmax(fabs(args[0] - 0.5) - 0.025, args[1] - 0.85);
    *out = fmax(disc, -slot);
    return FR_OK;
}

static fr_result given_disc(void *context, const double *args, double *out)
{
    (void)context;
    *out = hypot(args[0] - 0.5, args[1] - 0.75) - 0.15;
    return FR_OK;
}

static fr_result given_ball(void *context, const double *args, double *out)
{
    (void)context;
    *out = hypot(hypot(args[0] - 0.35, args[1] - 0.35), args[2] - 0.35) - 0.15;
    return FR_OK;
}

typedef struct given_test {
    int dims;
    fr_function flow, shape;
    double duration, dt; /* s; dt 0: as chosen */
    double area;         /* of the surface, m² (2D: its length) */
    double lost;         /* published for a particle level set, % */
    bool ladder;         /* by every scheme of the level set, and with their surfaces in a picture */
} given_test;

static const given_test given_tests[] = {
    {2, given_turn, given_slotted_disc, 628, 1, 1.438, 0.31, true},
    {2, given_vortex, given_disc, 8, 1.0 / 128, 2 * VALIDATE_PI * 0.15, 0.71, false},
    {3, given_deformation, given_ball, 3, 0.5 / 100, 4 * VALIDATE_PI * 0.15 * 0.15, 2.6, false},
};

typedef struct given_way {
    const char *name;
    fr_liquid_surface surface;
    fr_liquid_transport transport;
    int order;   /* in time */
    bool judged; /* by the published loss: the method of the paper */
    bool drawn;
} given_way;

static const given_way given_ways[] = {
    {"level set, semi-Lagrangian", FR_LIQUID_LEVEL_SET, FR_LIQUID_SEMI_LAGRANGIAN, 3, false, false},
    {"level set, weno5", FR_LIQUID_LEVEL_SET, FR_LIQUID_WENO5, 3, false, false},
    {"particle level set, weno5", FR_LIQUID_PARTICLE_LEVEL_SET, FR_LIQUID_WENO5, 3, true, false},
    {"markers", FR_LIQUID_MARKERS, FR_LIQUID_SEMI_LAGRANGIAN, 3, false, false},
};

/* The shares of the cells that are liquid, from the distances of their centres, into `shares`. Returns how much they
   have changed: ∫|share − before|, m³. */
static double given_shares(const fr_frame *frame, double h, double *shares)
{
    double change = 0;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++, shares++) {
                double share = validate_share(frame, i, j, k);
                change += fabs(share - *shares);
                *shares = share;
            }
    return change * pow(h, frame->dims);
}

static fr_result given_measure(fr_world *world, const validate_case *self, const given_test *test, const given_way *way,
                               validate_record *record)
{
    const fr_frame *frame = fr_world_frame(world);
    double h = frame->spacing[0], before = validate_ledger(world, "volume");
    double *shares =
        calloc((size_t)frame->cells[0] * (size_t)frame->cells[1] * (size_t)frame->cells[2], sizeof *shares);
    if (!shares)
        return fr_fail(FR_ERROR_MEMORY, "no memory for the cells of '%s'", self->name);
    given_shares(frame, h, shares);
    fr_result result = validate_frame(world, self->name);
    double change = result == FR_OK ? given_shares(fr_world_frame(world), h, shares) : NAN;
    free(shares);
    FR_TRY(result);
    const double lost = 100 * (1 - validate_ledger(world, "volume") / before);
    validate_row row = {.measured = fabs(lost), .published = NAN, .rule = VALIDATE_AT_MOST, .limit = test->lost};
    validate_report(record, lost, NAN, "%s: volume lost, %%", way->name);
    if (way->judged) /* to lose less than others did is no miss */
        validate_row_add(record, row, "%s: volume lost or gained, %%", way->name);
    validate_report(record, change / (test->area * h), NAN, "%s: L1 error, cells", way->name);
    if (way->drawn)
        validate_outline(fr_world_frame(world), 0, validate_curve_add(record, false, "%s", way->name));
    return FR_OK;
}

static fr_result given_move(const validate_case *self, const given_test *test, const given_way *way,
                            validate_record *record)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_SDF);
    shape.function = test->shape;
    const fr_fill_def fill = {.shape.shape = &shape};
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    def.name = "validate";
    def.domain.dims = test->dims;
    for (int a = 0; a < test->dims; a++)
        def.domain.size[a] = 1;
    def.domain.cells[0] = self->cells;
    def.time = (fr_time_def){.duration = test->duration, .fps = 1 / test->duration, .dt = test->dt};
    def.liquid.surface = way->surface;
    def.liquid.transport = way->transport;
    def.liquid.order = way->order;
    def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    def.fill = &fill;
    def.fill_count = 1;
    def.has_prescribed = true;
    def.prescribed.function = test->flow;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = given_measure(world, self, test, way, record);
    fr_world_destroy(world);
    return result;
}

/* Every scheme in space and time (Carlson 2004, figs. 28 and 30), by the level set alone or with particles. Those of
   the highest order in time are drawn. */
static fr_result given_climb(const validate_case *self, const given_test *test, fr_liquid_surface surface,
                             validate_record *record)
{
    static const char *const names[] = {[FR_LIQUID_SEMI_LAGRANGIAN] = "semi-Lagrangian",
                                        [FR_LIQUID_UPWIND] = "upwind",
                                        [FR_LIQUID_ENO2] = "eno2",
                                        [FR_LIQUID_ENO3] = "eno3",
                                        [FR_LIQUID_WENO5] = "weno5"};
    const bool particles = surface == FR_LIQUID_PARTICLE_LEVEL_SET;
    validate_panel_add(record, particles ? "with particles" : "without particles", "x", "y");
    for (size_t t = 0; t < sizeof names / sizeof names[0]; t++)
        for (int order = t == FR_LIQUID_SEMI_LAGRANGIAN ? 3 : 1; order <= 3; order++) {
            char name[64];
            snprintf(name, sizeof name, t == FR_LIQUID_SEMI_LAGRANGIAN ? "%s%s" : "%s%s, order %d",
                     particles ? "particles, " : "", names[t], order);
            given_way way = {.name = name,
                             .surface = surface,
                             .transport = (fr_liquid_transport)t,
                             .order = order,
                             .judged = particles && t == FR_LIQUID_WENO5 && order == 3,
                             .drawn = order == 3};
            FR_TRY(given_move(self, test, &way, record));
        }
    return FR_OK;
}

fr_result validate_given_flow(const validate_case *self, validate_record *record)
{
    const given_test *test = &given_tests[(int)self->number];
    const size_t ways = sizeof given_ways / sizeof given_ways[0];
    if (test->ladder) {
        FR_TRY(given_climb(self, test, FR_LIQUID_LEVEL_SET, record));
        FR_TRY(given_climb(self, test, FR_LIQUID_PARTICLE_LEVEL_SET, record));
    }
    for (size_t w = test->ladder ? ways - 1 : 0; w < ways; w++)
        FR_TRY(given_move(self, test, &given_ways[w], record));
    validate_note(record,
                  "volume = \"free\": nothing corrects the volume. The mark is what a particle level set lost in the "
                  "paper");
    return FR_OK;
}
