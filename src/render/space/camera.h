/* The camera of a 3D picture. */
#ifndef FR_RENDER_SPACE_CAMERA_H
#define FR_RENDER_SPACE_CAMERA_H

#include "base/vec.h"

#include <freshet/defs.h>
#include <freshet/frame.h>

typedef struct camera {
    vec3 eye, right, up, forward;
    double half_width, half_height;   /* of the image plane at distance 1 */
    int width, height;                /* pixels */
} camera;

/* The scene's camera, or a default from the right and slightly above that shows the whole domain. */
fr_result camera_of_scene(const fr_frame *frame, const fr_scene_def *def, camera *camera);

/* Unit direction of the ray through a position in the picture, in pixels from its upper left corner. */
vec3 camera_ray(const camera *camera, double x, double y);

#endif
