/* Internals of the viscosity solver, shared by its files.

   Everything lives on lattices: sample (i, j, k) of component a is the lower face of cell (i, j, k) along a, and sample
   (i, j, k) of an edge along c is the cell's lower edge along c. A lattice has cells + 1 samples along an axis, or as
   many as cells where it is periodic, and one layer of ghosts around them.

   The unknowns are û_a = u_a h_a / h, with h the shortest edge of a cell: then all strains are sums of plain
   differences,

     h² ε_aa = (h/h_a)² Δ_a û_a,      2 h² ε_ab = h²/(h_a h_b) (Δ_b û_a + Δ_a û_b),

   and the factors go into K, however the cells are stretched. */
#ifndef FR_GRID_STRESS_PARTS_H
#define FR_GRID_STRESS_PARTS_H

#include "grid/stress/stress.h"
#include "linalg/six.h"

enum {
    STRESS_LUMPS = 40,  /* most lumps whose rigid motions are a coarse space (lumps.c) */
    STRESS_BODIES = 64, /* most bodies in flight whose rigid motions are treated apart */
    STRESS_RUN = 256,   /* most samples in a run */
    STRESS_GAP = 16,    /* samples without unknowns that end it */
    STRESS_LEVELS = 24,
    STRESS_DIRECT = 300 /* most unknowns of the coarsest level that are solved for directly */
};

/* One array for each axis. In 2D the third is all zero. */
typedef struct stress_vector {
    float *of[3];
} stress_vector;

/* A piece of a row that holds unknowns. */
typedef struct stress_run {
    int first[3]; /* sample */
    int n;        /* at most STRESS_RUN */
    ptrdiff_t at; /* offset of the first sample */
} stress_run;

/* How samples lie along an axis: on the sides of cells (components, strains), in their middles, or on cells that have
   their parent's value; the last as it is, not as a strain. */
typedef enum stress_kind {
    STRESS_NODE,
    STRESS_EDGE,
    STRESS_MIDDLE,
    STRESS_WHOLE,
    STRESS_CELL,
    STRESS_KINDS
} stress_kind;

/* The samples of the next coarser level that one of this level is interpolated from, along an axis. */
typedef struct stress_parents {
    int of[2];
    float weight[2];
} stress_parents;

/* The reverse. */
enum { STRESS_CHILDREN = 6 };

typedef struct stress_children {
    int count;
    int of[STRESS_CHILDREN];
    float weight[STRESS_CHILDREN];
    float lumped[STRESS_CHILDREN]; /* weight times the sum of the child's weights */
} stress_children;

typedef struct stress_level {
    int dims;
    int cells[3], n[3]; /* cells, samples */
    bool periodic[3];
    bool halves[3];      /* the next level has half as many cells along this axis */
    ptrdiff_t stride[3]; /* stride[2] = 0 in 2D */
    size_t count;        /* samples of an array, ghosts included */
    float *zero;         /* all 0 */

    /* Made by stress_set. */
    bool coupled;          /* components share strains; not in the Laplacian form */
    stress_vector mass;    /* W; 0 where there is no unknown, STRESS_HELD where it is held */
    stress_vector normal;  /* K of the strains Δ_a u_a of cells */
    stress_vector shear;   /* K of the strains Δ_b u_a + Δ_a u_b of the edges along the third axis */
    float *bulk;           /* K of the divergences Σ_a spread_a Δ_a u_a of cells */
    double spread[3];      /* (h/h_a)², that of the finest level being h; 0 for no axis */
    stress_vector inverse; /* 1 / a diagonal D ≥ W + BᵀKB; 0 where there is no unknown */
    stress_run *runs;
    int run_count;
    stress_parents *parents[3][STRESS_KINDS];   /* of each sample, along each axis */
    stress_children *children[3][STRESS_KINDS]; /* of each sample of the next level */

    stress_vector b, x, t; /* right-hand side, unknown and scratch; 0 where there is no unknown */
} stress_level;

/* Share that dry faces count with: those that share strains with the liquid but touch no cell of it. They follow it,
   and the system stays definite. */
static const float STRESS_DRY_MASS = 1e-5f;

static const float STRESS_HELD = -1e-30f; /* too small to count in a sum of masses */

/* A body of liquid that hangs together. */
typedef struct stress_body {
    bool free;              /* nothing holds it */
    double middle[3], mass; /* in samples */
    double matrix[6][6];    /* Cholesky's factor of RᵀWR, R the translations and rotations */
    double part[6];         /* scratch: the part of each in a vector */
} stress_body;

/* A piece of a run of the finest level that belongs to a free body. */
typedef struct stress_piece {
    stress_run run;
    int body;
    double sum[6]; /* scratch */
} stress_piece;

/* A solid of the problem, as the solver sees it. Masses are over that of a cell of liquid. */
typedef struct stress_tie {
    int faces;
    double stiffness;      /* the largest sum of K around one of them */
    bool wet;              /* it shares strains with the liquid; of others the faces do not count */
    int body;              /* the body in flight that it is frozen into; −1: none */
    double centre[3];      /* m, of its mass, by the image that is nearest to its faces */
    double cell_mass;      /* W of its faces in the preconditioner, where cells are cubes */
    double mass[6][6];     /* M, */
    double excess[6][6];   /* and how much it is more than PᵀWP of its faces */
    double grip[6][6];     /* PᵀDP, D ≥ BᵀKB the diagonal of the liquid alone */
    double weigh[6][6];    /* Cholesky's factors of M, */
    double fit[6][6];      /* of PᵀWP, */
    double bear[6][6];     /* and of M + PᵀDP */
} stress_tie;

/* One of each per solid: the parts that solids have in the vectors of CG. */
typedef struct stress_ties {
    stress_tie *of;
    stress_motion *change, *rest, *guess, *way, *gain;
    stress_motion *before; /* by stress_remember */
} stress_ties;

/* Marks labels of samples that not all components have an unknown of. */
enum { STRESS_RAGGED = 128 };

/* Made by stress_find_lumps; without pieces there are none. */
typedef struct stress_lumps {
    int count, piece_count;
    uint8_t *labels;  /* of the samples of the finest level: 1 + which lump, and STRESS_RAGGED */
    uint16_t *depths; /* of the same: 1 + how deep; 0 where there is no liquid */
    int *queue;       /* offsets */
    stress_piece *pieces; /* of one lump each, which is their `body` */
    double middle[STRESS_LUMPS][3]; /* in samples */
    double *matrix;                 /* Cholesky's factor of ZᵀAZ, by rows */
    double part[6 * STRESS_LUMPS];  /* scratch: of each motion */
} stress_lumps;

struct stress {
    domain block;
    stress_problem problem;
    bool weak;   /* set by stress_set: no coarse levels (weak.c) */
    float reach; /* m, further than any corner of the boxes around a cell, its faces and edges */
    int levels;
    stress_level level[STRESS_LEVELS]; /* 0 is the finest: b, x and t are r, z and q of CG */
    stress_vector p;                   /* direction of search */
    double *change[3];                 /* û − û* */
    float *push;                       /* what the pressure of cells takes off K times their divergence */
    float *wet;                        /* liquid share of cells that have a pressure */
    double *partial;                   /* one per run */
    double *factor;                    /* Cholesky factor of the coarsest level's matrix, by rows; made by stress_set */
    double *solution;
    ptrdiff_t *place;   /* offset of each of its unknowns */
    int place_start[4]; /* first unknown of each component; the last: how many there are. 0: too many */

    /* Made by stress_smear. */
    field smooth[2]; /* log ν, at most as steep as allowed, from below and from above; then the first is ν */
    int64_t smeared; /* cells of liquid that it changed */

    /* Made by stress_find_bodies. */
    uint8_t *labels; /* of the samples of a coarse level: which body */
    int *queue;
    stress_body bodies[STRESS_BODIES];
    int body_count;
    stress_piece *pieces;
    int piece_count, most_pieces;
    stress_lumps lumps;

    void *memory;
};

static inline ptrdiff_t stress_offset(const stress_level *l, const int at[3])
{
    return at[0] + at[1] * l->stride[1] + at[2] * l->stride[2];
}

/* The level on which bodies are told apart. */
static inline const stress_level *stress_label_level(const stress *s)
{
    return &s->level[s->levels > 1 ? 1 : 0];
}

/* û/u along an axis. */
static inline double stress_scale(const domain *d, int a)
{
    return d->h[a] / domain_min_h(d);
}

/* Where a cell is, seen from the surface: whether its box, and those around its lower faces and edges, are all full,
   all empty, or neither. */
typedef enum stress_zone { STRESS_INSIDE, STRESS_NEAR, STRESS_OUTSIDE } stress_zone;

static inline stress_zone stress_zone_of(const stress *s, const int cell[3])
{
    if (!s->problem.surface)
        return STRESS_INSIDE;
    float here = field_row(s->problem.surface, cell[1], cell[2])[cell[0]];
    return here < -s->reach ? STRESS_INSIDE : here > s->reach ? STRESS_OUTSIDE : STRESS_NEAR;
}

/* Liquid share of the box of a cell's size around a point with `low` in the middle of cells or, along each axis with
   `half` set, of the faces below them. */
float stress_share(const stress *s, const int low[3], const bool half[3]);

/* Sets a vector to 0, ghosts included. */
void stress_clear(const stress_level *l, const stress_vector *v);
void stress_clear_exact(const stress_level *l, double *const v[3]);

/* û* into p; and with the velocity of walls beyond the sides. */
void stress_load_samples(stress *s, const field velocity[3]);
void stress_load(stress *s, const field velocity[3]);
/* Adds the change to the velocity, except on dry faces. */
void stress_unload(stress *s, field velocity[3]);

/* Smears jumps of s->problem.viscosities. */
void stress_smear(stress *s);
/* Sets masses and K of the finest level from s->problem. */
void stress_build(stress *s);
/* Of at most STRESS_RUN samples of a row from `from` on: whether no strain of the cell, of its lower faces and of its
   edges has a face that is held or missing (plain.c). */
void stress_find_plain(const stress *s, const int from[3], int count, bool plain[STRESS_RUN]);
/* Sum of K over all strains of a face, each times the number of unknowns in the strain. */
float stress_stiffness(const stress_level *l, int a, ptrdiff_t at);
/* Sets the diagonal and the runs of a level from its masses and K. */
void stress_finish(stress_level *l);

/* Sets the links from a level to the next. */
void stress_relate(const stress *s, stress_level *l, const stress_level *coarse);
/* Sets masses and K of the next level. */
void stress_coarsen(const stress_level *l, stress_level *coarse);
/* x += P x of the next level; b of the next level = Pᵀ t. */
void stress_prolong(const stress_level *l, const stress_level *coarse);
void stress_restrict(const stress_level *l, const stress_level *coarse);

/* P V on the faces of solids; with `weigh` W P V. */
void stress_spread(const stress *s, const stress_motion *motion, bool weigh, const stress_vector *to);
void stress_spread_exact(const stress *s, const stress_motion *motion, double *const to[3]);
/* PᵀW x, x that of the finest level. */
void stress_weigh(const stress *s, stress_motion *sums);
/* PᵀBᵀKB u; NULL: û* + the change. */
void stress_pull(const stress *s, const stress_vector *u, stress_motion *sums);
/* P of a row: that of its first face, and what is more from each to the next. */
void stress_line_of(const stress *s, const stress_faces *row, double first[6], double slope[6]);

/* Makes the faces of solids unknowns of the preconditioner, once masses and K of the liquid are set. */
void stress_tie_solids(stress *s);

/* What solids have in CG (ties_solve.c); nothing where there are none. */
void stress_ties_clear(stress *s);
void stress_ties_load(stress *s);               /* û* and the change on their faces */
double stress_ties_square(const stress *s);     /* û*·W û* on them */
void stress_ties_rest(stress *s);               /* their residual */
void stress_ties_enter(stress *s);              /* b of the cycle on their faces, */
void stress_ties_leave(stress *s);              /* and from its x there their part of M r */
double stress_ties_product(const stress *s);    /* that of z·r */
void stress_ties_turn(stress *s, double factor);
double stress_ties_apply(stress *s);            /* what is missing in p·q */
double stress_ties_step(stress *s, double factor); /* and in change·W change */
void stress_ties_unload(stress *s);

/* What solids have in explicit steps (ties_march.c): marks their faces in t; prepares so many steps; takes one. */
void stress_ties_mark(const stress *s);
void stress_ties_prepare(stress *s, double steps);
void stress_ties_march(stress *s, double steps);

/* What solids add to RᵀWR of the bodies in flight that they are frozen into, and to RᵀWx, x being their guess; takes
   the modes off that. */
void stress_weigh_solids(stress *s);
void stress_measure_solids(stress *s);
void stress_take_solids(const stress *s);

/* Finds the bodies in flight. */
void stress_find_bodies(stress *s);
/* Takes their rigid motions off x of the finest level. */
void stress_deflate(stress *s);

/* What the next step has left of the pressure, from û* + the change; nothing without one (bulk.c). Spoils p, push. */
void stress_press(stress *s, const field velocity[3]);

/* Labels the samples of the finest level by the lumps that they are in, and counts these (lumps_find.c). */
void stress_label_lumps(stress *s);

/* Finds lumps that touch; x += their rigid motions by the residual in t, on the finest level. */
void stress_find_lumps(stress *s);
void stress_move_lumps(stress *s);

/* Prepares the direct solver of the coarsest level; uses it. */
void stress_factor(stress *s);
void stress_solve_coarsest(stress *s);

/* x = M b on the finest level: one V-cycle. */
void stress_cycle(stress *s);

/* Whether the diagonal D is enough for M; x = D⁻¹b on the finest level (weak.c). */
bool stress_is_weak(const stress *s);
void stress_divide(const stress *s);

/* Copies the outermost samples to the ghosts on the other side, on periodic axes. */
void stress_wrap_cells(const stress_level *l, float *f);
void stress_wrap(const stress_level *l, const stress_vector *v);
void stress_wrap_exact(const stress_level *l, double *const v[3]);

/* out = BᵀKB u for component a of a run. */
void stress_force(const stress_level *l, const stress_vector *u, int a, const stress_run *run, float *restrict out);

/* The same on the finest level for û* + the change, in double precision; û* is in p. */
void stress_force_exact(const stress *s, int a, const stress_run *run, double *out);

typedef void (*stress_work)(void *context, const stress_level *l, const stress_run *run, int index);
/* Does `work` for every run. */
void stress_for_runs(const stress_level *l, stress_work work, void *context);

#endif
