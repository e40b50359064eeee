#include "io/names.h"

#include <stdio.h>
#include <string.h>

void names_clean(const char *name, char clean[NAME_ROOM])
{
    size_t length = 0;
    for (; name[length] && length < NAME_ROOM - 1; length++) {
        unsigned char c = (unsigned char)name[length];
        bool odd = c < 32 || c == 127 || strchr("/\\:*?\"<>|", c) || (c == '.' && length == 0);
        clean[length] = odd ? '_' : (char)c;
    }
    if (length == 0)
        clean[length++] = '_';
    clean[length] = 0;
}

static bool name_is_free(const char *name, const char *const *taken, name_text *names, int count)
{
    for (int i = 0; taken && taken[i]; i++)
        if (strcmp(name, taken[i]) == 0)
            return false;
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return false;
    return true;
}

void names_of_fields(const fr_frame *frame, const char *const *taken, name_text *names)
{
    for (int i = 0; i < frame->field_count; i++) {
        char clean[NAME_ROOM];
        names_clean(frame->fields[i].name, clean);
        snprintf(names[i], NAME_LENGTH, "%s", clean);
        for (int n = 2; !name_is_free(names[i], taken, names, i); n++)
            snprintf(names[i], NAME_LENGTH, "%s_%d", clean, n);
    }
}
