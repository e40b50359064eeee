/* Freshet: the simulation. Create a world from a definition, step it, read its frames. Use a world from one thread at a
   time. */
#ifndef FRESHET_WORLD_H
#define FRESHET_WORLD_H

#include <freshet/defs.h>
#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_world fr_world;

/* The size of a scene and the resources that it will need. */
typedef struct fr_estimate {
    int dims;
    int cells[3];
    double spacing[3];         /* m */
    double memory_bytes;       /* peak of the whole process, without rendering */
    double cache_frame_bytes;  /* one frame in the cache */
    double checkpoint_bytes;
    double particles;          /* upper bound on the number at any time, from the shapes' bounding boxes */
    int frames;                /* frames after frame 0 */
    double parcels;            /* liquid: about how many parcels, markers or particles of a level set there will be */
} fr_estimate;
FR_API fr_result fr_scene_estimate(const fr_scene_def *def, fr_estimate *estimate);

/* Free memory of the machine, in bytes. */
FR_API double fr_memory_available(void);

/* Creates a world at t = 0; the caller frees it with fr_world_destroy. Fails when the scene would not fit into memory;
   the message says how much it needs. The world keeps a copy of the definition: only the functions in it, and their
   contexts, must outlive the world. */
FR_API fr_result fr_world_create(const fr_scene_def *def, fr_world **world);
FR_API void fr_world_destroy(fr_world *world);

/* Statistics of one step. */
typedef struct fr_step_report {
    double time, dt;             /* s; `time` is at the end of the step */
    bool frame_done;             /* the step ended on a frame */
    int pressure_iterations;
    double pressure_residual;    /* relative */
    int viscosity_iterations;    /* liquid, sph: of the implicit viscosity */
    double viscosity_residual;   /* relative */
    int64_t viscosity_smeared;   /* cells in which sharp jumps of the viscosity were smeared */
    double max_divergence;       /* 1/s, after projection */
    double initial_divergence;   /* 1/s, before projection */
    double max_speed;            /* m/s */
    int64_t clamps;              /* values that the advection limiter clamped */
    int transport_steps;         /* sub-steps of conservative scalar transport */
    int retries;                 /* how often the step was halved before it succeeded */
} fr_step_report;

/* Makes one time step towards the next frame and chooses its size. `report` may be NULL. A step that fails (no
   convergence, a value that is not finite) is retried with half the size. If that does not help, the failure names the
   stage and the cell, and the world is as it was before the step. */
FR_API fr_result fr_world_step(fr_world *world, fr_step_report *report);

/* Makes steps until the next frame is reached. */
FR_API fr_result fr_world_step_frame(fr_world *world);

FR_API int fr_world_frame_index(const fr_world *world);    /* frames reached so far */
FR_API int fr_world_frame_count(const fr_world *world);    /* frames after frame 0 in the whole run */
FR_API double fr_world_time(const fr_world *world);        /* s */

/* The current state as a frame, owned by the world and valid until the next call on it. When memory runs out or a
   function of the scene fails, parts of the frame may be missing: fr_world_frame returns it all the same,
   fr_world_look fails. */
FR_API const fr_frame *fr_world_frame(fr_world *world);
FR_API fr_result fr_world_look(fr_world *world, const fr_frame **frame);

/* The value of a field ("u", "speed", "pressure", a scalar …) at a point (m), interpolated linearly. Fails when there
   is no such field and when the point is outside the domain (for a river: outside its bounding box). NaN where the
   field has no value: on a river's land, in its obstacles, and where no particle of a liquid is near. */
FR_API fr_result fr_world_probe(fr_world *world, const char *field, const double at[3], double *value);

/* The full state as named blocks of bytes. A world of the same scene that is restored from a snapshot continues
   bit-identically. The blocks of fr_world_snapshot belong to the world and are valid until the next call on it;
   fr_world_restore copies what it is given. */
typedef struct fr_block {
    const char *name;
    void *data;
    size_t bytes;
} fr_block;
FR_API fr_result fr_world_snapshot(fr_world *world, const fr_block **blocks, int *count);
FR_API fr_result fr_world_restore(fr_world *world, const fr_block *blocks, int count);

/* Time spent per stage since the world was created. The list belongs to the world and is valid until its next step. */
typedef struct fr_stage_time {
    const char *stage;
    double seconds;
    double bytes;                /* least memory traffic that the stage needs; 0: unknown */
    int64_t calls;
} fr_stage_time;
FR_API int fr_world_profile(const fr_world *world, const fr_stage_time **stages);

#ifdef __cplusplus
}
#endif
#endif
