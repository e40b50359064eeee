/* Freshet: a whole scene as plain data with defaults. A Lua scene becomes exactly this; a C program fills it
   by hand. SI units, y is up. A world has a copy of its definition: lists, texts and shapes may be changed or freed
   once fr_world_create has returned. Functions and their contexts stay the caller's: they must live, and give the same
   values, as long as the world does. */
#ifndef FRESHET_DEFS_H
#define FRESHET_DEFS_H

#include <freshet/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number, or a function when `function` is set (its arguments are named where it is used). */
typedef struct fr_number {
    double value;
    fr_function function;
    void *context;
} fr_number;

/* A vector, or a function with three results. */
typedef struct fr_vector {
    double value[3];
    fr_function function;
    void *context;
} fr_vector;

/* A value for the scalar of that name ("density", "temperature", "ink"); functions of x, y, z, t. */
typedef struct fr_scalar_value {
    const char *name;
    fr_number value;
} fr_scalar_value;

/* A shape in its place. Every field but `shape` may stay zero. */
typedef struct fr_placed_shape {
    const fr_shape_def *shape;
    double at[3];               /* m */
    double axis[3], degrees;    /* rotation about `axis`, before the move to `at` */
} fr_placed_shape;

typedef enum fr_method { FR_METHOD_SMOKE, FR_METHOD_SPH, FR_METHOD_RIVER } fr_method;

typedef struct fr_domain_def {
    int dims;            /* 2 or 3 */
    double size[3];      /* m */
    int cells[3]; /* one per axis; {n, 0, 0}: n along the longest side, cubes (64); sph has none, but sph.spacing */
    double origin[3];    /* m, the low corner */
} fr_domain_def;

typedef struct fr_time_def {
    double duration;     /* s */
    double fps;          /* frames per second; any positive number (24) */
    double cfl; /* Courant number that sets the step (0: the method's own, 4 for smoke, 2 for river, 0.4 for sph) */
    double dt;           /* s; fixes the step (0: adaptive) */
    double dt_max;       /* s (0: none) */
    double dt_min;       /* s; a step that would be smaller ends the run (0: 1e-6 of a frame) */
} fr_time_def;

typedef struct fr_fluid_def {
    double density;          /* kg/m³ (1.2 for smoke, 1000 for the others) */
    double viscosity;        /* m²/s, kinematic (0) */
    double surface_tension;  /* N/m (0); sph */
} fr_fluid_def;

typedef enum fr_wall_kind {
    FR_WALL_FREE_SLIP,
    FR_WALL_NO_SLIP,     /* `velocity` moves the wall in its own plane (a lid) */
    FR_WALL_OPEN,        /* p = 0; flow may leave and enter */
    FR_WALL_PERIODIC,    /* both sides of an axis */
    FR_WALL_INFLOW       /* `velocity` is the flow through the side; scalars enter with it */
} fr_wall_kind;

/* Eddies added to a velocity: a divergence-free sum of random waves with the spectrum k^(−5/3), from waves of the
   length `length` down to those of two cells. They are a function of place, time and seed alone. */
typedef struct fr_turbulence_def {
    double speed;                  /* m/s, root mean square of |u'| (0: none) */
    double length;                 /* m, the largest eddies */
    int modes;                     /* waves that are summed (100) */
    int seed;                      /* other seeds, other eddies (0) */
} fr_turbulence_def;

enum { FR_LEFT, FR_RIGHT, FR_BOTTOM, FR_TOP, FR_BACK, FR_FRONT, FR_SIDES };

typedef struct fr_wall_def {
    fr_wall_kind kind;
    fr_vector velocity;              /* m/s; of x, y, z, t */
    const fr_scalar_value *scalars;  /* inflow: values carried in; solid: only "temperature", the wall's own */
    int scalar_count;
    fr_turbulence_def turbulence;    /* inflow: carried in with the flow */
} fr_wall_def;

typedef enum fr_pressure_solver {
    FR_PRESSURE_AUTO,       /* multigrid */
    FR_PRESSURE_MULTIGRID,  /* CG preconditioned by multigrid */
    FR_PRESSURE_CG          /* CG without multigrid, for comparison */
} fr_pressure_solver;

typedef struct fr_solver_def {
    double pressure_tolerance;   /* greatest residual relative to that of zero pressure (1e-5) */
    int max_iterations;          /* (500: mazes of obstacles have taken 273; ordinary scenes take 5 to 15) */
    fr_pressure_solver pressure;
} fr_solver_def;

typedef enum fr_advection {
    FR_ADVECTION_MACCORMACK, /* semi-Lagrangian with MacCormack's correction: second order in space and time */
    FR_ADVECTION_LINEAR,     /* semi-Lagrangian, first order: soft */
    FR_ADVECTION_CUBIC,      /* semi-Lagrangian, monotone cubic */
    FR_ADVECTION_REFLECTION, /* MacCormack in two half steps around a reflected projection: keeps swirl; twice the cost
                              */
    FR_ADVECTION_CENTRAL /* central fluxes and the midpoint rule: second order, for engineering; Courant number up to 1
                          */
} fr_advection;

typedef struct fr_smoke_def {
    fr_advection advection;
    double vorticity;              /* confinement ε, dimensionless (0) */
    double buoyancy_temperature;   /* b, m/s² per kelvin */
    double buoyancy_density;       /* a, m/s² per unit of density */
    double ambient;                /* K, temperature without buoyancy; also its initial value (0) */
} fr_smoke_def;

typedef enum fr_transport {
    FR_TRANSPORT_CARRIED,          /* values move along the flow, as smoke.advection says */
    FR_TRANSPORT_CONSERVATIVE      /* amounts pass from cell to cell: the total is kept */
} fr_transport;

typedef struct fr_scalar_def {
    const char *name;
    double diffusion;              /* m²/s */
    double dissipation;            /* 1/s: the scalar decays as exp(−dissipation·t) */
    bool has_initial;              /* false: it starts clean, at 0 or at the ambient temperature */
    fr_number initial;             /* function of x, y, z, t with t = 0 */
    fr_transport transport;        /* (carried) */
    int refine; /* lives on a grid this many times as fine as the flow's, along every axis: 1 … 8 (0: 1) */
} fr_scalar_def;

/* A block of cells of a river's grid, counted from 0, both ends included. */
typedef struct fr_cells_def {
    int from[3], to[3];
} fr_cells_def;

typedef struct fr_source_def {
    fr_placed_shape shape;
    bool in_cells;                 /* river: `cells` says where it is, not `shape` */
    fr_cells_def cells;
    bool sets_velocity;
    fr_vector velocity;            /* m/s, held inside; of x, y, z, t */
    const fr_scalar_value *scalars;/* held inside, or added at `rate` */
    int scalar_count;
    double rate;                   /* 1/s; scalars grow by rate·value per second (0: they are held) */
    double from, to;               /* s, when it works; to = 0: for ever */
    fr_turbulence_def turbulence;  /* added to its velocity */
} fr_source_def;

typedef struct fr_force_def {
    fr_placed_shape shape;         /* everywhere when shape.shape is NULL */
    fr_vector value;               /* m/s², of x, y, z, t */
    bool is_fan;                   /* drives the flow inside its shape towards a speed; `value` is not read */
    double direction[3];           /* fan: where it blows, of any length but zero */
    fr_number speed;               /* fan: m/s along `direction`, of x, y, z, t */
    double response;               /* fan: s in which the difference falls by 1/e (0: held) */
} fr_force_def;

typedef struct fr_obstacle_def {
    fr_placed_shape shape;
    fr_function path; /* of t alone: x, y, z (m), degrees, axis x, y, z: where it stands instead of at shape.at, and how
                         it is turned after shape's own rotation. `out` holds 0, 0, 0, 0, 0, 0, 1 before the call. NULL:
                         it keeps its place */
    void *path_context;
    double spin_axis[3],
        spin; /* degrees per second about an axis through its place (0); before the path's own rotation */
    bool no_slip;                  /* sticks (false: slips) */
    bool has_temperature;
    double temperature;            /* K, held on its surface */
} fr_obstacle_def;

/* Particles that the flow carries and that do not act back on it: dust, snow, sparks, markers. They start spread over a
   shape, a number of them at t = 0, or some per second. */
typedef struct fr_tracers_def {
    fr_placed_shape shape;         /* the whole domain when shape.shape is NULL */
    bool in_cells;                 /* river: `cells` says where they start, not `shape` */
    fr_cells_def cells;
    bool renewed; /* river: who leaves with the flow starts again where it enters, so that their number stays */
    double per_cell;               /* at t = 0: so many per cell of the shape; or */
    int count;                     /* at t = 0: so many in all */
    double rate;                   /* 1/s: so many per second, from `from` to `to` */
    double from, to;               /* s; to = 0: for ever */
    double lifetime;               /* s (0: endless) */
    double settle;                 /* m/s along gravity relative to the air: the speed at which they fall in the end */
    double response;               /* s, inertia: dv/dt = (u + settle − v)/response (0: they follow at once) */
    bool has_velocity;             /* with inertia: false: they start as the flow goes */
    double velocity[3];            /* m/s at their start */
    int seed;                      /* other seeds, other places (0) */
} fr_tracers_def;

typedef struct fr_probe_def {
    double from[3], to[3];         /* m; one point when n is 1 */
    int n;
    const char *const *fields;     /* of fr_method_info.probes, or scalars */
    int field_count;
    double every;                  /* s (0: every frame) */
} fr_probe_def;

/* Liquid at the start: sph puts a particle at every cell centre of a lattice from the domain's corner that the shape
 * covers. */
typedef struct fr_fill_def {
    fr_placed_shape shape;
    fr_vector velocity;            /* m/s, of x, y, z, t with t = 0; added to the scene's initial velocity */
} fr_fill_def;

/* A drain: liquid that comes into the shape is gone. */
typedef struct fr_sink_def {
    fr_placed_shape shape;
    double from, to;               /* s, when it works; to = 0: for ever */
} fr_sink_def;

typedef enum fr_sph_solver {
    FR_SPH_DFSPH,                  /* constant density and divergence-free velocities */
    FR_SPH_PCISPH,                 /* predictive-corrective */
    FR_SPH_WCSPH                   /* weakly compressible: pressure from an equation of state */
} fr_sph_solver;

typedef enum fr_kernel {
    FR_KERNEL_CUBIC,
    FR_KERNEL_GAUSSIAN,
    FR_KERNEL_QUINTIC,
    FR_KERNEL_POLY6,
    FR_KERNEL_WENDLAND,
    FR_KERNELS                     /* how many */
} fr_kernel;

typedef enum fr_sph_state { FR_SPH_TAIT, FR_SPH_LINEAR } fr_sph_state;

typedef enum fr_sph_boundary {
    FR_SPH_PARTICLES,              /* particles on surfaces, weighted by the volume they stand for */
    FR_SPH_COLLIDE,                /* particles are put back and bounce */
    FR_SPH_LENNARD_JONES           /* particles on surfaces that repel */
} fr_sph_boundary;

typedef enum fr_sph_density { FR_SPH_SUM, FR_SPH_CONTINUITY } fr_sph_density;

typedef struct fr_sph_def {
    fr_sph_solver solver;
    double spacing;                /* m, of the particles at the start; must be given */
    fr_kernel kernel;
    double support; /* radius within which particles act on each other, in spacings (0: the kernel's own, 2.5 in 2D
                       and 2 in 3D for the cubic one) */
    double density_error;          /* mean compression accepted, as a share of the density (1e-3) */
    int max_iterations;            /* of the density solver in a step (100) */
    fr_sph_state state;            /* wcsph */
    double exponent;               /* Tait's γ (7) */
    double background;             /* Pa; pressure of the undisturbed fluid (0) */
    double sound_speed; /* m/s, wcsph (0: ten times the greatest speed that a fall from the top of the fill to the
                           bottom gives) */
    double mu, lambda;             /* Pa s: full stress tensor (0); besides fluid.viscosity */
    double damping;                /* dfsph, pcisph: least ν Δt/d², without which particles never come to rest (0.02) */
    double xsph;                   /* share of the neighbours' velocity that a particle moves with, 0 … 1 (0) */
    double vorticity;              /* confinement ε (0) */
    fr_sph_boundary boundary;
    double restitution[3];         /* collide: speed kept when bouncing off a wall across x, y, z (0.5) */
    double gap;                    /* collide: distance kept from walls, in spacings (0.5) */
    fr_sph_density density;
} fr_sph_def;

typedef enum fr_river_scheme {
    FR_RIVER_FLUX,   /* volume fluxes on the faces, operators in flux form: keeps volume to the solver's tolerance */
    FR_RIVER_CLASSIC /* Barroso & Celes: velocities at centres, Jacobi sweeps */
} fr_river_scheme;

typedef enum fr_river_side_kind {
    FR_RIVER_BANK,
    FR_RIVER_INFLOW,
    FR_RIVER_OUTFLOW,              /* what comes in goes out here */
    FR_RIVER_PERIODIC              /* both sides of an axis */
} fr_river_side_kind;

typedef struct fr_river_side {
    fr_river_side_kind kind;
    double roughness;                /* bank: 1 sticks (default), 0 slips */
    fr_number speed; /* m/s, of x, y, z, t of which only t is set. Bank: it moves along +s. Inflow: through the side,
                        square to it */
    const fr_scalar_value *scalars;  /* inflow: what is carried in; functions of x, y, z, t */
    int scalar_count;
} fr_river_side;

/* A flow on a structured grid of any shape: nodes (i, j, k) of ns × nt × nr cells lie at grid(i/ns, j/nt, k/nr). The
   sides are those of s, t, r in the order of FR_LEFT …: s = 0, s = 1, t = 0 … */
typedef struct fr_river_def {
    int cells[3];                    /* must be given; 2D: cells[2] is 0 */
    fr_function grid;                /* of s, t, r in 0 … 1: x, y, z (m); or */
    void *grid_context;
    const char *nodes;               /* a file of node positions, CSV or NPY */
    fr_river_scheme scheme;
    fr_river_side sides[FR_SIDES];
    const fr_cells_def *blocks;      /* obstacles: solid cells */
    int block_count;
    double block_roughness;          /* of their sides, as of banks (1) */
    int sweeps,
        viscous_sweeps; /* classic: of Jacobi's iteration for the pressure (80), and for viscosity and diffusion (20) */
    bool has_bed;
    fr_number bed;                   /* m: of x, y, how high the bed lies; for pictures */
} fr_river_def;

/* What a picture shows. */
typedef struct fr_view_def {
    const char *field;       /* one of fr_method_info.views, or a scalar; freshet/fields.h says what they show */
    const char *colormap;    /* "viridis", "magma", "inferno", "coolwarm", "gray"; NULL: by field */
    double min, max;         /* colour range; equal: from the data */
    bool arrows, streamlines;
    bool hide_particles;     /* leaves the scene's particles out */
    int slice_axis;          /* 3D: plane across this axis (2) */
    double slice_at;         /* 3D: 0 … 1 of the domain (0.5) */
} fr_view_def;

typedef struct fr_camera_def {
    bool set;                /* false: chosen to show the whole domain */
    double eye[3], target[3];/* m */
    double fov;              /* degrees, vertical (35) */
} fr_camera_def;

typedef struct fr_ink_look {
    const char *scalar;
    double colour[3];        /* 0 … 1, sRGB */
} fr_ink_look;

typedef struct fr_look_def {
    double background[3];    /* sRGB 0 … 1 */
    bool background_set;
    double smoke_colour[3];  /* albedo, sRGB (0.92, 0.93, 0.95) */
    double smoke_opacity;    /* extinction in 1/m for density 1 (0: chosen from the domain) */
    double
        obstacle_colour[3]; /* sRGB (0.55, 0.56, 0.6); of a river also the land (0, 0, 0: chosen from the background) */
    double liquid_colour[3]; /* sRGB (0, 0, 0: water) */
    double particle_colour[3];   /* sRGB (0, 0, 0: chosen from the background) */
    double particle_size;    /* pixels across (0: 2.4) */
    double light[3];         /* direction towards the light */
    double glow;             /* brightness of hot gas in "volume" pictures (0: none; 1: a flame) */
    double glow_temperature; /* K above ambient at which it glows white (0: 1000) */
    const fr_ink_look *inks;
    int ink_count;
    int width, height;       /* pixels (0: chosen from the domain) */
} fr_look_def;

typedef struct fr_output_def {
    const char *dir;         /* NULL: runs/<name> */
    bool cache;              /* (true) */
    bool npy, video;         /* (false) */
    bool vtk;                /* (false) particles as VTK's PolyData, bent grids as its StructuredGrid */
    const char *mesh;        /* "ply" or "obj": the surface of a particle liquid in 3D (NULL: none) */
    bool images;             /* (false; true when video is) */
    const fr_view_def *views;
    int view_count;          /* 0: the method's own view */
    int every;               /* frames between outputs (1) */
} fr_output_def;

typedef struct fr_scene_def {
    const char *name;
    fr_method method;
    fr_domain_def domain;          /* rivers have none */
    double gravity[3]; /* m/s²; for smoke only its direction matters: "up" is against it; rivers have none */
    fr_time_def time;
    fr_fluid_def fluid;
    fr_wall_def walls[FR_SIDES];
    fr_solver_def solver;
    fr_smoke_def smoke;
    fr_sph_def sph;
    fr_river_def river;
    const fr_fill_def *fill;           int fill_count;
    const fr_scalar_def *scalars;      int scalar_count;
    const fr_source_def *sources;
    int source_count; /* sph: nozzles that liquid comes out of, with their velocity */
    const fr_sink_def *sinks;          int sink_count;
    const fr_force_def *forces;        int force_count;
    const fr_obstacle_def *obstacles;  int obstacle_count;
    const fr_tracers_def *tracers;     int tracer_count;
    bool has_initial_velocity;
    fr_vector initial_velocity;        /* of x, y, z, t with t = 0 */
    fr_turbulence_def initial_turbulence;   /* added to it */
    const fr_scalar_value *initial;    int initial_count;   /* of x, y, z, t with t = 0 */
    bool has_prescribed;
    fr_vector prescribed;              /* of x, y, z, t: the flow is given, not solved */
    const fr_probe_def *probes;        int probe_count;
    fr_output_def output;
    fr_camera_def camera;
    fr_look_def look;
    uint32_t cookie;                   /* set by fr_default_scene, checked by everyone */
} fr_scene_def;

FR_API fr_scene_def fr_default_scene(fr_method method);

/* Whether every value is legal. The failure names its key (fr_error_key). */
FR_API fr_result fr_scene_check(const fr_scene_def *def);

#ifdef __cplusplus
}
#endif
#endif
