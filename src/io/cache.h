/* The layout of a cache file, shared by its writer and its reader:

   /freshet
       attributes: format, can (the bits of fr_frame.can), frame, time, dims, cells, origin, spacing, periodic,
       has_obstacles, fields (how many), ledger_names (one per line), ledger_values

   /freshet/fields/0000 …
       the fields in the frame's order, [z][y][x]. Attributes: name, unit, location (0: cells; 1, 2, 3: faces across
       x, y, z) and, where it is not 1, refine: samples per cell of the frame along every axis

   /freshet/nodes/x, y, z
       only on a curvilinear grid: coordinates of the cells' corners, [z][y][x], one more than cells along every axis
       (2D: x and y only). Velocities are then fields at the cells, and there is no VTK image, which cannot be
       curvilinear. Every file has the nodes, so that each can be read without the others

   /freshet/velocity
       velocity at the cell centres, the mean of the faces, [z][y][x][3]; derived, not read back

   /freshet/faces/<name>
       links to the fields on the faces

   /freshet/particles
       only in scenes with particles: position and velocity, [number][3]; id, [number], when known. Attributes: spacing,
       when the particles are a liquid; attributes (how many). Not visible to VTK: a VTKHDF file holds one kind of data,
       which is the image below

   /freshet/particles/attributes/0000 …
       [number]. Attributes: name, unit

   /freshet/bodies
       only in scenes with rigid bodies, a row per body: centre, position, velocity and spin, [number][3]; rotation,
       [number][4], a unit quaternion w, x, y, z; temperature and present (0 or 1), [number]. freshet/frame.h says what
       they mean

   /VTKHDF
       image data for VTK and ParaView. Attributes: Version, Type, WholeExtent, Origin, Spacing, Direction

   /VTKHDF/PointData/<name>
       the fields at the cell centres, and the velocity

   /VTKHDF_<r>
       the same image with cells r times finer, for the fields with refine = r. A VTKHDF file has one image; to read
       this one, copy it to /VTKHDF of another file

   VTK 9.1 cannot read cell data of images and crashes on images of one layer. So VTK's points are our cell centres, and
   a 2D frame is shown as two equal layers: the second refers to the same chunks and takes no space. */
#ifndef FR_IO_CACHE_H
#define FR_IO_CACHE_H

#include <limits.h>
#include <math.h>

#include <freshet/frame.h>

enum { CACHE_FORMAT = 3, CACHE_FIELDS_MOST = 9999 /* also most particle attributes */, CACHE_REFINE_MOST = 1024 };

/* Most samples of all fields and nodes in a file: 64 GiB. Needed because chunks of zeros are not stored, so a small
   file can claim to be huge. */
#define CACHE_SAMPLES_MOST 0x1p34

/* The size of a field at that location, with `refine` samples per cell along every axis. */
static inline void cache_field_size(const fr_frame *frame, fr_location at, int64_t refine, int64_t size[3])
{
    for (int a = 0; a < 3; a++)
        size[a] = (a < frame->dims ? refine : 1) * frame->cells[a] +
                  (at == (fr_location)(FR_AT_FACE_X + a) && a < frame->dims);
}

/* The number of samples, as a double: the product may overflow an int64_t. */
static inline double cache_samples(const int64_t size[3])
{
    return (double)size[0] * (double)size[1] * (double)size[2];
}

/* What is wrong with a frame's grid, or NULL. Writer and reader make the same check. */
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
