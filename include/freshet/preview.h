/* Freshet: what can be said of a scene before it runs. Every method has its own words; who asks decides how to show
   them. */
#ifndef FRESHET_PREVIEW_H
#define FRESHET_PREVIEW_H

#include <freshet/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the scene. */
typedef struct fr_preview {
    const fr_scene_def *def;         /* has passed fr_scene_check */
    const fr_estimate *estimate;     /* of fr_scene_estimate */
    const fr_frame *frame;           /* frame 0; NULL: no world was made, and less can be said */
} fr_preview;

typedef enum fr_remark_kind {
    FR_REMARK_SIZE,                  /* resolution and extent */
    FR_REMARK_FLOW,                  /* how fast it will be, and what solves it */
    FR_REMARK_WARNING                /* something looks wrong, and what to do about it */
} fr_remark_kind;

typedef struct fr_remark {
    fr_remark_kind kind;
    const char *subject;             /* one word: "cells", "Reynolds"; NULL: a warning */
    const char *text;                /* without a newline */
} fr_remark;

/* Receives one remark; its texts live until it returns. */
typedef void (*fr_remark_sink)(void *context, const fr_remark *remark);

/* Hands every remark of the scene's method to `sink`, in the order in which they are to be read. */
FR_API void fr_scene_describe(const fr_preview *preview, fr_remark_sink sink, void *context);

/* Calls the functions of walls, sources and forces once, where and when the first step would: one that fails or gives
   no number is found before the run. Those of the initial state have been called when the world was made. */
FR_API fr_result fr_scene_call_functions(const fr_preview *preview);

#ifdef __cplusplus
}
#endif
#endif
