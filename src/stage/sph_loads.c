#include "stage/sph_loads.h"

#include "base/vec.h"

void stage_sph_loads_clear(const sph_model *m, sph_state *s)
{
    for (int b = 0; b < m->body_count; b++)
        for (int a = 0; a < 3; a++)
            s->loads[b].force[a] = s->loads[b].torque[a] = 0;
}

static vec3 loads_gradient(const pair_record *record)
{
    half_eight halves = {(*record)[0], (*record)[1], (*record)[2]};
    wide g = wide_of_half(halves);
    return (vec3){g[0], g[1], g[2]};
}

void stage_sph_loads_push(sph_state *s, int32_t wall, vec3 force)
{
    fr_obstacle_load *load = &s->loads[s->walls.body[wall]];
    vec3 arm = vec3_sub((vec3){s->walls.x[wall], s->walls.y[wall], s->walls.z[wall]}, vec3_of(load->position));
    vec3 torque = vec3_cross(arm, force);
    const double f[3] = {force.x, force.y, force.z}, t[3] = {torque.x, torque.y, torque.z};
    for (int a = 0; a < 3; a++) {
        load->force[a] += f[a];
        load->torque[a] += t[a];
    }
}

/* The shift of particle n by the wall particle b is −Q g; its mass times that, over the step squared, is the force on the fluid. */
void stage_sph_loads_add(const sph_model *m, sph_state *s, double dt)
{
    const pairs *p = &s->wall_pairs;
    double unit = m->mass * m->spacing / (dt * dt);
    for (int64_t n = 0; n < s->fluid.count && s->walls.count; n++) {
        if (s->unknown[n] == 0)
            continue;
        for (int64_t k = p->begin[n]; k < p->begin[n] + p->number[n]; k++)
            stage_sph_loads_push(s, p->other[k], vec3_scale(loads_gradient(&p->record[k]), unit * s->unknown[n]));
    }
}
