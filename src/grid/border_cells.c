#include "grid/border_cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

typedef struct border_build {
    const border_def *def;
    const domain *d;
    border_cells *out;
} border_build;

static bool border_solid(const border_build *b, const int cell[3])
{
    const int *n = b->d->n;
    return b->def->solid && b->def->solid[cell[0] + (int64_t)n[0] * (cell[1] + (int64_t)n[1] * cell[2])];
}

static ptrdiff_t border_offset(const border_build *b, const int cell[3])
{
    return field_offset(&b->def->metric->centre, cell[0], cell[1], cell[2]);
}

/* The gradients of the grid coordinates (J⁻¹) and the tangents of the grid lines (J) at a cell. */
static void border_frame(const border_build *b, const int cell[3], vec3 gradient[3], vec3 tangent[3])
{
    ptrdiff_t at = border_offset(b, cell);
    double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < b->d->dims; k++)
        for (int a = 0; a < b->d->dims; a++)
            rows[k][a] = (double)b->def->metric->inverse[k][a].data[at];
    for (int k = 0; k < 3; k++)
        gradient[k] = vec3_of(rows[k]);
    double density = vec3_dot(gradient[0], vec3_cross(gradient[1], gradient[2]));
    for (int k = 0; k < 3; k++)
        tangent[k] = vec3_scale(vec3_cross(gradient[(k + 1) % 3], gradient[(k + 2) % 3]), 1 / density);
}

/* Sets the matrix T of a link to an inner cell. */
static void border_turn(const border_build *b, const int inner[3], const double factor[3], border_link *link)
{
    vec3 gradient[3], tangent[3];
    border_frame(b, inner, gradient, tangent);
    for (int k = 0; k < b->d->dims; k++) {
        double back[3] = {tangent[k].x, tangent[k].y, tangent[k].z},
               to[3] = {gradient[k].x, gradient[k].y, gradient[k].z};
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                link->turn[a][c] += (float)((double)link->share * back[a] * factor[k] * to[c]);
    }
}

static void border_push(const border_build *b, const int inner[3], int axis, double amount, float out[3])
{
    vec3 gradient[3], tangent[3];
    border_frame(b, inner, gradient, tangent);
    vec3 push = vec3_scale(vec3_unit(tangent[axis]), amount);
    out[0] = (float)push.x;
    out[1] = (float)push.y;
    out[2] = (float)push.z;
}

/* The number of a cell along a side. */
static int border_along(const border_build *b, int side, const int cell[3])
{
    int first = side / 2 == 0 ? 1 : 0, second = side / 2 == 2 ? 1 : 2;
    return cell[first] + b->d->n[first] * cell[second];
}

/* The cell at `offset` from another one, wrapped on periodic axes. False when it lies outside the block. */
static bool border_neighbour(const domain *d, const int cell[3], const int offset[3], int out[3])
{
    for (int a = 0; a < 3; a++) {
        out[a] = cell[a] + offset[a];
        if (out[a] >= 0 && out[a] < d->n[a])
            continue;
        if (!d->periodic[a])
            return false;
        out[a] += out[a] < 0 ? d->n[a] : -d->n[a];
    }
    return true;
}

/* Links a solid cell to its fluid neighbours that differ in `steps` indices: 1 across a face, 2 across an edge, 3
   across a corner. Returns their number; writes the links only where `share` is not 0. */
static int border_link_solid(border_build *b, const int cell[3], int steps, double share)
{
    int found = 0, reach = b->d->dims == 3;
    for (int z = -reach; z <= reach; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int offset[3] = {x, y, z}, inner[3];
                if (abs(x) + abs(y) + abs(z) != steps || !border_neighbour(b->d, cell, offset, inner) ||
                    border_solid(b, inner))
                    continue;
                found++;
                if (share == 0)
                    continue;
                double factor[3];
                for (int a = 0; a < 3; a++)
                    factor[a] = offset[a] ? 0 : b->def->solid_factor;
                border_link *link = &b->out->links[b->out->count++];
                *link = (border_link){.at = (int32_t)border_offset(b, cell),
                                      .inner = (int32_t)border_offset(b, inner),
                                      .share = (float)share,
                                      .side = -1};
                border_turn(b, inner, factor, link);
            }
    return found;
}

static void border_add_solid(border_build *b, const int cell[3])
{
    for (int steps = 1; steps <= b->d->dims; steps++) {
        int count = border_link_solid(b, cell, steps, 0);
        if (count == 0)
            continue;
        border_link_solid(b, cell, steps, 1.0 / count);
        return;
    }
    b->out->deep[b->out->deep_count++] = (int32_t)border_offset(b, cell);
}

/* A ghost cell lies beyond one side, or at an edge or a corner beyond two or three. There an inlet or outlet takes
   precedence over a bank. */
static void border_add_ghost(border_build *b, const int cell[3])
{
    const border_def *def = b->def;
    int inner[3], through = -1, bank = -1;
    double factor[3], along = 1;
    bool across[3];
    unsigned banks = 0;
    for (int a = 0; a < 3; a++) {
        bool beyond = cell[a] < 0 || cell[a] >= b->d->n[a];
        int side = 2 * a + (cell[a] >= 0);
        across[a] = beyond && !b->d->periodic[a];
        inner[a] = !beyond ? cell[a] : (cell[a] < 0) != b->d->periodic[a] ? 0 : b->d->n[a] - 1;
        if (!across[a])
            continue;
        if (def->sides[side] == BORDER_BANK) {
            bank = bank >= 0 && def->gated[bank] ? bank : side;
            banks |= 1u << side;
        } else {
            through = side;
        }
    }
    for (int side = 0; side < 6; side++)
        if (banks >> side & 1)
            along *= 1 - def->roughness[side][border_along(b, side, inner)];
    for (int a = 0; a < 3; a++)
        factor[a] = across[a] || (through >= 0 && def->sides[through] == BORDER_IN) ? 0 : along;
    border_link *link = &b->out->links[b->out->count++];
    *link = (border_link){.at = (int32_t)border_offset(b, cell), .inner = (int32_t)border_offset(b, inner), .share = 1};
    border_turn(b, inner, factor, link);
    link->side = through >= 0 ? through : bank;
    if (link->side >= 0)
        link->cell = border_along(b, link->side, inner);
    if (through >= 0)
        border_push(b, inner, through / 2, (def->sides[through] == BORDER_IN) == (through % 2 == 0) ? 1 : -1,
                    link->push);
    else if (bank >= 2)
        border_push(b, inner, 0, 1 - along, link->push);
    if (through < 0 && bank >= 0)
        border_push(b, inner, bank / 2, bank % 2 == 0 ? 1 : -1, link->mouth);
}

/* Calls `add` for every wanted cell from −first to n + first − 1 along each axis that the scene has. */
static void border_each(border_build *b, int first, bool (*wanted)(const border_build *, const int *),
                        void (*add)(border_build *, const int *))
{
    int depth = b->d->dims == 3 ? first : 0;
    for (int k = -depth; k < b->d->n[2] + depth; k++)
        for (int j = -first; j < b->d->n[1] + first; j++)
            for (int i = -first; i < b->d->n[0] + first; i++)
                if (wanted(b, (int[3]){i, j, k}))
                    add(b, (int[3]){i, j, k});
}

static bool border_is_ghost(const border_build *b, const int cell[3])
{
    for (int a = 0; a < 3; a++)
        if (cell[a] < 0 || cell[a] >= b->d->n[a])
            return true;
    return false;
}

/* |S·a|/|a| of the open faces of a side: S is the face's area vector, a the tangent of the grid line across it. */
static void border_through(const border_build *b, int side)
{
    int axis = side / 2, from[3] = {0, 0, 0}, to[3] = {b->d->n[0], b->d->n[1], b->d->n[2]};
    double sum = 0;
    from[axis] = side % 2 ? b->d->n[axis] - 1 : 0;
    to[axis] = from[axis] + 1;
    for (int k = from[2]; k < to[2]; k++)
        for (int j = from[1]; j < to[1]; j++)
            for (int i = from[0]; i < to[0]; i++) {
                int cell[3] = {i, j, k}, face[3] = {i, j, k};
                double area[3] = {0, 0, 0};
                vec3 gradient[3], tangent[3];
                if (border_solid(b, cell))
                    continue;
                face[axis] += side % 2;
                for (int a = 0; a < b->d->dims; a++)
                    area[a] = (double)field_row(&b->def->c->face[axis][a], face[1], face[2])[face[0]];
                border_frame(b, cell, gradient, tangent);
                double passes = fabs(vec3_dot(vec3_unit(tangent[axis]), vec3_of(area)));
                b->out->passes[side][border_along(b, side, cell)] = passes;
                sum += passes;
            }
    b->out->through[side] = sum;
}

/* Allocates the links: one per ghost cell, and for each solid cell at most one per neighbour. */
static fr_result border_reserve(border_build *b)
{
    enum { NEIGHBOURS = 26 };
    int64_t solids = 0, all = 1;
    for (int64_t i = 0; b->def->solid && i < domain_cells(b->d); i++)
        solids += b->def->solid[i] != 0;
    for (int a = 0; a < b->d->dims; a++)
        all *= b->d->n[a] + 2;
    b->out->links = MEMORY_NEW(border_link, all - domain_cells(b->d) + NEIGHBOURS * solids);
    b->out->deep = MEMORY_NEW(int32_t, solids + 1);
    b->out->first = MEMORY_NEW(int64_t, b->d->n[b->d->dims - 1] + 1);
    bool room = b->out->links && b->out->deep && b->out->first;
    for (int side = 0; side < 2 * b->d->dims; side++) {
        b->out->side_cells[side] = domain_cells(b->d) / b->d->n[side / 2];
        room = (b->out->passes[side] = MEMORY_NEW(double, b->out->side_cells[side])) && room;
    }
    return room ? FR_OK : FR_ERROR_MEMORY;
}

static int border_by_inner(const void *a, const void *b)
{
    const border_link *x = a, *y = b;
    return x->inner != y->inner ? (x->inner > y->inner) - (x->inner < y->inner) : (x->at > y->at) - (x->at < y->at);
}

/* Sorts the ghosts' links by inner cell. Offsets grow from slab to slab, so each slab's links are contiguous. */
static void border_sort_ghosts(border_cells *out, const domain *d, const field *layout)
{
    int slabs = d->n[d->dims - 1];
    int64_t next = out->solid_count;
    qsort(out->links + next, (size_t)(out->count - next), sizeof *out->links, border_by_inner);
    for (int slab = 0; slab <= slabs; slab++) {
        while (next < out->count && out->links[next].inner < slab * layout->stride[d->dims - 1])
            next++;
        out->first[slab] = next;
    }
}

fr_result border_cells_create(const border_def *def, border_cells *out)
{
    *out = (border_cells){.dims = def->c->domain.dims};
    border_build b = {def, &def->c->domain, out};
    fr_result room = border_reserve(&b);
    if (room != FR_OK) {
        border_cells_destroy(out);
        return room;
    }
    border_each(&b, 0, border_solid, border_add_solid);
    out->solid_count = out->count;
    border_each(&b, 1, border_is_ghost, border_add_ghost);
    border_sort_ghosts(out, b.d, &def->metric->centre);
    for (int side = 0; side < 2 * out->dims; side++)
        border_through(&b, side);
    return FR_OK;
}

void border_cells_destroy(border_cells *b)
{
    memory_free(b->links);
    memory_free(b->deep);
    memory_free(b->first);
    for (int side = 0; side < 6; side++)
        memory_free(b->passes[side]);
    *b = (border_cells){0};
}

static double border_speed(const border_speeds *speeds, int side, int cell)
{
    return speeds->each[side] ? speeds->each[side][cell] : speeds->whole[side];
}

/* The speed with which water enters through a bank at a ghost. */
static double border_enters(const border_speeds *speeds, const border_link *link)
{
    return link->side >= 0 && speeds->enters[link->side] ? speeds->enters[link->side][link->cell] : 0;
}

double border_cells_discharge(const border_cells *b, const border_speeds *speeds, int side)
{
    const double *each = speeds->enters[side] ? speeds->enters[side] : speeds->each[side];
    if (!each)
        return speeds->whole[side] * b->through[side];
    double sum = 0;
    for (int64_t n = 0; n < b->side_cells[side]; n++)
        sum += each[n] * b->passes[side][n];
    return sum;
}

/* Inlined so that `dims` is a compile-time constant: the cells are few, but every sweep updates them. */
static inline __attribute__((always_inline)) void border_apply_links(const border_cells *b, const border_speeds *speeds,
                                                                     int64_t begin, int64_t end, field velocity[3],
                                                                     int dims)
{
    for (int64_t i = begin; i < end; i++) {
        const border_link *link = &b->links[i];
        bool more = i > begin && link->at == b->links[i - 1].at;
        float enters = (float)border_enters(speeds, link), value[3];
        float own = link->side < 0 ? 0 : (float)border_speed(speeds, link->side, link->cell);
        for (int a = 0; a < dims; a++) {
            value[a] = (more ? velocity[a].data[link->at] : 0) + own * link->push[a];
            for (int c = 0; c < dims; c++)
                value[a] += link->turn[a][c] * velocity[c].data[link->inner];
        }
        for (int a = 0; a < dims; a++)
            velocity[a].data[link->at] = enters != 0 ? enters * link->mouth[a] : value[a];
    }
}

static void border_apply(const border_cells *b, const border_speeds *speeds, int64_t begin, int64_t end,
                         field velocity[3])
{
    if (b->dims == 3)
        border_apply_links(b, speeds, begin, end, velocity, 3);
    else
        border_apply_links(b, speeds, begin, end, velocity, 2);
}

void border_cells_velocity(const border_cells *b, const border_speeds *speeds, field velocity[3])
{
    for (int64_t i = 0; i < b->deep_count; i++)
        for (int a = 0; a < b->dims; a++)
            velocity[a].data[b->deep[i]] = 0;
    border_apply(b, speeds, 0, b->count, velocity);
}

void border_cells_follow(const border_cells *b, const border_speeds *speeds, int slab, field velocity[3])
{
    border_apply(b, speeds, b->first[slab], b->first[slab + 1], velocity);
}

void border_cells_follow_scalar(const border_cells *b, const bool held[6], const border_speeds *speeds, int slab,
                                field *f)
{
    for (int64_t i = b->first[slab]; i < b->first[slab + 1]; i++) {
        const border_link *link = &b->links[i];
        if (link->side < 0 || (!held[link->side] && border_enters(speeds, link) == 0))
            f->data[link->at] = f->data[link->inner];
    }
}

void border_cells_scalar(const border_cells *b, field *f)
{
    for (int64_t i = 0; i < b->solid_count; i++) {
        const border_link *link = &b->links[i];
        bool more = i > 0 && link->at == b->links[i - 1].at;
        f->data[link->at] = (more ? f->data[link->at] : 0) + link->share * f->data[link->inner];
    }
}
