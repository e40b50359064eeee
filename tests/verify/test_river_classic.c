/* The classic scheme of rivers: Stable Fluids where the grid is plain (Barroso & Celes 6.1), and what must hold where
 * it is not. */
#include <stdlib.h>

#include "base/random.h"
#include "grid/curve/classic_sweep.h"
#include "grid/sample.h"
#include "river/scheme.h"
#include "river/classic/classic.h"
#include "support/plain_fluid.h"
#include "support/river_stages.h"

static const double PI = 3.14159265358979323846;

/* Sizes of a plain grid: cells and edges of one. */
typedef struct plain_size {
    int n[2];
    double h[2];
} plain_size;

static fr_result plain_grid(void *context, const double *args, double *out)
{
    const plain_size *size = context;
    out[0] = args[0] * size->n[0] * size->h[0];
    out[1] = args[1] * size->n[1] * size->h[1];
    return FR_OK;
}

static fr_scene_def channel(fr_function grid, void *context, int ns, int nt, double speed, double roughness)
{
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, grid, context, ns, nt, 0);
    def.river.sides[FR_LEFT].kind = FR_RIVER_INFLOW;
    def.river.sides[FR_LEFT].speed.value = speed;
    def.river.sides[FR_RIGHT].kind = FR_RIVER_OUTFLOW;
    def.river.sides[FR_BOTTOM].roughness = def.river.sides[FR_TOP].roughness = roughness;
    return def;
}

typedef struct difference {
    double velocity, pressure;   /* greatest, relative to the greatest value */
} difference;

static difference compare(const river_model *m, const river_state *s, const plain_fluid *f)
{
    double most[2] = {0, 0}, off[2] = {0, 0};
    for (int j = 0; j < f->n[1]; j++)
        for (int i = 0; i < f->n[0]; i++) {
            ptrdiff_t at = field_offset(&m->metric.centre, i, j, 0);
            for (int a = 0; a < 2; a++) {
                double plain = (double)f->u[a][plain_at(f, i, j)];
                most[0] = fmax(most[0], fabs(plain));
                off[0] = fmax(off[0], fabs(plain - (double)s->velocity[a].data[at]));
            }
            double plain = (double)f->p[plain_at(f, i, j)];
            most[1] = fmax(most[1], fabs(plain));
            off[1] = fmax(off[1], fabs(plain - (double)s->pressure.data[at]));
        }
    return (difference){off[0] / most[0], off[1] / most[1]};
}

/* Both go through the same steps from the same random flow; steps pass up to four cells. */
static difference race(plain_size size, double viscosity, int steps)
{
    const double speed = 0.75, dt = 0x1p-1;
    const fr_force_def force = {.value = {.value = {0.25, -0.125, 0}}};
    fr_scene_def def = channel(plain_grid, &size, size.n[0], size.n[1], speed, 0.25);
    def.fluid = (fr_fluid_def){.density = 2, .viscosity = viscosity};
    def.forces = &force;
    def.force_count = 1;
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    plain_fluid f = {.n = {size.n[0], size.n[1]},
                     .h = {(float)size.h[0], (float)size.h[1]},
                     .dt = (float)dt,
                     .density = 2,
                     .viscosity = (float)viscosity,
                     .speed = (float)speed,
                     .factor = 0.75f,
                     .force = {0.25f, -0.125f},
                     .sweeps = def.river.sweeps,
                     .viscous_sweeps = def.river.viscous_sweeps};
    plain_make(&f);
    for (int j = 0; j < size.n[1]; j++)
        for (int i = 0; i < size.n[0]; i++)
            for (int a = 0; a < 2; a++) {
                float u = (float)(8 * random_unit(7, (uint64_t)(2 * (i + size.n[0] * j) + a)) - 4);
                f.u[a][plain_at(&f, i, j)] = u;
                field_row(&s->velocity[a], j, 0)[i] = u;
            }
    for (int n = 0; n < steps; n++) {
        stages_step(m, s, dt);
        plain_step(&f);
    }
    difference d = compare(m, s, &f);
    plain_free(&f);
    stages_destroy(m, s);
    return d;
}

/* No bits: sweeps add up differences from one neighbour, the plain ones the neighbours themselves. Five steps of a flow
   that doubles any difference in a step or two bring one rounding, 6e-8, to 5e-7 of the velocity and 8e-7 of the
   pressure. */
static void test_unit_cells_give_stable_fluids_to_rounding(void **state)
{
    (void)state;
    difference d = race((plain_size){{64, 32}, {1, 1}}, 0, 5);
    assert_below(d.velocity, 2e-6);
    assert_below(d.pressure, 2e-6);
}

static void test_plain_cells_give_stable_fluids(void **state)
{
    (void)state;
    assert_below(race((plain_size){{64, 32}, {1, 1}}, 0.3, 1).velocity, 1e-6);
    assert_below(race((plain_size){{40, 24}, {0.7, 1.3}}, 0, 1).velocity, 1e-6);
    assert_below(race((plain_size){{40, 24}, {0.7, 1.3}}, 0.3, 1).velocity, 1e-6);
}

/* A wavy grid over 2 m × 1 m. */
static fr_result wavy_grid(void *context, const double *args, double *out)
{
    (void)context;
    double s = args[0], t = args[1], r = args[2];
    out[0] = 2 * s + 0.06 * sin(2 * PI * t) * sin(PI * s);
    out[1] = t + 0.05 * sin(2 * PI * s) * sin(PI * t);
    out[2] = r + 0.04 * sin(PI * s) * sin(PI * t) * sin(PI * r);
    return FR_OK;
}

static void leave_ghosts(const void *context, field *x, int slab)
{
    (void)context, (void)x, (void)slab;
}

/* Greatest error of the Laplacian of x² + 3 y² + x y (+ 2 z²) by eq. 18, where no difference is one-sided: two cells
 * from the sides. */
static double laplacian_error(int n, bool deep)
{
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, wavy_grid, NULL, n, n, deep ? n : 0);
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    field *q = &s->pressure;
    int reach = deep ? n : 1;
    for (int k = 0; k < reach; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double x[3];
                river_position(m, FR_AT_CELL, i, j, k, x);
                field_row(q, j, k)[i] =
                    (float)(x[0] * x[0] + 3 * x[1] * x[1] + x[0] * x[1] + (deep ? 2 * x[2] * x[2] : 0));
            }
    field zero = river_scratch(m, s, 0, FR_AT_CELL), swept = river_scratch(m, s, 1, FR_AT_CELL);
    field_fill(&zero, 0);
    field before = river_scratch(m, s, 2, FR_AT_CELL);
    field_copy(&before, q);
    classic_sweep_run(&(classic_sweep){.metric = &m->metric, .count = 1, .right = {&zero}, .finish = leave_ghosts}, q,
                      &swept, 1);
    double worst = 0;
    for (int k = deep ? 2 : 0; k < (deep ? n - 2 : 1); k++)
        for (int j = 2; j < n - 2; j++)
            for (int i = 2; i < n - 2; i++) {
                double change = (double)field_row(q, j, k)[i] - (double)field_row(&before, j, k)[i];
                worst = fmax(worst, fabs((double)field_row(&m->metric.centre, j, k)[i] * change - (deep ? 12 : 8)));
            }
    stages_destroy(m, s);
    return worst;
}

static void test_laplacian_is_second_order_on_a_wavy_grid(void **state)
{
    (void)state;
    double coarse = laplacian_error(16, false), fine = laplacian_error(32, false);
    assert_true(log2(coarse / fine) > 1.7);
    coarse = laplacian_error(10, true);
    fine = laplacian_error(20, true);
    assert_true(log2(coarse / fine) > 1.7);
}

/* What is the same everywhere stays so to the last bit, however the grid is bent. */
static void keep_constant(int n, bool deep)
{
    const float constant = 0.7f;
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, wavy_grid, NULL, n, n, deep ? n : 0);
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    field zero = river_scratch(m, s, 0, FR_AT_CELL), other = river_scratch(m, s, 1, FR_AT_CELL);
    field_fill(&zero, 0);
    field_fill(&s->pressure, constant);
    classic_sweep_run(&(classic_sweep){.metric = &m->metric, .count = 1, .right = {&zero}}, &s->pressure, &other, 7);
    for (int k = 0; k < m->curve.domain.n[2]; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                assert_true(field_row(&s->pressure, j, k)[i] == constant);
    stages_destroy(m, s);
}

static void test_sweeps_keep_constants_exactly(void **state)
{
    (void)state;
    keep_constant(21, false);
    keep_constant(11, true);
}

/* A uniform flow through slippery sides has nowhere to change. */
static void test_uniform_flow_stays(void **state)
{
    (void)state;
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, wavy_grid, NULL, 32, 24, 0);
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    for (int a = 0; a < 2; a++)
        field_fill(&s->next_velocity[a], a ? -0.5f : 1);
    field load[2] = {river_scratch(m, s, 0, FR_AT_CELL), river_scratch(m, s, 1, FR_AT_CELL)};
    classic_load loads[2] = {{&s->next_velocity[0], &load[0]}, {&s->next_velocity[1], &load[1]}};
    stage_classic_advect(m, s->next_velocity, 0.2, loads, 2);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 32; i++)
            assert_true(field_row(&load[0], j, 0)[i] == 1 && field_row(&load[1], j, 0)[i] == -0.5f);
    stages_destroy(m, s);
}

/* A grid whose lines across have a kink in the middle of the river. */
static fr_result kinked_grid(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 4 * args[0] + (args[1] > 0.5 ? 1.5 * (args[1] - 0.5) : 0);
    out[1] = args[1];
    return FR_OK;
}

/* Figure 3: what moves along x keeps its y, through kinks of the grid. A field that is y itself is then unchanged. */
static void test_straight_lines_stay_straight_over_kinks(void **state)
{
    (void)state;
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, kinked_grid, NULL, 40, 20, 0);
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    field *y = &s->pressure, *moved = &s->next_pressure;
    for (int j = -1; j <= 20; j++)
        for (int i = -1; i <= 40; i++)
            field_row(y, j, 0)[i] = (float)((j + 0.5) / 20);
    field_fill(&s->velocity[0], 1);
    field_fill(&s->velocity[1], 0.6f);
    stage_classic_advect(m, s->velocity, 0.3, &(classic_load){y, moved}, 1);
    for (int j = 5; j < 20; j++)
        for (int i = 12; i < 40; i++)
            assert_near((double)field_row(moved, j, 0)[i], (j + 0.5) / 20 - 0.18, 1e-5);
    stages_destroy(m, s);
}

/* A channel that narrows to half its width in the middle. */
static fr_result narrow_grid(void *context, const double *args, double *out)
{
    (void)context;
    double width = 1 - 0.5 * exp(-pow((args[0] - 0.5) / 0.15, 2));
    out[0] = 4 * args[0];
    out[1] = (args[1] - 0.5) * width;
    return FR_OK;
}

/* Flux through the cross-section i, by the means of neighbouring cells. */
static double flux_through(const river_model *m, const river_state *s, int i)
{
    double sum = 0;
    for (int j = 0; j < m->curve.domain.n[1]; j++)
        for (int a = 0; a < 2; a++) {
            const float *u = field_row(&s->velocity[a], j, 0);
            sum += 0.5 * (double)(u[i - 1] + u[i]) * (double)field_row(&m->curve.face[0][a], j, 0)[i];
        }
    return sum;
}

typedef struct throat {
    double flux;       /* in the throat, relative to what comes in */
    double speed;      /* in the middle of the throat, relative to that far upstream */
    double drop;       /* of the pressure from there to the throat, relative to Bernoulli's */
} throat;

static throat flow_through_throat(int nt)
{
    const int ns = 5 * nt, in = ns / 20;
    fr_scene_def def = channel(narrow_grid, NULL, ns, nt, 1, 0);
    def.fluid = (fr_fluid_def){.density = 1000, .viscosity = 0.01};
    def.river.sweeps = 400;
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    for (int n = 0; n < 12 * nt; n++)   /* sweeps reach so many cells: finer grids settle later */
        stages_step(m, s, 0.04);
    const float *u = field_row(&s->velocity[0], nt / 2, 0), *p = field_row(&s->pressure, nt / 2, 0);
    double wide = (double)u[in], narrow = (double)u[ns / 2];
    throat t = {flux_through(m, s, ns / 2) / flux_through(m, s, 1), narrow / wide,
                (double)(p[in] - p[ns / 2]) / (0.5 * 1000 * (narrow * narrow - wide * wide))};
    stages_destroy(m, s);
    return t;
}

/* 6.3: half the width, double the speed, and low pressure there. The paper's border cells lie beyond the sides, so that
   some of the flow goes by outside: the throat loses a share of its flux that goes with the size of cells. */
static void test_constriction_doubles_the_speed(void **state)
{
    (void)state;
    throat coarse = flow_through_throat(16), fine = flow_through_throat(32);
    assert_near(coarse.flux, 1, 0.1);
    assert_near(fine.flux, 1, 0.06);
    assert_near(fine.speed, 2, 0.2);   /* less that share, and less in the middle than near the bends */
    assert_near(fine.drop, 1, 0.05);
}

/* Blocks turn the flow aside: nothing enters them, and it goes round. */
static void test_flow_goes_round_blocks(void **state)
{
    (void)state;
    const int ns = 60, nt = 24;
    const fr_cells_def block = {.from = {20, 8, 0}, .to = {27, 15, 0}};
    fr_scene_def def = channel(plain_grid, &(plain_size){{ns, nt}, {0.1, 0.1}}, ns, nt, 1, 0);
    def.river.blocks = &block;
    def.river.block_count = 1;
    def.river.sweeps = 200;
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    for (int n = 0; n < 120; n++)
        stages_step(m, s, 0.05);
    for (int j = 9; j < 15; j++)
        for (int i = 21; i < 27; i++)
            assert_true(field_row(&s->velocity[0], j, 0)[i] == 0);
    double beside = 0;
    for (int j = 0; j < nt; j++)
        beside += river_solid(m, 24, j, 0) ? 0 : 0.1 * (double)field_row(&s->velocity[0], j, 0)[24];
    assert_near(beside / (nt * 0.1), 1, 0.1);
    double front = (double)field_row(&s->pressure, 12, 0)[18], behind = (double)field_row(&s->pressure, 12, 0)[30];
    assert_true(front > behind);
    stages_destroy(m, s);
}

/* Any number of threads gives the same bits. */
static void run_narrow(int threads, float *u)
{
    fr_scene_def def = channel(narrow_grid, NULL, 64, 48, 1, 1);
    river_model *m;
    river_state *s;
    fr_set_threads(threads);
    stages_make(&def, &m, &s);
    for (int n = 0; n < 5; n++)
        stages_step(m, s, 0.1);
    for (int j = 0; j < 48; j++)
        memcpy(u + 64 * j, field_row(&s->velocity[1], j, 0), 64 * sizeof *u);
    stages_destroy(m, s);
    fr_set_threads(0);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    static float one[64 * 48], three[64 * 48];
    run_narrow(1, one);
    run_narrow(3, three);
    assert_memory_equal(one, three, sizeof one);
}

static bool within_first_ghosts(const domain *d, const field *f, ptrdiff_t at)
{
    const ptrdiff_t layer = d->dims == 3 ? f->stride[2] : (ptrdiff_t)f->count;
    const ptrdiff_t place[3] = {at % f->stride[1] - GHOST, at % layer / f->stride[1] - GHOST,
                                at / layer - (d->dims == 3 ? GHOST : 0)};
    bool within = true;
    for (int a = 0; a < d->dims; a++)
        within = within && place[a] >= -1 && place[a] <= d->n[a];
    return within;
}

/* No numbers beyond the first ghosts, nor anywhere in working memory. */
static void spoil(const river_model *m, river_state *s)
{
    field *fields[] = {&s->pressure,        &s->next_pressure, &s->scalars[0],
                       &s->next_scalars[0], &s->scalars[1],    &s->next_scalars[1]};
    for (int n = 0; n < 6; n++)
        for (size_t at = 0; at < fields[n]->count; at++)
            if (!within_first_ghosts(&m->curve.domain, fields[n], (ptrdiff_t)at))
                fields[n]->block[at] = NAN;
    for (int n = 0; n < CLASSIC_SCRATCH; n++) {
        field f = river_scratch(m, s, n, FR_AT_CELL);
        field_fill(&f, NAN);
    }
}

enum { SPOILED_CELLS = 18 * 13 * 6 };

/* A current with two inks, one of which spreads, round a block or none; an odd number of sweeps ends in working memory.
 */
static void run_spoiled(bool spoiled, int nr, fr_river_side_kind ends, int blocks, float out[4][SPOILED_CELLS])
{
    const fr_scalar_def inks[2] = {{.name = "still", .has_initial = true, .initial.value = 1},
                                   {.name = "spreads", .has_initial = true, .initial.value = 2, .diffusion = 0.01}};
    const fr_force_def force = {.value = {.value = {2, 0.5, 0}}};
    const fr_cells_def block = {.from = {7, 4, 0}, .to = {9, 8, nr / 2}};
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, wavy_grid, NULL, 18, 13, nr);
    def.river.blocks = &block;
    def.river.block_count = blocks;
    def.river.sides[FR_LEFT].kind = ends;
    def.river.sides[FR_LEFT].speed.value = ends == FR_RIVER_INFLOW;
    def.river.sides[FR_RIGHT].kind = ends == FR_RIVER_INFLOW ? FR_RIVER_OUTFLOW : ends;
    def.river.sweeps = 11;
    def.river.viscous_sweeps = 5;
    def.fluid.viscosity = 0.01;
    def.scalars = inks;
    def.scalar_count = 2;
    def.forces = &force;
    def.force_count = 1;
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    for (int n = 0; n < 4; n++) {
        if (spoiled)
            spoil(m, s);
        stages_step(m, s, 0.2);
    }
    const field *fields[4] = {&s->velocity[0], &s->pressure, &s->scalars[0], &s->scalars[1]};
    for (int n = 0; n < 4; n++)
        for (int row = 0; row < field_rows(fields[n]); row++)
            memcpy(out[n] + 18 * row, field_row(fields[n], row % 13, row / 13), 18 * sizeof(float));
    stages_destroy(m, s);
}

/* Sweeps write what they like beyond the first ghosts of pressure and inks, and stages leave anything in working
 * memory: nothing reads it. */
static void test_only_first_ghosts_count(void **state)
{
    (void)state;
    static float clean[4][SPOILED_CELLS], spoiled[4][SPOILED_CELLS];
    const fr_river_side_kind ends[] = {FR_RIVER_INFLOW, FR_RIVER_BANK, FR_RIVER_PERIODIC};
    for (int n = 0; n < 12; n++) {
        run_spoiled(false, n % 2 ? 6 : 0, ends[n / 4], n / 2 % 2, clean);
        run_spoiled(true, n % 2 ? 6 : 0, ends[n / 4], n / 2 % 2, spoiled);
        assert_memory_equal(clean, spoiled, sizeof clean);
    }
}

/* Pressure and inks between the outermost centres and a bank are those of the cell beside it. */
static void test_values_go_on_to_the_banks(void **state)
{
    (void)state;
    const fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 3};
    const fr_force_def force = {.value = {.value = {0, -10, 0}}};
    fr_scene_def def = channel(plain_grid, &(plain_size){{20, 10}, {0.1, 0.1}}, 20, 10, 1, 0);
    def.fluid.density = 1000;
    def.scalars = &ink;
    def.scalar_count = 1;
    def.forces = &force;
    def.force_count = 1;
    river_model *m;
    river_state *s;
    stages_make(&def, &m, &s);
    for (int n = 0; n < 3; n++)
        stages_step(m, s, 0.05);
    const domain *d = &m->curve.domain;
    const field *fields[2] = {&s->pressure, &s->scalars[0]};
    for (int n = 0; n < 2; n++) {
        double beside = (double)field_row(fields[n], 0, 0)[12];
        assert_true(fabs(beside) > 1);
        assert_near(sample_at(fields[n], d, (double[3]){12.5, 0.1, 0}), beside, 1e-6 * fabs(beside));
    }
    stages_destroy(m, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_cells_give_stable_fluids_to_rounding),
        cmocka_unit_test(test_plain_cells_give_stable_fluids),
        cmocka_unit_test(test_laplacian_is_second_order_on_a_wavy_grid),
        cmocka_unit_test(test_sweeps_keep_constants_exactly),
        cmocka_unit_test(test_uniform_flow_stays),
        cmocka_unit_test(test_straight_lines_stay_straight_over_kinks),
        cmocka_unit_test(test_constriction_doubles_the_speed),
        cmocka_unit_test(test_flow_goes_round_blocks),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_only_first_ghosts_count),
        cmocka_unit_test(test_values_go_on_to_the_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
