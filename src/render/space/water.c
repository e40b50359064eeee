#include "render/space/water.h"

#include <math.h>

#include "base/memory.h"
#include "render/draw/image.h"
#include "render/draw/palette.h"
#include "render/space/liquid.h"
#include "render/picture.h"
#include "render/draw/range.h"

#include <string.h>

/* Rays for soft shadows: towards the lamp, how many of them first, towards the sky, more of these on matt liquid. Width
   of the lamp at distance 1. */
enum { LAMP_LINES = 12, LAMP_FIRST = 3, SKY_LINES = 3, SKY_LINES_MATT = 9 };
static const double lamp_width = 0.09;
/* Ambient occlusion counts only what is nearer than this fraction of the domain's shortest side. */
static const double water_near = 0.4;

/* Two unit vectors that complete n to an orthonormal basis. */
static void water_across(vec3 n, vec3 across[2])
{
    across[0] = vec3_unit(vec3_cross(n, fabs(n.y) < 0.9 ? (vec3){0, 1, 0} : (vec3){1, 0, 0}));
    across[1] = vec3_cross(n, across[0]);
}

/* The direction n tilted sideways: `aside` is the tangent of the tilt, `turn` its azimuth. */
static vec3 water_tilted(vec3 n, double aside, double turn)
{
    vec3 across[2];
    water_across(n, across);
    vec3 side = vec3_add(vec3_scale(across[0], cos(turn)), vec3_scale(across[1], sin(turn)));
    return vec3_unit(vec3_add(n, vec3_scale(side, aside)));
}

static int water_count_lit(const water *water, vec3 p, const int range[2], float noise)
{
    int free = 0;
    for (int i = range[0]; i < range[1]; i++) {
        double aside = lamp_width * sqrt((i * 7 % LAMP_LINES + 0.5) / LAMP_LINES),
               turn = 2.39996 * i + 2 * FR_PI * (double)noise;
        vec3 towards = water_tilted(water->volume.lights.towards, aside, turn);
        free += !tracer_is_blocked(water->tracer, &(tracer_line){p, towards, water->hair, INFINITY});
    }
    return free;
}

/* Casts a few rays first, and the others only where those disagree: at the edge of a shadow. */
float water_lit(const water *water, vec3 p, float noise)
{
    int free = water_count_lit(water, p, (const int[2]){0, LAMP_FIRST}, noise);
    if (free == 0 || free == LAMP_FIRST)
        return (float)free / LAMP_FIRST;
    return (float)(free + water_count_lit(water, p, (const int[2]){LAMP_FIRST, LAMP_LINES}, noise)) / LAMP_LINES;
}

float water_open(const water *water, vec3 p, vec3 normal, float noise)
{
    int free = 0;
    for (int i = 0; i < water->sky_lines; i++) {
        /* cosine-weighted over the hemisphere (Malley's method) */
        double part = (i + 0.5) / water->sky_lines, turn = 2.39996 * i + 2 * FR_PI * (double)noise;
        vec3 towards = water_tilted(normal, sqrt(part / (1 - part)), turn);
        free += !tracer_is_blocked(water->tracer, &(tracer_line){p, towards, water->hair, water_near * water->size});
    }
    return (float)free / (float)water->sky_lines;
}

/* Whether a ray from p meets the domain widened by `margin`: only there can liquid be. */
static bool water_may_meet(const water *water, vec3 p, vec3 along, double margin)
{
    const brick *brick = &water->volume.brick;
    double low[3], high[3], range[2];
    for (int a = 0; a < 3; a++) {
        low[a] = brick->low[a] - margin;
        high[a] = brick->high[a] + margin;
    }
    return sight_cross(&(sight){.from = p, .along = along}, low, high, range);
}

rgb water_studio(const water *water, const sight *sight)
{
    rgb colour = backdrop_colour(&water->volume, sight);
    const brick *brick = &water->volume.brick;
    if (sight->along.y > -1e-6 || sight->from.y <= brick->low[1])
        return colour;
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, (brick->low[1] - sight->from.y) / sight->along.y)),
         up = {0, 1, 0};
    p.y = brick->low[1] + water->hair;
    double blur = 2 * lamp_width * (brick->high[1] - brick->low[1]);
    /* the pixel's own random number, so that neighbouring pixels share no pattern */
    float noise = (sight->jitter - 0.25f) * 2;
    float lit = water_may_meet(water, p, water->volume.lights.towards, blur) ? water_lit(water, p, noise) : 1;
    float open = water_may_meet(water, p, up, water_near * water->size) ? water_open(water, p, up, noise) : 1;
    rgb shade = rgb_mix(water->shade, (rgb){1, 1, 1}, lit);
    return rgb_scale(rgb_mul(colour, shade), 0.75f + 0.25f * open);
}

/* What the picture owns besides the volume. */
typedef struct water_parts {
    fr_mesh mesh;
    tracer *tracer;
    float *values;
} water_parts;

/* The optical properties of water, or of a liquid of the scene's colour: its absorption is −log of that colour. */
static void water_dye(const fr_look_def *look, water *water)
{
    const double *given = look->liquid_colour;
    bool dyed = given[0] > 0 || given[1] > 0 || given[2] > 0;
    rgb c = dyed ? colour_light(given) : (rgb){0, 0, 0};
    rgb lost = dyed ? (rgb){-logf(c.r + 0.02f), -logf(c.g + 0.02f), -logf(c.b + 0.02f)} : (rgb){3.4f, 0.95f, 0.42f};
    water->body = dyed ? rgb_scale(c, 0.35f) : (rgb){0.006f, 0.075f, 0.145f};
    water->shade = dyed ? rgb_mix((rgb){0.5f, 0.5f, 0.5f}, c, 0.4f) : (rgb){0.42f, 0.56f, 0.64f};
    water->absorption = rgb_scale(lost, (float)((dyed ? 6 : 1) / water->size));
}

static fr_result water_prepare_surface(const fr_frame *frame, const fr_look_def *look, water *water, water_parts *parts)
{
    fr_surface_options options = fr_default_surface();
    options.smoothing = liquid_has_grid(frame) ? -1 : 12;
    FR_TRY(fr_surface_mesh(frame, &options, &parts->mesh));
    FR_TRY(tracer_of_mesh(&parts->mesh, &parts->tracer));
    water_dye(look, water);
    water->clay = palette_colour(look->liquid_colour, 0.70, 0.52, 0.42);
    return FR_OK;
}

static fr_result water_prepare_balls(const fr_frame *frame, const fr_view_def *view, water *water, water_parts *parts)
{
    FR_TRY(colormap_find(view->colormap ? view->colormap : COLORMAP_OF_LIQUIDS, &water->map));
    FR_TRY(liquid_values(frame, view->field, &parts->values));
    water->values = parts->values;
    water->shade = (rgb){0.22f, 0.24f, 0.27f};
    return tracer_of_balls(frame, 0.5 * frame->particle_spacing, &parts->tracer);
}

static fr_result water_prepare(const fr_frame *frame, const fr_scene_def *def, water *water)
{
    const fr_frame *f = frame;
    water->hair = 1e-3 * liquid_spacing(f);
    water->contact = liquid_spacing(f);
    water->size = INFINITY;
    for (int a = 0; a < 3; a++)
        water->size = fmin(water->size, f->cells[a] * f->spacing[a]);
    FR_TRY(brick_create(frame, def, &water->volume.brick));
    return volume_light(&water->volume, frame, def);
}

static fr_result water_draw(const water *water, picture_see see, const fr_image *image)
{
    picture picture;
    FR_TRY(picture_create(&picture, &water->volume.camera, image));
    picture_trace(&picture, see, water);
    picture_write(&picture);
    picture_destroy(&picture);
    return FR_OK;
}

static fr_result water_compose(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, water *water,
                               const fr_image *image)
{
    bool surface = liquid_is_surface(frame, view->field), clear = strcmp(view->field, "liquid") == 0;
    water->sky_lines = clear ? SKY_LINES : SKY_LINES_MATT;
    water_parts parts = {.tracer = NULL};
    fr_result result = water_prepare(frame, def, water);
    if (result == FR_OK)
        result = surface ? water_prepare_surface(frame, &def->look, water, &parts)
                         : water_prepare_balls(frame, view, water, &parts);
    water->tracer = parts.tracer;
    if (result == FR_OK)
        result = water_draw(water, clear ? water_see_surface : water_see_matt, image);
    if (water->tracer)
        tracer_destroy(parts.tracer);
    fr_mesh_destroy(&parts.mesh);
    memory_free(parts.values);
    brick_destroy(&water->volume.brick);
    return result;
}

fr_result water_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                       fr_image *image)
{
    water water = {.tracer = NULL};
    FR_TRY(camera_of_scene(frame, def, &water.volume.camera));
    FR_TRY(range_of_view(frame, view, range, &water.range));
    FR_TRY(image_create(image, water.volume.camera.width, water.volume.camera.height));
    fr_result result = water_compose(frame, def, view, &water, image);
    if (result != FR_OK)
        fr_image_free(image);
    return result;
}
