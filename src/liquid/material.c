/* What sticks to the liquid: its colour, and texture coordinates, which say where each bit of it was at the start
   (Carlson 2004, 4.5.3). They are scalars like inks (scalars.c). What comes in without a word about its colour has that
   of the look; its texture coordinates are where it comes in. */
#include <string.h>

#include "liquid/liquid.h"
#include "method/evaluate.h"
#include "method/times.h"

static fr_result material_place(void *axis, const double *args, double *out)
{
    *out = args[*(const int *)axis];
    return FR_OK;
}

static bool material_has(const fr_scalar_value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].name, name))
            return true;
    return false;
}

/* Whether anything in the scene has a colour of its own. */
static bool material_is_coloured(const fr_scene_def *def)
{
    bool coloured = false;
    for (int i = 0; i < def->fill_count; i++)
        coloured |= material_has(def->fill[i].scalars, def->fill[i].scalar_count, FR_COLOUR_RED);
    for (int i = 0; i < def->source_count; i++)
        coloured |= material_has(def->sources[i].scalars, def->sources[i].scalar_count, FR_COLOUR_RED);
    for (int i = 0; i < 2 * def->domain.dims; i++)
        coloured |= material_has(def->walls[i].scalars, def->walls[i].scalar_count, FR_COLOUR_RED);
    return coloured;
}

static void material_add(model_material *to, const char *name, fr_number initial, int texture)
{
    to->scalars[to->count].name = name;
    to->scalars[to->count].initial = initial;
    to->scalars[to->count++].texture = texture;
}

model_material liquid_material(const fr_scene_def *def)
{
    static const char *const parts[3] = {FR_COLOUR_RED, FR_COLOUR_GREEN, FR_COLOUR_BLUE};
    static const char *const coordinates[3] = {"texture_x", "texture_y", "texture_z"};
    static const double plain[3] = {0.11, 0.38, 0.68}; /* water in flat pictures */
    static int axes[3] = {0, 1, 2};
    const double *look = def->look.liquid_colour;
    const double *usual = look[0] > 0 || look[1] > 0 || look[2] > 0 ? look : plain;
    model_material material = {0};
    for (int i = 0; i < 3 && material_is_coloured(def); i++)
        material_add(&material, parts[i], (fr_number){.value = usual[i]}, 0);
    for (int a = 0; a < def->domain.dims && def->liquid.texture; a++)
        material_add(&material, coordinates[a], (fr_number){.function = material_place, .context = &axes[a]}, a + 1);
    return material;
}

typedef struct material_job {
    const liquid_run *run;
    int axis;
    const field *from;
    field *to;
} material_job;

/* Where a cell is along the axis, m. */
static double material_cell(const material_job *job, int i, int j, int k)
{
    const domain *d = &job->run->flow.model->domain;
    const int at[3] = {i, j, k};
    return d->origin[job->axis] + (at[job->axis] + 0.5) * d->h[job->axis];
}

static void material_way_rows(void *context, int begin, int end)
{
    const material_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *coordinate = field_row(job->from, j, k);
        float *way = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            way[i] = (float)((double)coordinate[i] - material_cell(job, i, j, k));
    }
}

void liquid_texture_way(liquid_run *run, int axis, const field *coordinate, field *way)
{
    material_job job = {run, axis, coordinate, way};
    field_for_rows(way, material_way_rows, &job);
}

static void material_place_rows(void *context, int begin, int end)
{
    const material_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *way = field_row(job->from, j, k);
        float *coordinate = field_row(job->to, j, k);
        const uint8_t *layer = job->run->liquid.ink_layers + (coordinate - job->to->block);
        for (int i = 0; i < job->to->size[0]; i++)
            if (layer[i] != EXTEND_KNOWN)
                coordinate[i] = (float)((double)way[i] + material_cell(job, i, j, k));
    }
}

void liquid_texture_place(liquid_run *run, int axis, const field *way, field *coordinate)
{
    material_job job = {run, axis, way, coordinate};
    field_for_rows(coordinate, material_place_rows, &job);
}

/* One scalar of the liquid that a source pours. */
static fr_result material_pour(const liquid_step *step, const model_cover *cells, int index)
{
    const model *m = step->flow.m;
    field *to = &step->flow.s->next_scalars[index];
    for (int64_t c = 0; c < cells->count; c++) {
        double at[3], value;
        model_position(&m->domain, to, cells->at[c], at);
        FR_TRY(evaluate_number(&m->scalars[index].initial, at, step->flow.s->now.time, &value));
        float *cell = to->data + cells->at[c];
        *cell = (float)(*cell + cells->share[c] * (value - *cell));
    }
    return FR_OK;
}

fr_result liquid_material_give(const liquid_step *step)
{
    const model *m = step->flow.m;
    const progress *now = &step->flow.s->now;
    for (int i = 0; i < m->source_count; i++) {
        const fr_source_def *source = m->sources[i].def;
        if (!source->sets_velocity || times_overlap(source->from, source->to, now->time, now->end) <= 0)
            continue;
        for (int k = 0; k < m->scalar_count; k++)
            if (m->scalars[k].sticks && !material_has(source->scalars, source->scalar_count, m->scalars[k].name))
                FR_TRY(material_pour(step, &m->sources[i].cells[0], k));
    }
    return FR_OK;
}
