/* A level set with particles on both sides that restore what its grid loses (Enright, Fedkiw, Ferziger & Mitchell 2002;
   Carlson 6.2.3). */
#include "hybrid/place.h"
#include "liquid/liquid.h"

/* Runge–Kutta order of the particles' ways. */
enum { PARTICLE_ORDER = 4 };

static const field *pls_solid(const liquid_run *run)
{
    const solids *s = liquid_solids(run);
    return s->any ? &s->distance : NULL;
}

int liquid_level_particles(const fr_scene_def *def)
{
    int usual = def->domain.dims == 3 ? PARTICLES_PER_CELL : PARTICLES_PER_CELL / 2;
    return def->liquid.particles_per_cell ? def->liquid.particles_per_cell : usual;
}

static fr_result pls_create(liquid_run *run)
{
    const fr_scene_def *def = run->flow.base.def;
    FR_TRY(levelset_particles_create(liquid_domain(run), liquid_level_particles(def), &run->liquid.level_particles));
    /* in a given flow they are the record of where the surface has been */
    return def->has_prescribed ? FR_OK : levelset_particles_watch(run->liquid.level_particles, run->liquid.levelset);
}

static fr_result pls_seed(liquid_run *run, const field *phi)
{
    const state *s = run->flow.state;
    return levelset_particles_seed(run->liquid.level_particles, run->liquid.levelset, phi, pls_solid(run),
                                   (uint64_t)s->now.steps);
}

static fr_result pls_start(liquid_run *run)
{
    return pls_seed(run, &run->liquid.surface);
}

static fr_result pls_reserve(liquid_run *run)
{
    return liquid_keep_room(&run->liquid, 4 * (int64_t)run->liquid.level_particles->count);
}

static void pls_keep(liquid_state *l)
{
    levelset_particles *p = l->level_particles;
    float *const arrays[4] = {p->place[0], p->place[1], p->place[2], p->radius};
    liquid_keep(l, arrays, 4, p->count);
    levelset_particles_keep_calm(p);
}

static void pls_undo(liquid_run *run)
{
    levelset_particles *p = run->liquid.level_particles;
    float *const arrays[4] = {p->place[0], p->place[1], p->place[2], p->radius};
    p->count = (int)run->liquid.before_count;
    liquid_put_back(&run->liquid, arrays, 4);
    levelset_particles_undo_calm(p);
}

/* φ and the particles over half the step, and φ corrected by those that have escaped before and after it is made a
   distance. They are believed as far as `volume`, what the liquid then has in all, allows. */
static fr_result pls_half(const liquid_step *step, const field velocity[3], double volume, field *phi)
{
    liquid_state *l = &step->run->liquid;
    const solids *solids = liquid_solids(step->run);
    const levelset_total total = {volume, solids->any ? &solids->volume : NULL};
    const levelset_total *known = step->flow.m->prescribed ? NULL : &total;
    levelset_flow flow = {.velocity = velocity, .refine = step->run->model.settings.refine};
    FR_TRY(liquid_carry(step->run, velocity, step->flow.dt / 2, phi));
    levelset_particles_move(l->level_particles, &flow, step->flow.dt / 2, PARTICLE_ORDER, pls_solid(step->run));
    FR_TRY(levelset_particles_correct(l->level_particles, l->levelset, known, phi));
    FR_TRY(levelset_redistance(l->levelset, phi));
    FR_TRY(levelset_particles_correct(l->level_particles, l->levelset, known, phi));
    levelset_particles_fit(l->level_particles, phi);
    if (!step->flow.m->prescribed)
        levelset_particles_forget(l->level_particles, phi);
    return FR_OK;
}

static fr_result pls_to_middle(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const field *velocity = step->flow.s->velocity;
    pls_keep(l);
    field_copy(&l->middle, &l->surface);
    FR_TRY(pls_half(step, velocity, l->volume + liquid_gain(step, velocity) * step->flow.dt / 2, &l->middle));
    liquid_hold(step->run, &l->surface, false, &l->middle);
    liquid_hold_particles(step->run, &l->surface, false, &l->middle);
    return FR_OK;
}

static fr_result pls_to_end(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const field *velocity = step->flow.s->next_velocity;
    field_copy(&l->next, &l->middle);
    FR_TRY(pls_half(step, velocity, l->next_volume + liquid_gain(step, velocity) * step->flow.dt, &l->next));
    liquid_hold_particles(step->run, &l->middle, true, &l->next);
    return FR_OK;
}

static fr_result pls_reseed(void *self)
{
    const liquid_step *step = self;
    const state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    bool now = (s->now.steps + 1) % PARTICLES_RESEED == 0;
    levelset_stir stir = {.phi = &l->next,
                          .solid = pls_solid(step->run),
                          .flow = {s->next_velocity, step->run->model.settings.refine},
                          .dt = step->flow.dt,
                          .step = (uint64_t)s->now.steps,
                          .settles = now};
    FR_TRY(levelset_particles_stir(l->level_particles, l->levelset, &stir));
    return now ? pls_seed(step->run, &l->next) : FR_OK;
}

/* Beside sources particles have nothing to say about where the liquid is: those nearer than this are born anew in each
   step, and know about the surface from when the flow has carried them off. */
static const float RENEWED = 1.5f; /* cells */

static fr_result pls_pour(const liquid_step *step, const liquid_poured *in)
{
    const state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    levelset_renewal renewal = {.region = in->region,
                                .reach = RENEWED * (float)domain_min_h(liquid_domain(step->run)),
                                .solid = pls_solid(step->run),
                                .step = (uint64_t)s->now.steps};
    return levelset_particles_renew(l->level_particles, l->levelset, &l->middle, &renewal);
}

/* Deletes particles of the liquid inside sinks. */
static double pls_drain(const liquid_step *step, const field *out, double taken)
{
    levelset_particles *p = step->run->liquid.level_particles;
    for (int n = 0; n < p->count; n++) {
        float x[3] = {p->place[0][n], p->place[1][n], p->d.dims == 3 ? p->place[2][n] : 0.5f};
        if (p->radius[n] < 0 && place_value(out, -1, x) < 0)
            p->radius[n] = 0;
    }
    return taken;
}

static const stage pls_scheme[] = {{.name = "carry surface", .run = pls_to_middle},
                                   {.name = "advect velocity", .run = liquid_advect},
                                   {.name = "pour", .run = liquid_pour},
                                   {.name = "pour", .run = liquid_drain},
                                   {.parts = liquid_kick},
                                   {.name = "carry surface", .run = pls_to_end},
                                   {.name = "volume", .run = liquid_keep_volume},
                                   {.name = "reseed", .run = pls_reseed},
                                   {.parts = liquid_scalars},
                                   {0}};

static const stage pls_given[] = {{.name = "carry surface", .run = pls_to_middle},
                                  {.parts = liquid_given},
                                  {.name = "carry surface", .run = pls_to_end},
                                  {.name = "volume", .run = liquid_keep_volume},
                                  {.name = "reseed", .run = pls_reseed},
                                  {.parts = liquid_scalars},
                                  {0}};

static fr_result pls_restore(liquid_run *run)
{
    return levelset_particles_resize(run->liquid.level_particles, (int)run->head.level_particles);
}

static void pls_list_blocks(liquid_run *run)
{
    static const char *const places[3] = {"#level_x", "#level_y", "#level_z"};
    levelset_particles *p = run->liquid.level_particles;
    size_t bytes = (size_t)run->head.level_particles * sizeof(float);
    for (int a = 0; a < 3; a++)
        method_add_block(&run->flow.base, places[a], p->place[a], bytes);
    method_add_block(&run->flow.base, "#level_radius", p->radius, bytes);
    if (p->calm)
        method_add_block(&run->flow.base, "#level_calm", p->calm, (size_t)p->block_count);
}

const tracker tracker_particle_level_set = {.scheme = pls_scheme,
                                            .given = pls_given,
                                            .create = pls_create,
                                            .start = pls_start,
                                            .reserve = pls_reserve,
                                            .undo = pls_undo,
                                            .pour = pls_pour,
                                            .drain = pls_drain,
                                            .restore = pls_restore,
                                            .list_blocks = pls_list_blocks};
