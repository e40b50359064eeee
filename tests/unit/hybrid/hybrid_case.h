/* A domain with faces, parcels and what transfers need, for tests. */
#ifndef TESTS_UNIT_HYBRID_CASE_H
#define TESTS_UNIT_HYBRID_CASE_H

#include "base/vec.h"
#include "grid/halo.h"
#include "hybrid/level_set.h"
#include "hybrid/seed.h"
#include "hybrid/transfer.h"
#include "support/check.h"

typedef struct hybrid_case {
    domain d;
    parcels p;
    transfer t;
    field velocity[3], weight[3];
    field phi;
} hybrid_case;

typedef double (*hybrid_function)(const double x[3], int axis); /* x in cells */

static inline hybrid_case hybrid_case_make(domain d, parcels_kind kind)
{
    hybrid_case c = {.d = d};
    assert_ok(parcels_create(&d, kind, &c.p));
    assert_ok(transfer_create(&d, &c.t));
    assert_ok(field_create(&d, FR_AT_CELL, &c.phi));
    for (int a = 0; a < d.dims; a++) {
        assert_ok(field_create(&d, field_face(a), &c.velocity[a]));
        assert_ok(field_create(&d, field_face(a), &c.weight[a]));
    }
    return c;
}

static inline void hybrid_case_free(hybrid_case *c)
{
    parcels_destroy(&c->p);
    transfer_destroy(&c->t);
    field_destroy(&c->phi);
    for (int a = 0; a < c->d.dims; a++) {
        field_destroy(&c->velocity[a]);
        field_destroy(&c->weight[a]);
    }
}

static inline domain hybrid_box(int dims, int n)
{
    return (domain){.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .h = {0.1, 0.1, dims == 3 ? 0.1 : 1}};
}

/* Sets a field, ghosts included, to a function of the place in cells. */
static inline void hybrid_set(const domain *d, field *f, hybrid_function function)
{
    int axis = field_axis(f), deep = d->dims == 3 ? GHOST : 0;
    for (int k = -deep; k < f->size[2] + deep; k++)
        for (int j = -GHOST; j < f->size[1] + GHOST; j++)
            for (int i = -GHOST; i < f->size[0] + GHOST; i++) {
                double x[3] = {i + 0.5, j + 0.5, k + 0.5};
                if (axis >= 0)
                    x[axis] -= 0.5;
                field_row(f, j, k)[i] = (float)function(x, axis);
            }
}

/* Fills φ < 0 with parcels of one velocity, and sorts them. */
static inline void hybrid_seed(hybrid_case *c, const float velocity[3])
{
    seed s = {.surface = &c->phi, .along = 2, .velocity = {velocity[0], velocity[1], velocity[2]}, .seed = 7};
    assert_ok(seed_fill(&s, &c->p));
    parcels_sort(&c->p);
}

/* Gives each parcel the function's velocity at its place. */
static inline void hybrid_give(hybrid_case *c, hybrid_function function)
{
    for (int64_t n = 0; n < c->p.count; n++)
        for (int a = 0; a < c->d.dims; a++)
            c->p.v[a][n] = (float)function((double[3]){c->p.x[0][n], c->p.x[1][n], c->p.x[2][n]}, a);
}

static inline int64_t hybrid_to_grid(hybrid_case *c)
{
    return transfer_to_grid(&c->t, &c->p, &(transfer_faces){.velocity = c->velocity, .weight = c->weight});
}

#endif
