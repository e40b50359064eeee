/* Parcels of liquid: particles that carry momentum through a staggered grid (PIC, FLIP, APIC), or massless markers.

   Places are in cells from the domain's low corner, so that a float resolves 1e-5 of a cell on any domain of 128 cells,
   whatever its size in metres. Plain arrays, sorted by cell now and then: the order may be some steps old, it serves
   locality and lets slabs of layers be worked on side by side (hybrid/slabs.h). */
#ifndef FR_HYBRID_PARCELS_H
#define FR_HYBRID_PARCELS_H

#include "grid/domain.h"

typedef enum parcels_kind {
    PARCELS_MARKERS, /* places alone (Harlow & Welch 1965) */
    PARCELS_FLIP,    /* and velocities */
    PARCELS_APIC     /* and the velocity's gradient */
} parcels_kind;

typedef struct parcels {
    domain d;
    parcels_kind kind;
    int64_t count, room; /* `count` includes those gone since the last sort */
    int64_t gone;
    int64_t kept_count, kept_gone; /* when parcels_keep was called */
    bool moved;                    /* since then */
    float *x[3];    /* cells; z = 0.5 in 2D */
    float *v[3];    /* m/s, one per axis of the domain; NULL: markers */
    float *c[3][3]; /* APIC, c[a][b]: change of v[a] per cell along axis b, m/s */

    int slow, mid;  /* axes: cells are numbered with x fastest, then `mid`, then `slow`, the longer of both */
    int64_t sorted; /* how many of the first parcels are in the order of the last sort */
    int age;        /* steps since that */
    int32_t *layer; /* begin of each layer of cells across `slow`, by that order */
    int32_t *start; /* begin of each cell, right after a sort; scratch at other times */

    float *spare[3]; /* places before a move that parcels_put_back undoes; scratch of the sort, which reorders three
                        arrays at a time */
    int32_t *list;              /* scratch, one per parcel */
    int32_t *order;             /* scratch of near_surface.c, one per 16 parcels */
    int32_t *tally;             /* scratch of the sort: parcels of each chunk in each layer */
    int32_t *strays;            /* scratch of slabs.c: how many each slab has */
    int32_t *row_come, *row_go; /* scratch, one per row of cells along x */
} parcels;

fr_result parcels_create(const domain *d, parcels_kind kind, parcels *out);
void parcels_destroy(parcels *p);

/* Makes room for at least `room` parcels. Grows by half or more; keeps what is there. */
fr_result parcels_reserve(parcels *p, int64_t room);

/* Bytes of one parcel with all scratch. */
size_t parcels_bytes(parcels_kind kind, int dims);
/* Bytes of one in a snapshot. */
size_t parcels_saved_bytes(parcels_kind kind, int dims);

/* Parcels that are still there. */
static inline int64_t parcels_alive(const parcels *p)
{
    return p->count - p->gone;
}

/* Whether parcel n is still there. One that is removed keeps its place in the arrays until the next sort. */
static inline bool parcels_has(const parcels *p, int64_t n)
{
    return p->x[p->slow][n] >= 0;
}
void parcels_remove(parcels *p, int64_t n);

/* Appends a parcel, behind those sorted. There must be room. `v` may be NULL: at rest. */
void parcels_add(parcels *p, const float x[3], const float v[3]);

/* The number of a cell in the order of the sort. */
static inline int64_t parcels_cell(const parcels *p, const int cell[3])
{
    return cell[0] + (int64_t)p->d.n[0] * (cell[p->mid] + (int64_t)p->d.n[p->mid] * cell[p->slow]);
}

/* The cell of a parcel that is there. */
static inline void parcels_cell_of(const parcels *p, int64_t n, int cell[3])
{
    for (int a = 0; a < 3; a++) {
        int i = (int)p->x[a][n];
        cell[a] = i < p->d.n[a] ? i : p->d.n[a] - 1;
    }
}

/* Keeps the parcels as they are, until the next sort; and puts them back. Between the two they may be removed and
   added; move once by transfer_move_from, which leaves the places before; then move again, leave and be added. What
   they carry must not change. */
void parcels_keep(parcels *p);
void parcels_put_back(parcels *p);

/* Sorts by cell and drops those gone. Stable: within a cell the order stays. */
void parcels_sort(parcels *p);

/* Whether a sort would pay: many parcels are far from where they were at the last one, new, or gone. `strays` is what
   the last transfer to the grid has counted. */
bool parcels_want_sort(const parcels *p, int64_t strays);

/* The end of a step: sorts if that would pay, or the order is `oldest` steps old. */
void parcels_age(parcels *p, int64_t strays, int oldest);

/* Goes on with parcels, layers, `sorted` and `age` that were read: counts those gone, and sorts if the order was new.
   Says whether the layers can be. */
bool parcels_resume(parcels *p);

#endif
