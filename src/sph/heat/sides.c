/* The temperatures that sides and obstacles hold at their wall particles. */
#include <math.h>

#include "method/evaluate.h"
#include "sph/heat/heat.h"

/* A point behind an edge of the domain lies behind two or three sides: it has their mean if all of them hold a
   temperature. Else no heat goes through it, so that beside a side which lets none through the profile between two
   others stays straight. */
static fr_result sides_at(const sph_model *m, const double at[3], double time, float *held)
{
    double sum = 0;
    int sides = 0, warm = 0;
    for (int side = 0; side < 2 * m->dims; side++) {
        const int a = side / 2;
        double t;
        if (side % 2 ? at[a] <= m->high[a] : at[a] >= m->low[a])
            continue;
        sides++;
        if (m->walls[side].scalar_count == 0)
            continue;
        FR_TRY(evaluate_number(&m->walls[side].scalars[0].value, at, time, &t));
        sum += t;
        warm++;
    }
    *held = warm > 0 && warm == sides ? (float)(sum / warm) : NAN;
    return FR_OK;
}

fr_result stage_sph_heat_sides(const sph_model *m, sph_state *s)
{
    const sph_walls *w = &s->walls;
    for (int64_t n = 0; n < w->count && s->heat->holds; n++) {
        const fr_obstacle_def *obstacle = m->bodies[w->body[n]].obstacle;
        if (obstacle)
            s->heat->held[n] = obstacle->has_temperature ? (float)obstacle->temperature : NAN;
        else
            FR_TRY(sides_at(m, (double[3]){w->x[n], w->y[n], w->z[n]}, s->now.end, &s->heat->held[n]));
    }
    return FR_OK;
}
