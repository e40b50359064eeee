/* A plane cut through a frame's field: all of it in 2D, a slice in 3D. */
#ifndef FR_RENDER_FLAT_PLANE_H
#define FR_RENDER_FLAT_PLANE_H

#include <freshet/defs.h>
#include <freshet/frame.h>

/* The position of the cut: axes[0] points right and axes[1] up in the picture. */
typedef struct cut {
    int axes[2], across;
    double at;             /* position along `across`, in cells */
    int cells[2];
    double spacing[2];     /* m */
    double low[2], size[2]; /* m: the part of the world shown; on a curvilinear grid with a margin for its banks */
} cut;

fr_result cut_of_view(const fr_frame *frame, const fr_view_def *view, cut *cut);

typedef struct plane {
    int n[2];
    double refine;         /* samples per cell */
    double offset[2];      /* position of sample 0, in samples from the domain's side */
    int period[2];         /* samples per period; 0: not periodic */
    bool smooth;           /* plane_cubic smooths by a B-spline (cubic.h); false after extraction */
    float *data;           /* [n[1]][n[0]], owned */
} plane;

/* The field of that name, or "speed", on the cut. An unknown name is an input error that lists the known ones. */
fr_result plane_extract(const fr_frame *frame, const char *name, const cut *cut, plane *plane);
void plane_free(plane *plane);

/* Continues a field that is known in a liquid alone beyond the surface, so that interpolation there sees the liquid's
   own values. Both are of cells. */
void plane_continue(plane *plane, const struct plane *level);

/* Values at a position in cells from the domain's low corner; constant beyond the sides. */
float plane_linear(const plane *plane, double x, double y);
/* Cubic interpolation through the samples, or a B-spline near them when plane->smooth; clamped to the minimum and
   maximum of the nearest 4 × 4 samples. */
float plane_cubic(const plane *plane, double x, double y);
/* The gradient of plane_cubic per cell, by differences over half a cell. */
void plane_slope(const plane *plane, const double at[2], double slope[2]);

#endif
