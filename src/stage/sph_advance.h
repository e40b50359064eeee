/* One step of the iteration that finds pressures, for one of them. */
#ifndef FR_STAGE_SPH_ADVANCE_H
#define FR_STAGE_SPH_ADVANCE_H

/* From what is `left` of a source and the pressure `now` the one to go on from, `ahead`. Returns what counts as left: where the density is too low,
   only as much as can be undone by taking pressure away. */
static inline float sph_advance(float left, float relax, float momentum, float now, float *last, float *ahead)
{
    float next = now + relax * left;
    next = next > 0 ? next : 0;
    float beyond = next + momentum * (next - *last);
    *last = next;
    *ahead = beyond > 0 ? beyond : 0;
    return left > 0 ? left : relax > 0 ? (now - next) / relax : 0;
}

#endif
