#define _POSIX_C_SOURCE 200809L
/* Particles, fans, jets and turbulence in scenes: valid values, and errors with their line and a helpful message. */
#include "load_text.h"

#include "support/check.h"

static void reads_particles(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD ", particles={ tracers{ shape=circle{radius=0.1}, at={0.5,0.5}, count=20, seed=3 },"
             " tracers{ rate=100, from=1, to=2, lifetime=3, settle=0.1, response=0.2, velocity={1,2} } } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->tracer_count, 2);
    assert_int_equal(def->tracers[0].count, 20);
    assert_int_equal(def->tracers[0].seed, 3);
    assert_true(isinf(def->tracers[0].to));
    assert_null(def->tracers[1].shape.shape);
    assert_true(def->tracers[1].has_velocity && def->tracers[1].velocity[1] == 2);
    assert_near(def->tracers[1].lifetime, 3, 0);
    fr_scene_destroy(scene);
}

static void reads_fans_jets_and_turbulence(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD
             ", scalars={ink={}}, forces={ fan{ shape=circle{radius=0.1}, at={0.5,0.5}, direction={1,0}, speed=2 } },"
             " sources={ jet{ at={0.5,0.2}, direction={3,4}, radius=0.05, speed=2, ink=1, "
             "turbulence=turbulence{speed=0.1, length=0.2} } },"
             " walls={ left=inflow{velocity={1,0}, turbulence=turbulence{speed=0.3, length=0.1, seed=4, modes=50}}, "
             "right='open' },"
             " initial={ turbulence=turbulence{speed=1, length=0.5} } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->forces[0].is_fan);
    assert_near(def->forces[0].response, 0.1, 0);
    assert_near(def->sources[0].velocity.value[0], 1.2, 1e-12);
    assert_near(def->sources[0].velocity.value[1], 1.6, 1e-12);
    assert_near(def->sources[0].shape.degrees, 36.8698976, 1e-6);
    assert_near(def->sources[0].shape.axis[2], -0.6, 1e-12);     /* clockwise: from up towards the right */
    assert_int_equal(def->sources[0].scalar_count, 1);
    assert_near(def->sources[0].turbulence.length, 0.2, 0);
    assert_int_equal(def->walls[FR_LEFT].turbulence.modes, 50);
    assert_near(def->initial_turbulence.speed, 1, 0);
    fr_scene_destroy(scene);
}

static void refuses_mistakes(void **state)
{
    (void)state;
    static const struct { const char *text; int line; const char *first, *second;
    } list[] = {
        {"return { " HEAD ", particles={\ntracers{} } }", 2, "has no particles", "count or per_cell"},
        {"return { " HEAD ", particles={\ntracers{ count=5, per_cell=2 } } }", 2, "per_cell and count", "keep one"},
        {"return { " HEAD ", particles={\ntracers{ cuont=5 } } }", 2, "'cuont' in tracers", "'count'"},
        {"return { " HEAD ", particles={\ntracers{ count=5, at={0.5,0.5} } } }", 2, "place a shape", "whole domain"},
        {"return { " HEAD ", particles={\ntracers{ count=5, velocity={1,0} } } }", 2, "response", "leave velocity out"},
        {"return { " HEAD ", particles={\ntracers{ count=5, from=1 } } }", 2, "one by one", "rate"},
        {"return { " HEAD ", gravity={0,0}, particles={\ntracers{ count=5, settle=1 } } }", 2, "gravity is zero",
         "settle"},
        {"return { " HEAD ", particles={\nsource{} } }", 2, "tracers", "source{"},
        {"return { " HEAD ", forces={\nfan{ shape=circle{radius=0.1}, speed=1 } } }", 2, "direction", "fan{"},
        {"return { " HEAD ", forces={\nfan{ shape=circle{radius=0.1}, direction={0,0}, speed=1 } } }", 2, "direction",
         "not zero"},
        {"return { " HEAD ", sources={\njet{ at={0.5,0.5}, radius=0.1, speed=1 } } }", 2, "direction, radius and speed",
         "jet{"},
        {"return { " HEAD
         ", sources={\nsource{ shape=circle{radius=0.1}, density=1, turbulence=turbulence{speed=1,length=1} } } }",
         2, "velocity", "stir"},
        {"return { " HEAD ", initial={\nturbulence=turbulence{ speed=1 } } }", 2, "speed and length", "turbulence{"},
        {"return { " HEAD ", scalars={\nparticles={} } }", 2, "particles", "another"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refused(list[i].text, list[i].line, list[i].first, list[i].second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_particles),
        cmocka_unit_test(reads_fans_jets_and_turbulence),
        cmocka_unit_test(refuses_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
