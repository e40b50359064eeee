/* Rigid bodies in the system of the pressure: (A + C K Cᵀ) p = b, C what each body sweeps out of the cells per unit of
   its velocity, K the inverse masses M⁻¹ less what active contacts and joints J take off them:

     K = M⁻¹ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹.

   Light bodies spoil the multigrid of A alone: each adds six eigenvalues of about 1 + the density of the fluid over
   that of the body. They are deflated (Nicolaides 1987), in the variant A-DEF2 of Tang, Nabben, Vuik and Erlangga
   (2009), which rounding does not harm. W has, for each degree of freedom of a light body, the field with A W = C
   around the body, and zero farther away; and for every closed part of the fluid that bodies can compress, 1 there.

     z = V r + W E⁻¹ Wᵀ (r − (A + C K Cᵀ) V r),   E = Wᵀ (A + C K Cᵀ) W,   V the V-cycle;   Wᵀ r = 0 at the start.

   Limits: 64 closed parts; the pushes into others are left out. Where bodies crowd so that there is no room for what
   couples them, some are not deflated, which costs iterations. */
#ifndef FR_GRID_POISSON_MOVERS_MOVERS_H
#define FR_GRID_POISSON_MOVERS_MOVERS_H

#include "grid/poisson/parts.h"
#include "linalg/envelope.h"

enum { MOVERS_LANES = 8, MOVERS_POCKETS = 64, MOVERS_PIECE = 1024 };

typedef float movers_half __attribute__((vector_size(16), aligned(4), may_alias));
typedef double movers_double __attribute__((vector_size(64), aligned(8), may_alias));

/* The entries of a body are cells, those that it pushes before the others. Its degrees of freedom are lanes: 4 or 8
   numbers side by side. */
typedef struct movers_one {
    int dofs, dof[6], lanes;
    double inverse[6][6];          /* as in poisson_body, by lanes */
    int first, pushes;             /* entries: its first one, and how many it pushes */
    int inner, count;              /* … how many have W, and how many A W; without a field 0 and `pushes` */
    int pushed;                    /* its first one among the pushed cells */
    int again, agains;             /* which of its entries are in cells that bodies before it have as well */
    int pair, touch, row;          /* the first of its lists; −1: none */
    int column;                    /* of its first field in the space */
    double middle;                 /* cells, along the longest axis */
} movers_one;

/* What A needs in a cell, and the entries of the same body beside it: itself where there is none. */
typedef struct movers_stencil {
    int32_t near[6];
    float weight[6], extra, over;  /* over: 1 / diagonal */
} movers_stencil;

/* The equation of a pushed cell: slots beside it, its own where a face is closed, and w; its pocket, or −1. */
typedef struct movers_cell {
    int near[6];
    float weight[6], extra;
    int number, pocket;            /* number: i + n_x (j + n_y k) */
} movers_cell;

/* How the fields of a body feel the pushes of a body, the same one or another. By lanes. */
typedef struct movers_pair {
    int field, next;               /* the body with the fields; the next pair of the body that pushes */
    double push[6][6];             /* Cᵀ W */
    double product[6][6];          /* Wᵀ A W, the W on the left that of the body that pushes */
} movers_pair;

/* What a body sweeps out of a pocket, a closed part of the fluid: Cᵀ 1 there, by lanes. */
typedef struct movers_touch {
    int pocket, next;
    double sum[6];
} movers_touch;

/* Entries [begin, end) of a body, counted from its first: what a thread does at once. */
typedef struct movers_piece {
    int body, begin, end;
} movers_piece;

/* How much there is room for, or how much of it is used. */
typedef struct movers_room {
    int bodies, rows, pushed, items, entries, pieces, pairs, touches, columns;
    size_t space, held;            /* numbers in the envelopes */
} movers_room;

/* What is to be put into order along the domain. */
typedef struct movers_node {
    double middle;
    int what;
} movers_node;

/* A column of the space, and how it moves the body at hand. */
typedef struct movers_attached {
    int column;
    double lanes[6];
} movers_attached;

typedef struct movers_pockets {
    int number[MOVERS_POCKETS];    /* of the closed components that bodies touch */
    int count, springy;            /* how many; those that bodies can compress have a column in the space */
    int column[MOVERS_POCKETS];    /* −1: none */
    int nulls;                     /* combinations of pockets whose constants the system does not see */
    double null[MOVERS_POCKETS][MOVERS_POCKETS];
} movers_pockets;

struct movers {
    movers_room most, used;
    movers_one *one;
    int *slot;                     /* entries: slots of colour 0, behind them those of colour 1 */
    int *before;                   /* … the entry before it that is the same cell; −1: none */
    int *again;                    /* the entries that have one */
    movers_stencil *stencil;
    float *field, *product;        /* … W and A W; the lanes of an entry begin at MOVERS_LANES·first + lanes·… */
    float *push;                   /* pushed cells: C, likewise */
    movers_cell *cell;             /* … its equation */
    int *leader;                   /* … the first pushed cell that is the same cell */
    double *right, *load;          /* … b, and C K Cᵀ x at leaders */
    movers_piece *piece;
    double *partial;               /* pieces: two sums by lanes */
    movers_pair *pair;
    movers_touch *touch;
    movers_pockets pockets;
    double *pocket_sum;            /* items of the finest level: a sum for each pocket */

    const poisson_row *row;
    int *next_row[2];              /* rows: the next of the same body, on either side */
    int *row_place, *row_column;   /* rows: in `held` and in the space */
    envelope held;                 /* J M⁻¹ Jᵀ */
    double *hold;                  /* rows */
    envelope space;                /* E, with an unknown for each row */
    double *answer;                /* columns of the space */
    double *floor;                 /* columns: least pivots */
    double *along;                 /* … Wᵀ r */
    movers_node *node;             /* columns: scratch */
    movers_attached *attached;     /* columns: scratch */
    double *force, *motion;        /* bodies: Cᵀ v, and K of it; by lanes */
    float *factor;                 /* bodies: by lanes */
    void *memory;
};

/* Where a slot is. */
typedef struct movers_place {
    int at[3], colour;
    ptrdiff_t slot;                /* of its colour */
} movers_place;

/* Room for so many bodies, rows and pushed cells, on a finest level with so many items. */
typedef struct movers_want {
    int bodies, rows, pushed, items;
} movers_want;
size_t movers_bytes(const movers_want *want);
fr_result movers_create(const movers_want *want, movers **out);
void movers_destroy(movers *b);
/* The most entries of a body with so many pushed cells. */
int movers_quota(int pushes);
/* The slot beyond an open face, 2·axis + 1 for the high one. */
int movers_beyond(const lattice *l, const movers_place *p, int face);
/* w of a face. */
float movers_weight(const lattice *l, const movers_place *p, int face);
/* How many layers of cells around them its fields reach. */
int movers_layers(int pushes);

/* Steps of poisson_set_bodies, in this order. */
void movers_take(poisson *s, const poisson_body *from, int count);   /* cells, pushes and pockets */
void movers_reach(poisson *s);                                       /* the cells around them */
void movers_solve_fields(movers *b);
void movers_pair_up(poisson *s);                                     /* what couples them */
/* … and of poisson_set_rows. The first returns how many rows there is room for. */
int movers_hold(movers *b, const poisson_row *rows, int count);
void movers_find_nulls(movers *b);
void movers_make_space(movers *b);

/* Bodies whose motion the pressure changes by less than this share need no fields: Cᵀ W is about the mass of the fluid
   that they carry along, and K one over their own. Ten bodies of 1.1 and 2.5 times the fluid's density at 64³ then take
   7 and 7 iterations; with 0.3 9 and 7, without any fields 12 and 9. */
#define MOVERS_LEAST 0.1

/* Takes the fields off a body because there is no room for what couples them, or no need of them. */
void movers_give_up(movers_one *one);

/* motion = K force. */
void movers_move(movers *b);

/* The rows of a body are a list of 2·row + side. */
static inline int movers_next_row(const movers *b, int at) { return b->next_row[at % 2][at / 2]; }
double movers_row_middle(const movers *b, int row);
int movers_by_middle(const void *a, const void *b);

/* A row by the lanes of its body; 0 in those that the body does not have. */
static inline void movers_row_lanes(const movers *b, const movers_one *one, int at, double to[6])
{
    for (int d = 0; d < 6; d++)
        to[d] = d < one->dofs ? b->row[at / 2].row[at % 2][one->dof[d]] : 0;
}

/* to = M⁻¹ force of one body. */
static inline void movers_inverse(const movers_one *one, const double *force, double *to)
{
    for (int d = 0; d < one->dofs; d++) {
        double sum = 0;
        for (int c = 0; c < one->dofs; c++)
            sum += one->inverse[d][c] * force[c];
        to[d] = sum;
    }
}

/* The pocket of a cell by its stored extra; −1: none. */
int movers_pocket_of(const movers_pockets *p, float e);
/* Of the means of the closed components, those of pockets: only what the system does not see is left of them. `count`:
   cells of each. */
void movers_keep_nulls(const movers *b, double *mean, const double *count);
void movers_sum_pockets(const poisson *s, const float *v, double sum[MOVERS_POCKETS]);
/* The same in parts: each strip, in a pass that does other things as well, and the total. */
void movers_begin_sums(const poisson *s);
void movers_sum_strip(const poisson *s, const float *v, const lattice_strip *strip);
void movers_total_pockets(const poisson *s, double sum[MOVERS_POCKETS]);
/* Adds a number to all cells of each pocket, of one vector or the other. */
void movers_add_pockets(const poisson *s, const double *add, float *to, double *to_double);

/* Columns of the space. From Cᵀ W and numbers of bodies, by lanes: to −= Gᵀ motion, force = G from. */
void movers_push_space(movers *b, double *to);
void movers_pushed_by_space(movers *b, const double *from);
/* Those of fields from numbers of bodies, 0 in the others; the other way, `factor` times, for bodies and for pockets.
 */
void movers_take_columns(const movers *b, const double *lanes, double *columns);
void movers_give_columns(const movers *b, const double *columns, double factor, double *lanes);
void movers_give_pockets(const movers *b, const double *columns, double factor, double pocket[MOVERS_POCKETS]);

/* Passes. Sums over cells and factors are by bodies and lanes; slots are counted from of[0]. */
typedef enum movers_kind { MOVERS_PUSH, MOVERS_FIELD, MOVERS_PRODUCT } movers_kind;
typedef struct movers_views {
    const float *field, *product;  /* what is multiplied by W and by A W */
} movers_views;
void movers_gather_pushes(movers *b, const float *v, double *to);
void movers_gather_fields(movers *b, const movers_views *v, double *field, double *product);
void movers_add(movers *b, movers_kind kind, const double *factor, float *to);
/* Cᵀ x, x += W factor and load = C factor in double. */
void movers_gather_solution(movers *b, const double *x, double *to);
void movers_add_solution(movers *b, const double *factor, double *x);
void movers_make_load(movers *b, const double *factor);

/* columns = Wᵀ r; leaves (A W)ᵀ z, by bodies and lanes, in `motion`. */
void movers_project(poisson *s, double *columns);

/* CG's part. z += W E⁻¹ Wᵀ (r − (A + C K Cᵀ) z), returns z·r given that of before. */
double movers_deflate(poisson *s, double zr);
/* q += C K Cᵀ p, returns pᵀ C K Cᵀ p. */
double movers_apply(poisson *s);
/* The true residual, given that of A; with Wᵀ r = 0, for which x changes. `fresh`: the first one of a solve. */
pcg_norms movers_residual(poisson *s, const double *mean, bool fresh);

static inline bool movers_present(const movers *b) { return b && b->used.bodies > 0; }

static inline const float *movers_lanes(const movers *b, movers_kind kind, const movers_one *one)
{
    const float *of = kind == MOVERS_PUSH ? b->push : kind == MOVERS_FIELD ? b->field : b->product;
    return of + (ptrdiff_t)MOVERS_LANES * (kind == MOVERS_PUSH ? one->pushed : one->first);
}

/* The lanes of an entry, with zeros behind four, and back. `lanes` is a constant where it matters. */
WIDE_INLINE wide movers_load(const float *from, const int lanes)
{
    if (lanes == MOVERS_LANES)
        return wide_load(from);
    const movers_half half = *(const movers_half *)from;
    return __builtin_shufflevector(half, (movers_half){0}, 0, 1, 2, 3, 4, 5, 6, 7);
}

WIDE_INLINE void movers_store(float *to, wide v, const int lanes)
{
    if (lanes == MOVERS_LANES)
        wide_store(to, v);
    else
        *(movers_half *)to = __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

/* The same in double. */
WIDE_INLINE movers_double movers_load_double(const float *from, const int lanes)
{
    return __builtin_convertvector(movers_load(from, lanes), movers_double);
}

/* How many entries of a body have something of a kind. */
static inline int movers_entries(movers_kind kind, const movers_one *one)
{
    return kind == MOVERS_PUSH ? one->pushes : kind == MOVERS_FIELD ? one->inner : one->inner ? one->count : 0;
}

static inline movers_place movers_place_of(const lattice *l, int slot)
{
    const int colour = slot >= l->slots, own = slot - colour * (int)l->slots, row = (int)l->row;
    const int k = l->deep ? own / (int)l->plane : 0, in_plane = own - k * (int)l->plane, j = in_plane / row;
    return (movers_place){{2 * (in_plane - j * row) + lattice_parity(colour, j, k), j, k}, colour, own};
}

#endif
