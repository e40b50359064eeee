/* What can be said of a particle liquid before it runs. */
#include <math.h>

#include "base/vec.h"
#include "mac/run.h"
#include "method/preview/preview.h"
#include "method/preview/sample.h"
#include "method/sizes.h"
#include "sph/sph.h"

/* From the lowest to the highest cell inside, along `down`; m. */
static double words_extent(const sample *s, vec3 down)
{
    const double *h = s->grid.h;
    double low = INFINITY, high = -INFINITY;
    for (int64_t n = 0; n < domain_cells(&s->grid); n++) {
        if (s->distance[n] >= 0)
            continue;
        double at[3];
        sizes_centre(&s->grid, n, at);
        double depth = vec3_dot(vec3_of(at), down);
        low = fmin(low, depth);
        high = fmax(high, depth);
    }
    double cell = h[0] * fabs(down.x) + h[1] * fabs(down.y) + h[2] * fabs(down.z);
    return high >= low ? high - low + cell : 0;
}

/* Of all fills together, m; 0 without gravity. */
static double words_fill_height(const fr_scene_def *def)
{
    vec3 gravity = vec3_of(def->gravity);
    sample s;
    if (!(vec3_length(gravity) > 0) || def->fill_count == 0 || sample_create(&def->domain, &s) != FR_OK)
        return 0;
    fr_result result = FR_OK;
    for (int i = 0; i < def->fill_count && result == FR_OK; i++)
        result = sample_add(&s, &def->fill[i].shape);
    double height = result == FR_OK ? words_extent(&s, vec3_unit(gravity)) : 0;
    sample_destroy(&s);
    return height;
}

static const char *words_choice(const char *key, int value)
{
    return remark_choice(method_sph.info.keys, key, value);
}

static void words_sizes(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    const fr_sph_def *sph = &def->sph;
    const char *kernel = words_choice("kernel", (int)sph->kernel);
    remark(to, FR_REMARK_SIZE, "particles", "%.0f at the most", to->about->estimate->particles);
    remark(to, FR_REMARK_SIZE, "spacing", "%.6g m", sph->spacing);
    if (sph->support > 0)
        remark(to, FR_REMARK_SIZE, "kernel", "%s, support %.3g spacings = %.6g m", kernel, sph->support,
               sph->support * sph->spacing);
    else
        remark(to, FR_REMARK_SIZE, "kernel", "%s, with its own support", kernel);
    remark(to, FR_REMARK_SIZE, "size", "%s m", remark_lengths(def->domain.dims, def->domain.size).text);
}

static void words_solver(const remarks *to)
{
    const fr_sph_def *sph = &to->about->def->sph;
    const char *solver = words_choice("solver", (int)sph->solver), *state = words_choice("state", (int)sph->state),
               *boundary = words_choice("boundary", (int)sph->boundary);
    if (sph->solver != FR_SPH_WCSPH)
        remark(to, FR_REMARK_FLOW, "solver", "%s, density error %.3g, boundary %s", solver, sph->density_error,
               boundary);
    else if (sph->sound_speed > 0 || sph->state == FR_SPH_COLE)
        remark(to, FR_REMARK_FLOW, "solver", "%s, %s state, speed of sound %.3g m/s, boundary %s", solver, state,
               sph->sound_speed > 0 ? sph->sound_speed : sph_cole_sound(sph, to->about->def->fluid.density), boundary);
    else
        remark(to, FR_REMARK_FLOW, "solver", "%s, %s state, speed of sound chosen, boundary %s", solver, state,
               boundary);
}

/* The speed of a fall through the height of the fill, or a greater one that the scene tells. */
static void words_flow(const remarks *to, preview_speed speed)
{
    const fr_scene_def *def = to->about->def;
    double height = words_fill_height(def), fall = sqrt(2 * vec3_length(vec3_of(def->gravity)) * height);
    preview_speed_take(&speed, fall, "a fall through the height of the fill");
    preview_length length = height > 0 ? (preview_length){"height", height, ""} : preview_longest_side(&def->domain);
    const double viscosity = def->heat.melt.set ? def->heat.melt.liquid : def->fluid.viscosity;
    remark_reynolds(to, speed, length, viscosity + def->sph.mu / def->fluid.density);
}

static void words_spacing(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    if (def->fill_count > 0 && to->about->estimate->particles < 1)
        remark_warn(to,
                    "the fill is smaller than the spacing of %.3g m and holds no particle; use a smaller sph.spacing",
                    def->sph.spacing);
    for (int a = 0; a < def->domain.dims; a++) {
        double places = def->domain.size[a] / def->sph.spacing;
        if (def->walls[2 * a].kind == FR_WALL_PERIODIC && fabs(places - round(places)) > 0.01)
            remark_warn(to,
                        "the periodic side along %c is %.6g spacings long: particles stand too close or too far apart "
                        "where its ends meet; sph.spacing = %.6g fits",
                        "xyz"[a], places, def->domain.size[a] / round(places));
    }
}

void sph_describe(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    preview_speed speed = {0, ""};
    const preview_walls walls = {
        .unit = preview_least_spacing(to->about->estimate),
        .least = def->sph.boundary == FR_SPH_COLLIDE ? 0 : 2,   /* what bounces off a wall does not look through it */
        .least_name = "two spacings of particles",
        .unit_name = "a spacing",
        .consequence = "liquid on its two sides may touch through it; use a smaller sph.spacing",
        .overlap = 0.05,   /* a wall that stands in a pool takes a little of it, as it should */
    };
    preview_speed_of_scene(def, &speed);
    words_sizes(to);
    mac_describe_melt(to);
    words_flow(to, speed);
    words_solver(to);
    remark_bodies(to);
    remark_shapes(to, &walls);
    words_spacing(to);
    remark_rest(to, speed, vec3_length(vec3_of(def->gravity)) > 0, "velocity, gravity, force, moving wall or obstacle");
}
