#include "surface/probe.h"

#include <math.h>

probe probe_of(const fr_frame *frame, const fr_field *field, bool goes_on)
{
    probe p = {.field = field, .goes_on = goes_on};
    int refine = field ? fr_field_refine(frame, field) : 1;
    for (int a = 0; a < 3; a++) {
        bool on_faces = field && (int)field->location == (int)FR_AT_FACE_X + a;
        p.step[a] = a < frame->dims ? frame->spacing[a] / (refine > 0 ? refine : 1) : 1;
        p.first[a] = frame->origin[a] + (on_faces || a >= frame->dims ? 0 : 0.5 * p.step[a]);
    }
    return p;
}

float probe_at(const probe *p, const double at[3])
{
    const fr_field *f = p->field;
    if (!f)
        return 0;
    ptrdiff_t low = 0, step[3];
    float part[3];
    for (int a = 0; a < 3; a++) {
        double place = (at[a] - p->first[a]) / p->step[a], last = (double)(f->size[a] - 1);
        double most = p->goes_on ? last + 0.5 : last, least = p->goes_on ? -0.5 : 0;
        place = place > least ? place < most ? place : most : least;
        int64_t i = place > 0 ? (int64_t)place : 0;
        i = i < f->size[a] - 1 ? i : f->size[a] > 1 ? f->size[a] - 2 : 0;
        low += i * f->stride[a];
        step[a] = f->size[a] > 1 ? f->stride[a] : 0;
        part[a] = (float)(place - (double)i);
    }
    float line[4];
    for (int c = 0; c < 4; c++) {
        const float *v = f->data + low + (c & 1 ? step[1] : 0) + (c & 2 ? step[2] : 0);
        line[c] = v[0] + (v[step[0]] - v[0]) * part[0];
    }
    float near = line[0] + (line[1] - line[0]) * part[1], far = line[2] + (line[3] - line[2]) * part[1];
    return near + (far - near) * part[2];
}

void probe_slope(const probe *p, const double at[3], double slope[3])
{
    for (int a = 0; a < 3; a++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[a] -= 0.5 * p->step[a];
        high[a] += 0.5 * p->step[a];
        slope[a] = (double)(probe_at(p, high) - probe_at(p, low)) / p->step[a];
    }
}
