#include "render/flat/ground.h"

#include "base/vec.h"

/* Strength of the hill-shading: the relative brightening of a slope that faces the light at the upper left and rises by
   the bed's whole height over the river's width. */
static const double shade = 0.3;

fr_result ground_create(const flat *flat, ground *out)
{
    *out = (ground){.flat = flat};
    bool dark = flat->palette.dark;
    out->deep = colour_light(dark ? (double[3]){0.03, 0.07, 0.11} : (double[3]){0.74, 0.84, 0.90});
    out->shallow = colour_light(dark ? (double[3]){0.17, 0.22, 0.22} : (double[3]){0.95, 0.94, 0.89});
    bool seen = flat->kind == FLAT_INKS || flat->kind == FLAT_PLAIN;
    if (!seen || !flat->bend.node || !fr_frame_field(flat->frame, "bed"))
        return FR_OK;
    FR_TRY(plane_extract(flat->frame, "bed", &flat->cut, &out->bed));
    double high = -INFINITY;
    out->low = INFINITY;
    for (int n = 0; n < out->bed.n[0] * out->bed.n[1]; n++) {
        out->low = fmin(out->low, (double)out->bed.data[n]);
        high = fmax(high, (double)out->bed.data[n]);
    }
    out->height = high - out->low;
    if (!(out->height > 0) || !isfinite(out->height))
        plane_free(&out->bed);
    return FR_OK;
}

void ground_destroy(ground *ground)
{
    plane_free(&ground->bed);
}

rgb ground_at(const ground *ground, const double at[2])
{
    const flat *flat = ground->flat;
    if (!ground->bed.data)
        return flat->palette.background;
    double slope[2], share = (plane_cubic(&ground->bed, at[0], at[1]) - ground->low) / ground->height;
    plane_slope(&ground->bed, at, slope);
    bend_slope(&flat->bend, at, slope, slope);
    double facing = (slope[0] + slope[1]) / sqrt(2) * flat->bend.width / ground->height; /* y is down in a picture */
    rgb colour = rgb_mix(ground->deep, ground->shallow, (float)clampd(share, 0, 1));
    return isfinite(facing) ? rgb_scale(colour, (float)(1 + shade * tanh(facing))) : colour;
}
