#include "base/colour_names.h"

#include <stddef.h>
#include <string.h>

const colour_name colour_names[] = {
    {"black", {0, 0, 0}},           {"white", {1, 1, 1}},           {"gray", {0.5, 0.5, 0.5}},
    {"grey", {0.5, 0.5, 0.5}},      {"red", {0.84, 0.15, 0.16}},    {"green", {0.17, 0.63, 0.17}},
    {"blue", {0.12, 0.38, 0.78}},   {"yellow", {0.98, 0.82, 0.16}}, {"orange", {1, 0.5, 0.05}},
    {"purple", {0.55, 0.27, 0.68}}, {"brown", {0.55, 0.34, 0.2}},   {"pink", {0.93, 0.47, 0.7}},
    {"cyan", {0.09, 0.75, 0.81}},   {"magenta", {0.85, 0.1, 0.6}},  {"navy", {0.05, 0.1, 0.3}},
    {"teal", {0, 0.5, 0.5}},        {NULL, {0, 0, 0}},
};

const double *colour_named(const char *name)
{
    for (const colour_name *c = colour_names; c->name; c++)
        if (!strcmp(c->name, name))
            return c->colour;
    return NULL;
}
