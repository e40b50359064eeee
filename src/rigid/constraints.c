#include "rigid/constraints.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Of the largest change that is asked for: rounding, and no more. */
static const double CONSTRAINTS_EXACT = 1e-12;

fr_result constraints_create(int body_count, int room, constraints *out)
{
    *out = (constraints){.room = room, .body_count = body_count};
    out->holds = MEMORY_NEW(bool, room + 1);
    out->impulse = MEMORY_NEW(double, room + 1);
    out->work = MEMORY_NEW(double, 4 * room + 1);
    out->pushed = MEMORY_NEW(rigid_vector, body_count + 1);
    return out->holds && out->impulse && out->work && out->pushed ? FR_OK : FR_ERROR_MEMORY;
}

void constraints_destroy(constraints *r)
{
    memory_free(r->holds);
    memory_free(r->impulse);
    memory_free(r->work);
    memory_free(r->pushed);
    *r = (constraints){0};
}

fr_result constraints_take(constraints *r, const rigid_inverse *inverse, const rigid_row *row, int count)
{
    if (count > r->room) {
        constraints more;
        fr_result result = constraints_create(r->body_count, 2 * count, &more);
        constraints_destroy(result == FR_OK ? r : &more);
        if (result != FR_OK)
            return result;
        *r = more;
    }
    r->inverse = inverse;
    r->row = row;
    r->count = count;
    memset(r->holds, 0, sizeof *r->holds * (size_t)count);
    memset(r->impulse, 0, sizeof *r->impulse * (size_t)count);
    return FR_OK;
}

rigid_vector constraints_response(const rigid_inverse *inverse, const rigid_vector *impulse)
{
    rigid_vector out;
    for (int a = 0; a < 3; a++) {
        out.of[a] = inverse->mass * impulse->of[a];
        out.of[3 + a] = 0;
        for (int b = 0; b < 3; b++)
            out.of[3 + a] += inverse->inertia[a][b] * impulse->of[3 + b];
    }
    return out;
}

static double constraints_along(const rigid_row *row, const rigid_vector *velocity)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < 6 && row->body[side] >= 0; d++)
            sum += row->row[side][d] * velocity[row->body[side]].of[d];
    return sum;
}

/* velocity += K Jᵀ of one row times λ. */
static void constraints_push(const constraints *r, int n, double impulse, rigid_vector *velocity)
{
    const rigid_row *row = &r->row[n];
    for (int side = 0; side < 2; side++) {
        const int body = row->body[side];
        if (body < 0)
            continue;
        rigid_vector push;
        for (int d = 0; d < 6; d++)
            push.of[d] = impulse * row->row[side][d];
        push = constraints_response(&r->inverse[body], &push);
        for (int d = 0; d < 6; d++)
            velocity[body].of[d] += push.of[d];
    }
}

/* The row's entry on the diagonal of J K Jᵀ. */
static double constraints_give(const constraints *r, int n)
{
    memset(r->pushed, 0, sizeof *r->pushed * (size_t)r->body_count);
    constraints_push(r, n, 1, r->pushed);
    return constraints_along(&r->row[n], r->pushed);
}

void constraints_choose(constraints *r, const rigid_vector *velocity)
{
    enum { SWEEPS = 60 };
    double *give = r->work;
    for (int n = 0; n < r->count; n++)
        give[n] = constraints_give(r, n);
    rigid_vector *v = r->pushed;
    memcpy(v, velocity, sizeof *v * (size_t)r->body_count);
    memset(r->impulse, 0, sizeof *r->impulse * (size_t)r->count);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int n = 0; n < r->count; n++) {
            if (!(give[n] > 0))
                continue;
            double before = r->impulse[n],
                   after = before + (r->row[n].bias - constraints_along(&r->row[n], v)) / give[n];
            r->impulse[n] = r->row[n].one_sided ? fmax(0, after) : after;
            constraints_push(r, n, r->impulse[n] - before, v);
        }
    for (int n = 0; n < r->count; n++)
        r->holds[n] = give[n] > 0 && (!r->row[n].one_sided || r->impulse[n] > 0);
}

/* q = J K Jᵀ p over the rows that hold; returns p·q. */
static double constraints_apply(const constraints *r, const double *p, double *q)
{
    double product = 0;
    memset(r->pushed, 0, sizeof *r->pushed * (size_t)r->body_count);
    for (int n = 0; n < r->count; n++)
        if (r->holds[n])
            constraints_push(r, n, p[n], r->pushed);
    for (int n = 0; n < r->count; n++) {
        q[n] = r->holds[n] ? constraints_along(&r->row[n], r->pushed) : 0;
        product += p[n] * q[n];
    }
    return product;
}

static double constraints_dot(const constraints *r, const double *a, const double *b)
{
    double sum = 0;
    for (int n = 0; n < r->count; n++)
        sum += a[n] * b[n];
    return sum;
}

/* Conjugate gradients: rows that depend on each other are no trouble as long as they agree. */
static void constraints_solve(constraints *r, const rigid_vector *velocity)
{
    double *rest = r->work, *p = rest + r->room, *q = p + r->room;
    for (int n = 0; n < r->count; n++) {
        r->impulse[n] = 0;
        p[n] = rest[n] = r->holds[n] ? r->row[n].bias - constraints_along(&r->row[n], velocity) : 0;
    }
    double square = constraints_dot(r, rest, rest), least = CONSTRAINTS_EXACT * CONSTRAINTS_EXACT * square;
    for (int turn = 0; turn < 10 * r->count && square > least; turn++) {
        double product = constraints_apply(r, p, q), next;
        if (!(product > 0))
            return;
        for (int n = 0; n < r->count; n++) {
            r->impulse[n] += square / product * p[n];
            rest[n] -= square / product * q[n];
        }
        next = constraints_dot(r, rest, rest);
        for (int n = 0; n < r->count; n++)
            p[n] = rest[n] + next / square * p[n];
        square = next;
    }
}

void constraints_keep(constraints *r, rigid_vector *velocity)
{
    constraints_solve(r, velocity);
    for (int n = 0; n < r->count; n++)
        if (r->holds[n])
            constraints_push(r, n, r->impulse[n], velocity);
}

bool constraints_turn(constraints *r, const rigid_vector *velocity)
{
    bool turned = false;
    for (int n = 0; n < r->count; n++) {
        const rigid_row *row = &r->row[n];
        if (!row->one_sided)
            continue;
        const double speed = constraints_along(row, velocity), least = 1e-9 * (fabs(row->bias) + fabs(speed)) + 1e-12;
        const bool holds = r->holds[n] ? r->impulse[n] >= 0 : speed < row->bias - least && constraints_give(r, n) > 0;
        turned = turned || holds != r->holds[n];
        r->holds[n] = holds;
    }
    return turned;
}
