#include "render/body/cast.h"

#include <math.h>

#include "base/memory.h"

vec3 body_point(const placed_body *body, vec3 p)
{
    const vec3 way = vec3_sub(p, vec3_of(body->at));
    double own[3];
    for (int a = 0; a < 3; a++)
        own[a] = body->turn[0][a] * way.x + body->turn[1][a] * way.y + body->turn[2][a] * way.z;
    return vec3_of(own);
}

vec3 body_direction(const placed_body *body, vec3 own)
{
    double p[3];
    for (int a = 0; a < 3; a++)
        p[a] = vec3_dot(vec3_of(body->turn[a]), own);
    return vec3_of(p);
}

/* The box around the turned box around the shape, and a ball around that. */
static void body_bound(placed_body *body)
{
    const fr_model *m = body->model;
    double at[3];
    for (int a = 0; a < 3; a++) {
        double middle = body->at[a], reach = 0;
        for (int b = 0; b < 3; b++) {
            middle += body->turn[a][b] * (m->low[b] + 0.5 * (m->n[b] - 1) * m->step);
            reach += fabs(body->turn[a][b]) * 0.5 * m->size[b];
        }
        body->low[a] = middle - reach;
        body->high[a] = middle + reach;
        at[a] = middle;
    }
    body->middle = vec3_of(at);
    body->radius = 0.5 * vec3_length(vec3_of(m->size));
}

static fr_result cast_place(const fr_frame *frame, const fr_models *models, cast *b)
{
    for (int i = 0; i < frame->body_count; i++) {
        const fr_body_state *state = &frame->bodies[i];
        double turn = 0, place = 0;
        if (!state->present)
            continue;
        for (int k = 0; k < 4; k++)
            turn += state->rotation[k] * state->rotation[k];
        for (int k = 0; k < 3; k++)
            place += fabs(state->position[k]);
        if (!(fabs(turn - 1) < 1e-6 && isfinite(place)))
            return fr_fail(FR_ERROR_INPUT, "body %d stands nowhere: its position or rotation is no such thing", i);
        const models_one *one = &models->ones[models->of[i]];
        placed_body *body = &b->list[b->count++];
        *body = (placed_body){.number = i,
                              .model = &one->model,
                              .texture = &models->textures[i],
                              .convex = one->convex,
                              .edged = one->edged};
        for (int a = 0; a < 3; a++)
            body->centre[a] = state->centre[a];
        fr_body_place(state, body->turn, body->at);
        body_bound(body);
        b->places[b->count - 1].part = one->tracer;
    }
    return FR_OK;
}

static fr_result cast_fill(const fr_frame *frame, const fr_scene_def *def, cast *b)
{
    const fr_models *models = def->look.models;
    if (frame->body_count != def->body_count || (models && models->body_count != def->body_count))
        return fr_fail(FR_ERROR_INPUT, "the frame has %d bodies and its scene has %d", frame->body_count,
                       def->body_count);
    if (!models) {
        FR_TRY(fr_models_create(def, &b->own));
        models = b->own;
    }
    b->list = MEMORY_NEW(placed_body, frame->body_count);
    b->places = MEMORY_NEW(tracer_place, frame->body_count);
    if (!b->list || !b->places)
        return FR_ERROR_MEMORY;
    FR_TRY(cast_place(frame, models, b));
    return cast_fields(frame, def->obstacle_count > 0, b);
}

fr_result cast_create(const fr_frame *frame, const fr_scene_def *def, cast *out)
{
    *out = (cast){.joined = *frame, .drawn = *frame};
    return frame->body_count > 0 ? cast_fill(frame, def, out) : FR_OK;
}

fr_result cast_trace(cast *b)
{
    for (int i = 0; i < b->count; i++) {
        tracer_place *place = &b->places[i];
        for (int a = 0; a < 3; a++) {
            place->at[a] = b->list[i].at[a];
            for (int k = 0; k < 3; k++)
                place->turn[a][k] = b->list[i].turn[a][k];
        }
    }
    return b->count > 0 ? tracer_of_places(b->places, b->count, &b->tracer) : FR_OK;
}

bool cast_shades(const cast *b, const cast_light *light)
{
    enum { MANY = 100 }; /* then rays are faster */
    if (b->count > MANY)
        return true;
    for (int i = 0; i < b->count; i++) {
        const placed_body *body = &b->list[i];
        vec3 way = vec3_sub(body->middle, light->to);
        double along = vec3_dot(way, light->towards), reach = body->radius + light->spread * fmax(along, 0);
        if (i == light->of && body->convex)
            continue;
        if (along > -body->radius && vec3_dot(way, way) - along * along < reach * reach)
            return true;
    }
    return false;
}

void cast_destroy(cast *b)
{
    tracer_destroy(b->tracer);
    fr_models_destroy(b->own);
    memory_free(b->list);
    memory_free(b->places);
    memory_free(b->joined_fields);
    memory_free(b->drawn_fields);
    memory_free(b->joined_solid);
    memory_free(b->drawn_solid);
    *b = (cast){.count = 0};
}
