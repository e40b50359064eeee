/* How long the steps of a flow are, and how they are undone. */
#include "mac/run.h"

#include <math.h>

#include "mac/coupling/coupling.h"
#include "mac/stage/cfl.h"
#include "mac/stage/move.h"
#include "mac/stage/walls.h"

void mac_destroy(void *self)
{
    mac_run *run = self;
    if (run->model)
        state_destroy(run->model, run->state);
    model_destroy(run->model);
}

/* With the speed that forces will have added at the step's end: A Δt² + r Δt = cfl, in cells. */
double mac_allowed_step(const mac_run *run, double most)
{
    double cfl = run->model->cfl;
    double rate = stage_cfl_rate(run->model, run->state);
    double acceleration = stage_cfl_acceleration(run->model, most);
    return 2 * cfl / (rate + sqrt(rate * rate + 4 * acceleration * cfl));
}

fr_result mac_check_courant(const mac_run *run, double dt)
{
    double courant = stage_cfl_next_rate(run->model, run->state) * dt;
    if (run->base.def->time.dt == 0 && !run->base.def->has_prescribed && courant > 2 * run->model->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g",
                       courant, run->model->cfl);
    return FR_OK;
}

fr_result mac_undo(void *self)
{
    mac_run *run = self;
    state *s = run->state;
    if (s->coupling)
        coupling_undo(s->coupling);
    FR_TRY(stage_move(run->model, s, s->now.before, s->now.time));
    return stage_walls_update(run->model, s, s->now.time);
}

double mac_max_speed(void *self)
{
    mac_run *run = self;
    return stage_cfl_max_speed(run->model, run->state);
}
