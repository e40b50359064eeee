/* Parcels in a flow of their own: a dam keeps its volume, a pool comes to rest.

     test_parcels_dam [cells] [seconds] [share] [flip] [apic]     runs a dam alone, and prints a line every quarter of a second */
#include "support/parcel_tank.h"

static void dam(int cells, double seconds, double share, double flip, parcels_kind kind, int dims)
{
    domain d = {.dims = dims, .n = {cells, cells, dims == 3 ? cells : 1}, .h = {1.0 / cells, 1.0 / cells, dims == 3 ? 1.0 / cells : 1}};
    parcel_tank s;
    parcel_tank_make(&s, &d, kind);
    s.share = share;
    s.flip = flip;
    parcel_tank_fill(&s, (double[3]){0.4, 0.5, 1});
    double t = 0, next = 0, full = (double)s.p.count / parcel_tank_per_cell(&s), mean;
    int steps = 0;
    while (t < seconds) {
        double fastest = parcel_tank_fastest(&s);
        double dt = fmin(1.0 / 60, 1.5 * d.h[0] / fmax(fastest, 0.5));
        parcel_tank_step(&s, dt);
        t += dt;
        steps++;
        if (t >= next) {
            double ripples = parcel_tank_ripples(&s, &mean);
            printf("t %6.3f steps %4d volume %.4f  ripples %.3f height %.3f fastest %.4f rms speed %.4f  excess %.3f farthest %.3f its %d strays %lld alive %lld\n",
                   t, steps, parcel_tank_volume(&s) / full, ripples, mean, fastest, parcel_tank_speed(&s), s.spread.excess,
                   s.spread.farthest, s.spread.solve.iterations, (long long)s.strays, (long long)parcels_alive(&s.p));
            fflush(stdout);
            next += 0.25;
        }
    }
    parcel_tank_free(&s);
}

int main(int argc, char **argv)
{
    dam(argc > 1 ? atoi(argv[1]) : 32, argc > 2 ? atof(argv[2]) : 3, argc > 3 ? atof(argv[3]) : 0.5,
        argc > 4 ? atof(argv[4]) : 0.97, argc > 5 && atoi(argv[5]) ? PARCELS_APIC : PARCELS_FLIP, argc > 6 ? atoi(argv[6]) : 3);
    return 0;
}
