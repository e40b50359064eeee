#include "doctor/sample.h"

#include <stdlib.h>

/* Cells along the longest side of a sampling grid: fine enough to judge, quick even for shapes written in Lua. */
enum { SAMPLE_CELLS_2D = 128, SAMPLE_CELLS_3D = 32 };

static bool doctor_copy_solid(fr_world *world, doctor_sample *sample)
{
    const fr_frame *frame = fr_world_frame(world);
    const fr_field *solid = fr_frame_field(frame, "solid");
    if (!solid)
        return false;
    sample->count = 1;
    for (int a = 0; a < 3; a++) {
        sample->size[a] = solid->size[a];
        sample->count *= solid->size[a];
        sample->origin[a] = frame->origin[a];
        sample->spacing[a] = frame->spacing[a];
    }
    sample->distance = malloc((size_t)sample->count * sizeof(float));
    if (sample->distance)
        fr_field_copy(solid, sample->distance);
    return sample->distance != NULL;
}

bool doctor_sample_in(const fr_domain_def *domain, const fr_obstacle_def *obstacles, int count, doctor_sample *sample)
{
    fr_scene_def scene = fr_default_scene(FR_METHOD_SMOKE);
    scene.domain = *domain;
    scene.domain.cells[0] = domain->dims == 2 ? SAMPLE_CELLS_2D : SAMPLE_CELLS_3D;
    scene.domain.cells[1] = scene.domain.cells[2] = 0;
    scene.obstacles = obstacles;
    scene.obstacle_count = count;
    fr_world *world = NULL;
    *sample = (doctor_sample){.distance = NULL};
    bool good = fr_world_create(&scene, &world) == FR_OK && doctor_copy_solid(world, sample);
    fr_world_destroy(world);
    return good;
}

int64_t doctor_deepest(const doctor_sample *sample)
{
    int64_t deepest = 0;
    for (int64_t n = 1; n < sample->count; n++)
        if (sample->distance[n] < sample->distance[deepest])
            deepest = n;
    return deepest;
}

bool doctor_point_inside(const doctor *doctor, const fr_placed_shape *shape, double at[3])
{
    fr_obstacle_def stand_in = {.shape = *shape};
    doctor_sample sample;
    if (!doctor_sample_in(&doctor->def->domain, &stand_in, 1, &sample))
        return false;
    int64_t n = doctor_deepest(&sample);
    int64_t index[3] = {n % sample.size[0], n / sample.size[0] % sample.size[1], n / (sample.size[0] * sample.size[1])};
    for (int a = 0; a < 3; a++)
        at[a] = a < doctor->def->domain.dims ? sample.origin[a] + ((double)index[a] + 0.5) * sample.spacing[a] : 0;
    free(sample.distance);
    return true;
}
