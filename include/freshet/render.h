/* Freshet: frames to pictures, pictures to films, ledgers to plots. */
#ifndef FRESHET_RENDER_H
#define FRESHET_RENDER_H

#include <freshet/defs.h>
#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sRGB, 8 bits, 3 channels, rows from the top. */
typedef struct fr_image {
    int width, height;
    uint8_t *pixels;
} fr_image;
FR_API void fr_image_free(fr_image *image);
FR_API fr_result fr_image_write_png(const fr_image *image, const char *path);

/* A colour range for a film: the same for all its frames. */
typedef struct fr_range {
    double min, max;
} fr_range;
/* Widens `range` to hold the view's field in this frame (robust percentiles); start a film with {0, 0}, which is
   empty. A frame in which the field is the same everywhere leaves it as it is. */
FR_API fr_result fr_view_range(const fr_frame *frame, const fr_view_def *view, fr_range *range);

/* The method's own views where the scene names none. Returns how many (1 … most). */
FR_API int fr_default_views(const fr_frame *frame, fr_view_def *views, int most);

/* Draws one view of a frame: 2D fields with colour bar (a triangle at an end where data lie beyond the range), scale
   bar, time stamp, obstacle outlines, arrows, streamlines; 3D volume ("volume") lit and shadowed, or a slice. `range`
   NULL: from this frame. */
FR_API fr_result fr_render_view(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view,
                                const fr_range *range, fr_image *image);

/* Numbered pictures: "DIR/images/density_%06d.png" with these numbers, in this order. */
typedef struct fr_series {
    const char *pattern;     /* one %d or %06d in the file's name */
    const int *numbers;
    int count;
} fr_series;

/* H.264 mp4 from numbered pictures (PNG) by the ffmpeg program. When it is not there: FR_ERROR_UNSUPPORTED with what
   to do, and the pictures stay. */
FR_API fr_result fr_video_from_images(const fr_series *series, double fps, const char *path);

/* Whether the ffmpeg program is there. */
FR_API bool fr_video_possible(void);

/* One plot of curves over a common x. */
typedef struct fr_curve {
    const char *name;
    const double *x, *y;     /* NaN breaks the line */
    int count;
    bool points;             /* marks instead of a line */
} fr_curve;
typedef struct fr_plot_def {
    const char *title, *x_label, *y_label;
    const fr_curve *curves;
    int curve_count;
} fr_plot_def;
/* Panels below each other. The ending of the path says SVG or PNG. */
FR_API fr_result fr_plot_write(const char *path, const fr_plot_def *panels, int count);

#ifdef __cplusplus
}
#endif
#endif
