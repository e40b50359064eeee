/* Wording that depends on the method. */
#ifndef KIT_METHOD_H
#define KIT_METHOD_H

#include "cli.h"

/* Advice for making a run smaller: "use fewer cells (--res)". */
const char *method_coarser(const fr_scene_def *def, const fr_estimate *estimate);

#endif
