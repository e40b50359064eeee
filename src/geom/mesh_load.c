/* Reads mesh files safely. The importer knows fifty formats and crashes on some damaged files (a truncated binary PLY
   is enough). So it runs in a child process, which may crash, hang or run out of memory without harm, and sends the
   mesh back through a pipe. */
#define _DEFAULT_SOURCE /* wait4 */
#include "geom/mesh_parts.h"

#ifdef FR_HAVE_ASSIMP
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/input.h"
#include "base/memory.h"

/* One reading of a file. */
typedef struct mesh_reading {
    const char *file;
    double megabytes;            /* of the file */
    mesh_limits limits;
    double mapped, resident;     /* bytes of the program before the fork; the child starts with them */
} mesh_reading;

/* The parent's signal handlers must not run in the child: one that recovers from a crash would continue the parent's
   program a second time. */
static void mesh_reset_signals(void)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

static void mesh_limit(int what, double most)
{
    setrlimit(what, &(struct rlimit){(rlim_t)most, (rlim_t)most});
}

/* Limits the child's memory, time and open files; it can neither write files nor print. */
static void mesh_confine(const mesh_reading *r, int pipe)
{
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    mesh_reset_signals();
    mesh_limit(RLIMIT_CORE, 0);
    mesh_limit(RLIMIT_FSIZE, 0);
    mesh_limit(RLIMIT_NOFILE, pipe + 32);
    rlim_t busy = (rlim_t)ceil(r->limits.busy_seconds);
    setrlimit(RLIMIT_CPU,
              &(struct rlimit){busy, busy + 1}); /* soft limit first: SIGXCPU tells the reason, SIGKILL would not */
    mesh_limit(RLIMIT_AS, r->mapped + r->limits.bytes);
}

/* The child's main function. _exit skips the parent's exit handlers. */
static void mesh_serve(const mesh_reading *r, int pipe)
{
    mesh m;
    mesh_confine(r, pipe);
    mesh_reply_send(pipe, mesh_import(r->file, &m), &m);
    _exit(0);
}

static fr_result mesh_too_slow(const mesh_reading *r, double seconds)
{
    return fr_fail(FR_ERROR_FILE,
                   "reading the mesh %s takes more than %.0f s; it has %.1f MB, so it is damaged or not what it seems",
                   r->file, seconds, r->megabytes);
}

static fr_result mesh_too_large(const mesh_reading *r)
{
    return fr_fail(
        FR_ERROR_FILE,
        "reading the mesh %s takes more than %.1f GB of memory; it has %.1f MB, so it is damaged or not what it seems",
        r->file, 1e-9 * r->limits.bytes, r->megabytes);
}

/* The importer does not report every failed allocation: some files then come out empty or incomplete. So the result of
   a child that used nearly all its memory is not trusted. */
static bool mesh_was_short_of_memory(const mesh_reading *r, fr_result result, const struct rusage *usage)
{
    double taken = (1024.0 * (double)usage->ru_maxrss - r->resident) / r->limits.bytes;
    if (result == FR_OK)
        return taken > 0.8;
    return taken > 0.5 || result == FR_ERROR_MEMORY || strstr(fr_error_message(), "bad_alloc");
}

static fr_result mesh_receive(const mesh_reading *r, pid_t child, int pipe, mesh *out)
{
    bool answered;
    int status = 0;
    struct rusage usage = {0};
    double deadline = clock_now() + r->limits.seconds;
    fr_result result = mesh_reply_receive(pipe, deadline, r->limits.bytes, out, &answered);
    bool late = clock_now() >= deadline;
    if (result != FR_OK)
        kill(child, SIGKILL);
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    if (result == FR_ERROR_MEMORY && !answered)   /* the parent ran out of memory, not the child */
        return result;
    if (mesh_was_short_of_memory(r, result, &usage))
        return mesh_too_large(r);
    if (answered)
        return result;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return mesh_too_slow(r, r->limits.busy_seconds);
    if (late)
        return mesh_too_slow(r, r->limits.seconds);
    return fr_fail(FR_ERROR_FILE,
                   "reading the mesh %s failed midway; it is damaged, or takes more than %.1f GB of memory", r->file,
                   1e-9 * r->limits.bytes);
}

static fr_result mesh_read_apart(const mesh_reading *r, mesh *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fr_fail(FR_ERROR_FILE, "cannot read the mesh %s: no pipe: %s", r->file, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        mesh_serve(r, ends[1]);
    }
    int reason = errno;
    close(ends[1]);
    fr_result result =
        child < 0 ? fr_fail(FR_ERROR_FILE, "cannot read the mesh %s: no process: %s", r->file, strerror(reason))
                  : mesh_receive(r, child, ends[0], out);
    close(ends[0]);
    return result;
}

/* Limits for reading a file. CPU time: a second per megabyte is ten times what the slowest format takes. Elapsed time
   may be longer, since other programs run as well. Memory: 100 times the file's size, where the greediest format takes
   30 times, but at least 1 GB; and never more than 80 % of what is available. */
static mesh_reading mesh_plan(const char *file, double bytes)
{
    mesh_reading r = {.file = file,
                      .megabytes = bytes / 1e6,
                      .limits = {30 + 4 * bytes / 1e6, 5 + bytes / 1e6, fmax(1e9, 100 * bytes)}};
    double available = memory_available(), page = (double)sysconf(_SC_PAGESIZE);
    if (available > 0)
        r.limits.bytes = fmin(r.limits.bytes, 0.8 * available);
    FILE *pages = fopen("/proc/self/statm", "r");
    if (!pages || fscanf(pages, "%lf %lf", &r.mapped, &r.resident) != 2)
        r.mapped = r.resident = 0;
    if (pages)
        fclose(pages);
    r.mapped *= page;
    r.resident *= page;
    return r;
}

/* A PLY header must end, and must not declare more elements than the file has bytes: the importer would allocate memory
   for them. */
static fr_result mesh_check_ply(const char *file, const input_file *in)
{
    char text[1024];
    bool is_ply = fgets(text, sizeof text, in->stream) && strncasecmp(text, "ply", 3) == 0 && strchr("\r\n", text[3]);
    bool good = !is_ply;
    for (int lines = 0; is_ply && lines < 10000 && fgets(text, sizeof text, in->stream); lines++) {
        double count = 0;
        if (sscanf(text, "element %*s %lf", &count) == 1 && !(count >= 0 && count <= (double)in->bytes))
            break;
        if (strncmp(text, "end_header", 10) == 0 && strchr(" \r\n", text[10])) {
            good = true;
            break;
        }
    }
    if (good)
        return FR_OK;
    return fr_fail(FR_ERROR_FILE, "%s: the PLY header has no end or declares more than the file holds", file);
}

/* Checks for a regular file that is not empty: the importer's own messages for other cases do not help. */
static fr_result mesh_check_file(const char *file, double *bytes)
{
    input_file in;
    if (!input_open(file, &in))
        return fr_fail(FR_ERROR_FILE, "the mesh file %s %s", file, in.trouble);
    *bytes = (double)in.bytes;
    fr_result result =
        in.bytes == 0 ? fr_fail(FR_ERROR_FILE, "the mesh file %s is empty", file) : mesh_check_ply(file, &in);
    fclose(in.stream);
    return result;
}

fr_result mesh_load(const char *file, mesh *out)
{
    double bytes = 0;
    *out = (mesh){0};
    FR_TRY(mesh_check_file(file, &bytes));
    mesh_reading reading = mesh_plan(file, bytes);
    fr_result result = mesh_read_apart(&reading, out);
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
