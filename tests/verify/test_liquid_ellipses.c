/* Two flows with a free surface that are known exactly: a disc that a pure strain stretches to an ellipse
   (Longuet-Higgins 1972, J. Fluid Mech. 53), and a spinning ball that spreads.

   Half axes are measured in two ways: by the moments of the liquid, ∫ x² = V a²/(dims + 2), and by where its surface
   cuts the axes. The first decide: when the short axis of the ellipse is down to four cells, the tip of the long one
   has a radius of 0.06 cells, and where it seems to end says little of the flow.

     test_liquid_ellipses fine

   runs them on twice as many cells, 32 and 24 a radius. */
#include "liquid/swarm/swarm.h"
#include "support/pools.h"
#include "support/runs.h"

static bool fine;

/* Ellipses and spheroids that spread over x (and z) and thin along y. The flow is linear in space, the pressure
   p = ½ρk (1 − x²/a² − y²/c² …), so Euler's equations become a″ = k/a + ω²a, c″ = k/c; k follows from the volume, which
   stays. */

typedef struct ellipse {
    int dims;
    double a, c, da, dc; /* half axes, m, and their rates, m/s */
    double turning;      /* ω a², m²/s: stays. 2D: 0 */
} ellipse;

static double ellipse_spin(const ellipse *e)
{
    return e->turning / (e->a * e->a);
}

static double ellipse_k(const ellipse *e)
{
    double w = ellipse_spin(e), square = e->da * e->da / (e->a * e->a);
    if (e->dims == 3)
        return (6 * square - 2 * w * w) / (2 / (e->a * e->a) + 1 / (e->c * e->c));
    return -2 * e->da * e->dc / (e->c / e->a + e->a / e->c);
}

static ellipse ellipse_rates(const ellipse *e)
{
    double w = ellipse_spin(e), k = ellipse_k(e);
    return (ellipse){.a = e->da, .c = e->dc, .da = k / e->a + w * w * e->a, .dc = k / e->c};
}

static ellipse ellipse_add(ellipse e, double dt, const ellipse *rate)
{
    e.a += dt * rate->a;
    e.c += dt * rate->c;
    e.da += dt * rate->da;
    e.dc += dt * rate->dc;
    return e;
}

/* Runge–Kutta of fourth order. */
static void ellipse_advance(ellipse *e, double time)
{
    enum { STEPS = 1000 };
    double dt = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        ellipse one = ellipse_rates(e), at = ellipse_add(*e, dt / 2, &one), two = ellipse_rates(&at);
        at = ellipse_add(*e, dt / 2, &two);
        ellipse three = ellipse_rates(&at);
        at = ellipse_add(*e, dt, &three);
        ellipse four = ellipse_rates(&at);
        *e = ellipse_add(*e, dt / 6, &one);
        *e = ellipse_add(*e, dt / 3, &two);
        *e = ellipse_add(*e, dt / 3, &three);
        *e = ellipse_add(*e, dt / 6, &four);
    }
}

/* J: ½ρ ∫ u², with ∫ x² = V a²/(dims + 2). */
static double ellipse_energy(const ellipse *e)
{
    double w = ellipse_spin(e);
    if (e->dims == 2)
        return 0.5 * 1000 * POOLS_PI * e->a * e->c / 4 * (e->da * e->da + e->dc * e->dc);
    return 0.5 * 1000 * 4 * POOLS_PI / 3 * e->a * e->a * e->c / 5 *
           (2 * e->da * e->da + e->dc * e->dc + 2 * w * w * e->a * e->a);
}

/* The flow at the start: the strain of a disc or ball, and its spin about y. */
static fr_result ellipse_velocity(void *context, const double *args, double *out)
{
    const ellipse *e = context;
    double strain = e->da / e->a, w = ellipse_spin(e);
    out[0] = strain * args[0] + w * args[2];
    out[1] = e->dc / e->c * args[1];
    out[2] = e->dims == 3 ? strain * args[2] - w * args[0] : 0;
    return FR_OK;
}

/* Sums over the liquid: volume, ∫ x², ∫ y², ∫ z², the angular momentum about y and twice the energy, the last two per
   density. */
typedef struct moments {
    double volume, squares[3], turning, energy;
} moments;

static void moments_add(moments *m, double volume, const double x[3], const double u[3])
{
    m->volume += volume;
    m->turning += volume * (x[2] * u[0] - x[0] * u[2]);
    for (int a = 0; a < 3; a++) {
        m->squares[a] += volume * x[a] * x[a];
        m->energy += volume * u[a] * u[a];
    }
}

/* Trilinear, at a place in cells. */
static double moments_sample(const field *f, int axis, const double x[3], int dims)
{
    double sum = 0;
    for (int corner = 0; corner < 1 << dims; corner++) {
        double weight = 1;
        int at[3] = {0, 0, 0};
        for (int a = 0; a < dims; a++) {
            double along = a == axis ? x[a] : x[a] - 0.5, low = floor(along), high = along - low;
            at[a] = (int)low + (corner >> a & 1);
            weight *= corner >> a & 1 ? high : 1 - high;
        }
        sum += weight * (double)field_row(f, at[1], at[2])[at[0]];
    }
    return sum;
}

/* Between the second and the third of four samples of a distance along a line. Where it falls towards them from both
   sides, the middle of a sheet lies between them that may be thinner than they are apart: there the two sides are
   continued until they meet. */
static double moments_between(const double phi[4], double f)
{
    double low = phi[1] + f * (phi[1] - phi[0]), high = phi[2] + (1 - f) * (phi[2] - phi[3]);
    return phi[1] < phi[0] && phi[2] < phi[3] ? fmax(low, high) : phi[1] + f * (phi[2] - phi[1]);
}

/* φ at a place in cells. The ellipse is thin along y. */
static double moments_distance(const field *phi, const double x[3], int dims)
{
    if (dims == 3)
        return moments_sample(phi, -1, x, dims);
    const int i = (int)floor(x[0] - 0.5), j = (int)floor(x[1] - 0.5);
    double value[2];
    for (int side = 0; side < 2; side++) {
        double line[4];
        for (int n = 0; n < 4; n++)
            line[n] = (double)field_row(phi, j - 1 + n, 0)[i + side];
        value[side] = moments_between(line, x[1] - 0.5 - j);
    }
    return value[0] + (x[0] - 0.5 - i) * (value[1] - value[0]);
}

/* The part of cell (i, j, k) where φ < 0, by `along` places along each axis. */
static void moments_add_cell(moments *sum, const liquid_run *run, const field *phi, const int cell[3], int along)
{
    const domain *d = &run->flow.model->domain;
    const field *velocity = run->flow.state->velocity;
    int places = d->dims == 3 ? along * along * along : along * along;
    for (int place = 0; place < places; place++) {
        double at[3] = {cell[0] + (place % along + 0.5) / along, cell[1] + (place / along % along + 0.5) / along,
                        d->dims == 3 ? cell[2] + (place / along / along + 0.5) / along : 0.5};
        double x[3], u[3] = {0, 0, 0};
        if (moments_distance(phi, at, d->dims) >= 0)
            continue;
        for (int a = 0; a < 3; a++)
            x[a] = d->origin[a] + at[a] * d->h[a];
        for (int a = 0; a < d->dims; a++)
            u[a] = moments_sample(&velocity[a], a, at, d->dims);
        moments_add(sum, domain_cell_volume(d) / places, x, u);
    }
}

/* Of the flow where φ < 0, φ being the run's own or another one. In 2D cells at the surface are looked at in 16 × 16
   places. */
static moments moments_of_flow(fr_world *world, const field *phi)
{
    const liquid_run *run = liquid_of(world);
    const domain *d = &run->flow.model->domain;
    int fine_places = d->dims == 3 ? 4 : 16;
    moments sum = {0};
    for (int64_t n = 0; n < domain_cells(d); n++) {
        int cell[3] = {(int)(n % d->n[0]), (int)(n / d->n[0] % d->n[1]), (int)(n / d->n[0] / d->n[1])};
        double distance = (double)field_row(phi, cell[1], cell[2])[cell[0]] / d->h[0];
        if (distance < 2)
            moments_add_cell(&sum, run, phi, cell, distance > -2 ? fine_places : 4);
    }
    return sum;
}

/* Of the parcels, each a cube of liquid as it was set. Those of APIC turn themselves: with trilinear weights a parcel
   between two faces, f of a cell from the one, adds f (1 − f) h² times its gradient. */
static moments moments_of_parcels(fr_world *world)
{
    const liquid_run *run = liquid_of(world);
    const parcels *p = &run->liquid.parcels;
    const domain *d = &p->d;
    double volume = pow(swarm_spacing(run), d->dims);
    moments sum = {0};
    for (int64_t n = 0; n < p->count; n++) {
        double x[3], u[3] = {0, 0, 0}, arm[3];
        for (int a = 0; a < 3; a++) {
            double along = (double)p->x[a][n] - 0.5, f = along - floor(along);
            x[a] = d->origin[a] + (double)p->x[a][n] * d->h[a];
            u[a] = a < d->dims ? (double)p->v[a][n] : 0;
            arm[a] = f * (1 - f) * d->h[a];
        }
        if (!parcels_has(p, n))
            continue;
        moments_add(&sum, volume, x, u);
        if (p->kind == PARCELS_APIC && d->dims == 3)
            sum.turning += volume * (arm[2] * (double)p->c[0][2][n] - arm[0] * (double)p->c[2][0][n]);
    }
    return sum;
}

/* The half axis of an ellipse or ellipsoid with these moments: ∫ x² = V a²/(dims + 2). */
static double moments_axis(const moments *m, int dims, int axis)
{
    return sqrt((dims + 2) * m->squares[axis] / m->volume);
}

typedef struct ellipse_seen {
    double thin, wide;           /* largest errors of the half axes by moments, over the radius at the start */
    double thin_ends, wide_ends; /* the same of the places where φ = 0 on the axes; the long one while its tip has so
                                    many cells of radius */
    double energy, angular;      /* largest relative errors; angular: of what carries the momentum */
    double flow_angular;         /* of the flow on the grid */
    double pressure;             /* largest error in the middle, over that at the start */
    double flat;                 /* the shortest half axis, in cells */
} ellipse_seen;

/* Half axes, as means of the ways to both sides. */
static double half_axis(fr_world *world, int axis, double most)
{
    const double centre[3] = {0, 0, 0};
    double h = fr_world_frame(world)->spacing[0];
    return 0.5 * (pools_way(world, centre, axis, 0.5 * h, most) + pools_way(world, centre, axis, -0.5 * h, most));
}

/* The tip of the long axis has the radius of curvature c²/a. A level set knows of no tip that is sharper than the
   cells: the place of the tip counts while the radius has so many of them. Moments hardly know of it. */
static const double TIP = 2;

/* In the middle, Pa. */
static double middle_pressure(fr_world *world)
{
    const domain *d = &liquid_of(world)->flow.model->domain;
    const field *p = &liquid_of(world)->flow.state->pressure;
    return (double)field_row(p, d->n[1] / 2, d->n[2] / 2)[d->n[0] / 2];
}

static void ellipse_look(fr_world *world, const ellipse *e, ellipse_seen *seen)
{
    double h = fr_world_frame(world)->spacing[0], turning = 8 * POOLS_PI / 15 * e->turning; /* a² c = 1 */
    bool carried = liquid_of(world)->liquid.parcels.v[0] != NULL;
    moments flow = moments_of_flow(world, &liquid_of(world)->liquid.surface);
    moments liquid = carried ? moments_of_parcels(world) : flow;
    int step = e->dims == 3 ? 2 : 3;
    seen->thin = fmax(seen->thin, fabs(moments_axis(&flow, e->dims, 1) - e->c));
    seen->thin_ends = fmax(seen->thin_ends, fabs(half_axis(world, 1, 2) - e->c));
    for (int axis = 0; axis < 3; axis += step) {
        seen->wide = fmax(seen->wide, fabs(moments_axis(&flow, e->dims, axis) - e->a));
        if (e->c * e->c / e->a >= TIP * h)
            seen->wide_ends = fmax(seen->wide_ends, fabs(half_axis(world, axis, 20) - e->a));
    }
    seen->energy = fmax(seen->energy, fabs(500 * flow.energy / ellipse_energy(e) - 1));
    seen->pressure = fmax(seen->pressure, fabs(middle_pressure(world) - 500 * ellipse_k(e)) / 500);
    seen->flat = e->c / h;
    if (e->turning > 0) {
        seen->angular = fmax(seen->angular, fabs(liquid.turning / turning - 1));
        seen->flow_angular = fmax(seen->flow_angular, fabs(flow.turning / turning - 1));
    }
}

static const double FPS = 10;

/* A disc or ball of radius 1 m with `cells` cells a metre, in a box that it leaves room of so many metres. */
static fr_world *make_ellipse(const pools_tracker *tracker, ellipse *e, int cells, double wide)
{
    pool p;
    const double high = 2.4;
    pools_make(&p, tracker->surface, e->dims, (double[3]){wide, high, wide}, (int)(wide * cells));
    pools_centre(&p);
    p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
    p.liquid.radius = 1;
    p.fill.velocity = (fr_vector){.function = ellipse_velocity, .context = e};
    p.def.gravity[1] = 0;
    p.def.time = (fr_time_def){.duration = 10, .fps = FPS};
    return worlds_create(&p.def);
}

static ellipse_seen run_ellipse(const pools_tracker *tracker, ellipse e, int cells, double wide, double thinnest)
{
    fr_world *world = make_ellipse(tracker, &e, cells, wide);
    ellipse_seen seen = {0};
    ellipse now = e;
    for (;;) {
        ellipse_advance(&now, 1 / FPS);
        if (now.c * cells < thinnest || now.a > wide / 2 - 2.0 / cells)
            break;
        assert_ok(fr_world_step_frame(world));
        ellipse_look(world, &now, &seen);
    }
    fr_world_destroy(world);
    return seen;
}

/* The signed distance to an ellipse: (a² x/(t + a²), c² y/(t + c²)) is the nearest place on it, t found by bisection
   (Eberly 2013, "Distance from a point to an ellipse"). */
static double ellipse_distance(const ellipse *e, double x, double y)
{
    double a = e->a, c = e->c, low = -c * c + c * fabs(y), high = -c * c + hypot(a * x, c * y);
    for (int n = 0; n < 100; n++) {
        double t = 0.5 * (low + high), u = a * x / (t + a * a), v = c * y / (t + c * c);
        *(u * u + v * v > 1 ? &low : &high) = t;
    }
    double nearest = hypot(x - a * a * x / (low + a * a), y - c * c * y / (low + c * c));
    return x * x / (a * a) + y * y / (c * c) < 1 ? -nearest : nearest;
}

/* The ruler: the exact ellipses, sampled on the same cells. Between samples in a straight line the tips fall through,
   and the long axis seems up to 0.5 % of the first radius too short. */
static void test_ruler(void **state)
{
    (void)state;
    int cells = fine ? 32 : 16;
    ellipse e = {.dims = 2, .a = 1, .c = 1, .da = 1, .dc = -1};
    ellipse start = e;
    fr_world *world = make_ellipse(&pools_trackers[0], &start, cells, 2 * cells / 4.0 + 0.5);
    const domain *d = &liquid_of(world)->flow.model->domain;
    field phi;
    double thin = 0, wide = 0;
    assert_ok(field_create(d, FR_AT_CELL, &phi));
    for (; e.c * cells >= 4; ellipse_advance(&e, 1 / FPS)) {
        for (int j = -GHOST; j < phi.size[1] + GHOST; j++)
            for (int i = -GHOST; i < phi.size[0] + GHOST; i++)
                field_row(&phi, j, 0)[i] =
                    (float)ellipse_distance(&e, d->origin[0] + (i + 0.5) * d->h[0], d->origin[1] + (j + 0.5) * d->h[1]);
        moments exact = moments_of_flow(world, &phi);
        thin = fmax(thin, fabs(moments_axis(&exact, 2, 1) - e.c));
        wide = fmax(wide, fabs(moments_axis(&exact, 2, 0) - e.a));
    }
    print_message("ruler: exact ellipses on cells of 1/%d, short axis %.2f %%, long axis %.2f %%\n", cells, 100 * thin,
                  100 * wide);
    assert_true(thin < 5e-4 && wide < 2e-3);
    field_destroy(&phi);
    fr_world_destroy(world);
}

/* Says what is over its mark; the run goes on, so that all trackers are seen. */
static int over(const char *what, double value, double mark)
{
    if (value > mark)
        print_message("  %s: %.2f %%, the mark is %.2f %%\n", what, 100 * value, 100 * mark);
    return value > mark;
}

/* By moments the long axis is to be right within 1 % with 32 cells a radius; with 16 it is to stay within 4 %. */
static int ellipse_misses(const pools_tracker *tracker, int cells)
{
    const ellipse disc = {.dims = 2, .a = 1, .c = 1, .da = 1, .dc = -1};
    const ellipse_seen seen = run_ellipse(tracker, disc, cells, 2 * cells / 4.0 + 0.5, 4);
    print_message("ellipse of %d cells, %-18s by moments: short axis %.2f %%, long axis %.2f %%; ends: short axis "
                  "%.2f %%, long axis %.2f %%; energy %.2f %%; pressure %.1f %%; thinnest %.1f cells\n",
                  cells, tracker->name, 100 * seen.thin, 100 * seen.wide, 100 * seen.thin_ends, 100 * seen.wide_ends,
                  100 * seen.energy, 100 * seen.pressure, seen.flat);
    return over("short axis", seen.thin, 0.01) + over("long axis", seen.wide, cells < 32 ? 0.04 : 0.01) +
           over("its ends", seen.thin_ends, 0.01) + over("its ends", seen.wide_ends, 0.01) +
           over("energy", seen.energy, 0.03) +
           over("pressure", seen.pressure, cells < 32 ? 0.1 : 0.05); /* it is that of half a step before */
}

static void test_ellipse(void **state)
{
    (void)state;
    int misses = 0;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        misses += ellipse_misses(&pools_trackers[t], fine ? 32 : 16);
    assert_int_equal(misses, 0);
}

/* Fine enough for the mark of 1 %, which a level set alone does not meet (docs/liquids.md). */
static void test_fine_ellipse(void **state)
{
    (void)state;
    int misses = 0;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        misses += pools_trackers[t].surface != FR_LIQUID_LEVEL_SET && ellipse_misses(&pools_trackers[t], 32) > 0;
    assert_int_equal(misses, 0);
}

/* Angular momentum is lost with the length of the step: so with half as many cells as the marks are for, and steps
   twice as long, trackers may miss it by twice as much, and the axes too. APIC keeps it. */
static void test_spheroid(void **state)
{
    (void)state;
    int cells = fine ? 24 : 12, misses = 0;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        ellipse ball = {.dims = 3, .a = 1, .c = 1, .da = 1, .dc = -2, .turning = 1.5};
        ellipse_seen seen = run_ellipse(&pools_trackers[t], ball, cells, fine ? 5.2 : 4, 4);
        double times = fine ? 1 : 2;
        double angular = pools_trackers[t].surface == FR_LIQUID_APIC   ? 0.01
                         : pools_trackers[t].surface == FR_LIQUID_FLIP ? times * 0.01
                                                                       : fmin(times * 0.03, 0.05);
        print_message("spheroid of %d cells, %-18s by moments: short axis %.2f %%, long axes %.2f %%; ends: short axis "
                      "%.2f %%, long axes %.2f %%; energy %.2f %%; angular momentum %.2f %% (on the grid %.2f %%); "
                      "thinnest %.1f cells\n",
                      cells, pools_trackers[t].name, 100 * seen.thin, 100 * seen.wide, 100 * seen.thin_ends,
                      100 * seen.wide_ends, 100 * seen.energy, 100 * seen.angular, 100 * seen.flow_angular, seen.flat);
        misses += over("short axis", seen.thin, 0.02) + over("long axes", seen.wide, times * 0.02);
        misses += over("its ends", seen.thin_ends, 0.02) + over("its ends", seen.wide_ends, 0.02);
        misses += over("energy", seen.energy, 0.03);
        misses += over("angular momentum", seen.angular, angular);
    }
    assert_int_equal(misses, 0);
}

int main(int argc, char **argv)
{
    fine = argc > 1 && !strcmp(argv[1], "fine");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ruler), cmocka_unit_test(test_ellipse),
                                       cmocka_unit_test(test_fine_ellipse), cmocka_unit_test(test_spheroid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
