/* Sources and sinks of liquid, laid on the grid once. */
#include <stdio.h>

#include "base/memory.h"
#include "liquid/liquid.h"
#include "mac/solids/cover.h"

enum { REACH = 2 }; /* cells around the shape: enough to place the surface between cells */

/* Counts the cells nearer than `reach`, and lists them when there is a list. */
static int64_t port_list(const field *distance, float reach, const liquid_port *port)
{
    int64_t count = 0;
    for (int k = 0; k < distance->size[2]; k++)
        for (int j = 0; j < distance->size[1]; j++)
            for (int i = 0; i < distance->size[0]; i++) {
                float here = field_row(distance, j, k)[i];
                if (here >= reach)
                    continue;
                if (port->at) {
                    port->at[count] = (int32_t)field_offset(distance, i, j, k);
                    port->distance[count] = here;
                }
                count++;
            }
    return count;
}

static fr_result port_fill(liquid_run *run, shape *s, const char *key, liquid_port *port)
{
    const domain *d = liquid_domain(run);
    field *distance = &run->liquid.middle, *work = &run->liquid.next;
    float reach = (float)(REACH * domain_min_h(d));
    FR_TRY(cover_check_inside(s, d, key));
    FR_TRY(liquid_shape_distance(s, d, distance, work));
    int64_t count = port_list(distance, reach, port);
    if (port_list(distance, 0, port) == 0)
        return fr_fail_key(key, "%s is smaller than a cell and covers none; make it larger or the cells smaller", key);
    port->at = MEMORY_NEW(int32_t, count);
    port->distance = MEMORY_NEW(float, count);
    if (!port->at || !port->distance)
        return FR_ERROR_MEMORY;
    port->count = port_list(distance, reach, port);
    return FR_OK;
}

static fr_result port_create(liquid_run *run, const fr_placed_shape *placed, const char *key, liquid_port *port)
{
    shape *s;
    FR_TRY(shape_create(placed, run->flow.model->domain.dims, key, &s));
    fr_result result = port_fill(run, s, key, port);
    shape_destroy(s);
    return result;
}

fr_result liquid_ports_create(liquid_run *run)
{
    const fr_scene_def *def = run->flow.base.def;
    char key[64];
    run->sources = MEMORY_NEW(liquid_port, def->source_count + 1);
    run->sinks = MEMORY_NEW(liquid_port, def->sink_count + 1);
    if (!run->sources || !run->sinks)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->source_count; i++) {
        run->sources[i] = (liquid_port){
            .from = def->sources[i].from, .to = def->sources[i].to, .velocity = &def->sources[i].velocity};
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        if (def->sources[i].sets_velocity)
            FR_TRY(port_create(run, &def->sources[i].shape, key, &run->sources[i]));
    }
    for (int i = 0; i < def->sink_count; i++) {
        run->sinks[i] = (liquid_port){.from = def->sinks[i].from, .to = def->sinks[i].to};
        snprintf(key, sizeof key, "sinks[%d]", i + 1);
        FR_TRY(port_create(run, &def->sinks[i].shape, key, &run->sinks[i]));
    }
    return FR_OK;
}

static void ports_free(liquid_port *ports, int count)
{
    for (int i = 0; i < count && ports; i++) {
        memory_free(ports[i].at);
        memory_free(ports[i].distance);
    }
    memory_free(ports);
}

void liquid_ports_destroy(liquid_run *run)
{
    ports_free(run->sources, run->model.source_count);
    ports_free(run->sinks, run->model.sink_count);
}
