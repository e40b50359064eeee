#include "base/colour_maps.h"

#include <stddef.h>
#include <string.h>

/* The colours are samples of the published perceptual maps of the same names; "smoke" is our own. */
const colour_map colour_maps[] = {
    {"viridis", true, {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}},
    {"magma", true, {0x000004, 0x1d1147, 0x51127c, 0x832681, 0xb73779, 0xe75263, 0xfc8961, 0xfec488, 0xfcfdbf}},
    {"inferno", true, {0x000004, 0x210c4a, 0x57106e, 0x8a226a, 0xbc3754, 0xe45a31, 0xf98e09, 0xf9cb35, 0xfcffa4}},
    {"coolwarm", true, {0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf4987a, 0xde604d, 0xb40426}},
    {"gray", true, {0x000000, 0x202020, 0x404040, 0x606060, 0x808080, 0x9f9f9f, 0xbfbfbf, 0xdfdfdf, 0xffffff}},
    {"smoke", false, {0x0d1016, 0x232933, 0x3c4450, 0x586270, 0x768190, 0x96a1ae, 0xb8c1ca, 0xdae0e6, 0xfbfcfd}},
    {NULL, false, {0}},
};

const colour_map *colour_map_named(const char *name)
{
    for (const colour_map *map = colour_maps; map->name; map++)
        if (!strcmp(map->name, name))
            return map;
    return NULL;
}
