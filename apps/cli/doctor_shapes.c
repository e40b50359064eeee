/* Shapes of a scene, looked at through worlds of their own: a world whose only obstacle is the shape shows its
   signed distance as the field "solid". */
#include "doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void doctor_warn(doctor *doctor, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add(&doctor->warnings, "  - %s\n", line);
    doctor->warning_count++;
}

/* Cells along the longest side of a sampling grid: fine enough to judge, quick even for shapes written in Lua. */
enum { SAMPLE_CELLS_2D = 128, SAMPLE_CELLS_3D = 32, SAMPLE_ZOOMS = 3 };

/* Signed distances to one shape or to several together at the cells of a box. */
typedef struct doctor_sample {
    float *distance;
    int64_t size[3], count;
    double origin[3], spacing[3];
} doctor_sample;

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

/* Empty when the shapes cannot be sampled; they have been accepted before, so that is no finding. */
static bool doctor_sample_in(const fr_domain_def *domain, const fr_obstacle_def *obstacles, int count, doctor_sample *sample)
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

/* The deepest sample; outside a shape that no sample meets, the nearest. */
static int64_t doctor_deepest(const doctor_sample *sample)
{
    int64_t deepest = 0;
    for (int64_t n = 1; n < sample->count; n++)
        if (sample->distance[n] < sample->distance[deepest])
            deepest = n;
    return deepest;
}

/* Narrows the box to the neighbourhood of one sample, inside the domain. */
static void doctor_zoom(const doctor_sample *sample, int64_t n, const fr_domain_def *domain, fr_domain_def *box)
{
    int64_t at[3] = {n % sample->size[0], n / sample->size[0] % sample->size[1], n / (sample->size[0] * sample->size[1])};
    for (int a = 0; a < domain->dims; a++) {
        double centre = sample->origin[a] + ((double)at[a] + 0.5) * sample->spacing[a];
        double low = fmax(centre - 2 * sample->spacing[a], domain->origin[a]);
        double high = fmin(centre + 2 * sample->spacing[a], domain->origin[a] + domain->size[a]);
        box->origin[a] = low;
        box->size[a] = high - low;
    }
}

/* Twice the greatest depth inside the shape: the thickness of a plate, the diameter of a ball. */
static bool doctor_thickness(const doctor *doctor, const fr_obstacle_def *obstacle, double *thickness)
{
    const fr_domain_def *domain = &doctor->def->domain;
    fr_domain_def box = *domain;
    *thickness = 0;
    for (int zoom = 0; zoom < SAMPLE_ZOOMS; zoom++) {
        doctor_sample sample;
        if (!doctor_sample_in(&box, obstacle, 1, &sample))
            return false;
        int64_t deepest = doctor_deepest(&sample);
        *thickness = fmax(*thickness, -2 * (double)sample.distance[deepest]);
        doctor_zoom(&sample, deepest, domain, &box);
        free(sample.distance);
    }
    return true;
}

static void doctor_thin(doctor *doctor)
{
    double cell = doctor->estimate.spacing[0];
    for (int a = 1; a < doctor->estimate.dims; a++)
        cell = fmin(cell, doctor->estimate.spacing[a]);
    for (int i = 0; i < doctor->def->obstacle_count; i++) {
        double thickness;
        if (doctor_thickness(doctor, &doctor->def->obstacles[i], &thickness) && thickness < cell)
            doctor_warn(doctor, "obstacles[%d] is thinner than a cell (about %.3g m; a cell is %.3g m): it closes the faces it "
                        "crosses but has no volume; use more cells to resolve it", i + 1, thickness, cell);
    }
}

static void doctor_overlap(doctor *doctor, int index, const doctor_sample *solid)
{
    fr_obstacle_def stand_in = {.shape = doctor->def->sources[index].shape};
    doctor_sample source;
    if (!doctor_sample_in(&doctor->def->domain, &stand_in, 1, &source))
        return;
    int64_t inside = 0, covered = 0;
    for (int64_t n = 0; n < source.count && source.count == solid->count; n++) {
        bool in = source.distance[n] < 0;
        inside += in;
        covered += in && solid->distance[n] < 0;
    }
    free(source.distance);
    if (inside && covered == inside)
        doctor_warn(doctor, "sources[%d] lies wholly inside an obstacle: nothing comes out of it", index + 1);
    else if (covered)
        doctor_warn(doctor, "sources[%d] overlaps an obstacle: %.0f %% of it is inside the solid", index + 1,
                    100.0 * (double)covered / (double)inside);
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

static void doctor_no_fluid(doctor *doctor, const doctor_sample *solid)
{
    for (int64_t n = 0; n < solid->count; n++)
        if (solid->distance[n] >= 0)
            return;
    doctor_warn(doctor, "the obstacles fill the whole domain: no fluid is left to flow");
}

void doctor_shapes(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    if (def->obstacle_count == 0)
        return;
    doctor_thin(doctor);
    doctor_sample solid;
    if (!doctor_sample_in(&def->domain, def->obstacles, def->obstacle_count, &solid))
        return;
    doctor_no_fluid(doctor, &solid);
    for (int i = 0; i < def->source_count; i++)
        doctor_overlap(doctor, i, &solid);
    free(solid.distance);
}

static void doctor_mesh(doctor *doctor, const char *key, int index, const fr_shape_def *shape)
{
    for (int i = 0; i < shape->child_count; i++)
        doctor_mesh(doctor, key, index, shape->children[i]);
    if (shape->kind != FR_SHAPE_MESH)
        return;
    fr_mesh_report report;
    if (fr_mesh_inspect(shape->file, &report) != FR_OK) {
        doctor_warn(doctor, "%s[%d]: %s", key, index, fr_error_message());
        return;
    }
    printf("mesh        %s: %lld vertices, %lld triangles\n", shape->file, (long long)report.vertices, (long long)report.triangles);
    if (report.open_edges || report.odd_edges)
        doctor_warn(doctor, "%s[%d]: the mesh %s is not closed: %lld open edges, %lld edges of more than two triangles; what is "
                    "inside is a guess near its holes", key, index, shape->file, (long long)report.open_edges, (long long)report.odd_edges);
}

void doctor_meshes(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    for (int i = 0; i < def->obstacle_count; i++)
        doctor_mesh(doctor, "obstacles", i + 1, def->obstacles[i].shape.shape);
    for (int i = 0; i < def->source_count; i++)
        doctor_mesh(doctor, "sources", i + 1, def->sources[i].shape.shape);
    for (int i = 0; i < def->force_count; i++)
        if (def->forces[i].shape.shape)
            doctor_mesh(doctor, "forces", i + 1, def->forces[i].shape.shape);
}
