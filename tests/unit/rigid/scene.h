/* Small scenes of bodies for tests. */
#ifndef FR_TESTS_RIGID_SCENE_H
#define FR_TESTS_RIGID_SCENE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "rigid/quaternion.h"
#include "rigid/rigid.h"

enum { SCENE_BODIES = 64, SCENE_JOINTS = 8 };

typedef struct scene {
    rigid_setup setup;
    fr_body_def bodies[SCENE_BODIES];
    fr_shape_def shapes[SCENE_BODIES];
    fr_joint_def joints[SCENE_JOINTS];
    rigid *world;
    rigid_load loads[SCENE_BODIES];
} scene;

static inline scene *scene_new(int dims, double length)
{
    static scene of[2];
    static int next;
    scene *s = &of[next++ % 2];
    memset(s, 0, sizeof *s);
    s->setup = (rigid_setup){.dims = dims, .low = {-2, 0, -2}, .high = {2, 4, 2}, .gravity = {0, -9.81, 0},
                             .length = length, .bodies = s->bodies, .joints = s->joints};
    return s;
}

static inline fr_shape_def scene_box(double x, double y, double z)
{
    return (fr_shape_def){.kind = FR_SHAPE_BOX, .min = {-x / 2, -y / 2, -z / 2}, .max = {x / 2, y / 2, z / 2}};
}

static inline fr_shape_def scene_ball(double radius)
{
    return (fr_shape_def){.kind = FR_SHAPE_SPHERE, .radius = radius};
}

static inline fr_body_def *scene_add(scene *s, fr_shape_def shape, double x, double y, double z)
{
    const int n = s->setup.body_count++;
    s->shapes[n] = shape;
    s->bodies[n] = (fr_body_def){.shape = {.shape = &s->shapes[n], .at = {x, y, z}}, .density = {.value = 1000},
                                 .bounce = 0.3, .friction = 0.4};
    return &s->bodies[n];
}

static inline fr_joint_def *scene_join(scene *s, fr_joint_kind kind, int first, int second)
{
    fr_joint_def *j = &s->joints[s->setup.joint_count++];
    *j = (fr_joint_def){.kind = kind, .bodies = {first, second}, .axis = {0, 0, 1}};
    return j;
}

static inline void scene_begin(scene *s)
{
    if (rigid_create(&s->setup, &s->world) != FR_OK)
        fail_msg("%s: %s", fr_error_key(), fr_error_message());
}

static inline void scene_end(scene *s) { rigid_destroy(s->world); }

static inline void scene_step(scene *s, double from, double to)
{
    if (rigid_given_loads(s->world, from, s->loads) != FR_OK ||
        rigid_advance(s->world, from, to, s->loads) != FR_OK)
        fail_msg("%s: %s", fr_error_key(), fr_error_message());
}

static inline rigid_state scene_state(const scene *s, int body)
{
    rigid_state all[SCENE_BODIES];
    rigid_get(s->world, all);
    return all[body];
}

/* J: of motion, and by weight. */
static inline double scene_energy(const scene *s)
{
    rigid_state all[SCENE_BODIES];
    double energy = 0;
    rigid_get(s->world, all);
    for (int b = 0; b < s->setup.body_count; b++) {
        const rigid_state *q = &all[b];
        const rigid_mass *m = rigid_body_mass(s->world, b);
        double turn[3][3], own[3] = {0};
        if (q->present == 0 || s->bodies[b].fixed)
            continue;
        quaternion_matrix(q->rotation, turn);
        for (int a = 0; a < 3; a++) {
            energy += m->mass * (0.5 * q->velocity[a] * q->velocity[a] - s->setup.gravity[a] * q->position[a]);
            for (int k = 0; k < 3; k++)
                own[a] += turn[k][a] * q->spin[k];
        }
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++)
                energy += 0.5 * own[a] * m->inertia[a][k] * own[k];
    }
    return energy;
}

#endif
