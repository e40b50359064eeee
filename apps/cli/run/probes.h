/* Writes a scene's probes to probes.csv: time, probe, x, y, z, then one column per field that any probe names.

   A probe with `every` is sampled in the initial state and then at the end of the first sub-step at or past each
   multiple of `every`; the time written is that of the sample. Which steps are sampled depends only on the
   times, so a resumed run writes the same rows. */
#ifndef RUN_PROBES_H
#define RUN_PROBES_H

#include "cli.h"

/* Samples the probes that are due after a step from `before` to the world's current time (before < 0: the initial
   state). */
fr_result probes_sample(fr_world *world, const fr_scene_def *def, const char *path, double before, bool frame_done);

#endif
