/* The liquid as a frame, its columns of the ledger, and its values at a point. */
#include "base/memory.h"
#include "grid/refine.h"
#include "grid/sample.h"
#include "liquid/swarm/swarm.h"

static fr_result view_room(liquid_run *run, int64_t count)
{
    if (count <= run->shown_room)
        return FR_OK;
    memory_free(run->shown);
    memory_free(run->shown_velocity);
    memory_free(run->shown_radius);
    run->shown_room = count + count / 16;
    run->shown = MEMORY_NEW(float, 3 * run->shown_room);
    run->shown_velocity = MEMORY_NEW(float, 3 * run->shown_room);
    run->shown_radius = run->liquid.level_particles ? MEMORY_NEW(float, run->shown_room) : NULL;
    if (run->shown && run->shown_velocity && (run->shown_radius || !run->liquid.level_particles))
        return FR_OK;
    run->shown_room = 0;
    return FR_ERROR_MEMORY;
}

/* Markers have no velocity of their own. */
static float view_speed(const liquid_run *run, int axis, int64_t n, const float at[3])
{
    const parcels *p = &run->liquid.parcels;
    if (p->v[axis])
        return p->v[axis][n];
    return (float)sample_at(&run->flow.state->velocity[axis], &run->flow.model->domain,
                            (double[3]){at[0], at[1], at[2]});
}

/* The particles of a frame, of which `shown` arrays hold `count`. */
static void view_show(liquid_run *run, int64_t count)
{
    fr_frame *frame = &run->flow.base.frame;
    frame->has_particles = true;
    frame->particle_count = count;
    frame->particles = (fr_vectors){run->shown, 3};
    frame->particle_velocity = (fr_vectors){run->shown_velocity, 3};
    frame->particle_ids = NULL;
}

/* Parcels that are still there, in metres. A frame has one set of particles: tracers, where the scene asks for them. */
static fr_result view_parcels(liquid_run *run)
{
    const parcels *p = &run->liquid.parcels;
    float *const *x = swarm_shown(run);
    fr_frame *frame = &run->flow.base.frame;
    int64_t shown = 0;
    if (frame->has_particles)
        return FR_OK;
    FR_TRY(view_room(run, p->count));
    for (int64_t n = 0; n < p->count; n++) {
        float *at = run->shown + 3 * shown;
        if (!parcels_has(p, n) || x[p->slow][n] < 0)
            continue;
        for (int a = 0; a < 3; a++)
            at[a] = a < p->d.dims ? (float)(p->d.origin[a] + (double)x[a][n] * p->d.h[a]) : 0;
        for (int a = 0; a < 3; a++)
            run->shown_velocity[3 * shown + a] = a < p->d.dims ? view_speed(run, a, n, at) : 0;
        shown++;
    }
    view_show(run, shown);
    frame->can |= FR_FRAME_LIQUID;
    frame->particle_spacing = swarm_spacing(run);
    return FR_OK;
}

static void view_count_parcels(liquid_run *run)
{
    const int64_t alive = parcels_alive(&run->liquid.parcels);
    *method_column(&run->flow.base, "particles") = (double)alive;
    *method_column(&run->flow.base, "particles_left") = (double)run->liquid.left;
    *method_column(&run->flow.base, "particles_lost") = (double)(run->liquid.made - run->liquid.left - alive);
}

/* Parcels that fly straight have the velocity of the step's end; the flow that they took it from lacks the second half
   of the pressure's kick (swarm/straight.h), and has more energy where liquid spreads. They are the places at which the
   energy and the momentum of the liquid are sampled. */
static void view_flying(liquid_run *run, double volume)
{
    static const char *const names[3] = {"momentum_x", "momentum_y", "momentum_z"};
    const parcels *p = &run->liquid.parcels;
    const int64_t alive = parcels_alive(p);
    const double mass = run->flow.model->fluid.density * volume;
    double squares = 0, momentum[3];
    for (int64_t n = 0; n < p->count; n++)
        for (int a = 0; a < p->d.dims && parcels_has(p, n); a++)
            squares += (double)p->v[a][n] * (double)p->v[a][n];
    *method_column(&run->flow.base, "kinetic_energy") = alive > 0 ? 0.5 * mass * squares / (double)alive : 0;
    swarm_momentum(run, mass, momentum);
    for (int a = 0; a < p->d.dims && run->flow.state->coupling; a++) /* what flight.c keeps */
        *method_column(&run->flow.base, names[a]) = momentum[a];
}

/* Particles of a level set in 3D that are on the wrong side of it: meshes are corrected by them, and do without where
   the scene asks for tracers. */
static fr_result view_level_particles(liquid_run *run)
{
    levelset_particles *p = run->liquid.level_particles;
    fr_frame *frame = &run->flow.base.frame;
    if (!frame->has_particles)
        *method_column(&run->flow.base, "particles") = (double)levelset_particles_alive(p);
    if (p->d.dims < 3 || frame->has_particles)
        return FR_OK;
    const int count = levelset_particles_find_escaped(p, &run->liquid.surface);
    FR_TRY(view_room(run, count));
    for (int i = 0; i < count; i++) {
        const int n = p->order[i];
        float *at = run->shown + 3 * i;
        for (int a = 0; a < 3; a++)
            at[a] = (float)(p->d.origin[a] + (double)p->place[a][n] * p->d.h[a]);
        for (int a = 0; a < 3; a++)
            run->shown_velocity[3 * i + a] = (float)sample_at(&run->flow.state->velocity[a], &run->flow.model->domain,
                                                              (double[3]){at[0], at[1], at[2]});
        run->shown_radius[i] = p->radius[n];
    }
    view_show(run, count);
    run->shown_attribute = method_attribute("radius", run->shown_radius);
    frame->can |= FR_FRAME_LEVEL_PARTICLES;
    frame->attributes = &run->shown_attribute;
    frame->attribute_count = 1;
    return FR_OK;
}

static void view_heat(liquid_run *run)
{
    const double *total = run->flow.base.ledger_values + METHOD_LEDGER_FIXED;
    const double molten = run->model.fraction >= 0 ? total[run->model.fraction] : 0;
    *method_column(&run->flow.base, "heat") = total[run->flow.model->temperature] + run->model.heat.latent * molten;
    *method_column(&run->flow.base, "heat_in") = run->liquid.heat_in;
    *method_column(&run->flow.base, "heat_out") = run->liquid.heat_out;
    /* with what has found no room yet (heat/balance.c) */
    const double missing = run->liquid.heat_due - *method_column(&run->flow.base, "heat");
    *method_column(&run->flow.base, "heat_drift") = run->liquid.heat_drift - missing;
}

fr_result liquid_view(void *self)
{
    liquid_run *run = self;
    liquid_state *l = &run->liquid;
    FR_TRY(liquid_show(run));
    if (l->viscosity.data)
        FR_TRY(liquid_viscosity_find(run));
    double volume = liquid_volume(run, &l->surface);
    field fine = liquid_scratch(run, 1), share = state_scratch(run->flow.model, run->flow.state, 0, FR_AT_CELL);
    liquid_shares(run, &l->surface, &fine);
    *method_column(&run->flow.base, "potential_energy") = liquid_potential_energy(run, &fine);
    refine_mean(&fine, run->model.settings.refine, &share);
    run->flow.base.frame.can = FR_FRAME_SURFACE;
    mac_view(&run->flow, &share);
    *method_column(&run->flow.base, "volume") = volume;
    if (run->model.heat.set)
        view_heat(run);
    *method_column(&run->flow.base, "volume_error") = l->volume > 0 ? volume / l->volume - 1 : 0;
    if (l->level_particles)
        return view_level_particles(run);
    if (!l->parcels.d.dims) /* the tracker has none */
        return FR_OK;
    view_count_parcels(run);
    if (swarm_flies(run))
        view_flying(run, volume);
    return view_parcels(run);
}

fr_result liquid_probe(void *self, const char *field, const double at[3], double *value)
{
    liquid_run *run = self;
    FR_TRY(liquid_check_field(run->flow.base.def, field, field));
    FR_TRY(liquid_show(run));
    if (run->liquid.viscosity.data)
        FR_TRY(liquid_viscosity_find(run)); /* that of the last step was for its begin */
    return mac_probe(self, field, at, value);
}
