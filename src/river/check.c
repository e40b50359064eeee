/* Defaults of a river, and the checks of a definition beyond those of every scene. */
#include "method/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/evaluate.h"
#include "method/sizes.h"
#include "river/check.h"
#include "river/river.h"

const char *const river_side_names[FR_SIDES] = {"s0", "s1", "t0", "t1", "r0", "r1"};

void river_set_defaults(fr_scene_def *def)
{
    def->domain = (fr_domain_def){0};   /* the grid defines where a river lies */
    def->gravity[1] = 0;
    def->river = (fr_river_def){.block_roughness = 1, .sweeps = 80, .viscous_sweeps = 20};
    for (int side = 0; side < FR_SIDES; side++)
        def->river.sides[side] = (fr_river_side){.kind = FR_RIVER_BANK, .roughness = 1};
    memset(def->look.obstacle_colour, 0, sizeof def->look.obstacle_colour);
}

int river_dims(const fr_scene_def *def)
{
    return def->river.cells[2] > 0 ? 3 : 2;
}

fr_result river_check_resolution(const fr_scene_def *def)
{
    const int *cells = def->river.cells;
    if (cells[0] == 0 && cells[1] == 0)
        return fr_fail_key(
            "river.cells",
            "river.cells is missing: how many cells lie along the river and across it, cells = {100, 20}");
    domain d = {.dims = river_dims(def), .n = {cells[0], cells[1], cells[2] > 0 ? cells[2] : 1}};
    for (int a = 0; a < 3; a++)
        if (d.n[a] < 1 || d.n[a] > SIZES_MOST_CELLS || cells[a] < 0)
            return fr_fail_key("river.cells", "river.cells must lie between 1 and %d along every axis, not %d",
                               SIZES_MOST_CELLS, cells[a]);
    if (!sizes_can_be_numbered(&d))
        return fr_fail_key("river.cells",
                           "river.cells asks for %d x %d x %d cells, more than can be numbered (about 2e9)", d.n[0],
                           d.n[1], d.n[2]);
    return FR_OK;
}

static fr_result river_check_lists(const fr_river_def *river)
{
    FR_TRY(check_list("river.obstacles", river->blocks, river->block_count));
    for (int side = 0; side < FR_SIDES; side++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "river.sides.%s", river_side_names[side]);
        FR_TRY(check_value_list(key, river->sides[side].scalars, river->sides[side].scalar_count));
    }
    return FR_OK;
}

static fr_result check_grid(const fr_river_def *river)
{
    if (!river->grid && !river->nodes)
        return fr_fail_key("river.grid", "river.grid is missing: where the river lies, grid = function(s, t) return 10 "
                                         "* s, t end, channel{…} or nodes = \"file.csv\"");
    if (river->grid && river->nodes)
        return fr_fail_key("river.nodes", "river.nodes and river.grid both say where the river lies; keep one of them");
    if ((unsigned)river->scheme > FR_RIVER_CLASSIC)
        return fr_fail_key("river.scheme", "river.scheme must be one that freshet/defs.h names, not the number %d",
                           (int)river->scheme);
    return FR_OK;
}

static fr_result check_roughness(const char *key, double roughness)
{
    if (!(roughness >= 0 && roughness <= 1))
        return fr_fail_key(key, "%s: roughness must lie between 0 (the water slips along) and 1 (it sticks), not %g",
                           key, roughness);
    return FR_OK;
}

bool river_lets_in(const fr_river_side *side)
{
    return side->kind == FR_RIVER_INFLOW ||
           (side->kind == FR_RIVER_BANK && (side->inflow.function || side->inflow.value != 0));
}

fr_result river_entering(const fr_river_side *side, const double shares[3], double t, double *speed)
{
    return evaluate_number(side->kind == FR_RIVER_INFLOW ? &side->speed : &side->inflow, shares, t, speed);
}

static fr_result check_bank(const char *key, const fr_river_side *bank, int side)
{
    bool moves = bank->speed.function || bank->speed.value != 0;
    if (!bank->roughness_of)
        FR_TRY(check_roughness(key, bank->roughness));
    if (moves && side / 2 == 0)
        return fr_fail_key(
            key,
            "%s: a bank moves along +s, and this one lies across it; for flow through the side use inflow{ speed = … }",
            key);
    if (moves && !bank->roughness_of && bank->roughness == 0)
        return fr_fail_key(key,
                           "%s: water slips along a bank of roughness 0, so its speed has no effect; give it roughness "
                           "or leave speed out",
                           key);
    return FR_OK;
}

/* A suggestion for the outflow: the opposite side if it is a bank, else the first bank. */
static const char *check_way_out(const fr_scene_def *def, int side)
{
    for (int k = 0; k < FR_SIDES; k++) {
        int other = k == 0 ? side ^ 1 : k;
        if (other < 2 * river_dims(def) && def->river.sides[other].kind == FR_RIVER_BANK)
            return river_side_names[other];
    }
    return river_side_names[side ^ 1];
}

static bool check_has_outflow(const fr_scene_def *def)
{
    for (int side = 0; side < 2 * river_dims(def); side++)
        if (def->river.sides[side].kind == FR_RIVER_OUTFLOW)
            return true;
    return false;
}

static fr_result check_inflow(const fr_scene_def *def, const char *key, int side)
{
    const fr_river_side *inflow = &def->river.sides[side];
    const fr_number *enters = inflow->kind == FR_RIVER_INFLOW ? &inflow->speed : &inflow->inflow;
    char speed[40] = "water";
    if (!enters->function)
        snprintf(speed, sizeof speed, "%g m/s", enters->value);
    if (!enters->function && enters->value < 0)
        return fr_fail_key(key,
                           "%s: an inflow's speed is how fast water comes in, not %g m/s; let it out with outflow{}",
                           key, enters->value);
    if (!check_has_outflow(def))
        return fr_fail_key(key, "%s lets %s in but nothing lets it out: %s = outflow{}", key, speed,
                           check_way_out(def, side));
    return check_scalar_values(def, NULL, key, inflow->scalars, inflow->scalar_count);
}

static fr_result check_side(const fr_scene_def *def, int side)
{
    const fr_river_side *sides = def->river.sides;
    char key[CHECK_KEY];
    snprintf(key, sizeof key, "river.sides.%s", river_side_names[side]);
    if ((unsigned)sides[side].kind > FR_RIVER_PERIODIC)
        return fr_fail_key(key, "%s must be of a kind that freshet/defs.h names, not the number %d", key,
                           (int)sides[side].kind);
    FR_TRY(check_finite(key, &sides[side].speed.value, 1));
    FR_TRY(check_finite(key, &sides[side].inflow.value, 1));
    if (sides[side].kind == FR_RIVER_PERIODIC && sides[side ^ 1].kind != FR_RIVER_PERIODIC)
        return fr_fail_key(key,
                           "%s is periodic and river.sides.%s is not: what leaves comes in on the other side; write %c "
                           "= \"periodic\" for the two",
                           key, river_side_names[side ^ 1], "str"[side / 2]);
    if (sides[side].kind != FR_RIVER_BANK && (sides[side].inflow.function || sides[side].inflow.value != 0))
        return fr_fail_key(key, "%s: `inflow` opens part of a bank; all of another side is in its kind", key);
    if (sides[side].scalar_count > 0 && !river_lets_in(&sides[side]))
        return fr_fail_key(key, "%s: only an inflow carries %s in", key, sides[side].scalars[0].name);
    if (sides[side].kind == FR_RIVER_BANK)
        FR_TRY(check_bank(key, &sides[side], side));
    return river_lets_in(&sides[side]) ? check_inflow(def, key, side) : FR_OK;
}

/* The two schemes have different solvers. */
static fr_result river_check_solver(const fr_scene_def *def)
{
    const fr_scene_def usual = fr_default_scene(FR_METHOD_RIVER);
    const fr_river_def *river = &def->river;
    FR_TRY(check_solver(&def->solver));
    if (river->sweeps < 1 || river->viscous_sweeps < 1)
        return fr_fail_key(river->sweeps < 1 ? "river.sweeps" : "river.viscous_sweeps",
                           "river.sweeps and river.viscous_sweeps must be at least 1, not %d and %d", river->sweeps,
                           river->viscous_sweeps);
    bool swept = river->scheme == FR_RIVER_CLASSIC;
    const char *of_classic = river->sweeps != usual.river.sweeps                   ? "river.sweeps"
                             : river->viscous_sweeps != usual.river.viscous_sweeps ? "river.viscous_sweeps"
                                                                                   : NULL;
    const char *of_flux = def->solver.pressure_tolerance != usual.solver.pressure_tolerance
                              ? "solver.pressure_tolerance"
                          : def->solver.max_iterations != usual.solver.max_iterations ? "solver.max_iterations"
                                                                                      : NULL;
    if (of_classic && !swept)
        return fr_fail_key(of_classic,
                           "%s belongs to scheme = \"classic\"; the flux scheme has solver.pressure_tolerance",
                           of_classic);
    if (of_flux && swept)
        return fr_fail_key(of_flux, "%s belongs to scheme = \"flux\"; the classic scheme has river.sweeps", of_flux);
    if (def->solver.pressure != FR_PRESSURE_AUTO && def->solver.pressure != FR_PRESSURE_MULTIGRID)
        return fr_fail_key("solver.pressure", "solver.pressure: the pressure of a river is solved by multigrid, or by "
                                              "the classic scheme's sweeps; leave it out");
    return FR_OK;
}

static fr_result check_inks(const fr_scene_def *def)
{
    for (int i = 0; i < def->scalar_count; i++) {
        const fr_scalar_def *ink = &def->scalars[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "scalars.%s", ink->name);
        FR_TRY(check_scalar(key, ink));
        if (ink->refine > 1)
            return fr_fail_key(key, "%s: refine is for smoke; a river's inks live on its cells", key);
        if (ink->transport == FR_TRANSPORT_CONSERVATIVE && def->river.scheme == FR_RIVER_CLASSIC)
            return fr_fail_key("river.scheme",
                               "river.scheme = \"classic\" has no fluxes through faces, by which the conservative "
                               "transport of '%s' goes; use "
                               "\"flux\", or leave its transport out",
                               ink->name);
        for (int k = 0; k < i; k++)
            if (!strcmp(def->scalars[k].name, ink->name))
                return fr_fail_key(key, "%s: there are two scalars of the name '%s'; choose another", key, ink->name);
    }
    return FR_OK;
}

static fr_result river_check_sources(const fr_scene_def *def)
{
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        char key[CHECK_KEY];
        check_source_key(def, i, key);
        if (source->sets_velocity)
            return fr_fail_key(key,
                               "%s: a river's sources give inks, not velocity; push the water with forces or let it in "
                               "with inflow{ speed = … }",
                               key);
        if (source->scalar_count == 0)
            return fr_fail_key(key, "%s gives nothing; add an ink of river.inks or a scalar", key);
        FR_TRY(check_scalar_values(def, NULL, key, source->scalars, source->scalar_count));
    }
    return FR_OK;
}

static fr_result river_check_tracers(const fr_scene_def *def)
{
    for (int i = 0; i < def->tracer_count; i++) {
        const fr_tracers_def *tracers = &def->tracers[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "river.particles[%d]", i + 1);
        if (tracers->count < 0 || (tracers->count == 0 && tracers->per_cell == 0 && tracers->rate == 0))
            return fr_fail_key(key,
                               "%s has no particles; say how many: river.particles = 2000, or a count at the start or "
                               "a rate per second",
                               key);
        FR_TRY(check_tracers_number(key, tracers));
        FR_TRY(check_not_negative(key, tracers->lifetime));
        const char *idle = tracers->shape.shape       ? "a shape; they start in cells = cells{…} or all over it"
                           : tracers->per_cell > 0    ? "per_cell; give their count"
                           : tracers->settle != 0     ? "settle; they go as the water does"
                           : tracers->response != 0   ? "response; they go as the water does"
                           : tracers->has_velocity    ? "velocity; they go as the water does"
                                                      : NULL;
        if (idle)
            return fr_fail_key(key, "%s: particles in a river have no %s", key, idle);
    }
    return FR_OK;
}

/* Refuses what belongs to other methods. */
static fr_result check_not_of_rivers(const fr_scene_def *def)
{
    bool weight = def->gravity[0] != 0 || def->gravity[1] != 0 || def->gravity[2] != 0, walls = false;
    for (int side = 0; side < FR_SIDES; side++)
        walls = walls || def->walls[side].kind != FR_WALL_FREE_SLIP;
    char initial[CHECK_KEY] = "", advice[CHECK_KEY] = "";
    if (def->initial_count > 0) {
        snprintf(initial, sizeof initial, "initial.%s", def->initial[0].name);
        snprintf(advice, sizeof advice, "write river.inks.%.40s.initial", def->initial[0].name);
    }
    const struct { bool there; const char *key, *instead;
    } foreign[] = {
        {weight, "gravity", "it would have no effect: the water fills its bed; push it with forces"},
        {walls, "walls", "its sides are river.sides = { s0 = inflow{…}, s1 = outflow{}, t0 = bank{} }"},
        {def->obstacle_count > 0, "obstacles",
         "what stands in it are cells: river.obstacles = { cells{ from = {…}, to = {…} } }"},
        {def->fill_count > 0, "fill", "it is full of water"},
        {def->sink_count > 0, "sinks", "water leaves through river.sides = { s1 = outflow{} }"},
        {def->fluid.surface_tension > 0, "fluid.surface_tension", "it has no surface"},
        {def->initial_count > 0, initial, advice},
        {def->initial_turbulence.speed > 0, "initial.turbulence", "give it an initial.velocity instead"},
        {def->has_prescribed, "prescribed", "its flow is always solved"},
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (foreign[i].there)
            return fr_fail_key(foreign[i].key, "%s is not for method = \"river\": %s", foreign[i].key,
                               foreign[i].instead);
    for (int i = 0; i < def->force_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "forces[%d]", i + 1);
        if (def->forces[i].is_fan)
            return fr_fail_key(key, "%s: fan{} is for smoke; push the water with force{ value = {…} }", key);
    }
    return FR_OK;
}

/* Refuses views of fields that the scene does not have: they would fail only after the run. */
static fr_result river_check_views(const fr_scene_def *def)
{
    for (int i = 0; i < def->output.view_count; i++) {
        const char *field = def->output.views[i].field;
        if (field && !strcmp(field, "dyes") && def->scalar_count == 0)
            return fr_fail_key("output.images", "output.images: 'dyes' draws inks and the river has none; give it "
                                                "some, river.inks = { blue = { … } }, or draw 'speed'");
        if (field && !strcmp(field, "particles") && def->tracer_count == 0)
            return fr_fail_key(
                "output.images",
                "output.images: the river has no particles to draw; give it some, river.particles = 2000");
    }
    return FR_OK;
}

fr_result river_check_parts(const fr_scene_def *def)
{
    FR_TRY(river_check_lists(&def->river));
    FR_TRY(check_not_of_rivers(def));
    FR_TRY(check_grid(&def->river));
    FR_TRY(check_inks(def));
    for (int side = 0; side < 2 * river_dims(def); side++)
        FR_TRY(check_side(def, side));
    FR_TRY(check_roughness("river.obstacle_roughness", def->river.block_roughness));
    FR_TRY(river_check_solver(def));
    FR_TRY(river_check_sources(def));
    FR_TRY(river_check_tracers(def));
    FR_TRY(river_check_views(def));
    FR_TRY(check_finite("river.bed", &def->river.bed.value, 1));
    return river_check_blocks(def);
}
