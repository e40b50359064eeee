/* Output files and pictures: output, camera, look, views. */
#include <string.h>

#include <freshet/fields.h>
#include <freshet/method.h>

#include "base/colour_maps.h"
#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"

static const fr_view_def view_usual = {.slice_axis = 2, .slice_at = 0.5};

static fr_result view_field(decoder *d, const key *key, void *target)
{
    return value_field(d, key, fr_method_describe(d->def->method)->views, target);
}

/* The colour maps that scenes may name, in new memory. */
static const choice *view_colormaps(decoder *d)
{
    int count = 0;
    while (colour_maps[count].name)
        count++;
    choice *offered = ARENA_NEW(d->arena, choice, count + 1), *next = offered;
    for (int i = 0; offered && i < count; i++)
        if (colour_maps[i].offered)
            (next++)->name = colour_maps[i].name;
    return offered;
}

static fr_result view_colormap(decoder *d, const key *key_of_map, void *target)
{
    const key with_maps = {.detail = view_colormaps(d)};
    int map;
    if (!with_maps.detail)
        return FR_ERROR_MEMORY;
    FR_TRY(value_choice(d, &with_maps, &map));
    return value_string(d, key_of_map, target);
}

static fr_result view_range(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_view_def *view = target;
    double range[2];
    int found;
    number_list list = {2, 2, "the least and the greatest value: {0, 1}"};
    FR_TRY(decode_numbers(d, &list, range, &found));
    if (!(range[0] < range[1]))
        return decode_fail(d, "%s must rise from the least to the greatest value", d->key);
    view->min = range[0];
    view->max = range[1];
    return FR_OK;
}

static fr_result view_share(decoder *d, const key *key, void *target)
{
    double *share = target;
    FR_TRY(value_number(d, key, share));
    return *share >= 0 && *share <= 1
               ? FR_OK
               : decode_fail(d, "%s must lie between 0 and 1 of the domain, not %g", d->key, *share);
}

static const key slice_keys[] = {{"axis", value_axis, offsetof(fr_view_def, slice_axis), NULL, NULL},
                                 {"at", view_share, offsetof(fr_view_def, slice_at), NULL, NULL},
                                 {0}};
static const key_set slice_set = {"slice", slice_keys, false, false};

static fr_result view_slice(decoder *d, const key *key, void *target)
{
    (void)key;
    if (d->def->domain.dims == 2)
        return decode_fail(d, "%s: a 2D scene has nothing to cut; leave slice out", d->key);
    return decode_keys(d, &slice_set, target);
}

static fr_result view_particles(decoder *d, const key *key, void *target)
{
    bool shown;
    FR_TRY(value_bool(d, key, &shown));
    *(bool *)target = !shown;
    return FR_OK;
}

static fr_result view_surface(decoder *d, const key *key, void *target)
{
    FR_TRY(value_bool(d, key, target));
    if (*(bool *)target && (!fr_method_describe(d->def->method)->has_surface || d->def->domain.dims != 3))
        return decode_fail(d, "%s: only a liquid in 3D has a surface to show values on; leave surface out", d->key);
    return FR_OK;
}

/* What a surface has values of: a number in every cell, or the speed. */
static fr_result view_check_surface(decoder *d, const fr_view_def *view)
{
    static const char *const of_slices[] = {"slice", "arrows", "streamlines", "particles"};
    const fr_field_info *known = fr_field_describe(view->field);
    if (!view->surface)
        return FR_OK;
    for (size_t i = 0; i < sizeof of_slices / sizeof *of_slices; i++)
        if (decode_has(d, of_slices[i]))
            return decode_fail(d, "%s: %s is of slices, and this view is of the surface; leave one of them out", d->key,
                               of_slices[i]);
    bool particles = fr_method_describe(d->def->method)->of_particles;
    bool values = !known || (known->unit && known->location == FR_AT_CELL && !known->derived && !particles);
    if (values || !strcmp(view->field, "speed"))
        return FR_OK;
    return decode_fail(d, "%s: '%s' has no values to show on a surface; draw \"speed\"%s", d->key, view->field,
                       particles ? "" : ", \"temperature\" or another number of cells");
}

static const key view_keys[] = {{"field", view_field, offsetof(fr_view_def, field), NULL, NULL},
                                {"colormap", view_colormap, offsetof(fr_view_def, colormap), NULL, NULL},
                                {"range", view_range, 0, NULL, NULL},
                                {"arrows", value_bool, offsetof(fr_view_def, arrows), NULL, NULL},
                                {"streamlines", value_bool, offsetof(fr_view_def, streamlines), NULL, NULL},
                                {"particles", view_particles, offsetof(fr_view_def, hide_particles), NULL, NULL},
                                {"slice", view_slice, 0, NULL, NULL},
                                {"surface", view_surface, offsetof(fr_view_def, surface), NULL, NULL},
                                {0}};
static const key_set view_set = {"view", view_keys, false, false};

/* Fails if a view of a particle liquid has keys that apply to grid fields only. */
static fr_result view_check_liquid(decoder *d)
{
    static const char *const of_grids[] = {"arrows", "streamlines", "particles", "slice"};
    for (size_t i = 0; i < sizeof of_grids / sizeof *of_grids && fr_method_describe(d->def->method)->of_particles; i++)
        if (decode_has(d, of_grids[i]))
            return decode_fail(d, "%s: %s has no meaning for a liquid of particles, which is shown whole; leave it out",
                               d->key, of_grids[i]);
    return FR_OK;
}

static fr_result view_table(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_view_def *view = target;
    *view = view_usual;
    FR_TRY(decode_expect(d, "view"));
    FR_TRY(decode_keys(d, &view_set, view));
    FR_TRY(view_check_liquid(d));
    if (view->field)
        return view_check_surface(d, view);
    return decode_fail(d, "%s needs a field: view{ field = \"density\" }", d->key);
}

/* An entry of output.images: a view, or a field's name, which uses the view of that field in look.views if there is
   one. */
static fr_result view_or_name(decoder *d, const key *key, void *target)
{
    fr_view_def *view = target;
    if (lua_type(d->lua, -1) != LUA_TSTRING)
        return view_table(d, key, target);
    *view = view_usual;
    FR_TRY(view_field(d, key, &view->field));
    const fr_output_def *output = &d->def->output;
    for (int i = 0; i < output->view_count; i++)
        if (!strcmp(output->views[i].field, view->field)) {
            *view = output->views[i];
            break;
        }
    return FR_OK;
}

/* Picture files are named by field, so two views of one field would overwrite each other. */
static fr_result view_check_names(decoder *d, const fr_view_def *views, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(views[i].field, views[k].field) && views[i].surface == views[k].surface)
                return decode_fail(d, "%s shows '%s' twice; its pictures are named after the field", d->key,
                                   views[i].field);
    return FR_OK;
}

static fr_result view_list(decoder *d, decode_value element)
{
    fr_output_def *output = &d->def->output;
    const list_spec spec = {"view{ field = \"density\" }", sizeof(fr_view_def), element};
    const fr_view_def *views;
    int count;
    FR_TRY(decode_list(d, &spec, &views, &count));
    if (count > 64)
        return decode_fail(d, "%s has %d views; the limit is 64", d->key, count);
    FR_TRY(view_check_names(d, views, count));
    output->views = views;
    output->view_count = count;
    return FR_OK;
}

static fr_result output_images(decoder *d, const key *key, void *target)
{
    (void)target;
    fr_output_def *output = &d->def->output;
    if (lua_isboolean(d->lua, -1))
        return value_bool(d, key, &output->images);
    if (!lua_istable(d->lua, -1) || constructor_of(d->lua, -1, NULL))
        return decode_fail_type(d, "true, false or a list such as { \"density\", view{ field = \"speed\" } }");
    FR_TRY(view_list(d, view_or_name));
    output->images = output->view_count > 0;
    return FR_OK;
}

static fr_result output_mesh(decoder *d, const key *key, void *target)
{
    static const choice formats[] = {{"ply", 0}, {"obj", 1}, {NULL, 0}};
    const struct key with_formats = {.detail = formats};
    int format;
    FR_TRY(value_choice(d, &with_formats, &format));
    if (!fr_method_describe(d->def->method)->has_surface || d->def->domain.dims != 3)
        return decode_fail(d, "%s: only a liquid in 3D has a surface to write; leave mesh out", d->key);
    return value_string(d, key, target);
}

#define OUTPUT(member) offsetof(fr_scene_def, output.member)
static const key output_keys[] = {{"dir", value_string, OUTPUT(dir), NULL, NULL},
                                  {"cache", value_bool, OUTPUT(cache), NULL, NULL},
                                  {"npy", value_bool, OUTPUT(npy), NULL, NULL},
                                  {"vtk", value_bool, OUTPUT(vtk), NULL, NULL},
                                  {"video", value_bool, OUTPUT(video), NULL, NULL},
                                  {"images", output_images, 0, NULL, NULL},
                                  {"every", value_integer, OUTPUT(every), NULL, "frames"},
                                  {"vdb", value_unbuilt, 0, NULL, NULL},
                                  {"mesh", output_mesh, OUTPUT(mesh), NULL, NULL},
                                  {"tetrahedra", value_integer, OUTPUT(tetrahedra), NULL, NULL},
                                  {"pov", value_unbuilt, 0, NULL, NULL},
                                  {0}};
static const key_set output_set = {"output", output_keys, false, false};

fr_result value_output(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_output_def *output = &d->def->output;
    FR_TRY(decode_keys(d, &output_set, target));
    if (output->video && decode_has(d, "images") && !output->images)
        return decode_fail(d, "output.video is made of pictures; leave images = false out");
    output->images = output->images || output->video;
    return FR_OK;
}

static const key camera_keys[] = {{"eye", value_point, offsetof(fr_camera_def, eye), NULL, "m"},
                                  {"target", value_point, offsetof(fr_camera_def, target), NULL, "m"},
                                  {"fov", value_positive, offsetof(fr_camera_def, fov), NULL, "degrees"},
                                  {0}};
static const key_set camera_set = {"camera", camera_keys, false, false};

fr_result value_camera(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_camera_def *camera = target;
    if (d->def->domain.dims == 2)
        return decode_fail(d, "camera: a 2D scene is shown flat; leave camera out");
    FR_TRY(decode_keys(d, &camera_set, camera));
    if (!decode_has(d, "eye"))
        return decode_fail(d, "camera needs eye = {x, y, z} in metres");
    const fr_method_info *info = fr_method_describe(d->def->method);
    if (strcmp(info->place_key, "domain") && !decode_has(d, "target"))
        return decode_fail(
            d, "camera needs a target = {x, y, z} in metres: a %s has no domain whose middle it could look at",
            info->name);
    for (int a = 0; a < 3 && !decode_has(d, "target"); a++)
        camera->target[a] = d->def->domain.origin[a] + 0.5 * d->def->domain.size[a];
    if (!memcmp(camera->eye, camera->target, sizeof camera->eye))
        return decode_fail(d, "camera.eye and camera.target are the same point");
    if (!(camera->fov < 180))
        return decode_fail(d, "camera.fov must be less than 180 degrees, not %g", camera->fov);
    camera->set = true;
    return FR_OK;
}

static fr_result look_background(decoder *d, const key *key, void *target)
{
    fr_look_def *look = target;
    look->background_set = true;
    return value_colour(d, key, look->background);
}

static fr_result look_pixels(decoder *d, const key *key, void *target)
{
    int *pixels = target;
    FR_TRY(value_integer(d, key, pixels));
    return *pixels >= 16 && *pixels <= 8192
               ? FR_OK
               : decode_fail(d, "%s must lie between 16 and 8192 pixels, not %d", d->key, *pixels);
}

/* The direction of the light has three numbers in 2D too. */
static fr_result look_light(decoder *d, const key *key, void *target)
{
    (void)key;
    int found;
    double *light = target;
    number_list list = {3, 3, "a direction {x, y, z} towards the light"};
    FR_TRY(decode_numbers(d, &list, light, &found));
    return light[0] != 0 || light[1] != 0 || light[2] != 0 ? FR_OK : decode_fail(d, "%s must not be zero", d->key);
}

/* inks = { blue = {0, 0, 1}, … }: colours by scalar. */
static fr_result look_inks(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_look_def *look = target;
    int known = 0;
    struct key scalars[80];
    for (const char *name; known < 79 && (name = decode_scalar_name(d, known)); known++)
        scalars[known] = (struct key){name, value_colour,
                                      offsetof(fr_ink_look, colour) + sizeof(fr_ink_look) * (size_t)known, NULL, NULL};
    scalars[known] = (struct key){0};
    fr_ink_look *inks = ARENA_NEW(d->arena, fr_ink_look, known);
    if (!inks)
        return FR_ERROR_MEMORY;
    const key_set set = {"look.inks", scalars, false, false};
    FR_TRY(decode_keys(d, &set, inks));
    int count = 0;
    for (int i = 0; i < known; i++)
        if (decode_has(d, scalars[i].name)) {
            inks[count] = inks[i];
            inks[count++].scalar = scalars[i].name;
        }
    look->inks = inks;
    look->ink_count = count;
    return FR_OK;
}

static const key smoke_look_keys[] = {
    {"colour", value_colour, offsetof(fr_look_def, smoke_colour), NULL, NULL},
    {"opacity", value_not_negative, offsetof(fr_look_def, smoke_opacity), NULL, "1/m"},
    {"glow", value_not_negative, offsetof(fr_look_def, glow), NULL, NULL},
    {"glow_temperature", value_not_negative, offsetof(fr_look_def, glow_temperature), NULL, "K"},
    {0}};
static const key_set smoke_look_set = {"look.smoke", smoke_look_keys, false, false};
static const key obstacle_look_keys[] = {{"colour", value_colour, offsetof(fr_look_def, obstacle_colour), NULL, NULL},
                                         {0}};
static const key_set obstacle_look_set = {"look.obstacle", obstacle_look_keys, false, false};

static const key particle_look_keys[] = {{"colour", value_colour, offsetof(fr_look_def, particle_colour), NULL, NULL},
                                         {"size", value_positive, offsetof(fr_look_def, particle_size), NULL, "pixels"},
                                         {0}};
static const key_set particle_look_set = {"look.particles", particle_look_keys, false, false};

static fr_result look_views(decoder *d, const key *key, void *target)
{
    (void)key, (void)target;
    return view_list(d, view_table);
}

static const key look_keys[] = {{"background", look_background, 0, NULL, NULL},
                                {"smoke", value_keys, 0, &smoke_look_set, NULL},
                                {"obstacle", value_keys, 0, &obstacle_look_set, NULL},
                                {"liquid", value_keys, 0, &decode_liquid_look, NULL},
                                {"particles", value_keys, 0, &particle_look_set, NULL},
                                {"light", look_light, offsetof(fr_look_def, light), NULL, NULL},
                                {"inks", look_inks, 0, NULL, NULL},
                                {"width", look_pixels, offsetof(fr_look_def, width), NULL, "pixels"},
                                {"height", look_pixels, offsetof(fr_look_def, height), NULL, "pixels"},
                                {"views", look_views, 0, NULL, NULL},
                                {0}};
static const key_set look_set = {"look", look_keys, false, false};

fr_result value_look(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    return decode_keys(d, &look_set, &def->look);
}
