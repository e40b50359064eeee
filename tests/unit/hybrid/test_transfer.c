/* Momentum between parcels and faces, and their way through the flow. */
#include <string.h>

#include "hybrid_case.h"

static const float AT_REST[3] = {0, 0, 0};

static double blob(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (fmax(fmax(fabs(x[0] - 12), fabs(x[1] - 12)), fabs(x[2] - 12)) - 8);
}

static double bar(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (fmax(fabs(x[0] - 12), fabs(x[1] - 12)) - 6);
}

static double everywhere(const double x[3], int axis)
{
    (void)x;
    (void)axis;
    return -1;
}

static double rough(const double x[3], int axis)
{
    return check_noise((uint64_t)(1e3 * x[0] + 1e5 * x[1] + 1e7 * x[2]) + (uint64_t)axis) + 0.3;
}

static double linear(const double x[3], int axis)
{
    static const double c[3][3] = {{0.3, -0.2, 0.1}, {0.5, 0.1, -0.4}, {-0.1, 0.2, -0.4}};
    return 1 + axis + c[axis][0] * x[0] + c[axis][1] * x[1] + c[axis][2] * x[2];
}

/* A rotation about (12, 12) with one radian in a unit of time. */
static double rotation(const double x[3], int axis)
{
    return 0.1 * (axis == 0 ? -(x[1] - 12) : axis == 1 ? x[0] - 12 : 0);
}

static double grid_momentum(const hybrid_case *c, int a)
{
    double sum = 0;
    for (int k = 0; k < c->velocity[a].size[2]; k++)
        for (int j = 0; j < c->velocity[a].size[1]; j++)
            for (int i = 0; i < c->velocity[a].size[0]; i++)
                sum += (double)field_row(&c->weight[a], j, k)[i] * (double)field_row(&c->velocity[a], j, k)[i];
    return sum;
}

/* Momentum is kept, also that of parcels which have left their slabs or are not sorted. */
static void keeps_momentum(void **state)
{
    (void)state;
    for (int fresh = 0; fresh < 2; fresh++) {
        hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_FLIP);
        hybrid_set(&c.d, &c.phi, blob);
        hybrid_seed(&c, AT_REST);
        for (int64_t n = 0; n < c.p.count && !fresh; n += 7)
            c.p.x[2][n] = 23.0f - c.p.x[2][n];
        hybrid_give(&c, rough);
        assert_ok(parcels_reserve(&c.p, c.p.count + 1));
        parcels_add(&c.p, (float[3]){10.1f, 11.7f, 9.3f}, (float[3]){100, 200, 300});
        int64_t strays = hybrid_to_grid(&c);
        assert_true(fresh ? strays == 1 : strays > c.p.count / 20);
        for (int a = 0; a < 3; a++) {
            double momentum = 0;
            for (int64_t n = 0; n < c.p.count; n++)
                momentum += c.p.v[a][n];
            assert_near(grid_momentum(&c, a) / momentum, 1, 3e-6); /* faces of weight < 1e-3 are left out */
        }
        hybrid_case_free(&c);
    }
}

/* A constant (FLIP) and a linear velocity (APIC) come out as they are, wherever there are parcels. */
static void reproduces(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int affine = 0; affine < 2; affine++) {
            hybrid_case c = hybrid_case_make(hybrid_box(dims, 20), affine ? PARCELS_APIC : PARCELS_FLIP);
            hybrid_set(&c.d, &c.phi, bar);
            hybrid_seed(&c, (float[3]){1, -2, 3});
            if (affine)
                hybrid_give(&c, linear);
            for (int64_t n = 0; n < c.p.count && affine; n++)
                for (int a = 0; a < dims; a++)
                    for (int b = 0; b < dims; b++)
                        c.p.c[a][b][n] =
                            (float)(linear((double[3]){b == 0, b == 1, b == 2}, a) - linear((double[3]){0}, a));
            hybrid_to_grid(&c);
            int known = 0;
            for (int a = 0; a < dims; a++)
                for (int k = 0; k < c.velocity[a].size[2]; k++)
                    for (int j = 0; j < c.velocity[a].size[1]; j++)
                        for (int i = 0; i < c.velocity[a].size[0]; i++) {
                            double x[3] = {i + 0.5 * (a != 0), j + 0.5 * (a != 1),
                                           dims == 3 ? k + 0.5 * (a != 2) : 0.5};
                            double exact = affine ? linear(x, a) : (double[3]){1, -2, 3}[a];
                            if (field_row(&c.weight[a], j, k)[i] < 1e-3f)
                                continue;
                            assert_near(field_row(&c.velocity[a], j, k)[i], exact, 2e-5);
                            known++;
                        }
            assert_true(known > dims * 100);
            hybrid_case_free(&c);
        }
}

/* Σ x × v of the faces, in cells · m/s, about an axis along z. */
static double grid_spin(const hybrid_case *c)
{
    double sum = 0;
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < c->velocity[a].size[2]; k++)
            for (int j = 0; j < c->velocity[a].size[1]; j++)
                for (int i = 0; i < c->velocity[a].size[0]; i++) {
                    double momentum =
                        (double)field_row(&c->weight[a], j, k)[i] * (double)field_row(&c->velocity[a], j, k)[i];
                    sum += a == 0 ? -(j + 0.5) * momentum : (i + 0.5) * momentum;
                }
    return sum;
}

/* The same of the parcels: APIC's C counts with D, Σ w (x_f − x)² between the faces. */
static double parcel_spin(const hybrid_case *c)
{
    double sum = 0;
    for (int64_t n = 0; n < c->p.count; n++) {
        double x = c->p.x[0][n], y = c->p.x[1][n], fx = x - 0.5 - floor(x - 0.5), fy = y - 0.5 - floor(y - 0.5);
        sum += x * c->p.v[1][n] - y * c->p.v[0][n];
        sum += fx * (1 - fx) * c->p.c[1][0][n] - fy * (1 - fy) * c->p.c[0][1][n];
    }
    return sum;
}

/* Angular momentum survives the transfers of APIC both ways. */
static void keeps_spin(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_APIC);
    hybrid_set(&c.d, &c.phi, blob);
    hybrid_seed(&c, AT_REST);
    for (int64_t n = 0; n < c.p.count; n++) {
        double x[3] = {c.p.x[0][n], c.p.x[1][n], c.p.x[2][n]};
        for (int a = 0; a < 2; a++) {
            c.p.v[a][n] = (float)(rotation(x, a) + 0.3 * check_noise((uint64_t)(2 * n + a)));
            c.p.c[a][1 - a][n] = (float)check_noise((uint64_t)(2 * n + a) + 777777);
        }
    }
    double before = parcel_spin(&c);
    hybrid_to_grid(&c);
    assert_near(grid_spin(&c) / before, 1, 1e-5);
    /* faces of almost no weight are unknown here: as much is missing on the way back */
    transfer_from_grid(&(transfer_flow){.velocity = c.velocity, .order = 2}, &c.p);
    assert_near(parcel_spin(&c) / before, 1, 1e-4);
    hybrid_case_free(&c);
}

/* Σ x × v of the parcels alone. */
static double way_spin(const hybrid_case *c, float *const x[2])
{
    double sum = 0;
    for (int64_t n = 0; n < c->p.count; n++)
        sum += (double)x[0][n] * c->p.v[1][n] - (double)x[1][n] * c->p.v[0][n];
    return sum;
}

/* Parcels that take their velocity from the flow where they are, and fly straight by it, in two parts, keep x × v; on a
   way that bends with this flow they would lose 1 − cos 0.1 of it. */
static void flies_straight(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        hybrid_case c = hybrid_case_make(hybrid_box(dims, 24), PARCELS_APIC);
        for (int a = 0; a < dims; a++)
            hybrid_set(&c.d, &c.velocity[a], rotation);
        hybrid_set(&c.d, &c.phi, bar);
        hybrid_seed(&c, AT_REST);
        float *from[2] = {malloc(sizeof(float) * (size_t)c.p.count), malloc(sizeof(float) * (size_t)c.p.count)};
        for (int a = 0; a < 2; a++)
            memcpy(from[a], c.p.x[a], sizeof(float) * (size_t)c.p.count);
        transfer_flow flow = {.velocity = c.velocity, .dt = 0.05, .order = 1};
        transfer_from_grid(&flow, &c.p);
        flow.own = true;
        transfer_move(&flow, &c.p);
        assert_near(way_spin(&c, c.p.x) / way_spin(&c, from), 1, 1e-6);
        for (int64_t n = 0; n < c.p.count; n++)
            for (int a = 0; a < 2; a++)
                assert_near(c.p.x[a][n] - from[a][n], 0.1 / c.d.h[a] * (double)c.p.v[a][n], 1e-5);
        free(from[0]);
        free(from[1]);
        hybrid_case_free(&c);
    }
}

/* Parcels carried once round by a rotation come back; the error falls with the order of the method. */
static void follows_a_rotation(void **state)
{
    (void)state;
    for (int order = 2; order <= 3; order++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_MARKERS);
            for (int a = 0; a < 3; a++)
                hybrid_set(&c.d, &c.velocity[a], rotation);
            assert_ok(parcels_reserve(&c.p, 1));
            parcels_add(&c.p, (float[3]){18, 12, 12}, NULL);
            int steps = fine ? 32 : 16;
            for (int n = 0; n < steps; n++)
                transfer_from_grid(&(transfer_flow){.velocity = c.velocity, .dt = 2 * FR_PI / steps, .order = order},
                                   &c.p);
            error[fine] = hypot(c.p.x[0][0] - 18.0, c.p.x[1][0] - 12.0);
            hybrid_case_free(&c);
        }
        assert_near(log2(error[0] / error[1]), order, 0.3);
    }
}

/* FLIP gives a parcel the flow's change and, by its share, the flow itself. */
static void blends_pic_and_flip(void **state)
{
    (void)state;
    for (int pic = 0; pic < 2; pic++) {
        hybrid_case c = hybrid_case_make(hybrid_box(2, 16), PARCELS_FLIP);
        float flip = pic ? 0 : 0.9f;
        hybrid_set(&c.d, &c.phi, everywhere);
        hybrid_seed(&c, (float[3]){5, 0, 0});
        for (int a = 0; a < 2; a++) {
            field_fill(&c.velocity[a], a == 0 ? 3 : 0); /* after; 2 before */
            field_fill(&c.weight[a], a == 0 ? 3 - flip * 2 : 0);
        }
        transfer_flow flow = {.velocity = c.velocity, .change = c.weight, .flip = flip, .order = 2};
        transfer_from_grid(&flow, &c.p);
        for (int64_t n = 0; n < c.p.count; n++)
            assert_near(c.p.v[0][n], pic ? 3 : 0.9 * (5 + 1) + 0.1 * 3, 1e-5);
        hybrid_case_free(&c);
    }
}

/* Walls hold, open sides let go, periodic ones bring back. */
static void meets_the_sides(void **state)
{
    (void)state;
    domain d = hybrid_box(3, 16);
    d.periodic[2] = true;
    hybrid_case c = hybrid_case_make(d, PARCELS_APIC);
    hybrid_set(&c.d, &c.phi, everywhere);
    hybrid_seed(&c, AT_REST);
    for (int a = 0; a < 3; a++)
        field_fill(&c.velocity[a], 0.1f);
    int64_t left = 0, count = c.p.count;
    for (int n = 0; n < 4; n++)
        left += transfer_from_grid(
            &(transfer_flow){.velocity = c.velocity, .dt = 2, .order = 2, .open_side[FR_TOP] = true}, &c.p);
    assert_near((double)left / (double)count, 0.5, 0.01);
    assert_int_equal(parcels_alive(&c.p), count - left);
    double mean = 0;
    for (int64_t n = 0; n < c.p.count; n++)
        if (parcels_has(&c.p, n)) {
            for (int a = 0; a < 3; a++)
                assert_true(c.p.x[a][n] >= 0 && c.p.x[a][n] <= 16);
            assert_true(c.p.x[0][n] >= 7.99f && c.p.x[1][n] >= 7.99f);
            mean += (double)c.p.x[2][n] / (double)parcels_alive(&c.p);
        }
    assert_near(mean, 8, 0.1);
    hybrid_case_free(&c);
}

/* A sloping wall one cell thick; x in cells, distance in m. */
static double wall(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (fabs((x[0] - 16) * 0.8 + (x[1] - 16) * 0.6) - 0.5);
}

static double below_wall(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * ((x[0] - 16) * 0.8 + (x[1] - 16) * 0.6 + 0.6);
}

/* Nothing gets through it at a Courant number of 5, though the flow runs straight into it. */
static void stays_before_a_thin_wall(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        hybrid_case c = hybrid_case_make(hybrid_box(dims, 32), PARCELS_FLIP);
        field solid;
        assert_ok(field_create(&c.d, FR_AT_CELL, &solid));
        hybrid_set(&c.d, &solid, wall);
        hybrid_set(&c.d, &c.phi, below_wall);
        hybrid_seed(&c, (float[3]){0.5f, 0.2f, 0});
        field_fill(&c.velocity[0], 0.5f);
        for (int a = 1; a < dims; a++)
            field_fill(&c.velocity[a], 0.2f);
        for (int n = 0; n < 10; n++)
            transfer_from_grid(
                &(transfer_flow){
                    .velocity = c.velocity, .change = c.velocity, .dt = 1, .order = 2 + n % 2, .solid = &solid},
                &c.p);
        /* between samples, the distance to a wall so thin is a little too large: 0.5 would be its surface */
        for (int64_t n = 0; n < c.p.count; n++)
            assert_below(0.8 * ((double)c.p.x[0][n] - 16) + 0.6 * ((double)c.p.x[1][n] - 16), -0.25);
        field_destroy(&solid);
        hybrid_case_free(&c);
    }
}

static double disc(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (hypot(x[0] - 16.2, x[1] - 15.7) - 6);
}

static double disc_across_an_end(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (hypot(x[0] - 16.2, fmin(x[1] + 1, 31 - x[1])) - 6);
}

/* What an obstacle pushes out across the end of a periodic axis comes in at the other. */
static void is_pushed_around_an_end(void **state)
{
    (void)state;
    domain d = hybrid_box(2, 32);
    d.periodic[1] = true;
    hybrid_case c = hybrid_case_make(d, PARCELS_FLIP);
    field solid;
    assert_ok(field_create(&c.d, FR_AT_CELL, &solid));
    hybrid_set(&c.d, &solid, disc_across_an_end);
    hybrid_set(&c.d, &c.phi, everywhere);
    hybrid_seed(&c, AT_REST);
    for (int a = 0; a < 2; a++)
        field_fill(&c.velocity[a], 0);
    transfer_flow flow = {.velocity = c.velocity, .change = c.velocity, .dt = 0.1, .order = 2, .solid = &solid};
    int64_t pushed = 0;
    float *before = malloc((size_t)c.p.count * sizeof *before);
    assert_non_null(before);
    memcpy(before, c.p.x[1], (size_t)c.p.count * sizeof *before);
    transfer_from_grid(&flow, &c.p);
    for (int64_t n = 0; n < c.p.count; n++) {
        assert_true(c.p.x[1][n] >= 0 && c.p.x[1][n] < 32);
        pushed += fabsf(c.p.x[1][n] - before[n]) > 16;
    }
    assert_true(pushed > 10);
    free(before);
    field_destroy(&solid);
    hybrid_case_free(&c);
}

/* An obstacle that has come upon liquid at rest pushes it out, and takes it along with the flow's speed there. */
static void is_pushed_by_an_obstacle(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(2, 32), PARCELS_FLIP);
    field solid;
    assert_ok(field_create(&c.d, FR_AT_CELL, &solid));
    hybrid_set(&c.d, &solid, disc);
    hybrid_set(&c.d, &c.phi, everywhere);
    hybrid_seed(&c, AT_REST);
    field_fill(&c.velocity[0], 0.2f);
    field_fill(&c.velocity[1], 0);
    for (int a = 0; a < 2; a++)
        field_fill(&c.weight[a], 0);
    transfer_flow flow = {.velocity = c.velocity, .change = c.weight, .flip = 1, .dt = 0, .order = 2, .solid = &solid};
    static bool inside[4 * 32 * 32];
    for (int64_t n = 0; n < c.p.count; n++)
        inside[n] = disc((double[3]){c.p.x[0][n], c.p.x[1][n], 0.5}, -1) < -0.02;
    transfer_from_grid(&flow, &c.p);
    int pushed = 0;
    for (int64_t n = 0; n < c.p.count; n++) {
        double x[3] = {c.p.x[0][n], c.p.x[1][n], 0.5}, away = disc(x, -1);
        assert_true(away > -0.1 * 0.1);
        if (inside[n] && x[0] > 20) {
            pushed++;
            double normal[2] = {(x[0] - 16.2) / 6, (x[1] - 15.7) / 6};
            double speed = (double)c.p.v[0][n] * normal[0] + (double)c.p.v[1][n] * normal[1];
            assert_near(speed, 0.2 * normal[0], 0.02);
        }
    }
    assert_true(pushed > 20);
    field_destroy(&solid);
    hybrid_case_free(&c);
}

/* Everything at once, on one thread and on two. */
static uint64_t step_bits(parcels_kind kind)
{
    hybrid_case c = hybrid_case_make(hybrid_box(3, 40), kind);
    hybrid_set(&c.d, &c.phi, blob);
    hybrid_seed(&c, AT_REST);
    hybrid_give(&c, rough);
    for (int a = 0; a < 3; a++)
        hybrid_set(&c.d, &c.velocity[a], rough);
    for (int n = 0; n < 4; n++) {
        transfer_from_grid(&(transfer_flow){.velocity = c.velocity, .change = c.velocity, .dt = 0.3, .order = 2}, &c.p);
        hybrid_to_grid(&c);
        level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8}, &c.phi);
    }
    parcels_sort(&c.p);
    uint64_t bits = 0;
    for (int64_t n = 0; n < c.p.count; n++)
        for (int a = 0; a < 3; a++) {
            uint32_t word[2];
            memcpy(&word[0], &c.p.x[a][n], 4);
            memcpy(&word[1], &c.p.v[a][n], 4);
            bits = (bits * 31 + word[0]) * 31 + word[1];
        }
    const field *all[4] = {&c.phi, &c.velocity[0], &c.velocity[1], &c.velocity[2]};
    for (int f = 0; f < 4; f++)
        for (size_t i = 0; i < all[f]->count; i++) {
            uint32_t word;
            memcpy(&word, &all[f]->block[i], 4);
            bits = bits * 31 + word;
        }
    hybrid_case_free(&c);
    return bits;
}

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    for (parcels_kind kind = PARCELS_FLIP; kind <= PARCELS_APIC; kind++) {
        fr_set_threads(1);
        uint64_t alone = step_bits(kind);
        fr_set_threads(2);
        assert_true(step_bits(kind) == alone);
        fr_set_threads(5);
        assert_true(step_bits(kind) == alone);
    }
    fr_set_threads(0);
}

/* Says that nothing is read but within two cells of parcels, and leaves nothing to read elsewhere. */
static void restrict_to_parcels(hybrid_case *c)
{
    for (int a = 0; a < 3; a++) {
        const field *f = &c->t.faces[a];
        extend_span *spans = test_malloc(sizeof *spans * (size_t)field_rows(f));
        memset(spans, 0, sizeof *spans * (size_t)field_rows(f));
        for (int64_t n = 0; n < c->p.count; n++)
            for (int around = 0; around < 25; around++) {
                const int i = (int)c->p.x[0][n], j = (int)c->p.x[1][n] + around % 5 - 2,
                          k = (int)c->p.x[2][n] + around / 5 - 2;
                if (j < 0 || k < 0 || j >= f->size[1] || k >= f->size[2])
                    continue;
                extend_span *s = &spans[j + k * f->size[1]];
                const int low = i > 2 ? i - 2 : 0, high = i + 3 < f->size[0] ? i + 3 : f->size[0];
                s->begin = s->end == 0 || low < s->begin ? low : s->begin;
                s->end = high > s->end ? high : s->end;
            }
        transfer_restrict(&c->t, a, spans);
        test_free(spans);
        for (int r = 0; r < field_rows(f); r++) {
            const int j = r % f->size[1], k = r / f->size[1];
            const extend_span s = transfer_reach(&c->t, a, j, k);
            for (int i = 0; i < f->size[0]; i++)
                if (i < s.begin || i >= s.end)
                    field_row(f, j, k)[i] = field_row(&c->t.before[a], j, k)[i] = NAN;
        }
    }
}

/* How what parcels take and what moves them lies. */
typedef enum taken { APART, SIDE_BY_SIDE, WHERE_PARCELS_ARE } taken;

/* Moves parcels by a flow with a shift. */
static hybrid_case taken_from_the_grid(parcels_kind kind, taken how)
{
    hybrid_case c = hybrid_case_make(hybrid_box(3, 24), kind);
    field pairs[3];
    hybrid_set(&c.d, &c.phi, blob);
    hybrid_seed(&c, AT_REST);
    hybrid_give(&c, rough);
    for (int a = 0; a < 3; a++) {
        hybrid_set(&c.d, &c.velocity[a], rough);
        hybrid_set(&c.d, &c.t.before[a], linear);
        hybrid_set(&c.d, &c.t.faces[a], rotation);
    }
    transfer_flow flow = {.velocity = c.t.before, .change = c.t.before, .flip = 0.9f, .dt = 0.04, .order = 1};
    if (how == WHERE_PARCELS_ARE)
        restrict_to_parcels(&c);
    if (how != APART) {
        transfer_pair(&c.t, c.velocity, 3, pairs);
        flow.pairs = pairs;
    } else
        for (int a = 0; a < 3; a++)
            field_blend(&c.t.faces[a], 1, &c.velocity[a], 3, &c.t.faces[a]);
    flow.drift = c.t.faces;
    transfer_from_grid(&flow, &c.p);
    return c;
}

static void takes_pairs_as_fields(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        const parcels_kind kind = n % 2 ? PARCELS_APIC : PARCELS_FLIP;
        hybrid_case apart = taken_from_the_grid(kind, APART),
                    beside = taken_from_the_grid(kind, n < 2 ? SIDE_BY_SIDE : WHERE_PARCELS_ARE);
        const size_t bytes = sizeof(float) * (size_t)apart.p.count;
        for (int a = 0; a < 3; a++) {
            assert_memory_equal(apart.p.x[a], beside.p.x[a], bytes);
            assert_memory_equal(apart.p.v[a], beside.p.v[a], bytes);
            for (int b = 0; b < 3 && kind == PARCELS_APIC; b++)
                assert_memory_equal(apart.p.c[a][b], beside.p.c[a][b], bytes);
        }
        hybrid_case_free(&apart);
        hybrid_case_free(&beside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_momentum),
        cmocka_unit_test(reproduces),
        cmocka_unit_test(keeps_spin),
        cmocka_unit_test(flies_straight),
        cmocka_unit_test(follows_a_rotation),
        cmocka_unit_test(blends_pic_and_flip),
        cmocka_unit_test(meets_the_sides),
        cmocka_unit_test(stays_before_a_thin_wall),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(takes_pairs_as_fields),
        cmocka_unit_test(is_pushed_by_an_obstacle),
        cmocka_unit_test(is_pushed_around_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
