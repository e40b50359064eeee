/* Freshet: frames to pictures, pictures to films, ledgers to plots. */
#ifndef FRESHET_RENDER_H
#define FRESHET_RENDER_H

#include <freshet/defs.h>
#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 8-bit sRGB, 3 channels, rows from the top without padding. Functions that draw allocate `pixels`; fr_image_free frees
   them. */
typedef struct fr_image {
    int width, height;
    uint8_t *pixels;
} fr_image;
FR_API void fr_image_free(fr_image *image);
FR_API fr_result fr_image_write_png(const fr_image *image, const char *path);

/* The colour range of a video, the same for all its frames. */
typedef struct fr_range {
    double min, max;
} fr_range;
/* Extends `range` by the values of the view's field in this frame (percentiles, so that outliers do not count). Start a
   video with {0, 0}, the empty range. A frame in which the field is constant does not change it. */
FR_API fr_result fr_view_range(const fr_frame *frame, const fr_view_def *view, fr_range *range);

/* The method's default views, for scenes that name none. Returns their number (1 … most). */
FR_API int fr_default_views(const fr_frame *frame, fr_view_def *views, int most);

/* The bodies of a scene as pictures show them: their surfaces in their own coordinates, made once for many pictures.
   Pictures of definitions whose look.models they are use them; they keep nothing of the definition. */
typedef struct fr_models fr_models;
FR_API fr_result fr_models_create(const fr_scene_def *def, fr_models **out);
FR_API void fr_models_destroy(fr_models *models);

/* Draws one view of a frame. 2D: the field with colour bar (a triangle at an end means that data exceed the range),
   scale bar, time stamp, obstacle outlines, arrows and streamlines. 3D: the lit and shadowed volume (field "volume") or
   a slice. `range` NULL: the range of this frame. */
FR_API fr_result fr_render_view(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view,
                                const fr_range *range, fr_image *image);

/* A series of numbered pictures, such as "DIR/images/density_%06d.png", in this order. */
typedef struct fr_series {
    const char *pattern;     /* one %d or %06d in the file's name */
    const int *numbers;
    int count;
} fr_series;

/* Encodes PNG pictures as H.264 mp4 with the ffmpeg program. Without ffmpeg it fails with FR_ERROR_UNSUPPORTED. The
   pictures are kept in any case. */
FR_API fr_result fr_video_from_images(const fr_series *series, double fps, const char *path);

/* Whether the ffmpeg program was found. */
FR_API bool fr_video_possible(void);

/* A curve of a plot. */
typedef struct fr_curve {
    const char *name;
    const double *x, *y;     /* NaN breaks the line */
    int count;
    bool points;             /* markers instead of a line */
} fr_curve;
typedef struct fr_plot_def {
    const char *title, *x_label, *y_label;
    const fr_curve *curves;
    int curve_count;
} fr_plot_def;
/* Writes panels below each other, as SVG or PNG by the path's extension. */
FR_API fr_result fr_plot_write(const char *path, const fr_plot_def *panels, int count);

#ifdef __cplusplus
}
#endif
#endif
