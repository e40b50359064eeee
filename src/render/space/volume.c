#include "render/space/volume.h"

#include "render/flat/dots.h"
#include "render/draw/image.h"
#include "render/space/liquid.h"
#include "render/draw/palette.h"
#include "render/picture.h"

static float volume_smooth(double v)
{
    double t = clampd(v, 0, 1);
    return (float)(t * t * (3 - 2 * t));
}

/* Light that reaches the floor at p; 1 without shadow. */
static float backdrop_floor(const volume *volume, vec3 p)
{
    const brick *brick = &volume->brick;
    const lights *lights = &volume->lights;
    double range[2];
    sight up = {.from = {p.x, p.y + 1e-3 * brick->spacing[1], p.z}, .along = lights->towards};
    float shadow = 1;
    if (lights->towards.y > 0.02 && sight_cross(&up, brick->low, brick->high, range))
        shadow = expf(-light_depth_at(brick, brick->light, vec3_add(up.from, vec3_scale(up.along, range[0] + 1e-6))));
    shadow *= floor_map_at(&volume->floor, p);
    /* the shadow from the sky is unknown beyond the domain, so it fades out towards the sides */
    double side = fmin(fmin(p.x - brick->low[0], brick->high[0] - p.x) / (brick->high[0] - brick->low[0]),
                       fmin(p.z - brick->low[2], brick->high[2] - p.z) / (brick->high[2] - brick->low[2]));
    float above = expf(-0.22f * light_depth_at(brick, brick->sky, up.from) * volume_smooth(side / 0.3));
    return 0.68f * shadow + 0.32f * above;
}

rgb backdrop_colour(const volume *volume, const sight *sight)
{
    const brick *brick = &volume->brick;
    double dx = (sight->x - 0.5) * volume->camera.width / volume->camera.height, dy = sight->y - 0.46;
    float glow = volume_smooth(1 - sqrt(dx * dx + dy * dy) / 0.95);
    rgb colour = rgb_scale(volume->background, 0.42f + 0.95f * glow);
    double floor = brick->low[1];
    if (sight->along.y > -1e-6 || sight->from.y <= floor)
        return colour;
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, (floor - sight->from.y) / sight->along.y));
    double width = brick->high[0] - brick->low[0], depth = brick->high[2] - brick->low[2], size = fmax(width, depth);
    double away = hypot(p.x - brick->low[0] - width / 2, p.z - brick->low[2] - depth / 2) / size;
    /* a bright spot on the floor around the scene, fading into the backdrop */
    float pool = 1 + 0.55f * expf((float)(-away * away * 0.9));
    float lit = backdrop_floor(volume, p), fade = 1 - volume_smooth((away - 1.5) / 2.5);
    return rgb_scale(colour, 1 + fade * (lit * pool - 1));
}

static seen volume_see(const void *scene, const sight *sight)
{
    const volume *volume = scene;
    double range[2];
    hard hit = {.surface = 0};
    seen seen = {.surface = 0};
    bool found = hard_find(volume, sight, &hit);
    bool inside = sight_cross(sight, volume->brick.low, volume->brick.high, range);
    seen.surface = hit.surface;
    if (inside && found)
        range[1] = fmin(range[1], hit.distance);
    marched smoke = {{0, 0, 0}, 1};
    if (inside && range[0] < range[1])
        smoke = march_smoke(&volume->brick, sight, range);
    rgb behind = {0, 0, 0};
    if (smoke.through > 0)
        behind = found ? hard_shade(volume, sight, &hit, NULL) : backdrop_colour(volume, sight);
    seen.colour = rgb_add(smoke.light, rgb_scale(behind, smoke.through));
    return seen;
}

/* `dots`: the frame whose particles are shown, or NULL. */
static fr_result volume_draw(const volume *volume, const fr_frame *dots, const fr_look_def *look, const fr_image *image)
{
    picture picture;
    FR_TRY(picture_create(&picture, &volume->camera, image));
    picture_trace(&picture, volume_see, volume);
    fr_result result = dots ? dots_in_volume(volume, dots, look, picture.colours) : FR_OK;
    if (result == FR_OK)
        picture_write(&picture);
    picture_destroy(&picture);
    return result;
}

/* Lights and colours. */
static void volume_choose(volume *volume, const fr_frame *frame, const fr_scene_def *def)
{
    static const double studio[3] = {0.20, 0.225, 0.265}, bright[3] = {0.64, 0.675, 0.70};
    const fr_look_def *look = &def->look;
    volume->lights = lights_of_look(look);
    volume->background = colour_light(look->background_set ? look->background : liquid_is(frame) ? bright : studio);
    volume->obstacle = palette_colour(look->obstacle_colour, 0.62, 0.60, 0.57);
    volume->ambient = liquid_is(frame) ? (rgb){0.40f, 0.43f, 0.48f} : rgb_scale(volume->lights.sky, 1.5f);
}

static fr_result volume_light(volume *volume, const fr_frame *frame, const fr_scene_def *def)
{
    const fr_look_def *look = &def->look;
    FR_TRY(light_brick(&volume->brick, &volume->lights, volume->camera.eye));
    const fr_field *temperature = fr_frame_field(frame, "temperature");
    if (look->glow > 0 && temperature) {
        light_glow glow = {look->glow, def->smoke.ambient, look->glow_temperature > 0 ? look->glow_temperature : 1000};
        FR_TRY(light_add_glow(&volume->brick, temperature, &glow));
    }
    brick_find_blocks(&volume->brick);
    return FR_OK;
}

/* In smoke bodies cast their shadows as obstacles do, by voxels; liquids have none, and there rays find them. */
static fr_result volume_add_bodies(volume *volume, const fr_scene_def *def)
{
    const fr_frame *joined = &volume->bodies.joined, *drawn = &volume->bodies.drawn;
    const double *h = joined->spacing;
    volume->swept = !liquid_is(joined);
    FR_TRY(brick_create(volume->swept ? joined : drawn, def, &volume->brick));
    if (volume->swept)
        FR_TRY(brick_set_obstacles(&volume->brick, fr_frame_field(drawn, "solid")));
    FR_TRY(cast_trace(&volume->bodies));
    volume->shadows = (rays){.blocks = {volume->bodies.tracer, NULL},
                             .towards = volume->lights.towards,
                             .hair = 1e-3 * fmin(h[0], fmin(h[1], h[2]))};
    return volume->swept ? FR_OK : floor_shadow_create(volume, &volume->floor);
}

fr_result volume_prepare(volume *volume, const fr_frame *frame, const fr_scene_def *def)
{
    FR_TRY(cast_create(frame, def, &volume->bodies));
    volume_choose(volume, frame, def);
    FR_TRY(frame->body_count > 0 ? volume_add_bodies(volume, def) : brick_create(frame, def, &volume->brick));
    return volume_light(volume, frame, def);
}

void volume_destroy(volume *volume)
{
    brick_destroy(&volume->brick);
    cast_destroy(&volume->bodies);
    floor_map_destroy(&volume->floor);
}

fr_result volume_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, fr_image *image)
{
    volume volume = {.swept = false};
    FR_TRY(camera_of_scene(frame, def, &volume.camera));
    FR_TRY(image_create(image, volume.camera.width, volume.camera.height));
    fr_result result = volume_prepare(&volume, frame, def);
    if (result == FR_OK)
        result = volume_draw(&volume, frame->has_particles && !view->hide_particles ? frame : NULL, &def->look, image);
    volume_destroy(&volume);
    if (result != FR_OK)
        fr_image_free(image);
    return result;
}
