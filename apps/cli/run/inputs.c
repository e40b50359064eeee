#include "run/inputs.h"

#include <stdlib.h>
#include <string.h>

fr_result run_inputs_measure(const fr_scene *scene, run_input_sum **sums)
{
    const fr_scene_input *inputs;
    int count = fr_scene_inputs(scene, &inputs);
    *sums = calloc((size_t)count + 1, sizeof **sums);
    if (!*sums)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the checksums of %d files", count);
    for (int i = 0; i < count; i++)
        FR_TRY(fr_file_sum(inputs[i].path, &(*sums)[i].bytes, &(*sums)[i].sum));
    return FR_OK;
}

fr_result run_inputs_keep(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums)
{
    const fr_scene_input *inputs;
    int count = fr_scene_inputs(scene, &inputs);
    if (count)
        FR_TRY(fr_make_folder(run_folder_path(folder, "inputs").text));
    for (int i = 0; i < count; i++) {
        run_path to = run_folder_path(folder, "inputs/%s", inputs[i].copy);
        run_input_sum kept;
        FR_TRY(fr_file_copy(inputs[i].path, to.text, sums[i].bytes));
        FR_TRY(fr_file_sum(to.text, &kept.bytes, &kept.sum));
        if (kept.bytes != sums[i].bytes || kept.sum != sums[i].sum)
            return fr_fail(FR_ERROR_FILE, "%s has changed while the run was being set up; run it again",
                           inputs[i].path);
    }
    return FR_OK;
}

fr_result run_inputs_compare(const run_folder *folder, const fr_scene *scene, const run_input_sum *sums)
{
    const fr_scene_input *inputs;
    int count = fr_scene_inputs(scene, &inputs);
    for (int i = 0; i < count; i++) {
        run_path kept = run_folder_path(folder, "inputs/%s", inputs[i].copy);
        run_input_sum then;
        bool known = fr_list_has(folder->list, kept.text + strlen(folder->dir) + 1, &then.bytes, &then.sum);
        if (!known || then.bytes != sums[i].bytes || then.sum != sums[i].sum)
            return fr_fail(
                FR_ERROR_INPUT,
                "%s is not the file that the run in %s was made of%s%s; a resumed run must be of the same: put that "
                "one back, or use --force to replace the run or -o for another folder",
                inputs[i].path, folder->dir, known ? ", which is kept as " : "", known ? kept.text : "");
    }
    return FR_OK;
}
