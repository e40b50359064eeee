#include "method/preview/preview.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

/* Room for a path and the words around it. */
enum { LONGEST = 4608 };

static void remark_send(const remarks *to, fr_remark_kind kind, const char *subject, const char *format, va_list args)
{
    char text[LONGEST];
    vsnprintf(text, sizeof text, format, args);
    to->sink(to->context, &(fr_remark){kind, subject, text});
}

void remark(const remarks *to, fr_remark_kind kind, const char *subject, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    remark_send(to, kind, subject, format, args);
    va_end(args);
}

void remark_warn(const remarks *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    remark_send(to, FR_REMARK_WARNING, NULL, format, args);
    va_end(args);
}

remark_axes remark_lengths(int dims, const double lengths[3])
{
    remark_axes axes;
    int used = snprintf(axes.text, sizeof axes.text, "%.6g x %.6g", lengths[0], lengths[1]);
    if (dims == 3)
        snprintf(axes.text + used, sizeof axes.text - (size_t)used, " x %.6g", lengths[2]);
    return axes;
}

remark_axes remark_counts(int dims, const int counts[3])
{
    remark_axes axes;
    int used = snprintf(axes.text, sizeof axes.text, "%d x %d", counts[0], counts[1]);
    if (dims == 3)
        snprintf(axes.text + used, sizeof axes.text - (size_t)used, " x %d", counts[2]);
    return axes;
}

const char *remark_choice(const fr_key *keys, const char *name, int value)
{
    while (keys->name && strcmp(keys->name, name))
        keys++;
    const fr_choice *choice = keys->detail;
    while (choice && choice->name && choice->value != value)
        choice++;
    return choice && choice->name ? choice->name : "unknown";
}

void remark_cells(const remarks *to)
{
    const fr_estimate *e = to->about->estimate;
    const double *h = e->spacing, size[3] = {e->cells[0] * h[0], e->cells[1] * h[1], e->cells[2] * h[2]};
    bool cubes = fabs(h[0] - h[1]) < 1e-9 * h[0] && (e->dims == 2 || fabs(h[0] - h[2]) < 1e-9 * h[0]);
    remark(to, FR_REMARK_SIZE, "cells", "%s = %.0f", remark_counts(e->dims, e->cells).text,
           (double)e->cells[0] * e->cells[1] * e->cells[2]);
    if (cubes)
        remark(to, FR_REMARK_SIZE, "cell", "%.6g m", h[0]);
    else
        remark(to, FR_REMARK_SIZE, "cell", "%s m", remark_lengths(e->dims, h).text);
    remark(to, FR_REMARK_SIZE, "size", "%s m", remark_lengths(e->dims, size).text);
}

preview_length preview_longest_side(const fr_domain_def *domain)
{
    double longest = 0;
    for (int a = 0; a < domain->dims; a++)
        longest = fmax(longest, domain->size[a]);
    return (preview_length){"longest side", longest, ""};
}

double preview_least_spacing(const fr_estimate *estimate)
{
    double least = estimate->spacing[0];
    for (int a = 1; a < estimate->dims; a++)
        least = fmin(least, estimate->spacing[a]);
    return least;
}

void remark_reynolds(const remarks *to, preview_speed speed, preview_length length, double viscosity)
{
    if (speed.value <= 0)
        remark(to, FR_REMARK_FLOW, "Reynolds", "unknown: nothing in the scene tells a speed");
    else if (viscosity > 0)
        remark(to, FR_REMARK_FLOW, "Reynolds", "about %.3g (speed %.3g m/s from %s, %s %.3g m%s, viscosity %.3g m2/s)",
               speed.value * length.metres / viscosity, speed.value, speed.origin, length.name, length.metres,
               length.where, viscosity);
    else
        remark(to, FR_REMARK_FLOW, "Reynolds", "inviscid (speed about %.3g m/s from %s)", speed.value, speed.origin);
}

void remark_rest(const remarks *to, preview_speed speed, bool driven, const char *drivers)
{
    const fr_scene_def *def = to->about->def;
    driven = driven || speed.value > 0 || def->force_count > 0 || def->body_count > 0 || def->has_initial_velocity;
    for (int i = 0; i < def->obstacle_count; i++)
        driven = driven || def->obstacles[i].path || def->obstacles[i].spin != 0;
    if (!driven)
        remark_warn(to, "nothing drives the flow: no %s", drivers);
}
