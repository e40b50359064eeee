/* Lays obstacles on the grid: distances, open faces, layers. Once for those that stand still; after every move again,
   around those that move. */
#include "mac/solids/solids_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "mac/solids/cover.h"
#include "mac/solids/pockets.h"

static bool solids_has_flow(const solids *s)
{
    return s->refine == 1;
}

bool solids_parallel(const solids *s)
{
    bool parallel = true;
    for (int b = 0; b < s->body_count; b++)
        parallel = parallel && shape_is_parallel(s->bodies[b].shape);
    return parallel;
}

static double solids_diagonal(const domain *d)
{
    double square = 0;
    for (int a = 0; a < d->dims; a++)
        square += pow(d->n[a] * d->h[a], 2);
    return sqrt(square);
}

/* Whether there are rigid bodies and others that move. */
static bool solids_are_mixed(const solids *s)
{
    bool others = false;
    for (int b = 0; b < s->body_count; b++)
        others = others || (s->bodies[b].moves && !s->bodies[b].shares);
    return others && s->rigid_count > 0;
}

static fr_result solids_open_bodies(solids *s, const bodies *b)
{
    int count = b->count;
    if (count > UINT16_MAX)
        return fr_fail_key("obstacles", "at most %d obstacles", UINT16_MAX);
    s->bodies = MEMORY_NEW(solids_body, count);
    if (!s->bodies)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        solids_body *body = &s->bodies[i];
        char key[64];
        snprintf(key, sizeof key, "obstacles[%d]", i + 1);
        FR_TRY(shape_create(&s->obstacles[i].shape, s->domain.dims, key, &body->shape));
        s->body_count++;
        if (b->of[i].free) /* laid anew at every step; its grid is as fine on all grids */
            FR_TRY(shape_bake(body->shape, s->refine * domain_min_h(&s->domain)));
        body->rigid = b->of[i].rigid;
        body->present = b->of[i].present && !b->of[i].rigid; /* a rigid one is first laid when it is moved */
        body->moves = b->of[i].moves || b->of[i].rigid || !b->of[i].present;
        s->box_count += body->moves;
        if (b->of[i].rigid && solids_has_flow(s)) {
            s->rigid_count++;
            FR_TRY(shares_create(&s->domain, body->shape, &body->shares));
        }
        if (!body->moves)
            FR_TRY(cover_check_inside(body->shape, &s->domain, key));
    }
    if (s->rigid_count > 0)
        FR_TRY(layers_create(&s->domain, s->rigid_count, &s->layers));
    FR_TRY(tree_create(count, &s->tree));
    tree_build(s);
    s->moving = s->box_count > 0;
    s->far = s->rigid_count > 0 ? (float)solids_diagonal(&s->domain) : FLT_MAX;
    s->boxes = MEMORY_NEW(region_box, 2 * s->box_count + 1);
    return s->boxes ? FR_OK : FR_ERROR_MEMORY;
}

static fr_result solids_bytes_new(uint8_t **out, const field *layout, uint8_t value)
{
    *out = MEMORY_NEW(uint8_t, layout->count);
    if (!*out)
        return FR_ERROR_MEMORY;
    memset(*out, value, layout->count);
    return FR_OK;
}

static bool solids_any_warm(const fr_obstacle_def *obstacles, int count)
{
    bool warm = false;
    for (int i = 0; i < count; i++)
        warm = warm || obstacles[i].has_temperature;
    return warm;
}

static domain solids_corners(const domain *d)
{
    domain corners = *d;
    for (int a = 0; a < d->dims; a++) {
        corners.n[a]++;
        corners.origin[a] -= 0.5 * d->h[a];
    }
    return corners;
}

static fr_result solids_take_memory(solids *s, bool watertight)
{
    const domain *d = &s->domain;
    FR_TRY(field_create(d, FR_AT_CELL, &s->distance));
    FR_TRY(field_create(&s->corners, FR_AT_CELL, &s->corner));
    if (!(s->owner = MEMORY_NEW(uint16_t, s->distance.count)))
        return FR_ERROR_MEMORY;
    if (solids_are_mixed(s) && !(s->other = MEMORY_NEW(uint16_t, s->distance.count)))
        return FR_ERROR_MEMORY;
    FR_TRY(field_create(d, FR_AT_CELL, &s->volume));
    FR_TRY(solids_bytes_new(&s->cell_layers, &s->distance, SOLIDS_GHOST));
    FR_TRY(solids_bytes_new(&s->cell_marks, &s->distance, 0));
    if (watertight)
        FR_TRY(solids_bytes_new(&s->sealed, &s->distance, 0));
    if (watertight && s->moving && !(s->swept = MEMORY_NEW(uint16_t, s->distance.count)))
        return FR_ERROR_MEMORY;
    if (solids_any_warm(s->obstacles, s->body_count))
        FR_TRY(solids_bytes_new(&s->warm_marks, &s->distance, 0));
    for (int a = 0; a < d->dims; a++) {
        FR_TRY(field_create(d, field_face(a), &s->open[a]));
        if (!solids_has_flow(s))
            continue;
        if (s->moving)
            FR_TRY(field_create(d, field_face(a), &s->wall[a]));
        FR_TRY(solids_bytes_new(&s->face_layers[a], &s->open[a], SOLIDS_GHOST));
        FR_TRY(solids_bytes_new(&s->face_marks[a], &s->open[a], 0));
    }
    return FR_OK;
}

/* Connected parts of the fluid with fewer cells than this count as solid. With moving obstacles it is more than one
   cell: between two of them a small part would be squeezed to nothing. */
static double solids_least_pocket(const solids *s)
{
    return !s->moving ? 1 : s->domain.dims == 3 ? 8 : 4;
}

static void solids_look_for_seals(solids *s)
{
    s->any_sealed = false;
    for (size_t at = 0; s->sealed && at < s->distance.count && !s->any_sealed; at++)
        s->any_sealed = s->sealed[at] != 0;
}

static fr_result solids_build_still(solids *s)
{
    region_box box = region_whole(&s->domain);
    region whole = {&s->domain, &box, 1};
    FR_TRY(solids_sample_cells(s, SOLIDS_STILL));
    FR_TRY(solids_sample_corners(s, SOLIDS_STILL, &whole));
    solids_restore_faces(s, &whole);
    FR_TRY(solids_open_faces(s, &whole));
    pockets_close(s, &whole, solids_least_pocket(s));
    solids_join_ends(s, &whole);
    solids_mark(s, &whole);
    solids_look_for_seals(s);
    solids_measure(s, &whole);
    return FR_OK;
}

static fr_result solids_keep_field(const field *from, const domain *d, field *to)
{
    FR_TRY(field_create(d, from->at, to));
    field_copy(to, from);
    return FR_OK;
}

static fr_result solids_keep_still(solids *s)
{
    FR_TRY(solids_keep_field(&s->distance, &s->domain, &s->still.distance));
    FR_TRY(solids_keep_field(&s->corner, &s->corners, &s->still.corner));
    for (int a = 0; a < s->domain.dims; a++)
        FR_TRY(solids_keep_field(&s->open[a], &s->domain, &s->still.open[a]));
    if (!(s->still.owner = MEMORY_NEW(uint16_t, s->distance.count)))
        return FR_ERROR_MEMORY;
    memcpy(s->still.owner, s->owner, sizeof *s->owner * s->distance.count);
    if (!s->sealed)
        return FR_OK;
    FR_TRY(solids_bytes_new(&s->still.sealed, &s->distance, 0));
    memcpy(s->still.sealed, s->sealed, s->distance.count);
    return FR_OK;
}

/* Lays the moving bodies over what stands still. */
static fr_result solids_build_moving(solids *s)
{
    region now = {&s->domain, s->boxes, s->box_count}, before = {&s->domain, s->boxes + s->box_count, s->box_count};
    region both = {&s->domain, s->boxes, 2 * s->box_count};
    FR_TRY(solids_sample_cells(s, SOLIDS_MOVING));
    if (!solids_all_rigid(s)) /* those passed are looked at again */
        FR_TRY(solids_sample_corners(s, SOLIDS_MOVING, s->sealed ? &both : &now));
    solids_restore_faces(s, &before);
    solids_restore_faces(s, &now);
    FR_TRY(solids_lay_shares(s));
    FR_TRY(solids_open_faces(s, &now));
    pockets_close(s, &now, solids_least_pocket(s));
    solids_join_ends(s, &now);
    solids_list_pushes(s);
    if (solids_has_flow(s))
        solids_set_walls(s, &now);
    solids_mark(s, &both);
    solids_look_for_seals(s);
    solids_measure(s, &both);
    return solids_sweep(s, &both);
}

/* Takes over where the bodies are; says whether one is elsewhere, or has come or gone. */
static bool solids_take_places(solids *s, const bodies *from)
{
    bool placed = false;
    for (int b = 0; b < s->body_count; b++) {
        const body *next = &from->of[b];
        solids_body *last = &s->bodies[b];
        placed = placed || memcmp(&next->motion.pose, &last->motion.pose, sizeof next->motion.pose) != 0 ||
                 next->present != last->present;
        last->before = last->motion.pose;
        last->motion.begin = next->motion.begin;
        last->motion.pose = next->motion.pose;
        last->appears = next->present && !last->present;
        last->present = next->present;
        memcpy(last->centre, next->centre, sizeof last->centre);
        last->filled = next->filled;
    }
    return placed;
}

/* The same of how fast they are. */
static bool solids_take_velocities(solids *s, const bodies *from)
{
    bool changed = false;
    for (int b = 0; b < s->body_count; b++) {
        const motion *next = &from->of[b].motion;
        motion *last = &s->bodies[b].motion;
        changed = changed || memcmp(&next->velocity, &last->velocity, sizeof next->velocity) != 0 ||
                  memcmp(&next->spin, &last->spin, sizeof next->spin) != 0;
        last->velocity = next->velocity;
        last->spin = next->spin;
    }
    return changed;
}

static void solids_place(solids *s)
{
    memcpy(s->boxes + s->box_count, s->boxes, sizeof *s->boxes * (size_t)s->box_count);
    for (int b = 0, box = 0; b < s->body_count; b++) {
        solids_body *body = &s->bodies[b];
        if (!body->moves)
            continue;
        shape_place(body->shape, &body->motion.pose);
        shape_bounds(body->shape, body->min, body->max);
        s->boxes[box++] = body->present ? region_around(&s->domain, body->min, body->max, solids_margin(s))
                                        : (region_box){{0}, {0}};
    }
    tree_build(s);
}

static void solids_renew_walls(solids *s)
{
    region now = {&s->domain, s->boxes, s->box_count};
    if (solids_has_flow(s))
        solids_set_walls(s, &now);
}

fr_result solids_move(solids *s, const bodies *b, bool *changed)
{
    *changed = s->any_swept = false;
    if (!s->moving)
        return FR_OK;
    *changed = solids_take_places(s, b);
    const bool speeds = solids_take_velocities(s, b);
    if (*changed) {
        solids_place(s);
        return solids_build_moving(s);
    }
    if (speeds)
        solids_renew_walls(s);
    return FR_OK;
}

void solids_take_speeds(solids *s, const bodies *b)
{
    if (s->moving && solids_take_velocities(s, b))
        solids_renew_walls(s);
}

static fr_result solids_build(solids *s, const bodies *b, bool watertight)
{
    bool changed;
    FR_TRY(solids_open_bodies(s, b));
    FR_TRY(solids_take_memory(s, watertight));
    FR_TRY(solids_build_still(s));
    if (!s->moving) {
        field_destroy(&s->corner);
        return FR_OK;
    }
    if (s->box_count < s->body_count)
        FR_TRY(solids_keep_still(s));
    return solids_move(s, b, &changed);
}

fr_result solids_create_as(const bodies *b, const domain *d, solids_kind kind, solids *out)
{
    *out = (solids){
        .any = b->count > 0, .obstacles = b->def, .refine = kind.refine, .domain = *d, .corners = solids_corners(d)};
    return out->any ? solids_build(out, b, kind.watertight) : FR_OK;
}

fr_result solids_create(const bodies *b, const domain *d, solids *out)
{
    return solids_create_as(b, d, (solids_kind){.refine = 1}, out);
}

void solids_destroy(solids *s)
{
    for (int b = 0; b < s->body_count; b++) {
        shape_destroy(s->bodies[b].shape);
        shares_destroy(s->bodies[b].shares);
    }
    tree_destroy(s->tree);
    layers_destroy(&s->layers);
    memory_free(s->bodies);
    memory_free(s->boxes);
    field_destroy(&s->distance);
    field_destroy(&s->corner);
    field_destroy(&s->still.distance);
    field_destroy(&s->still.corner);
    field_destroy(&s->volume);
    memory_free(s->owner);
    memory_free(s->other);
    memory_free(s->still.owner);
    memory_free(s->still.sealed);
    memory_free(s->sealed);
    memory_free(s->swept);
    memory_free(s->cell_layers);
    memory_free(s->cell_marks);
    memory_free(s->warm_marks);
    for (int a = 0; a < 3; a++) {
        field_destroy(&s->open[a]);
        field_destroy(&s->wall[a]);
        field_destroy(&s->still.open[a]);
        memory_free(s->face_layers[a]);
        memory_free(s->face_marks[a]);
    }
    *s = (solids){0};
}

/* No two points of the domain are further apart than its diagonal: an endless shape counts as that large. */
fr_result solids_travel(const solids *s, double from, double to, double *cells)
{
    const double diagonal = solids_diagonal(&s->domain);
    *cells = 0;
    for (int b = 0; b < s->body_count; b++) {
        double metres, radius = fmin(shape_radius(s->bodies[b].shape), diagonal);
        if (!s->bodies[b].moves)
            continue;
        FR_TRY(motion_travel(&s->obstacles[b], radius, from, to, &metres));
        *cells = fmax(*cells, metres / domain_min_h(&s->domain));
    }
    return FR_OK;
}

static fr_result solids_rigid_bytes(const fr_obstacle_def *rigid, int count, const domain *d, double *bytes)
{
    for (int i = 0; i < count; i++) {
        shape *s;
        FR_TRY(shape_create(&rigid[i].shape, d->dims, "", &s));
        *bytes += shares_bytes(d, s);
        shape_destroy(s);
    }
    *bytes += layers_bytes(d, count);
    return FR_OK;
}

fr_result solids_bytes(const fr_obstacle_def *obstacles, int count, const domain *d, solids_kind kind, double *bytes)
{
    const int refine = kind.refine, others = count - kind.rigid;
    int moving = kind.rigid;
    for (int i = 0; i < others; i++)
        moving += motion_moves(&obstacles[i]);
    domain corners = solids_corners(d);
    double cell = (double)field_bytes(d, FR_AT_CELL), corner = (double)field_bytes(&corners, FR_AT_CELL), faces = 0;
    for (int a = 0; a < d->dims; a++)
        faces += (double)field_bytes(d, field_face(a));
    *bytes = 0;
    if (count == 0)
        return FR_OK;
    int marks = 2 + solids_any_warm(obstacles, count) + kind.watertight;
    *bytes = 2 * cell + faces + cell / 2 + marks * cell / 4 + (refine == 1 ? 2 * faces / 4 : 0) + tree_bytes(count);
    if (moving)
        *bytes += (refine == 1 ? faces : 0) + corner + kind.watertight * cell / 2;
    if (moving && moving < count)
        *bytes += cell + corner + faces + cell / 2 + kind.watertight * cell / 4;
    if (refine > 1)
        return FR_OK;
    *bytes += kind.rigid > 0 && moving > kind.rigid ? cell / 2 : 0;
    return solids_rigid_bytes(obstacles + others, kind.rigid, d, bytes);
}

float solids_open_volume(const domain *d, float distance)
{
    float share = 0.5f + distance / (float)domain_min_h(d);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
