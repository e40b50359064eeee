/* Frames for tests: fields with ghosts, so that strides differ from sizes; values with all kinds of bit patterns, and
   large parts of zeros. */
#ifndef TEST_IO_MADE_UP_FRAME_H
#define TEST_IO_MADE_UP_FRAME_H

#include "workspace.h"

#include <math.h>

enum { MADE_UP_FIELDS = 9, MADE_UP_GHOSTS = 2 };

typedef struct made_up_frame {
    fr_frame frame;
    fr_field fields[MADE_UP_FIELDS];
    float *blocks[MADE_UP_FIELDS];
    float places[5][4], speeds[5][4];   /* particles, in records of four */
    int64_t ids[5];
    fr_attribute attributes[2];
    float numbers[2][5];
    fr_body_state bodies[3];
} made_up_frame;

static const char *const made_up_names[MADE_UP_FIELDS] = {
    "u", "v", "w", "pressure", "density", "velocity", "a/b", "ink é ../x", "a_b",
};
static const char *const made_up_columns[4] = {"frame", "time", "volume", "max_speed"};
static const double made_up_values[4] = {7, 0.291666666666666666, NAN, -1.0 / 3};

static float made_up_value(int field, int64_t i, int64_t j, int64_t k, uint64_t *seed)
{
    uint32_t bits = test_random(seed) ^ test_random(seed) << 16;
    float value;
    if (field == 4)
        return j > 5 ? 0.0f : (float)(i + 10 * j + 100 * k) * 0.1f;
    if (field == 5)
        return 0.0f;
    memcpy(&value, &bits, sizeof value);
    /* arbitrary bits where they are not used in arithmetic, else smooth numbers */
    return field > 5 ? value : sinf(0.1f * (float)(i + 2 * j + 3 * k) + (float)field);
}

static void made_up_field(made_up_frame *m, int index, uint64_t *seed)
{
    fr_field *f = &m->fields[index];
    int64_t full[3];
    *f = (fr_field){.name = made_up_names[index], .unit = index < 3 ? "m/s" : "", .location = FR_AT_CELL};
    if (index < 3)
        f->location = (fr_location)(FR_AT_FACE_X + index);
    for (int a = 0; a < 3; a++) {
        f->size[a] = m->frame.cells[a] + (a < m->frame.dims && f->location == (fr_location)(FR_AT_FACE_X + a));
        full[a] = a < m->frame.dims ? f->size[a] + 2 * MADE_UP_GHOSTS : 1;
    }
    f->stride[0] = 1;
    f->stride[1] = full[0];
    f->stride[2] = m->frame.dims == 3 ? full[0] * full[1] : 0;
    size_t count = (size_t)(full[0] * full[1] * full[2]);
    m->blocks[index] = malloc(count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        m->blocks[index][i] = NAN; /* a ghost in a file would show */
    float *data = m->blocks[index] + MADE_UP_GHOSTS * (f->stride[0] + f->stride[1] + f->stride[2]);
    f->data = data;
    for (int64_t k = 0; k < f->size[2]; k++)
        for (int64_t j = 0; j < f->size[1]; j++)
            for (int64_t i = 0; i < f->size[0]; i++)
                data[i + j * f->stride[1] + k * f->stride[2]] = made_up_value(index, i, j, k, seed);
}

/* Bodies that turn about different axes; only some have a temperature, and only some are there yet. */
static void made_up_bodies(fr_body_state *bodies, int count)
{
    for (int b = 0; b < count; b++) {
        const double angle = 0.1 + b;
        bodies[b] = (fr_body_state){.centre = {1e-3 * b, -1.0 / 3, b ? 2e9 : -0.0},
                                    .position = {0.1 * b, 1.0 / (b + 3), -7},
                                    .rotation = {cos(angle)},
                                    .velocity = {b, -1e-300 * b, 3},
                                    .spin = {0, 100.0 / 7, -b},
                                    .temperature = b % 2 ? NAN : 293.15,
                                    .present = b % 3 != 1};
        bodies[b].rotation[1 + b % 3] = sin(angle);
    }
}

/* nz 0: two-dimensional, without w. */
static void made_up_frame_make(made_up_frame *m, int nx, int ny, int nz)
{
    uint64_t seed = 11;
    *m = (made_up_frame){.frame = {
        .index = 7, .time = 0.2916666666666667, .dims = nz ? 3 : 2, .cells = {nx, ny, nz ? nz : 1},
        .origin = {-0.5, 1e-3, nz ? 2 : 0}, .spacing = {0.1, 0.1, nz ? 0.1 : 0}, .periodic = {true, false, nz > 0},
        .has_obstacles = true, .field_count = MADE_UP_FIELDS,
        .ledger = {4, made_up_columns, made_up_values},
    }};
    for (int i = 0; i < MADE_UP_FIELDS; i++)
        made_up_field(m, i, &seed);
    if (!nz) {
        free(m->blocks[2]);
        memmove(m->fields + 2, m->fields + 3, (MADE_UP_FIELDS - 3) * sizeof *m->fields);
        memmove(m->blocks + 2, m->blocks + 3, (MADE_UP_FIELDS - 3) * sizeof *m->blocks);
        m->frame.field_count--;
    }
    m->frame.fields = m->fields;
    for (int n = 0; n < 20; n++) {
        m->places[n / 4][n % 4] = n % 4 == 3 ? NAN : 0.1f * (float)n;
        m->speeds[n / 4][n % 4] = n % 4 == 3 ? NAN : -0.3f * (float)n;
    }
    m->frame.has_particles = true;
    m->frame.particle_count = nz ? 5 : 0;
    m->frame.particles = (fr_vectors){m->places[0], 4};
    m->frame.particle_velocity = (fr_vectors){m->speeds[0], 4};
    for (int n = 0; n < 5; n++) {
        m->ids[n] = (INT64_C(1) << 40) * n - 3;
        m->numbers[0][n] = 1000.0f + (float)n / 7;
        m->numbers[1][n] = n == 2 ? NAN : -1e-30f * (float)n;
    }
    m->attributes[0] = (fr_attribute){"density", "kg/m³", m->numbers[0]};
    m->attributes[1] = (fr_attribute){"pressure", "Pa", m->numbers[1]};
    m->frame.particle_ids = m->ids;
    m->frame.attributes = m->attributes;
    m->frame.attribute_count = 2;
    m->frame.particle_spacing = 1.0 / 3;
    m->frame.can = FR_FRAME_LIQUID;
    made_up_bodies(m->bodies, 3);
    m->frame.bodies = m->bodies;
    m->frame.body_count = nz ? 3 : 1;
}

static void made_up_frame_free(made_up_frame *m)
{
    for (int i = 0; i < m->frame.field_count; i++)
        free(m->blocks[i]);
}

/* The bits of one sample. */
WORKSPACE_UNUSED static uint32_t field_bits(const fr_field *f, int64_t i, int64_t j, int64_t k)
{
    uint32_t bits;
    memcpy(&bits, f->data + i * f->stride[0] + j * f->stride[1] + k * f->stride[2], sizeof bits);
    return bits;
}

WORKSPACE_UNUSED static void assert_same_field(const fr_field *a, const fr_field *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->unit, b->unit);
    assert_int_equal(a->location, b->location);
    assert_memory_equal(a->size, b->size, sizeof a->size);
    int64_t wrong = 0;
    for (int64_t k = 0; k < a->size[2]; k++)
        for (int64_t j = 0; j < a->size[1]; j++)
            for (int64_t i = 0; i < a->size[0]; i++)
                wrong += field_bits(a, i, j, k) != field_bits(b, i, j, k);
    assert_int_equal(wrong, 0);
}

static void assert_same_body(const fr_body_state *a, const fr_body_state *b)
{
    assert_memory_equal(a->centre, b->centre, sizeof a->centre);
    assert_memory_equal(a->position, b->position, sizeof a->position);
    assert_memory_equal(a->rotation, b->rotation, sizeof a->rotation);
    assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    assert_memory_equal(a->spin, b->spin, sizeof a->spin);
    assert_memory_equal(&a->temperature, &b->temperature, sizeof a->temperature);
    assert_int_equal(a->present, b->present);
}

WORKSPACE_UNUSED static void assert_same_frame(const fr_frame *a, const fr_frame *b)
{
    assert_int_equal(a->can, b->can);
    assert_int_equal(a->index, b->index);
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_int_equal(a->dims, b->dims);
    assert_memory_equal(a->cells, b->cells, sizeof a->cells);
    assert_memory_equal(a->origin, b->origin, sizeof a->origin);
    assert_memory_equal(a->spacing, b->spacing, sizeof a->spacing);
    assert_memory_equal(a->periodic, b->periodic, sizeof a->periodic);
    assert_int_equal(a->has_obstacles, b->has_obstacles);
    assert_int_equal(a->field_count, b->field_count);
    for (int i = 0; i < a->field_count; i++)
        assert_same_field(&a->fields[i], &b->fields[i]);
    assert_int_equal(a->has_particles, b->has_particles);
    assert_int_equal(a->particle_count, b->particle_count);
    for (int64_t n = 0; n < a->particle_count; n++) {
        assert_memory_equal(a->particles.data + n * a->particles.stride, b->particles.data + n * b->particles.stride,
                            3 * sizeof(float));
        assert_memory_equal(a->particle_velocity.data + n * a->particle_velocity.stride,
                            b->particle_velocity.data + n * b->particle_velocity.stride, 3 * sizeof(float));
    }
    assert_int_equal(!a->particle_ids, !b->particle_ids);
    if (a->particle_ids && a->particle_count)
        assert_memory_equal(a->particle_ids, b->particle_ids, (size_t)a->particle_count * sizeof(int64_t));
    assert_true(a->particle_spacing == b->particle_spacing);
    assert_int_equal(a->attribute_count, b->attribute_count);
    for (int i = 0; i < a->attribute_count; i++) {
        assert_string_equal(a->attributes[i].name, b->attributes[i].name);
        assert_string_equal(a->attributes[i].unit, b->attributes[i].unit);
        if (a->particle_count)
            assert_memory_equal(a->attributes[i].data, b->attributes[i].data,
                                (size_t)a->particle_count * sizeof(float));
    }
    assert_int_equal(a->body_count, b->body_count);
    for (int i = 0; i < a->body_count; i++)
        assert_same_body(&a->bodies[i], &b->bodies[i]);
    assert_int_equal(a->ledger.count, b->ledger.count);
    for (int i = 0; i < a->ledger.count; i++) {
        assert_string_equal(a->ledger.names[i], b->ledger.names[i]);
        assert_memory_equal(&a->ledger.values[i], &b->ledger.values[i], sizeof(double));
    }
}

#endif
