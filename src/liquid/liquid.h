/* Liquid: one run of the method, and the functions of its table (liquid.c).

   A step, second order in time for the surface (drift, kick, drift):

     carry      the surface, or the particles, by uⁿ to the middle of the step
     advect     the velocity by uⁿ over the whole step (particles carry their own)
     force      gravity, forces, sources, moving obstacles
     viscosity  implicit, no traction on the surface
     pressure   p = 0 on the surface in the middle of the step: uⁿ⁺¹
     extend     uⁿ⁺¹ beyond the surface
     carry      the surface by uⁿ⁺¹ to the end of the step

   Gravity waves are then neither damped nor fed by the time step, and free fall is exact. */
#ifndef FR_LIQUID_LIQUID_H
#define FR_LIQUID_LIQUID_H

#include "grid/stress/stress.h"
#include "hybrid/level_set.h"
#include "hybrid/transfer.h"
#include "mac/melt.h"
#include "mac/rheology.h"
#include "mac/run.h"
#include "mac/step.h"
#include "surface/levelset/levelset_particles.h"

/* The method's own part of a snapshot. Plain numbers: written as it stands in memory. */
typedef struct liquid_head {
    double volume, heat_due, heat_in, heat_out, heat_drift; /* see liquid_state */
    int64_t parcels, left, made;
    int64_t parcels_sorted, parcels_age;
    double parcels_due;
    int64_t level_particles;
} liquid_head;

/* Heat over the ambient, m³ K, and the volume that holds it, m³. */
typedef struct liquid_heat {
    double heat, volume;
} liquid_heat;

/* What goes along with liquid, m³ K/s. */
typedef struct liquid_heat_flow {
    double in, out;
} liquid_heat_flow;

typedef struct liquid_conductivity liquid_conductivity;

/* What a liquid has besides its flow. */
typedef struct liquid_state {
    field surface; /* cells of liquid_domain: φ at the present time, m, negative in the liquid; ghosts filled */
    field middle;  /* the same in the middle of the last step, where the pressure was found */
    field next;    /* at the end of the step under way */
    field seen;    /* cells of the flow, where φ has finer ones: its values there (fine.c) */
    field deep;    /* cells of the flow, for a narrow band of parcels: φ continued to below it (swarm/band.c) */
    bool leaps;    /* parcels and φ go from middle to middle (swarm/leap.c): `middle` is the state, and `surface` */
    bool shown;    /* is made when somebody asks, and has been; */
    bool kept;     /* in a step it is `middle` as it was before */
    levelset *levelset;
    parcels parcels; /* flip, apic: what carries the momentum; markers: what carries the surface */
    transfer transfer;
    levelset_particles *level_particles; /* on both sides of the surface, for a particle level set */
    float *before;                       /* arrays of particles as they were before the step, to undo it (keep.c) */
    int64_t before_count, before_room;   /* particles, floats */
    int64_t left, next_left;             /* parcels that have left through open sides or drains since t = 0 */
    int64_t made, next_made;             /* parcels put in, at the start and since, less those that crowded */
    int64_t strays;                      /* parcels far from where they were sorted, in the step under way */
    stress *stress;                      /* NULL: no viscosity */
    uint8_t *held[3];        /* of every face by block offset, with sources that push: what the viscosity may change */
    field steps;             /* cells, for surface cells other than ghost fluid: where p = 0 (surface_cells.c) */
    uint8_t *wet_cells;      /* the same: layers of cells around the liquid */
    float *ages[FR_SIDES];   /* s, for how long each cell of a side that sticks has been wet; NULL: slips */
    float *layers[FR_SIDES]; /* m, the boundary layer there over the step under way */
    field viscosity;         /* cells, where it varies: m²/s, ghosts filled (heat/viscosity.c) */
    field viscous_pressure, next_viscous_pressure; /* p/√ν, cells, where it keeps the volume (grid/stress/bulk.c) */
    field consistency;       /* for liquids that yield or thin: the same at a shear rate of 1/s, */
    field edges[3], shear[3]; /* and on edges the viscosity and γ² (grid/shear.h; heat/yield.c) */
    double *law_args;        /* of the scene's law of viscosity */
    field capacity;          /* cells, with heat: scratch of heat/heat.c */
    liquid_conductivity *conductivity; /* of temperature; NULL: a constant (heat/conductivity.c) */
    field drift[3];                    /* with scalars: the mean flow of the step, which carries them */
    uint8_t *ink_layers; /* with scalars: cells of the liquid and layers around them (grid/extend.h), by block offset */
    field ease[3];       /* faces, where the viscosity varies: how easily pressure moves them (heat/ease.c) */
    double volume;       /* m³ that should be there: at the start, and what sources and sinks have changed since */
    double next_volume;
    double poured_volume, drained_volume; /* m³, in the step under way */
    double parcels_due, next_parcels_due; /* more than have been poured, for what sources have given */
    field poured, drained;                /* cells, with heat: shares of them that were, then (heat/ports.c) */
    double heat_due, next_heat_due;       /* m³ K that should be there: at the start, and what has come since: */
    double heat_in, next_heat_in;         /* what sources, walls, the air and poured liquid have given, */
    double heat_out, next_heat_out;       /* less what has left with liquid, */
    double heat_drift, next_heat_drift;   /* and what came with a drift of the volume (heat/balance.c) */
    bool flies;                  /* the liquid touches nothing but bodies at the begin of the step, when it has */
    double mass, momentum[3];    /* kg, kg m/s (flight.c) */
    liquid_heat heat_before;     /* at the beginning of the step, */
    double heat_given;           /* m³ K given in it by sources, */
    liquid_heat heat_conducted;  /* and by conduction, to the volume that counts for it, */
    double heat_came, heat_left; /* and those of liquid that came and left */
} liquid_state;

typedef struct tracker tracker;
typedef struct liquid_port liquid_port;

/* The scene's fills, made once; `due` has room for those that a call is about. */
typedef struct liquid_fills {
    shape **shapes, **due;
    const fr_fill_def *defs, **due_def;
    int count;
} liquid_fills;

/* What the scene asks of the liquid. Stages read it, not the definition. */
typedef struct liquid_model {
    fr_liquid_def settings;
    double gravity[3]; /* m/s² */
    int along;         /* parcels along an edge of a cell, */
    double per_cell;   /* and in all of it */
    int source_count, sink_count;
    fr_heat_def heat;
    melt melt;
    int fraction; /* place of the liquid fraction among the scalars; −1: there is no latent heat */
    int carried;  /* place of the viscosity among them; −1: liquids do not differ in it */
    rheology flow;
} liquid_model;

typedef struct liquid_run {
    mac_run flow; /* first: the world knows a run by it */
    const tracker *tracker;
    liquid_model model;
    liquid_fills fills;
    liquid_state liquid;
    liquid_head head;
    liquid_port *sources, *sinks;  /* as many as the scene has; sources without a velocity are empty */
    float *shown, *shown_velocity; /* particles of a frame: m, m/s; three numbers each */
    float *shown_radius;           /* m, of those of a level set */
    fr_attribute shown_attribute;  /* that */
    int64_t shown_room;
} liquid_run;

/* A step under way. */
typedef struct liquid_step {
    mac_step flow; /* first: stages of mac/ take it */
    liquid_run *run;
    double to_middle; /* s, from where the surface and the parcels are to the middle of the step */
} liquid_step;

/* Where liquid comes in: signed distances in m, ghosts filled. */
typedef struct liquid_poured {
    const field *region;  /* to sources, fills and the first cells inside inflows */
    const field *before;  /* to the liquid that was there */
    const field *entered; /* to what the flow has carried in from the sides since the middle of the last step */
    double volume;        /* m³ that the region pours; less than 0: all that it gains */
} liquid_poured;

/* How the surface is tracked. A tracker carries the liquid, and what it knows of the velocity, from the present to the
   next state; all else is common. Entries other than `scheme` may be NULL; `given` where another tracker stands in. */
struct tracker {
    const stage *scheme;                                                 /* a whole step */
    const stage *given;                                                  /* the same in a prescribed flow */
    fr_result (*create)(liquid_run *run);                                /* what it keeps besides φ */
    fr_result (*start)(liquid_run *run);                                 /* from φ and the flow at t = 0 */
    fr_result (*reserve)(liquid_run *run);                               /* before a step: room for what it may need */
    void (*undo)(liquid_run *run);                                       /* the step has failed */
    fr_result (*show)(liquid_run *run); /* where it leaps: `surface`, and its particles, at the present time */
    void (*sweep)(const liquid_step *step);                              /* obstacles have moved */
    fr_result (*pour)(const liquid_step *step, const liquid_poured *in); /* what it keeps where liquid came in, */
    /* and inside sinks: a distance, m. By φ they have taken `taken` m³; returns what it makes of that. */
    double (*drain)(const liquid_step *step, const field *out, double taken);
    fr_result (*restore)(liquid_run *run);  /* room for what a snapshot holds, by run->head */
    void (*list_blocks)(liquid_run *run);   /* of the snapshot */
    fr_result (*restored)(liquid_run *run); /* the blocks have been read */
};

extern const method method_liquid;
extern const tracker tracker_level_set, tracker_particle_level_set, tracker_flip, tracker_markers;

/* Whether there is such a field: some are there with heat alone (check.c). */
fr_result liquid_check_field(const fr_scene_def *def, const char *key, const char *field);

/* What tracks the surface, where the scene does not say; and whether its particles carry the velocity (check.c). */
fr_liquid_surface liquid_surface_of(const fr_scene_def *def);
bool liquid_has_parcels(const fr_scene_def *def);

/* How many particles a level set has in a cell of its band, where it has any (particle_level_set.c). */
int liquid_level_particles(const fr_scene_def *def);

/* What the method decides about its flow. */
model_choice liquid_choice(const fr_scene_def *def);

/* Fills whose time comes after `after` and not after `until`, s. */
typedef struct liquid_due {
    double after, until;
} liquid_due;

/* Those that are there at the start. */
extern const liquid_due liquid_at_start;

bool liquid_fills_due(const liquid_run *run, liquid_due due);

fr_result liquid_fills_create(liquid_run *run);
void liquid_fills_destroy(liquid_run *run);

/* The signed distance to the shapes of these fills, m; `work` is a field of cells (fill.c). */
fr_result liquid_fill_distance(const liquid_run *run, liquid_due due, field *phi, field *work);
/* The same of one shape. */
fr_result liquid_shape_distance(shape *one, const domain *d, field *phi, field *work);
/* Their velocities: at the start they are added to the flow, later they replace it. */
fr_result liquid_fill_velocity(const liquid_run *run, liquid_due due, field velocity[3]);

/* Their scalars, in the cells whose centres they cover. */
fr_result liquid_fill_scalars(const liquid_run *run, liquid_due due, field *scalars);

/* Where liquid is poured in or taken out: cells inside a shape and within two cells of it (ports.c). */
struct liquid_port {
    double from, to;           /* s, when it is open */
    const fr_vector *velocity; /* of a source */
    int64_t count;
    int32_t *at;     /* offset from a field's data */
    float *distance; /* m, negative inside */
};

fr_result liquid_ports_create(liquid_run *run);
void liquid_ports_destroy(liquid_run *run);

/* Stages between the surface in the middle of the step and the pressure there: liquid that comes in by sources, sides
   and fills whose time has come; liquid that leaves by sinks (pour.c). */
fr_result liquid_pour(void *step);
fr_result liquid_drain(void *step);

/* A stage before the viscosity: open sources hold their flow against it, and `held` says what it may change
   (nozzle.c). */
fr_result liquid_nozzles(void *step);
fr_result liquid_nozzles_create(liquid_run *run);
void liquid_nozzles_destroy(liquid_state *l);

/* How long before the present time the surface and the parcels are that the run goes on with, s. */
double liquid_behind(const liquid_run *run);
/* Makes them for the present time, in `surface` and beside the parcels, if they are not there: for frames, the ledger
   and probes. The run goes on as if it had not been called. */
fr_result liquid_show(liquid_run *run);

/* Whether anything pours in during the step. */
bool liquid_pours(const liquid_step *step);

/* Beside open sources and inflows particles have nothing to say about where the liquid is: `to` becomes `from` there.
 */
void liquid_copy_at_ports(const liquid_step *step, const field *from, field *to);

/* The first cells inside the sides through which liquid comes are liquid (inflow.c). */
void liquid_pour_sides(const liquid_run *run, field *phi);
/* The same as liquid_copy_at_ports for the first cells inside those sides. */
void liquid_copy_at_sides(const liquid_run *run, const field *from, field *to);
/* The signed distance to the liquid that has come through the sides within `seconds`, where it is less than `phi`. */
void liquid_enter_sides(const liquid_run *run, double seconds, field *phi);

/* The grid of the surface: the flow's own, or a finer one (fine.c). Obstacles on it; a working field of its cells, in
   scratch memory 0 or 1. */
int liquid_grid(const liquid_run *run);
const domain *liquid_domain(const liquid_run *run);
const solids *liquid_solids(const liquid_run *run);
field liquid_scratch(const liquid_run *run, int which);

/* What another φ, of the flow's cells, says more than a finer one in their centres, in its place; ghosts filled. */
void liquid_differ(const liquid_run *run, const field *phi, field *other);

/* φ as the flow sees it: the field itself, or `seen`, its values in the centres of the flow's cells. Spoils scratch
   memory 0. */
const field *liquid_seen(liquid_run *run, const field *phi);

/* Marks the faces of the liquid bounded by φ, and the layers around them, for the extension of velocities (wet.c). */
void liquid_mark_wet(const model *m, state *s, const field *phi);

/* The flow beyond the surface, inside obstacles and in the ghosts, from the wet faces (beyond.c). Spoils scratch
   memory 0. */
void liquid_finish_velocity(const model *m, state *s, field velocity[3]);

/* The schemes' common part: what happens to the flow in the middle of the step (kick.c). */
extern const stage liquid_kick[];
/* The same for a prescribed flow: nothing acts on it, it is what it is given to be at the step's end. Carried by u(t)
   and then by u(t + Δt), half a step each, the surface is still of second order in time. */
extern const stage liquid_given[];

/* Carries φ by a flow for some seconds; then makes it a distance (surface.c). */
fr_result liquid_carry(liquid_run *run, const field velocity[3], double seconds, field *phi);
fr_result liquid_carry_surface(liquid_run *run, const field velocity[3], double seconds, field *phi);

/* Makes cells dry again that no way leads to from a wet one of `before` (hold.c); `moved`: obstacles have since. Says
   whether there were any. */
bool liquid_hold(const liquid_run *run, const field *before, bool moved, field *phi);
/* Deletes particles of a level set that belong to the liquid, and are where no such way leads. */
void liquid_hold_particles(const liquid_run *run, const field *before, bool moved, field *phi);

/* Boundary layers on the sides that stick: whether one has any; room for them; how thick they are in the coming step;
   and after it (layer.c). */
bool liquid_layer_grows(const model *m, int side);
fr_result liquid_layers_create(liquid_run *run);
void liquid_layers_destroy(liquid_state *l);
void liquid_layers_thicken(liquid_run *run, double dt);
void liquid_layers_age(liquid_run *run, double dt);
void liquid_layers_list_blocks(liquid_run *run);

/* Inks that the liquid carries (scalars.c): stages that end every scheme, the first values, and the exchange when a
   step is accepted. */
extern const stage liquid_scalars[];
fr_result liquid_scalars_create(liquid_run *run);
void liquid_scalars_destroy(liquid_run *run);
fr_result liquid_scalars_start(liquid_run *run);
void liquid_scalars_accept(liquid_run *run);

/* Colour and texture coordinates (material.c): which of them the liquid carries; what sources give of them that say
   nothing of it. */
model_material liquid_material(const fr_scene_def *def);
fr_result liquid_material_give(const liquid_step *step);
/* How far along the axis the liquid has come from its texture coordinate; and the coordinate by that, in the cells that
   are continued. */
void liquid_texture_way(liquid_run *run, int axis, const field *coordinate, field *way);
void liquid_texture_place(liquid_run *run, int axis, const field *way, field *coordinate);

/* Marks the cells of the present liquid, and the layers around them, for what is continued beyond it. */
enum { LIQUID_INK_LAYERS = 8 };
void liquid_scalars_mark(liquid_run *run);
/* Continues the present scalars beyond the surface, in place: where there is liquid they stay as they are. */
void liquid_scalars_continue(liquid_run *run);

/* Heat (heat/heat.c): names of the liquid's own scalars; what it keeps besides them. */
const char *const *liquid_own_scalars(const fr_scene_def *def);
fr_result liquid_heat_create(liquid_run *run);
void liquid_heat_destroy(liquid_run *run);
/* What is molten at the temperatures that are given: of all the liquid at the start; of what comes in, by sides before
   scalars are carried, by sources and fills after. */
void liquid_heat_start(liquid_run *run);
void liquid_heat_enter(liquid_run *run);
void liquid_heat_give(const liquid_step *step);
void liquid_heat_keep(const liquid_step *step);
void liquid_heat_fill(const liquid_step *step);
/* Energy is what has been carried: temperature and what is molten by it. */
void liquid_heat_settle(liquid_run *run);
/* A diffusivity that is a function of the temperature (heat/conductivity.c): its table for the temperatures of the
   step, in which `most` is its largest value, m²/s; and of each face, over that, at the next temperatures. */
fr_result liquid_conductivity_create(liquid_run *run);
void liquid_conductivity_destroy(liquid_run *run);
fr_result liquid_conductivity_find(liquid_run *run, double *most);
const field *const *liquid_conductivity_spread(liquid_run *run);
/* Conduction and the loss through the surface, for the liquid that is marked. */
fr_result liquid_conduct(const liquid_step *step);
/* The heat of scalars by the liquid's shares of cells; and keeping it at the end of a step (heat/balance.c). */
liquid_heat liquid_heat_of(liquid_run *run, const field *scalars, const field *share);
void liquid_heat_open(liquid_run *run);
void liquid_heat_begin(liquid_run *run);
void liquid_heat_accept(liquid_run *run);
void liquid_heat_balance(const liquid_step *step);
/* Heat that comes and goes with liquid (heat/ports.c): the shares of cells by φ before it does, and how much they have
   grown (or shrunk, with the sign −1) in a region in the middle of the step; what all this liquid has. The present
   scalars get the temperatures of what was poured where there was no liquid. */
void liquid_heat_note(const liquid_run *run, const field *phi, field *share);
void liquid_heat_changed(const liquid_run *run, const field *region, double sign, field *share);
fr_result liquid_heat_ports(const liquid_step *step);
/* A stage of the kick: the viscosity that the liquid has now, and the weight that warm liquid lacks. */
fr_result liquid_heat_kick(void *step);

/* Whether the viscosity is not one number; liquids that differ in it carry it along (heat/viscosity.c). */
bool liquid_viscosity_varies(const fr_scene_def *def);
bool liquid_viscosity_is_carried(const fr_scene_def *def);
/* The viscosity of the liquid at the start, m²/s; of one that melts, molten. Calls the scene's law once, before
   anything is written: its mistakes are those of the scene. */
fr_result liquid_viscosity_try(const fr_scene_def *def, double *value);
double liquid_viscosity_bytes(const fr_scene_def *def, const domain *d);
double liquid_viscosity_saved_bytes(const fr_scene_def *def, const domain *d); /* of a checkpoint */
fr_result liquid_viscosity_create(liquid_run *run);
void liquid_viscosity_destroy(liquid_run *run);
/* The viscosity by the present scalars and flow. Spoils scratch memory. */
fr_result liquid_viscosity_find(liquid_run *run);
/* Of liquids that yield or thin, from their consistency (heat/yield.c). */
fr_result liquid_yield_create(liquid_run *run);
void liquid_yield_destroy(liquid_run *run);
void liquid_yield(liquid_run *run);
/* A stage: what it does to next_velocity. */
fr_result liquid_viscosity(void *step);
/* A stage after it: pressure takes off the divergence that it made (heat/ease.c). */
fr_result liquid_viscous_pressure(void *step);
fr_result liquid_ease_create(liquid_run *run);
void liquid_ease_destroy(liquid_state *l);

/* Keeps `arrays` of `count` floats each as they are before a step, and puts them back after a failed one (keep.c). */
fr_result liquid_keep_room(liquid_state *l, int64_t floats);
void liquid_keep(liquid_state *l, float *const *arrays, int array_count, int64_t count);
void liquid_put_back(const liquid_state *l, float *const *arrays, int array_count);

/* next_velocity from the present one, carried on the grid: for trackers whose particles do not (surface.c). The working
   memory for that, and how much it is. */
fr_result liquid_advect(void *step);
fr_result liquid_advect_create(liquid_run *run);
void liquid_advect_destroy(liquid_run *run);
double liquid_advect_bytes(const fr_scene_def *def, const domain *d);

/* Momentum of liquid in flight (flight.c): before a step, and once it has become the present. */
void liquid_flight_begin(liquid_run *run);
void liquid_flight_accept(liquid_run *run);

/* Whatever follows from φ where the liquid is in the present step: ghosts, volumes (volume.c). */
double liquid_volume(const liquid_run *run, const field *phi);
/* Moves the surface so that φ holds that volume, m³. Beside sources and inflows it stays: parcels do not move with it,
   and where it had gone back from the rim of a source new ones would be poured among those that are there, in every
   step. So it may hold only a part of what is asked for. Spoils scratch memory 0. */
void liquid_shift(const liquid_step *step, double wanted, field *phi);
fr_result liquid_keep_volume(void *step);
/* m³/s that a flow brings in through inflows, less what leaves there and through open sides. */
double liquid_gain(const liquid_step *step, const field velocity[3]);
/* The heat that it has. */
liquid_heat_flow liquid_heat_through(const liquid_step *step, const field velocity[3]);
/* The share of each cell that is liquid by φ;  and −ρ ∫ g·x of that, J (energy.c). */
void liquid_shares(const liquid_run *run, const field *phi, field *share);
double liquid_potential_energy(const liquid_run *run, const field *share);

/* The state at t = 0, one step into the next fields, and making these the present ones (scheme.c). */
fr_result liquid_start(liquid_run *run);
fr_result liquid_scheme_step(liquid_run *run, double dt);
void liquid_scheme_accept(liquid_run *run);

/* See method.h; `self` is a liquid_run. */
void liquid_set_defaults(fr_scene_def *def);
fr_result liquid_check_parts(const fr_scene_def *def);
fr_result liquid_estimate(void *self, fr_estimate *estimate);
void liquid_describe(const remarks *to);
fr_result liquid_view(void *self);
fr_result liquid_probe(void *self, const char *field, const double at[3], double *value);
void liquid_fill_head(void *self);
fr_result liquid_read_head(void *self, const fr_block *from, int count);
void liquid_list_blocks(void *self);
fr_result liquid_restored(void *self);

#endif
