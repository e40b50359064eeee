/* How the command line speaks of methods. */
#ifndef KIT_METHOD_H
#define KIT_METHOD_H

#include "cli.h"

/* What makes a run smaller, as advice: "use fewer cells (--res)". */
const char *method_coarser(const fr_scene_def *def, const fr_estimate *estimate);

#endif
