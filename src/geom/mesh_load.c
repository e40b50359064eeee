/* Reads mesh files safely. The importer knows fifty formats and dies of some damaged files (a binary PLY cut short
   is enough), so it works in a process of its own that may crash or hang without harm, and sends the mesh back
   through a pipe. */
#define _POSIX_C_SOURCE 200809L
#include "geom/mesh.h"

#ifdef FR_HAVE_ASSIMP
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

typedef struct mesh_reply {
    fr_result result;
    int vertex_count, triangle_count;
    box bounds;
    char message[1024];
} mesh_reply;

/* The child's side: import, send, end without the parent's exit handlers. */
static void mesh_send(int pipe, const void *data, size_t bytes)
{
    for (const char *next = data; bytes > 0;) {
        ssize_t sent = write(pipe, next, bytes);
        if (sent < 0 && errno != EINTR)
            _exit(1);
        next += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
}

/* The parent's handlers must not run here: one that recovers from a crash would go on as a second parent. */
static void mesh_reset_signals(void)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

static void mesh_serve(const char *file, int pipe)
{
    mesh m;
    mesh_reply reply = {0};
    mesh_reset_signals();
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    reply.result = mesh_import(file, &m);
    if (reply.result != FR_OK)
        snprintf(reply.message, sizeof reply.message, "%s", fr_error_message());
    reply.vertex_count = m.vertex_count;
    reply.triangle_count = m.triangle_count;
    reply.bounds = m.bounds;
    mesh_send(pipe, &reply, sizeof reply);
    mesh_send(pipe, m.vertices, sizeof *m.vertices * (size_t)m.vertex_count);
    mesh_send(pipe, m.triangles, sizeof *m.triangles * (size_t)m.triangle_count);
    _exit(0);
}

typedef struct mesh_reader {
    const char *file;
    int pipe;
    double deadline;
} mesh_reader;

static fr_result mesh_receive(const mesh_reader *r, void *data, size_t bytes)
{
    for (char *next = data; bytes > 0;) {
        double left = r->deadline - clock_now();
        struct pollfd ready = {.fd = r->pipe, .events = POLLIN};
        if (left <= 0)
            return fr_fail(FR_ERROR_FILE, "reading the mesh %s takes too long; the file may be damaged", r->file);
        if (poll(&ready, 1, left < 60 ? (int)(left * 1000) + 1 : 60000) <= 0)
            continue;
        ssize_t got = read(r->pipe, next, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fr_fail(FR_ERROR_FILE, "reading the mesh %s failed midway; it is damaged or too large for the memory",
                           r->file);
        next += got;
        bytes -= (size_t)got;
    }
    return FR_OK;
}

static fr_result mesh_receive_all(const mesh_reader *r, mesh *out)
{
    mesh_reply reply;
    FR_TRY(mesh_receive(r, &reply, sizeof reply));
    if (reply.result != FR_OK)
        return fr_fail(reply.result, "%s", reply.message);
    out->bounds = reply.bounds;
    out->vertices = memory_alloc(sizeof *out->vertices * (size_t)reply.vertex_count);
    out->triangles = memory_alloc(sizeof *out->triangles * (size_t)reply.triangle_count);
    if (!out->vertices || !out->triangles)
        return FR_ERROR_MEMORY;
    out->vertex_count = reply.vertex_count;
    out->triangle_count = reply.triangle_count;
    FR_TRY(mesh_receive(r, out->vertices, sizeof *out->vertices * (size_t)reply.vertex_count));
    return mesh_receive(r, out->triangles, sizeof *out->triangles * (size_t)reply.triangle_count);
}

/* Half a minute and a second per megabyte: ten times what the slowest format takes. */
static fr_result mesh_read_apart(const char *file, double megabytes, mesh *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fr_fail(FR_ERROR_FILE, "cannot read the mesh %s: no pipe: %s", file, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        mesh_serve(file, ends[1]);
    }
    close(ends[1]);
    fr_result result;
    if (child < 0) {
        result = fr_fail(FR_ERROR_FILE, "cannot read the mesh %s: no process: %s", file, strerror(errno));
    } else {
        mesh_reader reader = {file, ends[0], clock_now() + 30 + megabytes};
        result = mesh_receive_all(&reader, out);
        if (result != FR_OK)
            kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    return result;
}

/* The header of a PLY file must end and must not promise more than one element per byte: the importer would
   reserve memory for them. */
static fr_result mesh_check_ply(const char *file, double bytes)
{
    FILE *f = fopen(file, "rb");
    if (!f)
        return fr_fail(FR_ERROR_FILE, "cannot open the mesh file %s: %s", file, strerror(errno));
    char text[1024];
    bool is_ply = fgets(text, sizeof text, f) && strncmp(text, "ply", 3) == 0 && strchr("\r\n", text[3]);
    bool good = !is_ply;
    for (int lines = 0; is_ply && lines < 10000 && fgets(text, sizeof text, f); lines++) {
        double count = 0;
        if (sscanf(text, "element %*s %lf", &count) == 1 && !(count >= 0 && count <= bytes))
            break;
        if (strncmp(text, "end_header", 10) == 0) {
            good = true;
            break;
        }
    }
    fclose(f);
    if (good)
        return FR_OK;
    return fr_fail(FR_ERROR_FILE, "%s: the PLY header has no end or promises more than the file holds", file);
}

/* A plain file that is not empty: the importer's own messages about others do not help. */
static fr_result mesh_check_file(const char *file, double *bytes)
{
    struct stat info;
    if (stat(file, &info) != 0)
        return fr_fail(FR_ERROR_FILE, "cannot open the mesh file %s: %s", file, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return fr_fail(FR_ERROR_FILE, "%s is a folder, not a mesh file", file);
    if (!S_ISREG(info.st_mode))
        return fr_fail(FR_ERROR_FILE, "%s is not a plain file", file);
    if (info.st_size == 0)
        return fr_fail(FR_ERROR_FILE, "the mesh file %s is empty", file);
    *bytes = (double)info.st_size;
    return mesh_check_ply(file, *bytes);
}

fr_result mesh_load(const char *file, mesh *out)
{
    double bytes = 0;
    *out = (mesh){0};
    FR_TRY(mesh_check_file(file, &bytes));
    fr_result result = mesh_read_apart(file, bytes / 1e6, out);
    if (result != FR_OK)
        mesh_free(out);
    return result;
}
#else
fr_result mesh_load(const char *file, mesh *out)
{
    return mesh_import(file, out);
}
#endif
