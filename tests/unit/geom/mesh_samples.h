/* Files of meshes for the tests. */
#ifndef MESH_SAMPLES_H
#define MESH_SAMPLES_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* mkstemps */
#endif
#include "shape_samples.h"

#include <string.h>
#include <unistd.h>

typedef struct temp_file {
    char path[64];
    FILE *file;
} temp_file;

static inline temp_file temp_open(const char *ending)
{
    temp_file t;
    snprintf(t.path, sizeof t.path, "/tmp/freshet_mesh_XXXXXX%s", ending);
    int fd = mkstemps(t.path, (int)strlen(ending));
    assert_true(fd >= 0);
    t.file = fdopen(fd, "w");
    assert_non_null(t.file);
    return t;
}

static const char cube_faces[12][4] = {"132", "143", "567", "578", "126", "165",
                                       "237", "276", "348", "387", "415", "458"};

/* The twelve triangles of a box, faces outwards; `skip` leaves one out. */
static inline void write_box(FILE *f, const double min[3], const double max[3], int base, int skip)
{
    const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < 8; i++)
        fprintf(f, "v %.9g %.9g %.9g\n", corner[i][0] ? max[0] : min[0], corner[i][1] ? max[1] : min[1],
                corner[i][2] ? max[2] : min[2]);
    for (int i = 0; i < 12; i++)
        if (i != skip)
            fprintf(f, "f %d %d %d\n", base + cube_faces[i][0] - '0', base + cube_faces[i][1] - '0',
                    base + cube_faces[i][2] - '0');
}

static inline temp_file box_file(int skip)
{
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-0.5, -0.25, -1}, (double[3]){0.5, 0.25, 1}, 0, skip);
    fclose(t.file);
    return t;
}

static inline shape *mesh_shape(const char *path, double size, int dims)
{
    fr_shape_def def = fr_default_shape(FR_SHAPE_MESH);
    def.file = path;
    def.size[0] = size;
    return sample_shape(&def, dims);
}

#endif
