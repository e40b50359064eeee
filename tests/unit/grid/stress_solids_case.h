/* Balls in a liquid, for the tests of the solids in grid/stress. */
#ifndef TESTS_GRID_STRESS_SOLIDS_CASE_H
#define TESTS_GRID_STRESS_SOLIDS_CASE_H

#include "stress_case.h"

enum { BALLS_MOST = 32 };

typedef struct balls_case {
    stress_case c;
    int count;
    case_ball ball[BALLS_MOST];
    double density[BALLS_MOST]; /* over that of the liquid */
    field distance;
    uint8_t *marks[3];
    stress_solids solids;
} balls_case;

static inline double balls_nearest(const void *context, const double x[3])
{
    const balls_case *b = context;
    double nearest = 1e9;
    for (int i = 0; i < b->count; i++)
        nearest = fmin(nearest, case_ball_distance(&b->ball[i], x));
    return nearest;
}

static inline int balls_owner(const balls_case *b, const double x[3])
{
    int owner = 0;
    for (int i = 1; i < b->count; i++)
        if (case_ball_distance(&b->ball[i], x) < case_ball_distance(&b->ball[owner], x))
            owner = i;
    return owner;
}

/* Room for one more, and a box with free slip on all sides, as case_create has it. */
static inline void balls_add(balls_case *b, const double middle[3], double radius, double density)
{
    case_ball *to = &b->ball[b->count];
    for (int a = 0; a < 3; a++)
        to->middle[a] = middle[a];
    to->radius = radius;
    b->density[b->count++] = density;
}

static inline void balls_weigh(balls_case *b)
{
    const double pi = acos(-1);
    for (int i = 0; i < b->count; i++) {
        const double r = b->ball[i].radius, flat = pi * r * r, round = 4 * flat * r / 3;
        stress_solid *to = &b->solids.of[i];
        *to = (stress_solid){.mass = b->density[i] * (b->c.d.dims == 3 ? round : flat)};
        for (int a = 0; a < 3; a++) {
            to->centre[a] = b->ball[i].middle[a];
            to->inertia[a][a] = (b->c.d.dims == 3 ? 0.4 : 0.5) * to->mass * r * r;
        }
    }
}

/* The faces whose middles lie in the balls; those on the sides belong to the sides. */
static inline void balls_hold(balls_case *b)
{
    for (int a = 0; a < b->c.d.dims; a++) {
        const field *f = &b->c.velocity[a];
        int at[3];
        b->marks[a] = test_calloc(f->count, 1);
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3];
                    case_position(&b->c, f, at, x);
                    if (balls_nearest(b, x) > 0)
                        continue;
                    b->marks[a][field_row(f, at[1], at[2]) + at[0] - f->block] = DIFFUSION_FIXED;
                    if (at[a] == b->c.d.n[a] || (at[a] == 0 && !b->c.d.periodic[a]))
                        continue;
                    const stress_faces row = {
                        .solid = balls_owner(b, x), .axis = a, .first = {at[0], at[1], at[2]}, .count = 1};
                    stress_faces *last = &b->solids.faces[b->solids.row_count - (b->solids.row_count > 0)];
                    if (b->solids.row_count > 0 && last->solid == row.solid && last->axis == a &&
                        last->first[0] + last->count == at[0] && last->first[1] == at[1] && last->first[2] == at[2])
                        last->count++;
                    else
                        assert_ok(stress_solids_add(&b->solids, &row));
                }
    }
}

/* After the balls have been added; velocities are 0. */
static inline void balls_create(const domain *d, double viscosity, double dt, balls_case *b)
{
    case_create(d, viscosity, dt, &b->c);
    assert_ok(field_create(d, FR_AT_CELL, &b->distance));
    case_fill(&b->c, &b->distance, balls_nearest, b);
    assert_ok(stress_solids_create(b->count, 0, &b->solids));
    balls_weigh(b);
    balls_hold(b);
    b->c.problem.marks = (const uint8_t *const *)b->marks;
    b->c.problem.distance = &b->distance;
    b->c.problem.solids = &b->solids;
}

static inline void balls_destroy(balls_case *b)
{
    stress_solids_destroy(&b->solids);
    field_destroy(&b->distance);
    for (int a = 0; a < b->c.d.dims; a++)
        test_free(b->marks[a]);
    case_destroy(&b->c);
}

#endif
