/* What the river cases share, and free-stream preservation: no grid may disturb a uniform flow. */
#include "validate/validate.h"

#include <math.h>

const validate_river_kind validate_river_kinds[VALIDATE_RIVER_KINDS] = {
    {"flux", FR_RIVER_FLUX, 0, true},
    {"classic", FR_RIVER_CLASSIC, 0, false},
    {"classic, 1000 sweeps", FR_RIVER_CLASSIC, 1000, false},
};

void validate_river_set_kind(fr_scene_def *def, const validate_river_kind *kind)
{
    def->river.scheme = kind->scheme;
    if (kind->sweeps)
        def->river.sweeps = def->river.viscous_sweeps = kind->sweeps;
}

fr_scene_def validate_river_scene(fr_function map, void *context, int ns, int nt)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    def.name = "validate";
    def.fluid.density = 1;
    def.river.cells[0] = ns;
    def.river.cells[1] = nt;
    def.river.grid = map;
    def.river.grid_context = context;
    return def;
}

void validate_river_repeat(fr_scene_def *def, int axis)
{
    def->river.sides[2 * axis].kind = def->river.sides[2 * axis + 1].kind = FR_RIVER_PERIODIC;
}

static fr_result bent_map(void *context, const double *args, double *out)
{
    double bend = *(const double *)context, s = 2 * VALIDATE_PI * args[0], t = 2 * VALIDATE_PI * args[1],
           r = 2 * VALIDATE_PI * args[2];
    out[0] = args[0] + bend * sin(s) * sin(t) + 0.2 * bend * sin(t + r);
    out[1] = args[1] + 0.8 * bend * sin(s + t);
    out[2] = args[2] + 0.8 * bend * sin(t + r);
    if (bend < 0)
        out[0] = -out[0];
    return FR_OK;
}

fr_scene_def validate_river_bent(int dims, int cells, double *bend)
{
    fr_scene_def def = validate_river_scene(bent_map, bend, cells, cells);
    for (int a = 0; a < dims; a++) {
        def.river.cells[a] = cells;
        validate_river_repeat(&def, a);
    }
    return def;
}

static const double stream_flow[3] = {1, 0.5, -0.75};
static const double stream_once = 1, stream_often = 10;   /* s: the flow passes the grid along x once, ten times */

/* The largest deviation of a velocity component from the uniform flow, relative to its speed. */
static double stream_error(const fr_frame *frame)
{
    double worst = 0, square = 0;
    for (int a = 0; a < frame->dims; a++) {
        square += stream_flow[a] * stream_flow[a];
        for (int k = 0; k < frame->cells[2]; k++)
            for (int j = 0; j < frame->cells[1]; j++)
                for (int i = 0; i < frame->cells[0]; i++)
                    worst = fmax(worst, fabs(validate_velocity(frame, a, i, j, k) - stream_flow[a]));
    }
    return worst / sqrt(square);
}

typedef struct stream_result {
    double once, often;       /* largest deviation until then */
} stream_result;

static fr_result stream_follow(fr_world *world, const validate_case *self, validate_curve *curve, stream_result *out)
{
    *out = (stream_result){0, 0};
    while (fr_world_time(world) < stream_often - 1e-6) {
        FR_TRY(validate_frame(world, self->name));
        double error = stream_error(fr_world_frame(world)), time = fr_world_time(world);
        validate_point_add(curve, time, error);
        out->often = fmax(out->often, error);
        if (time < stream_once + 1e-6)
            out->once = out->often;
    }
    return FR_OK;
}

static fr_result stream_run(const validate_case *self, const validate_river_kind *kind, int dims, double bend,
                            validate_curve *curve, stream_result *out)
{
    fr_scene_def def = validate_river_bent(dims, dims == 3 ? 16 : 32, &bend);
    validate_river_set_kind(&def, kind);
    def.has_initial_velocity = true;
    for (int a = 0; a < dims; a++)
        def.initial_velocity.value[a] = stream_flow[a];
    def.time = (fr_time_def){.duration = stream_often, .fps = 10};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = stream_follow(world, self, curve, out);
    fr_world_destroy(world);
    return result;
}

/* Runs one scheme on the four grids. */
static fr_result stream_grids(const validate_case *self, const validate_river_kind *kind, validate_record *record)
{
    validate_panel_add(record, kind->name, "time", "greatest difference over the speed");
    for (int dims = 2; dims <= 3; dims++)
        for (int mirrored = 0; mirrored <= 1; mirrored++) {
            const char *grid = mirrored ? "mirrored" : "bent";
            stream_result result;
            FR_TRY(stream_run(self, kind, dims, mirrored ? -0.1 : 0.1,
                              validate_curve_add(record, false, "%dD, %s", dims, grid), &result));
            validate_rule rule = kind->judged ? VALIDATE_AT_MOST : VALIDATE_REPORT;
            validate_row_add(
                record, (validate_row){.measured = result.once, .published = NAN, .rule = rule, .limit = 1e-6},
                "%s, %dD, %s grid: greatest difference over the speed until t = 1", kind->name, dims, grid);
            validate_report(record, result.often, NAN, "%s, %dD, %s grid: the same until t = 10", kind->name, dims,
                            grid);
        }
    return FR_OK;
}

fr_result validate_river_free_stream(const validate_case *self, validate_record *record)
{
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        if (!validate_river_kinds[n].sweeps)   /* sweeps make no difference here */
            FR_TRY(stream_grids(self, &validate_river_kinds[n], record));
    validate_note(record, "32 x 32 and 16 x 16 x 16 cells that repeat, flow (1, 0.5) and (1, 0.5, -0.75), which goes "
                          "through the grid once a second; fields "
                          "are kept in single precision, of which a unit in the last place is 1.2e-7");
    return FR_OK;
}
