/* Pictures in memory. */
#ifndef FR_RENDER_DRAW_IMAGE_H
#define FR_RENDER_DRAW_IMAGE_H

#include <freshet/render.h>

enum { IMAGE_MOST = 16384 };   /* pixels along one side */

/* A black picture; sides from 1 to IMAGE_MOST. */
fr_result image_create(fr_image *image, int width, int height);

static inline uint8_t *image_pixel(const fr_image *image, int x, int y)
{
    return image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

#endif
