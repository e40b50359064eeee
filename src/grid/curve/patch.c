/* The trilinear map of one cell, x(a) = Σ over corners q of x_q Π_a (a or 1 − a). */
#include "grid/curve/parts.h"

curve_nodes curve_nodes_of(const curve *c)
{
    return (curve_nodes){c->domain.dims, {c->nodes[0], c->nodes[1], c->nodes[2]}, c->node};
}

curve_nodes curve_nodes_of_def(const curve_def *def)
{
    return (curve_nodes){
        def->dims, {def->cells[0] + 1, def->cells[1] + 1, def->dims == 3 ? def->cells[2] + 1 : 1}, def->node};
}

curve_patch curve_patch_at(const curve_nodes *g, int i, int j, int k)
{
    curve_patch p;
    for (int q = 0; q < 8; q++)
        p.corner[q] = curve_node(g, i + (q & 1), j + (q >> 1 & 1), k + (q >> 2));
    return p;
}

static double patch_weight(int q, int axis, double at)
{
    return q >> axis & 1 ? at : 1 - at;
}

vec3 curve_patch_position(const curve_patch *p, const double at[3])
{
    vec3 x = {0, 0, 0};
    for (int q = 0; q < 8; q++)
        x = vec3_add(x, vec3_scale(p->corner[q],
                                   patch_weight(q, 0, at[0]) * patch_weight(q, 1, at[1]) * patch_weight(q, 2, at[2])));
    return x;
}

void curve_patch_tangents(const curve_patch *p, const double at[3], vec3 tangents[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        tangents[a] = (vec3){0, 0, 0};
        for (int q = 0; q < 8; q++)
            if (!(q >> a & 1)) {
                vec3 edge = vec3_sub(p->corner[q | 1 << a], p->corner[q]);
                tangents[a] =
                    vec3_add(tangents[a], vec3_scale(edge, patch_weight(q, b, at[b]) * patch_weight(q, c, at[c])));
            }
    }
}

/* The determinant is of degree 2 in each coordinate, so two Gauss points per axis integrate it exactly; the volumes of
   cells that share faces then fill their common outline. */
double curve_patch_volume(const curve_patch *p)
{
    const double gauss[2] = {0.5 - 0.5 / sqrt(3), 0.5 + 0.5 / sqrt(3)};
    double sum = 0;
    for (int q = 0; q < 8; q++) {
        vec3 tangents[3];
        curve_patch_tangents(p, (double[3]){gauss[q & 1], gauss[q >> 1 & 1], gauss[q >> 2]}, tangents);
        sum += curve_triple(tangents);
    }
    return sum / 8;
}
