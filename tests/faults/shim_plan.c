/* What is to fail and when; the journal; the clock. Nothing here allocates, and no call here is one that is watched. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *const kind_names[FAULT_KINDS] = {"alloc",  "open",   "create",   "read",  "write", "sync",
                                                    "rename", "remove", "truncate", "mkdir", "link",  "close"};

typedef enum plan_mode { PLAN_COUNT, PLAN_ONCE, PLAN_FOREVER, PLAN_SHORT, PLAN_KILL, PLAN_JOURNAL } plan_mode;
static const char *const mode_names[] = {"count", "once", "forever", "short", "kill", "journal"};

static struct plan {
    bool on;                     /* main() has begun, and this is not a fork */
    char root[FAULT_PATH], clock_file[64];
    plan_mode mode;
    bool chosen[FAULT_KINDS];
    int64_t at;
    int error, journal, report;
    atomic_llong counts[FAULT_KINDS], reached;
    atomic_llong ticks, moves;   /* of the clock */
    pthread_mutex_t lock;
} plan = {.journal = -1, .report = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static int plan_open(const char *variable)
{
    const char *path = getenv(variable);
    return path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
}

static void plan_say(const char *what, const char *name, long long number)
{
    char line[96];
    int length = snprintf(line, sizeof line, "%s %s %lld\n", what, name, number);
    if (plan.report >= 0 && syscall(SYS_write, plan.report, line, length) < 0)
        return;   /* the test sees that the line is missing */
}

static bool plan_kind_is(fault_kind kind, const char *word, size_t length)
{
    bool takes_space = kind == FAULT_CREATE || kind == FAULT_WRITE || kind == FAULT_MKDIR || kind == FAULT_LINK;
    if (length == 4 && !strncmp(word, "file", length))
        return kind != FAULT_ALLOC;
    if (length == 5 && !strncmp(word, "space", length))
        return takes_space;
    return strlen(kind_names[kind]) == length && !strncmp(word, kind_names[kind], length);
}

static void plan_choose(const char *words)
{
    for (size_t length; words && *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        for (int kind = 0; kind < FAULT_KINDS; kind++)
            plan.chosen[kind] = plan.chosen[kind] || plan_kind_is((fault_kind)kind, words, length);
    }
}

static void plan_leave_fork_alone(void)
{
    plan.on = false;
}

static void plan_read(void)
{
    const char *root = getenv("FAULTS_ROOT"), *mode = getenv("FAULTS_MODE"), *at = getenv("FAULTS_AT");
    const char *error = getenv("FAULTS_ERRNO"), *clock = getenv("FAULTS_CLOCK");
    snprintf(plan.root, sizeof plan.root, "%s", root ? root : "");
    snprintf(plan.clock_file, sizeof plan.clock_file, "%s", clock ? clock : "");
    for (int i = 0; mode && i < (int)(sizeof mode_names / sizeof mode_names[0]); i++)
        if (!strcmp(mode, mode_names[i]))
            plan.mode = (plan_mode)i;
    plan_choose(getenv("FAULTS_KIND"));
    plan.at = at ? atoll(at) : 0;
    plan.error = error ? atoi(error) : EIO;
    plan.journal = plan.mode == PLAN_JOURNAL ? plan_open("FAULTS_JOURNAL") : -1;
    plan.report = plan_open("FAULTS_REPORT");
    static const char *const own[] = {"LD_PRELOAD", "FAULTS_ROOT", "FAULTS_MODE", "FAULTS_KIND", "FAULTS_AT",
                                      "FAULTS_ERRNO", "FAULTS_JOURNAL", "FAULTS_REPORT", "FAULTS_CLOCK"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        unsetenv(own[i]);
}

static void plan_end(void)
{
    for (int kind = 0; plan.on && kind < FAULT_KINDS; kind++)
        plan_say("count", kind_names[kind], plan.counts[kind]);
}

static int (*program_main)(int, char **, char **);

static int plan_main(int argc, char **argv, char **environment)
{
    plan_read();
    pthread_atfork(NULL, NULL, plan_leave_fork_alone);
    atexit(plan_end);
    plan.on = true;
    return program_main(argc, argv, environment);
}

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                           void *);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*linker_fini)(void), void *stack_end);
void *dlsym(void *handle, const char *name);

/* The C library calls this to start the program: the one place that comes after all set-up of libraries. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*linker_fini)(void), void *stack_end)
{
    start_function *start;
    *(void **)&start = dlsym((void *)-1L /* RTLD_NEXT */, "__libc_start_main");
    program_main = main;
    return start(plan_main, argc, argv, init, fini, linker_fini, stack_end);
}

bool plan_is_off(void)
{
    return !plan.on;
}

const char *plan_root(void)
{
    return plan.root;
}

fault_verdict plan_ask(fault_kind kind)
{
    plan.counts[kind]++;
    if (!plan.chosen[kind])
        return FAULT_PASS;
    long long turn = ++plan.reached;
    bool strikes = plan.mode == PLAN_FOREVER ? turn >= plan.at : turn == plan.at;
    if (!strikes || plan.mode == PLAN_COUNT || plan.mode == PLAN_JOURNAL)
        return FAULT_PASS;
    if (turn == plan.at)
        plan_say("struck", kind_names[kind], turn);
    if (plan.mode == PLAN_KILL)
        syscall(SYS_kill, getpid(), SIGKILL);
    /* a disk that runs full takes the part that it has room for */
    if (plan.mode == PLAN_SHORT ||
        (plan.mode == PLAN_FOREVER && kind == FAULT_WRITE && turn == plan.at && plan.error == ENOSPC))
        return FAULT_SHORT;
    errno = plan.error;
    return FAULT_FAIL;
}

void plan_lock(void)
{
    pthread_mutex_lock(&plan.lock);
}

void plan_unlock(void)
{
    int error = errno;
    pthread_mutex_unlock(&plan.lock);
    errno = error;
}

void journal_put(const char *what, int64_t id, int64_t number, const void *data, size_t size)
{
    if (plan.journal < 0)
        return;
    char head[96];
    int length = snprintf(head, sizeof head, "%s %lld %lld %zu\n", what, (long long)id, (long long)number, size);
    struct iovec parts[] = {{head, (size_t)length}, {(void *)(uintptr_t)data, size}, {(char[]){"\n"}, 1}};
    int error = errno;
    if (syscall(SYS_writev, plan.journal, parts, 3) != (long)((size_t)length + size + 1))
        _exit(99);   /* half a journal would prove nothing */
    errno = error;
}

void journal_put_pair(const char *what, const char *first, const char *second)
{
    char both[2 * FAULT_PATH];
    size_t length = strlen(first) + 1, more = strlen(second) + 1;
    memcpy(both, first, length);
    memcpy(both + length, second, more);
    journal_put(what, 0, 0, both, length + more);
}

void journal_put_seen(const char *path)
{
    static char content[1 << 24];
    if (plan.journal < 0)
        return;
    size_t head = strlen(path) + 1;
    memcpy(content, path, head);
    int error = errno, fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        long size = syscall(SYS_pread64, fd, content + head, sizeof content - head, 0L);
        journal_put("seen", 0, 0, content, head + (size_t)(size > 0 ? size : 0));
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
    errno = error;
}

bool clock_is_moved_by(const char *path)
{
    const char *slash = strrchr(path, '/');
    return plan.clock_file[0] && !strcmp(slash ? slash + 1 : path, plan.clock_file);
}

void clock_note_write(void)
{
    plan.moves++;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    if (!plan.on || !plan.clock_file[0] || which != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, which, now);
    long long tick = ++plan.ticks;
    now->tv_sec = 1000 + 1000 * (plan.moves / 2) + tick / 1000000000;
    now->tv_nsec = tick % 1000000000;
    return 0;
}
