/* Lumps that touch: a heap of balls holds together by necks that are narrower than the cells of coarse levels, which
   take them for one body, so that the cycle hardly moves one against the other. Their rigid motions are a coarse space
   of their own, x += Z (ZᵀAZ)⁻¹ Zᵀt, beside the next level (Nicolaides 1987; Toselli & Widlund 2005): between the
   smoothing of the finest level before and after, which takes care of how a lump meets the next.

   A lump is a basin of the depth below the surface (lumps_find.c). Rigid motions have no strain: ZᵀAZ is that of the
   strains between lumps, and of those with faces that are held. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

/* The lump of a sample; −1: none. */
static int lumps_at(const stress *s, ptrdiff_t at)
{
    return (s->lumps.labels[at] & ~STRESS_RAGGED) - 1;
}

/* Cuts the runs into pieces of one lump each; false without room. */
static bool lumps_cut(stress *s)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    for (int r = 0; r < l->run_count; r++) {
        const stress_run *run = &l->runs[r];
        for (int i = 0, last = -1; i < run->n; i++) {
            const int lump = lumps_at(s, run->at + i);
            if (lump >= 0 && lump != last) {
                if (lumps->piece_count == s->most_pieces)
                    return false;
                const int first[3] = {run->first[0] + i, run->first[1], run->first[2]};
                lumps->pieces[lumps->piece_count++] =
                    (stress_piece){{{first[0], first[1], first[2]}, 0, run->at + i}, lump, {0}};
            }
            if (lump >= 0)
                lumps->pieces[lumps->piece_count - 1].run.n++;
            last = lump;
        }
    }
    return true;
}

static void lumps_centre(stress *s)
{
    stress_lumps *lumps = &s->lumps;
    double count[STRESS_LUMPS] = {0};
    memset(lumps->middle, 0, sizeof lumps->middle);
    for (int i = 0; i < lumps->piece_count; i++) {
        const stress_piece *piece = &lumps->pieces[i];
        for (int b = 0; b < 3; b++)
            lumps->middle[piece->body][b] +=
                piece->run.n * (piece->run.first[b] + 0.5 + (b == 0 ? 0.5 * piece->run.n : 0));
        count[piece->body] += piece->run.n;
    }
    for (int i = 0; i < lumps->count; i++)
        for (int b = 0; b < 3; b++)
            lumps->middle[i][b] = b < s->block.dims ? lumps->middle[i][b] / fmax(count[i], 1) : 0.5;
}

/* û of a face in the motions of its lump: translations, and û_a = −x_b, û_b = x_a (see rigid.c). */
static void lumps_motions(const stress *s, int lump, int a, const int at[3], double out[6])
{
    static const int planes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double x[3];
    for (int b = 0; b < 3; b++) {
        x[b] = at[b] + (b == a ? 0 : 0.5) - s->lumps.middle[lump][b];
        out[b] = b == a;
    }
    for (int p = 0; p < 3; p++)
        out[3 + p] = planes[p][0] == a ? -x[planes[p][1]] : planes[p][1] == a ? x[planes[p][0]] : 0;
}

/* The lump that moves a face; −1: none does. */
static int lumps_mover(const stress *s, int a, ptrdiff_t at)
{
    return s->level[0].inverse.of[a][at] > 0 ? lumps_at(s, at) : -1;
}

static bool lumps_pair(const stress *s, int a, ptrdiff_t at, ptrdiff_t step, int lump)
{
    return lumps_mover(s, a, at) == lump && lumps_mover(s, a, at + step) == lump;
}

/* Whether the faces of a normal strain have the lump of their sample, or none. */
static bool lumps_normal_is_whole(const stress *s, int a, ptrdiff_t at)
{
    return lumps_pair(s, a, at, s->level[0].stride[a], lumps_at(s, at));
}

/* Whether all faces of a shear strain have one lump, or none. */
static bool lumps_shear_is_whole(const stress *s, int c, ptrdiff_t at)
{
    const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
    const ptrdiff_t *stride = s->level[0].stride;
    const int lump = lumps_mover(s, a, at);
    return lumps_pair(s, a, at, -stride[b], lump) && lumps_pair(s, b, at, -stride[a], lump);
}

static bool lumps_divergence_is_whole(const stress *s, ptrdiff_t at)
{
    bool whole = true;
    for (int a = 0; a < s->level[0].dims && whole; a++)
        whole = lumps_normal_is_whole(s, a, at);
    return whole;
}

/* Whether a sample holds a strain between lumps, or with a face that is held. */
static bool lumps_is_seam(const stress *s, ptrdiff_t at)
{
    const stress_level *l = &s->level[0];
    bool seam = l->bulk[at] > 0 && !lumps_divergence_is_whole(s, at);
    for (int a = 0; a < l->dims && !seam; a++)
        seam = l->normal.of[a][at] > 0 && !lumps_normal_is_whole(s, a, at);
    for (int c = l->dims == 2 ? 2 : 0; c < 3 && !seam; c++)
        seam = l->shear.of[c][at] > 0 && !lumps_shear_is_whole(s, c, at);
    return seam;
}

/* Where eight labels differ from those around them, or are ragged: any bits. */
static uint64_t lumps_differ(const stress_level *l, const uint8_t *label)
{
    uint64_t here, beside, differ;
    memcpy(&here, label, sizeof here);
    differ = here & (UINT64_MAX / 255 * STRESS_RAGGED);
    for (int side = 0; side < 2 * l->dims; side++) {
        memcpy(&beside, label + (side % 2 ? l->stride[side / 2] : -l->stride[side / 2]), sizeof beside);
        differ |= here ^ beside;
    }
    return differ;
}

/* Writes the places of a row's seams into the queue, and −1 behind them. */
static void lumps_find_seams(void *context, int begin, int end)
{
    enum { EIGHT = 8 };
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int r = begin; r < end; r++) {
        const ptrdiff_t row = stress_offset(l, (int[3]){0, r % l->n[1], r / l->n[1]});
        int *to = s->lumps.queue + row;
        for (int first = 0; first < l->n[0]; first += EIGHT) {
            const int last = first + EIGHT < l->n[0] ? first + EIGHT : l->n[0];
            const bool alike = lumps_differ(l, s->lumps.labels + row + first) == 0;
            for (int i = first; i < last && !alike; i++)
                if (lumps_is_seam(s, row + i))
                    *to++ = i;
        }
        *to = -1;
    }
}

/* A strain by the motions of the lumps that have a face in it. */
typedef struct lumps_strain {
    int count, lump[6];
    double of[6][6];
} lumps_strain;

static void lumps_take(const stress *s, lumps_strain *e, int a, const int at[3], int axis, int step, double factor)
{
    int face[3] = {at[0], at[1], at[2]};
    face[axis] += step;
    const int lump = lumps_mover(s, a, stress_offset(&s->level[0], face));
    if (lump < 0)
        return;
    int slot = 0;
    while (slot < e->count && e->lump[slot] != lump)
        slot++;
    if (slot == e->count) {
        memset(e->of[slot], 0, sizeof e->of[slot]);
        e->lump[e->count++] = lump;
    }
    double motions[6];
    lumps_motions(s, lump, a, face, motions);
    for (int m = 0; m < 6; m++)
        e->of[slot][m] += factor * motions[m];
}

static void lumps_add(stress *s, const lumps_strain *e, double k)
{
    const int n = 6 * s->lumps.count;
    for (int p = 0; p < e->count; p++)
        for (int q = 0; q < e->count; q++)
            for (int i = 0; i < 36; i++)
                s->lumps.matrix[(6 * e->lump[p] + i / 6) * n + 6 * e->lump[q] + i % 6] +=
                    k * e->of[p][i / 6] * e->of[q][i % 6];
}

/* The strains that a sample holds. */
static void lumps_add_sample(stress *s, const int at[3])
{
    const stress_level *l = &s->level[0];
    const ptrdiff_t to = stress_offset(l, at);
    if (l->bulk[to] > 0 && !lumps_divergence_is_whole(s, to)) {
        lumps_strain e = {.count = 0};
        for (int a = 0; a < l->dims; a++) {
            lumps_take(s, &e, a, at, a, 1, l->spread[a]);
            lumps_take(s, &e, a, at, a, 0, -l->spread[a]);
        }
        lumps_add(s, &e, (double)l->bulk[to]);
    }
    for (int a = 0; a < l->dims; a++) {
        lumps_strain e = {.count = 0};
        if (!(l->normal.of[a][to] > 0) || lumps_normal_is_whole(s, a, to))
            continue;
        lumps_take(s, &e, a, at, a, 1, 1);
        lumps_take(s, &e, a, at, a, 0, -1);
        lumps_add(s, &e, (double)l->normal.of[a][to]);
    }
    for (int c = l->dims == 2 ? 2 : 0; c < 3; c++) {
        const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
        lumps_strain e = {.count = 0};
        if (!(l->shear.of[c][to] > 0) || lumps_shear_is_whole(s, c, to))
            continue;
        lumps_take(s, &e, a, at, b, 0, 1);
        lumps_take(s, &e, a, at, b, -1, -1);
        lumps_take(s, &e, b, at, a, 0, 1);
        lumps_take(s, &e, b, at, a, -1, -1);
        lumps_add(s, &e, (double)l->shear.of[c][to]);
    }
}

static void lumps_add_seams(stress *s)
{
    const stress_level *l = &s->level[0];
    int at[3];
    for (at[2] = 0; at[2] < l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < l->n[1]; at[1]++) {
            const int *seam = s->lumps.queue + stress_offset(l, (int[3]){0, at[1], at[2]});
            for (; *seam >= 0; seam++) {
                at[0] = *seam;
                lumps_add_sample(s, at);
            }
        }
}

/* Motions along x change by as much from face to face. */
static void lumps_line(const stress *s, const stress_piece *piece, int a, double first[6], double slope[6])
{
    const int *at = piece->run.first;
    lumps_motions(s, piece->body, a, at, first);
    for (int m = 0; m < 6; m++)
        slope[m] = a > 0 && m == 2 + a;
}

static void lumps_add_masses(stress *s, const stress_piece *piece)
{
    const stress_level *l = &s->level[0];
    const int n = 6 * s->lumps.count;
    double *matrix = s->lumps.matrix + (ptrdiff_t)6 * piece->body * (n + 1);
    for (int a = 0; a < l->dims; a++) {
        const float *mass = l->mass.of[a] + piece->run.at;
        double sum = 0, moment = 0, square = 0, first[6], slope[6];
        for (int i = 0; i < piece->run.n; i++) {
            const double m = mass[i] > 0 ? (double)mass[i] : 0;
            sum += m;
            moment += m * i;
            square += m * i * i;
        }
        lumps_line(s, piece, a, first, slope);
        for (int p = 0; p < 6; p++)
            for (int q = 0; q < 6; q++)
                matrix[p * n + q] += first[p] * (first[q] * sum + slope[q] * moment) +
                                     slope[p] * (first[q] * moment + slope[q] * square);
    }
}

/* Cholesky's factor; motions that others make up are left out. */
static void lumps_factor(double *m, int n)
{
    const double least = 1e-10;
    for (int j = 0; j < n; j++) {
        const double whole = m[j * n + j];
        for (int k = 0; k < j; k++)
            m[j * n + j] -= m[j * n + k] * m[j * n + k];
        m[j * n + j] = m[j * n + j] > least * whole ? sqrt(m[j * n + j]) : INFINITY;
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                m[i * n + j] -= m[i * n + k] * m[j * n + k];
            m[i * n + j] /= m[j * n + j];
        }
    }
}

void stress_find_lumps(stress *s)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    const bool solids = s->problem.solids && s->problem.solids->count > 0;
    lumps->count = lumps->piece_count = 0;
    if (s->weak || !s->problem.surface || solids || !l->coupled || l->periodic[0] || l->periodic[1] || l->periodic[2])
        return;
    stress_label_lumps(s);
    if (lumps->count < 2 || !lumps_cut(s)) {
        lumps->piece_count = 0;
        return;
    }
    lumps_centre(s);
    const int n = 6 * lumps->count;
    memset(lumps->matrix, 0, sizeof(double) * (size_t)(n * n));
    threads_for_cost(l->n[1] * l->n[2], l->n[0], lumps_find_seams, s);
    lumps_add_seams(s);
    for (int i = 0; i < lumps->piece_count; i++)
        lumps_add_masses(s, &lumps->pieces[i]);
    lumps_factor(lumps->matrix, n);
}

/* Σ r and Σ n r. Four sums at once, that none waits for the one before. */
static void lumps_sum(const float *r, int count, double *sum, double *moment)
{
    enum { FOUR = 4 };
    double sums[FOUR] = {0}, moments[FOUR] = {0};
    int n = 0;
    for (; n + FOUR <= count; n += FOUR)
        for (int m = 0; m < FOUR; m++) {
            sums[m] += (double)r[n + m];
            moments[m] += (double)r[n + m] * (n + m);
        }
    for (int m = 0; n < count; m++, n++) {
        sums[m] += (double)r[n];
        moments[m] += (double)r[n] * n;
    }
    *sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    *moment = (moments[0] + moments[1]) + (moments[2] + moments[3]);
}

/* Zᵀr of each piece. */
static void lumps_measure(void *context, int begin, int end)
{
    stress *s = context;
    const stress_level *l = &s->level[0];
    for (int i = begin; i < end; i++) {
        stress_piece *piece = &s->lumps.pieces[i];
        memset(piece->sum, 0, sizeof piece->sum);
        for (int a = 0; a < l->dims; a++) {
            const float *r = l->t.of[a] + piece->run.at;
            double sum = 0, moment = 0, first[6], slope[6];
            lumps_sum(r, piece->run.n, &sum, &moment);
            lumps_line(s, piece, a, first, slope);
            for (int m = 0; m < 6; m++)
                piece->sum[m] += first[m] * sum + slope[m] * moment;
        }
    }
}

/* x += Z part. */
static void lumps_give(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int i = begin; i < end; i++) {
        const stress_piece *piece = &s->lumps.pieces[i];
        const double *part = s->lumps.part + (ptrdiff_t)6 * piece->body;
        for (int a = 0; a < l->dims; a++) {
            double first[6], each[6], value = 0, slope = 0;
            lumps_line(s, piece, a, first, each);
            for (int m = 0; m < 6; m++) {
                value += first[m] * part[m];
                slope += each[m] * part[m];
            }
            const float *inverse = l->inverse.of[a] + piece->run.at;
            float *x = l->x.of[a] + piece->run.at;
            for (int n = 0; n < piece->run.n; n++)
                x[n] += inverse[n] > 0 ? (float)(value + slope * n) : 0;
        }
    }
}

void stress_move_lumps(stress *s)
{
    stress_lumps *lumps = &s->lumps;
    const int n = 6 * lumps->count;
    double *y = lumps->part;
    const double *m = lumps->matrix;
    if (lumps->piece_count == 0)
        return;
    threads_for_cost(lumps->piece_count, s->level[0].cells[0], lumps_measure, s);
    memset(y, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < lumps->piece_count; i++)
        for (int d = 0; d < 6; d++)
            y[6 * lumps->pieces[i].body + d] += lumps->pieces[i].sum[d];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            y[i] -= m[i * n + k] * y[k];
        y[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        y[i] /= m[i * n + i];
        for (int k = 0; k < i; k++)
            y[k] -= m[i * n + k] * y[i];
    }
    threads_for_cost(lumps->piece_count, s->level[0].cells[0], lumps_give, s);
}
