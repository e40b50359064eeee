/* What pictures make of a body: its material. */
#include "scene/decode/decode.h"

static const choice body_materials[] = {{"wood", FR_BODY_WOOD},   {"stone", FR_BODY_STONE}, {"metal", FR_BODY_METAL},
                                        {"paint", FR_BODY_PAINT}, {"plain", FR_BODY_PLAIN}, {NULL, 0}};

fr_result value_body_material(decoder *d, const key *of_material, void *target)
{
    (void)of_material;
    const key with_choices = {.detail = body_materials};
    int choice;
    FR_TRY(value_choice(d, &with_choices, &choice));
    *(fr_body_material *)target = (fr_body_material)choice;
    return FR_OK;
}
