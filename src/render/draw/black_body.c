#include "render/draw/black_body.h"

#include <math.h>

/* Colour-matching functions of the standard observer (CIE 1931), every 10 nm from 380 nm. */
enum { SAMPLES = 41 };
static const double first_sample = 380, sample_step = 10;
static const double observer[SAMPLES][3] = {{0.001368, 0.000039, 0.00645},
                                            {0.004243, 0.00012, 0.02005},
                                            {0.01431, 0.000396, 0.06785},
                                            {0.04351, 0.00121, 0.2074},
                                            {0.13438, 0.004, 0.6456},
                                            {0.2839, 0.0116, 1.3856},
                                            {0.34828, 0.023, 1.74706},
                                            {0.3362, 0.038, 1.77211},
                                            {0.2908, 0.06, 1.6692},
                                            {0.19536, 0.09098, 1.28764},
                                            {0.09564, 0.13902, 0.81295},
                                            {0.03201, 0.20802, 0.46518},
                                            {0.0049, 0.323, 0.272},
                                            {0.0093, 0.503, 0.1582},
                                            {0.06327, 0.71, 0.07825},
                                            {0.1655, 0.862, 0.04216},
                                            {0.2904, 0.954, 0.0203},
                                            {0.43345, 0.99495, 0.00875},
                                            {0.5945, 0.995, 0.0039},
                                            {0.7621, 0.952, 0.0021},
                                            {0.9163, 0.87, 0.00165},
                                            {1.0263, 0.757, 0.0011},
                                            {1.0622, 0.631, 0.0008},
                                            {1.0026, 0.503, 0.00034},
                                            {0.85445, 0.381, 0.00019},
                                            {0.6424, 0.265, 0.00005},
                                            {0.4479, 0.175, 0.00002},
                                            {0.2835, 0.107, 0},
                                            {0.1649, 0.061, 0},
                                            {0.0874, 0.032, 0},
                                            {0.04677, 0.017, 0},
                                            {0.0227, 0.00821, 0},
                                            {0.011359, 0.004102, 0},
                                            {0.00579, 0.002091, 0},
                                            {0.002899, 0.001047, 0},
                                            {0.00144, 0.00052, 0},
                                            {0.00069, 0.000249, 0},
                                            {0.000332, 0.00012, 0},
                                            {0.000166, 0.00006, 0},
                                            {0.000083, 0.00003, 0},
                                            {0.000042, 0.000015, 0}};

/* Spectral radiance, W/(m² sr nm). */
static double planck(double nanometres, double kelvin)
{
    const double first = 1.191043e20, second = 1.438777e7; /* 2hc² in W nm⁴/(m² sr), hc/k in nm K */
    double n2 = nanometres * nanometres;
    return first / (n2 * n2 * nanometres) / expm1(second / (nanometres * kelvin));
}

void black_body_xyz(double kelvin, double xyz[3])
{
    xyz[0] = xyz[1] = xyz[2] = 0;
    for (int n = 0; n < SAMPLES && kelvin > 0; n++)
        for (int i = 0; i < 3; i++)
            xyz[i] += sample_step * planck(first_sample + n * sample_step, kelvin) * observer[n][i];
}

rgb black_body_glow(double kelvin)
{
    const double middle = 1320, power = 0.5;
    double at[3], here[3];
    black_body_xyz(middle, at);
    black_body_xyz(kelvin, here);
    if (!(here[1] > 0))
        return (rgb){0, 0, 0};
    /* sRGB (IEC 61966-2-1); what is redder than its red is shown as that */
    double r = 3.2406 * here[0] - 1.5372 * here[1] - 0.4986 * here[2],
           g = -0.9689 * here[0] + 1.8758 * here[1] + 0.0415 * here[2],
           b = 0.0557 * here[0] - 0.2040 * here[1] + 1.0570 * here[2];
    rgb hue = {(float)fmax(r / here[1], 0), (float)fmax(g / here[1], 0), (float)fmax(b / here[1], 0)};
    float light = (float)pow(here[1] / at[1], power), glare = 0.3f * fmaxf(light - 1, 0);
    return rgb_add(rgb_scale(hue, light / colour_luminance(hue)), (rgb){glare, glare, glare});
}
