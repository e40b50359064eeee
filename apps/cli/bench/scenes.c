/* The scenes of the benchmarks. The plumes use the set-up for which timings of other programs are known: a closed 1 m
   cube, dt 1/60 s, buoyancy 4 m/s² times the smoke's density, and a flat cylinder near the floor with density 1. */
#include "bench/bench.h"

#include <math.h>

static const double bench_dt = 1.0 / 60;

/* White noise: neighbouring faces are independent, so that every wavelength is present. */
static fr_result bench_noise(void *context, const double *args, double *out)
{
    (void)context;
    for (int c = 0; c < 3; c++) {
        double wave = sin(12.9898 * args[0] + 78.233 * args[1] + 37.719 * args[2] + 17.13 * c) * 43758.5453;
        out[c] = 2 * (wave - floor(wave)) - 1;
    }
    return FR_OK;
}

static void bench_box(fr_scene_def *def, int dims, int cells)
{
    def->name = "bench";
    def->domain = (fr_domain_def){.dims = dims, .size = {1, 1, 1}, .cells = {cells, 0, 0}};
    def->time.fps = 60;
    def->time.dt = bench_dt;
    def->time.duration = 10;
    def->output.cache = false;
}

static void bench_fill_pressure(fr_scene_def *def, bench_parts *parts, int dims, int cells)
{
    bench_box(def, dims, cells);
    parts->shape = fr_default_shape(FR_SHAPE_SPHERE);
    parts->shape.radius = 0.1371;
    parts->obstacle.shape = (fr_placed_shape){.shape = &parts->shape, .at = {0.4127, 0.3719, dims == 3 ? 0.5531 : 0}};
    def->obstacles = &parts->obstacle;
    def->obstacle_count = 1;
    def->has_initial_velocity = true;
    def->initial_velocity.function = bench_noise;
    def->solver.pressure = FR_PRESSURE_MULTIGRID;
    def->solver.pressure_tolerance = 1e-6;
}

static void bench_fill_pressure_3d(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_pressure(def, parts, 3, cells);
}

static void bench_fill_pressure_2d(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_pressure(def, parts, 2, cells);
}

/* Balls in a closed box full of water with a rough velocity: a lattice of 3³ or 6³ places, each ball somewhere in its
   own. `density` 0: obstacles in their place. */
static void bench_fill_balls(fr_scene_def *def, bench_parts *parts, int cells, int count, double density)
{
    const int across = count > 27 ? 6 : 3;
    const double pitch = 1.0 / across, radius = 0.2 * pitch;
    bench_fill_pressure(def, parts, 3, cells);
    def->fluid.density = 1000;
    def->gravity[1] = 0; /* the same right side with bodies and with obstacles */
    parts->shape.radius = radius;
    def->obstacles = density > 0 ? NULL : parts->obstacles;
    def->bodies = parts->bodies;
    def->obstacle_count = density > 0 ? 0 : count;
    def->body_count = density > 0 ? count : 0;
    for (int n = 0; n < count; n++) {
        const int place[3] = {n % across, n / across % across, n / across / across};
        fr_placed_shape at = {.shape = &parts->shape};
        for (int a = 0; a < 3; a++) {
            const double part = 0.5 + 0.5 * sin(12.9898 * n + 78.233 * a);
            at.at[a] = pitch * place[a] + 1.2 * radius + part * (pitch - 2.4 * radius);
        }
        parts->obstacles[n].shape = at;
        parts->bodies[n] = fr_default_body();
        parts->bodies[n].shape = at;
        parts->bodies[n].density.value = density;
    }
}

static void bench_fill_light(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_balls(def, parts, cells, 10, 10);
}

static void bench_fill_heavy(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_balls(def, parts, cells, 10, 11000);
}

static void bench_fill_few_held(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_balls(def, parts, cells, 10, 0);
}

static void bench_fill_many(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_balls(def, parts, cells, BENCH_BODIES, 10);
}

static void bench_fill_many_held(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_balls(def, parts, cells, BENCH_BODIES, 0);
}

/* Temperature is advected but has no buoyancy, so that the flow is the same as in the other programs. */
static void bench_fill_plume(fr_scene_def *def, bench_parts *parts, int dims, int cells)
{
    bench_box(def, dims, cells);
    def->smoke.buoyancy_density = -4;
    parts->shape = fr_default_shape(dims == 3 ? FR_SHAPE_CYLINDER : FR_SHAPE_BOX);
    parts->shape.radius = 0.14;
    parts->shape.height = 0.04;
    for (int a = 0; a < 3; a++) {
        double half = a == 1 ? 0.02 : 0.14;
        parts->shape.min[a] = -half;
        parts->shape.max[a] = half;
    }
    parts->scalars[0] = (fr_scalar_value){.name = "density", .value.value = 1};
    parts->scalars[1] = (fr_scalar_value){.name = "temperature", .value.value = 1};
    parts->source = (fr_source_def){.shape = {.shape = &parts->shape, .at = {0.5, 0.1, dims == 3 ? 0.5 : 0}},
                                    .scalars = parts->scalars, .scalar_count = 2, .to = INFINITY};
    def->sources = &parts->source;
    def->source_count = 1;
}

static void bench_fill_plume_3d(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_plume(def, parts, 3, cells);
}

static void bench_fill_plume_2d(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_plume(def, parts, 2, cells);
}

/* The dam break for which timings of other programs are known: a closed box of 3 × 2 × 1 m with a 1 m cube of water in
   its corner, support radius of two spacings, viscosity 0.01 m²/s, mean density error 0.05 %; from t = 0.4 s on. */
static void bench_fill_dam(fr_scene_def *def, bench_parts *parts, int particles)
{
    def->name = "bench";
    def->domain = (fr_domain_def){.dims = 3, .size = {3, 2, 1}};
    def->time.duration = 10;
    def->time.fps = 1;            /* few frames, so that no step is shortened to end at one */
    def->fluid.viscosity = 0.01;
    def->sph.spacing = 1.0 / particles;
    def->sph.density_error = 5e-4;
    def->output.cache = false;
    parts->shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++)
        parts->shape.max[a] = 1;
    parts->fill.shape.shape = &parts->shape;
    def->fill = &parts->fill;
    def->fill_count = 1;
}

static void bench_fill_dam_pcisph(fr_scene_def *def, bench_parts *parts, int particles)
{
    bench_fill_dam(def, parts, particles);
    def->sph.solver = FR_SPH_PCISPH;
}

static void bench_fill_dam_wcsph(fr_scene_def *def, bench_parts *parts, int particles)
{
    bench_fill_dam(def, parts, particles);
    def->sph.solver = FR_SPH_WCSPH;
}

/* The dam for which timings of other liquids on grids are known: a closed 1 m cube, dt 1/120 s, a column of 0.4 × 0.6 m
   over the whole depth, 8 particles a cell, no pictures. */
static void bench_fill_column(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_box(def, 3, cells);
    def->time.fps = 120;
    def->time.dt = 1.0 / 120;
    parts->shape = fr_default_shape(FR_SHAPE_BOX);
    parts->shape.max[0] = 0.4;
    parts->shape.max[1] = 0.6;
    parts->shape.max[2] = 1;
    parts->fill.shape.shape = &parts->shape;
    def->fill = &parts->fill;
    def->fill_count = 1;
}

static void bench_fill_flip(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_column(def, parts, cells);
    def->liquid.surface = FR_LIQUID_FLIP;
}

static void bench_fill_apic(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_column(def, parts, cells);
    def->liquid.surface = FR_LIQUID_APIC;
}

static void bench_fill_level_set(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_column(def, parts, cells);
    def->liquid.surface = FR_LIQUID_LEVEL_SET;
}

static void bench_fill_particle_level_set(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_column(def, parts, cells);
    def->liquid.surface = FR_LIQUID_PARTICLE_LEVEL_SET;
}

/* A meandering channel of varying width, with a block, ink and particles, at tolerance 1e-4. */
static fr_result bench_bend(void *context, const double *args, double *out)
{
    (void)context;
    double x = 4 * args[0];
    out[0] = x;
    out[1] = 0.4 * sin(2 * x) + (1 + 0.3 * cos(3 * x)) * (args[1] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static fr_result bench_stripes(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = fmod(floor(10 * args[1] + 100), 2);
    return FR_OK;
}

static void bench_carry(fr_scene_def *def, bench_parts *parts)
{
    def->name = "bench";
    def->time.duration = 100;
    def->time.fps = 1e-2;
    def->time.cfl = 2;
    def->output.cache = false;
    def->solver.pressure_tolerance = 1e-4;
    parts->ink = (fr_scalar_def){.name = "ink"};
    parts->scalars[0] = (fr_scalar_value){.name = "ink", .value.function = bench_stripes};
    parts->tracers = (fr_tracers_def){.count = 10000, .to = INFINITY, .renewed = def->method == FR_METHOD_RIVER};
    def->scalars = &parts->ink;
    def->tracers = &parts->tracers;
    def->scalar_count = def->tracer_count = 1;
}

static void bench_fill_river_of(fr_scene_def *def, bench_parts *parts, int ns, int nt)
{
    bench_carry(def, parts);
    def->river.cells[0] = ns;
    def->river.cells[1] = nt;
    def->river.grid = bench_bend;
    for (int a = 0; a < 2; a++) {
        int n = def->river.cells[a];
        parts->block.from[a] = (a ? 9 : 3) * n / 20;
        parts->block.to[a] = (a ? 11 : 4) * n / 20 - 1;
    }
    def->river.blocks = &parts->block;
    def->river.block_count = 1;
    def->river.sides[0] =
        (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1, .scalars = parts->scalars, .scalar_count = 1};
    def->river.sides[1].kind = FR_RIVER_OUTFLOW;
}

static void bench_fill_river(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_river_of(def, parts, cells, cells);
}

static void bench_fill_river_long(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_river_of(def, parts, cells, cells / 10);
}

static void bench_fill_river_classic(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_fill_river_of(def, parts, cells, cells);
    def->solver = fr_default_scene(FR_METHOD_RIVER).solver;   /* it iterates a fixed number of sweeps */
    def->river.scheme = FR_RIVER_CLASSIC;
    def->river.sweeps = 100;
}

/* For comparison with the river: a straight channel with as many cells, by the smoke method. */
static void bench_fill_channel(fr_scene_def *def, bench_parts *parts, int cells)
{
    bench_carry(def, parts);
    def->domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def->walls[FR_LEFT] = (fr_wall_def){
        .kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}, .scalars = parts->scalars, .scalar_count = 1};
    def->walls[FR_RIGHT].kind = FR_WALL_OPEN;
    def->walls[FR_BOTTOM].kind = def->walls[FR_TOP].kind = FR_WALL_NO_SLIP;
    parts->shape = fr_default_shape(FR_SHAPE_BOX);
    parts->shape.min[0] = 0.15;
    parts->shape.max[0] = 0.2;
    parts->shape.min[1] = 0.45;
    parts->shape.max[1] = 0.55;
    parts->obstacle = (fr_obstacle_def){.shape.shape = &parts->shape, .no_slip = true};
    def->obstacles = &parts->obstacle;
    def->obstacle_count = 1;
}

const bench_case bench_cases[] = {
    {.name = "pressure",
     .what = "one projection, closed box with a sphere, rough velocity, multigrid to 1e-6",
     .fill = bench_fill_pressure_3d,
     .cells = 128,
     .measured = 1,
     .repeats = 3},
    {.name = "pressure-2d",
     .what = "the same in 2D",
     .fill = bench_fill_pressure_2d,
     .cells = 1024,
     .measured = 1,
     .repeats = 3},
    {.name = "bodies-10",
     .what = "ten balls of a hundredth of the water's density in a closed box, rough velocity, multigrid to 1e-6",
     .fill = bench_fill_light,
     .beside = bench_fill_few_held,
     .cells = 128,
     .warm_up = 1,
     .measured = 2,
     .repeats = 2},
    {.name = "bodies-10-heavy",
     .what = "the same with balls eleven times as dense as the water",
     .fill = bench_fill_heavy,
     .beside = bench_fill_few_held,
     .cells = 128,
     .warm_up = 1,
     .measured = 2,
     .repeats = 2},
    {.name = "bodies-200",
     .what = "the same with two hundred light balls",
     .fill = bench_fill_many,
     .beside = bench_fill_many_held,
     .cells = 128,
     .warm_up = 1,
     .measured = 2,
     .repeats = 2,
     .large = true},
    {.name = "plume",
     .what = "smoke: velocity, density and temperature, MacCormack, dt 1/60 s",
     .fill = bench_fill_plume_3d,
     .cells = 128,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1},
    {.name = "plume-64",
     .what = "the same with fewer cells",
     .fill = bench_fill_plume_3d,
     .cells = 64,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1},
    {.name = "plume-2d",
     .what = "the same in 2D",
     .fill = bench_fill_plume_2d,
     .cells = 512,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1},
    {.name = "plume-256",
     .what = "the plume with eight times the cells",
     .fill = bench_fill_plume_3d,
     .cells = 256,
     .warm_up = 4,
     .measured = 6,
     .repeats = 1,
     .large = true},
    {.name = "plume-512",
     .what = "the plume with 64 times the cells",
     .fill = bench_fill_plume_3d,
     .cells = 512,
     .warm_up = 1,
     .measured = 2,
     .repeats = 1,
     .large = true},
    {.name = "river",
     .what = "a bent channel with rough banks and a block in it, ink and 10 000 particles, flux scheme, tolerance 1e-4",
     .method = FR_METHOD_RIVER,
     .fill = bench_fill_river,
     .cells = 300,
     .warm_up = 100,
     .measured = 100,
     .repeats = 1},
    {.name = "river-long",
     .what = "the same with a tenth of the cells across",
     .method = FR_METHOD_RIVER,
     .fill = bench_fill_river_long,
     .cells = 1000,
     .warm_up = 100,
     .measured = 100,
     .repeats = 1},
    {.name = "river-classic",
     .what = "the bent channel by the classic scheme, 100 Jacobi sweeps",
     .method = FR_METHOD_RIVER,
     .fill = bench_fill_river_classic,
     .cells = 300,
     .warm_up = 20,
     .measured = 100,
     .repeats = 1},
    {.name = "channel",
     .what = "a straight channel with a block in it as smoke, ink and particles, tolerance 1e-4",
     .fill = bench_fill_channel,
     .cells = 300,
     .warm_up = 100,
     .measured = 100,
     .repeats = 1},
    {.name = "dam",
     .what = "27 000 particles, DFSPH, mean density error 0.05 %, from t = 0.4 s",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam,
     .cells = 30,
     .from = 0.4,
     .measured = 20,
     .repeats = 1},
    {.name = "dam-216k",
     .what = "the same with 216 000 particles",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam,
     .cells = 60,
     .from = 0.4,
     .measured = 20,
     .repeats = 1,
     .large = true},
    {.name = "dam-pcisph",
     .what = "the same by PCISPH",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam_pcisph,
     .cells = 60,
     .from = 0.4,
     .measured = 20,
     .repeats = 1,
     .large = true},
    {.name = "dam-wcsph",
     .what = "the same by WCSPH",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam_wcsph,
     .cells = 60,
     .warm_up = 40,
     .measured = 40,
     .repeats = 1,
     .large = true},
    {.name = "dam-2m",
     .what = "two million particles, from the start",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam,
     .cells = 126,
     .warm_up = 10,
     .measured = 10,
     .repeats = 1,
     .large = true},
    {.name = "dam-50k",
     .what = "fifty thousand particles, from the start",
     .method = FR_METHOD_SPH,
     .fill = bench_fill_dam,
     .cells = 37,
     .warm_up = 10,
     .measured = 10,
     .repeats = 1,
     .large = true},
    {.name = "flip-64",
     .what = "a collapsing column of liquid, FLIP, 8 particles a cell, tolerance 1e-5",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_flip,
     .cells = 64,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1},
    {.name = "flip",
     .what = "the same with eight times the cells",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_flip,
     .cells = 128,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1,
     .large = true},
    {.name = "apic",
     .what = "the same by APIC",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_apic,
     .cells = 128,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1,
     .large = true},
    {.name = "level-set",
     .what = "the same by a level set",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_level_set,
     .cells = 128,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1,
     .large = true},
    {.name = "level-set-256",
     .what = "the same with eight times the cells",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_level_set,
     .cells = 256,
     .warm_up = 4,
     .measured = 6,
     .repeats = 1,
     .large = true},
    {.name = "particle-level-set",
     .what = "the column by a particle level set, 32 a cell",
     .method = FR_METHOD_LIQUID,
     .fill = bench_fill_particle_level_set,
     .cells = 64,
     .warm_up = 20,
     .measured = 20,
     .repeats = 1,
     .large = true},
};
const int bench_case_count = sizeof bench_cases / sizeof bench_cases[0];
