/* Helpers to read frames. */
#include <freshet/frame.h>

#include <string.h>

const fr_field *fr_frame_field(const fr_frame *frame, const char *name)
{
    for (int i = 0; i < frame->field_count; i++)
        if (!strcmp(frame->fields[i].name, name))
            return &frame->fields[i];
    return NULL;
}

int fr_field_refine(const fr_frame *frame, const fr_field *field)
{
    int64_t refine = field->location == FR_AT_CELL && frame->cells[0] > 0 ? field->size[0] / frame->cells[0] : 1;
    for (int a = 0; a < 3; a++) {
        int64_t faces = a < frame->dims && (int)field->location == (int)FR_AT_FACE_X + a;
        if (field->size[a] != (a < frame->dims ? refine : 1) * frame->cells[a] + faces)
            return 0;
    }
    return (int)refine;
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
