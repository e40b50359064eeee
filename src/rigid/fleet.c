#include "rigid/fleet.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "rigid/quaternion.h"

rigid_vector fleet_velocity(const rigid_state *of)
{
    return (rigid_vector){
        {of->velocity[0], of->velocity[1], of->velocity[2], of->spin[0], of->spin[1], of->spin[2]}};
}

static fr_result fleet_fill(const rigid_setup *setup, fleet *f)
{
    const int n = setup->body_count;
    f->def = setup->bodies;
    f->count = n;
    memcpy(f->gravity, setup->gravity, sizeof f->gravity);
    FR_TRY(rigid_create(setup, &f->world));
    FR_TRY(constraints_create(n, 8 * (n + setup->joint_count), &f->rows));
    f->of = MEMORY_NEW(fleet_body, n);
    f->before = MEMORY_NEW(fleet_body, n);
    f->next = MEMORY_NEW(fleet_body, n);
    f->states = MEMORY_NEW(rigid_state, n);
    f->given = MEMORY_NEW(rigid_load, n);
    f->loads = MEMORY_NEW(rigid_load, n);
    f->inverse = MEMORY_NEW(rigid_inverse, n);
    f->free = MEMORY_NEW(rigid_vector, n);
    f->velocity = MEMORY_NEW(rigid_vector, n);
    f->impulse = MEMORY_NEW(rigid_vector, n);
    if (!f->of || !f->before || !f->next || !f->states || !f->given || !f->loads || !f->inverse || !f->free ||
        !f->velocity || !f->impulse)
        return FR_ERROR_MEMORY;
    rigid_get(f->world, f->states);
    for (int b = 0; b < n; b++) {
        f->of[b].now = f->of[b].laid = f->states[b];
        f->of[b].temperature = f->def[b].temperature;
        f->free[b] = fleet_velocity(&f->states[b]);
    }
    return FR_OK;
}

fr_result fleet_create(const rigid_setup *setup, fleet *out)
{
    *out = (fleet){0};
    fr_result result = fleet_fill(setup, out);
    if (result != FR_OK)
        fleet_destroy(out);
    return result;
}

void fleet_destroy(fleet *f)
{
    rigid_destroy(f->world);
    constraints_destroy(&f->rows);
    memory_free(f->of);
    memory_free(f->before);
    memory_free(f->next);
    memory_free(f->states);
    memory_free(f->given);
    memory_free(f->loads);
    memory_free(f->inverse);
    memory_free(f->free);
    memory_free(f->velocity);
    memory_free(f->impulse);
    *f = (fleet){0};
}

/* Of bodies that are meshes. Shapes that cannot be made are found fault with elsewhere. */
static double fleet_grid_bytes(const rigid_setup *setup)
{
    double bytes = 0;
    int count = 0;
    shape **shapes = MEMORY_NEW(shape *, setup->body_count);
    for (int b = 0; b < setup->body_count && shapes; b++)
        count += shape_create(&setup->bodies[b].shape, setup->dims, "bodies", &shapes[count]) == FR_OK;
    if (shape_bake_bytes(shapes, count, setup->length, &bytes) != FR_OK)
        bytes = 0;
    for (int b = 0; b < count; b++)
        shape_destroy(shapes[b]);
    memory_free(shapes);
    return bytes;
}

double fleet_bytes(const rigid_setup *setup)
{
    return setup->body_count > 0 ? rigid_bytes(setup) + fleet_grid_bytes(setup) : 0;
}

bool fleet_is_ball(const fr_body_def *def)
{
    return def->shape.shape->kind == FR_SHAPE_SPHERE && !def->density.function;
}

void fleet_limit(const fleet *f, double most, double *dt)
{
    const double gravity = vec3_length(vec3_of(f->gravity));
    for (int b = 0; b < f->count; b++) {
        const rigid_state *now = &f->of[b].now;
        const bool ball = fleet_is_ball(&f->def[b]);
        double speed = vec3_length(vec3_of(now->velocity));
        double radius = ball ? 0 : shape_radius(rigid_body_shape(f->world, b));
        if (!(now->present > 0))
            continue;
        speed += vec3_length(vec3_of(now->spin)) * radius;
        /* ½ g dt² + speed dt = most */
        *dt = fmin(*dt, 2 * most / (speed + sqrt(speed * speed + 2 * gravity * most)));
    }
}

void fleet_begin(fleet *f)
{
    memcpy(f->before, f->of, sizeof *f->before * (size_t)f->count);
    memcpy(f->next, f->of, sizeof *f->next * (size_t)f->count);
    memset(f->impulse, 0, sizeof *f->impulse * (size_t)f->count);
    f->stepping = true;
}

void fleet_stand(fleet *f, bool laid)
{
    for (int b = 0; b < f->count; b++)
        f->states[b] = laid ? f->of[b].laid : f->of[b].now;
    rigid_set(f->world, f->states);
}

static rigid_vector fleet_impulse_of(const rigid_load *load, double dt)
{
    rigid_vector impulse;
    for (int a = 0; a < 3; a++) {
        impulse.of[a] = load->force[a] * dt;
        impulse.of[3 + a] = load->torque[a] * dt;
    }
    return impulse;
}

void fleet_add(const fleet *f, int body, const rigid_load *load, double dt, rigid_vector *to)
{
    const rigid_vector impulse = fleet_impulse_of(load, dt);
    const rigid_vector change = constraints_response(&f->inverse[body], &impulse);
    for (int d = 0; d < 6; d++)
        to->of[d] += change.of[d];
}

fr_result fleet_find_rows(fleet *f, double reach, double t, double dt)
{
    const rigid_row *row;
    int count;
    FR_TRY(rigid_constraints(f->world, reach, t, &row, &count));
    return constraints_take(&f->rows, f->inverse, &(constraints_rows){row, count, dt});
}

void fleet_give(fleet *f, int body, const rigid_vector *impulse)
{
    const rigid_vector change = constraints_response(&f->inverse[body], impulse);
    for (int d = 0; d < 6; d++) {
        f->free[body].of[d] += change.of[d];
        f->impulse[body].of[d] += impulse->of[d];
    }
}

/* What the scene's own forces do in a step, J. */
static double fleet_given_work(const fleet *f, double dt)
{
    double work = 0;
    for (int b = 0; b < f->count; b++) {
        const rigid_state *now = &f->of[b].now, *next = &f->next[b].now;
        const double mass = rigid_body_mass(f->world, b)->mass;
        for (int a = 0; a < 3 && now->present > 0; a++) {
            const double force = f->given[b].force[a] - mass * f->gravity[a];
            work += force * (next->position[a] - now->position[a]);
            work += f->given[b].torque[a] * (now->spin[a] + next->spin[a]) / 2 * dt;
        }
    }
    return work;
}

fr_result fleet_move(fleet *f, double from, double to)
{
    rigid_set(f->world, f->states);
    FR_TRY(rigid_advance(f->world, from, to, f->loads));
    rigid_get(f->world, f->states);
    for (int b = 0; b < f->count; b++) {
        f->next[b].now = f->states[b];
        f->next[b].laid = f->of[b].laid;
    }
    const rigid_report report = rigid_last(f->world);
    f->next_sums.work = f->sums.work + report.motor_work + fleet_given_work(f, to - from);
    f->next_sums.lost = f->sums.lost + report.lost;
    f->deepest = report.deepest;
    return FR_OK;
}

void fleet_accept(fleet *f)
{
    memcpy(f->of, f->next, sizeof *f->of * (size_t)f->count);
    f->sums = f->next_sums;
    f->stepping = false;
}

void fleet_undo(fleet *f)
{
    if (f->stepping)
        memcpy(f->of, f->before, sizeof *f->of * (size_t)f->count);
    f->stepping = false;
}

void fleet_show(const fleet *f, fr_body_state *states)
{
    for (int b = 0; b < f->count; b++) {
        const rigid_state *now = &f->of[b].now;
        fr_body_state *to = &states[b];
        *to = (fr_body_state){.temperature = NAN, .present = now->present > 0};
        if (f->def[b].has_temperature)
            to->temperature = f->of[b].temperature;
        memcpy(to->centre, rigid_body_mass(f->world, b)->centre, sizeof to->centre);
        memcpy(to->position, now->position, sizeof to->position);
        memcpy(to->rotation, now->rotation, sizeof to->rotation);
        memcpy(to->velocity, now->velocity, sizeof to->velocity);
        memcpy(to->spin, now->spin, sizeof to->spin);
    }
}

/* ½ ω·Iω, by the angular momentum that gives this spin. */
static double fleet_spin_energy(const fleet *f, int b)
{
    const rigid_mass *mass = rigid_body_mass(f->world, b);
    double turn[3][3], own[3] = {0, 0, 0}, energy = 0;
    quaternion_matrix(f->of[b].now.rotation, turn);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            own[a] += turn[i][a] * f->of[b].now.spin[i];
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            energy += 0.5 * own[a] * mass->inertia[a][i] * own[i];
    return energy;
}

fleet_ledger fleet_account(const fleet *f)
{
    fleet_ledger sum = {.work = f->sums.work, .lost = f->sums.lost, .deepest = f->deepest};
    for (int b = 0; b < f->count; b++) {
        const rigid_state *now = &f->of[b].now;
        const double mass = rigid_body_mass(f->world, b)->mass;
        if (!(now->present > 0) || f->def[b].fixed)
            continue;
        for (int a = 0; a < 3; a++) {
            sum.momentum[a] += mass * now->velocity[a];
            sum.energy += 0.5 * mass * now->velocity[a] * now->velocity[a];
            sum.energy -= mass * f->gravity[a] * now->position[a];
        }
        sum.energy += fleet_spin_energy(f, b);
    }
    return sum;
}
