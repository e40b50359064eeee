/* Liquids of particles: what they are made of, where they are at the start, where they go. */
#include <math.h>
#include <string.h>

#include "base/kernels.h"
#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"

/* A word into an enumeration. */
static fr_result sph_choice(decoder *d, const key *key, void *target)
{
    int chosen;
    FR_TRY(value_choice(d, key, &chosen));
    memcpy(target, &chosen, sizeof chosen);
    return FR_OK;
}
_Static_assert(sizeof(fr_sph_solver) == sizeof(int) && sizeof(fr_kernel) == sizeof(int) && sizeof(fr_sph_state) == sizeof(int) &&
                   sizeof(fr_sph_boundary) == sizeof(int) && sizeof(fr_sph_density) == sizeof(int),
               "sph_choice copies whole numbers");

/* One number for walls across all axes, or one per axis. */
static fr_result sph_restitution(decoder *d, const key *key, void *target)
{
    double *restitution = target;
    if (lua_istable(d->lua, -1))
        return value_point(d, key, restitution);
    FR_TRY(value_number(d, key, restitution));
    restitution[1] = restitution[2] = restitution[0];
    return FR_OK;
}

static const choice solver_choices[] = {{"dfsph", FR_SPH_DFSPH}, {"pcisph", FR_SPH_PCISPH}, {"wcsph", FR_SPH_WCSPH}, {NULL, 0}};
#define KERNEL_CHOICE(KIND, name) {#name, FR_KERNEL_##KIND},
static const choice kernel_choices[] = {KERNEL_LIST(KERNEL_CHOICE) {NULL, 0}};
static const choice state_choices[] = {{"tait", FR_SPH_TAIT}, {"linear", FR_SPH_LINEAR}, {NULL, 0}};
static const choice boundary_choices[] = {{"particles", FR_SPH_PARTICLES}, {"collide", FR_SPH_COLLIDE}, {"lennard_jones", FR_SPH_LENNARD_JONES}, {NULL, 0}};
static const choice density_choices[] = {{"sum", FR_SPH_SUM}, {"continuity", FR_SPH_CONTINUITY}, {NULL, 0}};

static const key sph_keys[] = {{"solver", sph_choice, offsetof(fr_sph_def, solver), solver_choices, NULL},
                               {"spacing", value_positive, offsetof(fr_sph_def, spacing), NULL, "m"},
                               {"kernel", sph_choice, offsetof(fr_sph_def, kernel), kernel_choices, NULL},
                               {"support", value_positive, offsetof(fr_sph_def, support), NULL, "spacings"},
                               {"density_error", value_number, offsetof(fr_sph_def, density_error), NULL, "a share of the density"},
                               {"max_iterations", value_integer, offsetof(fr_sph_def, max_iterations), NULL, NULL},
                               {"state", sph_choice, offsetof(fr_sph_def, state), state_choices, NULL},
                               {"exponent", value_number, offsetof(fr_sph_def, exponent), NULL, NULL},
                               {"background", value_number, offsetof(fr_sph_def, background), NULL, "Pa"},
                               {"sound_speed", value_positive, offsetof(fr_sph_def, sound_speed), NULL, "m/s"},
                               {"mu", value_number, offsetof(fr_sph_def, mu), NULL, "Pa s"},
                               {"lambda", value_number, offsetof(fr_sph_def, lambda), NULL, "Pa s"},
                               {"damping", value_number, offsetof(fr_sph_def, damping), NULL, NULL},
                               {"xsph", value_number, offsetof(fr_sph_def, xsph), NULL, NULL},
                               {"vorticity", value_number, offsetof(fr_sph_def, vorticity), NULL, NULL},
                               {"boundary", sph_choice, offsetof(fr_sph_def, boundary), boundary_choices, NULL},
                               {"restitution", sph_restitution, offsetof(fr_sph_def, restitution), NULL, NULL},
                               {"gap", value_number, offsetof(fr_sph_def, gap), NULL, "spacings"},
                               {"density", sph_choice, offsetof(fr_sph_def, density), density_choices, NULL},
                               {0}};
static const key_set sph_set = {"sph", sph_keys, false, false};

fr_result value_sph(decoder *d, const key *key, void *target)
{
    (void)key;
    return decode_keys(d, &sph_set, target);
}

static const key fill_keys[] = {{"shape", value_shape, offsetof(fr_fill_def, shape.shape), NULL, NULL},
                                {"at", value_point, offsetof(fr_fill_def, shape.at), NULL, "m"},
                                {"rotation", value_rotation, offsetof(fr_fill_def, shape), NULL, NULL},
                                {"velocity", value_varying_vector, offsetof(fr_fill_def, velocity), NULL, "m/s"},
                                {"temperature", value_unbuilt, 0, NULL, NULL},
                                {"viscosity", value_unbuilt, 0, NULL, NULL},
                                {"density", value_unbuilt, 0, NULL, NULL},
                                {0}};
static const key_set fill_set = {"fluid_in", fill_keys, false, false};

/* A shape, or fluid_in{…} with one. */
static fr_result fill_value(decoder *d, const key *key, void *target)
{
    fr_fill_def *fill = target;
    const char *made = constructor_of(d->lua, -1, NULL);
    if (!made)
        return decode_fail_type(d, "a shape such as box{ min = {…}, max = {…} } or fluid_in{ shape = …, velocity = {…} }");
    if (strcmp(made, "fluid_in") != 0)
        return value_shape(d, key, &fill->shape.shape);
    FR_TRY(decode_expect(d, "fluid_in"));
    FR_TRY(decode_keys(d, &fill_set, fill));
    return fill->shape.shape ? FR_OK : decode_fail(d, "%s needs a shape: fluid_in{ shape = sphere{ radius = 0.1 }, at = {…} }", d->key);
}

fr_result value_fill(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"box{…}, fluid_in{…}", sizeof(fr_fill_def), fill_value};
    return decode_list(d, &spec, &def->fill, &def->fill_count);
}

static const key sink_keys[] = {{"shape", value_shape, offsetof(fr_sink_def, shape.shape), NULL, NULL},
                                {"at", value_point, offsetof(fr_sink_def, shape.at), NULL, "m"},
                                {"rotation", value_rotation, offsetof(fr_sink_def, shape), NULL, NULL},
                                {"from", value_number, offsetof(fr_sink_def, from), NULL, "s"},
                                {"to", value_end, offsetof(fr_sink_def, to), NULL, "s"},
                                {0}};
static const key_set sink_set = {"sink", sink_keys, false, false};

static fr_result sink_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_sink_def *sink = target;
    sink->to = INFINITY;
    FR_TRY(decode_expect(d, "sink"));
    FR_TRY(decode_keys(d, &sink_set, sink));
    return sink->shape.shape ? FR_OK : decode_fail(d, "%s needs a shape: sink{ shape = sphere{ radius = 0.1 }, at = {…} }", d->key);
}

fr_result value_sinks(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"sink{…}", sizeof(fr_sink_def), sink_value};
    return decode_list(d, &spec, &def->sinks, &def->sink_count);
}
