#define _POSIX_C_SOURCE 200809L
#include "scene/inputs.h"

#include <string.h>
#include <unistd.h>

static const char *inputs_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The path of the copy if there is one, else of the file itself. */
static const char *inputs_find(const input_list *inputs, arena *arena, const char *name, const char *copy)
{
    char *path = inputs->kept ? arena_printf(arena, "%s/%s", inputs->kept, copy) : NULL;
    if (path && access(path, R_OK) == 0)
        return path;
    return name[0] == '/' ? arena_strdup(arena, name) : arena_printf(arena, "%s/%s", inputs->folder, name);
}

const char *inputs_take(input_list *inputs, arena *arena, const char *name)
{
    for (int i = 0; i < inputs->count; i++)
        if (!strcmp(inputs->items[i].name, name))
            return inputs->items[i].path;
    if (inputs->count == INPUTS_MOST)
        return NULL;
    fr_scene_input *input = &inputs->items[inputs->count];
    input->name = arena_strdup(arena, name);
    /* numbered, because two folders may have files of the same name */
    input->copy = arena_printf(arena, "%04d-%.100s", inputs->count + 1, inputs_last_part(name));
    input->path = input->copy ? inputs_find(inputs, arena, name, input->copy) : NULL;
    if (!input->name || !input->path)
        return NULL;
    inputs->count++;
    return input->path;
}
