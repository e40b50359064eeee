#include "run/progress.h"
#include "kit/json.h"
#include "kit/machine.h"
#include "kit/say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void progress_begin(progress *progress, double time)
{
    progress->begin = machine_seconds();
    progress->first_time = time;
    progress->steps = 0;
    progress->frame_steps = 0;
    progress->work = 0;
    progress->density_error = NAN;
    progress->last = (fr_step_report){.time = time};
}

double progress_elapsed(const progress *progress)
{
    return machine_seconds() - progress->begin;
}

/* Millions of cell (or particle) updates per second since the start. */
static double progress_speed(const progress *progress)
{
    double elapsed = progress_elapsed(progress);
    return elapsed > 0 ? 1e-6 * progress->work / elapsed : 0;
}

/* Estimated wall-clock seconds to the end, at the average pace so far; negative while unknown. */
static double progress_left(const progress *progress, double time)
{
    double done = time - progress->first_time, rest = progress->target / progress->fps - time;
    if (done <= 0)
        return -1;
    return rest > 0 ? progress_elapsed(progress) * rest / done : 0;
}

static void progress_line(const progress *progress, int frame, char *line, size_t size)
{
    double left = progress_left(progress, progress->last.time);
    char state[64];
    if (!progress->particles)
        snprintf(state, sizeof state, "divergence %.2g 1/s", progress->last.max_divergence);
    else if (isnan(progress->density_error))
        snprintf(state, sizeof state, "%.0f particles", progress->elements);
    else
        snprintf(state, sizeof state, "%.0f particles  density error %.2g %%", progress->elements,
                 100 * progress->density_error);
    snprintf(line, size, "frame %d/%d  %d step%s  %.3g M%s*steps/s  %s elapsed  %s left%s  %s", frame, progress->target,
             progress->frame_steps, progress->frame_steps == 1 ? "" : "s", progress_speed(progress),
             progress->particles ? "particles" : "cells", say_seconds(progress_elapsed(progress)).text,
             left < 0 ? "?" : say_seconds(left).text, progress->pictures ? ", then pictures" : "", state);
}

void progress_step(progress *progress, int frame, const fr_step_report *report)
{
    enum { UPDATES_PER_SECOND = 10 };
    progress->last = *report;
    progress->steps++;
    progress->frame_steps++;
    progress->work += progress->elements;
    double now = machine_seconds();
    if (!say_on_terminal() || now - progress->shown < 1.0 / UPDATES_PER_SECOND)
        return;
    progress->shown = now;
    char line[256];
    progress_line(progress, frame, line, sizeof line);
    say_status("%s", line);
}

static void progress_json(const progress *progress, const fr_frame *frame)
{
    json json = {.indented = false};
    json_open(&json, NULL);
    if (frame->ledger.count == 0) {
        json_number(&json, "frame", frame->index);
        json_number(&json, "time", frame->time);
    }
    for (int i = 0; i < frame->ledger.count; i++)
        json_number(&json, frame->ledger.names[i], frame->ledger.values[i]);
    json_number(&json, "frames", progress->target);
    json_number(&json, "elapsed_s", progress_elapsed(progress));
    double left = progress_left(progress, frame->time);
    if (left >= 0)
        json_number(&json, "left_s", left);
    json_close(&json);
    puts(json.out.data);
    fflush(stdout);
    json_free(&json);
}

/* Updates the number of particles and their density error. */
static void progress_count(progress *progress, const fr_frame *frame)
{
    if (!progress->particles)
        return;
    progress->elements = (double)frame->particle_count;
    for (int i = 0; i < frame->ledger.count; i++)
        if (!strcmp(frame->ledger.names[i], "density_error"))
            progress->density_error = frame->ledger.values[i];
}

void progress_frame(progress *progress, const fr_frame *frame)
{
    progress->last.time = frame->time;
    progress_count(progress, frame);
    char line[256];
    progress_line(progress, frame->index, line, sizeof line);
    if (progress->json)
        progress_json(progress, frame);
    if (say_on_terminal()) {
        say_status("%s", line);
        say_log("%s", line);
    } else {
        say_info("%s", line);
    }
    progress->frame_steps = 0;
}
