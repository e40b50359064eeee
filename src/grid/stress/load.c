/* The velocity from and to the fields of a method. */
#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct load_job {
    stress *s;
    const field *velocity;
} load_job;

static void load_rows(void *context, int begin, int end)
{
    const load_job *job = context;
    const stress_level *l = &job->s->level[0];
    for (int r = begin; r < end; r++) {
        int j = r % l->n[1], k = r / l->n[1];
        ptrdiff_t at = stress_offset(l, (int[3]){0, j, k});
        for (int a = 0; a < l->dims; a++) {
            const field *f = &job->velocity[a];
            int n = j < f->size[1] && k < f->size[2] ? f->size[0] < l->n[0] ? f->size[0] : l->n[0] : 0;
            const float *from = field_row(f, j, k);
            const float scale = (float)stress_scale(&job->s->block, a);
            for (int i = 0; i < n; i++)
                job->s->p.of[a][at + i] = scale * from[i];
        }
    }
}

/* The tangential component a beyond a side that sticks. With the wall between the samples, K counts twice, and so would
   the change of the flow through the side along it, Δ_a û_b: its half is taken off. */
static void load_side(stress *s, int a, int side, const field *layout)
{
    const stress_level *l = &s->level[0];
    const halo_side *rule = &s->problem.sides[a][side];
    int b = side / 2, c = 3 - a - b, lower = b == 0 ? 1 : 0, upper = b == 2 ? 1 : 2;
    const float scale = (float)stress_scale(&s->block, a);
    bool cross = s->problem.form == STRESS_FULL, high = side % 2;
    int at[3] = {0, 0, 0};
    for (at[c] = 0; at[c] < layout->size[c]; at[c]++)
        for (at[a] = 0; at[a] < (l->periodic[a] ? l->cells[a] : layout->size[a]); at[a]++) {
            at[b] = high ? l->cells[b] : 0;
            ptrdiff_t edge = stress_offset(l, at);
            float value =
                rule->values ? rule->values[at[lower] + (ptrdiff_t)at[upper] * layout->size[lower]] : rule->value;
            float slope = cross ? s->p.of[b][edge] - s->p.of[b][edge - l->stride[a]] : 0;
            s->p.of[a][edge - (high ? 0 : l->stride[b])] = scale * value + (high ? -0.5f : 0.5f) * slope;
        }
}

void stress_load_samples(stress *s, const field velocity[3])
{
    const stress_level *l = &s->level[0];
    load_job job = {s, velocity};
    stress_clear(l, &s->p);
    threads_for_cost(l->n[1] * l->n[2], (int64_t)l->dims * l->n[0], load_rows, &job);
    stress_wrap(l, &s->p);
}

void stress_load(stress *s, const field velocity[3])
{
    const stress_level *l = &s->level[0];
    stress_load_samples(s, velocity);
    for (int a = 0; a < l->dims; a++)
        for (int side = 0; side < 2 * l->dims; side++)
            if (side / 2 != a && !l->periodic[side / 2] && s->problem.sides[a][side].kind == HALO_VALUE)
                load_side(s, a, side, &velocity[a]);
    stress_wrap(l, &s->p);
}

static void store_rows(void *context, int begin, int end)
{
    const load_job *job = context;
    const stress_level *l = &job->s->level[0];
    for (int r = begin; r < end; r++) {
        int j = r % l->n[1], k = r / l->n[1];
        for (int a = 0; a < l->dims; a++) {
            const field *f = &job->velocity[a];
            if (j >= f->size[1] || k >= f->size[2])
                continue;
            float *to = field_row(f, j, k);
            const double *change = job->s->change[a] + stress_offset(l, (int[3]){0, j, k});
            const double scale = 1 / stress_scale(&job->s->block, a);
            const float *mass = l->mass.of[a] + stress_offset(l, (int[3]){0, j, k});
            const float dry = (float)(STRESS_DRY_MASS * 2 * scale * scale);
            int n = f->size[0] < l->n[0] ? f->size[0] : l->n[0];
            for (int i = 0; i < n; i++)
                to[i] = mass[i] > dry ? (float)(to[i] + scale * change[i]) : to[i];
        }
    }
}

/* The upper faces of a periodic axis are the lower ones. */
static void store_repeat(field *f, int a)
{
    int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    for (int k = 0; k < f->size[c]; k++)
        for (int j = 0; j < f->size[b]; j++) {
            float *line = f->data + j * f->stride[b] + k * f->stride[c];
            line[(f->size[a] - 1) * f->stride[a]] = line[0];
        }
}

void stress_unload(stress *s, field velocity[3])
{
    const stress_level *l = &s->level[0];
    load_job job = {s, velocity};
    threads_for_cost(l->n[1] * l->n[2], (int64_t)l->dims * l->n[0], store_rows, &job);
    for (int a = 0; a < l->dims; a++)
        if (l->periodic[a])
            store_repeat(&velocity[a], a);
}
