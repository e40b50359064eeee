/* The liquid as a frame, its columns of the ledger, and its values at a point. */
#include "liquid/liquid.h"

/* Parcels that are still there, in metres. */
static void liquid_view_parcels(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    const parcels *p = &l->parcels;
    fr_frame *frame = &run->flow.base.frame;
    int64_t shown = 0;
    for (int64_t n = 0; n < p->count; n++) {
        if (!parcels_has(p, n))
            continue;
        for (int a = 0; a < 3; a++) {
            bool axis = a < p->d.dims;
            l->before[3 * shown + a] = axis ? (float)(p->d.origin[a] + (double)p->x[a][n] * p->d.h[a]) : 0;
            l->shown_velocity[3 * shown + a] = axis ? p->v[a][n] : 0;
        }
        shown++;
    }
    frame->can = (frame->can & ~(uint32_t)FR_FRAME_CARRIED_PARTICLES) | FR_FRAME_LIQUID;
    frame->particle_spacing = domain_min_h(&p->d) / 2;   /* their size in pictures */
    frame->particle_ids = NULL;
    frame->attribute_count = 0;
    frame->has_particles = true;
    frame->particle_count = shown;
    frame->particles = (fr_vectors){l->before, 3};
    frame->particle_velocity = (fr_vectors){l->shown_velocity, 3};
    *method_column(&run->flow.base, "particles") = (double)shown;
    *method_column(&run->flow.base, "particles_left") = (double)l->left;
    *method_column(&run->flow.base, "particles_lost") = 0;
}

fr_result liquid_view(void *self)
{
    liquid_run *run = self;
    liquid_state *l = &run->liquid;
    double volume = liquid_volume(run, &l->surface);
    field share = state_scratch(run->flow.model, run->flow.state, 0, FR_AT_CELL);
    liquid_shares(run, &share);
    *method_column(&run->flow.base, "potential_energy") = liquid_potential_energy(run, &share);
    run->flow.base.frame.can = 0;
    mac_view(&run->flow, &share);
    *method_column(&run->flow.base, "volume") = volume;
    *method_column(&run->flow.base, "volume_error") = l->volume > 0 ? volume / l->volume - 1 : 0;
    run->flow.base.frame.can |= FR_FRAME_SURFACE;
    if (l->parcels.room)
        liquid_view_parcels(run);
    return FR_OK;
}
