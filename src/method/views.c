/* The views of a run: frames, ledger rows, snapshot blocks. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freshet/fields.h>

#include "base/memory.h"
#include "grid/sample.h"
#include "method/method.h"

/* First the columns of SCENE.md in its order, then further common ones; a method's own follow. */
static const char *const ledger_fixed[METHOD_LEDGER_FIXED] = {"frame",
                                                              "time",
                                                              "steps",
                                                              "dt_min",
                                                              "dt_max",
                                                              "wall_s",
                                                              "kinetic_energy",
                                                              "potential_energy",
                                                              "momentum_x",
                                                              "momentum_y",
                                                              "momentum_z",
                                                              "volume",
                                                              "volume_error",
                                                              "max_speed",
                                                              "max_divergence",
                                                              "pressure_iterations",
                                                              "pressure_residual",
                                                              "smoke_mass",
                                                              "heat",
                                                              "particles",
                                                              "particles_lost",
                                                              "density_error",
                                                              "rss_mb",
                                                              "clamps",
                                                              "retries",
                                                              "courant",
                                                              "particles_left"};

enum { NAME = 80 };

fr_result method_views_create(method_run *run, int fields, int own_columns, int blocks)
{
    run->ledger_count = METHOD_LEDGER_FIXED + own_columns;
    run->field_room = fields;
    run->block_room = blocks;
    run->fields = MEMORY_NEW(fr_field, fields);
    run->named = MEMORY_NEW(method_field, fields);
    run->ledger_names = MEMORY_NEW(const char *, run->ledger_count);
    run->ledger_text = MEMORY_NEW(char, NAME * run->ledger_count);
    run->ledger_values = MEMORY_NEW(double, run->ledger_count);
    run->loads = MEMORY_NEW(fr_obstacle_load, run->def->obstacle_count + 1);
    run->bodies = MEMORY_NEW(fr_body_state, run->def->body_count + 1);
    if (!run->fields || !run->named || !run->loads || !run->bodies || !run->ledger_names || !run->ledger_text ||
        !run->ledger_values)
        return FR_ERROR_MEMORY;
    for (int c = 0; c < METHOD_LEDGER_FIXED; c++)
        run->ledger_names[c] = ledger_fixed[c];
    return FR_OK;
}

void method_views_destroy(method_run *run)
{
    memory_free(run->fields);
    memory_free(run->named);
    memory_free(run->ledger_names);
    memory_free(run->ledger_text);
    memory_free(run->ledger_values);
    memory_free(run->loads);
    memory_free(run->bodies);
}

void method_name_column(method_run *run, int column, const char *what, const char *of)
{
    char *name = run->ledger_text + NAME * column;
    snprintf(name, NAME, "%s%s%s", what, *of ? "_" : "", of);
    run->ledger_names[column] = name;
}

static int method_column_index(const method_run *run, const char *name)
{
    int c = 0;
    while (c < run->ledger_count && strcmp(run->ledger_names[c], name) != 0)
        c++;
    return c;
}

bool method_has_column(const method_run *run, const char *name)
{
    return method_column_index(run, name) < run->ledger_count;
}

double *method_column(method_run *run, const char *name)
{
    int c = method_column_index(run, name);
    assert(c < run->ledger_count);
    return &run->ledger_values[c];
}

static fr_field *method_next_field(method_run *run, const char *name)
{
    assert(run->frame.field_count < run->field_room);
    fr_field *view = &run->fields[run->frame.field_count++];
    const fr_field_info *info = fr_field_on_grid(name);
    *view = (fr_field){.name = name, .unit = run->frame.can & FR_FRAME_BENT ? info->bent_unit : info->unit};
    return view;
}

void method_place_frame(method_run *run, const domain *d)
{
    run->frame.dims = d->dims;
    for (int a = 0; a < 3; a++) {
        run->frame.cells[a] = d->n[a];
        run->frame.origin[a] = d->origin[a];
        run->frame.spacing[a] = d->h[a];
        run->frame.periodic[a] = d->periodic[a];
    }
}

void method_add_field(method_run *run, const char *name, const field *f)
{
    fr_field *view = method_next_field(run, name);
    view->location = f->at;
    view->data = f->data;
    for (int a = 0; a < 3; a++) {
        view->size[a] = f->size[a];
        view->stride[a] = f->stride[a];
    }
}

void method_add_packed(method_run *run, const char *name, const float *data)
{
    fr_field *view = method_next_field(run, name);
    view->location = FR_AT_CELL;
    view->data = data;
    ptrdiff_t stride = 1;
    for (int a = 0; a < 3; a++) {
        view->size[a] = run->frame.cells[a];
        view->stride[a] = stride;
        stride *= run->frame.cells[a];
    }
}

void method_name_field(method_run *run, const char *name, const field *f, const domain *d)
{
    assert(run->named_count < run->field_room);
    run->named[run->named_count++] = (method_field){name, f, d};
}

const method_field *method_find_field(const method_run *run, const char *name)
{
    for (int i = 0; i < run->named_count; i++)
        if (!strcmp(run->named[i].name, name))
            return &run->named[i];
    return NULL;
}

void method_show_fields(method_run *run)
{
    for (int i = 0; i < run->named_count; i++)
        method_add_field(run, run->named[i].name, run->named[i].field);
}

fr_result method_probe_field(void *run, const char *name, const double at[3], double *value)
{
    const method_field *found = method_find_field(run, name);
    assert(found);
    *value = sample_at(found->field, found->domain, at);
    return FR_OK;
}

fr_attribute method_attribute(const char *name, const float *data)
{
    const fr_field_info *info = fr_field_describe(name);
    assert(info && info->particle_unit);
    return (fr_attribute){name, info->particle_unit, data};
}

void method_add_block(method_run *run, const char *name, void *data, size_t bytes)
{
    assert(run->block_count < run->block_room);
    run->listed[run->block_count++] = (fr_block){name, data, bytes};
}

void method_add_field_block(method_run *run, const char *name, const field *f)
{
    method_add_block(run, name, f->block, f->count * sizeof(float));
}

void method_save_fields(void *self)
{
    method_run *run = self;
    for (int i = 0; i < run->named_count; i++)
        method_add_field_block(run, run->named[i].name, run->named[i].field);
}

const fr_block *method_find_block(const fr_block *blocks, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(blocks[i].name, name))
            return &blocks[i];
    return NULL;
}

void method_name_bodies(method_run *run, int column)
{
    static const char *const names[METHOD_BODY_COLUMNS] = {
        "bodies_energy", "bodies_momentum_x", "bodies_momentum_y", "bodies_momentum_z", "bodies_work", "bodies_lost"};
    for (int i = 0; i < METHOD_BODY_COLUMNS; i++)
        method_name_column(run, column++, names[i], "");
}

void method_show_bodies(method_run *run, const fleet *f, int dims)
{
    const fleet_ledger sum = fleet_account(f);
    fleet_show(f, run->bodies);
    *method_column(run, "bodies_energy") = sum.energy;
    *method_column(run, "bodies_momentum_x") = sum.momentum[0];
    *method_column(run, "bodies_momentum_y") = sum.momentum[1];
    *method_column(run, "bodies_momentum_z") = dims == 3 ? sum.momentum[2] : NAN;
    *method_column(run, "bodies_work") = sum.work;
    *method_column(run, "bodies_lost") = sum.lost;
}
