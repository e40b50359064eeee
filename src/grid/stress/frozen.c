/* Solids that are frozen into bodies of liquid in flight: they take part in the rigid motions of these (rigid.c). */
#include "grid/stress/parts.h"

/* A mode of a body as a motion of a solid in it. */
static stress_motion frozen_motion(const stress *s, const stress_tie *tie, int mode)
{
    const domain *d = &s->block;
    const double *middle = s->bodies[tie->body].middle, h = domain_min_h(d);
    stress_motion v = {{0}};
    if (mode < 3) {
        v.of[mode] = mode < d->dims ? h / d->h[mode] : 0;
        return v;
    }
    const int a = mode < 5 ? 0 : 1, b = mode == 3 ? 1 : 2;
    const double scale = s->level[0].coupled ? h / (d->h[a] * d->h[b]) : 0;
    v.of[a] = -scale * (tie->centre[b] - d->origin[b] - middle[b] * d->h[b]);
    v.of[b] = scale * (tie->centre[a] - d->origin[a] - middle[a] * d->h[a]);
    v.of[6 - a - b] = a + 1 == b ? scale : -scale;
    return v;
}

void stress_weigh_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int i = 0; solids && i < solids->count; i++) {
        const stress_tie *tie = &solids->ties->of[i];
        for (int p = 0; p < 6 && tie->body >= 0; p++) {
            const stress_motion mode = frozen_motion(s, tie, p);
            double weight[6];
            six_times(tie->excess, mode.of, weight);
            for (int q = 0; q < 6; q++) {
                const stress_motion other = frozen_motion(s, tie, q);
                for (int d = 0; d < 6; d++)
                    s->bodies[tie->body].matrix[q][p] += other.of[d] * weight[d];
            }
        }
    }
}

void stress_measure_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int i = 0; solids && i < solids->count; i++) {
        const stress_tie *tie = &solids->ties->of[i];
        double weight[6];
        six_times(tie->excess, solids->ties->guess[i].of, weight);
        for (int p = 0; p < 6 && tie->body >= 0; p++) {
            const stress_motion mode = frozen_motion(s, tie, p);
            for (int d = 0; d < 6; d++)
                s->bodies[tie->body].part[p] += mode.of[d] * weight[d];
        }
    }
}

void stress_take_solids(const stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int i = 0; solids && i < solids->count; i++) {
        const stress_tie *tie = &solids->ties->of[i];
        for (int p = 0; p < 6 && tie->body >= 0; p++) {
            const stress_motion mode = frozen_motion(s, tie, p);
            for (int d = 0; d < 6; d++)
                solids->ties->guess[i].of[d] -= s->bodies[tie->body].part[p] * mode.of[d];
        }
    }
}
