#include "method/bodies.h"

#include <string.h>

#include "base/memory.h"

fr_result bodies_create(const fr_obstacle_def *def, int count, bodies *out)
{
    *out = (bodies){.count = count, .def = def, .of = MEMORY_NEW(body, count)};
    if (!out->of)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        FR_TRY(motion_over(&def[i], 0, 0, &out->of[i].motion));
        out->of[i].moves = motion_moves(&def[i]);
        out->of[i].present = true;
        out->of[i].temperature = def[i].temperature;
    }
    return FR_OK;
}

void bodies_destroy(bodies *b)
{
    memory_free(b->of);
    *b = (bodies){0};
}

void bodies_release(bodies *b, int index, bool pushed)
{
    b->of[index].moves = b->of[index].free = true;
    b->of[index].rigid = pushed;
}

fr_result bodies_move(bodies *b, double from, double to)
{
    for (int i = 0; i < b->count; i++)
        if (b->of[i].moves && !b->of[i].free)
            FR_TRY(motion_over(&b->def[i], from, to, &b->of[i].motion));
    return FR_OK;
}

void bodies_lay(bodies *b, int index, const fleet *f, int rigid)
{
    const rigid_state *laid = &f->of[rigid].laid;
    body *to = &b->of[index];
    const pose where = rigid_pose(f->world, rigid, laid);
    const vec3 spin = vec3_of(laid->spin), arm = vec3_sub(vec3_of(where.at), vec3_of(laid->position));
    to->motion = (motion){.begin = to->motion.pose,
                          .pose = where,
                          .velocity = vec3_add(vec3_of(laid->velocity), vec3_cross(spin, arm)),
                          .spin = spin};
    memcpy(to->centre, laid->position, sizeof to->centre);
    to->filled = rigid_body_mass(f->world, rigid)->volume;
    to->present = laid->present > 0;
    to->temperature = f->of[rigid].temperature;
}

fr_result bodies_obstacle_motion(void *obstacles, int obstacle, double from, double to, rigid_motion *out)
{
    motion moved;
    FR_TRY(motion_over((const fr_obstacle_def *)obstacles + obstacle, from, to, &moved));
    *out = (rigid_motion){.pose = moved.pose, .velocity = moved.velocity, .spin = moved.spin};
    return FR_OK;
}
