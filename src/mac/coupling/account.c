/* Bodies in frames, ledgers and snapshots. */
#include <math.h>
#include <string.h>

#include "mac/coupling/parts.h"
#include "rigid/quaternion.h"

void coupling_impulse(const coupling *c, double sum[3])
{
    for (int a = 0; a < 3; a++) {
        sum[a] = 0;
        for (int b = 0; b < c->count; b++)
            sum[a] += c->of[b].now.present > 0 ? c->impulse[b].of[a] + c->drag.impulse[b].of[a] : 0;
    }
}

void coupling_show(const coupling *c, fr_body_state *states)
{
    for (int b = 0; b < c->count; b++) {
        const rigid_state *now = &c->of[b].now;
        fr_body_state *to = &states[b];
        *to = (fr_body_state){.temperature = NAN, .present = now->present > 0};
        if (c->m->bodies.of[b].has_temperature)
            to->temperature = c->of[b].temperature;
        memcpy(to->centre, rigid_body_mass(c->world, b)->centre, sizeof to->centre);
        memcpy(to->position, now->position, sizeof to->position);
        memcpy(to->rotation, now->rotation, sizeof to->rotation);
        memcpy(to->velocity, now->velocity, sizeof to->velocity);
        memcpy(to->spin, now->spin, sizeof to->spin);
    }
}

/* ½ ω·Iω, by the angular momentum that gives this spin. */
static double account_spin_energy(const coupling *c, int b)
{
    const rigid_mass *mass = rigid_body_mass(c->world, b);
    double turn[3][3], own[3] = {0, 0, 0}, energy = 0;
    quaternion_matrix(c->of[b].now.rotation, turn);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            own[a] += turn[i][a] * c->of[b].now.spin[i];
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            energy += 0.5 * own[a] * mass->inertia[a][i] * own[i];
    return energy;
}

coupling_ledger coupling_account(const coupling *c)
{
    coupling_ledger sum = {.work = c->sums.work, .lost = c->sums.lost, .deepest = c->deepest};
    for (int b = 0; b < c->count; b++) {
        const rigid_state *now = &c->of[b].now;
        const double mass = rigid_body_mass(c->world, b)->mass;
        if (!(now->present > 0) || c->m->bodies.of[b].fixed)
            continue;
        for (int a = 0; a < 3; a++) {
            sum.momentum[a] += mass * now->velocity[a];
            sum.energy += 0.5 * mass * now->velocity[a] * now->velocity[a];
            sum.energy -= mass * c->m->bodies.gravity[a] * now->position[a];
        }
        sum.energy += account_spin_energy(c, b);
    }
    return sum;
}

/* Plain numbers, as they lie in memory. */
void coupling_list_blocks(coupling *c, method_run *to)
{
    method_add_block(to, "#bodies", c->of, sizeof *c->of * (size_t)c->count);
    method_add_block(to, "#bodies_sums", &c->sums, sizeof c->sums);
}
