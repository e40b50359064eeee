/* Where grid lines are not perpendicular to a side (lean against it), the side's force on the water also changes the
   fluxes of the faces that end at the side.

   Such a face across k has a quarter of itself, for each of its cells, beside the side. Water is advected there with
   its velocity u and arrives with û. On a straight path û = u. On a bend û has a component normal to the side; the side
   removes it by its push: û − n n·(û − u). So the face gets

     U^k = û·S^k − share · (S^k·n) n·(û − u).

   Of all flows that the side allows this is the nearest in energy: a projection, which never adds energy. The weights
   of the pressure are made with the same quarters (grid/curve/weights.c). Without the push a flow along a bend would
   change its direction but keep its flux, and so gain speed.

   Beside a rough side the water is slower. The quarter reaches from the side, where a roughness β leaves 1 − β of the
   speed, to half a cell away, where all of it is left. The push acts on the mean, 1 − β/2. An inflow counts as β = 1.
   This mean is an estimate, not derived from the energy. Measured in random rivers (tests/property), seeds 0 to 199 and
   25 hard ones: with 1 − β/2 none diverges; with 1, seed 146 does; with 1 − β, seed 414.

   At an outflow, water that comes in starts from rest (stage/sides.h): there the whole normal velocity n n·û is
   removed, also from the faces that lean against the side. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "river/model.h"

/* A face that stops water: the low or high face of a cell across an axis. */
typedef struct lean_stop {
    int cell[3], axis;
    bool high;
} lean_stop;

/* The neighbour of a cell; false: there is none. */
static bool lean_beside(const domain *d, const int cell[3], int axis, bool high, int beside[3])
{
    for (int a = 0; a < 3; a++)
        beside[a] = cell[a];
    int n = d->n[axis], i = cell[axis] + (high ? 1 : -1);
    beside[axis] = d->periodic[axis] ? (i + n) % n : i;
    return beside[axis] >= 0 && beside[axis] < n;
}

static ptrdiff_t lean_face(const river_model *m, const int cell[3], int axis, bool high)
{
    int face[3] = {cell[0], cell[1], cell[2]}, n = m->curve.domain.n[axis];
    face[axis] += high;
    if (m->curve.domain.periodic[axis])
        face[axis] %= n;
    return field_offset(&m->curve.face[axis][0], face[0], face[1], face[2]);
}

static vec3 lean_vector(const curve *c, int axis, ptrdiff_t at)
{
    const field *s = c->face[axis];
    return (vec3){s[0].data[at], s[1].data[at], c->domain.dims == 3 ? s[2].data[at] : 0};
}

/* The fraction of the speed left in that quarter, 1 − β/2; 0 where water passes the face. */
static double lean_slip(const river_model *m, const lean_stop *stop)
{
    int beyond[3];
    const river_side *side = &m->sides[2 * stop->axis + stop->high];
    if (lean_beside(&m->curve.domain, stop->cell, stop->axis, stop->high, beyond))
        return river_solid(m, beyond[0], beyond[1], beyond[2]) ? 1 - m->block_roughness / 2 : 0;
    const river_frame f = river_frame_of(&m->curve.domain, 2 * stop->axis + stop->high);
    const int cell = stop->cell[f.b] + f.n[0] * stop->cell[f.c];
    return side->kind == FR_RIVER_BANK ? 1 - side->roughness[cell] / 2 : side->kind == FR_RIVER_INFLOW ? 0.5 : 1;
}

static bool lean_is_outflow(const river_model *m, const lean_stop *stop)
{
    int beyond[3];
    return !lean_beside(&m->curve.domain, stop->cell, stop->axis, stop->high, beyond) &&
           m->sides[2 * stop->axis + stop->high].kind == FR_RIVER_OUTFLOW;
}

/* The share of a face that lies beside the stop: a quarter; a half where the face has only this one cell. At the corner
   of an obstacle, where water passes the stop's continuation on the face's other side, it is 0: the weights of the
   pressure are not reduced there either. */
static double lean_share(const river_model *m, const lean_stop *stop, int axis, bool high)
{
    lean_stop next = *stop;
    if (!lean_beside(&m->curve.domain, stop->cell, axis, high, next.cell))
        return 0.5;
    int beyond[3];
    bool inside = lean_beside(&m->curve.domain, next.cell, stop->axis, stop->high, beyond);
    bool closed = !inside || river_solid(m, beyond[0], beyond[1], beyond[2]);
    return closed ? 0.25 : 0;
}

/* Adds the faces across one axis that lean against a stop; only counts them while there is no memory. */
static void lean_add(const river_model *m, const lean_stop *stop, int axis, river_lean *lean)
{
    const double least = 1e-5;     /* cosine; rounding alone gives that much where lines are perpendicular */
    double slip = lean_slip(m, stop);
    ptrdiff_t stopped = lean_face(m, stop->cell, stop->axis, stop->high);
    vec3 across = lean_vector(&m->curve, stop->axis, stopped);
    for (int high = 0; high < 2; high++) {
        ptrdiff_t at = lean_face(m, stop->cell, axis, high);
        vec3 face = lean_vector(&m->curve, axis, at);
        double leans = vec3_dot(across, face), share = slip * lean_share(m, stop, axis, high);
        if (share == 0 || fabs(leans) < least * vec3_length(across) * vec3_length(face))
            continue;
        if (lean->part) {
            vec3 part = vec3_scale(across, share * leans / vec3_dot(across, across));
            lean->part[lean->count] = (river_lean_part){
                .at = (int32_t)at,
                .stopped = (int32_t)stopped,
                .side = (uint8_t)(2 * stop->axis + stop->high),
                .outflow = lean_is_outflow(m, stop),
                .part = {(float)part.x, (float)part.y, (float)part.z},
            };
        }
        lean->count++;
    }
}

static void lean_find(const river_model *m, int axis, river_lean *lean)
{
    const domain *d = &m->curve.domain;
    lean->count = 0;
    for (int64_t n = 0; n < domain_cells(d); n++) {
        int cell[3] = {(int)(n % d->n[0]), (int)(n / d->n[0] % d->n[1]), (int)(n / d->n[0] / d->n[1])};
        for (int side = 0; side < 2 * d->dims && !river_solid(m, cell[0], cell[1], cell[2]); side++)
            if (side / 2 != axis)
                lean_add(m, &(lean_stop){{cell[0], cell[1], cell[2]}, side / 2, side % 2}, axis, lean);
    }
}

fr_result river_make_lean(river_model *m)
{
    for (int axis = 0; axis < m->curve.domain.dims; axis++) {
        river_lean *lean = &m->lean[axis];
        lean_find(m, axis, lean);
        lean->part = MEMORY_NEW(river_lean_part, lean->count + 1);
        if (!lean->part)
            return FR_ERROR_MEMORY;
        lean_find(m, axis, lean);
    }
    return FR_OK;
}
