/* Meshes of a scene: how large they are, and whether they are closed. */
#include "doctor/doctor.h"

#include <stdio.h>

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
    for (int i = 0; i < def->body_count; i++)
        doctor_mesh(doctor, "bodies", i + 1, def->bodies[i].shape.shape);
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
