#include "render/space/water.h"

#include <math.h>

#include "base/memory.h"
#include "render/draw/image.h"
#include "render/draw/palette.h"
#include "render/draw/range.h"
#include "render/flat/flat.h"
#include "render/picture.h"
#include "render/space/liquid.h"

#include <string.h>

/* Ambient occlusion counts only what is nearer than this fraction of the domain's shortest side. */
static const double water_near = 0.4;
/* How much of lava's glow the studio's floor reflects. */
static const float floor_albedo = 0.22f;

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
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, (brick->low[1] - sight->from.y) / sight->along.y));
    p.y = brick->low[1] + water->hair;
    double blur = 2 * rays_lamp * (brick->high[1] - brick->low[1]);
    bool shadow = water_may_meet(water, p, water->volume.lights.towards, blur);
    float lit = shadow ? rays_lit(&water->light, p, sight_noise(sight)) : 1;
    rgb shade = rgb_mix(water->dye.shade, (rgb){1, 1, 1}, lit);
    rgb floor = rgb_scale(rgb_mul(colour, shade), 0.75f + 0.25f * floor_map_at(&water->bake.floor, p));
    return rgb_add(floor, rgb_scale(glow_at(&water->glow, p, (vec3){0, 1, 0}), floor_albedo));
}

/* How wet a body is at a point in the air: along a ragged line just above the liquid. */
static float water_wets(const water *water, const hard *hit, vec3 p)
{
    const placed_body *body = &water->volume.bodies.list[hit->body];
    const double high = 2.5 * water->contact, ragged = 1 / high;
    vec3 from = vec3_add(p, vec3_scale(hit->normal, 0.3 * water->contact)), own = body_point(body, p);
    tracer_hit below;
    tracer_line down = {from, {0, -1, 0}, 0, high};
    if (!tracer_find(water->tracer, &down, &below))
        return 0;
    down.most = below.distance;
    if (tracer_is_blocked(water->volume.bodies.tracer, &down))
        return 0;
    const float place[3] = {(float)(ragged * own.x), (float)(ragged * own.y), (float)(ragged * own.z)};
    double share = 1 - below.distance / high + 0.3 * (double)pattern_noise(place);
    return (float)clampd(4 * share, 0, 1);
}

/* What the liquid does to a body: it takes light from it, or makes it wet. All light below clear liquid has come
   through it. */
static hard_wet water_on_body(const water *water, const sight *sight, const hard *hit, bool under)
{
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, hit->distance));
    vec3 out = vec3_add(p, vec3_scale(hit->normal, water->hair)), towards = water->volume.lights.towards;
    if (!material_is_clear(water->material)) {
        float lit = rays_lit(&water->light, out, sight_noise(sight));
        return (hard_wet){.key = {lit, lit, lit}};
    }
    bool shade = under || tracer_is_blocked(water->tracer, &(tracer_line){out, towards, water->hair, INFINITY});
    return (hard_wet){.key = shade ? water->dye.shade : (rgb){1, 1, 1},
                      .wet = under ? 0 : water_wets(water, hit, p),
                      .under = under};
}

rgb water_hard(const water *water, const sight *sight, const hard *hit, bool under)
{
    hard_wet wet = {.under = under};
    if (hit->body >= 0)
        wet = water_on_body(water, sight, hit, under);
    rgb colour = hard_shade(&water->volume, sight, hit, &wet);
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, hit->distance));
    vec3 normal = hit->body < 0 ? vec3_scale(sight->along, -1) : hit->normal;
    rgb glow = glow_at(&water->glow, p, normal);
    return rgb_add(colour, rgb_mul(water->volume.obstacle, glow));
}

/* What the picture owns besides the volume. */
typedef struct water_parts {
    fr_mesh mesh;
    tracer *tracer;
    float *values;
} water_parts;

/* The material that a picture shows: false colours and "clay" are matt, whatever the liquid is made of. */
static fr_material water_material(const fr_look_def *look, const fr_view_def *view)
{
    bool matt = view->surface || strcmp(view->field, "liquid") != 0;
    return matt ? FR_MATERIAL_CLAY : look->liquid_material;
}

static fr_result water_find_values(const fr_frame *frame, const fr_view_def *view, const fr_mesh *mesh, float **values)
{
    *values = MEMORY_NEW(float, mesh->vertex_count + 1);
    if (!*values)
        return FR_ERROR_MEMORY;
    if (strcmp(view->field, "speed") != 0)
        return fr_surface_values(frame, mesh, view->field, *values);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *u = mesh->velocity[v];
        (*values)[v] = sqrtf(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return FR_OK;
}

/* Values as shares of the range, between which colours are interpolated. */
static void water_take_shares(water *water, float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = range_share(&water->range, water->decades, (double)values[i]);
    water->values = values;
}

static fr_result water_prepare_values(const fr_frame *frame, const fr_view_def *view, water *water, water_parts *parts)
{
    const char *map = view->colormap ? view->colormap : range_look(frame, view->field)->colormap;
    FR_TRY(colormap_find(map, &water->map));
    FR_TRY(water_find_values(frame, view, &parts->mesh, &parts->values));
    water->decades = range_is_in_decades(frame, view->field, &water->range);
    water_take_shares(water, parts->values, parts->mesh.vertex_count);
    return FR_OK;
}

static fr_result water_prepare_surface(const fr_frame *frame, const fr_view_def *view, water *water, water_parts *parts)
{
    fr_surface_options options = fr_default_surface();
    options.smoothing = liquid_has_grid(frame) ? -1 : 12;
    if (frame->body_count > 0)
        options.overlap = 1; /* bodies hide where it ends: the surface shall not bend before it meets them */
    FR_TRY(fr_surface_mesh(frame, &options, &parts->mesh));
    FR_TRY(tracer_of_mesh(&parts->mesh, &parts->tracer));
    water->mesh = &parts->mesh;
    if (parts->mesh.colours)
        water->dye.shade = (rgb){0.45f, 0.45f, 0.45f}; /* of several colours */
    if (water->material == FR_MATERIAL_LAVA)
        FR_TRY(glow_create(frame, &parts->mesh, &water->glow));
    return view->surface ? water_prepare_values(frame, view, water, parts) : FR_OK;
}

static fr_result water_prepare_balls(const fr_frame *frame, const fr_view_def *view, water *water, water_parts *parts)
{
    FR_TRY(colormap_find(view->colormap ? view->colormap : COLORMAP_OF_LIQUIDS, &water->map));
    FR_TRY(liquid_values(frame, view->field, &parts->values));
    water_take_shares(water, parts->values, frame->particle_count);
    water->dye.shade = (rgb){0.22f, 0.24f, 0.27f};
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
    return volume_prepare(&water->volume, frame, def);
}

/* Once there are tracers. */
static void water_set_rays(water *water)
{
    const tracer *bodies = water->volume.bodies.tracer;
    water->light = (rays){.blocks = {water->tracer, NULL},
                          .towards = water->volume.lights.towards,
                          .hair = water->hair,
                          .near = water_near * water->size};
    water->all = water->light;
    water->all.blocks[1] = bodies;
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

/* Lava shines in the dark. */
static fr_scene_def water_dim(const fr_scene_def *def)
{
    static const double night[3] = {0.16, 0.165, 0.18};
    fr_scene_def dim = *def;
    for (int i = 0; i < 3 && !def->look.background_set; i++)
        dim.look.background[i] = night[i];
    dim.look.background_set = true;
    return dim;
}

/* The lamps of the studio, where lava is the light. */
static void water_turn_down(volume *volume)
{
    const float share = 0.3f;
    lights *lights = &volume->lights;
    volume->ambient = rgb_scale(volume->ambient, share);
    lights->key = rgb_scale(lights->key, share);
    lights->sky = rgb_scale(lights->sky, share);
    lights->ground = rgb_scale(lights->ground, share);
}

static fr_result water_prepare_all(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view,
                                   water *water, water_parts *parts)
{
    bool surface = view->surface || liquid_is_surface(frame, view->field);
    bool lava = surface && water_material(&def->look, view) == FR_MATERIAL_LAVA;
    const fr_scene_def shown = lava ? water_dim(def) : *def;
    FR_TRY(water_prepare(frame, &shown, water));
    water->material = surface ? water_material(&def->look, view) : FR_MATERIAL_CLAY;
    material_prepare(&def->look, water);
    if (lava)
        water_turn_down(&water->volume);
    const fr_frame *joined = &water->volume.bodies.joined;
    FR_TRY(surface ? water_prepare_surface(joined, view, water, parts)
                   : water_prepare_balls(joined, view, water, parts));
    water->tracer = parts->tracer;
    water_set_rays(water);
    return bake_create(water, &water->bake);
}

/* The colour bar of false colours, where the picture has room for it. */
static fr_result water_label(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view,
                             const water *water, fr_image *image)
{
    enum { LEAST_WIDTH = 240, LEAST_HEIGHT = 160 };
    if (image->width < LEAST_WIDTH || image->height < LEAST_HEIGHT)
        return FR_OK;
    flat legend = {.kind = FLAT_FIELD,
                   .frame = frame,
                   .def = def,
                   .view = view,
                   .range = water->range,
                   .decades = water->decades,
                   .map = water->map,
                   .palette = palette_of_look(&def->look),
                   .plot = {0, image->height / 5, image->width, image->height - image->height / 5}};
    legend.text = clampd(round(0.012 * image->width), 9, 40);
    float ink = colour_luminance(water->volume.background) < 0.2f ? 0.85f : 0.02f;
    legend.palette.text = (rgb){ink, ink, ink};
    FR_TRY(range_clips(frame, view, &water->range, legend.clipped));
    canvas canvas;
    FR_TRY(canvas_create(&canvas, image));
    flat_legend(&legend, &canvas);
    canvas_destroy(&canvas);
    return FR_OK;
}

static fr_result water_compose(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, water *water,
                               fr_image *image)
{
    water_parts parts = {.tracer = NULL};
    fr_result result = water_prepare_all(frame, def, view, water, &parts);
    bool clear = material_is_clear(water->material);
    if (result == FR_OK)
        result = water_draw(water, clear ? water_see_surface : water_see_matt, image);
    if (result == FR_OK && view->surface)
        result = water_label(frame, def, view, water, image);
    if (parts.tracer)
        tracer_destroy(parts.tracer);
    bake_destroy(&water->bake);
    glow_destroy(&water->glow);
    fr_mesh_destroy(&parts.mesh);
    memory_free(parts.values);
    volume_destroy(&water->volume);
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
