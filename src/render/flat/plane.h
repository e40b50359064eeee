/* A flat cut through a frame's field: the whole of it in 2D, a slice in 3D. */
#ifndef FR_RENDER_FLAT_PLANE_H
#define FR_RENDER_FLAT_PLANE_H

#include <freshet/defs.h>
#include <freshet/frame.h>

/* Where the cut lies: axes[0] runs right and axes[1] up in the picture. */
typedef struct cut {
    int axes[2], across;
    double at;             /* place along `across`, in cells */
    int cells[2];
    double spacing[2];     /* m */
    double low[2],
        size[2]; /* m: what the picture shows; more than the domain where a grid is bent, so that its banks are seen */
} cut;

fr_result cut_of_view(const fr_frame *frame, const fr_view_def *view, cut *cut);

typedef struct plane {
    int n[2];
    double refine;         /* samples per cell */
    double offset[2];      /* where the sample 0 sits, in samples from the domain's side */
    int period[2];         /* samples after which the field repeats; 0: it ends */
    bool smooth;           /* drawn for its looks (cubic.h); false after extraction */
    float *data;           /* [n[1]][n[0]], owned */
} plane;

/* The field of that name, or "speed", on the cut. An unknown name is an input error that lists the known. */
fr_result plane_extract(const fr_frame *frame, const char *name, const cut *cut, plane *plane);
void plane_free(plane *plane);

/* Values at a place given in cells from the domain's low corner; held constant beyond the sides. */
float plane_linear(const plane *plane, double x, double y);
/* Smoothly through the samples, or near them when plane->smooth; held between the least and greatest of the nearest
   four by four. */
float plane_cubic(const plane *plane, double x, double y);
/* Slope of that, per cell, over half a cell. */
void plane_slope(const plane *plane, const double at[2], double slope[2]);

#endif
