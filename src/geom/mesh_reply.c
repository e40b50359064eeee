/* The protocol of the pipe between the child process that reads a mesh and its parent. A malicious file may have taken
   over the child, so the parent validates every number. */
#define _POSIX_C_SOURCE 200809L
#include "geom/mesh_parts.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

typedef struct reply_head {
    int32_t result;
    int32_t vertex_count, triangle_count;
    char message[1024];
} reply_head;

static void reply_write(int pipe, const void *data, size_t bytes)
{
    for (const char *next = data; bytes > 0;) {
        ssize_t sent = write(pipe, next, bytes);
        if (sent < 0 && errno != EINTR)
            _exit(1);
        next += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
}

void mesh_reply_send(int pipe, fr_result result, const mesh *m)
{
    reply_head head = {.result = (int32_t)result};
    if (result != FR_OK) {
        snprintf(head.message, sizeof head.message, "%s", fr_error_message());
        reply_write(pipe, &head, sizeof head);
        return;
    }
    head.vertex_count = m->vertex_count;
    head.triangle_count = m->triangle_count;
    reply_write(pipe, &head, sizeof head);
    reply_write(pipe, m->vertices, sizeof *m->vertices * (size_t)m->vertex_count);
    reply_write(pipe, m->triangles, sizeof *m->triangles * (size_t)m->triangle_count);
}

/* False: the pipe ended or the deadline passed. */
static bool reply_read(int pipe, double deadline, void *data, size_t bytes)
{
    for (char *next = data; bytes > 0;) {
        double left = deadline - clock_now();
        struct pollfd ready = {.fd = pipe, .events = POLLIN};
        if (left <= 0)
            return false;
        if (poll(&ready, 1, left < 60 ? (int)(left * 1000) + 1 : 60000) <= 0)
            continue;
        ssize_t got = read(pipe, next, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        bytes -= (size_t)got;
    }
    return true;
}

static bool reply_head_makes_sense(const reply_head *head, double most_bytes)
{
    const int32_t most = INT32_MAX / 4;
    double bytes = (double)sizeof(double[3]) * head->vertex_count + (double)sizeof(int[3]) * head->triangle_count;
    return head->vertex_count > 0 && head->vertex_count <= most && head->triangle_count > 0 &&
           head->triangle_count <= most && bytes <= most_bytes;
}

/* Checks that indices are in range and coordinates finite; computes the bounding box. */
static bool reply_mesh_makes_sense(mesh *m)
{
    for (int v = 0; v < m->vertex_count; v++)
        for (int a = 0; a < 3; a++)
            if (!(fabs(m->vertices[v][a]) < MESH_LARGEST))
                return false;
    m->bounds = box_empty();
    for (int t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int v = m->triangles[t][k];
            if (v < 0 || v >= m->vertex_count)
                return false;
            box_add(&m->bounds, m->vertices[v]);
        }
    return true;
}

static fr_result reply_broken(void)
{
    return fr_fail(FR_ERROR_FILE, "the importer gave no mesh");
}

fr_result mesh_reply_receive(int pipe, double deadline, double most_bytes, mesh *out, bool *answered)
{
    reply_head head;
    *answered = false;
    *out = (mesh){0};
    if (!reply_read(pipe, deadline, &head, sizeof head))
        return reply_broken();
    if (head.result != FR_OK) {
        head.message[sizeof head.message - 1] = 0;
        *answered = true;
        return fr_fail(head.result == FR_ERROR_MEMORY ? FR_ERROR_MEMORY : FR_ERROR_FILE, "%s", head.message);
    }
    if (!reply_head_makes_sense(&head, most_bytes))
        return reply_broken();
    out->vertices = memory_alloc(sizeof *out->vertices * (size_t)head.vertex_count);
    out->triangles = memory_alloc(sizeof *out->triangles * (size_t)head.triangle_count);
    if (!out->vertices || !out->triangles)
        return FR_ERROR_MEMORY;
    out->vertex_count = head.vertex_count;
    out->triangle_count = head.triangle_count;
    bool whole = reply_read(pipe, deadline, out->vertices, sizeof *out->vertices * (size_t)out->vertex_count) &&
                 reply_read(pipe, deadline, out->triangles, sizeof *out->triangles * (size_t)out->triangle_count);
    *answered = whole && reply_mesh_makes_sense(out);
    return *answered ? FR_OK : reply_broken();
}
