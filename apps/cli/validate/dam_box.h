/* What SPHERIC's test 2 has measured over time. */
#ifndef VALIDATE_DAM_BOX_H
#define VALIDATE_DAM_BOX_H

enum { DAM_BOX_WIRES = 4, DAM_BOX_TIMES = 61 };

/* m, every 0.1 s from t = 0 on */
extern const double dam_box_heights[DAM_BOX_TIMES][DAM_BOX_WIRES];

#endif
