#include "grid/tensor/tensor.h"

fr_result tensor_create(const domain *d, const tensor_side sides[6], tensor *out)
{
    *out = (tensor){.domain = *d};
    fr_result result = FR_OK;
    for (int side = 0; side < 6; side++)
        out->sides[side] = sides[side];
    for (int a = 0; a < d->dims && result == FR_OK; a++)
        result = field_create(d, field_face(a), &out->weight[a]);
    for (int along = d->dims == 3 ? 0 : 2; along < 3 && result == FR_OK; along++)
        result = field_create(d, FR_AT_CELL, &out->cross[along]);
    if (result != FR_OK)
        tensor_destroy(out);
    return result;
}

void tensor_destroy(tensor *t)
{
    for (int a = 0; a < 3; a++) {
        field_destroy(&t->weight[a]);
        field_destroy(&t->cross[a]);
    }
}
