/* What the scene doctor says of liquids of particles. */
#include "doctor/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double doctor_gravity(const fr_scene_def *def)
{
    return sqrt(def->gravity[0] * def->gravity[0] + def->gravity[1] * def->gravity[1] +
                def->gravity[2] * def->gravity[2]);
}

/* From the lowest to the highest sample inside, along gravity. */
static double doctor_extent(const doctor_sample *sample, const double down[3])
{
    double low = INFINITY, high = -INFINITY, sample_height = 0;
    for (int64_t n = 0; n < sample->count; n++) {
        if (sample->distance[n] >= 0)
            continue;
        int64_t index[3] = {n % sample->size[0], n / sample->size[0] % sample->size[1],
                            n / (sample->size[0] * sample->size[1])};
        double depth = 0;
        for (int a = 0; a < 3; a++)
            depth += (double)index[a] * sample->spacing[a] * down[a];
        low = fmin(low, depth);
        high = fmax(high, depth);
    }
    for (int a = 0; a < 3; a++)
        sample_height += sample->spacing[a] * fabs(down[a]);
    return high >= low ? high - low + sample_height : 0;
}

/* Of all fills together, m; 0 without gravity. */
static double doctor_fill_height(const fr_scene_def *def)
{
    double gravity = doctor_gravity(def), height = 0;
    fr_obstacle_def *stand_ins = calloc((size_t)def->fill_count + 1, sizeof *stand_ins);
    doctor_sample sample;
    for (int i = 0; stand_ins && i < def->fill_count; i++)
        stand_ins[i].shape = def->fill[i].shape;
    if (stand_ins && gravity > 0 && def->fill_count > 0 &&
        doctor_sample_in(&def->domain, stand_ins, def->fill_count, &sample)) {
        const double down[3] = {def->gravity[0] / gravity, def->gravity[1] / gravity, def->gravity[2] / gravity};
        height = doctor_extent(&sample, down);
        free(sample.distance);
    }
    free(stand_ins);
    return height;
}

void doctor_liquid_sizes(const doctor *doctor)
{
    static const char *const kernels[] = {"cubic", "gaussian", "quintic", "poly6", "wendland"};
    const fr_scene_def *def = doctor->def;
    const fr_sph_def *sph = &def->sph;
    printf("particles   %.0f at the most\n", doctor->estimate.particles);
    printf("spacing     %.6g m\n", sph->spacing);
    if (sph->support > 0)
        printf("kernel      %s, support %.3g spacings = %.6g m\n", kernels[sph->kernel], sph->support,
               sph->support * sph->spacing);
    else
        printf("kernel      %s, with its own support\n", kernels[sph->kernel]);
    printf("size        %.6g x %.6g", def->domain.size[0], def->domain.size[1]);
    if (def->domain.dims == 3)
        printf(" x %.6g", def->domain.size[2]);
    printf(" m\n");
}

void doctor_liquid_solver(const doctor *doctor)
{
    static const char *const solvers[] = {"dfsph", "pcisph", "wcsph"}, *const states[] = {"tait", "linear"};
    static const char *const boundaries[] = {"particles", "collide", "lennard_jones"};
    const fr_sph_def *sph = &doctor->def->sph;
    printf("solver      %s, ", solvers[sph->solver]);
    if (sph->solver == FR_SPH_WCSPH && sph->sound_speed > 0)
        printf("%s state, speed of sound %.3g m/s", states[sph->state], sph->sound_speed);
    else if (sph->solver == FR_SPH_WCSPH)
        printf("%s state, speed of sound chosen", states[sph->state]);
    else
        printf("density error %.3g", sph->density_error);
    printf(", boundary %s\n", boundaries[sph->boundary]);
}

/* The speed of a fall through the height of the fill, or a greater one that the scene tells. */
void doctor_liquid_flow(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    double height = doctor_fill_height(def), fall = sqrt(2 * doctor_gravity(def) * height), length = height;
    doctor_speed speed = doctor_expected_speed(def);
    if (fall > speed.value)
        speed = (doctor_speed){fall, "a fall through the height of the fill"};
    for (int a = 0; a < def->domain.dims && height == 0; a++)
        length = fmax(length, def->domain.size[a]);
    double viscosity = def->fluid.viscosity + def->sph.mu / def->fluid.density;
    if (speed.value <= 0)
        printf("Reynolds    unknown: nothing in the scene tells a speed\n");
    else if (viscosity > 0)
        printf("Reynolds    about %.3g (speed %.3g m/s from %s, %s %.3g m, viscosity %.3g m2/s)\n",
               speed.value * length / viscosity, speed.value, speed.origin, height > 0 ? "height" : "longest side",
               length, viscosity);
    else
        printf("Reynolds    inviscid (speed about %.3g m/s from %s)\n", speed.value, speed.origin);
}

void doctor_liquid_habits(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    if (def->fill_count > 0 && doctor->estimate.particles < 1)
        doctor_warn(doctor,
                    "the fill is smaller than the spacing of %.3g m and holds no particle; use a smaller sph.spacing",
                    def->sph.spacing);
    for (int a = 0; a < def->domain.dims; a++) {
        double places = def->domain.size[a] / def->sph.spacing;
        if (def->walls[2 * a].kind == FR_WALL_PERIODIC && fabs(places - round(places)) > 0.01)
            doctor_warn(doctor,
                        "the periodic side along %c is %.6g spacings long: particles stand too close or too far apart "
                        "where its ends meet; "
                        "sph.spacing = %.6g fits",
                        "xyz"[a], places, def -> domain.size[a] / round(places));
    }
}
