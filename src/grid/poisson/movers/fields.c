/* The fields W of light bodies: A W = C solved around each body by over-relaxation, with W = 0 farther away. They need
   not be good: what of a body's motion they miss counts with the square of the error. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_stencil.h"

/* Sweeps for each layer, an even number, and by how much they are overdone. */
enum { FIELDS_SWEEPS = 4 };
static const float FIELDS_OVERDO = 1.5f;

/* The fields of one body. */
typedef struct fields_work {
    const movers_one *one;
    const movers_stencil *stencil;
    const float *push;
    float *field, *product;
} fields_work;

static fields_work fields_of(movers *b, const movers_one *one)
{
    return (fields_work){one, b->stencil + one->first, movers_lanes(b, MOVERS_PUSH, one),
                         b->field + (ptrdiff_t)MOVERS_LANES * one->first,
                         b->product + (ptrdiff_t)MOVERS_LANES * one->first};
}

LATTICE_INLINE void fields_relax(const fields_work *w, int entry, const int lanes)
{
    const movers_stencil *st = &w->stencil[entry];
    float *to = w->field + (ptrdiff_t)lanes * entry;
    const wide own = movers_load(to, lanes);
    wide sum = {0};
    if (entry < w->one->pushes)
        sum = movers_load(w->push + (ptrdiff_t)lanes * entry, lanes);
    for (int face = 0; face < 6; face++)
        sum += st->weight[face] * movers_load(w->field + (ptrdiff_t)lanes * st->near[face], lanes);
    movers_store(to, own + FIELDS_OVERDO * (sum * st->over - own), lanes);
}

LATTICE_INLINE void fields_multiply(const fields_work *w, int entry, const int lanes)
{
    const movers_stencil *st = &w->stencil[entry];
    const wide own = movers_load(w->field + (ptrdiff_t)lanes * entry, lanes);
    wide sum = st->extra * own;
    for (int face = 0; face < 6; face++)
        sum += st->weight[face] * (own - movers_load(w->field + (ptrdiff_t)lanes * st->near[face], lanes));
    movers_store(w->product + (ptrdiff_t)lanes * entry, sum, lanes);
}

LATTICE_INLINE void fields_solve(const fields_work *w, const int lanes)
{
    memset(w->field, 0, (size_t)w->one->count * (size_t)lanes * sizeof *w->field);
    for (int sweep = 0; sweep < FIELDS_SWEEPS * movers_layers(w->one->pushes); sweep += 2) {
        for (int entry = 0; entry < w->one->inner; entry++)
            fields_relax(w, entry, lanes);
        for (int entry = w->one->inner - 1; entry >= 0; entry--)
            fields_relax(w, entry, lanes);
    }
    for (int entry = 0; entry < w->one->count; entry++)
        fields_multiply(w, entry, lanes);
}

/* Cᵀ W and Wᵀ A W of the body itself. */
LATTICE_INLINE void fields_measure(const fields_work *w, movers_pair *pair, const int lanes)
{
    enum { MOST = 6 };
    const int count = lanes < MOST ? lanes : MOST;
    movers_double push[MOST] = {{0}}, product[MOST] = {{0}};
    for (int entry = 0; entry < w->one->inner; entry++) {
        const ptrdiff_t at = (ptrdiff_t)lanes * entry;
        const movers_double field = movers_load_double(w->field + at, lanes);
        const movers_double of_field = movers_load_double(w->product + at, lanes);
        for (int a = 0; a < count; a++)
            product[a] += (double)w->field[at + a] * of_field;
        for (int a = 0; a < count && entry < w->one->pushes; a++)
            push[a] += (double)w->push[at + a] * field;
    }
    for (int a = 0; a < w->one->dofs; a++)
        for (int c = 0; c < w->one->dofs; c++) {
            pair->push[a][c] = push[a][c];
            pair->product[a][c] = product[a][c];
        }
}

static void fields_share(void *context, int begin, int end)
{
    movers *b = context;
    for (int n = begin; n < end; n++) {
        const fields_work w = fields_of(b, &b->one[n]);
        if (w.one->inner && w.one->lanes == MOVERS_LANES) {
            fields_solve(&w, MOVERS_LANES);
            fields_measure(&w, &b->pair[w.one->pair], MOVERS_LANES);
        } else if (w.one->inner) {
            fields_solve(&w, MOVERS_LANES / 2);
            fields_measure(&w, &b->pair[w.one->pair], MOVERS_LANES / 2);
        }
    }
}

/* Whether the fields are worth having. */
static bool fields_matter(const movers *b, const movers_one *one)
{
    double most = 0;
    for (int d = 0; d < one->dofs; d++) {
        const double share = b->pair[one->pair].push[d][d] * one->inverse[d][d];
        most = share > most ? share : most;
    }
    return most >= MOVERS_LEAST;
}

void movers_solve_fields(movers *b)
{
    int64_t entries = 0;
    for (int n = 0; n < b->used.bodies; n++) {
        movers_one *one = &b->one[n];
        entries += one->inner;
        if (one->inner) {
            one->pair = b->used.pairs++;
            b->pair[one->pair] = (movers_pair){.field = n, .next = -1};
        }
    }
    if (entries)
        threads_for_cost(b->used.bodies, entries * FIELDS_SWEEPS * 20 / b->used.bodies, fields_share, b);
    for (int n = 0; n < b->used.bodies; n++) {
        movers_one *one = &b->one[n];
        if (one->inner && !fields_matter(b, one))
            movers_give_up(one);
    }
}
