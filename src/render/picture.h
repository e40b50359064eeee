/* A 3D picture from one line of sight for every pixel, more where an outline runs through it. */
#ifndef FR_RENDER_PICTURE_H
#define FR_RENDER_PICTURE_H

#include "render/space/volume.h"

typedef struct picture {
    const camera *camera;
    const fr_image *image;
    rgb *colours;            /* linear light, one a pixel */
    uint8_t *surface;        /* what is seen there: where neighbours differ is an outline */
} picture;

/* What a scene looks like along a line of sight; called from several threads. */
typedef seen (*picture_see)(const void *scene, const sight *sight);

fr_result picture_create(picture *picture, const camera *camera, const fr_image *image);
void picture_destroy(picture *picture);

void picture_trace(picture *picture, picture_see see, const void *scene);

/* Light to the bytes of the image. */
void picture_write(picture *picture);

#endif
