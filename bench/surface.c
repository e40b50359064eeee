/* Times the mesh of a level set: one line for each number of tetrahedra a cell.

     surface [threads] [size]       (2 threads, 256)

   The level set is a pool with waves, and a ball above it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freshet/surface.h>

#include "base/clock.h"

static float sea(double x, double y, double z)
{
    double waves = y - 0.35 - 0.05 * sin(19 * x) * cos(13 * z), ball = hypot(hypot(x - 0.5, y - 0.7), z - 0.5) - 0.2;
    return (float)fmin(waves * 0.7, ball);
}

typedef struct sea_frame {
    fr_frame frame;
    fr_field fields[4];
} sea_frame;

static void sea_add(sea_frame *s, const char *name, fr_location at)
{
    fr_field *f = &s->fields[s->frame.field_count++];
    int n = s->frame.cells[0];
    *f = (fr_field){.name = name, .unit = "", .location = at, .size = {n, n, n}};
    if (at != FR_AT_CELL)
        f->size[at - FR_AT_FACE_X]++;
    f->stride[0] = 1;
    f->stride[1] = f->size[0];
    f->stride[2] = f->size[0] * f->size[1];
    float *data = malloc((size_t)(f->stride[2] * f->size[2]) * sizeof *data);
    for (int64_t i = 0; data && i < f->stride[2] * f->size[2]; i++)
        data[i] = at != FR_AT_CELL ? 1 : sea((double)(i % n) / n, (double)(i / n % n) / n, (double)(i / n / n) / n);
    f->data = data;
}

static double seconds_of(const sea_frame *s, int tetrahedra, int64_t *triangles)
{
    fr_surface_options options = fr_default_surface();
    options.tetrahedra = tetrahedra;
    double best = INFINITY;
    for (int run = 0; run < 5; run++) {
        fr_mesh mesh;
        double begin = clock_now();
        if (fr_surface_mesh(&s->frame, &options, &mesh) != FR_OK)
            return NAN;
        best = fmin(best, clock_now() - begin);
        *triangles = mesh.triangle_count;
        fr_mesh_destroy(&mesh);
    }
    return best;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 256;
    static sea_frame s;
    s.frame = (fr_frame){.can = FR_FRAME_SURFACE,
                         .dims = 3,
                         .cells = {n, n, n},
                         .spacing = {1.0 / n, 1.0 / n, 1.0 / n},
                         .fields = s.fields};
    sea_add(&s, "level_set", FR_AT_CELL);
    sea_add(&s, "u", FR_AT_FACE_X);
    sea_add(&s, "v", FR_AT_FACE_Y);
    sea_add(&s, "w", FR_AT_FACE_Z);
    fr_set_threads(threads);
    for (int i = 0; i < 4; i++) {
        int64_t triangles = 0, tetrahedra = (const int[4]){6, 24, 48, 192}[i];
        double seconds = seconds_of(&s, (int)tetrahedra, &triangles);
        printf("%d³, %3lld tetrahedra, %d threads: %8lld triangles in %.3f s, %.2f million a second\n", n,
               (long long)tetrahedra, threads, (long long)triangles, seconds, 1e-6 * (double)triangles / seconds);
    }
    for (int f = 0; f < 4; f++)
        free((void *)s.fields[f].data);
    return 0;
}
