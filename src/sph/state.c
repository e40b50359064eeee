#include "sph/state.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/stage/shear.h"

/* Pairs of a particle within liquid at rest, their number made even. Particles at surfaces have fewer, which is room
   for some crowding; lists that are still too short grow. */
static int64_t state_pairs_each(const sph_model *m)
{
    double r = m->kernel.support / m->spacing;
    return (int64_t)ceil((m->dims == 3 ? 4.19 * r * r * r : 3.14 * r * r) - 0.5);
}

int sph_walls_side(const float normal[3])
{
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = fabsf(normal[a]) > fabsf(normal[axis]) ? a : axis;
    return 2 * axis + (normal[axis] < 0);
}

static float state_grip(const sph_model *m, const sph_body *body, int64_t point)
{
    return body->obstacle ? body->obstacle->no_slip
                          : m->walls[sph_walls_side(body->shell.normal[point])].kind == FR_WALL_NO_SLIP;
}

/* The numbers that each wall particle has. */
#define STATE_WALL_NUMBERS(w)                                                                                          \
    {                                                                                                                  \
        &(w)->room, &(w)->density, &(w)->impulse, &(w)->left, &(w)->offer, &(w)->push, &(w)->give, &(w)->take,         \
            &(w)->weigh, &(w)->wet, &(w)->source, &(w)->unknown, &(w)->residual, &(w)->direction, &(w)->product,       \
            &(w)->correction, &(w)->diagonal, &(w)->unsorted.pressure, &(w)->unsorted.next_pressure,                   \
            &(w)->unsorted.age, &(w)->layer                                                                            \
    }

static fr_result state_create_walls(const sph_model *m, sph_walls *w)
{
    int64_t room = m->wall_count + WIDE;
    w->count = m->wall_count;
    w->x = MEMORY_NEW(float, room);
    w->y = MEMORY_NEW(float, room);
    w->z = MEMORY_NEW(float, room);
    w->volume = MEMORY_NEW(float, room);
    w->velocity = MEMORY_NEW(particle_vector, room);
    w->normal = MEMORY_NEW(particle_vector, room);
    w->body = MEMORY_NEW(int32_t, room);
    w->grip = MEMORY_NEW(float, room);
    w->unsorted.grip = MEMORY_NEW(float, room);
    w->unsorted.room = MEMORY_NEW(float, room);
    w->unsorted.position = MEMORY_NEW(particle_vector, room);
    w->unsorted.velocity = MEMORY_NEW(particle_vector, room);
    w->unsorted.normal = MEMORY_NEW(particle_vector, room);
    w->unsorted.volume = MEMORY_NEW(float, room);
    w->unsorted.body = MEMORY_NEW(int32_t, room);
    float **numbers[] = STATE_WALL_NUMBERS(w);
    bool enough = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        enough = (*numbers[i] = MEMORY_NEW(float, room)) && enough;
    w->gradient = MEMORY_NEW(particle_vector, room);
    w->link_begin = MEMORY_NEW(uint32_t, room);
    w->link_led = MEMORY_NEW(uint32_t, room);
    w->reached = MEMORY_NEW(int32_t, room);
    w->led = MEMORY_NEW(int32_t, room);
    w->leads = MEMORY_NEW(uint8_t, room);
    if (!enough || !w->gradient || !w->link_begin || !w->link_led || !w->reached || !w->led || !w->leads || !w->x ||
        !w->y || !w->z || !w->volume || !w->velocity || !w->normal || !w->body || !w->unsorted.position ||
        !w->unsorted.velocity || !w->unsorted.normal || !w->unsorted.volume || !w->unsorted.body || !w->grip ||
        !w->unsorted.grip || !w->unsorted.room)
        return FR_ERROR_MEMORY;
    if (m->rigid_count > 0 && !(w->answer = MEMORY_NEW(particle_vector, room)))
        return FR_ERROR_MEMORY;
    int64_t n = 0;
    w->press =
        m->wall_count > 0 && m->sph.boundary == FR_SPH_PARTICLES; /* walls that only repel add nothing to densities */
    for (int b = 0; b < m->body_count; b++) {
        const shell *points = &m->bodies[b].shell;
        w->moving = w->moving || (m->bodies[b].moves && points->count > 0);
        for (int64_t k = 0; k < points->count; k++, n++) {
            w->unsorted.volume[n] = w->press ? SPH_WALL_PART * (float)(points->volume[k] * m->weight / m->volume) : 0;
            w->unsorted.room[n] = m->bodies[b].room ? m->bodies[b].room[k] * (2 - SPH_WALL_PART) : 0;
            w->unsorted.body[n] = b;
            w->unsorted.grip[n] = state_grip(m, &m->bodies[b], k);
            w->sticks = w->sticks || w->unsorted.grip[n] > 0;
            w->holds = w->holds || (w->unsorted.grip[n] > 0 && (b < m->given_count || b >= m->obstacle_count ||
                                                                m->coupling != FR_COUPLING_MONOLITHIC));
        }
    }
    return cells_reserve(&w->cells, &m->layout, room);
}

static fr_result state_create_solid(const sph_model *m, int index, shape **solid)
{
    char key[64];
    snprintf(key, sizeof key, "obstacles[%d].shape", index + 1);
    return shape_create(&m->bodies[index].obstacle->shape, m->dims, key, solid);
}

fr_result sph_state_create(const sph_model *m, sph_state **out)
{
    sph_state *s = *out = MEMORY_NEW(sph_state, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    s->loads = MEMORY_NEW(fr_obstacle_load, m->body_count);
    s->part_loads = MEMORY_NEW(sph_part_load, SPH_PARTS * m->body_count);
    s->solids = MEMORY_NEW(shape *, m->obstacle_count + 1);
    s->nozzles = MEMORY_NEW(sph_nozzle, m->source_count + 1);
    s->layers = MEMORY_NEW(double, m->source_count + 1);
    s->next_layers = MEMORY_NEW(double, m->source_count + 1);
    if (!s->loads || !s->part_loads || !s->solids || !s->nozzles || !s->layers || !s->next_layers)
        return FR_ERROR_MEMORY;
    for (; s->source_count < m->source_count; s->source_count++)
        FR_TRY(sph_nozzle_create(m, s->source_count, &s->nozzles[s->source_count]));
    FR_TRY(bodies_create(m->obstacles, m->obstacle_count, &s->bodies));
    for (; s->solid_count < m->obstacle_count; s->solid_count++)
        FR_TRY(state_create_solid(m, s->solid_count, &s->solids[s->solid_count]));
    FR_TRY(sph_floating_create(m, &s->floating));
    for (int i = m->given_count; i < m->obstacle_count; i++)
        bodies_release(&s->bodies, i, true);
    if (m->sph.solver != FR_SPH_WCSPH)
        FR_TRY(sph_coarse_create(m, &s->coarse));
    if (m->viscous)
        FR_TRY(friction_space_create(m, &s->friction));
    s->fluid.warm = s->next.warm = m->heat.set;
    if (m->heat.set)
        FR_TRY(sph_heat_create(m, &s->heat));
    FR_TRY(sph_paste_create(m, &s->paste));
    return state_create_walls(m, &s->walls);
}

void sph_walls_forget(sph_walls *w)
{
    memory_free(w->unsorted.position);
    memory_free(w->unsorted.velocity);
    memory_free(w->unsorted.normal);
    memory_free(w->unsorted.volume);
    memory_free(w->unsorted.grip);
    memory_free(w->unsorted.room);
    memory_free(w->unsorted.body);
    pairs_destroy(&w->around);
    w->unsorted.position = w->unsorted.velocity = w->unsorted.normal = NULL;
    w->unsorted.volume = w->unsorted.grip = w->unsorted.room = NULL;
    w->unsorted.body = NULL;
}

static void state_destroy_walls(sph_walls *w)
{
    memory_free(w->x);
    memory_free(w->y);
    memory_free(w->z);
    memory_free(w->volume);
    memory_free(w->velocity);
    memory_free(w->answer);
    memory_free(w->normal);
    memory_free(w->body);
    memory_free(w->grip);
    sph_walls_forget(w);
    float **numbers[] = STATE_WALL_NUMBERS(w);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        memory_free(*numbers[i]);
    memory_free(w->gradient);
    memory_free(w->links);
    memory_free(w->link_begin);
    memory_free(w->link_led);
    memory_free(w->reached);
    memory_free(w->led);
    memory_free(w->leads);
    pairs_destroy(&w->pairs);
    cells_destroy(&w->cells);
}

/* Working memory that every step needs: numbers, and vectors, of which solvers, stress and confinement need a second
   one. */
enum { STEP_NUMBERS = 6 };
static int state_vectors(const sph_model *m)
{
    return m->sph.solver != FR_SPH_WCSPH || m->sph.mu > 0 || m->sph.lambda != 0 || m->sph.vorticity > 0 ? 2 : 1;
}

static void state_free_work(sph_state *s)
{
    memory_free(s->density);
    memory_free(s->gradient);
    memory_free(s->hemmed);
    memory_free(s->impulse);
    memory_free(s->smoothing);
    for (int i = 0; i < SPH_NUMBERS; i++) {
        memory_free(s->numbers[i]);
        s->numbers[i] = NULL;
    }
    for (int i = 0; i < SPH_VECTORS; i++) {
        memory_free(s->vectors[i]);
        s->vectors[i] = NULL;
    }
    memory_free(s->done);
    memory_free(s->leaves);
    memory_free(s->partial);
    s->room = 0;
}

static fr_result state_add_work(sph_state *s, int numbers, int vectors)
{
    bool there = true;
    for (int i = 0; i < numbers; i++) {
        if (!s->numbers[i])
            s->numbers[i] = MEMORY_NEW(float, s->room + WIDE);
        there = there && s->numbers[i];
    }
    for (int i = 0; i < vectors; i++) {
        if (!s->vectors[i])
            s->vectors[i] = MEMORY_NEW(particle_vector, s->room);
        there = there && s->vectors[i];
    }
    return there ? FR_OK : FR_ERROR_MEMORY;
}

fr_result sph_state_reserve(const sph_model *m, sph_state *s, int64_t particles)
{
    if (particles <= s->room)
        return FR_OK;
    FR_TRY(fluid_reserve(&s->fluid, particles));
    FR_TRY(fluid_reserve(&s->next, s->fluid.room));
    int64_t room = s->fluid.room;
    FR_TRY(cells_reserve(&s->cells, &m->layout, room));
    FR_TRY(pairs_reserve(&s->pairs, room, room * state_pairs_each(m)));
    bool worked = s->vectors[SPH_VECTORS - 1];
    state_free_work(s);
    s->density = MEMORY_NEW(float, room);
    s->gradient = MEMORY_NEW(particle_vector, room);
    s->hemmed = MEMORY_NEW(uint8_t, room);
    s->done = MEMORY_NEW(uint8_t, sph_blocks(room) + 1);
    s->leaves = MEMORY_NEW(uint8_t, room);
    s->partial = MEMORY_NEW(double, SPH_PARTIALS *(sph_blocks(room) + 1 + sph_blocks(s->walls.cells.room)));
    if (!s->density || !s->gradient || !s->hemmed || !s->done || !s->leaves || !s->partial)
        return FR_ERROR_MEMORY;
    if (m->sph.solver == FR_SPH_WCSPH && !(s->impulse = MEMORY_NEW(float, room)))
        return FR_ERROR_MEMORY;
    if (m->sph.xsph > 0 && !(s->smoothing = MEMORY_NEW(particle_vector, room)))
        return FR_ERROR_MEMORY;
    if (s->heat)
        FR_TRY(sph_heat_reserve(m, s->heat, room));
    if (s->paste)
        FR_TRY(sph_paste_reserve(s->paste, room));
    if (s->coarse)
        FR_TRY(sph_coarse_reserve(s->coarse, room));
    s->room = room;
    s->near_known = false;
    return worked ? sph_state_reserve_work(s) : state_add_work(s, STEP_NUMBERS, state_vectors(m));
}

fr_result sph_state_reserve_work(sph_state *s)
{
    FR_TRY(state_add_work(s, SPH_NUMBERS, SPH_VECTORS));
    return s->friction ? friction_space_reserve(s->friction, s->room) : FR_OK;
}

void sph_state_destroy(sph_state *s)
{
    if (!s)
        return;
    fluid_destroy(&s->fluid);
    fluid_destroy(&s->next);
    cells_destroy(&s->cells);
    pairs_destroy(&s->pairs);
    pairs_destroy(&s->wall_pairs);
    state_destroy_walls(&s->walls);
    memory_free(s->loads);
    memory_free(s->part_loads);
    for (int i = 0; i < s->source_count; i++)
        sph_nozzle_destroy(&s->nozzles[i]);
    memory_free(s->nozzles);
    memory_free(s->layers);
    memory_free(s->next_layers);
    memory_free(s->poured);
    for (int i = 0; i < s->solid_count; i++)
        shape_destroy(s->solids[i]);
    memory_free(s->solids);
    bodies_destroy(&s->bodies);
    sph_coarse_destroy(s->coarse);
    friction_space_destroy(s->friction);
    sph_heat_destroy(s->heat);
    sph_paste_destroy(s->paste);
    sph_floating_destroy(s->floating);
    state_free_work(s);
    memory_free(s);
}

double sph_state_bytes(const sph_model *m, double particles, double wall_particles)
{
    bool viscous = m->viscous;
    double vectors = 1 + (m->sph.xsph > 0) + (viscous ? SPH_VECTORS : state_vectors(m)),
           numbers = 1 + (m->sph.solver == FR_SPH_WCSPH) + (viscous ? SPH_NUMBERS : STEP_NUMBERS),
           work = numbers * sizeof(float) + 2 + vectors * (double)sizeof(particle_vector) + CELLS_BYTES +
                  (viscous ? FRICTION_SPACE_BYTES : 0);
    double pairs = 2 * PAIRS_PARTICLE_BYTES + (double)state_pairs_each(m) * PAIRS_BYTES;
    double walls = 35 * sizeof(float) + 1 + 6 * sizeof(particle_vector) + CELLS_BYTES + SHELL_BYTES +
                   PAIRS_PARTICLE_BYTES + 16 * PAIRS_BYTES + 12 * sizeof(sph_link);
    double grids = 2.0 * (double)m->layout.count * CELLS_CELL_BYTES +
                   (m->sph.solver != FR_SPH_WCSPH ? sph_coarse_bytes(m) : 0) + (viscous ? friction_space_bytes(m) : 0);
    return particles * (2 * FLUID_BYTES + work + pairs) + wall_particles * walls + grids +
           sph_heat_bytes(m, particles, wall_particles) + sph_paste_bytes(m, particles) +
           (m->rigid_count > 0 ? sph_floating_bytes(m) : 0);
}
