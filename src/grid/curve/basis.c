/* From fluxes to velocities. Let the rows of M be the face vectors M_j = ⟨S^j⟩ that belong to the fluxes ⟨U^j⟩ at a
   sample. Then u solves M u = ⟨U⟩. The columns of M⁻¹ are stored:  b_j = M_k × M_l / (M_j · M_k × M_l).

   On a face across k its own flux U^k gives the normal part of u. The tangential part comes from means alone, with U^k
   replaced by the mean of means ⟨⟨U^k⟩⟩: U^k interpolated to the surrounding faces across j, and back:

     u = n U^k + Σ b_j (⟨U^j⟩ − γ_j ⟨⟨U^k⟩⟩),     n = S^k/|S^k|²,

   where γ_j makes T_j = ⟨S^j⟩ − γ_j ⟨⟨S^k⟩⟩ tangential to the face, and n and b_j are the columns of the inverse of S^k
   and all T_j. With U^k itself a rotating flow would gain energy in skewed cells. In 2D, let a be the factor by which
   the mean ⟨ ⟩ damps a wave and γ the cosine between S^s and S^t. The energy that the pressure conserves is ½ U·K⁻¹U
   (grid/tensor) with K = (1 γa; γa 1) up to factors. Rotating u by a small angle changes the fluxes by that angle times

     with U^k:     (−γ a; −a γ),          with ⟨⟨U^k⟩⟩:     (−γa² a; −a γa²) = a K (0 1; −1 0),

   and K⁻¹ times the latter is skew-symmetric: energy is conserved, whatever the wave and the skewness. */
#include <math.h>

#include "base/memory.h"
#include "grid/curve/parts.h"

enum { BASIS_STRETCH = 128 };   /* samples of a row per stretch */

/* Samples [i, i + n) of the row (j, k) of the faces across `axis`, or (−1) of the centres. */
typedef struct basis_stretch {
    int axis, i, n, j, k;
} basis_stretch;

/* `f`, given on the faces across some axis, at these samples: its own value, or the mean of the surrounding ones. The
   order of summation gives the same bits on a mirrored grid. */
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

/* Mean of means: `f` averaged to the faces across `other`, then back to the samples. */
static void basis_smooth(const field *f, int other, const basis_stretch *s, float *restrict out)
{
    const float *restrict here = field_row(f, s->j, s->k) + s->i;
    const ptrdiff_t a = f->stride[field_axis(f)], b = f->stride[other];
    for (int i = 0; i < s->n; i++) {
        const float *v = here + i;
        float corners = (v[-a - b] + v[a + b]) + (v[a - b] + v[b - a]), beside = (v[-a] + v[a]) + (v[-b] + v[b]);
        out[i] = 0.0625f * (corners + 2 * beside + 4 * v[0]);
    }
}

/* Work of making a basis, on the faces across `axis` or (−1) at the centres. */
typedef struct basis_making {
    curve *c;
    curve_basis *basis;
    int axis;
    int *flat;               /* per row: the first sample where M cannot be inverted, or −1 */
} basis_making;

/* The next samples of a row of `f`: BASIS_STRETCH of them, or fewer at its end. */
static basis_stretch basis_next(int axis, const field *f, int row, int i)
{
    int left = f->size[0] - i;
    return (basis_stretch){axis, i, left < BASIS_STRETCH ? left : BASIS_STRETCH, row % f->size[1],
                           row / f->size[1]};
}

static void basis_gather(const curve *c, const basis_stretch *s, float m[3][3][BASIS_STRETCH])
{
    for (int j = 0; j < c->domain.dims; j++)
        for (int x = 0; x < c->domain.dims; x++)
            basis_around(&c->face[j][x], s, m[j][x]);
}

static void basis_store(curve_basis *basis, int dims, ptrdiff_t at, const vec3 b[3])
{
    for (int j = 0; j < dims; j++) {
        const double component[3] = {b[j].x, b[j].y, b[j].z};
        for (int x = 0; x < dims; x++)
            basis->vector[j][x].data[at] = (float)component[x];
    }
}

/* In 2D the third row is (0, 0, 1). False: the rows are nearly coplanar, or have the wrong orientation. */
static bool basis_invert(const vec3 m[3], double hand, vec3 b[3])
{
    const double flattest = 1e-3;
    double triple = curve_triple(m);
    for (int j = 0; j < 3; j++)
        b[j] = vec3_scale(vec3_cross(m[(j + 1) % 3], m[(j + 2) % 3]), 1 / triple);
    return hand * triple > flattest * vec3_length(m[0]) * vec3_length(m[1]) * vec3_length(m[2]);
}

static vec3 basis_vector(const field *f, int dims, ptrdiff_t at)
{
    return (vec3){f[0].data[at], f[1].data[at], dims == 3 ? f[2].data[at] : 0};
}

/* ⟨⟨S^k⟩⟩ by way of the faces across j. */
static vec3 basis_smooth_face(const curve *c, int j, const basis_stretch *s)
{
    float mean[3] = {0};
    for (int x = 0; x < c->domain.dims; x++)
        basis_smooth(&c->face[s->axis][x], j, s, &mean[x]);
    return (vec3){mean[0], mean[1], mean[2]};
}

/* At a face: computes γ_j and replaces the rows ⟨S^j⟩ by T_j. */
static void basis_make_tangential(curve *c, const basis_stretch *face, vec3 rows[3])
{
    const int k = face->axis;
    ptrdiff_t at = field_offset(c->face[k], face->i, face->j, face->k);
    for (int j = 0; j < c->domain.dims; j++) {
        if (j == k)
            continue;
        vec3 smooth = basis_smooth_face(c, j, face);
        double lean = vec3_dot(rows[j], rows[k]) / vec3_dot(smooth, rows[k]);
        c->lean[k][j].data[at] = (float)lean;
        rows[j] = vec3_sub(rows[j], vec3_scale(smooth, lean));
    }
}

static void basis_rows(void *context, int begin, int end)
{
    const basis_making *job = context;
    const field *layout = &job->basis->vector[0][0];
    double hand = job->c->left_handed ? -1 : 1;
    float m[3][3][BASIS_STRETCH] = {{{0}}};
    for (int i = 0; i < BASIS_STRETCH; i++)
        m[2][2][i] = 1;
    for (int row = begin; row < end; row++) {
        job->flat[row] = -1;
        for (int i = 0; i < layout->size[0]; i += BASIS_STRETCH) {
            basis_stretch s = basis_next(job->axis, layout, row, i);
            basis_gather(job->c, &s, m);
            for (int l = 0; l < s.n; l++) {
                vec3 rows[3], b[3];
                for (int j = 0; j < 3; j++)
                    rows[j] = (vec3){m[j][0][l], m[j][1][l], m[j][2][l]};
                if (!basis_invert(rows, hand, b) && job->flat[row] < 0)
                    job->flat[row] = i + l;
                if (job->axis >= 0) {
                    basis_make_tangential(job->c, &(basis_stretch){job->axis, i + l, 1, s.j, s.k}, rows);
                    basis_invert(rows, hand, b);
                }
                basis_store(job->basis, job->c->domain.dims, field_offset(layout, i + l, s.j, s.k), b);
            }
        }
    }
}

static fr_result basis_report(const basis_making *job)
{
    const field *layout = &job->basis->vector[0][0];
    for (int row = 0; row < field_rows(layout); row++)
        if (job->flat[row] >= 0)
            return fr_fail(
                FR_ERROR_INPUT,
                "the cells of the grid around %s are bent too far against each other; make the grid smoother "
                "there",
                curve_name_of(3, (int[3]){job->flat[row], row % layout->size[1], row / layout->size[1]}).text);
    return FR_OK;
}

static fr_result basis_make(curve *c, curve_basis *basis, int axis)
{
    const field *layout = &basis->vector[0][0];
    int *flat = MEMORY_NEW(int, field_rows(layout));
    if (!flat)
        return FR_ERROR_MEMORY;
    basis_making job = {.c = c, .basis = basis, .axis = axis, .flat = flat};
    field_for_rows(layout, basis_rows, &job);
    fr_result result = basis_report(&job);
    memory_free(flat);
    return result;
}

/* Whether any γ of the faces across k differs from 0 by more than rounding. */
static bool basis_leans(const curve *c, int k, int j)
{
    const field *lean = &c->lean[k][j];
    double most = 0;
    for (int r = 0; r < field_rows(lean); r++)
        for (int i = 0; i < lean->size[0]; i++) {
            ptrdiff_t at = field_offset(lean, i, r % lean->size[1], r / lean->size[1]);
            vec3 own = basis_vector(c->face[k], c->domain.dims, at);
            vec3 other = basis_vector(c->on_face[k].vector[j], c->domain.dims, at);
            most = fmax(most, fabs((double)lean->data[at]) * vec3_length(own) * vec3_length(other));
        }
    return most > 1e-5;
}

fr_result curve_basis_make(curve *c)
{
    for (int k = 0; k < c->domain.dims; k++) {
        FR_TRY(basis_make(c, &c->on_face[k], k));
        for (int j = 0; j < c->domain.dims; j++)
            c->leans[k][j] = j != k && basis_leans(c, k, j);
    }
    return basis_make(c, &c->on_cell, -1);
}

/* Subtracts γ_j ⟨⟨U^k⟩⟩ from the means ⟨U^j⟩. */
static void basis_take_off(const field *lean, const field *own, int j, const basis_stretch *s, float *restrict mean)
{
    const float *restrict share = field_row(lean, s->j, s->k) + s->i;
    float smooth[BASIS_STRETCH];
    basis_smooth(own, j, s, smooth);
    for (int i = 0; i < s->n; i++)
        mean[i] -= share[i] * smooth[i];
}

typedef struct basis_job {
    const curve *c;
    const curve_basis *basis;
    const field *flux;
    field *velocity;
    int axis;                /* of the faces where velocities are wanted; −1: at the centres */
} basis_job;

static void basis_velocity_rows(void *context, int begin, int end)
{
    const basis_job *job = context;
    int dims = job->c->domain.dims;
    float flux[3][BASIS_STRETCH];
    for (int row = begin; row < end; row++)
        for (int i = 0; i < job->velocity->size[0]; i += BASIS_STRETCH) {
            basis_stretch s = basis_next(job->axis, job->velocity, row, i);
            ptrdiff_t at = field_offset(job->velocity, i, s.j, s.k);
            for (int j = 0; j < dims; j++) {
                basis_around(&job->flux[j], &s, flux[j]);
                if (job->axis >= 0 && job->c->leans[job->axis][j])
                    basis_take_off(&job->c->lean[job->axis][j], &job->flux[job->axis], j, &s, flux[j]);
            }
            for (int x = 0; x < dims; x++) {
                float *restrict out = job->velocity[x].data + at;
                const float *restrict first = job->basis->vector[0][x].data + at, *restrict second =
                                                                                      job->basis->vector[1][x].data +
                                                                                      at;
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
    for (int j = 0; j < c->domain.dims; j++)
        b[j] = basis_vector(c->on_face[k].vector[j], c->domain.dims, at);
    for (int j = 0; j < c->domain.dims; j++)
        if (c->leans[k][j])
            b[k] = vec3_sub(b[k], vec3_scale(b[j], c->lean[k][j].data[at]));
    return curve_sine(b);
}

void curve_velocity_on_cells(const curve *c, const field flux[3], field velocity[3])
{
    field_for_rows(velocity, basis_velocity_rows,
                   &(basis_job){.c = c, .basis = &c->on_cell, .flux = flux, .velocity = velocity, .axis = -1});
}

void curve_velocity_on_faces(const curve *c, int k, const field flux[3], field velocity[3])
{
    field_for_rows(velocity, basis_velocity_rows,
                   &(basis_job){.c = c, .basis = &c->on_face[k], .flux = flux, .velocity = velocity, .axis = k});
}
