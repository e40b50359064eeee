#include "rigid/constraints.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* Pivots below this share of the diagonal are rounding. */
static const double CONSTRAINTS_DEPEND = 1e-9;

/* An impulse that is so small beside the largest one pulls only by rounding. */
static const double CONSTRAINTS_PULL = 1e-7;

fr_result constraints_create(int body_count, int room, constraints *out)
{
    *out = (constraints){.room = room, .body_count = body_count};
    out->holds = MEMORY_NEW(bool, room + 1);
    out->impulse = MEMORY_NEW(double, room + 1);
    out->strain = MEMORY_NEW(double, room + 1);
    out->give = MEMORY_NEW(double, room + 1);
    out->work = MEMORY_NEW(double, room + 1);
    out->place = MEMORY_NEW(int, room + 1);
    out->floor = MEMORY_NEW(double, room + 1);
    out->pushed = MEMORY_NEW(rigid_vector, body_count + 1);
    out->matrix.first = MEMORY_NEW(int, room + 1);
    out->matrix.row = MEMORY_NEW(ptrdiff_t, room + 1);
    out->matrix.inverse = MEMORY_NEW(double, room + 1);
    return out->holds && out->impulse && out->strain && out->give && out->work && out->place && out->floor &&
                   out->pushed && out->matrix.first && out->matrix.row && out->matrix.inverse
               ? FR_OK
               : FR_ERROR_MEMORY;
}

void constraints_destroy(constraints *r)
{
    memory_free(r->holds);
    memory_free(r->impulse);
    memory_free(r->strain);
    memory_free(r->give);
    memory_free(r->work);
    memory_free(r->place);
    memory_free(r->floor);
    memory_free(r->pushed);
    memory_free(r->matrix.first);
    memory_free(r->matrix.row);
    memory_free(r->matrix.inverse);
    memory_free(r->matrix.value);
    *r = (constraints){0};
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

static fr_result constraints_make_room(constraints *r, int count)
{
    const size_t values = (size_t)count * ((size_t)count + 1) / 2;
    if (count > r->room) {
        constraints more;
        fr_result result = constraints_create(r->body_count, 2 * count, &more);
        constraints_destroy(result == FR_OK ? r : &more);
        if (result != FR_OK)
            return result;
        *r = more;
    }
    if (values <= r->value_room)
        return FR_OK;
    memory_free(r->matrix.value);
    r->value_room = 0;
    if (!(r->matrix.value = MEMORY_NEW(double, 2 * values)))
        return FR_ERROR_MEMORY;
    r->value_room = 2 * values;
    return FR_OK;
}

fr_result constraints_take(constraints *r, const rigid_inverse *inverse, const constraints_rows *rows)
{
    const int count = rows->count;
    r->count = 0;
    FR_TRY(constraints_make_room(r, count));
    r->factored = false;
    r->inverse = inverse;
    r->row = rows->row;
    r->count = count;
    r->seconds = rows->seconds;
    memset(r->holds, 0, sizeof *r->holds * (size_t)count);
    memset(r->impulse, 0, sizeof *r->impulse * (size_t)count);
    memset(r->strain, 0, sizeof *r->strain * (size_t)count);
    for (int n = 0; n < count; n++)
        r->give[n] = constraints_give(r, n);
    return FR_OK;
}

/* An impulse that a row can give. */
static double constraints_within(const constraints *r, int n, double impulse)
{
    const rigid_row *row = &r->row[n];
    const double most = row->most > 0 ? row->most * r->seconds : INFINITY;
    return clampd(impulse, row->one_sided ? 0 : -most, most);
}

void constraints_choose(constraints *r, const rigid_vector *velocity)
{
    enum { SWEEPS = 60 };
    const double *give = r->give;
    rigid_vector *v = r->pushed;
    memcpy(v, velocity, sizeof *v * (size_t)r->body_count);
    memset(r->impulse, 0, sizeof *r->impulse * (size_t)r->count);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int n = 0; n < r->count; n++) {
            if (!(give[n] > 0))
                continue;
            double before = r->impulse[n],
                   after = before + (r->row[n].bias - constraints_along(&r->row[n], v)) / give[n];
            r->impulse[n] = constraints_within(r, n, after);
            constraints_push(r, n, r->impulse[n] - before, v);
        }
    r->factored = false;
    for (int n = 0; n < r->count; n++) {
        const bool strained = r->row[n].most > 0 && r->impulse[n] != 0;
        r->holds[n] = give[n] > 0 && !strained && (!r->row[n].one_sided || r->impulse[n] > 0);
        r->strain[n] = strained ? copysign(r->row[n].most * r->seconds, r->impulse[n]) : 0;
    }
}

void constraints_set(constraints *r, int row, bool holds)
{
    r->factored = r->factored && r->holds[row] == holds;
    r->holds[row] = holds;
}

/* Whether two rows act on one body. */
static bool constraints_meet(const rigid_row *one, const rigid_row *other)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (one->body[i] >= 0 && one->body[i] == other->body[j])
                return true;
    return false;
}

/* Where the entries of an unknown's row in the matrix begin. */
static int constraints_first(const constraints *r, int unknown)
{
    int first = 0;
    while (first < unknown && !constraints_meet(&r->row[r->place[first]], &r->row[r->place[unknown]]))
        first++;
    return first;
}

static void constraints_factor(constraints *r)
{
    envelope *e = &r->matrix;
    e->n = 0;
    for (int n = 0; n < r->count; n++)
        if (r->holds[n])
            r->place[e->n++] = n;
    for (int i = 0; i < e->n; i++)
        e->first[i] = constraints_first(r, i);
    envelope_lay_out(e);
    for (int i = 0; i < e->n; i++) {
        memset(r->pushed, 0, sizeof *r->pushed * (size_t)r->body_count);
        constraints_push(r, r->place[i], 1, r->pushed);
        for (int j = e->first[i]; j <= i; j++)
            *envelope_at(e, i, j) = constraints_along(&r->row[r->place[j]], r->pushed);
        r->floor[i] = CONSTRAINTS_DEPEND * *envelope_at(e, i, i);
    }
    envelope_factor(e, r->floor);
    r->factored = true;
}

/* Rows that contradict each other, as a motor that drives into a wall, have a pivot of rounding: the later one has no
   part in it. `share`: of the biases. */
static void constraints_solve(constraints *r, double share, rigid_vector *velocity)
{
    if (!r->factored)
        constraints_factor(r);
    const envelope *e = &r->matrix;
    memset(r->impulse, 0, sizeof *r->impulse * (size_t)r->count);
    for (int i = 0; i < e->n; i++)
        r->work[i] = share * r->row[r->place[i]].bias - constraints_along(&r->row[r->place[i]], velocity);
    envelope_solve(e, r->work);
    for (int i = 0; i < e->n; i++) {
        r->impulse[r->place[i]] = r->work[i];
        constraints_push(r, r->place[i], r->work[i], velocity);
    }
}

void constraints_keep(constraints *r, rigid_vector *velocity)
{
    for (int n = 0; n < r->count; n++)
        if (r->strain[n] != 0)
            constraints_push(r, n, r->strain[n], velocity);
    constraints_solve(r, 1, velocity);
}

void constraints_project(constraints *r, rigid_vector *change) { constraints_solve(r, 0, change); }

/* A row that would give more than it can gives what it can, until the bodies have gone beyond what it asks for. */
static bool constraints_turn_strained(constraints *r, int n, double speed)
{
    const double most = r->row[n].most * r->seconds, least = 1e-9 * (fabs(r->row[n].bias) + fabs(speed)) + 1e-12;
    const bool strained = r->holds[n] ? fabs(r->impulse[n]) > most
                                      : r->strain[n] * (r->row[n].bias - speed) > -least * fabs(r->strain[n]);
    const bool turned = r->holds[n] == strained;
    if (turned) {
        r->strain[n] = strained ? copysign(most, r->impulse[n]) : 0;
        constraints_set(r, n, !strained);
    }
    return turned;
}

bool constraints_turn(constraints *r, const rigid_vector *velocity)
{
    double most = 0;
    bool turned = false;
    for (int n = 0; n < r->count; n++)
        most = fmax(most, fabs(r->impulse[n]));
    for (int n = 0; n < r->count; n++) {
        const rigid_row *row = &r->row[n];
        if (row->most > 0 && (r->holds[n] || r->strain[n] != 0))
            turned = constraints_turn_strained(r, n, constraints_along(row, velocity)) || turned;
        if (!row->one_sided)
            continue;
        const double speed = constraints_along(row, velocity), least = 1e-9 * (fabs(row->bias) + fabs(speed)) + 1e-12;
        const bool holds = r->holds[n] ? r->impulse[n] >= -CONSTRAINTS_PULL * most
                                       : speed < row->bias - least && r->give[n] > 0;
        turned = turned || holds != r->holds[n];
        constraints_set(r, n, holds);
    }
    return turned;
}
