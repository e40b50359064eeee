/* Defaults of a particle liquid, and its checks beyond those of every scene. */
#include "method/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mac/check_heat.h"
#include "mac/solids/cover.h"
#include "method/motion.h"
#include "method/sizes.h"
#include "sph/check.h"
#include "sph/sph.h"

/* The lattice from the domain's corner on which particles start: cubes of their spacing. */
static domain sph_lattice(const fr_scene_def *def)
{
    domain d = {.dims = def->domain.dims, .n = {1, 1, 1}, .h = {1, 1, 1}};
    for (int a = 0; a < d.dims; a++) {
        d.h[a] = def->sph.spacing;
        d.n[a] = (int)fmax(1, round(def->domain.size[a] / def->sph.spacing));
    }
    sizes_place(def, &d);
    return d;
}

void sph_set_defaults(fr_scene_def *def)
{
    def->sph = (fr_sph_def){.density_error = 1e-3,
                            .max_iterations = 100,
                            .exponent = 7,
                            .stiffness = 3000,
                            .exponents = {4, 2},
                            .damping = 0.02,
                            .restitution = {0.5, 0.5, 0.5},
                            .gap = 0.5};
}

/* A scene that is also one of a method on a grid says how fine it is by domain.cells. */
void sph_complete(fr_scene_def *def)
{
    int axis = 0;
    for (int a = 1; a < def->domain.dims; a++)
        axis = def->domain.size[a] > def->domain.size[axis] ? a : axis;
    int cells = def->domain.cells[1] == 0 && def->domain.cells[2] == 0 ? def->domain.cells[0] : def->domain.cells[axis];
    if (def->sph.spacing == 0 && cells > 0)
        def->sph.spacing = def->domain.size[axis] / cells;
    memset(def->domain.cells, 0, sizeof def->domain.cells);
}

/* A spacing that gives a first picture within moments. */
static double check_usual_spacing(const fr_domain_def *domain)
{
    double longest = 0;
    for (int a = 0; a < domain->dims; a++)
        longest = fmax(longest, domain->size[a]);
    return longest / 50;
}

fr_result sph_check_resolution(const fr_scene_def *def)
{
    FR_TRY(check_domain(&def->domain));
    const fr_domain_def *given = &def->domain;
    double spacing = def->sph.spacing, usual = check_usual_spacing(given);
    if (given->cells[0] != 0 || given->cells[1] != 0 || given->cells[2] != 0)
        return fr_fail_key(
            "domain.cells",
            "domain.cells: a liquid of particles has no cells; leave it out and say how far the particles are apart, "
            "sph = { spacing = %.3g }",
            usual);
    if (spacing == 0)
        return fr_fail_key("sph.spacing",
                           "sph.spacing is missing: how far the particles are apart at the start, in metres; sph = { "
                           "spacing = %.3g } puts 50 "
                           "along the longest side",
                           usual);
    FR_TRY(check_positive("sph.spacing", spacing, "metres"));
    for (int a = 0; a < given->dims; a++) {
        if (spacing > given->size[a])
            return fr_fail_key("sph.spacing",
                               "sph.spacing = %g m is more than the domain's %g m along %c; %.3g m would put 50 "
                               "particles along the longest side",
                               spacing, given->size[a], "xyz"[a], usual);
        if (given->size[a] / spacing > SIZES_MOST_CELLS)
            return fr_fail_key("sph.spacing", "sph.spacing = %g m puts %.3g particles along %c; %d is the most",
                               spacing, given->size[a] / spacing, "xyz"[a], SIZES_MOST_CELLS);
    }
    domain d = sph_lattice(def);
    if (!sizes_can_be_numbered(&d))
        return fr_fail_key(
            "sph.spacing",
            "sph.spacing = %g m makes a lattice of %d x %d x %d places, more than can be numbered (about 2e9)", spacing,
            d.n[0], d.n[1], d.n[2]);
    return FR_OK;
}

static fr_result check_between(const char *key, double value, double least, double most)
{
    if (!(value >= least && value <= most))
        return fr_fail_key(key, "%s must lie between %g and %g, not %g", key, least, most, value);
    return FR_OK;
}

static fr_result check_kernel(const fr_sph_def *sph)
{
    if (sph->support != 0 && !(sph->support >= 1.2 && sph->support <= 6))
        return fr_fail_key("sph.support",
                           "sph.support is counted in spacings and must lie between 1.2 (enough to feel a neighbour) "
                           "and 6, not %g; 2 is usual",
                           sph->support);
    if (!(sph->density_error > 0 && sph->density_error < 1))
        return fr_fail_key(
            "sph.density_error",
            "sph.density_error is a share of the density and must lie between 0 and 1, not %g; 0.001 is usual",
            sph->density_error);
    if (sph->max_iterations < 1)
        return fr_fail_key("sph.max_iterations", "sph.max_iterations must be at least 1, not %d", sph->max_iterations);
    return FR_OK;
}

/* The equation of state is that of weakly compressible liquids; the other solvers find the pressure from the density
 * itself. */
static fr_result check_state(const fr_sph_def *sph, double density)
{
    static const fr_sph_def usual = {.exponent = 7, .stiffness = 3000};
    FR_TRY(check_not_negative("sph.sound_speed", sph->sound_speed));
    FR_TRY(check_not_negative("sph.background", sph->background));
    if (!(sph->exponent >= 1 && sph->exponent <= 100))
        return fr_fail_key(
            "sph.exponent",
            "sph.exponent is that of Tait's equation and must lie between 1 and 100, not %g; 7 is that of water",
            sph->exponent);
    if (sph->exponent != usual.exponent && sph->state == FR_SPH_LINEAR)
        return fr_fail_key(
            "sph.exponent",
            "sph.exponent belongs to state = \"tait\" and \"cole\"; the linear equation of state has none");
    FR_TRY(check_positive("sph.stiffness", sph->stiffness, "pascals"));
    if (sph->stiffness != usual.stiffness && sph->state != FR_SPH_COLE)
        return fr_fail_key("sph.stiffness",
                           "sph.stiffness is the B of state = \"cole\"; the others have sph.sound_speed");
    const char *of_others = sph->sound_speed != 0 ? "sph.sound_speed" : sph->background != 0 ? "sph.background" : NULL;
    if (of_others && sph->state == FR_SPH_COLE)
        return fr_fail_key(of_others,
                           "%s has no place in state = \"cole\", whose stiffness and exponent say it all: sound goes "
                           "at the root of exponent (1 + stiffness) / density, here %.3g m/s, and 1 Pa is at rest",
                           of_others, sph_cole_sound(sph, density));
    const char *idle = sph->state != usual.state         ? "sph.state"
                       : sph->exponent != usual.exponent ? "sph.exponent"
                       : sph->background != 0            ? "sph.background"
                       : sph->sound_speed != 0           ? "sph.sound_speed"
                       : sph->density != usual.density   ? "sph.density"
                                                         : NULL;
    if (idle && sph->solver != FR_SPH_WCSPH)
        return fr_fail_key(
            idle, "%s belongs to solver = \"wcsph\", the weakly compressible one; leave it out or choose that solver",
            idle);
    return FR_OK;
}

/* No motion may gain energy from the stress: λ + 2μ/dims ≥ 0. */
static fr_result check_stress(const fr_sph_def *sph, int dims)
{
    FR_TRY(check_not_negative("sph.mu", sph->mu));
    FR_TRY(check_finite("sph.lambda", &sph->lambda, 1));
    if (sph->lambda + 2 * sph->mu / dims < -1e-12 * sph->mu)
        return fr_fail_key("sph.lambda",
                           "sph.lambda = %g is too low for sph.mu = %g: the liquid would gain energy when it is "
                           "pressed together; it must be at least %g",
                           sph->lambda, sph->mu, -2 * sph->mu / dims);
    FR_TRY(check_not_negative("sph.vorticity", sph->vorticity));
    FR_TRY(check_between("sph.damping", sph->damping, 0, 1));
    return check_between("sph.xsph", sph->xsph, 0, 1);
}

static fr_result check_bounce(const fr_sph_def *sph)
{
    bool bounces = sph->gap != 0.5;
    for (int a = 0; a < 3; a++) {
        FR_TRY(check_between("sph.restitution", sph->restitution[a], 0, 1));
        bounces = bounces || sph->restitution[a] != 0.5;
    }
    FR_TRY(check_between("sph.gap", sph->gap, 0, 2));
    if (bounces && sph->boundary != FR_SPH_COLLIDE)
        return fr_fail_key(sph->gap != 0.5 ? "sph.gap" : "sph.restitution",
                           "sph.gap and sph.restitution belong to boundary = \"collide\", where particles bounce; "
                           "leave them out or choose that boundary");
    return FR_OK;
}

static fr_result check_repulsion(const fr_sph_def *sph)
{
    enum { MOST = 24 };
    const int high = sph->exponents[0], low = sph->exponents[1];
    if (!(high > low && low >= 1 && high <= MOST))
        return fr_fail_key("sph.exponents",
                           "sph.exponents are p1 and p2 of a repulsion (r0/r)^p1 - (r0/r)^p2: whole numbers, p1 the "
                           "greater one, from 1 to %d; not {%d, %d}",
                           MOST, high, low);
    FR_TRY(check_not_negative("sph.repulsion", sph->repulsion));
    const char *idle = high != 4 || low != 2 ? "sph.exponents" : sph->repulsion != 0 ? "sph.repulsion" : NULL;
    if (idle && sph->boundary != FR_SPH_LENNARD_JONES)
        return fr_fail_key(idle,
                           "%s belongs to boundary = \"lennard_jones\", where walls repel; leave it out or choose that "
                           "boundary",
                           idle);
    return FR_OK;
}

/* Enumerations of a definition made in C may hold any number. */
static fr_result check_choices(const fr_sph_def *sph)
{
    bool known = (unsigned)sph->solver <= FR_SPH_WCSPH && (unsigned)sph->kernel < FR_KERNELS &&
                 (unsigned)sph->state <= FR_SPH_COLE &&
                 (unsigned)sph->boundary <= FR_SPH_LENNARD_JONES && (unsigned)sph->density <= FR_SPH_CONTINUITY;
    return known
               ? FR_OK
               : fr_fail_key(
                     "sph", "sph: solver, kernel, state, boundary and density must be those that freshet/defs.h names");
}

static bool check_is_temperature(const fr_scalar_value *values, int count)
{
    return count == 1 && mac_gives_among(values, count, "temperature");
}

/* Air and what it carries have no meaning in a liquid. */
static fr_result check_no_air(const fr_scene_def *def)
{
    char initial[CHECK_KEY];
    snprintf(initial, sizeof initial, "initial.%s", def->initial_count > 0 ? def->initial[0].name : "");
    const struct { bool there; const char *key, *instead; } air[] = {
        {def->scalar_count > 0, "scalars", "its particles carry nothing else yet"},
        {def->initial_count > 0 && !check_is_temperature(def->initial, def->initial_count), initial,
         "its particles have a velocity, a temperature and nothing else yet"},
        {def->initial_turbulence.speed > 0, "initial.turbulence", "give it an initial.velocity instead"},
        {def->tracer_count > 0, "particles", "the liquid itself is made of particles"},
        {def->has_prescribed, "prescribed", "its flow is always solved"},
    };
    for (size_t i = 0; i < sizeof air / sizeof *air; i++)
        if (air[i].there)
            return fr_fail_key(air[i].key, "%s is not for method = \"sph\": %s", air[i].key, air[i].instead);
    return FR_OK;
}

static fr_result check_sides(const fr_scene_def *def)
{
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
        if (def->walls[side].kind == FR_WALL_INFLOW)
            return fr_fail_key(key,
                               "%s: a liquid of particles has no inflow through a side; let it in with sources = { "
                               "source{ shape = …, velocity = {…} } }",
                               key);
    }
    return FR_OK;
}

/* Only walls made of particles that carry pressure can hold the liquid back along them. */
static fr_result check_slip(const fr_scene_def *def)
{
    char key[CHECK_KEY] = "";
    for (int side = 0; side < 2 * def->domain.dims && !*key; side++)
        if (def->walls[side].kind == FR_WALL_NO_SLIP)
            snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
    for (int i = 0; i < def->obstacle_count && !*key; i++)
        if (def->obstacles[i].no_slip)
            snprintf(key, sizeof key, "obstacles[%d]", i + 1);
    if (*key && def->sph.boundary != FR_SPH_PARTICLES)
        return fr_fail_key(key,
                           "%s: liquid cannot stick to walls that only collide or repel; let it slip, or leave "
                           "sph.boundary at \"particles\"",
                           key);
    return FR_OK;
}

/* What a particle carries. */
static fr_result check_only_temperature(const char *key, const fr_scalar_value *values, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(values[i].name, "temperature") != 0) {
            char of[2 * CHECK_KEY];
            snprintf(of, sizeof of, "%s.%s", key, values[i].name);
            return fr_fail_key(of, "%s is not built yet: particles of liquid carry a temperature alone; leave it out",
                               of);
        }
    return FR_OK;
}

fr_result sph_check_field(const fr_scene_def *def, const char *key, const char *field)
{
    if (!strcmp(field, "viscosity") && !def->heat.melt.set)
        return fr_fail_key(key, "%s: the field viscosity is there where it varies: with heat.melt", key);
    return mac_check_heat_field(def, key, field);
}

static fr_result check_nozzles(const fr_scene_def *def)
{
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        FR_TRY(check_only_temperature(key, source->scalars, source->scalar_count));
        if (source->rate != 0 && (source->sets_velocity || source->scalar_count == 0))
            return fr_fail_key(
                key, "%s: rate is for heat; how much liquid comes follows from the shape and the velocity", key);
        if (source->turbulence.speed > 0)
            return fr_fail_key(key, "%s: turbulence is for smoke; vary the velocity with a function instead", key);
        if (!source->sets_velocity && source->scalar_count > 0)
            continue;
        if (!source->sets_velocity)
            return fr_fail_key(key,
                               "%s needs a velocity, with which the liquid comes out of its shape: velocity = {1, 0%s}",
                               key, def->domain.dims == 3 ? ", 0" : "");
        const double *v = source->velocity.value;
        if (!source->velocity.function && v[0] == 0 && v[1] == 0 && v[2] == 0)
            return fr_fail_key(key, "%s: its velocity is zero, so nothing comes out; for liquid at rest use fill", key);
    }
    return FR_OK;
}

static fr_result check_shapes(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int i = 0; i < def->fill_count; i++) {
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(check_placed(key, &def->fill[i].shape));
        FR_TRY(check_only_temperature(key, def->fill[i].scalars, def->fill[i].scalar_count));
        FR_TRY(check_finite(key, def->fill[i].velocity.value, 3));
        if (def->fill[i].from != 0)
            return fr_fail_key(key,
                               "%s: from throws liquid in later, which method = \"liquid\" can do; here let a source "
                               "pour it in (sources)",
                               key);
    }
    for (int i = 0; i < def->sink_count; i++) {
        snprintf(key, sizeof key, "sinks[%d]", i + 1);
        FR_TRY(check_placed(key, &def->sinks[i].shape));
        FR_TRY(check_times(key, def->sinks[i].from, def->sinks[i].to));
    }
    for (int i = 0; i < def->force_count; i++) {
        snprintf(key, sizeof key, "forces[%d]", i + 1);
        if (def->forces[i].is_fan)
            return fr_fail_key(key, "%s: fan{} is for smoke; push a liquid with force{ value = {…} }", key);
    }
    return FR_OK;
}

/* Heat goes through the liquid's own surface where no wall is, and into walls that are made of particles. */
static fr_result check_heat_walls(const fr_scene_def *def)
{
    char key[CHECK_KEY] = "";
    for (int side = 0; side < 2 * def->domain.dims && !*key; side++)
        if (def->walls[side].scalar_count > 0)
            snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
    for (int i = 0; i < def->obstacle_count && !*key; i++)
        if (def->obstacles[i].has_temperature)
            snprintf(key, sizeof key, "obstacles[%d]", i + 1);
    if (!*key && def->heat.loss > 0)
        snprintf(key, sizeof key, "heat.loss");
    if (*key && def->sph.boundary != FR_SPH_PARTICLES)
        return fr_fail_key(key,
                           "%s: heat cannot go into walls that only collide or repel, nor do they cover the liquid's "
                           "surface; leave it out, or leave sph.boundary at \"particles\"",
                           key);
    return FR_OK;
}

/* Fields that heat brings along, in pictures and probes. */
static fr_result check_fields(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int i = 0; i < def->output.view_count; i++) {
        snprintf(key, sizeof key, "output.images[%d]", i + 1);
        FR_TRY(sph_check_field(def, key, def->output.views[i].field));
    }
    for (int i = 0; i < def->probe_count; i++) {
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        for (int f = 0; f < def->probes[i].field_count; f++)
            FR_TRY(sph_check_field(def, key, def->probes[i].fields[f]));
    }
    return FR_OK;
}

static fr_result check_heat(const fr_scene_def *def)
{
    const fr_heat_def *heat = &def->heat;
    FR_TRY(mac_check_heat(def));
    FR_TRY(check_fields(def));
    if (heat->conduction != FR_CONDUCTION_IMPLICIT)
        return fr_fail_key("heat.conduction", "heat.conduction = \"lod\" goes along the axes of a grid, which a liquid "
                                              "of particles has not; leave it out");
    if (heat->capacity > 0)
        return fr_fail_key("heat.capacity", "heat.capacity is for what bodies gain and lose, and a liquid of particles "
                                            "has none; leave it out");
    return check_heat_walls(def);
}

/* Whether liquid comes out of some source: others are heaters. */
static bool check_pours(const fr_scene_def *def)
{
    for (int i = 0; i < def->source_count; i++)
        if (def->sources[i].sets_velocity)
            return true;
    return false;
}

static fr_result check_rigid(const fr_scene_def *def)
{
    const bool coupled = def->coupling == FR_COUPLING_MONOLITHIC || def->coupling == FR_COUPLING_ONE_WAY;
    if (def->body_count == 0)
        return FR_OK;
    if (!coupled)
        return fr_fail_key("coupling",
                           "coupling = \"%s\" is not built for method = \"sph\", whose particles cannot go through "
                           "bodies; \"monolithic\" and \"one_way\" are",
                           def->coupling == FR_COUPLING_CARRIED ? "carried" : "rigid_fluid");
    if (def->sph.boundary != FR_SPH_PARTICLES)
        return fr_fail_key("sph.boundary",
                           "sph.boundary: walls that only collide or repel have no pressure that bodies could float "
                           "on; leave it out, or leave out the bodies");
    for (int b = 0; b < def->body_count; b++)
        if (def->bodies[b].has_temperature) {
            char key[CHECK_KEY];
            snprintf(key, sizeof key, "bodies[%d].temperature", b + 1);
            return fr_fail_key(key, "%s is not built yet for method = \"sph\", whose bodies take no heat; leave it out",
                               key);
        }
    return FR_OK;
}

fr_result sph_check_parts(const fr_scene_def *def)
{
    FR_TRY(check_rigid(def));
    FR_TRY(check_choices(&def->sph));
    FR_TRY(check_kernel(&def->sph));
    FR_TRY(check_state(&def->sph, def->fluid.density));
    FR_TRY(check_stress(&def->sph, def->domain.dims));
    FR_TRY(mac_check_rheology(&def->fluid));
    FR_TRY(check_bounce(&def->sph));
    FR_TRY(check_repulsion(&def->sph));
    FR_TRY(check_no_air(def));
    FR_TRY(check_sides(def));
    FR_TRY(check_slip(def));
    FR_TRY(check_nozzles(def));
    FR_TRY(check_shapes(def));
    FR_TRY(check_heat(def));
    if (def->fill_count == 0 && !check_pours(def))
        return fr_fail_key("fill", "the scene has no liquid: give fill = { box{ min = {…}, max = {…} } } or sources "
                                   "that have a velocity");
    return FR_OK;
}

static fr_result check_place(const fr_scene_def *def, const char *list, int index, const fr_placed_shape *placed)
{
    char key[CHECK_KEY];
    snprintf(key, sizeof key, "%s[%d]", list, index + 1);
    shape *s;
    domain d = sph_lattice(def);
    FR_TRY(shape_create(placed, def->domain.dims, key, &s));
    fr_result result = cover_check_inside(s, &d, key);
    shape_destroy(s);
    return result;
}

fr_result sph_check_places(const fr_scene_def *def)
{
    for (int i = 0; i < def->fill_count; i++)
        FR_TRY(check_place(def, "fill", i, &def->fill[i].shape));
    for (int i = 0; i < def->source_count; i++)
        FR_TRY(check_place(def, "sources", i, &def->sources[i].shape));
    for (int i = 0; i < def->sink_count; i++)
        FR_TRY(check_place(def, "sinks", i, &def->sinks[i].shape));
    for (int b = 0; b < def->body_count; b++)
        FR_TRY(check_place(def, "bodies", b, &def->bodies[b].shape));
    for (int i = 0; i < def->obstacle_count; i++)
        if (!motion_moves(&def->obstacles[i]))
            FR_TRY(check_place(def, "obstacles", i, &def->obstacles[i].shape));
    return FR_OK;
}

/* How large a shape is, for messages: "0.01 x 0.02 m". */
static fr_result check_describe_size(const fr_scene_def *def, int index, char text[CHECK_KEY])
{
    char key[CHECK_KEY];
    shape *s;
    double min[3], max[3];
    snprintf(key, sizeof key, "fill[%d]", index + 1);
    FR_TRY(shape_create(&def->fill[index].shape, def->domain.dims, key, &s));
    shape_bounds(s, min, max);
    shape_destroy(s);
    int length = snprintf(text, CHECK_KEY, "%.3g x %.3g", max[0] - min[0], max[1] - min[1]);
    snprintf(text + length, (size_t)(CHECK_KEY - length), def->domain.dims == 3 ? " x %.3g m" : " m", max[2] - min[2]);
    return FR_OK;
}

fr_result sph_check_filled(const fr_scene_def *def, double particles)
{
    char size[CHECK_KEY];
    if (particles > 0 || check_pours(def))
        return FR_OK;
    FR_TRY(check_describe_size(def, 0, size));
    return fr_fail_key("fill[1]",
                       "the fill has room for no particle: fill[1] is %s, particles are sph.spacing = %g m apart, and "
                       "no place for one lies in "
                       "the fill and clear of obstacles; make the fill larger or the spacing smaller",
                       size, def->sph.spacing);
}
