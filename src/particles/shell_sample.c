/* Points about d apart on the surfaces of given depths inside a shape.

   Candidates are lattice points projected to the depth along the gradient. They are accepted greedily, in order of
   increasing displacement, unless an accepted point is too close. The first round starts from cell centres, so that a
   shape that fits the lattice gets exactly the lattice; the second from points between them. Then gaps are filled from
   points around those accepted. Finally the points are relaxed (shell_relax.c). */
#include <stdlib.h>

#include "base/threads.h"
#include "particles/point_hash.h"
#include "particles/shell_parts.h"

/* Rounds from cells (1, then 2 starting points per axis), rounds from rings around accepted points, and starting points
   per ring. */
enum { CELL_ROUNDS = 2, RING_ROUNDS = 3, RING = 16 };

typedef struct candidate {
    shell_spot spot;
    int32_t moved;              /* in thousandths of a spacing: an integer, immune to roundoff */
    int64_t order;              /* among equal displacements */
} candidate;

/* Work is divided into shares of about this many cells (or points), each with its own candidates, independently of the
   number of threads. */
enum { SHARE = 256 };

typedef struct share {
    candidate *candidates;
    int64_t count, room;
    fr_result result;
} share;

typedef struct sampler {
    const shape *shape;
    const shell_plan *plan;
    shell_cells cells;
    share *shares;
    int share_count;
    int layer, per_axis;        /* of the current round */
    bool from_points;
    point_hash taken;           /* accepted points of the current layer */
    shell_spot *spots;          /* the same points with normals and depths */
    int64_t spot_room;
    fr_result face_result;
    shell *out;
    bool fits;                  /* no point has been moved so far */
} sampler;

static fr_result share_add(share *s, const candidate *c)
{
    if (s->count == s->room) {
        int64_t room = 2 * s->room + 64;
        candidate *candidates = realloc(s->candidates, sizeof *candidates * (size_t)room);
        if (!candidates)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for %lld places of boundary particles", (long long)room);
        s->candidates = candidates;
        s->room = room;
    }
    s->candidates[s->count++] = *c;
    return FR_OK;
}

static bool stop_at_first(void *context, int64_t index, double distance2)
{
    (void)index;
    (void)distance2;
    *(bool *)context = true;
    return false;
}

/* Whether a point at distance `off` from the layer's surface would certainly end too close to an accepted point. The
   estimate is for a flat surface, with a margin for curvature. Ring points are almost on the surface. */
static bool sampler_covers(const sampler *s, const double at[3], double off)
{
    bool covered = false;
    double across = (s->from_points ? 0.95 : 0.75) * shell_apart(s->plan);
    point_hash_visit(&s->taken, at, sqrt(off * off + across * across), stop_at_first, &covered);
    return covered;
}

/* Whether a distance, known up to `slack`, is close to the layer's depth, or to the surface, because thin parts do
   not reach that depth. The first round need not check the surface: the middle of thin parts is close enough to the
   layer. */
static bool sampler_near(const sampler *s, double value, double slack)
{
    double d = s->plan->spacing, slope = shell_slope(s->shape), depth = shell_depth(s->plan, s->layer);
    if (s->per_axis == 1)
        return fabs(value + depth) <= slope * (0.501 * d + slack);
    double reach = slope * (0.5 * sqrt(s->plan->dims) * d / s->per_axis + slack);
    return fabs(value + depth) <= reach || (s->layer == 0 && fabs(value) <= reach);
}

/* Whether a point is worth projecting to the layer. */
static fr_result sampler_wants(const sampler *s, shell_place *place, bool *wanted)
{
    *wanted = false;
    if (sampler_covers(s, place->at, 0))
        return FR_OK;
    FR_TRY(shape_distance(s->shape, place->at, &place->value));
    double off = shape_is_parallel(s->shape) ? place->value + shell_depth(s->plan, s->layer) : 0;
    *wanted = sampler_near(s, place->value, 0) && !sampler_covers(s, place->at, off);
    return FR_OK;
}

static fr_result sampler_propose(const sampler *s, share *into, shell_place *from)
{
    bool wanted;
    candidate c = {0};
    FR_TRY(sampler_wants(s, from, &wanted));
    if (!wanted)
        return FR_OK;
    FR_TRY(shell_project(s->shape, s->plan, s->layer, from, &c.spot));
    if (!c.spot.found || !shell_plan_holds(s->plan, c.spot.at))
        return FR_OK;
    double moved = vec3_length(vec3_sub(vec3_of(c.spot.at), vec3_of(from->at)));
    c.moved = (int32_t)floor(1000 * moved / s->plan->spacing + 0.5);
    return share_add(into, &c);
}

/* Proposes the starting points of one cell. */
static fr_result sampler_propose_cell(const sampler *s, share *into, const shell_cell *cell)
{
    const shell_lattice *l = &s->cells.lattice;
    int n = s->per_axis, nz = s->plan->dims == 3 ? n : 1;
    if (!sampler_near(s, (double)cell->value, 0.5 * vec3_length(vec3_of(l->step)) * (n - 1) / n))
        return FR_OK;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double in_cell[3] = {(i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / nz};
                shell_place place;
                for (int a = 0; a < 3; a++)
                    place.at[a] = l->start[a] + (cell->at[a] + in_cell[a]) * l->step[a];
                FR_TRY(sampler_propose(s, into, &place));
            }
    return FR_OK;
}

/* Proposes points around an accepted one, just outside its minimum distance. */
static fr_result sampler_propose_ring(const sampler *s, share *into, const shell_spot *spot)
{
    vec3 n = spot->normal, across = fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    vec3 u = s->plan->dims == 2 ? (vec3){-n.y, n.x, 0} : vec3_unit(vec3_cross(n, across)), v = vec3_cross(n, u);
    double radius = 1.02 * shell_apart(s->plan);
    int step = s->plan->dims == 2 ? RING / 2 : 1;
    for (int k = 0; k < RING; k += step) {
        double angle = 2 * FR_PI * k / RING, c = radius * cos(angle), d = radius * sin(angle);
        shell_place place = {
            .at = {spot->at[0] + c * u.x + d * v.x, spot->at[1] + c * u.y + d * v.y, spot->at[2] + c * u.z + d * v.z}};
        FR_TRY(sampler_propose(s, into, &place));
    }
    return FR_OK;
}

static fr_result sampler_propose_item(const sampler *s, share *into, int64_t n)
{
    return s->from_points ? sampler_propose_ring(s, into, &s->spots[n])
                          : sampler_propose_cell(s, into, &s->cells.cells[n]);
}

static void sampler_propose_shares(void *context, int begin, int end)
{
    sampler *s = context;
    int64_t items = s->from_points ? s->taken.count : s->cells.count;
    for (int n = begin; n < end; n++) {
        share *into = &s->shares[n];
        into->count = 0;
        into->result = FR_OK;
        for (int64_t c = items * n / s->share_count; c < items * (n + 1) / s->share_count && into->result == FR_OK; c++)
            into->result = sampler_propose_item(s, into, c);
    }
}

static int candidate_order(const void *a, const void *b)
{
    const candidate *one = a, *two = b;
    if (one->moved != two->moved)
        return one->moved < two->moved ? -1 : 1;
    return one->order < two->order ? -1 : one->order > two->order;
}

/* All candidates of a round, in order of increasing displacement. */
static fr_result sampler_gather(const sampler *s, candidate **all, int64_t *count)
{
    *count = 0;
    for (int n = 0; n < s->share_count; n++) {
        FR_TRY(s->shares[n].result);
        *count += s->shares[n].count;
    }
    *all = malloc(sizeof **all * (size_t)(*count + 1));
    if (!*all)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for %lld places of boundary particles", (long long)*count);
    int64_t at = 0;
    for (int n = 0; n < s->share_count; n++)
        for (int64_t c = 0; c < s->shares[n].count; c++, at++) {
            (*all)[at] = s->shares[n].candidates[c];
            (*all)[at].order = at;
        }
    qsort(*all, (size_t)*count, sizeof **all, candidate_order);
    return FR_OK;
}

typedef struct rivalry {
    const sampler *sampler;
    const shell_spot *spot;
    bool lost;
} rivalry;

static bool rivalry_visit(void *context, int64_t index, double distance2)
{
    rivalry *r = context;
    r->lost = shell_too_near(r->sampler->plan, r->spot, &r->sampler->spots[index], distance2);
    return !r->lost;
}

static fr_result sampler_take(sampler *s, const candidate *c)
{
    int64_t n = s->taken.count;
    if (n == s->spot_room) {
        int64_t room = 2 * n + 256;
        shell_spot *spots = realloc(s->spots, sizeof *spots * (size_t)room);
        if (!spots)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for %lld boundary particles", (long long)room);
        s->spots = spots;
        s->spot_room = room;
    }
    s->spots[n] = c->spot;
    s->spots[n].fits = c->moved == 0;
    return point_hash_add(&s->taken, c->spot.at);
}

static fr_result sampler_select(sampler *s, const candidate *all, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        rivalry r = {.sampler = s, .spot = &all[n].spot};
        point_hash_visit(&s->taken, all[n].spot.at, shell_apart(s->plan), rivalry_visit, &r);
        if (!r.lost)
            FR_TRY(sampler_take(s, &all[n]));
    }
    return FR_OK;
}

/* Runs on one thread if the shape calls a user's function. */
static void sampler_share_work(sampler *s, int64_t count, threads_work work)
{
    if (shape_is_parallel(s->shape))
        threads_for((int)count, work, s);
    else
        work(s, 0, (int)count);
}

static fr_result sampler_round(sampler *s)
{
    candidate *all = NULL;
    int64_t count;
    sampler_share_work(s, s->share_count, sampler_propose_shares);
    fr_result result = sampler_gather(s, &all, &count);
    if (result == FR_OK)
        result = sampler_select(s, all, count);
    free(all);
    return result;
}

/* Sets the result without a lock: only user's functions fail, and they run on one thread. */
static void sampler_face_points(void *context, int begin, int end)
{
    sampler *s = context;
    for (int n = begin; n < end; n++) {
        fr_result result = shell_face(s->shape, s->plan, &s->spots[n]);
        if (result != FR_OK)
            s->face_result = result;
    }
}

/* Moves the points of the finished layer to the result. */
static fr_result sampler_keep(sampler *s)
{
    sampler_share_work(s, s->taken.count, sampler_face_points);
    FR_TRY(s->face_result);
    FR_TRY(shell_reserve(s->out, s->out->count + s->taken.count));
    for (int64_t n = 0; n < s->taken.count; n++) {
        shell_add(s->out, s->spots[n].at, s->spots[n].normal, s->layer);
        s->fits &= s->spots[n].fits;
    }
    return FR_OK;
}

static fr_result sampler_layer(sampler *s)
{
    FR_TRY(point_hash_create(s->plan->dims, s->plan->spacing, s->cells.count / 2, &s->taken));
    fr_result result = FR_OK;
    for (int r = 0; r < CELL_ROUNDS + RING_ROUNDS && result == FR_OK; r++) {
        s->from_points = r >= CELL_ROUNDS;
        s->per_axis = r == 0 ? 1 : 2;
        result = sampler_round(s);
    }
    if (result == FR_OK)
        result = shell_relax(s->shape, s->plan, &s->taken, s->spots);
    if (result == FR_OK)
        result = sampler_keep(s);
    point_hash_destroy(&s->taken);
    return result;
}

static fr_result sampler_run(sampler *s)
{
    FR_TRY(shell_cells_find(s->shape, s->plan, &s->cells));
    int64_t shares = (s->cells.count + SHARE - 1) / SHARE;
    s->shares = calloc((size_t)shares + 1, sizeof *s->shares);
    if (!s->shares)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for boundary particles");
    s->share_count = (int)shares;
    for (s->layer = 0; s->layer < s->plan->layers; s->layer++)
        FR_TRY(sampler_layer(s));
    double cube = pow(s->plan->spacing, s->plan->dims);
    for (int64_t n = 0; n < s->out->count && s->fits; n++)
        s->out->cell[n] = (float)cube;
    return FR_OK;
}

fr_result shell_sample(const shape *s, const shell_plan *plan, shell *out)
{
    *out = shell_empty(plan);
    sampler work = {.shape = s, .plan = plan, .out = out, .fits = true};
    fr_result result = sampler_run(&work);
    for (int n = 0; n < work.share_count; n++)
        free(work.shares[n].candidates);
    free(work.shares);
    free(work.spots);
    shell_cells_free(&work.cells);
    if (result != FR_OK)
        shell_destroy(out);
    return result;
}
