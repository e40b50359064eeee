#include "render/flat/unbend.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "render/draw/palette.h"

#include <string.h>

/* Approximate number of voxels in the box. */
static const double voxels = 3e6;

/* Density of the haze at the sides, and its reach into the grid, in cells. */
static const double haze = 0.07, haze_reach = 0.7;

typedef struct unbend_job {
    const fr_frame *from, *to;
    float (*place)[3];       /* per voxel: grid coordinates in cells; NaN outside */
    float (*value)(const struct unbend_job *job, const float place[3]);    /* of the field being filled, inside */
    const fr_field *field;   /* source of `value` */
    float unit;              /* scale of `value` */
    float outside;           /* the value outside the grid */
    float *values;           /* of the field being filled */
} unbend_job;

/* A cell is cut into six tetrahedra around its diagonal: each is a path from the low to the high corner, a step along
   each axis. */
static const int steps[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static vec3 unbend_node(const fr_frame *f, const int at[3])
{
    int64_t n = at[0] + (int64_t)(f->cells[0] + 1) * (at[1] + (int64_t)(f->cells[1] + 1) * at[2]);
    const float *x = f->nodes.data + n * f->nodes.stride;
    return (vec3){x[0], x[1], x[2]};
}

/* The corners of a tetrahedron in world coordinates and in grid coordinates. */
typedef struct unbend_tet {
    vec3 at[4];
    int cell[4][3];
} unbend_tet;

static unbend_tet unbend_tet_of(const fr_frame *f, const int cell[3], int which)
{
    unbend_tet tet;
    memcpy(tet.cell[0], cell, sizeof tet.cell[0]);
    tet.at[0] = unbend_node(f, cell);
    for (int c = 1; c < 4; c++) {
        memcpy(tet.cell[c], tet.cell[c - 1], sizeof tet.cell[c]);
        tet.cell[c][steps[which][c - 1]]++;
        tet.at[c] = unbend_node(f, tet.cell[c]);
    }
    return tet;
}

static double unbend_volume(vec3 a, vec3 b, vec3 c)
{
    return vec3_dot(a, vec3_cross(b, c));
}

/* The barycentric coordinates of a point; false outside. */
static bool unbend_shares(const unbend_tet *tet, vec3 p, double share[4])
{
    static const double slack = 1e-9;
    vec3 a = vec3_sub(tet->at[1], tet->at[0]), b = vec3_sub(tet->at[2], tet->at[0]),
         c = vec3_sub(tet->at[3], tet->at[0]), q = vec3_sub(p, tet->at[0]);
    double whole = unbend_volume(a, b, c);
    if (whole == 0)
        return false;
    share[1] = unbend_volume(q, b, c) / whole;
    share[2] = unbend_volume(a, q, c) / whole;
    share[3] = unbend_volume(a, b, q) / whole;
    share[0] = 1 - share[1] - share[2] - share[3];
    return share[0] >= -slack && share[1] >= -slack && share[2] >= -slack && share[3] >= -slack;
}

static double unbend_part(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The range of voxels, within the given layers, whose centres may lie in the tetrahedron. */
static void unbend_bounds(const fr_frame *to, const unbend_tet *tet, const int layers[2], int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        double least = INFINITY, most = -INFINITY;
        for (int c = 0; c < 4; c++) {
            double x = (unbend_part(tet->at[c], a) - to->origin[a]) / to->spacing[a] - 0.5;
            least = fmin(least, x);
            most = fmax(most, x);
        }
        low[a] = (int)fmax(ceil(least - 1e-9), a == 2 ? layers[0] : 0);
        high[a] = (int)fmin(floor(most + 1e-9), (a == 2 ? layers[1] : to->cells[a]) - 1);
    }
}

static void unbend_tet_voxels(const unbend_job *job, const unbend_tet *tet, const int layers[2])
{
    const fr_frame *to = job->to;
    int low[3], high[3];
    unbend_bounds(to, tet, layers, low, high);
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                vec3 p = {to->origin[0] + (i + 0.5) * to->spacing[0], to->origin[1] + (j + 0.5) * to->spacing[1],
                          to->origin[2] + (k + 0.5) * to->spacing[2]};
                double share[4];
                if (!unbend_shares(tet, p, share))
                    continue;
                float *place = job->place[i + to->cells[0] * (j + (int64_t)to->cells[1] * k)];
                for (int a = 0; a < 3; a++)
                    place[a] = (float)(share[0] * tet->cell[0][a] + share[1] * tet->cell[1][a] +
                                       share[2] * tet->cell[2][a] + share[3] * tet->cell[3][a]);
            }
}

enum { UNBEND_LAYERS = 8 };

/* Whether a cell lies entirely below or above these layers. */
static bool unbend_misses(const unbend_job *job, const int cell[3], const int layers[2])
{
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 8; c++) {
        const int at[3] = {cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)};
        double z = (unbend_node(job->from, at).z - job->to->origin[2]) / job->to->spacing[2];
        low = fmin(low, z);
        high = fmax(high, z);
    }
    return !(high >= layers[0] && low <= layers[1]);
}

/* Each slab of layers visits all cells, so that no two threads write the same voxel. */
static void unbend_slabs(void *context, int begin, int end)
{
    const unbend_job *job = context;
    const int *n = job->from->cells;
    for (int slab = begin; slab < end; slab++) {
        int layers[2] = {slab * UNBEND_LAYERS, (slab + 1) * UNBEND_LAYERS};
        layers[1] = layers[1] < job->to->cells[2] ? layers[1] : job->to->cells[2];
        for (int64_t cell = 0; cell < (int64_t)n[0] * n[1] * n[2]; cell++) {
            const int at[3] = {(int)(cell % n[0]), (int)(cell / n[0] % n[1]), (int)(cell / n[0] / n[1])};
            for (int which = 0; which < 6 && !unbend_misses(job, at, layers); which++) {
                unbend_tet tet = unbend_tet_of(job->from, at, which);
                unbend_tet_voxels(job, &tet, layers);
            }
        }
    }
}

/* Trilinear between the cell centres, constant beyond the outermost. */
static float unbend_sample(const unbend_job *job, const float place[3])
{
    const fr_frame *frame = job->from;
    const fr_field *field = job->field;
    ptrdiff_t low[3], high[3];
    float f[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        int n = frame->cells[a], i = (int)floorf(place[a] - 0.5f);
        f[a] = place[a] - 0.5f - (float)i;
        bool closed = frame->periodic[a];
        low[a] = (closed ? (i + n) % n : i < 0 ? 0 : i) * field->stride[a];
        high[a] = (closed ? (i + 1) % n : i + 1 < n ? i + 1 : n - 1) * field->stride[a];
    }
    for (int c = 0; c < 8; c++) {
        float weight = (c & 1 ? f[0] : 1 - f[0]) * (c & 2 ? f[1] : 1 - f[1]) * (c & 4 ? f[2] : 1 - f[2]);
        sum += weight * field->data[(c & 1 ? high : low)[0] + (c & 2 ? high : low)[1] + (c & 4 ? high : low)[2]];
    }
    return sum * job->unit;
}

/* A haze along the sides of the grid makes the channel's walls visible. */
static float unbend_haze(const unbend_job *job, const float place[3])
{
    float depth = INFINITY;   /* from the nearest side, in cells */
    for (int a = 0; a < 3; a++)
        if (!job->from->periodic[a])
            depth = fminf(depth, fminf(place[a], (float)job->from->cells[a] - place[a]));
    return (float)haze * expf(-depth * depth / (float)(haze_reach * haze_reach));
}

static float unbend_free_space(const unbend_job *job, const float place[3])
{
    (void)place;
    return job->unit;
}

static void unbend_fill_rows(void *context, int begin, int end)
{
    const unbend_job *job = context;
    int64_t row = (int64_t)job->to->cells[0] * job->to->cells[1];
    for (int64_t n = begin * row; n < end * row; n++) {
        const float *place = job->place[n];
        job->values[n] = isnan(place[0]) ? job->outside : job->value(job, place);
    }
}

/* Adds a field of voxels to `out` and fills it. */
static fr_result unbend_add(unbend_job *job, unbent *out, const char *name, const char *unit)
{
    const int *n = out->frame.cells;
    job->values = MEMORY_NEW(float, (int64_t)n[0] * n[1] * n[2]);
    if (!job->values)
        return FR_ERROR_MEMORY;
    out->fields[out->frame.field_count++] = (fr_field){.name = name,
                                                       .unit = unit,
                                                       .location = FR_AT_CELL,
                                                       .data = job->values,
                                                       .size = {n[0], n[1], n[2]},
                                                       .stride = {1, n[0], (ptrdiff_t)n[0] * n[1]}};
    threads_for(n[2], unbend_fill_rows, job);
    return FR_OK;
}

static bool unbend_is_needed(const fr_frame *frame, const fr_field *field, bool volume)
{
    static const char *const names[] = {"density", "temperature", "solid"};
    int at = 0;
    if (field->location != FR_AT_CELL || fr_field_refine(frame, field) != 1)
        return false;
    for (const fr_field *ink = palette_next_ink(frame, &at); ink; ink = palette_next_ink(frame, &at))
        if (ink == field)
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return !volume;
}

/* On a curvilinear grid "solid" is in cells (±½ at the obstacles' faces); multiplied by the voxel size it is roughly a
   distance. Outside the grid a slice is solid, but a volume is empty, so that one can look in. */
static fr_result unbend_fields(unbend_job *job, bool volume, unbent *out)
{
    const fr_frame *frame = job->from;
    float side = (float)out->frame.spacing[0];
    for (int i = 0; i < frame->field_count; i++) {
        job->field = &frame->fields[i];
        bool solid = strcmp(job->field->name, "solid") == 0;
        job->value = unbend_sample;
        job->unit = solid ? side : 1;
        job->outside = !solid ? 0 : volume ? side : -side;
        if (unbend_is_needed(frame, job->field, volume))
            FR_TRY(unbend_add(job, out, job->field->name, job->field->unit));
    }
    if (volume && !fr_frame_field(frame, "density")) {
        job->value = unbend_haze;
        job->outside = 0;
        FR_TRY(unbend_add(job, out, "density", "1"));
    }
    if (!volume && !fr_frame_field(frame, "solid")) {
        job->value = unbend_free_space;
        job->unit = 0.5f * side;
        job->outside = -job->unit;
        FR_TRY(unbend_add(job, out, "solid", "m"));
    }
    return FR_OK;
}

/* Chooses voxels that are nearly cubes. */
static void unbend_choose_voxels(fr_frame *to)
{
    double box = 1, size[3];
    for (int a = 0; a < 3; a++) {
        size[a] = to->cells[a] * to->spacing[a];
        box *= size[a];
    }
    double side = cbrt(box / voxels);
    for (int a = 0; a < 3; a++) {
        to->cells[a] = (int)fmax(1, ceil(size[a] / side));
        to->spacing[a] = size[a] / to->cells[a];
        to->periodic[a] = false;
    }
}

fr_result unbend(const fr_frame *frame, const fr_view_def *view, unbent *out)
{
    *out = (unbent){.frame = *frame, .fields = MEMORY_NEW(fr_field, frame->field_count + 2)};
    fr_frame *to = &out->frame;
    unbend_choose_voxels(to);
    to->nodes.data = NULL;
    to->can &= ~(uint32_t)(FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE);   /* its ranges are centred on zero */
    to->field_count = 0;
    to->fields = out->fields;
    int64_t count = (int64_t)to->cells[0] * to->cells[1] * to->cells[2];
    unbend_job job = {.from = frame, .to = to, .place = memory_alloc(sizeof *job.place * (size_t)count)};
    fr_result result = out->fields && job.place ? FR_OK : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        for (int64_t n = 0; n < count; n++)
            job.place[n][0] = NAN;
        threads_for((to->cells[2] + UNBEND_LAYERS - 1) / UNBEND_LAYERS, unbend_slabs, &job);
        result = unbend_fields(&job, strcmp(view->field, "volume") == 0, out);
    }
    memory_free(job.place);
    if (result != FR_OK)
        unbend_free(out);
    return result;
}

void unbend_free(unbent *out)
{
    for (int i = 0; i < out->frame.field_count; i++)
        memory_free((void *)out->fields[i].data);
    memory_free(out->fields);
    *out = (unbent){.fields = NULL};
}
