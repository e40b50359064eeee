/* Defaults of a smoke scene, and whether one is legal, beyond what every scene is held to. */
#include "method/check.h"

#include "smoke/smoke.h"

const char *const smoke_own_scalars[] = {"density", "temperature", NULL};

void smoke_set_defaults(fr_scene_def *def)
{
    def->domain.cells[0] = 64;
    def->fluid.density = 1.2;
}

static fr_result check_settings(const fr_smoke_def *smoke)
{
    if ((unsigned)smoke->advection > FR_ADVECTION_CENTRAL)
        return check_no_choice("smoke.advection", (int)smoke->advection);
    FR_TRY(check_not_negative("smoke.vorticity", smoke->vorticity));
    FR_TRY(check_finite("smoke.buoyancy", &smoke->buoyancy_temperature, 1));
    FR_TRY(check_finite("smoke.buoyancy", &smoke->buoyancy_density, 1));
    return check_finite("smoke.ambient", &smoke->ambient, 1);
}

static fr_result check_buoyancy(const fr_scene_def *def)
{
    bool weightless = def->gravity[0] == 0 && def->gravity[1] == 0 && def->gravity[2] == 0;
    if (weightless && (def->smoke.buoyancy_temperature != 0 || def->smoke.buoyancy_density != 0))
        return fr_fail_key("gravity", "gravity is zero, so there is no up for smoke.buoyancy to push to; leave gravity "
                                      "out or give it a direction");
    return FR_OK;
}

static fr_result check_central(const fr_scene_def *def)
{
    if (def->smoke.advection == FR_ADVECTION_CENTRAL && def->time.cfl > 1)
        return fr_fail_key(
            "time.cfl",
            "time.cfl = %g: advection = \"central\" is explicit and needs 1 or less; leave time.cfl out for 0.6",
            def->time.cfl);
    return FR_OK;
}

/* Bodies take part in the one pressure of a step. */
static fr_result check_bodies_advection(const fr_scene_def *def)
{
    const fr_advection advection = def->smoke.advection;
    if (def->body_count > 0 && (advection == FR_ADVECTION_CENTRAL || advection == FR_ADVECTION_REFLECTION))
        return fr_fail_key("smoke.advection",
                           "smoke.advection: \"reflection\" and \"central\" have several pressures a step, and bodies "
                           "are not built for that yet; leave it out for \"maccormack\"");
    return FR_OK;
}

/* A given flow is not solved: what would push it has no meaning. */
static fr_result check_prescribed(const fr_scene_def *def)
{
    const fr_smoke_def *smoke = &def->smoke;
    const char *idle = smoke->vorticity > 0                                                 ? "smoke.vorticity"
                       : smoke->buoyancy_temperature != 0 || smoke->buoyancy_density != 0   ? "smoke.buoyancy"
                                                                                            : NULL;
    FR_TRY(mac_check_prescribed(def));
    if (def->has_prescribed && idle)
        return fr_fail_key("prescribed",
                           "prescribed: the flow is given, so %s would have no effect; remove one of the two", idle);
    return FR_OK;
}

/* What belongs to liquids. */
static fr_result check_no_liquid(const fr_scene_def *def)
{
    const char *liquid = def->fill_count > 0              ? "fill"
                         : def->sink_count > 0            ? "sinks"
                         : def->fluid.surface_tension > 0 ? "fluid.surface_tension"
                                                          : NULL;
    if (liquid)
        return fr_fail_key(liquid, "%s belongs to liquids (method = \"sph\"); a smoke scene is full of air", liquid);
    for (int side = 0; side < 2 * def->domain.dims; side++)
        if (def->walls[side].has_level)
            return fr_fail_key("walls",
                               "walls.%s: level is the height up to which liquid comes in (method = \"liquid\"); air "
                               "comes in everywhere, unless the velocity is a function that is 0 elsewhere",
                               check_walls_sides[side]);
    return FR_OK;
}

fr_result smoke_check_parts(const fr_scene_def *def)
{
    FR_TRY(check_no_liquid(def));
    if (def->heat.set)
        return fr_fail_key("heat", "heat: of smoke it is smoke.ambient and the diffusion of the scalar temperature");
    FR_TRY(check_solver(&def->solver));
    FR_TRY(check_settings(&def->smoke));
    FR_TRY(check_buoyancy(def));
    FR_TRY(check_central(def));
    FR_TRY(check_bodies_advection(def));
    FR_TRY(check_prescribed(def));
    FR_TRY(mac_check_scalars(def, smoke_own_scalars));
    FR_TRY(mac_check_tracers(def));
    if (def->output.vtk && def->tracer_count == 0)
        return fr_fail_key("output.vtk", "output.vtk writes particles, and the scene has none; leave it out: VTK and "
                                         "ParaView open the cache as it is");
    return FR_OK;
}
