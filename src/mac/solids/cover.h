/* Which samples of a field a placed shape covers. */
#ifndef FR_MAC_SOLIDS_COVER_H
#define FR_MAC_SOLIDS_COVER_H

#include "mac/model.h"

/* Samples of `layout` (a field of the domain) whose distance to the shape is under half a cell, in row order, with the
   share covered: 1 deep inside, 0.5 on the surface, 0 half a cell outside. */
fr_result cover_create(const shape *s, const domain *d, const field *layout, model_cover *out);
void cover_destroy(model_cover *cover);

/* The share of the domain that the shape's bounding box takes: an upper bound for what it covers. */
double cover_share_of_domain(const shape *s, const domain *d);

/* Fails with `key` when the shape lies wholly outside the domain. */
fr_result cover_check_inside(const shape *s, const domain *d, const char *key);

#endif
