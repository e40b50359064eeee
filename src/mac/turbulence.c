/* u'(x, t) = Σ √2 A_m e_m cos(k_m·(x − U t) + ω_m t + φ_m)

   Random Fourier modes (Kraichnan 1970, eq. 15), carried by the mean flow U as if frozen and changing by themselves at
   the rate of their own turnover, ω ~ N(0, 1) (k/k_0)^(2/3) u'/L (Smirnov, Shi and Celik 2001). The lengths of the
   waves are spread evenly over the logarithm between the largest eddy and two cells; an energy spectrum E ~ k^(−5/3)
   then gives A² ~ k^(−2/3).

   On the staggered grid a difference of two samples of a wave across a cell is that of the derivative with k̃ = (2/h)
   sin(k h/2) in place of k. Hence e_m is perpendicular to k̃_m, not to k_m: the sampled flow has no divergence. */
#include "mac/turbulence.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"

typedef struct turbulence_wave {
    double k[3];             /* 1/m */
    double amplitude[3];     /* m/s, √2 A e */
    double phase, turning;   /* rad, rad/s: the mean flow and the wave's own change */
} turbulence_wave;

struct turbulence {
    int dims, count;
    turbulence_wave *waves;
};

enum { TURBULENCE_MODES = 100 };
static const double GOLDEN = 0.61803398874989484820;

/* Directions by the golden ratio: so even over the circle or the sphere that a few waves already prefer none. */
static vec3 turbulence_direction(int dims, uint64_t seed, int m)
{
    double turn = random_unit(seed, 0) + m * GOLDEN, angle = 2 * FR_PI * (turn - floor(turn));
    if (dims == 2)
        return (vec3){cos(angle), sin(angle), 0};
    /* another irrational number, or height and angle would rise together */
    double rise = random_unit(seed, 1) + m * 0.41421356237309504880, z = 2 * (rise - floor(rise)) - 1,
           across = sqrt(1 - z * z);
    return (vec3){across * cos(angle), across * sin(angle), z};
}

/* Periodic axes take whole waves only; a wave longer than every such axis becomes the longest that fits. */
static void turbulence_fit(const domain *d, double k[3])
{
    int longest = -1;
    bool any = false;
    for (int a = 0; a < d->dims; a++) {
        double unit = 2 * FR_PI / (d->n[a] * d->h[a]);
        longest = d->periodic[a] && (longest < 0 || fabs(k[a]) > fabs(k[longest])) ? a : longest;
        k[a] = d->periodic[a] ? unit * round(k[a] / unit) : k[a];
        any = any || k[a] != 0;
    }
    if (!any && longest >= 0)
        k[longest] = 2 * FR_PI / (d->n[longest] * d->h[longest]);
}

/* A unit vector perpendicular to k̃. */
static vec3 turbulence_across(const domain *d, const double k[3], double angle)
{
    double sampled[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++)
        sampled[a] = 2 / d->h[a] * sin(0.5 * k[a] * d->h[a]);
    vec3 along = vec3_unit(vec3_of(sampled));
    if (d->dims == 2)
        return (vec3){-along.y, along.x, 0};
    vec3 other = fabs(along.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    vec3 first = vec3_unit(vec3_cross(along, other)), second = vec3_cross(along, first);
    return vec3_add(vec3_scale(first, cos(angle)), vec3_scale(second, sin(angle)));
}

static turbulence_wave turbulence_wave_of(const fr_turbulence_def *def, const domain *d, const double mean[3], int m,
                                          int count)
{
    uint64_t seed = (uint64_t)def->seed * 8;
    double coarse = 2 * FR_PI / def->length, fine = fmax(coarse, FR_PI / domain_min_h(d));
    double size = coarse * pow(fine / coarse, (m + random_unit(seed + 1, (uint64_t)m)) / count);
    vec3 direction = turbulence_direction(d->dims, seed, m);
    turbulence_wave w = {.k = {size * direction.x, size * direction.y, size * direction.z}};
    turbulence_fit(d, w.k);
    vec3 across = turbulence_across(d, w.k, 2 * FR_PI * random_unit(seed + 2, (uint64_t)m));
    double strength = pow(size / coarse, -1.0 / 3), own = def->speed / def->length * pow(size / coarse, 2.0 / 3);
    w.amplitude[0] = strength * across.x;
    w.amplitude[1] = strength * across.y;
    w.amplitude[2] = strength * across.z;
    w.phase = 2 * FR_PI * random_unit(seed + 3, (uint64_t)m);
    w.turning = own * random_normal(seed + 4, (uint64_t)m);
    for (int a = 0; a < d->dims; a++)
        w.turning -= w.k[a] * mean[a];
    return w;
}

/* The mean of |u'|² over a large sample at t = 0. Waves of the same k, which a periodic box brings about, add up before
   they are squared; cos(k·x + φ) and cos(−k·x + φ') are the same k. */
static double turbulence_mean_square(const turbulence *t)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++)
        for (int j = 0; j < t->count; j++) {
            const turbulence_wave *a = &t->waves[i], *b = &t->waves[j];
            bool same = true, opposite = true;
            for (int c = 0; c < 3; c++) {
                same = same && a->k[c] == b->k[c];
                opposite = opposite && a->k[c] == -b->k[c];
            }
            double product = vec3_dot(vec3_of(a->amplitude), vec3_of(b->amplitude));
            if (same)
                sum += 0.5 * product * cos(a->phase - b->phase);
            else if (opposite)
                sum += 0.5 * product * cos(a->phase + b->phase);
        }
    return sum;
}

fr_result turbulence_create(const fr_turbulence_def *def, const domain *d, const double mean[3], turbulence **out)
{
    turbulence *t = MEMORY_NEW(turbulence, 1);
    *out = t;
    if (!t)
        return FR_ERROR_MEMORY;
    t->dims = d->dims;
    t->count = def->modes > 0 ? def->modes : TURBULENCE_MODES;
    t->waves = MEMORY_NEW(turbulence_wave, t->count);
    if (!t->waves)
        return FR_ERROR_MEMORY;
    for (int m = 0; m < t->count; m++)
        t->waves[m] = turbulence_wave_of(def, d, mean, m, t->count);
    double scale = def->speed / sqrt(turbulence_mean_square(t));
    if (!isfinite(scale))
        return fr_fail(FR_ERROR_INPUT, "the waves of a turbulence cancel in this periodic box; give it another seed, "
                                       "more modes or a shorter length");
    for (int m = 0; m < t->count; m++)
        for (int a = 0; a < 3; a++)
            t->waves[m].amplitude[a] *= scale;
    return FR_OK;
}

void turbulence_destroy(turbulence *t)
{
    if (t)
        memory_free(t->waves);
    memory_free(t);
}

static double turbulence_phase(const turbulence_wave *w, const double at[3], double time)
{
    return w->k[0] * at[0] + w->k[1] * at[1] + w->k[2] * at[2] + w->turning * time + w->phase;
}

void turbulence_at(const turbulence *t, const double at[3], double time, double velocity[3])
{
    velocity[0] = velocity[1] = velocity[2] = 0;
    for (int m = 0; m < t->count; m++) {
        double wave = cos(turbulence_phase(&t->waves[m], at, time));
        for (int a = 0; a < t->dims; a++)
            velocity[a] += t->waves[m].amplitude[a] * wave;
    }
}

/* From one place to the next the wave turns by the same angle: a rotation replaces the cosine. */
static void turbulence_add_wave(const turbulence_wave *w, const turbulence_line *line, double time, double *sums,
                                int first, int n)
{
    double at[3] = {line->start[0], line->start[1], line->start[2]}, turn = w->k[line->axis] * line->spacing;
    at[line->axis] += first * line->spacing;
    double phase = turbulence_phase(w, at, time), step_c = cos(turn), step_s = sin(turn);
    double c = w->amplitude[line->component] * cos(phase), s = w->amplitude[line->component] * sin(phase);
    for (int i = 0; i < n; i++) {
        sums[i] += c;
        double next = c * step_c - s * step_s;
        s = s * step_c + c * step_s;
        c = next;
    }
}

void turbulence_add_line(const turbulence *t, const turbulence_line *line, double time, float *values)
{
    enum { PIECE = 256 };
    for (int first = 0; first < line->n; first += PIECE) {
        double sums[PIECE] = {0};
        int n = line->n - first < PIECE ? line->n - first : PIECE;
        for (int m = 0; m < t->count; m++)
            turbulence_add_wave(&t->waves[m], line, time, sums, first, n);
        for (int i = 0; i < n; i++)
            values[first + i] += (float)sums[i];
    }
}
