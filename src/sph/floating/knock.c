#include "sph/floating/knock.h"

#include <string.h>

#include "base/memory.h"
#include "sph/floating/floating.h"

bool sph_floating_gives_way(const sph_state *s, int body)
{
    const sph_floating *f = s->floating;
    return f && f->feels && body >= f->first && body < f->first + f->fleet.count;
}

fr_result sph_floating_meet(sph_state *s, int part, const floating_knock *knock)
{
    floating_knocks *list = &s->floating->knocks[part];
    if (list->count == list->room) {
        const int64_t room = list->room ? 2 * list->room : 16;
        floating_knock *wider = MEMORY_NEW(floating_knock, room);
        if (!wider)
            return FR_ERROR_MEMORY;
        if (list->count)
            memcpy(wider, list->of, sizeof *wider * (size_t)list->count);
        memory_free(list->of);
        *list = (floating_knocks){wider, list->count, room};
    }
    list->of[list->count++] = *knock;
    return FR_OK;
}

/* Of a body at a place, along the normal, by an impulse of 1 along it; the velocity that this gives into `change`. */
static double knock_give(const sph_floating *f, const floating_knock *k, vec3 arm, rigid_vector *change)
{
    const vec3 turn = vec3_cross(arm, k->normal);
    const bool flat = f->m->dims == 2;
    const rigid_vector impulse = {
        {k->normal.x, k->normal.y, k->normal.z, flat ? 0 : turn.x, flat ? 0 : turn.y, turn.z}};
    *change = constraints_response(&f->fleet.inverse[k->body - f->first], &impulse);
    double sum = 0;
    for (int d = 0; d < 6; d++)
        sum += impulse.of[d] * change->of[d];
    return sum;
}

static void knock_one(const sph_floating *f, sph_state *s, const floating_knock *k)
{
    rigid_vector change, *gained = &f->gained[k->body - f->first];
    const vec3 arm = vec3_sub(k->at, vec3_of(s->loads[k->body].position));
    const double give = knock_give(f, k, arm, &change);
    float *v = s->next.velocity[k->particle];
    const vec3 moves = vec3_add(vec3_of(gained->of), vec3_cross(vec3_of(gained->of + 3), arm));
    const double toward =
        k->wall + vec3_dot(moves, k->normal) - vec3_dot((vec3){v[0], v[1], v[2]}, k->normal);
    if (!(toward > 0))
        return;
    const double impulse = toward / (1 / f->m->mass + give), step = impulse / f->m->mass;
    v[0] += (float)(step * k->normal.x);
    v[1] += (float)(step * k->normal.y);
    v[2] += (float)(step * k->normal.z);
    for (int d = 0; d < 6; d++)
        gained->of[d] -= impulse * change.of[d];
}

void sph_floating_knock(sph_state *s)
{
    sph_floating *f = s->floating;
    memset(f->gained, 0, sizeof *f->gained * (size_t)f->fleet.count);
    for (int part = 0; part < SPH_PARTS; part++)
        for (int64_t i = 0; i < f->knocks[part].count; i++)
            knock_one(f, s, &f->knocks[part].of[i]);
    for (int b = 0; b < f->fleet.count; b++)
        for (int a = 0; a < 3; a++) {
            f->fleet.next[b].now.velocity[a] += f->gained[b].of[a];
            f->fleet.next[b].now.spin[a] += f->gained[b].of[3 + a];
            f->next[b].mean[a] += f->gained[b].of[a];
        }
}
