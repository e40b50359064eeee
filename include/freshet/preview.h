/* Freshet: remarks on a scene before it runs. Each method words its own remarks; the caller decides how to show
   them. */
#ifndef FRESHET_PREVIEW_H
#define FRESHET_PREVIEW_H

#include <freshet/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The scene that the remarks are about. The caller owns everything. */
typedef struct fr_preview {
    const fr_scene_def *def;         /* must have passed fr_scene_check */
    const fr_estimate *estimate;     /* from fr_scene_estimate */
    const fr_frame *frame;           /* frame 0; NULL when there is no world: fewer remarks then */
} fr_preview;

typedef enum fr_remark_kind {
    FR_REMARK_SIZE,                  /* resolution and extent */
    FR_REMARK_FLOW,                  /* expected speeds, and the solver */
    FR_REMARK_WARNING                /* something looks wrong, and what to do about it */
} fr_remark_kind;

typedef struct fr_remark {
    fr_remark_kind kind;
    const char *subject;             /* one word: "cells", "Reynolds"; NULL: a warning */
    const char *text;                /* without a newline */
} fr_remark;

/* Receives one remark, which is valid during the call only. */
typedef void (*fr_remark_sink)(void *context, const fr_remark *remark);

/* Passes all remarks of the scene's method to `sink`, in reading order. */
FR_API void fr_scene_describe(const fr_preview *preview, fr_remark_sink sink, void *context);

/* Calls the callbacks of walls, sources, forces, bodies and joints once, at places and times where the first step
   would: one that fails or returns no number is found before the run. Those of the initial state are called by
   fr_world_create. */
FR_API fr_result fr_scene_call_functions(const fr_preview *preview);

#ifdef __cplusplus
}
#endif
#endif
