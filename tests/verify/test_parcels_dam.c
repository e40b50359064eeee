/* Parcels in a flow of their own: a dam keeps its volume, a pool comes to rest.

     test_parcels_dam [cells [seconds [apic|flip]]]     runs one dam alone and prints a line every quarter of a second
 */
#include "base/vec.h"
#include "support/parcel_tank.h"

typedef struct dam_case {
    int dims, cells;
    double seconds;
    parcels_kind kind;
    double filled[3];   /* share of the box along each axis */
    double print_every; /* s; 0: never */
} dam_case;

typedef struct dam_result {
    double volume[2];      /* least and largest, relative to that of the parcels */
    double ripples;        /* cells, at the end */
    double speed, fastest; /* m/s, at the end */
} dam_result;

static void dam_print(const parcel_tank *s, double t, double volume)
{
    double mean, ripples = parcel_tank_ripples(s, &mean);
    printf("t %6.3f  volume %.4f  ripples %.3f cells, speed %.4f, fastest %.4f m/s, excess %.3f\n", t, volume, ripples,
           parcel_tank_speed(s), parcel_tank_fastest(s), s->spread.excess);
    fflush(stdout);
}

static dam_result dam_run(const dam_case *c)
{
    double h = 1.0 / c->cells;
    domain d = {
        .dims = c->dims, .n = {c->cells, c->cells, c->dims == 3 ? c->cells : 1}, .h = {h, h, c->dims == 3 ? h : 1}};
    dam_result result = {.volume = {1e9, 0}};
    parcel_tank s;
    parcel_tank_make(&s, &d, c->kind);
    parcel_tank_fill(&s, c->filled);
    double full = (double)s.p.count / parcel_tank_per_cell(&s), next = c->print_every, mean;
    for (double t = 0, dt; t < c->seconds; t += dt) {
        dt = fmin(1.0 / 60, 1.5 * h / fmax(parcel_tank_fastest(&s), 0.5));
        parcel_tank_step(&s, dt);
        double volume = parcel_tank_volume(&s.phi, &d) / full;
        result.volume[0] = fmin(result.volume[0], volume);
        result.volume[1] = fmax(result.volume[1], volume);
        if (c->print_every > 0 && t >= next) {
            dam_print(&s, t, volume);
            next += c->print_every;
        }
    }
    result.ripples = parcel_tank_ripples(&s, &mean);
    result.speed = parcel_tank_speed(&s);
    result.fastest = parcel_tank_fastest(&s);
    parcel_tank_free(&s);
    return result;
}

/* Seeded at random places, its parcels lie unevenly and its surface is rough at first. */
static void pool_comes_to_rest(void **state)
{
    (void)state;
    for (parcels_kind kind = PARCELS_FLIP; kind <= PARCELS_APIC; kind++) {
        dam_result end = dam_run(&(dam_case){3, 16, 3, kind, {1, 0.5, 1}, 0});
        assert_near(end.volume[0], 1, 0.002);
        assert_near(end.volume[1], 1, 0.002);
        assert_below(end.ripples, 0.02);
        assert_below(end.speed, 0.0025);
    }
}

static void dam_keeps_its_volume(void **state)
{
    (void)state;
    for (parcels_kind kind = PARCELS_FLIP; kind <= PARCELS_APIC; kind++) {
        dam_result end = dam_run(&(dam_case){2, 48, 4, kind, {0.4, 0.5, 1}, 0});
        print_message("volume %.4f … %.4f\n", end.volume[0], end.volume[1]);
        assert_near(end.volume[0], 1, 0.025);
        assert_near(end.volume[1], 1, 0.025);
        assert_true(end.speed > 0.2); /* and it is still sloshing */
    }
}

/* Clumps and holes in a liquid at rest are evened out. */
static void evens_out(void **state)
{
    (void)state;
    domain d = {.dims = 3, .n = {16, 16, 16}, .h = {0.1, 0.1, 0.1}};
    parcel_tank s;
    parcel_tank_make(&s, &d, PARCELS_FLIP);
    parcel_tank_fill(&s, (double[3]){1, 0.6, 1});
    for (int64_t n = 0; n < s.p.count; n++) {
        float x = s.p.x[0][n];
        s.p.x[0][n] = x + 1.5f * sinf(x * (float)(2 * FR_PI / 16)); /* density from 0.6 to 2.4 */
    }
    s.gravity = 0;
    double first = 0;
    for (int n = 0; n < 40; n++) {
        parcel_tank_step(&s, 1e-3);
        first = n ? first : s.spread.excess;
    }
    print_message("excess %.3f, then %.3f\n", first, s.spread.excess);
    assert_true(first > 0.3);
    assert_below(s.spread.excess, 0.02);
    assert_near(parcel_tank_volume(&s.phi, &d) / ((double)s.p.count / 8), 1, 0.02);
    parcel_tank_free(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_comes_to_rest),
        cmocka_unit_test(dam_keeps_its_volume),
        cmocka_unit_test(evens_out),
    };
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    bool apic = argc > 3 && !strcmp(argv[3], "apic");
    dam_result end = dam_run(&(dam_case){.dims = 3,
                                         .cells = atoi(argv[1]),
                                         .seconds = argc > 2 ? atof(argv[2]) : 10,
                                         .kind = apic ? PARCELS_APIC : PARCELS_FLIP,
                                         .filled = {0.4, 0.5, 1},
                                         .print_every = 0.25});
    printf("volume %.4f … %.4f of the parcels', ripples %.3f cells, speed %.5f m/s\n", end.volume[0], end.volume[1],
           end.ripples, end.speed);
    return 0;
}
