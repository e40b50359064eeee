#include "sph/friction/tensor.h"

hats_tensor hats_tensor_inverse(hats_tensor t)
{
    double xx = t.own[0], yy = t.own[1], zz = t.own[2], xy = t.mixed[0], xz = t.mixed[1], yz = t.mixed[2];
    double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy, all = xx * cx + xy * cy + xz * cz,
           per = all > 0 ? 1 / all : 0;
    return (hats_tensor){{cx * per, (xx * zz - xz * xz) * per, (xx * yy - xy * xy) * per, 0},
                         {cy * per, cz * per, (xy * xz - xx * yz) * per, 0}};
}
