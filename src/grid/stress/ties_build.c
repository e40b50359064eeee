/* Solids in the preconditioner: a lump of something much stiffer than the liquid around it, with the solid's mass.

   Rigid motions have no strain, so that on them the system with the lump is the one with the solid. What the cycle does
   with the lump is what it does with any liquid; the rigid motion in it that fits best is the answer for the solid
   (the fictitious space lemma: Nepomnyaschikh 1992). In this way the coarse levels know that a light solid goes along
   with the stiff liquid around it, which a preconditioner of its own for each solid does not: that takes more
   iterations, the further the stress reaches. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

/* K in a solid over the largest sum of K around one of its faces. */
static const double STIFFER = 0.2;

static void build_mass(const stress *s, const stress_solid *solid, double mass[6][6])
{
    const double volume = domain_cell_volume(&s->block);
    memset(mass, 0, 36 * sizeof(double));
    for (int a = 0; a < 3; a++) {
        mass[a][a] = a < s->block.dims ? solid->mass / volume : 0;
        for (int b = 0; b < 3; b++)
            if (s->block.dims == 3 || (a == 2 && b == 2))
                mass[3 + a][3 + b] = solid->inertia[a][b] / volume;
    }
}

/* From the centre to the first face of a row, by way of the nearest image. */
static void build_arm(const stress *s, const stress_solid *solid, stress_faces *row)
{
    const domain *d = &s->block;
    for (int a = 0; a < 3; a++) {
        const double at = d->origin[a] + (row->first[a] + (a == row->axis ? 0 : 0.5)) * d->h[a];
        const double arm = a < d->dims ? at - solid->centre[a] : 0;
        row->arm[a] = a < d->dims && d->periodic[a] ? remainder(arm, d->n[a] * d->h[a]) : arm;
    }
}

/* The largest stiffness of a face of a row; adds the row to what grips its solid. */
static double build_grip(const stress *s, const stress_faces *row, double grip[6][6])
{
    double first[6], slope[6], sum[3] = {0, 0, 0}, stiffest = 0;
    stress_line_of(s, row, first, slope);
    for (int i = 0; i < row->count; i++) {
        const double stiffness = (double)stress_stiffness(&s->level[0], row->axis, row->at + i);
        stiffest = fmax(stiffest, stiffness);
        sum[0] += stiffness;
        sum[1] += stiffness * i;
        sum[2] += stiffness * i * i;
    }
    six_add(grip, first, slope, sum);
    return stiffest;
}

/* What is known before the lumps are there. */
static void build_begin(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; b < solids->count; b++) {
        stress_tie *tie = &solids->ties->of[b];
        *tie = (stress_tie){.body = -1};
        build_mass(s, &solids->of[b], tie->mass);
        memcpy(tie->weigh, tie->mass, sizeof tie->weigh);
        six_factor(tie->weigh);
    }
    for (int r = 0; r < solids->row_count; r++) {
        stress_faces *row = &solids->faces[r];
        stress_tie *tie = &solids->ties->of[row->solid];
        row->at = stress_offset(&s->level[0], row->first);
        build_arm(s, &solids->of[row->solid], row);
        for (int a = 0; a < 3 && tie->faces == 0; a++)
            tie->centre[a] =
                s->block.origin[a] + (row->first[a] + (a == row->axis ? 0 : 0.5)) * s->block.h[a] - row->arm[a];
        tie->faces += row->count;
        tie->stiffness = fmax(tie->stiffness, build_grip(s, row, tie->grip));
    }
    for (int b = 0; b < solids->count; b++) {
        stress_tie *tie = &solids->ties->of[b];
        tie->wet = tie->stiffness > 0;
        tie->cell_mass = solids->of[b].mass / domain_cell_volume(&s->block) * s->block.dims / fmax(tie->faces, 1);
        for (int i = 0; i < 36; i++)
            tie->bear[i / 6][i % 6] = tie->mass[i / 6][i % 6] + tie->grip[i / 6][i % 6];
        six_factor(tie->bear);
    }
}

/* Masses of the lumps; x of the level is scratch for the numbers of their solids. */
static void build_masses(stress *s)
{
    const stress_level *l = &s->level[0];
    const stress_solids *solids = s->problem.solids;
    for (int r = 0; r < solids->row_count; r++) {
        const stress_faces *row = &solids->faces[r];
        stress_tie *tie = &solids->ties->of[row->solid];
        const double mass = tie->cell_mass / pow(stress_scale(&s->block, row->axis), 2), n = row->count;
        const double sum[3] = {mass * n, mass * n * (n - 1) / 2, mass * n * (n - 1) * (2 * n - 1) / 6};
        double first[6], slope[6];
        if (!tie->wet)
            continue;
        stress_line_of(s, row, first, slope);
        six_add(tie->fit, first, slope, sum);
        for (int i = 0; i < row->count; i++) {
            l->mass.of[row->axis][row->at + i] = (float)mass;
            l->x.of[row->axis][row->at + i] = (float)(1 + row->solid);
        }
    }
    stress_wrap(l, &l->x);
}

/* Strains all of whose faces belong to the solid are stiff. Each is set from the one of its faces that comes first. */
static void build_stiffen_rows(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int r = begin; r < end; r++) {
        const stress_faces *row = &s->problem.solids->faces[r];
        const stress_tie *tie = &s->problem.solids->ties->of[row->solid];
        const int a = row->axis;
        const float own = (float)(1 + row->solid), stiff = (float)(STIFFER * tie->stiffness);
        for (ptrdiff_t at = row->at; at < row->at + row->count && tie->wet; at++) {
            const float *ua = l->x.of[a] + at;
            if (ua[l->stride[a]] == own)
                l->normal.of[a][at] = stiff;
            for (int b = a + 1; b < l->dims; b++) {
                const float *ub = l->x.of[b] + at;
                if (ua[-l->stride[b]] == own && ub[0] == own && ub[-l->stride[a]] == own)
                    l->shear.of[3 - a - b][at] = stiff;
            }
        }
    }
}

static void build_finish(stress_tie *tie)
{
    for (int i = 0; i < 36; i++)
        tie->excess[i / 6][i % 6] = tie->mass[i / 6][i % 6] - tie->fit[i / 6][i % 6];
    six_factor(tie->fit);
}

void stress_tie_solids(stress *s)
{
    const stress_level *l = &s->level[0];
    const stress_solids *solids = s->problem.solids;
    if (!solids)
        return;
    build_begin(s);
    build_masses(s);
    if (l->coupled) { /* in the Laplacian form rotations have strains */
        threads_for_cost(solids->row_count, 64, build_stiffen_rows, s);
        stress_wrap(l, &l->normal);
        stress_wrap(l, &l->shear);
    }
    stress_clear(l, &l->x);
    for (int b = 0; b < solids->count; b++)
        build_finish(&solids->ties->of[b]);
}
