/* Storage of boundary particles and their volumes,

       V_b = γ_b / Σ_k W(x_b − x_k)        (equation (4) of Akinci et al. 2012, with γ = 1 there)

   over the points k of all bodies. With γ = 1 a point of a thin layer would have a volume far above d^dims, because
   the sum lacks the deeper points and those outside. γ_b corrects that: it is d^dims times the sum that the point
   would have in an infinite flat wall with as many layers. Where the points form a lattice, γ_b is the cell's volume
   times the sum over the point's own body instead, which is also exact at the edges and corners of boxes. */
#include "particles/shell.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "particles/point_hash.h"
#include "particles/shell_parts.h"

void shell_destroy(shell *s)
{
    memory_free(s->position);
    memory_free(s->normal);
    memory_free(s->volume);
    memory_free(s->layer);
    memory_free(s->cell);
    *s = (shell){0};
}

shell shell_empty(const shell_plan *plan)
{
    assert(plan->layers >= 1 && plan->layers <= SHELL_MAX_LAYERS && plan->spacing > 0);
    return (shell){.dims = plan->dims, .layers = plan->layers, .spacing = plan->spacing};
}

fr_result shell_reserve(shell *s, int64_t room)
{
    if (room <= s->room)
        return FR_OK;
    shell larger = *s;
    larger.room = room > 2 * s->room ? room : 2 * s->room;
    larger.position = MEMORY_NEW(particle_vector, larger.room);
    larger.normal = MEMORY_NEW(particle_vector, larger.room);
    larger.volume = MEMORY_NEW(float, larger.room);
    larger.layer = MEMORY_NEW(uint8_t, larger.room);
    larger.cell = MEMORY_NEW(float, larger.room);
    if (!larger.position || !larger.normal || !larger.volume || !larger.layer || !larger.cell) {
        shell_destroy(&larger);
        return FR_ERROR_MEMORY;
    }
    if (s->count) {
        memcpy(larger.position, s->position, sizeof *s->position * (size_t)s->count);
        memcpy(larger.normal, s->normal, sizeof *s->normal * (size_t)s->count);
        memcpy(larger.volume, s->volume, sizeof *s->volume * (size_t)s->count);
        memcpy(larger.layer, s->layer, sizeof *s->layer * (size_t)s->count);
        memcpy(larger.cell, s->cell, sizeof *s->cell * (size_t)s->count);
    }
    shell_destroy(s);
    *s = larger;
    return FR_OK;
}

void shell_add(shell *s, const double position[3], vec3 normal, int layer)
{
    assert(s->count < s->room);
    int64_t n = s->count++;
    const double unit[3] = {normal.x, normal.y, normal.z};
    for (int a = 0; a < 3; a++) {
        s->position[n][a] = a < s->dims ? (float)position[a] : 0;
        s->normal[n][a] = a < s->dims ? (float)unit[a] : 0;
    }
    s->layer[n] = (uint8_t)layer;
}

/* Σ W at a point of layer `layer` in an infinite flat wall on a lattice. */
static double shell_flat_sum(const shell *s, int layer, const shell_kernel *kernel)
{
    double d = s->spacing, sum = 0;
    int reach = (int)ceil(kernel->support / d), across = s->dims == 3 ? reach : 0;
    for (int depth = -layer; depth < s->layers - layer; depth++)
        for (int k = -across; k <= across; k++)
            for (int i = -reach; i <= reach; i++)
                sum += kernel->value(kernel->context, d * sqrt((double)(depth * depth + k * k + i * i)));
    return sum;
}

/* All points of all bodies at their current positions. */
typedef struct crowd {
    const shell_body *bodies;
    const shell_kernel *kernel;
    point_hash points;
    int64_t first, last;         /* of the current body */
    shell *body;
    double flat[SHELL_MAX_LAYERS];
} crowd;

typedef struct crowd_sum {
    const crowd *crowd;
    double own, all;             /* Σ W over the point's own body, and over all bodies */
} crowd_sum;

static bool crowd_count_point(void *context, int64_t index, double distance2)
{
    crowd_sum *sum = context;
    const crowd *c = sum->crowd;
    double w = c->kernel->value(c->kernel->context, sqrt(distance2));
    sum->all += w;
    if (index >= c->first && index < c->last)
        sum->own += w;
    return true;
}

static void crowd_weigh_points(void *context, int begin, int end)
{
    const crowd *c = context;
    shell *s = c->body;
    double cube = pow(s->spacing, s->dims);
    for (int n = begin; n < end; n++) {
        crowd_sum sum = {.crowd = c};
        point_hash_visit(&c->points, c->points.position[c->first + n], c->kernel->support, crowd_count_point, &sum);
        double gamma = s->cell[n] > 0 ? (double)s->cell[n] * sum.own : cube * c->flat[s->layer[n]];
        s->volume[n] = (float)(gamma / sum.all);
    }
}

static void crowd_place(const pose *where, const particle_vector position, double at[3])
{
    for (int a = 0; a < 3; a++) {
        at[a] = where ? where->at[a] : (double)position[a];
        for (int b = 0; where && b < 3; b++)
            at[a] += where->turn[a][b] * (double)position[b];
    }
}

static fr_result crowd_gather(crowd *c, int count)
{
    for (int b = 0; b < count; b++) {
        const shell *s = c->bodies[b].shell;
        for (int64_t n = 0; n < s->count; n++) {
            double at[3];
            crowd_place(c->bodies[b].where, s->position[n], at);
            FR_TRY(point_hash_add(&c->points, at));
        }
    }
    return FR_OK;
}

static void crowd_weigh(crowd *c, int count)
{
    for (int b = 0; b < count; b++) {
        shell *s = c->body = c->bodies[b].shell;
        c->last = c->first + s->count;
        for (int layer = 0; layer < s->layers; layer++)
            c->flat[layer] = shell_flat_sum(s, layer, c->kernel);
        threads_for((int)s->count, crowd_weigh_points, c);
        c->first = c->last;
    }
}

fr_result shell_weigh(const shell_body *bodies, int count, const shell_kernel *kernel)
{
    crowd c = {.bodies = bodies, .kernel = kernel};
    int64_t points = 0;
    for (int b = 0; b < count; b++)
        points += bodies[b].shell->count;
    if (points == 0)
        return FR_OK;
    fr_result result = point_hash_create(bodies[0].shell->dims, kernel->support, points, &c.points);
    if (result == FR_OK)
        result = crowd_gather(&c, count);
    if (result == FR_OK)
        crowd_weigh(&c, count);
    point_hash_destroy(&c.points);
    return result;
}
