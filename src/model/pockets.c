#include "model/pockets.h"

#include "base/memory.h"
#include "model/solids.h"

typedef struct pockets {
    const domain *d;
    const field *distance;
    field *open;
    uint8_t *seen;        /* per cell */
    int64_t *part;        /* cells of the part at hand, as numbers; also the list of those to look at */
} pockets;

static int64_t pockets_number(const domain *d, const int c[3])
{
    return c[0] + (int64_t)d->n[0] * (c[1] + (int64_t)d->n[1] * c[2]);
}

static void pockets_cell(const domain *d, int64_t number, int c[3])
{
    c[0] = (int)(number % d->n[0]);
    c[1] = (int)(number / d->n[0] % d->n[1]);
    c[2] = (int)(number / d->n[0] / d->n[1]);
}

/* The face of a cell towards one end of an axis. */
static float *pockets_face(const pockets *p, const int c[3], int axis, int end)
{
    const field *open = &p->open[axis];
    return field_row(open, c[1], c[2]) + c[0] + (end ? open->stride[axis] : 0);
}

/* The neighbour through an open face; false when there is none. */
static bool pockets_step(const pockets *p, const int c[3], int axis, int end, int to[3])
{
    if (*pockets_face(p, c, axis, end) == 0)
        return false;
    for (int a = 0; a < 3; a++)
        to[a] = c[a];
    to[axis] += end ? 1 : -1;
    int n = p->d->n[axis];
    if (p->d->periodic[axis])
        to[axis] = (to[axis] + n) % n;
    return to[axis] >= 0 && to[axis] < n;
}

static float pockets_volume(const pockets *p, const int c[3])
{
    return solids_open_volume(p->d, field_row(p->distance, c[1], c[2])[c[0]]);
}

/* Gathers the part that a cell belongs to; returns its cells, and the volume they hold in cells. */
static int64_t pockets_gather(pockets *p, int64_t start, double *volume)
{
    int64_t count = 0;
    *volume = 0;
    p->part[count++] = start;
    p->seen[start] = 1;
    for (int64_t next = 0; next < count; next++) {
        int c[3], to[3];
        pockets_cell(p->d, p->part[next], c);
        *volume += pockets_volume(p, c);
        for (int face = 0; face < 2 * p->d->dims; face++)
            if (pockets_step(p, c, face / 2, face % 2, to) && !p->seen[pockets_number(p->d, to)]) {
                p->seen[pockets_number(p->d, to)] = 1;
                p->part[count++] = pockets_number(p->d, to);
            }
    }
    return count;
}

static void pockets_close_part(const pockets *p, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int c[3];
        pockets_cell(p->d, p->part[i], c);
        for (int face = 0; face < 2 * p->d->dims; face++)
            *pockets_face(p, c, face / 2, face % 2) = 0;
    }
}

/* One look at every cell; says whether a face was closed. */
static bool pockets_close_dead_ends(const pockets *p)
{
    bool closed = false;
    for (int64_t number = 0; number < domain_cells(p->d); number++) {
        int c[3], open = 0;
        float *last = NULL;
        pockets_cell(p->d, number, c);
        if (pockets_volume(p, c) >= 0.5f)
            continue;
        for (int face = 0; face < 2 * p->d->dims; face++) {
            float *share = pockets_face(p, c, face / 2, face % 2);
            open += *share > 0;
            last = *share > 0 ? share : last;
        }
        if (open == 1) {
            *last = 0;
            closed = true;
        }
    }
    return closed;
}

fr_result pockets_close(const domain *d, const field *distance, field open[3])
{
    int64_t cells = domain_cells(d);
    pockets p = {d, distance, open, MEMORY_NEW(uint8_t, cells), MEMORY_NEW(int64_t, cells)};
    bool room = p.seen && p.part;
    while (room && pockets_close_dead_ends(&p))
        continue;
    for (int64_t start = 0; room && start < cells; start++) {
        double volume;
        if (p.seen[start])
            continue;
        int64_t count = pockets_gather(&p, start, &volume);
        if (volume < 1)
            pockets_close_part(&p, count);
    }
    memory_free(p.seen);
    memory_free(p.part);
    return room ? FR_OK : FR_ERROR_MEMORY;
}
