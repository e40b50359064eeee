#include "grid/field.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/wide.h"

enum { ROW_MULTIPLE = 8 };

void field_layout(const domain *domain, fr_location at, field *f)
{
    *f = (field){.at = at};
    for (int a = 0; a < 3; a++)
        f->size[a] = domain->n[a] + (at == field_face(a) && a < domain->dims);
    ptrdiff_t row = (f->size[0] + 2 * GHOST + ROW_MULTIPLE - 1) / ROW_MULTIPLE * ROW_MULTIPLE;
    ptrdiff_t plane = row * (f->size[1] + 2 * GHOST);
    bool flat = domain->dims == 2;
    f->stride[0] = 1;
    f->stride[1] = row;
    f->stride[2] = flat ? 0 : plane;
    f->count = (size_t)(plane * (flat ? 1 : f->size[2] + 2 * GHOST));
}

void field_over(float *block, const domain *domain, fr_location at, field *out)
{
    field_layout(domain, at, out);
    out->block = block;
    out->data = out->block + field_first(out);
}

fr_result field_create(const domain *domain, fr_location at, field *out)
{
    float *block = MEMORY_NEW(float, field_bytes(domain, at) / sizeof(float));
    if (!block)
        return FR_ERROR_MEMORY;
    field_over(block, domain, at, out);
    return FR_OK;
}

void field_destroy(field *f)
{
    memory_free(f->block);
    *f = (field){0};
}

size_t field_bytes(const domain *domain, fr_location at)
{
    field f;
    field_layout(domain, at, &f);
    return f.count * sizeof(float);
}

enum { FIELD_PART = 4096 };   /* samples in an item of work */

static int field_parts(const field *f) { return (int)((f->count + FIELD_PART - 1) / FIELD_PART); }

static size_t field_part_end(const field *f, int end)
{
    size_t last = (size_t)end * FIELD_PART;
    return last < f->count ? last : f->count;
}

typedef struct field_value {
    field *f;
    float value;
} field_value;

static void field_fill_part(void *context, int begin, int end)
{
    const field_value *job = context;
    const size_t last = field_part_end(job->f, end);
    float *block = job->f->block;
    for (size_t i = (size_t)begin * FIELD_PART; i < last; i++)
        block[i] = job->value;
}

void field_fill(field *f, float value)
{
    threads_for_cost(field_parts(f), FIELD_PART, field_fill_part, &(field_value){f, value});
}

typedef struct field_pair {
    field *to;
    const field *from;
} field_pair;

static void field_copy_part(void *context, int begin, int end)
{
    const field_pair *pair = context;
    size_t first = (size_t)begin * FIELD_PART, last = field_part_end(pair->from, end);
    memcpy(pair->to->block + first, pair->from->block + first, (last - first) * sizeof(float));
}

void field_copy(field *to, const field *from)
{
    threads_for_cost(field_parts(from), FIELD_PART, field_copy_part, &(field_pair){to, from});
}

typedef struct field_sum {
    field *to;
    const field *x, *y;
    float a, b;
} field_sum;

/* Eight at a time: to the compiler `to` might overlap the others in any way. */
static void field_blend_part(void *context, int begin, int end)
{
    const field_sum *sum = context;
    const size_t last = field_part_end(sum->to, end);
    const float *x = sum->x->block, *y = sum->y->block;
    float *to = sum->to->block;
    size_t i = (size_t)begin * FIELD_PART;
    for (; i + WIDE <= last; i += WIDE)
        wide_store(to + i, sum->a * wide_load(x + i) + sum->b * wide_load(y + i));
    for (; i < last; i++)
        to[i] = sum->a * x[i] + sum->b * y[i];
}

void field_blend(field *to, float a, const field *x, float b, const field *y)
{
    field_sum sum = {to, x, y, a, b};
    threads_for_cost(field_parts(to), FIELD_PART, field_blend_part, &sum);
}

void field_swap(field *a, field *b)
{
    field t = *a;
    *a = *b;
    *b = t;
}

void field_origin(const field *f, const domain *d, double origin[3])
{
    for (int a = 0; a < 3; a++)
        origin[a] = a < d->dims ? d->origin[a] + (f->at == field_face(a) ? 0 : 0.5 * d->h[a]) : 0;
}

void field_position(const field *f, const domain *d, const ptrdiff_t index[3], double at[3])
{
    field_origin(f, d, at);
    for (int a = 0; a < d->dims; a++)
        at[a] += (double)index[a] * d->h[a];
}

void field_for_rows(const field *layout, field_work work, void *context)
{
    threads_for_cost(field_rows(layout), layout->size[0], work, context);
}

void field_negative_span(const field *f, int j, int k, int span[2])
{
    const float *row = field_row(f, j, k);
    int begin = 0, end = f->size[0];
    while (begin + WIDE <= end && !wide_any(wide_load(row + begin) < 0))
        begin += WIDE;
    while (begin < end && !(row[begin] < 0))
        begin++;
    while (end - WIDE >= begin && !wide_any(wide_load(row + end - WIDE) < 0))
        end -= WIDE;
    while (end > begin && !(row[end - 1] < 0))
        end--;
    span[0] = begin;
    span[1] = end;
}

typedef struct field_largest_job {
    const field *f;
    float origin;
    double *partial;
} field_largest_job;

/* Eight at a time: compilers keep the order of a maximum, where one waits for the other. NaNs are passed over. */
float field_largest_in(const float *row, int count, float origin)
{
    wide eight = wide_all(0);
    int i = 0;
    for (; i + WIDE <= count; i += WIDE) {
        wide from = wide_load(row + i) - origin;
        eight = wide_max(wide_max(from, -from), eight);
    }
    float most = wide_greatest(eight);
    for (; i < count; i++) {
        float size = fabsf(row[i] - origin);
        most = size > most ? size : most;
    }
    return most;
}

static void field_largest_rows(void *context, int begin, int end)
{
    const field_largest_job *job = context;
    for (int r = begin; r < end; r++)
        job->partial[r] = field_largest_in(field_row(job->f, r % job->f->size[1], r / job->f->size[1]),
                                           job->f->size[0], job->origin);
}

double field_largest(const field *f, float origin, double *partial)
{
    field_largest_job job = {f, origin, partial};
    field_for_rows(f, field_largest_rows, &job);
    return threads_max(partial, field_rows(f));
}
