/* Freshet: the definition of a scene as plain data. A Lua scene is decoded into it; a C program fills it by hand,
   starting from fr_default_scene. SI units, y is up. Numbers in brackets are defaults.

   A world copies its definition: lists, strings and shapes may be changed or freed once fr_world_create has returned.
   Functions and their contexts stay the caller's: they must live, and return the same values, as long as the world
   does. */
#ifndef FRESHET_DEFS_H
#define FRESHET_DEFS_H

#include <freshet/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number, or a function if `function` is not NULL. Its arguments are named where it is used. */
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

/* The parts of a liquid's colour, sRGB 0 to 1, as scalars that fills, sources and inflows give. */
#define FR_COLOUR_RED "colour_red"
#define FR_COLOUR_GREEN "colour_green"
#define FR_COLOUR_BLUE "colour_blue"

/* A value for the scalar of that name ("density", "temperature", "ink"); functions of x, y, z, t. */
typedef struct fr_scalar_value {
    const char *name;
    fr_number value;
} fr_scalar_value;

/* A shape and its position. All members but `shape` may be zero. */
typedef struct fr_placed_shape {
    const fr_shape_def *shape;
    double at[3];               /* m */
    double axis[3], degrees;    /* rotation about `axis`, applied before the translation to `at` */
} fr_placed_shape;

typedef enum fr_method { FR_METHOD_SMOKE, FR_METHOD_SPH, FR_METHOD_RIVER, FR_METHOD_LIQUID } fr_method;

typedef struct fr_domain_def {
    int dims;            /* 2 or 3 */
    double size[3];      /* m */
    int cells[3]; /* along each axis; {n, 0, 0}: n along the longest side, cubic cells (64); sph uses sph.spacing */
    double origin[3];    /* m, the lower corner */
} fr_domain_def;

typedef struct fr_time_def {
    double duration;     /* s */
    double fps;          /* frames per second; any positive number (24) */
    double cfl; /* Courant number that sets the step (0: the method's own: 4 for smoke, 2 for
                            river, 1 for liquid, 0.4 for sph) */
    double dt;           /* s; fixed time step (0: adaptive) */
    double dt_max;       /* s (0: none) */
    double dt_min;       /* s; the run fails if it would need a smaller step (0: 1e-6 of a frame) */
} fr_time_def;

typedef struct fr_fluid_def {
    double density;          /* kg/m³ (1.2 for smoke, 1000 for the others) */
    double viscosity;        /* m²/s, kinematic (0); with `power` at a shear rate of 1/s */
    fr_function viscosity_law; /* liquid: m²/s by the temperature (K) and then the values of fr_scene_def.scalars in
                                  their order, instead of the number (NULL) */
    void *viscosity_context;
    double yield;            /* liquid: m²/s², yield stress over density (0) */
    double power;            /* liquid: the stress grows with this power of the shear rate: below 1 it thins (1) */
    double surface_tension;  /* N/m (0); sph */
} fr_fluid_def;

typedef enum fr_wall_kind {
    FR_WALL_FREE_SLIP,
    FR_WALL_NO_SLIP,     /* `velocity` moves the wall in its own plane (a lid) */
    FR_WALL_OPEN,        /* p = 0; flow may leave and enter */
    FR_WALL_PERIODIC,    /* must hold for both sides of an axis */
    FR_WALL_INFLOW       /* the fluid enters with `velocity` and `scalars` */
} fr_wall_kind;

/* Synthetic turbulence added to a velocity: a divergence-free sum of random Fourier modes with the spectrum k^(−5/3),
   with wavelengths from `length` down to two cells. It depends on position, time and seed only. */
typedef struct fr_turbulence_def {
    double speed;                  /* m/s, root mean square of |u'| (0: none) */
    double length;                 /* m, size of the largest eddies */
    int modes;                     /* number of Fourier modes (100) */
    int seed;                      /* of the random numbers (0) */
} fr_turbulence_def;

enum { FR_LEFT, FR_RIGHT, FR_BOTTOM, FR_TOP, FR_BACK, FR_FRONT, FR_SIDES };

typedef struct fr_wall_def {
    fr_wall_kind kind;
    fr_vector velocity;              /* m/s; of x, y, z, t */
    const fr_scalar_value *scalars;  /* inflow: values that enter; solid: only "temperature", of the wall */
    int scalar_count;
    fr_turbulence_def turbulence;    /* inflow: added to the velocity */
    bool has_level;                  /* liquid, inflow: the side is closed above `level` */
    double level;                    /* m, height against gravity */
} fr_wall_def;

typedef enum fr_pressure_solver {
    FR_PRESSURE_AUTO,       /* multigrid */
    FR_PRESSURE_MULTIGRID,  /* CG preconditioned by multigrid */
    FR_PRESSURE_CG          /* CG without multigrid, for comparison */
} fr_pressure_solver;

typedef enum fr_stress {
    FR_STRESS_FULL,         /* ∇·(ν(∇u + ∇uᵀ)) */
    FR_STRESS_LAPLACIAN     /* ∇·(ν∇u), wrong where ν varies and on free surfaces (Carlson 2004, 4.5.2) */
} fr_stress;

typedef enum fr_viscosity {
    FR_VISCOSITY_IMPLICIT,  /* any step */
    FR_VISCOSITY_EXPLICIT   /* sub-steps as short as stability asks, for comparison (Carlson 2004, 3.2) */
} fr_viscosity;

typedef struct fr_solver_def {
    double pressure_tolerance;   /* maximum residual relative to that of zero pressure (1e-5) */
    int max_iterations;          /* (500; ordinary scenes need 5 to 15, mazes of obstacles up to 273) */
    fr_pressure_solver pressure;
    fr_stress stress;            /* liquid: of its viscosity (full) */
    fr_viscosity viscosity;      /* liquid: how it is advanced in time (implicit) */
} fr_solver_def;

typedef enum fr_advection {
    FR_ADVECTION_MACCORMACK, /* semi-Lagrangian with MacCormack's correction: second order in space and time */
    FR_ADVECTION_LINEAR,     /* semi-Lagrangian, first order: blurs */
    FR_ADVECTION_CUBIC,      /* semi-Lagrangian, monotone cubic */
    FR_ADVECTION_REFLECTION, /* advection-reflection, two MacCormack half steps: keeps vortices, costs twice as much */
    FR_ADVECTION_CENTRAL     /* central fluxes, midpoint rule: second order, for engineering; Courant number ≤ 1 */
} fr_advection;

typedef struct fr_smoke_def {
    fr_advection advection;
    double vorticity;              /* confinement ε, dimensionless (0) */
    double buoyancy_temperature;   /* b, m/s² per kelvin */
    double buoyancy_density;       /* a, m/s² per unit of density */
    double ambient;                /* K, temperature without buoyancy and initial temperature (0) */
} fr_smoke_def;

typedef enum fr_transport {
    FR_TRANSPORT_CARRIED,          /* advective form, by the scheme smoke.advection */
    FR_TRANSPORT_CONSERVATIVE      /* flux form: conserves the total */
} fr_transport;

typedef struct fr_scalar_def {
    const char *name;
    double diffusion;              /* m²/s */
    double dissipation;            /* 1/s: the scalar decays as exp(−dissipation·t) */
    bool has_initial;              /* false: starts at 0, or at the ambient temperature */
    fr_number initial;             /* function of x, y, z, t with t = 0 */
    fr_transport transport;        /* (carried) */
    int refine; /* its grid is this many times finer than the flow's along every axis: 1 … 8 (0: 1) */
} fr_scalar_def;

/* A block of cells of a river's grid, counted from 0, both ends included. */
typedef struct fr_cells_def {
    int from[3], to[3];
} fr_cells_def;

typedef struct fr_source_def {
    fr_placed_shape shape;
    bool in_cells;                 /* river: it covers `cells`; `shape` is not used */
    fr_cells_def cells;
    bool sets_velocity;
    fr_vector velocity;            /* m/s, prescribed inside; of x, y, z, t */
    const fr_scalar_value *scalars;/* prescribed inside, or added at `rate` */
    int scalar_count;
    double rate;                   /* 1/s; scalars grow by rate·value per second (0: prescribed) */
    double from, to;               /* s, when it is active; to = 0: for ever */
    fr_turbulence_def turbulence;  /* added to `velocity` */
} fr_source_def;

typedef struct fr_force_def {
    fr_placed_shape shape;         /* everywhere when shape.shape is NULL */
    fr_vector value;               /* m/s², of x, y, z, t */
    bool is_fan;                   /* drives the flow inside its shape towards `speed`; `value` is not used */
    double direction[3];           /* fan: any length but zero */
    fr_number speed;               /* fan: m/s along `direction`, of x, y, z, t */
    double response;               /* fan: s, time constant of the approach (0: `speed` is prescribed) */
} fr_force_def;

typedef struct fr_obstacle_def {
    fr_placed_shape shape;
    /* Of t alone; results: position x, y, z (m), degrees, rotation axis x, y, z. The position replaces shape.at; the
       rotation is applied after that of `shape`. `out` holds 0, 0, 0, 0, 0, 0, 1 before the call, so a path may set the
       position only. NULL: no path. */
    fr_function path;
    void *path_context;
    double spin_axis[3], spin; /* degrees/s about an axis through its position (0); before the path's rotation */
    bool no_slip;                  /* (false: free slip) */
    bool has_temperature;
    double temperature;            /* K, of its surface */
} fr_obstacle_def;

/* What pictures make of a body. */
typedef enum fr_body_material {
    FR_BODY_BY_DENSITY,            /* wood below 900 kg/m³, paint below 1800, stone below 5000, else metal */
    FR_BODY_WOOD,                  /* with grain */
    FR_BODY_STONE,                 /* with veins */
    FR_BODY_METAL,                 /* brushed */
    FR_BODY_PAINT,                 /* striped, with white */
    FR_BODY_PLAIN                  /* of one colour */
} fr_body_material;

/* A rigid body that falls, floats, collides and turns. Its own coordinates are those in which `shape.shape` is given;
   `shape` says where they lie at the start. In 2D masses, forces and torques are per metre of depth, and it turns about
   z alone. */
typedef struct fr_body_def {
    const char *name;              /* by which joints may call it (NULL) */
    fr_placed_shape shape;
    fr_number density;             /* kg/m³ (1000); a function of x, y, z in the body's own coordinates */
    double mass;                   /* kg, instead of the density (0) */
    double velocity[3];            /* m/s, of the centre of mass when it appears */
    double spin[3];                /* rad/s about the centre of mass, then */
    fr_vector force, torque;       /* N at the centre of mass, N m; of t, a function's only argument */
    double bounce;                 /* coefficient of restitution, 0 … 1; of two bodies the larger one holds (0.3) */
    double friction;               /* Coulomb's coefficient; of two bodies the geometric mean holds (0.4) */
    bool fixed;                    /* it does not move */
    bool free_slip;                /* viscous fluids slip along it (false: they stick) */
    double from;                   /* s, when it appears (0) */
    bool has_temperature;
    double temperature;            /* K, of its surface */
    double heat_capacity;          /* J/(kg K): it warms and cools (0: its temperature is held) */
    fr_body_material material;     /* in pictures (by density) */
    double colour[3];              /* sRGB (0, 0, 0: the material's own) */
} fr_body_def;

typedef enum fr_joint_kind { FR_JOINT_HINGE, FR_JOINT_BALL, FR_JOINT_SLIDER } fr_joint_kind;

/* Holds two bodies together, or one at a place in the world. */
typedef struct fr_joint_def {
    fr_joint_kind kind;
    int bodies[2];                 /* numbers from 0; the second −1: the world */
    double at[3];                  /* m, at the start; not for sliders */
    double axis[3];                /* of hinges and sliders, any length but zero ({0, 0, 1}) */
    bool has_limits;
    double limits[2];              /* of the first body against the second, 0 at the start: rad, of a slider m */
    bool has_motor;
    fr_number motor; /* rad/s, of a slider m/s: what the motor drives at; of t, a function's only argument */
    double torque;                 /* N m, of a slider N: the most that the motor gives (0: whatever it takes) */
} fr_joint_def;

typedef enum fr_coupling {
    FR_COUPLING_MONOLITHIC,        /* pressure and bodies are solved together, at any density */
    FR_COUPLING_RIGID_FLUID,       /* Carlson 2004, ch. 5: bodies are fluid that is then made rigid */
    FR_COUPLING_ONE_WAY,           /* bodies push the fluid and do not feel it */
    FR_COUPLING_CARRIED            /* they feel it and do not push */
} fr_coupling;

/* Passive particles, which the flow carries and which do not act on it: dust, snow, sparks, markers. They start spread
   evenly over a shape: a number of them at t = 0, or some per second. */
typedef struct fr_tracers_def {
    fr_placed_shape shape;         /* the whole domain when shape.shape is NULL */
    bool in_cells;                 /* river: they start in `cells`; `shape` is not used */
    fr_cells_def cells;
    bool renewed; /* river: particles that leave through an outflow enter again at an inflow: constant number */
    double per_cell;               /* particles per cell of the shape at t = 0; or */
    int count;                     /* their total number at t = 0 */
    double rate;                   /* 1/s: particles per second, between `from` and `to` */
    double from, to;               /* s; to = 0: for ever */
    double lifetime;               /* s (0: endless) */
    double settle;                 /* m/s along gravity: terminal velocity relative to the fluid */
    double response;               /* s, response time: dv/dt = (u + settle − v)/response (0: no inertia) */
    bool has_velocity;             /* with inertia only; false: they start with the flow's velocity */
    double velocity[3];            /* m/s, initial */
    int seed;                      /* of their positions (0) */
} fr_tracers_def;

typedef struct fr_probe_def {
    double from[3], to[3];         /* m; one point when n is 1 */
    int n;
    const char *const *fields;     /* names from fr_method_info.probes, or scalars */
    int field_count;
    double every;                  /* s, interval (0: every frame) */
} fr_probe_def;

/* Initial liquid: sph puts particles on a lattice with cells of size sph.spacing that starts at the domain's lower
   corner, one at each cell centre inside the shape. */
typedef struct fr_fill_def {
    fr_placed_shape shape;
    fr_vector velocity;            /* m/s, of x, y, z, t with t = 0; added to the scene's initial velocity */
    int scalar_count;              /* liquid: what it brings along */
    const fr_scalar_value *scalars;
    double from;                   /* liquid: s, when it is thrown in, with `velocity` at that time (0: at the start) */
} fr_fill_def;

/* A drain: liquid that enters the shape is removed. */
typedef struct fr_sink_def {
    fr_placed_shape shape;
    double from, to;               /* s, when it is active; to = 0: for ever */
} fr_sink_def;

typedef enum fr_sph_solver {
    FR_SPH_DFSPH,                  /* divergence-free: constant density and divergence-free velocity */
    FR_SPH_PCISPH,                 /* predictive-corrective */
    FR_SPH_WCSPH                   /* weakly compressible: pressure from an equation of state */
} fr_sph_solver;

typedef enum fr_kernel {
    FR_KERNEL_CUBIC,
    FR_KERNEL_GAUSSIAN,
    FR_KERNEL_QUINTIC,
    FR_KERNEL_POLY6,
    FR_KERNEL_WENDLAND,
    FR_KERNELS                     /* their number */
} fr_kernel;

typedef enum fr_sph_state {
    FR_SPH_TAIT,                   /* ρ₀c²/γ ((ρ/ρ₀)^γ − 1) */
    FR_SPH_LINEAR,                 /* c² (ρ − ρ₀) */
    FR_SPH_COLE                    /* (1 + B) (ρ/ρ₀)^γ − B, never clipped: 1 Pa at rest, below it pulls */
} fr_sph_state;

typedef enum fr_sph_boundary {
    FR_SPH_PARTICLES,              /* boundary particles with volumes (Akinci et al. 2012) */
    FR_SPH_COLLIDE,                /* particles are projected out of solids and bounce off */
    FR_SPH_LENNARD_JONES           /* boundary particles with a repulsive force */
} fr_sph_boundary;

typedef enum fr_sph_density {
    FR_SPH_SUM,                    /* density summation */
    FR_SPH_CONTINUITY              /* integrated by the continuity equation */
} fr_sph_density;

typedef struct fr_sph_def {
    fr_sph_solver solver;
    double spacing;                /* m, initial distance of particles; must be given */
    fr_kernel kernel;
    double support; /* support radius of the kernel, in spacings (0: the kernel's default; for the cubic one 2.5 in 2D
                       and 2 in 3D) */
    double density_error;          /* tolerance of the mean density, relative (1e-3) */
    int max_iterations;            /* of the density solver, per step (100) */
    fr_sph_state state;            /* wcsph: equation of state */
    double exponent;               /* γ of Tait and Cole (7) */
    double stiffness;              /* Pa; Cole's B (3000) */
    double background;             /* Pa; background pressure (0) */
    double sound_speed; /* m/s, wcsph (0: ten times the speed of a free fall from the top of the fill to the bottom) */
    double mu, lambda;             /* Pa s: full viscous stress tensor, in addition to fluid.viscosity (0) */
    double damping;                /* dfsph, pcisph: minimum of ν Δt/d², so that particles come to rest (0.02) */
    double xsph;                   /* XSPH: weight of the neighbours' velocity when particles move, 0 … 1 (0) */
    double vorticity;              /* confinement ε (0) */
    fr_sph_boundary boundary;
    double restitution[3];         /* collide: coefficient of restitution at walls normal to x, y, z (0.5) */
    double gap;                    /* collide: distance from walls, in spacings (0.5) */
    int exponents[2];              /* lennard_jones: p₁ > p₂ of ((r₀/r)^p₁ − (r₀/r)^p₂) (4, 2) */
    double repulsion;              /* m²/s², lennard_jones: D (0: the square of the greatest speed) */
    fr_sph_density density;
} fr_sph_def;

typedef enum fr_liquid_surface {
    FR_LIQUID_BY_SCENE,            /* flip; a level set where the flow is prescribed, or surface_cells or loop are for
                                      flows that the grid carries */
    FR_LIQUID_FLIP,                /* particles that carry momentum, PIC/FLIP blend */
    FR_LIQUID_APIC,                /* the same with affine velocities (Jiang et al. 2015) */
    FR_LIQUID_LEVEL_SET,
    FR_LIQUID_PARTICLE_LEVEL_SET,  /* corrected by particles on both sides (Enright et al. 2002) */
    FR_LIQUID_MARKERS              /* massless markers (Harlow & Welch 1965; Carlson 3.2.3) */
} fr_liquid_surface;

typedef enum fr_liquid_transport {
    FR_LIQUID_SEMI_LAGRANGIAN,
    FR_LIQUID_UPWIND,
    FR_LIQUID_ENO2,
    FR_LIQUID_ENO3,
    FR_LIQUID_WENO5
} fr_liquid_transport;

typedef enum fr_liquid_cells {
    FR_LIQUID_GHOST_FLUID,         /* p = 0 on the surface itself, second order */
    FR_LIQUID_SMOOTH,              /* Carlson 6.3.1: p = 0 in cells of air: calm, damped */
    FR_LIQUID_NOISY                /* Carlson 6.3.1: p = 0 in cells at the surface: lively, loses volume */
} fr_liquid_cells;

typedef enum fr_liquid_loop {
    FR_LIQUID_ONCE,                /* advect, force, viscosity, project */
    FR_LIQUID_TWICE                /* Carlson 5.7.2: force, viscosity, project, advect, project */
} fr_liquid_loop;

typedef enum fr_liquid_volume {
    FR_LIQUID_VOLUME_KEPT,         /* the drift that is left is corrected, spread over the surface */
    FR_LIQUID_VOLUME_FREE
} fr_liquid_volume;

/* A liquid with a free surface on the staggered grid. */
typedef struct fr_liquid_def {
    fr_liquid_surface surface;     /* how the surface is tracked (by_scene) */
    fr_advection advection;        /* of the velocity, for surfaces whose particles do not carry it (maccormack) */
    fr_liquid_transport transport; /* of the level set (semi_lagrangian) */
    int order;                     /* of its time integration, 1 … 3 (3) */
    double flip;                   /* share of FLIP in the blend, 0 … 1 (0.97) */
    int particles_per_cell;        /* (0: 8 in 3D and 4 in 2D; 32 and 16 for a particle level set) */
    fr_liquid_volume volume;       /* (kept) */
    fr_liquid_cells surface_cells; /* (ghost_fluid) */
    fr_liquid_loop loop;           /* (once) */
    int refine;                    /* cells of the surface per cell of the flow, each axis, 1 … 4 (1) */
    double narrow_band;            /* flip, apic: cells below the surface that have particles (0: all) */
    bool texture;                  /* it carries texture coordinates: where each bit of it was at the start (false) */
} fr_liquid_def;

/* How the viscosity goes from the solid to the liquid: log ν linear in T, ν linear or quadratic in T. */
typedef enum fr_melt_curve { FR_MELT_LOG, FR_MELT_LINEAR, FR_MELT_QUADRATIC } fr_melt_curve;

typedef struct fr_melt_def {
    bool set;                      /* false: the viscosity is fluid.viscosity */
    double from, to;               /* K: solid up to `from`, liquid from `to` on; they may be equal */
    double solid, liquid;          /* m²/s */
    fr_melt_curve curve;           /* (log) */
} fr_melt_def;

/* How heat is conducted in a step: in all directions at once, or along one axis after the other. */
typedef enum fr_conduction { FR_CONDUCTION_IMPLICIT, FR_CONDUCTION_LOD } fr_conduction;

/* Heat in a liquid on the grid. */
typedef struct fr_heat_def {
    bool set;                      /* the liquid has a temperature */
    double diffusivity;            /* m²/s (0), */
    fr_function diffusivity_of;    /* or this function of the temperature, if it is not NULL */
    void *diffusivity_context;
    fr_conduction conduction;      /* (implicit) */
    double ambient;                /* K: of the air, and of the liquid where nothing else is said (0) */
    double loss;                   /* m/s: what leaves through the surface, per area ρ c loss (T − ambient) (0) */
    double expansion;              /* 1/K: warm liquid rises (0) */
    double capacity;               /* J/(kg K), for what bodies gain and lose (0: 4186, of smoke 1005) */
    double latent;                 /* K: latent heat over heat capacity, taken up between melt.from and melt.to (0) */
    fr_melt_def melt;
} fr_heat_def;

typedef enum fr_river_scheme {
    FR_RIVER_FLUX,   /* volume fluxes at faces, flux form: conserves volume up to the solver's tolerance */
    FR_RIVER_CLASSIC /* Barroso & Celes: cell-centred velocities, Jacobi sweeps */
} fr_river_scheme;

typedef enum fr_river_side_kind {
    FR_RIVER_BANK,
    FR_RIVER_INFLOW,
    FR_RIVER_OUTFLOW,              /* the total outflow equals the total inflow */
    FR_RIVER_PERIODIC              /* must hold for both sides of an axis */
} fr_river_side_kind;

/* A function of a side gets the place on it instead of x, y, z: the shares 0 … 1 along the side's one direction (2D) or
   two (3D), lower first, then 0, and t. It is evaluated at the centre of every face of the side. */
typedef struct fr_river_side {
    fr_river_side_kind kind;
    double roughness;                /* bank: 1 no slip, 0 free slip (1), */
    fr_function roughness_of;        /* or this function of the shares; t is 0 */
    void *roughness_context;
    fr_number speed;                 /* m/s. Bank: its motion along +s. Inflow: normal to the side */
    bool speed_along;                /* its function depends on the shares; false: on t alone, and called once a step */
    fr_number inflow;                /* bank: m/s with which water enters through it; 0: it is closed there (0) */
    const fr_scalar_value *scalars;  /* of what enters; functions of x, y, z, t */
    int scalar_count;
} fr_river_side;

/* A flow on a curvilinear structured grid of ns × nt × nr cells: node (i, j, k) lies at grid(i/ns, j/nt, k/nr). The
   sides are s = 0, s = 1, t = 0 …, in the order of FR_LEFT … */
typedef struct fr_river_def {
    int cells[3];                    /* must be given; 2D: cells[2] is 0 */
    fr_function grid;                /* of s, t, r in 0 … 1: x, y, z (m); or */
    void *grid_context;
    const char *nodes;               /* a file of node positions, CSV or NPY */
    fr_river_scheme scheme;
    fr_river_side sides[FR_SIDES];
    const fr_cells_def *blocks;      /* obstacles: blocks of solid cells */
    int block_count;
    double block_roughness;          /* of their faces, as for banks (1) */
    int sweeps, viscous_sweeps; /* classic: Jacobi sweeps for pressure (80), for viscosity and diffusion (20) */
    bool has_bed;
    fr_number bed;                   /* m: height of the bed, of x, y; for pictures */
} fr_river_def;

/* A picture of one field. */
typedef struct fr_view_def {
    const char *field;       /* from fr_method_info.views, or a scalar; see freshet/fields.h */
    const char *colormap;    /* "viridis", "magma", "inferno", "coolwarm", "gray"; NULL: the field's own */
    double min, max;         /* colour range; equal: from the data */
    bool arrows, streamlines;
    bool hide_particles;     /* does not draw the scene's particles */
    bool surface;            /* 3D liquids: the field on their surface, instead of a slice */
    int slice_axis;          /* 3D: plane normal to this axis (2) */
    double slice_at;         /* 3D: position along the axis, 0 … 1 of the domain (0.5) */
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

/* What pictures make of a liquid's surface in 3D. */
typedef enum fr_material {
    FR_MATERIAL_WATER,       /* clear */
    FR_MATERIAL_CLAY,        /* opaque and matt */
    FR_MATERIAL_WAX,         /* light goes some way through it */
    FR_MATERIAL_HONEY,       /* clear, thick layers are dark */
    FR_MATERIAL_LAVA         /* glows as a black body of its temperature; needs heat */
} fr_material;

/* Patterns that stick to the liquid, in its texture coordinates. */
typedef enum fr_pattern { FR_PATTERN_NONE, FR_PATTERN_CHECKER, FR_PATTERN_STRIPES, FR_PATTERN_MARBLE } fr_pattern;

typedef struct fr_look_def {
    double background[3];    /* sRGB 0 … 1 */
    bool background_set;
    double smoke_colour[3];  /* albedo, sRGB (0.92, 0.93, 0.95) */
    double smoke_opacity;    /* extinction in 1/m for density 1 (0: chosen from the domain) */
    double obstacle_colour[3]; /* sRGB (0.55, 0.56, 0.6); also of a river's land (0, 0, 0: by the background) */
    double liquid_colour[3]; /* sRGB (0, 0, 0: the material's own) */
    fr_material liquid_material; /* (water) */
    fr_pattern liquid_pattern;   /* (none); needs liquid.texture */
    double liquid_pattern_size;  /* m, of a checker or a stripe (0: a tenth of the domain's shortest side) */
    double particle_colour[3];   /* sRGB (0, 0, 0: by the background) */
    double particle_size;    /* diameter in pixels (0: 2.4) */
    double light[3];         /* direction towards the light */
    double glow;             /* emission of hot gas in "volume" pictures (0: none; 1: like a flame) */
    double glow_temperature; /* K above ambient at which it glows white (0: 1000) */
    const fr_ink_look *inks;
    int ink_count;
    int width, height;       /* pixels (0: chosen from the domain) */
    const struct fr_models *models; /* of the bodies, by fr_models_create (NULL: made anew for every picture) */
} fr_look_def;

typedef struct fr_output_def {
    const char *dir;         /* NULL: runs/<name> */
    bool cache;              /* (true) */
    bool npy, video;         /* (false) */
    bool vtk;                /* (false) VTK files: particles as PolyData, bent grids as StructuredGrid */
    const char *mesh;        /* "ply" or "obj": writes the surface of a 3D liquid (NULL: none) */
    int tetrahedra;          /* in a cell, of this surface: 6, 24, 48 or 192 (0: 24; of a particle liquid 48) */
    bool images;             /* (false; true when video is) */
    const fr_view_def *views;
    int view_count;          /* 0: the method's default views */
    int every;               /* outputs every n-th frame (1) */
} fr_output_def;

typedef struct fr_scene_def {
    const char *name;
    fr_method method;
    fr_domain_def domain;          /* rivers have none */
    double gravity[3]; /* m/s²; smoke uses its direction only: buoyancy acts against it; rivers have none */
    fr_time_def time;
    fr_fluid_def fluid;
    fr_wall_def walls[FR_SIDES];
    fr_solver_def solver;
    fr_smoke_def smoke;
    fr_liquid_def liquid;
    fr_heat_def heat;
    fr_sph_def sph;
    fr_river_def river;
    const fr_fill_def *fill;           int fill_count;
    const fr_scalar_def *scalars;      int scalar_count;
    const fr_source_def *sources;
    int source_count; /* sph: nozzles that emit liquid with the source's velocity */
    const fr_sink_def *sinks;          int sink_count;
    const fr_force_def *forces;        int force_count;
    const fr_obstacle_def *obstacles;  int obstacle_count;
    const fr_body_def *bodies;         int body_count;
    const fr_joint_def *joints;        int joint_count;
    fr_coupling coupling;              /* (monolithic) */
    const fr_tracers_def *tracers;     int tracer_count;
    bool has_initial_velocity;
    fr_vector initial_velocity;        /* m/s, of x, y, z, t with t = 0 */
    fr_turbulence_def initial_turbulence;   /* added to the initial velocity */
    const fr_scalar_value *initial;    int initial_count;   /* of x, y, z, t with t = 0 */
    bool has_prescribed;
    fr_vector prescribed;              /* m/s, of x, y, z, t: the flow is prescribed, not solved */
    const fr_probe_def *probes;        int probe_count;
    fr_output_def output;
    fr_camera_def camera;
    fr_look_def look;
    uint32_t cookie;                   /* set by fr_default_scene; fr_scene_check refuses definitions without it */
} fr_scene_def;

/* A definition with the method's defaults. Every definition must start from it. */
FR_API fr_scene_def fr_default_scene(fr_method method);

/* A body and a joint with their defaults. */
FR_API fr_body_def fr_default_body(void);
FR_API fr_joint_def fr_default_joint(fr_joint_kind kind);

/* Checks all values. fr_error_key names the key that a failure is about. */
FR_API fr_result fr_scene_check(const fr_scene_def *def);

#ifdef __cplusplus
}
#endif
#endif
