/* Small help for whoever reads frames. */
#include <freshet/frame.h>

#include <string.h>

const fr_field *fr_frame_field(const fr_frame *frame, const char *name)
{
    for (int i = 0; i < frame->field_count; i++)
        if (!strcmp(frame->fields[i].name, name))
            return &frame->fields[i];
    return NULL;
}

void fr_field_copy(const fr_field *field, float *dense)
{
    for (int64_t k = 0; k < field->size[2]; k++)
        for (int64_t j = 0; j < field->size[1]; j++) {
            const float *row = field->data + j * field->stride[1] + k * field->stride[2];
            for (int64_t i = 0; i < field->size[0]; i++)
                *dense++ = row[i * field->stride[0]];
        }
}
