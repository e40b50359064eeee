/* The multigrid V-cycle by callbacks (Brandt 1977; Trottenberg, Oosterlee and Schüller, Multigrid, 2001, section 2.4).
   It knows no grid: the context owns the levels, each with a right-hand side b and an unknown x; level 0 is the
   finest. As a preconditioner it is symmetric when `up` is the adjoint of `down`. */
#ifndef FR_LINALG_MULTIGRID_H
#define FR_LINALG_MULTIGRID_H

typedef struct multigrid {
    void *context;
    int levels;
    void (*down)(void *context, int level);      /* smooths from x = 0; restricts the residual to b of level + 1 */
    void (*coarsest)(void *context, int level);  /* solves on the last level, from x = 0 */
    void (*up)(void *context, int level);        /* adds the prolongated correction of level + 1 to x; smooths */
} multigrid;

/* One V-cycle: computes x of level 0 from its b. */
void multigrid_cycle(const multigrid *m);

#endif
