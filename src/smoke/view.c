/* The smoke method's state as a frame, and its columns of the ledger. */
#include "smoke/smoke.h"

fr_result smoke_view(void *self)
{
    mac_run *run = self;
    run->base.frame.can = FR_FRAME_SMOKE;
    mac_view(run, NULL);
    const double *total = run->base.ledger_values + METHOD_LEDGER_FIXED;
    *method_column(&run->base, "smoke_mass") = total[SMOKE_DENSITY];
    *method_column(&run->base, "heat") = total[SMOKE_TEMPERATURE];
    return FR_OK;
}
