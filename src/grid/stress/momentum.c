/* Momentum and spin of bodies in flight, kept over what a method does to the flow after the viscosity. */
#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct momentum_job {
    stress *s;
    field *velocity;
} momentum_job;

void stress_remember(stress *s, const field velocity[3])
{
    stress_load_samples(s, velocity); /* what the problem was built from is gone by now, but for the solids */
    for (int b = 0; s->problem.solids && b < s->problem.solids->count; b++)
        s->problem.solids->ties->before[b] = s->problem.solids->of[b].motion;
}

/* x = û − û remembered, where there are unknowns. */
static void momentum_rows(void *context, int begin, int end)
{
    const momentum_job *job = context;
    const stress_level *l = &job->s->level[0];
    for (int r = begin; r < end; r++) {
        const int j = r % l->n[1], k = r / l->n[1];
        const ptrdiff_t at = stress_offset(l, (int[3]){0, j, k});
        for (int a = 0; a < l->dims; a++) {
            const field *f = &job->velocity[a];
            const int n = j < f->size[1] && k < f->size[2] ? f->size[0] < l->n[0] ? f->size[0] : l->n[0] : 0;
            const float *u = field_row(f, j, k), *before = job->s->p.of[a] + at, *inverse = l->inverse.of[a] + at;
            const float scale = (float)stress_scale(&job->s->block, a);
            for (int i = 0; i < n; i++)
                l->x.of[a][at + i] = inverse[i] > 0 ? scale * u[i] - before[i] : 0;
        }
    }
}

/* Puts the pieces of free bodies back. */
static void momentum_pieces(void *context, int begin, int end)
{
    const momentum_job *job = context;
    const stress *s = job->s;
    const stress_level *l = &s->level[0];
    for (int i = begin; i < end; i++) {
        const stress_run *run = &s->pieces[i].run;
        for (int a = 0; a < l->dims; a++) {
            const field *f = &job->velocity[a];
            if (run->first[1] >= f->size[1] || run->first[2] >= f->size[2])
                continue;
            float *u = field_row(f, run->first[1], run->first[2]) + run->first[0];
            const float *change = l->x.of[a] + run->at, *before = s->p.of[a] + run->at;
            const float *inverse = l->inverse.of[a] + run->at, scale = (float)stress_scale(&s->block, a);
            for (int n = 0; n < run->n && run->first[0] + n < f->size[0]; n++)
                u[n] = inverse[n] > 0 ? (before[n] + change[n]) / scale : u[n];
        }
    }
}

/* The same for solids. */
static void momentum_of_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; solids && b < solids->count; b++)
        for (int d = 0; d < 6; d++)
            solids->ties->guess[b].of[d] = solids->of[b].motion.of[d] - solids->ties->before[b].of[d];
    if (solids)
        stress_spread(s, solids->ties->guess, false, &s->level[0].x);
}

static void momentum_to_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; solids && b < solids->count; b++) {
        stress_solid *solid = &solids->of[b];
        double change[6];
        for (int d = 0; d < 6; d++) {
            const double now = solids->ties->before[b].of[d] + solids->ties->guess[b].of[d];
            change[d] = domain_cell_volume(&s->block) * (now - solid->motion.of[d]);
            solid->motion.of[d] = now;
        }
        six_times(solids->ties->of[b].mass, change, solid->gain.of);
    }
}

void stress_keep_momentum(stress *s, field velocity[3])
{
    const stress_level *l = &s->level[0];
    momentum_job job = {s, velocity};
    for (int b = 0; s->problem.solids && b < s->problem.solids->count; b++)
        s->problem.solids->of[b].gain = (stress_motion){{0}};
    if (s->piece_count == 0)
        return;
    threads_for_cost(l->n[1] * l->n[2], (int64_t)l->dims * l->n[0], momentum_rows, &job);
    momentum_of_solids(s);
    stress_deflate(s);
    momentum_to_solids(s);
    threads_for_cost(s->piece_count, l->cells[0], momentum_pieces, &job);
}
