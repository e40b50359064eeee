/* Internals of the tensor solver: matrices of 9 (3D: 19) cells on a block, stored as links between cells,

     (A x)_i = Σ_j a_ij (x_i − x_j) + e_i x_i,     a_ij = a_ji of either sign,

   each stored once, with the lower of its two cells. Differences are taken before products, so constants cancel
   exactly.

   Rows have room for one cell beyond either end, a copy of the other end where the axis is periodic; rows and layers
   wrap round by index. Where an axis is not periodic, the links across its ends are 0. */
#ifndef FR_GRID_TENSOR_PARTS_H
#define FR_GRID_TENSOR_PARTS_H

#include "grid/tensor/tensor.h"
#include "linalg/multigrid.h"
#include "linalg/pcg.h"

enum { TENSOR_LINKS = 9, TENSOR_LEVELS = 65, TENSOR_ALONG_LINE = 2, TENSOR_PAD = 8, TENSOR_LEAST_REACH = 2 };

typedef struct tensor_shape {
    int dims, n[3];
    bool wraps[3], fixed[6];
    double last[3]; /* length of the last cell along each axis, in units of the others: < 1 if one had no partner */
    ptrdiff_t row;           /* floats from one row to the next */
    size_t count;            /* floats of an array */
} tensor_shape;

tensor_shape tensor_shape_of(const domain *d);
/* Half the cells along the axis, rounded up: a last cell without a partner stays alone. */
tensor_shape tensor_shape_halved(const tensor_shape *s, int axis);
static inline int tensor_rows(const tensor_shape *s) { return s->n[1] * s->n[2]; }
static inline int tensor_links(const tensor_shape *s) { return s->dims == 3 ? TENSOR_LINKS : 4; }
static inline int tensor_next(int i, int n) { return i + 1 < n ? i + 1 : 0; }
static inline int tensor_last(int i, int n) { return i > 0 ? i - 1 : n - 1; }
static inline ptrdiff_t tensor_at(const tensor_shape *s, int j, int k) { return s->row * (j + (ptrdiff_t)s->n[1] * k); }

/* Hands out pieces of a block of memory whose size was computed before. */
typedef struct tensor_memory {
    float *next;
} tensor_memory;

float *tensor_take(tensor_memory *memory, const tensor_shape *s);
/* One number for every cell next to a side of an axis. */
size_t tensor_side_floats(const tensor_shape *s, int axis);
float *tensor_take_side(tensor_memory *memory, const tensor_shape *s, int axis);

/* Writes the cells beyond both ends of a row. */
static inline void tensor_close_row(const tensor_shape *s, float *row)
{
    row[-1] = s->wraps[0] ? row[s->n[0] - 1] : 0;
    row[s->n[0]] = s->wraps[0] ? row[0] : 0;
}

typedef struct tensor_matrix {
    tensor_shape shape;
    float *link[TENSOR_LINKS], *extra;
    float *share[3];         /* open share of the low face of each cell; undefined on sides */
    float *side[6]; /* the part of `extra` from a fixed side, per cell next to it, the lower of the other axes
                       fastest */
} tensor_matrix;

extern const int tensor_link_offset[TENSOR_LINKS][3];

/* number·(−∇·F) + extra, with F of tensor.h. `work` needs room for 3 arrays, 6 in 3D; the shares stay there. */
void tensor_matrix_set(tensor_matrix *m, const tensor *t, double number, const field *extra, tensor_memory work);
/* out = A x in the cells [begin, end) of a row. */
void tensor_apply_row(const tensor_matrix *m, const float *restrict x, int j, int k, int begin, int end,
                      float *restrict out);
/* The matrix of cells twice as long along the axis: the same as a discretisation there, if coefficients vary slowly.
   The arrays and the shape of `to` must be set. */
void tensor_coarsen(const tensor_matrix *from, int axis, tensor_matrix *to);
/* mean[0], mean[2]: mean link along the first and third axes. mean[1]: mean ratio of the larger of these two to the
   link along the second axis. 0 where there are none. `partial`: 6 numbers per row. */
void tensor_couplings(const tensor_matrix *m, double *partial, double mean[3]);

/* Transfer between a grid and the one with half the cells along one axis. */
typedef struct tensor_step {
    int axis;
    tensor_shape fine, coarse;
    const float *share;      /* of the faces across the axis, on the coarse grid */
} tensor_step;

void tensor_restrict(const tensor_step *s, const float *fine, float *coarse);
void tensor_prolong(const tensor_step *s, const float *coarse, float *fine, bool add);

typedef struct tensor_level {
    tensor_matrix m;
    float *pivot, *lower;    /* D⁻¹ and L of the lines; a pivot of 0: the cell is inactive */
    float *ring, *root;      /* closes periodic lines (lines.c); NULL without them */
    float *x, *r, *work;
    double reach;            /* largest eigenvalue of B⁻¹A that the smoother is made for */
    int steps;               /* halvings towards the next level */
    tensor_step step[3];
    float *between[2];       /* vectors on the intermediate grids after the first steps */
} tensor_level;

/* Cells [begin, end) of a row that belong to a pool: a closed component (pools.c). */
typedef struct tensor_run {
    int32_t j, k, begin, end, pool;
} tensor_run;

typedef struct tensor_pools {
    int runs, count, room;
    tensor_run *run;
    int32_t *mark;
    double *sum, *cells;     /* per pool */
} tensor_pools;

/* Finds the pools of the finest matrix; `first` has room for an int per row and one more. Allocates only for more runs
   than ever before. */
fr_result tensor_pools_find(tensor_pools *p, const tensor_matrix *m, const float *pivot, int *first);
void tensor_pools_free(tensor_pools *p);
/* Removes the mean of each pool. */
void tensor_pools_level(tensor_pools *p, const tensor_shape *s, float *values);

struct tensor_solver {
    tensor_shape shape;
    int levels;
    tensor_level level[TENSOR_LEVELS];
    float *block, *work;     /* memory of the levels; of the finest level's vectors, shared with the set-up */
    float *p, *q, *b;
    double *solution, *x;    /* memory of the solution; the solution in its first cell */
    double *partial;         /* 6 per row */
    int *first_run;          /* one per row and one more: for finding pools */
    tensor_pools pools;
    pcg_norms right;
};

/* work = r − A x in the cells [begin, end) of a row; or in the rows [begin, end), including their ends. */
void tensor_residual_row(tensor_level *l, int j, int k, int begin, int end);
void tensor_residual_rows(tensor_level *l, int begin, int end);
/* Restricts the residual over the first step. */
void tensor_restrict_residual(tensor_level *l, float *coarse);

/* Line relaxation (lines.c). start: x = weight B⁻¹ r; add: x += weight B⁻¹ (r − A x). Overwrites `work`, and may swap
   it with x. */
void tensor_lines_set(tensor_level *l);
void tensor_lines_start(tensor_level *l, float weight);
void tensor_lines_add(tensor_level *l, float weight);

void tensor_cycle(tensor_solver *s);

#endif
