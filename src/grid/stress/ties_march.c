/* Solids in explicit steps: each gains what its faces lose. A mass that so many steps do not bear is made larger, as
   those of faces are (explicit.c). */
#include "grid/stress/parts.h"

void stress_ties_mark(const stress *s)
{
    const stress_level *l = &s->level[0];
    const stress_solids *solids = s->problem.solids;
    stress_clear(l, &l->t);
    for (int r = 0; solids && r < solids->row_count; r++)
        for (int i = 0; i < solids->faces[r].count; i++)
            l->t.of[solids->faces[r].axis][solids->faces[r].at + i] = 1;
}

/* Whether steps of a diagonal system with the mass M − ½ PᵀDP/n, which must not be negative, are stable. */
static bool march_is_borne(const stress_tie *tie, double steps)
{
    double rest[6][6];
    bool borne = true;
    for (int i = 0; i < 36; i++)
        rest[i / 6][i % 6] = tie->mass[i / 6][i % 6] - 0.5 / steps * tie->grip[i / 6][i % 6];
    six_factor(rest);
    for (int i = 0; i < 6; i++)
        borne = borne && (rest[i][i] > 0 || !(tie->mass[i][i] > 0));
    return borne;
}

void stress_ties_prepare(stress *s, double steps)
{
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; solids && b < solids->count; b++) {
        stress_tie *tie = &solids->ties->of[b];
        const double more = march_is_borne(tie, steps) ? 0 : 0.5 / steps;
        for (int i = 0; i < 36; i++)
            tie->bear[i / 6][i % 6] = tie->mass[i / 6][i % 6] + more * tie->grip[i / 6][i % 6];
        six_factor(tie->bear);
    }
}

void stress_ties_march(stress *s, double steps)
{
    stress_solids *solids = s->problem.solids;
    if (!solids || solids->count == 0)
        return;
    stress_motion *gain = solids->ties->gain, *rest = solids->ties->rest;
    stress_pull(s, NULL, gain);
    for (int b = 0; b < solids->count; b++) {
        for (int d = 0; d < 6; d++)
            rest[b].of[d] -= gain[b].of[d] / steps;
        six_solve(solids->ties->of[b].bear, gain[b].of);
    }
    if (solids->hold)
        solids->hold(solids->context, gain);
    for (int b = 0; b < solids->count; b++) {
        double moved[6];
        six_times(solids->ties->of[b].mass, gain[b].of, moved);
        for (int d = 0; d < 6; d++) {
            rest[b].of[d] += moved[d] / steps; /* what constraints have done */
            solids->ties->change[b].of[d] -= gain[b].of[d] / steps;
        }
    }
}
