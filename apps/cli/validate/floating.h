/* What the cases of floating bodies share: a tank of water with bodies in it. */
#ifndef VALIDATE_FLOATING_H
#define VALIDATE_FLOATING_H

#include "validate/validate.h"

#define FLOATING_GRAVITY 9.81

enum { FLOATING_MOST = 12 };

typedef struct floating {
    validate_liquid water;
    fr_shape_def shapes[FLOATING_MOST];
    fr_body_def bodies[FLOATING_MOST];
} floating;

/* A tank of that size with `cells` along its longest side, walls that slip, and water in a shape. Fills `f` in place:
   the definition points into it. */
void floating_make(floating *f, fr_liquid_surface surface, int dims, const double size[3], int cells);
/* Water up to that height; a height above the roof fills the tank. */
void floating_fill(floating *f, double height);

fr_shape_def floating_ball(double radius);
fr_shape_def floating_box(double x, double y, double z);
fr_body_def *floating_add(floating *f, fr_shape_def shape, const double at[3], double density);

/* Runs to the end and shows every frame, the first one included. */
typedef void floating_look(void *context, const fr_frame *frame);
fr_result floating_follow(const floating *f, const char *name, floating_look *look, void *context);

/* The step to the next tracker that differs where there is no surface: of those whose velocity lives on the grid one
   is enough. */
static inline int floating_next(int tracker) { return tracker == 0 ? 3 : 1; }

double floating_sum(const fr_frame *frame, const char *column); /* of the ledger */

#endif
