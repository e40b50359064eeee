/* Friction of a gas on bodies that stick. The viscosity of smoke is the Laplacian of each component, where bodies hold
   their faces at their velocity (mac/stage/diffuse.h); a body feels what the free faces beside them lose to it, as
   obstacles do (mac/stage/drag.h),

     I = Σ c Pᵀ(u − P V),      c = ρ ν Δt V_cell/(θ h²),

   over the links to free faces, P the motion of the body where the link meets its surface; and the torque that the
   other half of the stress has on a body of volume V, −2 ρ ν Δt V ω. Both for the velocity that it will have then, (M +
   Σ c PᵀP) ΔV = I: so a body that is light for its size is brought to the speed of the gas and no further. What it then
   feels less than the gas has lost is lost: little in air, where bodies are a thousand times as heavy. */
#include <math.h>
#include <string.h>

#include "linalg/six.h"
#include "mac/coupling/parts.h"

typedef struct friction {
    const coupling *c;
    const state *s;
    const stress_solid *body;
    int number, axis;
    double dt;
    double impulse[6], brake[6][6]; /* over the density */
} friction;

/* P where the link from a held face to a free one along b meets the surface, `shift` cells from the held one. */
static void friction_motion(const friction *f, const int held[3], int b, double shift, double row[6])
{
    const domain *d = &f->c->m->domain;
    const int a = f->axis, e = (a + 1) % 3, g = (a + 2) % 3;
    double arm[3] = {0, 0, 0};
    for (int i = 0; i < d->dims; i++) {
        arm[i] = d->origin[i] + (held[i] + (i == a ? 0 : 0.5) + (i == b ? shift : 0)) * d->h[i] - f->body->centre[i];
        arm[i] = d->periodic[i] ? remainder(arm[i], d->n[i] * d->h[i]) : arm[i];
    }
    memset(row, 0, 6 * sizeof *row);
    row[a] = 1;
    row[3 + e] = arm[g];
    row[3 + g] = -arm[e];
}

static void friction_link(friction *f, const int held[3], int b, int end)
{
    const domain *d = &f->c->m->domain;
    const solids *solids = &f->s->solids;
    const field *u = &f->s->next_velocity[f->axis];
    int next[3] = {held[0], held[1], held[2]};
    next[b] += end ? 1 : -1;
    if (d->periodic[b])
        next[b] = (next[b] + d->n[b]) % d->n[b];
    if (next[b] < 0 || next[b] >= u->size[b] ||
        (!d->periodic[b] && b == f->axis && (next[b] == 0 || next[b] == d->n[b])))
        return;
    const float *from = field_row(u, next[1], next[2]) + next[0];
    const uint8_t mark = solids->face_marks[f->axis][from - u->block];
    if (mark != DIFFUSION_FREE && mark != DIFFUSION_WHOLE)
        return;
    const double reach = diffusion_reach(&solids->distance, f->axis, next, held), shift = end ? 1 - reach : reach - 1;
    const double c = f->c->m->fluid.viscosity * f->dt * domain_cell_volume(d) / (d->h[b] * d->h[b] * reach);
    double row[6], apart = (double)*from;
    friction_motion(f, held, b, shift, row);
    for (int i = 0; i < 6; i++)
        apart -= row[i] * f->body->motion.of[i];
    for (int i = 0; i < 6; i++) {
        f->impulse[i] += c * row[i] * apart;
        for (int j = 0; j < 6; j++)
            f->brake[i][j] += c * row[i] * row[j];
    }
}

static void friction_faces(friction *f, const region_box *box)
{
    const field *u = &f->s->next_velocity[f->axis];
    int at[3];
    for (at[2] = box->low[2]; at[2] <= box->high[2] && at[2] < u->size[2]; at[2]++)
        for (at[1] = box->low[1]; at[1] <= box->high[1] && at[1] < u->size[1]; at[1]++)
            for (at[0] = box->low[0]; at[0] <= box->high[0] && at[0] < u->size[0]; at[0]++)
                if (drag_holds(f->c, f->s, f->number, f->axis, at))
                    for (int link = 0; link < 2 * f->c->m->domain.dims; link++)
                        friction_link(f, at, link / 2, link % 2);
}

static void friction_of_spin(friction *f)
{
    const domain *d = &f->c->m->domain;
    const double volume = rigid_body_mass(f->c->world, f->number)->volume;
    const double brake = 2 * f->c->m->fluid.viscosity * f->dt * volume;
    for (int i = d->dims == 2 ? 5 : 3; i < 6; i++) {
        f->impulse[i] -= brake * f->body->motion.of[i];
        f->brake[i][i] += brake;
    }
}

static void friction_act(coupling *c, friction *f)
{
    const stress_solid *body = f->body;
    double change[6], gain[6], mass[6][6], all[6][6];
    memset(mass, 0, sizeof mass);
    for (int i = 0; i < 3; i++) {
        mass[i][i] = body->mass;
        memcpy(&mass[3 + i][3], body->inertia[i], sizeof body->inertia[i]);
    }
    for (int i = 0; i < 36; i++)
        all[i / 6][i % 6] = mass[i / 6][i % 6] + f->brake[i / 6][i % 6];
    memcpy(change, f->impulse, sizeof change);
    six_factor(all);
    six_solve(all, change);
    six_times(mass, change, gain);
    rigid_vector impulse;
    for (int i = 0; i < 6; i++)
        impulse.of[i] = c->m->fluid.density * gain[i];
    drag_take(c, f->number, &impulse);
}

void coupling_rub(const model *m, state *s, double dt)
{
    coupling *c = s->coupling;
    for (int b = 0; c->stepping && b < c->count; b++) {
        stress_solid body;
        if (!drag_is_felt(c, b))
            continue;
        drag_weigh(c, b, &body);
        friction f = {.c = c, .s = s, .body = &body, .number = b, .dt = dt};
        const region_box box = drag_box(c, s, b);
        for (f.axis = 0; f.axis < m->domain.dims && box.low[0] < box.high[0]; f.axis++)
            friction_faces(&f, &box);
        friction_of_spin(&f);
        if (body.mass > 0)
            friction_act(c, &f);
    }
}
