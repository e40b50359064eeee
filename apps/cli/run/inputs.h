/* The files that a scene reads (meshes, tables of nodes), kept with the run: a run is of its scene and of these. */
#ifndef RUN_INPUTS_H
#define RUN_INPUTS_H

#include "run/folder.h"

typedef struct run_input_sum {
    int64_t bytes;
    uint64_t sum;
} run_input_sum;

/* What the files hold now; `*sums` is freed by the caller. To be asked before the world is made of them. */
fr_result run_inputs_measure(const fr_scene *scene, run_input_sum **sums);

/* Copies them to DIR/inputs/; fails when one is no longer what was measured. */
fr_result run_inputs_keep(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums);

/* Fails, naming it, when a file is not what the run in the folder was made of. */
fr_result run_inputs_compare(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums);

#endif
