/* The V-cycle by callbacks (Brandt 1977; Trottenberg, Oosterlee and Schüller, Multigrid, 2001, section 2.4). Knows no
   grid: the context owns the levels, 0 being the finest, each with a right-hand side and an unknown. As a
   preconditioner it is symmetric when `up` is the adjoint of `down`. */
#ifndef FR_LINALG_MULTIGRID_H
#define FR_LINALG_MULTIGRID_H

typedef struct multigrid {
    void *context;
    int levels;
    void (*down)(void *context, int level); /* smooths from x = 0; right-hand side of level + 1 from the residual */
    void (*coarsest)(void *context, int level);  /* solves on the last level, from x = 0 */
    void (*up)(void *context, int level);        /* adds the correction of level + 1 to x, smooths */
} multigrid;

/* x of level 0 from its right-hand side. */
void multigrid_cycle(const multigrid *m);

#endif
