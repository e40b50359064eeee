/* The way from fluxes to velocities: with M the vectors of faces, M_j = ⟨S^j⟩, that go with the fluxes ⟨U^j⟩ at a sample, u solves
   M u = ⟨U⟩, and the columns of M⁻¹ are kept:  b_j = M_k × M_l / (M_j · M_k × M_l). */
#include "base/memory.h"
#include "grid/curve/parts.h"

enum { BASIS_STRETCH = 128 };   /* samples of a row that are done together */

/* Samples [i, i + n) of the row (j, k) of the faces across `axis`; −1: of centres. */
typedef struct basis_stretch {
    int axis, i, n, j, k;
} basis_stretch;

/* What `f`, on the faces across some axis, is at these samples: itself, or the mean of those around. The sums are the same bits on a
   mirrored grid. */
static void basis_around(const field *f, const basis_stretch *s, float *restrict out)
{
    const float *restrict here = field_row(f, s->j, s->k) + s->i;
    if (field_axis(f) == s->axis) {
        for (int i = 0; i < s->n; i++)
            out[i] = here[i];
        return;
    }
    const float *restrict next = here + f->stride[field_axis(f)];
    if (s->axis < 0) {
        for (int i = 0; i < s->n; i++)
            out[i] = 0.5f * (here[i] + next[i]);
        return;
    }
    const float *restrict before = here - f->stride[s->axis], *restrict before_next = next - f->stride[s->axis];
    for (int i = 0; i < s->n; i++)
        out[i] = 0.25f * ((here[i] + next[i]) + (before[i] + before_next[i]));
}

typedef struct basis_job {
    const curve *c;
    const curve_basis *basis;
    const field *flux;
    field *velocity;
    int axis;
    int *flat;               /* per row: the first sample where M cannot be inverted, or −1 */
} basis_job;

/* A row in stretches; its last one is shorter. */
static basis_stretch basis_next(const basis_job *job, const field *f, int row, int i)
{
    int left = f->size[0] - i;
    return (basis_stretch){job->axis, i, left < BASIS_STRETCH ? left : BASIS_STRETCH, row % f->size[1], row / f->size[1]};
}

static void basis_gather(const curve *c, const basis_stretch *s, float m[3][3][BASIS_STRETCH])
{
    for (int j = 0; j < c->domain.dims; j++)
        for (int x = 0; x < c->domain.dims; x++)
            basis_around(&c->face[j][x], s, m[j][x]);
}

static void basis_store(const curve_basis *basis, int dims, ptrdiff_t at, const vec3 b[3])
{
    for (int j = 0; j < dims; j++) {
        const double component[3] = {b[j].x, b[j].y, b[j].z};
        for (int x = 0; x < dims; x++)
            basis->vector[j][x].data[at] = (float)component[x];
    }
}

/* In a sheet the third row is (0, 0, 1). False: the rows are nearly in one plane, or have the wrong hand. */
static bool basis_invert(const vec3 m[3], double hand, vec3 b[3])
{
    const double flattest = 1e-3;
    double triple = curve_triple(m);
    for (int j = 0; j < 3; j++)
        b[j] = vec3_scale(vec3_cross(m[(j + 1) % 3], m[(j + 2) % 3]), 1 / triple);
    return hand * triple > flattest * vec3_length(m[0]) * vec3_length(m[1]) * vec3_length(m[2]);
}

static void basis_rows(void *context, int begin, int end)
{
    const basis_job *job = context;
    const field *layout = &job->basis->vector[0][0];
    double hand = job->c->left_handed ? -1 : 1;
    float m[3][3][BASIS_STRETCH] = {{{0}}};
    for (int i = 0; i < BASIS_STRETCH; i++)
        m[2][2][i] = 1;
    for (int row = begin; row < end; row++) {
        job->flat[row] = -1;
        for (int i = 0; i < layout->size[0]; i += BASIS_STRETCH) {
            basis_stretch s = basis_next(job, layout, row, i);
            basis_gather(job->c, &s, m);
            for (int l = 0; l < s.n; l++) {
                vec3 rows[3], b[3];
                for (int j = 0; j < 3; j++)
                    rows[j] = (vec3){m[j][0][l], m[j][1][l], m[j][2][l]};
                if (!basis_invert(rows, hand, b) && job->flat[row] < 0)
                    job->flat[row] = i + l;
                basis_store(job->basis, job->c->domain.dims, field_offset(layout, i + l, s.j, s.k), b);
            }
        }
    }
}

static fr_result basis_report(const basis_job *job)
{
    const field *layout = &job->basis->vector[0][0];
    for (int row = 0; row < field_rows(layout); row++)
        if (job->flat[row] >= 0)
            return fr_fail(FR_ERROR_INPUT, "the cells of the grid around %s are bent too far against each other; make the grid smoother "
                           "there", curve_name_of(3, (int[3]){job->flat[row], row % layout->size[1], row / layout->size[1]}).text);
    return FR_OK;
}

static fr_result basis_make(const curve *c, const curve_basis *basis, int axis)
{
    const field *layout = &basis->vector[0][0];
    int *flat = MEMORY_NEW(int, field_rows(layout));
    if (!flat)
        return FR_ERROR_MEMORY;
    basis_job job = {.c = c, .basis = basis, .axis = axis, .flat = flat};
    field_for_rows(layout, basis_rows, &job);
    fr_result result = basis_report(&job);
    memory_free(flat);
    return result;
}

fr_result curve_basis_make(curve *c)
{
    for (int k = 0; k < c->domain.dims; k++)
        FR_TRY(basis_make(c, &c->on_face[k], k));
    return basis_make(c, &c->on_cell, -1);
}

static void basis_velocity_rows(void *context, int begin, int end)
{
    const basis_job *job = context;
    int dims = job->c->domain.dims;
    float flux[3][BASIS_STRETCH];
    for (int row = begin; row < end; row++)
        for (int i = 0; i < job->velocity->size[0]; i += BASIS_STRETCH) {
            basis_stretch s = basis_next(job, job->velocity, row, i);
            ptrdiff_t at = field_offset(job->velocity, i, s.j, s.k);
            for (int j = 0; j < dims; j++)
                basis_around(&job->flux[j], &s, flux[j]);
            for (int x = 0; x < dims; x++) {
                float *restrict out = job->velocity[x].data + at;
                const float *restrict first = job->basis->vector[0][x].data + at, *restrict second = job->basis->vector[1][x].data + at;
                for (int l = 0; l < s.n; l++)
                    out[l] = first[l] * flux[0][l] + second[l] * flux[1][l];
                if (dims == 3) {
                    const float *restrict third = job->basis->vector[2][x].data + at;
                    for (int l = 0; l < s.n; l++)
                        out[l] += third[l] * flux[2][l];
                }
            }
        }
}

double curve_sine_on_face(const curve *c, int k, ptrdiff_t at)
{
    vec3 b[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    for (int j = 0; j < c->domain.dims; j++) {
        const field *v = c->on_face[k].vector[j];
        b[j] = (vec3){v[0].data[at], v[1].data[at], c->domain.dims == 3 ? v[2].data[at] : 0};
    }
    return curve_sine(b);
}

void curve_velocity_on_cells(const curve *c, const field flux[3], field velocity[3])
{
    field_for_rows(velocity, basis_velocity_rows, &(basis_job){.c = c, .basis = &c->on_cell, .flux = flux, .velocity = velocity, .axis = -1});
}

void curve_velocity_on_faces(const curve *c, int k, const field flux[3], field velocity[3])
{
    field_for_rows(velocity, basis_velocity_rows, &(basis_job){.c = c, .basis = &c->on_face[k], .flux = flux, .velocity = velocity, .axis = k});
}
