#include <string.h>

#include "base/wide.h"
#include "grid/carry_parts.h"
#include "grid/extend.h"
#include "grid/refine.h"

/* One velocity component at a row's sample points: the sample itself where it lies there, else the mean of the samples
   around the point. */
static void carry_flow_at(const carry *c, const sample_points *p, int component, float *restrict out)
{
    const field *f = &c->velocity[component];
    const float *restrict at = field_row(f, p->j, p->k) + p->i;
    int own = p->at == FR_AT_CELL ? -1 : (int)p->at - FR_AT_FACE_X;
    ptrdiff_t next = f->stride[component];
    if (own == component) {
        for (int i = 0; i < p->n; i++)
            out[i] = at[i];
    } else if (own < 0) {
        for (int i = 0; i < p->n; i++)
            out[i] = 0.5f * (at[i] + at[i + next]);
    } else {
        ptrdiff_t back = f->stride[own];
        for (int i = 0; i < p->n; i++)
            out[i] = 0.25f * ((at[i] + at[i - back]) + (at[i + next] + at[i + next - back]));
    }
}

/* The velocity at the row's undisplaced points. */
static void carry_flow_at_rest(const carry *c, sample_points *p, float flow[3][SAMPLE_ROW])
{
    float *moves[3] = {p->dx, p->dy, p->dz};
    for (int a = 0; a < c->d->dims; a++) {
        if (c->refine == 1)
            carry_flow_at(c, p, a, flow[a]);
        for (int i = 0; i < p->n && c->refine > 1; i++)
            moves[a][i] = 0;
    }
    if (c->refine > 1)
        refine_flow(c->velocity, c->d->dims, c->refine, p, flow);
}

static void carry_flow_moved(const carry *c, const sample_points *p, float flow[3][SAMPLE_ROW])
{
    for (int a = 0; a < c->d->dims && c->refine == 1; a++)
        sample_values_rounded(&c->velocity[a], c->d, p, flow[a]);
    if (c->refine > 1)
        refine_flow(c->velocity, c->d->dims, c->refine, p, flow);
}

void carry_trace(const carry *c, sample_points *p, float sign)
{
    float flow[3][SAMPLE_ROW];
    carry_flow_at_rest(c, p, flow);
    for (int a = 0; a < c->d->dims; a++)
        sample_move(p, c->d, a, flow[a], 0.5f * sign * c->scale[a]);
    carry_flow_moved(c, p, flow);
    for (int a = 0; a < c->d->dims; a++)
        sample_move(p, c->d, a, flow[a], sign * c->scale[a]);
}

/* Whether all samples of a short piece are far. */
static bool carry_is_far(const uint8_t *map, int n)
{
    uint64_t eight, all = ~(uint64_t)0;
    if (n == WIDE) {
        memcpy(&eight, map, sizeof eight);
        return eight == EXTEND_FAR * (all / UINT8_MAX);
    }
    for (int i = 0; i < n; i++)
        all &= map[i] == EXTEND_FAR;
    return all & 1;
}

/* How many samples from number `i` of a row on are far, or else not, by pieces of eight. */
static int carry_alike(const uint8_t *map, int i, int end, bool *far)
{
    const int first = i;
    while (i < end && i - first < SAMPLE_ROW) {
        const int n = end - i < WIDE ? end - i : WIDE;
        const bool is_far = carry_is_far(map + i, n);
        if (i > first && is_far != *far)
            break;
        *far = is_far;
        i += n;
    }
    return i - first;
}

void carry_leave_piece(const carry *c, sample_points *p, int row)
{
    (void)c, (void)p, (void)row;
}

void carry_clear_piece(const carry *c, sample_points *p, int row)
{
    (void)row;
    for (int l = 0; l < c->load_count; l++)
        for (int f = 0; f < (c->kind == CARRY_MACCORMACK ? 2 : 1); f++) {
            const field *to = f ? &c->loads[l].forward : c->loads[l].to;
            memset(field_row(to, p->j, p->k) + p->i, 0, (size_t)p->n * sizeof(float));
        }
}

void carry_pieces(const carry *c, int begin, int end, carry_work work, carry_work far)
{
    const field *layout = c->loads[0].from;
    sample_points p = {.at = layout->at};
    for (int m = begin; m < end; m++) {
        p.j = m % layout->size[1];
        p.k = m / layout->size[1];
        const ptrdiff_t start = field_row(layout, p.j, p.k) - layout->block;
        for (p.i = 0; p.i < layout->size[0]; p.i += p.n) {
            const int left = layout->size[0] - p.i;
            bool is_far = false;
            p.n = left < SAMPLE_ROW ? left : SAMPLE_ROW;
            if (c->where)
                p.n = carry_alike(c->where + start, p.i, layout->size[0], &is_far);
            (is_far ? far : work)(c, &p, m);
        }
    }
}

void carry_copy_row(const float *from, const field *to, const sample_points *p)
{
    float *row = field_row(to, p->j, p->k) + p->i;
    for (int i = 0; i < p->n; i++)
        row[i] = from[i];
}

static void carry_plain_piece(const carry *c, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW];
    carry_trace(c, p, -1);
    for (int l = 0; l < c->load_count; l++) {
        if (c->kind == CARRY_CUBIC)
            sample_values_cubic(c->loads[l].from, c->d, p, value);
        else
            sample_values(c->loads[l].from, c->d, p, value);
        carry_copy_row(value, c->loads[l].to, p);
    }
}

static void carry_forward_piece(const carry *c, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW], low[SAMPLE_ROW], high[SAMPLE_ROW];
    carry_trace(c, p, -1);
    for (int l = 0; l < c->load_count; l++) {
        const carry_load *load = &c->loads[l];
        sample_values_bounds(load->from, c->d, p, value, low, high);
        carry_copy_row(value, &load->forward, p);
        carry_copy_row(low, load->to, p);
        carry_copy_row(high, &load->high, p);
    }
}

/* Returns how many values were clamped. */
static int carry_correct_load(const carry_load *load, const field *share, const sample_points *p,
                              const float *restrict back)
{
    ptrdiff_t start = field_offset(load->from, p->i, p->j, p->k);
    const float *restrict old = load->from->data + start, *restrict forward = load->forward.data + start;
    const float *restrict high = load->high.data + start, *restrict part = share ? share->data + start : NULL;
    float *restrict to = load->to->data + start;
    int clamps = 0;
    for (int i = 0; i < p->n; i++) {
        float correction = 0.5f * (old[i] - back[i]),
              corrected = forward[i] + (part ? part[i] * correction : correction);
        float value = corrected < to[i] ? to[i] : corrected;
        value = value > high[i] ? high[i] : value;
        clamps += value != corrected;
        to[i] = value;
    }
    return clamps;
}

static void carry_correct_piece(const carry *c, sample_points *p, int row)
{
    float back[SAMPLE_ROW];
    carry_trace(c, p, 1);
    for (int l = 0; l < c->load_count; l++) {
        sample_values(&c->loads[l].forward, c->d, p, back);
        c->clamps[row] += carry_correct_load(&c->loads[l], c->share, p, back);
    }
}

static void carry_plain_rows(void *context, int begin, int end)
{
    carry_pieces(context, begin, end, carry_plain_piece, carry_clear_piece);
}

static void carry_forward_rows(void *context, int begin, int end)
{
    carry_pieces(context, begin, end, carry_forward_piece, carry_clear_piece);
}

static void carry_correct_rows(void *context, int begin, int end)
{
    carry_pieces(context, begin, end, carry_correct_piece, carry_leave_piece);
}

/* Memory traffic: the flow, and per load the old and the new field. MacCormack reads the flow in both its passes, and
   writes and reads φ̂ and the bounds. */
static double carry_traffic(const carry *c, bool twice)
{
    double flow = 0, carried = (twice ? 9.0 : 2.0) * c->load_count * (double)domain_cells(c->d);
    for (int a = 0; a < c->d->dims; a++)
        flow += (twice ? 2.0 : 1.0) * (double)c->velocity[a].count;
    return sizeof(float) * (flow + carried);
}

void carry_run(carry *c)
{
    const field *layout = c->loads[0].from;
    c->clamped = 0;
    c->traffic = carry_traffic(c, c->kind == CARRY_MACCORMACK || c->kind == CARRY_BALANCED);
    if (c->kind == CARRY_BALANCED) {
        carry_run_balanced(c);
        return;
    }
    if (c->kind != CARRY_MACCORMACK) {
        field_for_rows(layout, carry_plain_rows, c);
        return;
    }
    for (int r = 0; r < field_rows(layout); r++)
        c->clamps[r] = 0;
    field_for_rows(layout, carry_forward_rows, c);
    for (int l = 0; l < c->load_count; l++)
        c->fill_ghosts(c->context, l, &c->loads[l].forward);
    field_for_rows(layout, carry_correct_rows, c);
    for (int r = 0; r < field_rows(layout); r++)
        c->clamped += c->clamps[r];
}
