/* The world of bodies, as its own files see it. */
#ifndef FR_RIGID_PARTS_H
#define FR_RIGID_PARTS_H

#include "geom/box.h"
#include "rigid/rigid.h"
#include "rigid/surface.h"
#include "rigid/turn.h"

/* What can be touched: a body, an obstacle, or a wall of the domain. All but what rigid_create fills is renewed when it
   moves. */
typedef struct solid {
    shape *shape;            /* placed where the solid is; NULL: a wall */
    int side;                /* of the domain: a wall */
    double place;            /* m, of a wall along its axis */
    surface surface;         /* in the solid's own coordinates */
    double ball;             /* m, its radius if it is a ball about its own origin; else 0 */
    bool flat;               /* a wall or a half-space: it has no points of its own to touch others with */
    double friction, bounce; /* of bodies; other solids have none of their own */
    pose pose;               /* from its own coordinates to the world's */
    vec3 velocity, spin;     /* m/s of the pose's origin, rad/s */
    box bounds;              /* in the world */
    double room;             /* m, by which its points may move before contacts are looked for again */
} solid;

typedef struct rigid_body {
    const fr_body_def *def;
    rigid_mass mass;
    principal principal;     /* of its inertia; in 2D all three are that about z */
    double radius;           /* m, from its centre of mass to its farthest point, at most */
    bool jointed;
} rigid_body;

/* Where two solids touch or may soon do. */
typedef struct contact {
    int body[2];             /* the second −1: an obstacle or a wall */
    bool moving;             /* that one moves on its own */
    vec3 at, normal;         /* m; the normal points into the first body */
    double gap;              /* m, below 0: they overlap */
    vec3 surface;            /* m/s, of the obstacle at `at` */
    double friction, bounce;
    double speed;            /* m/s, least along the normal, as the last solution was asked for */
} contact;

typedef struct contacts {
    contact *of;
    int count, room;
} contacts;

/* A joint, from the axes of its bodies. */
typedef struct joint {
    const fr_joint_def *def;
    int body[2];             /* the first moves; the second −1: the world */
    double sign;             /* −1: the definition's bodies have changed places */
    vec3 anchor[2];          /* m, from the centre of mass along the body's axes; of the world: from the origin */
    vec3 axis[2];            /* unit, along the body's axes */
    vec3 across;             /* unit, of the first: a direction across the axis, by which angles are told */
    vec3 across_second;      /* the same direction at the start, of the second */
} joint;

typedef struct candidate {
    vec3 at, normal;
    double gap;
    int group;               /* −1: none yet */
} candidate;

typedef struct engine engine;

/* What is known of an island: bodies that hang together by contacts and joints. */
enum {
    ISLAND_TOUCHES = 1,      /* it has contacts */
    ISLAND_BOUNCES = 2,      /* one of them bounces in this step */
    ISLAND_PULLED = 4,       /* it has joints, or solids that overlap */
    ISLAND_SWINGS = 8,       /* it has joints, and neither contacts nor limits nor motors */
    ISLAND_DRIVEN = 16,      /* obstacles that move, or motors, work on it */
    ISLAND_LARGE = 32,       /* it is solved by iteration */
    ISLAND_AWAKE = 64,
    ISLAND_OPEN = 128        /* it is still to be solved */
};

/* Per body, for the time of a step; of an island in the place of its least body. */
typedef struct island {
    int of;                  /* the least body of its island; −1: it is fixed, absent, or alone */
    uint8_t marks;           /* ISLAND_… */
    int rows;                /* constraints */
    bool missed;             /* the last solution is none */
    double work, square;     /* J: of the last solution, see islands.c */
} island;

struct rigid {
    rigid_setup setup;
    double gravity;                    /* m/s², its size */
    solid *solids;                     /* the bodies, then the obstacles, then the walls */
    int solid_count;
    rigid_body *bodies;
    joint *joints;
    rigid_state *states;               /* of the bodies */
    rigid_state *start;                /* the same when rigid_advance began */
    rigid_state *before;               /* and before the bodies were kicked in a step */
    rigid_state *trial;                /* and before a solution */
    rigid_state *ghost;                /* what a solution works on that is not to move them */
    const rigid_load *loads;           /* during rigid_advance */
    contacts contacts;
    candidate *candidates;             /* of one pair */
    int candidate_count, candidate_room;
    int *order;                        /* bodies and obstacles by where they begin along x */
    bool *engaged;                     /* per solid: it may meet another within the time */
    island *islands;
    rigid_row *rows;
    int row_count, row_room;
    engine *engine;
    rigid_report report;
};

/* Whether a body is there and can move. */
static inline bool rigid_moves(const rigid *r, int body)
{
    return r->states[body].present != 0 && !r->bodies[body].def->fixed;
}

/* The velocity of a body's point, and that of an obstacle's. */
static inline vec3 rigid_velocity(const rigid_state *s, vec3 at)
{
    return vec3_add(vec3_of(s->velocity), vec3_cross(vec3_of(s->spin), vec3_sub(at, vec3_of(s->position))));
}

/* The velocity of the first of two that touch, less that of the second. */
vec3 contact_velocity(const contact *c, const rigid_state *states);

/* m/s: how fast bodies are where they touch and are to be, and what counts as fast within the time. */
double contact_fast(const rigid *r, const contact *c, const rigid_state *states, double seconds);

/* m: what solids may overlap by, or come apart by, and still rest on each other. */
static inline double rigid_slop(const rigid *r) { return 0.01 * r->setup.length; }

/* Puts the shapes of all bodies where their states are. */
void rigid_place(rigid *r);

/* Puts the moving obstacles where they are at t, with their mean motion from there to `to`. */
fr_result rigid_place_obstacles(rigid *r, double t, double to);

/* Visits all pairs of solids whose boxes come near each other when every solid moves by its `room`. The first is a body
   that moves, the second may be anything. */
typedef fr_result (*near_visit)(rigid *r, int body, int other);
fr_result near_pairs(rigid *r, near_visit visit);

/* Finds what touches, or may when every solid moves by its `room`. */
fr_result near_find(rigid *r);

/* Adds the contacts between a body's solid and another one to the list: those of points within `margin` metres. */
fr_result touch_find(rigid *r, int body, int other, double margin);

/* Distance and slope of a solid at a place. */
fr_result solid_distance(const solid *s, vec3 at, double *distance);
fr_result solid_slope(const solid *s, int dims, vec3 at, double by, vec3 *slope);

/* m/s²: force per mass of the loads. */
vec3 rigid_push(const rigid *r, int body);

/* The island of a body; NULL: it is fixed, absent or alone. */
static inline island *island_of(const rigid *r, int body)
{
    return r->islands[body].of < 0 ? NULL : &r->islands[r->islands[body].of];
}

/* Whether nothing held the body in the last solution: then it flies. */
bool rigid_flies(const rigid *r, int body);

/* Changes the velocities as the body's loads do over a time. */
void rigid_kick(const rigid *r, int body, double seconds, rigid_state *state);

static inline void rigid_set_spin(vec3 spin, rigid_state *s)
{
    s->spin[0] = spin.x;
    s->spin[1] = spin.y;
    s->spin[2] = spin.z;
}

/* Checks the scene's joints and makes them. */
fr_result joints_make(rigid *r);
bool joints_connect(const rigid *r, int body, int other);

/* Whether a joint's bodies are both there. */
bool joint_holds(const rigid *r, const joint *j);

/* The unit axis along the world's axes, as the second body has it. */
vec3 joint_axis(const rigid *r, const joint *j);

/* m, where the joint holds the first or the second. */
vec3 joint_anchor(const rigid *r, const joint *j, int end);

/* How far the first has turned (rad) or moved (m) against the second, and how fast in such states. */
double joint_position(const rigid *r, const joint *j);
double joint_speed(const rigid *r, const joint *j, const rigid_state *states);

/* The limits and the motor of the first against the second; false: there are none. */
bool joint_limits(const joint *j, double limits[2]);
fr_result joint_motor(const rigid *r, const joint *j, double t, bool *driven, double *speed);

#endif
