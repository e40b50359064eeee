/* Bodies in the preconditioner of the pressure. With E = D⁻¹ + P, y = G⁻¹ Fᵀ r and G = K⁻¹ + Cᵀ F,

       z = D⁻¹ r + e − F G⁻¹ Cᵀ (D⁻¹ r + e),   e = P (r − C y),

   where D⁻¹ is 0 at pressures that stay 0. Bodies are taken one by one: what one does to another stays for the
   solver. */
#include <string.h>

#include "sph/floating/floating.h"
#include "sph/floating/grip.h"
#include "sph/pressure/bodies.h"

typedef struct ease_list {
    floating_touch *from, *end;
    const float *unknown, *product;
    float *residual, *correction;
} ease_list;

/* Of particles and of walls. */
static ease_list ease_of(sph_state *s, bool walls)
{
    sph_floating *f = s->floating;
    if (walls)
        return (ease_list){f->walls, f->walls + f->wall_begin[SPH_PARTS], s->walls.unknown, s->walls.product,
                           s->walls.residual, s->walls.correction};
    return (ease_list){f->touches, f->touches + f->touch_begin[SPH_PARTS], s->numbers[SPH_UNKNOWN],
                       s->numbers[SPH_PRODUCT], s->numbers[SPH_RESIDUAL], s->numbers[SPH_CORRECTION]};
}

static float ease_per_diagonal(const sph_state *s, bool wall, int32_t n)
{
    if (!wall)
        return s->gradient[n][3];
    return s->walls.diagonal[n] > 0 ? 1 / s->walls.diagonal[n] : 0;
}

/* Scales, and Cᵀ D⁻¹ r and Cᵀ D⁻¹ C. */
static void ease_scale(sph_state *s, bool walls)
{
    sph_floating *f = s->floating;
    const ease_list list = ease_of(s, walls);
    for (floating_touch *t = list.from; t < list.end; t++) {
        const float q = list.unknown[t->particle], r = list.residual[t->particle];
        t->kept = r;
        t->scale = q > 0 || r > 0 ? ease_per_diagonal(s, walls, t->particle) : 0;
        for (int i = 0; i < 6 && t->scale > 0; i++) {
            const double scaled = (double)t->scale * t->push[i];
            f->pushed[t->body].of[i] += scaled * (double)r;
            for (int j = 0; j < 6; j++)
                f->eased[t->body].of[i][j] += scaled * t->push[j];
        }
    }
}

/* G⁻¹ of `pushed` into `answer`: (1 + K Cᵀ F) x = K pushed. In 2D bodies turn about z alone. */
static void ease_solve(sph_floating *f)
{
    static const bool flat[6] = {true, true, false, false, false, true};
    for (int b = 0; b < f->fleet.count; b++) {
        double a[6][6], x[6] = {0};
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++)
                a[i][j] = i == j;
            for (int k = 0; k < 6 && (f->m->dims == 3 || flat[i]); k++) {
                const double gives = f->m->dims == 3 || flat[k] ? f->m->mass * f->gives[b].of[i][k] : 0;
                x[i] += gives * f->pushed[b].of[k];
                for (int j = 0; j < 6; j++)
                    a[i][j] += gives * f->eased[b].of[k][j];
            }
        }
        floating_solve(a, x);
        memcpy(f->answer[b].of, x, sizeof x);
    }
}

static double ease_along(const sph_floating *f, const floating_touch *t)
{
    double sum = 0;
    for (int d = 0; d < 6; d++)
        sum += t->push[d] * f->answer[t->body].of[d];
    return sum;
}

bool sph_bodies_ease(sph_state *s, bool on)
{
    const bool was = s->floating && s->floating->feels && s->floating->eases;
    if (s->floating)
        s->floating->eases = on;
    return was;
}

void sph_bodies_before(sph_state *s)
{
    sph_floating *f = s->floating;
    if (!f || !f->feels || !f->eases)
        return;
    memset(f->pushed, 0, sizeof *f->pushed * (size_t)f->fleet.count);
    memset(f->eased, 0, sizeof *f->eased * (size_t)f->fleet.count);
    for (int walls = 0; walls < 2; walls++)
        ease_scale(s, walls);
    ease_solve(f);
    for (int walls = 0; walls < 2; walls++) {
        const ease_list list = ease_of(s, walls);
        for (floating_touch *t = list.from; t < list.end; t++)
            list.residual[t->particle] -= (float)ease_along(f, t);
    }
}

double sph_bodies_after(sph_state *s)
{
    sph_floating *f = s->floating;
    double sum = 0;
    if (!f || !f->feels || !f->eases)
        return 0;
    memset(f->pushed, 0, sizeof *f->pushed * (size_t)f->fleet.count);
    for (int walls = 0; walls < 2; walls++) {
        const ease_list list = ease_of(s, walls);
        for (const floating_touch *t = list.from; t < list.end; t++) {
            const double z = (double)t->scale * (double)t->kept + (double)list.correction[t->particle];
            list.residual[t->particle] = t->kept;
            for (int d = 0; d < 6; d++)
                f->pushed[t->body].of[d] += z * t->push[d];
        }
    }
    ease_solve(f);
    for (int walls = 0; walls < 2; walls++) {
        const ease_list list = ease_of(s, walls);
        for (const floating_touch *t = list.from; t < list.end; t++) {
            const float less = t->scale * (float)ease_along(f, t);
            list.correction[t->particle] -= less;
            sum -= (double)list.product[t->particle] * (double)less;
        }
    }
    return sum;
}
