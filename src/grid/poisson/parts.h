/* Internals of the multigrid solver, shared by its files. */
#ifndef FR_GRID_POISSON_PARTS_H
#define FR_GRID_POISSON_PARTS_H

#include "grid/poisson/lattice_level.h"
#include "grid/poisson/poisson.h"
#include "linalg/pcg.h"

enum { POISSON_LEVELS = 40, POISSON_SWEEPS = 2, POISSON_PARTIALS = 5 };

/* What the closed components are found and averaged with. It lies in the memory of the vectors that an iteration makes
   anew, p, z and r: components are searched before a solve, and means are taken when no iteration is under way. */
typedef struct poisson_closed {
    int32_t *run, *parent; /* per cell: of the search; in p and z */
    double *sum, *count;   /* per component; in z and r */
    int number;            /* of components; found by poisson_set_operator */
} poisson_closed;

typedef struct movers movers;     /* movers/movers.h */

struct poisson {
    int levels;
    lattice level[POISSON_LEVELS]; /* 0 is the finest: its b is the residual r, its x both z = M r and q = A p */
    double *x[2];                  /* the solution, by colour, laid out as the finest level */
    lattice_vector p;
    double *partial[POISSON_PARTIALS]; /* per item of the finest level */
    poisson_closed closed;
    movers *movers;                /* that move with the pressure; NULL: no room for any */
    void *memory;

    /* State of the current solve. */
    const field *right;
    bool started;                  /* x is not all zero */
    double scale;                  /* r, z, p and q are scaled by this to about 1, whatever the unit of b */
    double pending;                /* x lacks pending·p: added in the pass that changes p */
    bool cycles;                   /* preconditioned by V-cycles: steps also do the first sweeps of the next cycle, */
    bool more;                     /* if there will be one as far as is known: set by pcg_solve */
    bool deflates;                 /* what bodies do is taken out of the residual */
    bool swept;                    /* those sweeps are done: the finest level's x holds their result */
    bool measured;                 /* right_norms are known */
    pcg_norms right_norms;         /* of b minus its means; computed by the first poisson_residual */
    double mean, cells;            /* mean of b, number of cells, if one component is closed; by poisson_load */
    double sum;                    /* of x in active cells; computed by poisson_residual */
};

/* Passes, as callbacks of pcg_system; context: the solver. */
pcg_norms poisson_residual(void *context);
void poisson_advance(poisson *s);          /* x += pending·p */
double poisson_direction(void *context, double beta);
pcg_norms poisson_step(void *context, double alpha);
double poisson_divide(void *context);      /* the diagonal preconditioner */
double poisson_cycle(void *context);       /* the multigrid one */

/* Norms from the partial sums of squares and partial maxima, given by their indices. */
pcg_norms poisson_norms(const poisson *s, int square, int largest);

/* One equation: sum − diagonal x is its residual; sum = b + Σ c w x_j. */
typedef struct poisson_balance {
    double diagonal, sum;
} poisson_balance;

static inline poisson_balance poisson_balance_of(const poisson *s, const lattice_site *site, double b)
{
    const lattice *l = &s->level[0];
    const double *other = s->x[1 - site->colour] + site->at;
    poisson_balance own = {(double)lattice_tie(l->e.of[site->colour][site->at]), b};
    for (int a = 0; a < 2 + l->deep; a++) {
        const ptrdiff_t step = a == 1 ? l->row : l->plane;
        const ptrdiff_t low = a == 0 ? site->parity - 1 : -step, high = a == 0 ? site->parity : step;
        const double w_low = l->c[a] * (double)lattice_low(l, a, site->colour, site->parity)[site->at];
        const double w_high = l->c[a] * (double)lattice_high(l, a, site->colour, site->parity)[site->at + high];
        own.diagonal += w_low + w_high;
        own.sum += w_low * other[low] + w_high * other[high];
    }
    return own;
}

/* Load: the first guess (NULL: 0) into x, unless x is `kept` as the last solve has left it. Settle: that of cells
   beside a surface. Store: what is pending into x, and x minus its means into a field. */
void poisson_load(poisson *s, const field *x, bool kept);
void poisson_settle(poisson *s);
void poisson_store(poisson *s, field *x);

/* The means of b on the closed components. They lie where z has its ghosts, which are zeros again once they are
   cleared. */
const double *poisson_means(poisson *s);
void poisson_clear_means(poisson *s);

/* Slots of a row per part: enough for efficient loops, few enough for the stack. */
enum { POISSON_PART = 8 * LANES };

/* Part of a row of one colour. */
typedef struct poisson_part {
    int colour, parity, j, k;
    int first, slots;              /* in the row */
    ptrdiff_t at;                  /* of the first slot in the level */
} poisson_part;

/* `first`: a slot in the row's span. */
static inline poisson_part poisson_part_of(const lattice *l, int colour, const int row[2], int first)
{
    int rest = lattice_span_of(l, row[0], row[1]).end * LANES - first;
    return (poisson_part){.colour = colour, .parity = lattice_parity(colour, row[0], row[1]), .j = row[0], .k = row[1],
                          .first = first, .slots = rest < POISSON_PART ? rest : POISSON_PART,
                          .at = lattice_at(l, row[0], row[1]) + first};
}

/* Cells of a part; the slots behind them are padding. */
static inline int poisson_part_cells(const lattice *l, const poisson_part *part)
{
    int cells = lattice_half(l->n[0], part->parity) - part->first;
    return cells < 0 ? 0 : cells < part->slots ? cells : part->slots;
}

/* The samples of a part; 0 in the padding. */
static inline void poisson_part_take(const lattice *l, const poisson_part *part, const field *f,
                                     float out[POISSON_PART])
{
    const float *from = field_row(f, part->j, part->k) + 2 * part->first + part->parity;
    int cells = poisson_part_cells(l, part), h = 0;
    for (; h + WIDE <= cells; h += WIDE) /* the last sample may be a ghost */
        wide_store(out + h, __builtin_shufflevector(wide_load(from + 2 * h), wide_load(from + 2 * h + WIDE), 0, 2, 4, 6,
                                                    8, 10, 12, 14));
    for (; h < cells; h++)
        out[h] = from[2 * h];
    for (; h < part->slots; h++)
        out[h] = 0;
}

#endif
