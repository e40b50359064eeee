#include "sph/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "method/motion.h"

/* 1/Σ W over the lattice of the given spacing. */
static double model_weight(const kernel *k, double spacing)
{
    int reach = (int)ceil(k->support / spacing), depth = k->dims == 3 ? reach : 0;
    double sum = 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
                sum += kernel_value(k, spacing * sqrt(x * x + y * y + z * z));
    return 1 / sum;
}

/* −Σ V x·∇W/dims over the lattice: 1 if the sums were integrals. */
static double model_slope(const kernel *k, double spacing, double weight)
{
    int reach = (int)ceil(k->support / spacing), depth = k->dims == 3 ? reach : 0;
    double sum = 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double r2 = spacing * spacing * (x * x + y * y + z * z);
                sum -= weight * r2 * kernel_slope(k, sqrt(r2)) / k->dims;
            }
    return sum;
}

/* Sums of a particle in the topmost layer of a filled half space: its density and Σ g. */
static void model_surface(sph_model *m)
{
    const kernel *k = &m->kernel;
    double d = m->spacing, gradient = 0, density = 0;
    int reach = (int)ceil(k->support / d), depth = m->dims == 3 ? reach : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= 0; y++)
            for (int x = -reach; x <= reach; x++) {
                double r = d * sqrt(x * x + y * y + z * z);
                density += m->weight * kernel_value(k, r);
                gradient += m->weight * kernel_slope(k, r) * y * d * d;
            }
    m->spray = density;
    m->surface = pow(0.5 * gradient, 2);
}

void sph_model_outline(const fr_scene_def *def, sph_model *m)
{
    *m = (sph_model){.dims = def->domain.dims,
                     .fluid = def->fluid,
                     .sph = def->sph,
                     .heat = def->heat,
                     .melt = melt_of(&def->heat),
                     .flow = rheology_of(&def->fluid),
                     .still = RHEOLOGY_STILL * def->time.fps,
                     .spacing = def->sph.spacing,
                     .cfl = def->time.cfl > 0 ? def->time.cfl : 0.4,
                     .obstacles = def->obstacles,
                     .obstacle_count = def->obstacle_count,
                     .given_count = def->obstacle_count,
                     .rigid = def->bodies,
                     .rigid_count = def->body_count,
                     .joints = def->joints,
                     .joint_count = def->joint_count,
                     .coupling = def->coupling,
                     .sources = def->sources,
                     .source_count = def->source_count,
                     .sinks = def->sinks,
                     .sink_count = def->sink_count,
                     .forces = def->forces,
                     .force_count = def->force_count};
    m->viscous = def->fluid.viscosity > 0 || def->fluid.yield > 0 || def->heat.melt.set;
    m->pasty = m->viscous && rheology_matters(&m->flow);
    memcpy(m->walls, def->walls, sizeof m->walls);
    memcpy(m->gravity, def->gravity, sizeof m->gravity);
    for (int a = 0; a < m->dims; a++) {
        m->low[a] = def->domain.origin[a];
        m->high[a] = m->low[a] + def->domain.size[a];
        m->periodic[a] = def->walls[2 * a].kind == FR_WALL_PERIODIC;
        for (int side = 2 * a; side < 2 * a + 2; side++)
            m->closed[side] = !m->periodic[a] && def->walls[side].kind != FR_WALL_OPEN;
    }
    m->volume = pow(m->spacing, m->dims);
    m->mass = def->fluid.density * m->volume;
    double support =
        def->sph.support > 0 ? def->sph.support : fmax(def->domain.dims == 3 ? 2 : 2.5, kernel_reach(def->sph.kernel));
    m->kernel = kernel_of(def->sph.kernel, m->dims, support * m->spacing);
    m->weight = model_weight(&m->kernel, m->spacing);
    m->neighbour = pow(m->weight * kernel_slope(&m->kernel, m->spacing) * m->spacing * m->spacing, 2);
    m->slope = model_slope(&m->kernel, m->spacing, m->weight);
    model_surface(m);
    m->layout = cells_layout_of(m->dims, m->low, m->high, m->periodic, m->kernel.support);
    m->tuning = sph_model_tune(m);
    m->layers = (int)fmin(fmax(1, ceil(support - 1e-6) - 1), SHELL_MAX_LAYERS);
}

/* Still bodies are sampled only where the fluid can be: in the domain and as far around it as the kernel reaches.
   Moving bodies are sampled whole, about their own origin. */
static shell_plan model_shell_plan(const sph_model *m, bool whole)
{
    shell_plan plan = {.dims = m->dims, .layers = m->layers, .spacing = m->spacing};
    for (int a = 0; a < 3; a++) {
        plan.low[a] = whole ? -INFINITY : m->low[a] - m->kernel.support;
        plan.high[a] = whole ? INFINITY : m->high[a] + m->kernel.support;
    }
    return plan;
}

static fr_result model_create_obstacle(const sph_model *m, int index, const fr_obstacle_def *given, sph_body *body)
{
    const bool rigid = index >= m->given_count;
    char key[64];
    snprintf(key, sizeof key, "%s[%d].shape", rigid ? "bodies" : "obstacles",
             rigid ? index - m->given_count + 1 : index + 1);
    body->obstacle = given;
    body->moves = rigid || motion_moves(given);
    FR_TRY(shape_create(&given->shape, m->dims, key, &body->shape));
    if (body->moves) {
        pose origin = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        shape_place(body->shape, &origin);
    }
    if (m->sph.boundary == FR_SPH_COLLIDE)
        return FR_OK;
    shell_plan plan = model_shell_plan(m, body->moves);
    return shell_sample(body->shape, &plan, &body->shell);
}

static double model_kernel(const void *context, double r) { return kernel_value(context, r); }

/* Volumes of boundary particles: of all still bodies together, of each moving body by itself. */
static fr_result model_weigh(sph_model *m, shell_body *still)
{
    shell_kernel k = {model_kernel, &m->kernel, m->kernel.support};
    int count = 0;
    for (int b = 0; b < m->body_count; b++) {
        sph_body *body = &m->bodies[b];
        if (body->moves)
            FR_TRY(shell_weigh(&(shell_body){&body->shell, NULL}, 1, &k));
        else
            still[count++] = (shell_body){&body->shell, NULL};
        m->wall_count += body->shell.count;
        m->moves = m->moves || body->moves;
    }
    return shell_weigh(still, count, &k);
}

/* To the liquid a rigid body is an obstacle. */
static fr_result model_add_rigid(sph_model *m)
{
    if (m->rigid_count == 0)
        return FR_OK;
    m->own_obstacles = MEMORY_NEW(fr_obstacle_def, m->given_count + m->rigid_count);
    if (!m->own_obstacles)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->given_count; i++)
        m->own_obstacles[i] = m->obstacles[i];
    for (int b = 0; b < m->rigid_count; b++)
        m->own_obstacles[m->given_count + b] =
            (fr_obstacle_def){.shape = m->rigid[b].shape, .no_slip = !m->rigid[b].free_slip};
    m->obstacles = m->own_obstacles;
    m->obstacle_count = m->given_count + m->rigid_count;
    return FR_OK;
}

static fr_result model_create_bodies(sph_model *m)
{
    m->body_count = m->obstacle_count + 1;
    m->bodies = MEMORY_NEW(sph_body, m->body_count);
    shell_body *still = MEMORY_NEW(shell_body, m->body_count);
    fr_result result = m->bodies && still ? FR_OK : FR_ERROR_MEMORY;
    for (int i = 0; i < m->obstacle_count && result == FR_OK; i++)
        result = model_create_obstacle(m, i, &m->obstacles[i], &m->bodies[i]);
    if (result == FR_OK && m->sph.boundary != FR_SPH_COLLIDE) {
        shell_plan plan = {.dims = m->dims, .layers = m->layers, .spacing = m->spacing};
        for (int a = 0; a < 3; a++) {
            plan.low[a] = m->low[a];
            plan.high[a] = m->high[a];
        }
        result = shell_walls(&plan, m->closed, &m->bodies[m->body_count - 1].shell);
    }
    if (result == FR_OK)
        result = model_weigh(m, still);
    if (result == FR_OK)
        result = sph_model_room(m);
    memory_free(still);
    return result;
}

static fr_result model_create_sinks(sph_model *m)
{
    char key[64];
    m->sink_shapes = MEMORY_NEW(shape *, m->sink_count + 1);
    for (int i = 0; i < m->sink_count && m->sink_shapes; i++) {
        snprintf(key, sizeof key, "sinks[%d].shape", i + 1);
        FR_TRY(shape_create(&m->sinks[i].shape, m->dims, key, &m->sink_shapes[i]));
    }
    return m->sink_shapes ? FR_OK : FR_ERROR_MEMORY;
}

static fr_result model_create_forces(sph_model *m)
{
    m->force_shapes = MEMORY_NEW(shape *, m->force_count + 1);
    if (!m->force_shapes)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->force_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "forces[%d].shape", i + 1);
        if (m->forces[i].shape.shape)
            FR_TRY(shape_create(&m->forces[i].shape, m->dims, key, &m->force_shapes[i]));
    }
    return FR_OK;
}

fr_result sph_model_create(const fr_scene_def *def, const sph_filling *filling, sph_model **out)
{
    sph_model *m = *out = MEMORY_NEW(sph_model, 1);
    if (!m)
        return FR_ERROR_MEMORY;
    sph_model_outline(def, m);
    FR_TRY(sph_model_friction(m));
    if (def->heat.set)
        FR_TRY(sph_model_conduction(m));
    FR_TRY(sph_model_fall(def, filling, m));
    if (def->sph.solver == FR_SPH_WCSPH)
        FR_TRY(sph_model_sound(m));
    FR_TRY(model_create_sinks(m));
    FR_TRY(model_create_forces(m));
    FR_TRY(model_add_rigid(m));
    return model_create_bodies(m);
}

void sph_model_destroy(sph_model *m)
{
    if (!m)
        return;
    for (int b = 0; b < m->body_count && m->bodies; b++) {
        shape_destroy(m->bodies[b].shape);
        shell_destroy(&m->bodies[b].shell);
        memory_free(m->bodies[b].room);
    }
    for (int i = 0; i < m->sink_count && m->sink_shapes; i++)
        shape_destroy(m->sink_shapes[i]);
    memory_free(m->sink_shapes);
    for (int i = 0; i < m->force_count && m->force_shapes; i++)
        shape_destroy(m->force_shapes[i]);
    memory_free(m->force_shapes);
    memory_free(m->bodies);
    memory_free(m->own_obstacles);
    memory_free(m->friction);
    memory_free(m->conduction);
    memory_free(m);
}
