/* Symmetric positive semidefinite matrices in double precision, stored by rows from the first entry that is not 0 to
   the diagonal, and their Cholesky factors, which fit into the same envelope (Jennings 1966; George and Liu, Computer
   Solution of Large Sparse Positive Definite Systems, 1981, chapter 4). */
#ifndef FR_LINALG_ENVELOPE_H
#define FR_LINALG_ENVELOPE_H

#include <stddef.h>

typedef struct envelope {
    int n;
    int *first;            /* n: column of the first entry of each row, at most its own */
    ptrdiff_t *row;        /* n: where a row would have its column 0 */
    double *value;         /* the lower triangle; after envelope_factor that of the factor */
    double *inverse;       /* n: 1 / diagonal of the factor; 0: left out. Made by envelope_factor */
} envelope;

/* Works out `row` from `first`; returns the number of entries. */
size_t envelope_lay_out(envelope *e);

/* Entry (i, j), j ≤ i, inside the envelope. */
static inline double *envelope_at(const envelope *e, int i, int j) { return e->value + e->row[i] + j; }

/* A = L Lᵀ. Unknowns whose pivot is not above `floor` are left out: they are taken for combinations of those before. */
void envelope_factor(envelope *e, const double *floor);

/* x = A⁻¹ x; 0 for unknowns that were left out. */
void envelope_solve(const envelope *e, double *x);

#endif
