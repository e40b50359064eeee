/* A 3D picture with one ray per pixel, and more where an outline runs through it. */
#ifndef FR_RENDER_PICTURE_H
#define FR_RENDER_PICTURE_H

#include "render/space/volume.h"

typedef struct picture {
    const camera *camera;
    const fr_image *image;
    rgb *colours;            /* linear light, per pixel */
    uint8_t *surface;        /* id of the surface seen, per pixel; an outline lies where neighbours differ */
} picture;

/* What a ray sees of the scene; called from several threads. */
typedef seen (*picture_see)(const void *scene, const sight *sight);

fr_result picture_create(picture *picture, const camera *camera, const fr_image *image);
void picture_destroy(picture *picture);

void picture_trace(picture *picture, picture_see see, const void *scene);

/* Converts the light to the bytes of the image. */
void picture_write(picture *picture);

#endif
