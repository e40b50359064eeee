#include "render/space/camera.h"

#include "render/space/liquid.h"

enum { CAMERA_LONG_SIDE = 720 };
/* camera_above: the elevation for liquids, higher so that the surface is visible. */
static const double camera_azimuth = 27 * FR_PI / 180, camera_elevation = 9 * FR_PI / 180,
                    camera_above = 20 * FR_PI / 180;
static const double camera_margin = 0.97;      /* fraction of the picture that the domain may fill */

static vec3 camera_corner(const fr_frame *frame, int corner)
{
    double p[3];
    for (int axis = 0; axis < 3; axis++)
        p[axis] = frame->origin[axis] + (corner >> axis & 1) * frame->cells[axis] * frame->spacing[axis];
    return vec3_of(p);
}

static vec3 camera_centre(const fr_frame *frame)
{
    return vec3_scale(vec3_add(camera_corner(frame, 0), camera_corner(frame, 7)), 0.5);
}

static fr_result camera_turn(camera *camera, vec3 target)
{
    camera->forward = vec3_unit(vec3_sub(target, camera->eye));
    if (!(vec3_length(camera->forward) > 0.5))
        return fr_fail_key("camera.target", "the camera's eye and target are the same point; move one of them");
    vec3 up = fabs(camera->forward.y) > 0.9999 ? (vec3){0, 0, -1} : (vec3){0, 1, 0};
    camera->right = vec3_unit(vec3_cross(camera->forward, up));
    camera->up = vec3_cross(camera->right, camera->forward);
    return FR_OK;
}

/* Half the domain's extent along the camera's right and up axes (orthographic). */
static void camera_extent(const camera *camera, const fr_frame *frame, double extent[2])
{
    vec3 centre = camera_centre(frame);
    extent[0] = extent[1] = 0;
    for (int corner = 0; corner < 8; corner++) {
        vec3 p = vec3_sub(camera_corner(frame, corner), centre);
        extent[0] = fmax(extent[0], fabs(vec3_dot(p, camera->right)));
        extent[1] = fmax(extent[1], fabs(vec3_dot(p, camera->up)));
    }
}

static void camera_size(camera *camera, const fr_frame *frame, const fr_look_def *look)
{
    double extent[2];
    camera_extent(camera, frame, extent);
    double aspect = clampd(extent[0] / extent[1], 0.5, 2);
    double side = CAMERA_LONG_SIDE, width = aspect > 1 ? side : side * aspect,
           height = aspect > 1 ? side / aspect : side;
    if (look->width > 0 || look->height > 0) {
        width = look->width > 0 ? look->width : look->height * aspect;
        height = look->height > 0 ? look->height : look->width / aspect;
    }
    camera->width = (int)fmax(1, round(width));
    camera->height = (int)fmax(1, round(height));
}

/* Moves the camera back along its view direction until every corner of the domain is in the picture. */
static void camera_step_back(camera *camera, const fr_frame *frame)
{
    vec3 centre = camera_centre(frame);
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        vec3 p = vec3_sub(camera_corner(frame, corner), centre);
        double need = fmax(fabs(vec3_dot(p, camera->right)) / camera->half_width,
                           fabs(vec3_dot(p, camera->up)) / camera->half_height);
        distance = fmax(distance, need / camera_margin - vec3_dot(p, camera->forward));
    }
    camera->eye = vec3_sub(centre, vec3_scale(camera->forward, distance));
}

fr_result camera_of_scene(const fr_frame *frame, const fr_scene_def *def, camera *camera)
{
    const fr_camera_def *given = &def->camera;
    double fov = given->fov > 0 ? given->fov : 35;
    if (!(fov < 180))
        return fr_fail_key("camera.fov", "the camera's angle is below 180 degrees, not %g", fov);
    double elevation = liquid_is(frame) ? camera_above : camera_elevation;
    vec3 centre = camera_centre(frame),
         away = {sin(camera_azimuth) * cos(elevation), sin(elevation), cos(camera_azimuth) * cos(elevation)};
    camera->eye = given->set ? vec3_of(given->eye) : vec3_add(centre, away);
    FR_TRY(camera_turn(camera, given->set ? vec3_of(given->target) : centre));
    camera_size(camera, frame, &def->look);
    camera->half_height = tan(fov * FR_PI / 360);
    camera->half_width = camera->half_height * camera->width / camera->height;
    if (!given->set)
        camera_step_back(camera, frame);
    return FR_OK;
}

vec3 camera_ray(const camera *camera, double x, double y)
{
    vec3 right = vec3_scale(camera->right, (2 * x / camera->width - 1) * camera->half_width);
    vec3 up = vec3_scale(camera->up, (1 - 2 * y / camera->height) * camera->half_height);
    return vec3_unit(vec3_add(camera->forward, vec3_add(right, up)));
}
