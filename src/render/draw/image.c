#include "render/draw/image.h"

#include "base/memory.h"

fr_result image_create(fr_image *image, int width, int height)
{
    *image = (fr_image){0, 0, NULL};
    if (width < 1 || height < 1 || width > IMAGE_MOST || height > IMAGE_MOST)
        return fr_fail_key("look.width", "a picture of %d × %d pixels cannot be made; its sides may have 1 to %d",
                           width, height, IMAGE_MOST);
    uint8_t *pixels = MEMORY_NEW(uint8_t, (size_t)width * (size_t)height * 3);
    if (!pixels)
        return FR_ERROR_MEMORY;
    *image = (fr_image){width, height, pixels};
    return FR_OK;
}

void fr_image_free(fr_image *image)
{
    memory_free(image->pixels);
    *image = (fr_image){0, 0, NULL};
}
