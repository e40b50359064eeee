/* A cell may have air on any of its six sides: 63 cases, 15 in 2D. One rule covers them. Call an axis single when one
   of its two faces is to the air, and double when both are.

     with single axes     their faces to the air take what flows through the face opposite, and what is then missing, in
                          equal shares
     with double ones     what is missing goes to their faces in equal shares
     alone

   For one face to the air that is eq. 23, for two beside each other half of what is missing each, for three that meet
   in a corner plain copies, for four around a cell a quarter each. The thesis leaves cells with air on two opposite
   sides alone, and cells with air all around; here they lose their divergence too, and since opposite faces change by
   opposite amounts a film or a drop falls as it did. */
#include "liquid/continuity.h"

/* The faces of a cell, low and high along each axis. */
typedef struct continuity_cell {
    float *u[3][2];
    double open[3][2];   /* share */
    double pushed[3][2]; /* m/s: what an obstacle adds to the flow, (1 − share) of its own motion */
    bool air[3][2];
} continuity_cell;

static bool continuity_is_inner(const domain *d, int axis, int face)
{
    return d->periodic[axis] || (face > 0 && face < d->n[axis]);
}

/* Whether air lies beyond a face of a cell of the liquid. */
static bool continuity_is_air(const continuity *c, const int cell[3], int axis, int high)
{
    int face[3] = {cell[0], cell[1], cell[2]};
    face[axis] += high;
    const float *phi = field_row(c->phi, cell[1], cell[2]) + cell[0];
    if (phi[(high ? 1 : -1) * c->phi->stride[axis]] < 0 || !continuity_is_inner(c->d, axis, face[axis]))
        return false;
    return !c->solids->any || solids_half_open(field_row(&c->solids->open[axis], face[1], face[2])[face[0]]);
}

bool continuity_at_surface(const continuity *c, const int cell[3])
{
    bool found = false;
    for (int a = 0; a < c->d->dims && !found; a++)
        found = continuity_is_air(c, cell, a, 0) || continuity_is_air(c, cell, a, 1);
    return found;
}

static continuity_cell continuity_look(const continuity *c, const int cell[3], const field velocity[3])
{
    continuity_cell faces = {0};
    for (int a = 0; a < c->d->dims; a++)
        for (int high = 0; high < 2; high++) {
            const field *u = &velocity[a];
            float *at = field_row(u, cell[1], cell[2]) + cell[0] + high * u->stride[a];
            float share = c->solids->any ? c->solids->open[a].data[at - u->data] : 1;
            faces.u[a][high] = at;
            faces.open[a][high] = share;
            faces.pushed[a][high] = share < 1 ? (1 - share) * solids_wall(c->solids, a, at - u->block) : 0;
            faces.air[a][high] = continuity_is_air(c, cell, a, high);
        }
    return faces;
}

/* What flows through a face, m/s over the whole of it. */
static double continuity_flow(const continuity_cell *faces, int axis, int high)
{
    return faces->open[axis][high] * *faces->u[axis][high] + faces->pushed[axis][high];
}

static void continuity_let_flow(const continuity_cell *faces, int axis, int high, double flow)
{
    *faces->u[axis][high] = (float)((flow - faces->pushed[axis][high]) / faces->open[axis][high]);
}

/* 1/s. */
static double continuity_divergence(const domain *d, const continuity_cell *faces)
{
    double sum = 0;
    for (int a = 0; a < d->dims; a++)
        sum += (continuity_flow(faces, a, 1) - continuity_flow(faces, a, 0)) / d->h[a];
    return sum;
}

static void continuity_set(const domain *d, const continuity_cell *faces)
{
    int singles = 0, doubles = 0;
    for (int a = 0; a < d->dims; a++) {
        bool single = faces->air[a][0] != faces->air[a][1];
        if (single)
            continuity_let_flow(faces, a, faces->air[a][1], continuity_flow(faces, a, !faces->air[a][1]));
        singles += single;
        doubles += faces->air[a][0] && faces->air[a][1];
    }
    double missing = continuity_divergence(d, faces) / (singles ? singles : 2 * doubles);
    for (int a = 0; a < d->dims; a++)
        for (int high = 0; high < 2; high++)
            if (faces->air[a][high] && !(singles && faces->air[a][!high]))
                continuity_let_flow(faces, a, high,
                                    continuity_flow(faces, a, high) + (high ? -missing : missing) * d->h[a]);
}

/* The two ends of a periodic axis are one face. */
static void continuity_repeat(const continuity *c, const continuity_cell *faces, const int cell[3],
                              const field velocity[3])
{
    for (int a = 0; a < c->d->dims; a++) {
        ptrdiff_t round = c->d->n[a] * velocity[a].stride[a];
        if (c->d->periodic[a] && faces->air[a][0] && cell[a] == 0)
            faces->u[a][0][round] = *faces->u[a][0];
        if (c->d->periodic[a] && faces->air[a][1] && cell[a] == c->d->n[a] - 1)
            faces->u[a][1][-round] = *faces->u[a][1];
    }
}

typedef struct continuity_job {
    const continuity *c;
    field *velocity;
} continuity_job;

static void continuity_rows(void *context, int begin, int end)
{
    const continuity_job *job = context;
    const field *phi = job->c->phi;
    for (int r = begin; r < end; r++) {
        const float *row = field_row(phi, r % phi->size[1], r / phi->size[1]);
        for (int i = 0; i < phi->size[0]; i++) {
            const int cell[3] = {i, r % phi->size[1], r / phi->size[1]};
            if (row[i] >= 0 || !continuity_at_surface(job->c, cell))
                continue;
            continuity_cell faces = continuity_look(job->c, cell, job->velocity);
            continuity_set(job->c->d, &faces);
            continuity_repeat(job->c, &faces, cell, job->velocity);
        }
    }
}

void continuity_enforce(const continuity *c, field velocity[3])
{
    continuity_job job = {c, velocity};
    field_for_rows(c->phi, continuity_rows, &job);
}
