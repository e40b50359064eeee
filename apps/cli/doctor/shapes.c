/* What shapes of a scene are to each other and to the cells. */
#include "doctor/doctor.h"
#include "doctor/sample.h"

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

enum { ZOOMS = 3 };

/* Narrows the box to the neighbourhood of one sample, inside the domain. */
static void doctor_zoom(const doctor_sample *sample, int64_t n, const fr_domain_def *domain, fr_domain_def *box)
{
    int64_t at[3] = {n % sample->size[0], n / sample->size[0] % sample->size[1],
                     n / (sample->size[0] * sample->size[1])};
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
    for (int zoom = 0; zoom < ZOOMS; zoom++) {
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
    const double certain = 0.97;     /* the samples tell a thickness to about 3 % in 3D */
    bool particles = fr_method_describe(doctor->def->method)->of_particles;
    if (particles && doctor->def->sph.boundary == FR_SPH_COLLIDE)
        return;   /* what bounces off a wall does not look through it */
    double cell = doctor->estimate.spacing[0];
    for (int a = 1; a < doctor->estimate.dims; a++)
        cell = fmin(cell, doctor->estimate.spacing[a]);
    for (int i = 0; i < doctor->def->obstacle_count; i++) {
        double thickness;
        if (!doctor_thickness(doctor, &doctor->def->obstacles[i], &thickness) ||
            thickness >= certain * (particles ? 2 : 1) * cell)
            continue;
        if (particles)
            doctor_warn(doctor,
                        "obstacles[%d] is thinner than two spacings of particles (about %.3g m; a spacing is %.3g m): "
                        "liquid on its two sides may "
                        "touch through it; use a smaller sph.spacing",
                        i + 1, thickness, cell);
        else
            doctor_warn(doctor,
                        "obstacles[%d] is thinner than a cell (about %.3g m; a cell is %.3g m): it closes the faces it "
                        "crosses but has no volume; use more cells to resolve it",
                        i + 1, thickness, cell);
    }
}

/* How much of a shape lies in the solid. */
/* A wall that stands in a pool takes a little of it, as it should; more than this may be a mistake. */
static const double natural_overlap = 0.05;

static void doctor_overlap(doctor *doctor, const char *key, int index, const fr_placed_shape *shape,
                           const doctor_sample *solid)
{
    fr_obstacle_def stand_in = {.shape = *shape};
    doctor_sample sample;
    if (!doctor_sample_in(&doctor->def->domain, &stand_in, 1, &sample))
        return;
    int64_t inside = 0, covered = 0;
    for (int64_t n = 0; n < sample.count && sample.count == solid->count; n++) {
        bool in = sample.distance[n] < 0;
        inside += in;
        covered += in && solid->distance[n] < 0;
    }
    free(sample.distance);
    if (inside && covered == inside)
        doctor_warn(doctor, "%s[%d] lies wholly inside an obstacle: nothing comes out of it", key, index + 1);
    else if ((double)covered >
             (fr_method_describe(doctor->def->method)->of_particles ? natural_overlap : 0) * (double)inside)
        doctor_warn(doctor, "%s[%d] overlaps an obstacle: %.0f %% of it is inside the solid", key, index + 1,
                    100.0 * (double)covered / (double)inside);
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
        doctor_overlap(doctor, "sources", i, &def->sources[i].shape, &solid);
    for (int i = 0; i < def->fill_count; i++)
        doctor_overlap(doctor, "fill", i, &def->fill[i].shape, &solid);
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
    printf("mesh        %s: %lld vertices, %lld triangles\n", shape->file, (long long)report.vertices,
           (long long)report.triangles);
    if (report.open_edges || report.odd_edges)
        doctor_warn(
            doctor,
            "%s[%d]: the mesh %s is not closed: %lld open edges, %lld edges of more than two triangles; what is "
            "inside is a guess near its holes",
            key, index, shape->file, (long long)report.open_edges, (long long)report.odd_edges);
}

void doctor_meshes(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    for (int i = 0; i < def->obstacle_count; i++)
        doctor_mesh(doctor, "obstacles", i + 1, def->obstacles[i].shape.shape);
    for (int i = 0; i < def->source_count; i++)
        if (!def->sources[i].in_cells)
            doctor_mesh(doctor, "sources", i + 1, def->sources[i].shape.shape);
    for (int i = 0; i < def->force_count; i++)
        if (def->forces[i].shape.shape)
            doctor_mesh(doctor, "forces", i + 1, def->forces[i].shape.shape);
    for (int i = 0; i < def->fill_count; i++)
        doctor_mesh(doctor, "fill", i + 1, def->fill[i].shape.shape);
    for (int i = 0; i < def->sink_count; i++)
        doctor_mesh(doctor, "sinks", i + 1, def->sinks[i].shape.shape);
}
