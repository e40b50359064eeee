#include "smoke/parts.h"

#include "base/clock.h"
#include "mac/stage/advect.h"
#include "mac/stage/check.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"
#include "mac/stage/force.h"
#include "mac/stage/move.h"
#include "mac/stage/transport.h"
#include "smoke/vorticity.h"
#include "mac/stage/walls.h"

void smoke_finish_velocity(const model *m, state *s, field velocity[3])
{
    stage_extend_velocity(m, s, velocity);
    stage_walls_velocity(m, s, velocity);
}

void smoke_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3])
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies) {
            if (m->scalars[i].conserved)
                stage_extend_clean(m, s, i, &scalars[i]);
            else
                stage_extend_scalar(m, s, i, &scalars[i]);
            stage_walls_scalar(m, s, i, velocity, &scalars[i]);
        }
}

fr_result smoke_scalars(const model *m, state *s, const field flow[3], double dt, timing *t)
{
    double start = clock_now();
    stage_advect_scalars(m, s, flow, dt);
    start = timing_add(t, "advect scalars", start);
    FR_TRY(stage_move(m, s, s->now.time, s->now.end));
    start = timing_add(t, "move", start);
    FR_TRY(stage_transport_scalars(m, s, flow, dt));
    start = timing_add(t, "transport scalars", start);
    stage_dissipate(m, s, dt);
    FR_TRY(stage_emit_scalars(m, s));
    start = timing_add(t, "emit", start);
    FR_TRY(stage_check_scalars(m, s, "emit"));
    start = timing_add(t, "check", start);
    FR_TRY(stage_diffuse_scalars(m, s, dt));
    smoke_finish_scalars(m, s, s->next_scalars, flow);
    timing_add(t, "diffuse scalars", start);
    return FR_OK;
}

fr_result smoke_forces(const model *m, state *s, double dt, double middle, double after, timing *t)
{
    double start = clock_now();
    stage_vorticity(m, s, dt);
    FR_TRY(stage_force_given(m, s, dt, middle));
    FR_TRY(stage_emit_velocity(m, s));
    FR_TRY(stage_walls_update(m, s, after));
    stage_extend_slivers(m, s, s->next_velocity);
    smoke_finish_velocity(m, s, s->next_velocity);
    start = timing_add(t, "force", start);
    FR_TRY(stage_check_velocity(m, s, "force"));
    timing_add(t, "check", start);
    return FR_OK;
}
