#include "render/draw/pattern.h"

#include <math.h>

pattern pattern_of_look(const fr_look_def *look, double shortest)
{
    return (pattern){look->liquid_pattern, look->liquid_pattern_size > 0 ? look->liquid_pattern_size : 0.1 * shortest};
}

/* Values at the corners of the lattice, mixed with weights that are smooth across its planes. */
float pattern_noise(const float place[3])
{
    int low[3];
    float share[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        float down = floorf(place[a]), f = place[a] - down;
        low[a] = fabsf(down) < 1e6f ? (int)down : 0;
        share[a] = f * f * (3 - 2 * f);
    }
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        uint32_t at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = (uint32_t)(low[a] + (corner >> a & 1));
            weight *= corner >> a & 1 ? share[a] : 1 - share[a];
        }
        sum += weight * (2 * colour_noise(at[0], at[1], at[2]) - 1);
    }
    return sum;
}

static float pattern_checker(const float p[3])
{
    double cells = floor((double)p[0]) + floor((double)p[1]) + floor((double)p[2]);
    return fabs(fmod(cells, 2)) > 0.5 ? 1 : 0;
}

/* Veins: waves that octaves of noise have bent (Perlin 1985). */
static float pattern_marble(const float p[3])
{
    float bent = 0, share = 1;
    for (int octave = 0; octave < 4; octave++, share *= 0.5f) {
        const float scale = (float)(1 << octave) * 0.7f;
        bent += share * pattern_noise((const float[3]){scale * p[0], scale * p[1], scale * p[2]});
    }
    float wave = 0.5f + 0.5f * sinf(1.6f * (p[0] + 0.6f * p[1] + 0.3f * p[2]) + 3.5f * bent);
    return wave * wave * wave;
}

float pattern_at(const pattern *pattern, const float place[3])
{
    const float scale = (float)(1 / pattern->size), p[3] = {place[0] * scale, place[1] * scale, place[2] * scale};
    switch (pattern->kind) {
    case FR_PATTERN_CHECKER:
        return pattern_checker(p);
    case FR_PATTERN_STRIPES:
        return fabs(fmod(floor((double)p[1]), 2)) > 0.5 ? 1 : 0;
    case FR_PATTERN_MARBLE:
        return pattern_marble(p);
    default:
        return 0;
    }
}

rgb pattern_paint(const pattern *pattern, const float place[3], rgb colour)
{
    return rgb_scale(colour, 1 - 0.78f * pattern_at(pattern, place));
}
