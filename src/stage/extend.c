#include "stage/extend.h"

/* Deep inside, where no link leads, stands `deep`. */
static float extend_mean(const field *f, const solids_link *link, float deep)
{
    const float *at = f->data + link->at;
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++) {
        float low = (link->from >> (2 * a)) & 1u ? at[-f->stride[a]] : 0;
        float high = (link->from >> (2 * a + 1)) & 1u ? at[f->stride[a]] : 0;
        sum += low + high;
        count += (int)((link->from >> (2 * a)) & 1u) + (int)((link->from >> (2 * a + 1)) & 1u);
    }
    return count ? sum / (float)count : deep;
}

void stage_extend_velocity(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims && s->solids.any; a++) {
        const solids_links *faces = &s->solids.faces[a];
        for (int64_t l = 0; l < faces->count; l++) {
            const solids_link *link = &faces->links[l];
            bool sticks = m->def->obstacles[link->obstacle].no_slip;
            velocity[a].data[link->at] = sticks ? 0 : extend_mean(&velocity[a], link, 0);
        }
    }
}

void stage_extend_slivers(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims && s->solids.any; a++) {
        const solids_links *slivers = &s->solids.slivers[a];
        for (int64_t l = 0; l < slivers->count; l++) {
            const solids_link *link = &slivers->links[l];
            bool sticks = m->def->obstacles[link->obstacle].no_slip;
            if (sticks && m->viscous)
                continue;      /* stage_stick holds those that the distance says are inside; the others keep their momentum */
            velocity[a].data[link->at] = sticks ? 0 : extend_mean(&velocity[a], link, 0);
        }
    }
}

void stage_extend_scalar(const model *m, const state *s, int index, field *scalar)
{
    const solids_links *cells = &state_solids(s, m->scalars[index].grid)->cells;
    for (int64_t l = 0; l < cells->count; l++) {
        const solids_link *link = &cells->links[l];
        const fr_obstacle_def *obstacle = &m->def->obstacles[link->obstacle];
        bool held = index == MODEL_TEMPERATURE && obstacle->has_temperature;
        scalar->data[link->at] = held ? (float)obstacle->temperature : extend_mean(scalar, link, (float)m->scalars[index].clean);
    }
}

void stage_extend_pressure(const state *s, field *pressure)
{
    for (int64_t l = 0; s->solids.any && l < s->solids.cells.count; l++) {
        const solids_link *link = &s->solids.cells.links[l];
        pressure->data[link->at] = extend_mean(pressure, link, 0);
    }
}
