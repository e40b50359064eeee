/* The layout of a cache file, known to its writer and its reader:

   /freshet               attributes format, frame, time, dims, cells, origin, spacing, periodic, has_obstacles,
                          fields (how many), ledger_names (one per line), ledger_values
   /freshet/fields/0000 … the fields in the frame's order, [z][y][x]; each has the attributes name, unit,
                          location (0 cell; 1, 2, 3 faces across x, y, z) and, where it is not 1, refine: samples
                          per cell of the frame along every axis
   /freshet/nodes/x, y, z where the corners of the cells lie, [z][y][x] with one more than cells along every axis (2D: x
   and y): there on a bent grid, whose velocities are then fields at the cells. In every file, so that each can be read
   without the others. No image of VTK's follows: it has no place for bends /freshet/velocity      at the cell centres,
   the mean of the faces, [z][y][x][3]; derived, not read back /freshet/faces/<name>  links to the fields on the faces
   /freshet/particles     there when the scene has particles: `position` and `velocity`, [number][3]; `id`, [number],
   when it is known; its attributes are spacing, when the particles are a liquid, and attributes (how many). VTK's
                          format has room for one kind of data in a file, and that is the image below
   /freshet/particles/attributes/0000 …  [number]; each has the attributes name and unit
   /VTKHDF                image data for VTK and ParaView: attributes Version, Type, WholeExtent, Origin, Spacing,
                          Direction
   /VTKHDF/PointData/<name>  the fields at the cell centres and `velocity`
   /VTKHDF_<r>            the same image in cells r times as fine, for the fields whose refine is r. A VTKHDF file has
                          one image: readers take this one when it is copied to /VTKHDF of another file

   VTK 9.1 cannot read cell data of images, and crashes on images of one layer. Hence VTK's points are our cell
   centres, and a 2D frame is shown as two equal layers: a dataset that finds the same chunks twice and costs no room.
 */
#ifndef FR_IO_CACHE_H
#define FR_IO_CACHE_H

#include <limits.h>
#include <math.h>

#include <freshet/frame.h>

enum { CACHE_FORMAT = 2, CACHE_FIELDS_MOST = 9999 /* and as many attributes of particles */, CACHE_REFINE_MOST = 1024 };

/* Samples of all fields and places of nodes in a file, 64 GiB: zeros take no room in it, so its size bounds nothing. */
#define CACHE_SAMPLES_MOST 0x1p34

/* How many samples a field has: at that place, `refine` per cell along every axis. */
static inline void cache_field_size(const fr_frame *frame, fr_location at, int64_t refine, int64_t size[3])
{
    for (int a = 0; a < 3; a++)
        size[a] = (a < frame->dims ? refine : 1) * frame->cells[a] +
                  (at == (fr_location)(FR_AT_FACE_X + a) && a < frame->dims);
}

/* How many that makes, in a type that they fit into. */
static inline double cache_samples(const int64_t size[3])
{
    return (double)size[0] * (double)size[1] * (double)size[2];
}

/* What is wrong with a frame's grid, or NULL: what the writer refuses the reader need not expect. */
static inline const char *cache_grid_trouble(const fr_frame *frame)
{
    if (frame->dims != 2 && frame->dims != 3)
        return "number of dimensions";
    if (frame->dims == 2 && frame->cells[2] != 1)
        return "third axis";
    for (int a = 0; a < 3; a++)
        if (frame->cells[a] < 1 || frame->cells[a] == INT_MAX || !isfinite(frame->origin[a])
            || !isfinite(frame->spacing[a]))
            return "grid";
    return NULL;
}

#endif
