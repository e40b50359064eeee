/* The files that a scene reads (meshes, node tables). Copies are kept with the run, which depends on them as on its
   scene. */
#ifndef RUN_INPUTS_H
#define RUN_INPUTS_H

#include "run/folder.h"

typedef struct run_input_sum {
    int64_t bytes;
    uint64_t sum;
} run_input_sum;

/* Checksums of the files' current content. Call before the world is created from them. The caller frees `*sums`. */
fr_result run_inputs_measure(const fr_scene *scene, run_input_sum **sums);

/* Copies the files to DIR/inputs/. Fails when one has changed since it was measured. */
fr_result run_inputs_keep(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums);

/* Fails, naming the file, when one differs from the copy of the run in the folder. */
fr_result run_inputs_compare(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums);

#endif
