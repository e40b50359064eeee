/* Probes of a scene into probes.csv: time, probe, x, y, z, then one column per field that any probe names.

   A probe with `every` is sampled in the initial state and then at the end of the first sub-step at or past each
   multiple of `every`; the time written is that of the sample. Which steps are sampled follows from the times
   alone, so a resumed run writes the same rows. */
#ifndef RUN_PROBES_H
#define RUN_PROBES_H

#include "cli.h"

/* Samples what is due after a step from `before` to the world's present time (before < 0: the initial state). */
fr_result probes_sample(fr_world *world, const fr_scene_def *def, const char *path, double before, bool frame_done);

#endif
