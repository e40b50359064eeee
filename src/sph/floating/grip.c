#include "sph/floating/grip.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/floating/floating.h"

typedef struct grip_job {
    const sph_drag *drag;
    sph_floating *f;
    const particle_vector *v;
} grip_job;

static void grip_add_pair(const grip_job *job, const sph_contact *contact, double weight, const double centre[3],
                          floating_grip *to)
{
    const sph_walls *w = &job->drag->s->walls;
    const int32_t wall = contact->wall;
    const vec3 g = {contact->g[0], contact->g[1], contact->g[2]};
    const vec3 arm = {(double)w->x[wall] - centre[0], (double)w->y[wall] - centre[1], (double)w->z[wall] - centre[2]};
    const vec3 turn = vec3_cross(arm, g);
    const double q[6] = {g.x, g.y, g.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            to->of[i][j] += weight * q[i] * q[j];
}

static void grip_find_parts(void *context, int begin, int end)
{
    const grip_job *job = context;
    const sph_floating *f = job->f;
    const sph_state *s = job->drag->s;
    for (int64_t i = f->touch_begin[begin]; i < f->touch_begin[end]; i++) {
        const floating_touch *t = &f->touches[i];
        floating_grip *grip = &f->grips[i];
        *grip = (floating_grip){{{0}}};
        for (int64_t k = sph_contact_begin(s, t->particle); k < sph_contact_end(s, t->particle); k++) {
            sph_contact contact;
            if (s->walls.body[s->wall_pairs.other[k]] != f->first + t->body)
                continue;
            const double weight = (double)sph_drag_contact(job->drag, t->particle, k, &contact);
            if (weight > 0)
                grip_add_pair(job, &contact, weight, f->fleet.of[t->body].laid.position, grip);
        }
    }
}

fr_result sph_grip_find(const sph_drag *drag)
{
    sph_floating *f = drag->s->floating;
    grip_job job = {.drag = drag, .f = f};
    if (!f || !f->feels || !drag->sticks)
        return FR_OK;
    if (f->grip_room < f->touch_room) {
        memory_free(f->grips);
        f->grip_room = 0;
        if (!(f->grips = MEMORY_NEW(floating_grip, f->touch_room)))
            return FR_ERROR_MEMORY;
        f->grip_room = f->touch_room;
    }
    threads_for(SPH_PARTS, grip_find_parts, &job);
    memset(f->held, 0, sizeof *f->held * (size_t)f->fleet.count);
    for (int64_t i = 0; i < f->touch_begin[SPH_PARTS]; i++)
        for (int d = 0; d < 36; d++)
            (&f->held[f->touches[i].body].of[0][0])[d] += (&f->grips[i].of[0][0])[d];
    return FR_OK;
}

static void grip_gather_parts(void *context, int begin, int end)
{
    const grip_job *job = context;
    const sph_floating *f = job->f;
    for (int part = begin; part < end; part++) {
        rigid_vector *sum = f->part_pushed + (int64_t)part * f->fleet.count;
        memset(sum, 0, sizeof *sum * (size_t)f->fleet.count);
        for (int64_t i = f->touch_begin[part]; i < f->touch_begin[part + 1]; i++) {
            const floating_touch *t = &f->touches[i];
            const float *u = job->v[t->particle];
            for (int d = 0; d < 6; d++)
                for (int a = 0; a < 3; a++)
                    sum[t->body].of[d] += f->grips[i].of[d][a] * (double)u[a];
        }
    }
}

/* V from B u in `pushed`. */
static void grip_solve(const sph_drag *drag, int b, bool homogeneous)
{
    sph_floating *f = drag->s->floating;
    const double rate = drag->m->mass * (double)drag->rate;
    double a[6][6], right[6];
    for (int i = 0; i < 6; i++) {
        right[i] = homogeneous ? 0 : f->fleet.velocity[b].of[i];
        for (int j = 0; j < 6; j++)
            a[i][j] = i == j;
        for (int k = 0; k < 6; k++) {
            const double gives = rate * f->gives[b].of[i][k];
            right[i] += gives * f->pushed[b].of[k];
            for (int j = 0; j < 6; j++)
                a[i][j] += gives * f->held[b].of[k][j];
        }
    }
    floating_solve(a, right);
    memcpy(f->answer[b].of, right, sizeof right);
}

void sph_grip_lead(const sph_drag *drag, const particle_vector *v, bool homogeneous)
{
    sph_floating *f = drag->s->floating;
    sph_walls *w = &drag->s->walls;
    grip_job job = {.drag = drag, .f = f, .v = v};
    if (!f || !f->feels || !drag->sticks)
        return;
    threads_for(SPH_PARTS, grip_gather_parts, &job);
    memset(f->pushed, 0, sizeof *f->pushed * (size_t)f->fleet.count);
    for (int part = 0; part < SPH_PARTS; part++)
        for (int b = 0; b < f->fleet.count; b++)
            for (int d = 0; d < 6; d++)
                f->pushed[b].of[d] += f->part_pushed[(int64_t)part * f->fleet.count + b].of[d];
    for (int b = 0; b < f->fleet.count; b++)
        grip_solve(drag, b, homogeneous);
    sph_floating_show(drag->s, f->answer, homogeneous ? w->answer : w->velocity);
}
