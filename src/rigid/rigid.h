/* The rigid bodies of a scene in a world of their own: they fall, collide, rub, stack and are held by joints. It knows
   no fluid: what a fluid does to them comes in as loads, and the contacts and joints that hold them at a moment go out
   as rows of constraints, so that a pressure solve may respect them.

   Bodies and joints are simulated by ODE (Smith 2001–2007); contacts between shapes for which ODE has no good
   routine come from signed distances. Everything is double and deterministic: equal states and calls give equal bits,
   whatever else the process does. */
#ifndef FR_RIGID_RIGID_H
#define FR_RIGID_RIGID_H

#include <freshet/defs.h>

#include "geom/pose.h"
#include "geom/shape.h"

/* What a body weighs, in the coordinates of its shape. */
typedef struct rigid_mass {
    double volume;           /* m³; in 2D m² */
    double mass;             /* kg; in 2D kg/m */
    double centre[3];        /* m */
    double inertia[3][3];    /* kg m², about the centre; in 2D only [2][2] counts */
} rigid_mass;

/* From the shape's signed distance; fails with `key` in words where there is no volume, where it has no bounds, or a
   density is not positive. */
fr_result rigid_mass_of(const fr_body_def *def, int dims, const char *key, rigid_mass *out);

/* A body at a moment. Plain numbers: a snapshot holds it as it stands in memory. */
typedef struct rigid_state {
    double position[3];      /* m, of the centre of mass */
    double rotation[4];      /* unit quaternion w, x, y, z: from the axes of its shape to those of the world */
    double velocity[3];      /* m/s, of the centre of mass */
    double spin[3];          /* rad/s, along the world's axes */
    double present;          /* 1: it is there; 0: its time has not come */
    double calm;             /* s, for how long it has hardly moved; it sleeps after some time */
} rigid_state;

/* Force at the centre of mass and torque about it, N, N m. */
typedef struct rigid_load {
    double force[3], torque[3];
} rigid_load;

/* How an obstacle of the scene moves over a time: its pose at the end, and its mean velocity and spin. */
typedef struct rigid_motion {
    pose pose;
    vec3 velocity, spin;     /* m/s of the pose's origin, rad/s */
} rigid_motion;
typedef fr_result (*rigid_obstacle)(void *context, int obstacle, double from, double to, rigid_motion *out);

typedef struct rigid_setup {
    int dims;
    double low[3], high[3];              /* m, the domain */
    bool wall[FR_SIDES];                 /* sides that stop bodies */
    double gravity[3];                   /* m/s² */
    double length;                       /* m: what is finer does not matter, a cell */
    const fr_body_def *bodies;           int body_count;
    const fr_joint_def *joints;          int joint_count;
    const fr_obstacle_def *obstacles;    int obstacle_count;
    rigid_obstacle obstacle_motion;      /* where they are */
    void *obstacle_context;
} rigid_setup;

typedef struct rigid rigid;

/* The definitions must outlive the world. Bodies stand where they start. */
fr_result rigid_create(const rigid_setup *setup, rigid **out);
void rigid_destroy(rigid *r);
double rigid_bytes(const rigid_setup *setup);          /* about what rigid_create will take */

const rigid_mass *rigid_body_mass(const rigid *r, int body);
const shape *rigid_body_shape(const rigid *r, int body);

/* All bodies, in the order of the scene. rigid_set puts back what rigid_get gave: the run goes on with the same
   bits. */
void rigid_get(const rigid *r, rigid_state *states);
void rigid_set(rigid *r, const rigid_state *states);

/* The pose in which shape_place puts the body's shape where the body is in that state. */
pose rigid_pose(const rigid *r, int body, const rigid_state *state);

/* The state after a time without any force: what drifts. */
rigid_state rigid_drift(const rigid *r, int body, const rigid_state *state, double seconds);

/* Loads that the scene itself gives at time t: weight, force and torque functions. */
fr_result rigid_given_loads(const rigid *r, double t, rigid_load *loads);

/* The inverse of a body's mass matrix in a state: impulse (force and torque over time) → change of velocity and spin.
   Zero for fixed and absent bodies. */
typedef struct rigid_inverse {
    double mass;             /* 1/kg */
    double inertia[3][3];    /* 1/(kg m²), along the world's axes */
} rigid_inverse;
rigid_inverse rigid_inverse_of(const rigid *r, int body, const rigid_state *state);

/* A constraint on velocities: Σ over its bodies row·(velocity, spin) is at least `bias` (one_sided), or equal to it.
   Contacts and limits are one-sided, joints are not. A contact or a limit that is still open by `gap` is not crossed
   within a time when the sum is at least bias − gap/time. */
typedef struct rigid_row {
    int body[2];             /* −1: the world */
    double row[2][6];
    double bias;             /* m/s or rad/s */
    double gap;              /* m; of a hinge's limit rad */
    double most;             /* N or N m: the most that it gives, either way; 0: whatever it takes */
    bool one_sided;
} rigid_row;

/* The constraints in the present state: contacts within `reach` metres, and joints; friction is not among them.
   `t`, s, is when obstacles and motors are looked at. The list is the
   world's, until the next call. */
fr_result rigid_constraints(rigid *r, double reach, double t, const rigid_row **rows, int *count);

/* From time `from` to `to` under these loads, besides which nothing acts but contacts, friction and joints: loads
   contain weight and given forces. In sub-steps of its own: as many as collisions need. Bodies whose time comes
   appear. Fails when a state is not finite. */
fr_result rigid_advance(rigid *r, double from, double to, const rigid_load *loads);

/* What the last rigid_advance has seen. */
typedef struct rigid_report {
    int substeps, contacts;
    double deepest;          /* m, by which two solids overlapped */
    double motor_work;       /* J, that motors have given */
    double lost;             /* J, lost to friction and collisions */
} rigid_report;
rigid_report rigid_last(const rigid *r);

#endif
