/* What every level needs besides its masses and K. */
#include "base/threads.h"
#include "grid/stress/parts.h"

float stress_stiffness(const stress_level *l, int a, ptrdiff_t at)
{
    const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    const float *normal = l->normal.of[a] + at, *over_b = l->shear.of[c] + at, *over_c = l->shear.of[b] + at;
    float shear = over_b[0] + over_b[l->stride[b]] + over_c[0] + over_c[l->stride[c]];
    float bulk = 2 * (float)(l->spread[a] * (l->spread[0] + l->spread[1] + l->spread[2])) *
                 (l->bulk[at] + l->bulk[at - l->stride[a]]);
    return 2 * (normal[0] + normal[-l->stride[a]]) + (l->coupled ? 4 : 2) * shear + bulk;
}

static void finish_rows(void *context, int begin, int end)
{
    const stress_level *l = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t row = stress_offset(l, (int[3]){0, r % l->n[1], r / l->n[1]});
        for (int a = 0; a < l->dims; a++)
            for (ptrdiff_t at = row; at < row + l->n[0]; at++) {
                float mass = l->mass.of[a][at];
                l->inverse.of[a][at] = mass > 0 ? 1 / (mass + stress_stiffness(l, a, at)) : 0;
            }
    }
}

static bool finish_is_active(const stress_level *l, ptrdiff_t at)
{
    return l->mass.of[0][at] > 0 || l->mass.of[1][at] > 0 || l->mass.of[2][at] > 0;
}

static void finish_runs(stress_level *l)
{
    l->run_count = 0;
    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++) {
            ptrdiff_t row = stress_offset(l, (int[3]){0, j, k});
            stress_run *run = NULL;
            for (int i = 0; i < l->n[0]; i++) {
                if (!finish_is_active(l, row + i))
                    continue;
                if (!run || row + i - (run->at + run->n) >= STRESS_GAP || row + i - run->at >= STRESS_RUN) {
                    run = &l->runs[l->run_count++];
                    *run = (stress_run){.first = {i, j, k}, .at = row + i};
                }
                run->n = (int)(row + i - run->at) + 1;
            }
        }
}

/* A strain of m unknowns has (Σ ±u)² ≤ m Σ u²: so the diagonal with m times K bounds W + BᵀKB. In the middle of the
   liquid the bound is reached. */
void stress_finish(stress_level *l)
{
    threads_for_cost(l->n[1] * l->n[2], (int64_t)l->dims * l->n[0], finish_rows, l);
    finish_runs(l);
}
