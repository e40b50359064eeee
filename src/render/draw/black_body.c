#include "render/draw/black_body.h"

#include <math.h>

/* One lobe of a colour-matching function: a Gaussian with different widths (1/nm) on both sides. */
typedef struct lobe {
    double height, middle, below, above;
} lobe;

/* CIE 1931 colour-matching functions as sums of lobes (Wyman, Sloan & Shirley 2013, table 1). */
static const lobe lobes[3][3] = {
    {{1.056, 599.8, 0.0264, 0.0323}, {0.362, 442.0, 0.0624, 0.0374}, {-0.065, 501.1, 0.0490, 0.0382}},
    {{0.821, 568.8, 0.0213, 0.0247}, {0.286, 530.9, 0.0613, 0.0322}, {0, 0, 0, 0}},
    {{1.217, 437.0, 0.0845, 0.0278}, {0.681, 459.0, 0.0385, 0.0725}, {0, 0, 0, 0}}};

static double lobe_at(const lobe *l, double nanometres)
{
    double away = (nanometres - l->middle) * (nanometres < l->middle ? l->below : l->above);
    return l->height * exp(-0.5 * away * away);
}

/* Spectral radiance, W/(m² sr nm). */
static double planck(double nanometres, double kelvin)
{
    const double first = 1.191043e20, second = 1.438777e7; /* 2hc² in W nm⁴/(m² sr), hc/k in nm K */
    double n2 = nanometres * nanometres;
    return first / (n2 * n2 * nanometres) / expm1(second / (nanometres * kelvin));
}

void black_body_xyz(double kelvin, double xyz[3])
{
    const double step = 5;
    xyz[0] = xyz[1] = xyz[2] = 0;
    for (double nm = 380; nm <= 780 && kelvin > 0; nm += step)
        for (int i = 0; i < 3; i++)
            for (int l = 0; l < 3; l++)
                xyz[i] += step * planck(nm, kelvin) * lobe_at(&lobes[i][l], nm);
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
