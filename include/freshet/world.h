/* Freshet: the simulation. Make a world from a definition, step it, look at its frames. */
#ifndef FRESHET_WORLD_H
#define FRESHET_WORLD_H

#include <freshet/defs.h>
#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_world fr_world;

/* What a scene will need. */
typedef struct fr_estimate {
    int dims;
    int cells[3];
    double spacing[3];         /* m */
    double memory_bytes;       /* of the whole process at its peak, pictures left out */
    double cache_frame_bytes;  /* one frame of the cache */
    double checkpoint_bytes;
    double particles;          /* most at once; boxes around shapes count as full */
    int frames;                /* frames after frame 0 */
} fr_estimate;
FR_API fr_result fr_scene_estimate(const fr_scene_def *def, fr_estimate *estimate);

/* Memory that the machine has free, bytes. */
FR_API double fr_memory_available(void);

/* Fails with the numbers when the scene would not fit into memory. The world has a copy of the definition; only the
   functions that it names, and their contexts, must outlive the world. */
FR_API fr_result fr_world_create(const fr_scene_def *def, fr_world **world);
FR_API void fr_world_destroy(fr_world *world);

/* What happened in one step. */
typedef struct fr_step_report {
    double time, dt;             /* s; time at the step's end */
    bool frame_done;             /* the step ended on a frame */
    int pressure_iterations;
    double pressure_residual;    /* relative */
    double max_divergence;       /* 1/s, after projection */
    double initial_divergence;   /* 1/s, before */
    double max_speed;            /* m/s */
    int64_t clamps;              /* values that the advection limiter held back */
    int transport_steps;         /* steps of its own that conservative transport made */
    int retries;                 /* times the step was halved before it held */
} fr_step_report;

/* One sub-step towards the next frame; its size is chosen here. A step that fails (no convergence, not a
   number) is tried again with half the size; when that does not help, the failure names stage and cell and the
   world stands where it stood before the step. */
FR_API fr_result fr_world_step(fr_world *world, fr_step_report *report);

/* Sub-steps to the next frame. */
FR_API fr_result fr_world_step_frame(fr_world *world);

FR_API int fr_world_frame_index(const fr_world *world);    /* frames reached so far */
FR_API int fr_world_frame_count(const fr_world *world);    /* frames after frame 0 in the whole run */
FR_API double fr_world_time(const fr_world *world);        /* s */

/* The present state; valid until the next call on this world. Where memory ends or a function of the scene fails, parts
   of it may be missing: fr_world_look fails then. */
FR_API const fr_frame *fr_world_frame(fr_world *world);
FR_API fr_result fr_world_look(fr_world *world, const fr_frame **frame);

/* Value of a field ("u", "speed", "pressure", a scalar …) at a point, linearly between samples. Fails when there is no
   such field, and outside the domain (a river: the box around it). NaN where there is nothing to measure: on a river's
   land and in its obstacles, and where no particle of a liquid is near. */
FR_API fr_result fr_world_probe(fr_world *world, const char *field, const double at[3], double *value);

/* The full state as named blocks of bytes. Saved, loaded into a world of the same scene, it goes on with the
   same bits. A view: valid until the next call on this world. */
typedef struct fr_block {
    const char *name;
    void *data;
    size_t bytes;
} fr_block;
FR_API fr_result fr_world_snapshot(fr_world *world, const fr_block **blocks, int *count);
FR_API fr_result fr_world_restore(fr_world *world, const fr_block *blocks, int count);

/* Time spent per stage since the world was made. */
typedef struct fr_stage_time {
    const char *stage;
    double seconds;
    double bytes;                /* that it had to move through memory at the least; 0 where it does not say */
    int64_t calls;
} fr_stage_time;
FR_API int fr_world_profile(const fr_world *world, const fr_stage_time **stages);

#ifdef __cplusplus
}
#endif
#endif
