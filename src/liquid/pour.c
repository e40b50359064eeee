/* Liquid that comes in and leaves inside the domain, in the middle of the step: φ changes at once, and with it the
   volume that the liquid should have. */
#include <math.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "liquid/liquid.h"
#include "mac/stage/walls.h"
#include "method/evaluate.h"
#include "method/times.h"

static liquid_due pour_due(const liquid_step *step)
{
    const progress *now = &step->flow.s->now;
    return (liquid_due){now->time, now->end};
}

static bool port_is_open(const liquid_port *port, const progress *now)
{
    return port->count > 0 && times_overlap(port->from, port->to, now->time, now->end) > 0;
}

static bool ports_open(const liquid_port *ports, int count, const progress *now)
{
    for (int i = 0; i < count; i++)
        if (port_is_open(&ports[i], now))
            return true;
    return false;
}

static bool sides_pour(const model *m)
{
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (m->walls[side].kind == FR_WALL_INFLOW)
            return true;
    return false;
}

bool liquid_pours(const liquid_step *step)
{
    return ports_open(step->run->sources, step->run->model.source_count, &step->flow.s->now) ||
           liquid_fills_due(step->run, pour_due(step)) || sides_pour(step->flow.m);
}

void liquid_copy_at_ports(const liquid_step *step, const field *from, field *to)
{
    const liquid_port *ports = step->run->sources;
    for (int i = 0; i < step->run->model.source_count; i++)
        for (int64_t c = 0; c < ports[i].count && port_is_open(&ports[i], &step->flow.s->now); c++)
            to->data[ports[i].at[c]] = from->data[ports[i].at[c]];
    liquid_copy_at_sides(step->run, from, to);
}

/* The distance to the open ports, `far` away from them. */
static void ports_distance(const liquid_port *ports, int count, const progress *now, float far, field *distance)
{
    field_fill(distance, far);
    for (int i = 0; i < count; i++)
        for (int64_t c = 0; c < ports[i].count && port_is_open(&ports[i], now); c++) {
            float *at = distance->data + ports[i].at[c];
            *at = fminf(*at, ports[i].distance[c]);
        }
}

typedef struct pour_job {
    field *to;
    const field *from;
    float sign;
} pour_job;

static void pour_join_rows(void *context, int begin, int end)
{
    const pour_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *restrict from = field_row(job->from, j, k);
        float *restrict to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = job->sign * fminf(job->sign * to[i], from[i]);
    }
}

/* Joins two regions. */
static void pour_add(field *to, const field *from)
{
    field_for_rows(to, pour_join_rows, &(pour_job){to, from, 1});
}

/* Takes one out of the other: −min(−to, from) = max(to, −from). */
static void pour_cut(field *to, const field *from)
{
    field_for_rows(to, pour_join_rows, &(pour_job){to, from, -1});
}

/* The share of a cell that a region covers. */
static double pour_share(float distance, double h)
{
    return fmin(fmax(0.5 - distance / h, 0), 1);
}

/* What sources give, m³/s or m³: their velocity where it comes into the shape out of the air. */
typedef struct pour_given {
    double most;  /* if there is air everywhere behind the shape */
    double least; /* where there is for two cells */
} pour_given;

/* Adds what a source gives a second. `in` is the distance to all sources. */
static fr_result pour_rate(const liquid_step *step, int index, const field *in, pour_given *rate)
{
    const domain *d = liquid_domain(step->run);
    const liquid_port *port = &step->run->sources[index];
    const field *phi = &step->run->liquid.middle;
    double h = domain_min_h(d);
    for (int64_t c = 0; c < port->count; c++) {
        double position[3], v[3];
        model_position(d, in, port->at[c], position);
        FR_TRY(evaluate_vector(port->velocity, position, step->flow.s->now.time, v));
        for (int a = 0; a < d->dims; a++) {
            ptrdiff_t at = port->at[c], upstream = v[a] > 0 ? -in->stride[a] : in->stride[a];
            double share = pour_share(in->data[at], h) - pour_share(in->data[at + upstream], h);
            double entering = fmax(share, 0) * fabs(v[a]) * domain_cell_volume(d) / d->h[a];
            rate->most += entering;
            rate->least += phi->data[at + 2 * upstream] > 0 ? entering : 0;
        }
    }
    return FR_OK;
}

/* What the sources give that were open in the last step already, m³; *opens: one was not. */
static fr_result pour_sources(const liquid_step *step, const field *in, pour_given *given, bool *opens)
{
    const progress *now = &step->flow.s->now;
    double seconds = 0.5 * (now->end - now->before);
    pour_given rate = {0};
    for (int i = 0; i < step->run->model.source_count; i++) {
        const liquid_port *port = &step->run->sources[i];
        if (!port_is_open(port, now))
            continue;
        *opens = *opens || times_overlap(port->from, port->to, now->before, now->time) <= 0;
        FR_TRY(pour_rate(step, i, in, &rate));
    }
    *given = (pour_given){rate.most * seconds, rate.least * seconds};
    return FR_OK;
}

typedef struct pour_volume_job {
    const liquid_run *run;
    const field *region, *phi;
    float reach; /* m */
    double *partial;
} pour_volume_job;

static void pour_volume_rows(void *context, int begin, int end)
{
    const pour_volume_job *job = context;
    const solids *solids = liquid_solids(job->run);
    for (int r = begin; r < end; r++) {
        int j = r % job->phi->size[1], k = r / job->phi->size[1];
        const float *phi = field_row(job->phi, j, k), *region = field_row(job->region, j, k);
        double sum = 0;
        for (int i = 0; i < job->phi->size[0]; i++)
            if (region[i] < job->reach)
                sum += levelset_share(job->phi, phi + i, 0) * (solids->any ? field_row(&solids->volume, j, k)[i] : 1);
        job->partial[r] = sum;
    }
}

/* m³ of liquid in a region and beside it: what happens elsewhere is not of its making. */
static double pour_volume(const liquid_step *step, const field *region)
{
    const domain *d = liquid_domain(step->run);
    double *partial = step->flow.s->partial;
    pour_volume_job job = {.run = step->run,
                           .region = region,
                           .phi = &step->run->liquid.middle,
                           .reach = 2 * (float)domain_min_h(d),
                           .partial = partial};
    field_for_rows(region, pour_volume_rows, &job);
    return domain_cell_volume(d) * threads_sum(partial, field_rows(region));
}

/* Liquid is poured into a region, or taken out of it, in the middle of the step. The volume that is to be kept changes
   by what that makes of φ there. */
static fr_result pour_change(const liquid_step *step, const field *region, void (*change)(field *, const field *))
{
    liquid_state *l = &step->run->liquid;
    double before = pour_volume(step, region);
    change(&l->middle, region);
    FR_TRY(levelset_renew(l->levelset, &l->middle));
    l->next_volume += pour_volume(step, region) - before;
    return FR_OK;
}

/* Blobs whose time has come, and their velocity. */
static fr_result pour_fills(const liquid_step *step, field *region)
{
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_due due = pour_due(step);
    if (!liquid_fills_due(step->run, due))
        return FR_OK;
    field blob = liquid_scratch(step->run, 0), work = liquid_scratch(step->run, 1);
    FR_TRY(liquid_fill_distance(step->run, due, &blob, &work));
    pour_add(region, &blob);
    FR_TRY(liquid_fill_velocity(step->run, due, s->next_velocity));
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}

/* Particles are carried in from the sides, too, where there was liquid already. */
static fr_result pour_particles(const liquid_step *step, field *region, const field *before, double volume)
{
    const domain *d = liquid_domain(step->run);
    const progress *now = &step->flow.s->now;
    field entered = liquid_scratch(step->run, 0);
    liquid_poured in = {region, before, &entered, volume};
    field_fill(&entered, levelset_width(step->run->liquid.levelset));
    liquid_enter_sides(step->run, 0.5 * (now->end - now->before), &entered);
    halo_fill_linear(&entered, d);
    halo_fill_linear(region, d);
    return step->run->tracker->pour(step, &in);
}

/* What would drain at once does not pour: sinks would take whole cells of it, where a source gives its rate. */
static void pour_spare_sinks(const liquid_step *step, field *region)
{
    const liquid_run *run = step->run;
    field sinks = liquid_scratch(run, 0);
    if (!ports_open(run->sinks, run->model.sink_count, &step->flow.s->now))
        return;
    ports_distance(run->sinks, run->model.sink_count, &step->flow.s->now, levelset_width(run->liquid.levelset), &sinks);
    pour_cut(region, &sinks);
}

fr_result liquid_pour(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const progress *now = &step->flow.s->now;
    field *region = &l->next; /* free until the surface is carried to the end */
    if (!liquid_pours(step))
        return FR_OK;
    ports_distance(step->run->sources, step->run->model.source_count, now, levelset_width(l->levelset), region);
    pour_spare_sinks(step, region);
    bool opens = liquid_fills_due(step->run, pour_due(step));
    double volume = l->next_volume;
    pour_given given;
    FR_TRY(pour_sources(step, region, &given, &opens));
    liquid_pour_sides(step->run, region);
    FR_TRY(pour_fills(step, region));
    field before = liquid_scratch(step->run, 1);
    field_copy(&before, &l->middle);
    FR_TRY(pour_change(step, region, pour_add));
    /* the change of φ tells how much of a drowned source pours; elsewhere it is also what numerics take off a source,
       or leave beside it */
    if (!opens)
        l->next_volume = volume + fmin(fmax(l->next_volume - volume, given.least), given.most);
    l->poured_volume = l->next_volume - volume;
    liquid_heat_note(step->run, &before, &l->poured);
    liquid_heat_changed(step->run, region, 1, &l->poured);
    const bool all = opens || sides_pour(step->flow.m);
    return step->run->tracker->pour ? pour_particles(step, region, &before, all ? -1 : l->poured_volume) : FR_OK;
}

fr_result liquid_drain(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const progress *now = &step->flow.s->now;
    field *region = &l->next;
    if (!ports_open(step->run->sinks, step->run->model.sink_count, now))
        return FR_OK;
    ports_distance(step->run->sinks, step->run->model.sink_count, now, levelset_width(l->levelset), region);
    double volume = l->next_volume;
    liquid_heat_note(step->run, &l->middle, &l->drained);
    FR_TRY(pour_change(step, region, pour_cut));
    liquid_heat_changed(step->run, region, -1, &l->drained);
    halo_fill_linear(region, liquid_domain(step->run));
    double taken = fmax(volume - l->next_volume, 0);
    if (step->run->tracker->drain)
        taken = step->run->tracker->drain(step, region, taken);
    l->next_volume = volume - taken;
    l->drained_volume = taken;
    return FR_OK;
}
