/* Films, made by the program ffmpeg. It is started directly, not through a shell, and fed with the bytes of the
   pictures. So names of files and folders need no quoting, and the series may have any numbers. */
#define _POSIX_C_SOURCE 200809L

#include <freshet/render.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"

enum { VIDEO_PATH = PATH_MAX + 64, VIDEO_QUOTE = 700 };

typedef struct video {
    char folder[VIDEO_PATH];          /* of the pictures' files */
    const char *name, *sign, *tail;   /* the file's name, its "%06d" and what follows */
    int digits;
    const int *numbers;               /* of the pictures, in order */
    int count;
    file_draft draft;                 /* of the film */
    char target[40];                  /* the draft by its descriptor, not by its name: see video_exec */
    char rate[40];
    FILE *said;                       /* ffmpeg's messages */
} video;

/* The folder, and the file's name around its one "%d" or "%06d". */
static fr_result video_split(video *video, const char *pattern)
{
    const char *slash = strrchr(pattern, '/');
    video->name = slash ? slash + 1 : pattern;
    video->sign = strchr(video->name, '%');
    const char *end = video->sign ? video->sign + 1 + strspn(video->sign + 1, "0123456789") : NULL;
    if (!end || *end != 'd' || end - video->sign > 3 || strchr(end, '%'))
        return fr_fail(FR_ERROR_INPUT, "'%s' does not name a series of pictures; it needs one %%06d in the file's name",
                       pattern);
    video->digits = atoi(video->sign + 1);
    video->tail = end + 1;
    if (snprintf(video->folder, sizeof video->folder, "%s", slash ? pattern : "./") >= VIDEO_PATH)
        return fr_fail(FR_ERROR_FILE, "the path %s is too long", pattern);
    if (slash)
        video->folder[slash - pattern + 1] = '\0';
    return FR_OK;
}

static void video_name(const video *video, int number, char *name, size_t size)
{
    snprintf(name, size, "%.*s%0*d%s", (int)(video->sign - video->name), video->name, video->digits, number,
             video->tail);
}

static fr_result video_prepare(video *video, const fr_series *series, double fps)
{
    if (!(fps > 0) || !isfinite(fps))
        return fr_fail(FR_ERROR_INPUT, "a film needs a positive number of frames per second, not %g", fps);
    if (series->count < 1)
        return fr_fail(FR_ERROR_INPUT, "a film needs pictures: none of %s was named", series->pattern);
    FR_TRY(video_split(video, series->pattern));
    video->numbers = series->numbers;
    video->count = series->count;
    snprintf(video->rate, sizeof video->rate, "%.6f", fps);
    video->said = tmpfile();
    if (!video->said)
        return fr_fail(FR_ERROR_FILE, "cannot make a temporary file for ffmpeg's messages: %s", strerror(errno));
    return FR_OK;
}

/* Runs in the child: only calls that are safe between fork and exec. When this program is killed, ffmpeg runs on for a
   while. It writes through the descriptor of the draft, so it cannot write into a new draft of the same name that a
   resumed run has begun. */
static void video_exec(const video *video, int pictures, int report)
{
    /* yuv420p needs even sides: odd ones are padded with a black column or row */
    const char *const arguments[] = {
        "ffmpeg",    "-hide_banner", "-loglevel",   "error",     "-y",
        "-f",        "image2pipe",   "-c:v",        "png",       "-framerate",
        video->rate, "-i",           "pipe:0",      "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-c:v",      "libx264",      "-crf",        "18",        "-preset",
        "medium",    "-pix_fmt",     "yuv420p",     "-movflags", "+faststart",
        "-f",        "mp4",          video->target, NULL};
    int null = open("/dev/null", O_WRONLY);
    dup2(pictures, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(fileno(video->said), STDERR_FILENO);
    fcntl(video->draft.bytes.fd, F_SETFD, 0);
    execvp("ffmpeg", (char *const *)arguments);
    int trouble = errno;
    ssize_t written = write(report, &trouble, sizeof trouble);
    _exit(written < 0 ? 126 : 127);
}

/* Sends a file's bytes; false when the other end has closed or the file cannot be read. `to` is a socket: writing to a
   closed pipe would kill the program by SIGPIPE. */
static bool video_send(int to, FILE *file)
{
    char bytes[1 << 16];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        for (size_t sent = 0; sent < count;) {
            ssize_t part = send(to, bytes + sent, count - sent, MSG_NOSIGNAL);
            if (part < 0 && errno != EINTR)
                return false;
            sent += part > 0 ? (size_t)part : 0;
        }
    return ferror(file) == 0;
}

static fr_result video_feed(const video *video, int to)
{
    for (int i = 0; i < video->count; i++) {
        char name[VIDEO_PATH], path[2 * VIDEO_PATH];
        video_name(video, video->numbers[i], name, sizeof name);
        snprintf(path, sizeof path, "%s%s", video->folder, name);
        FILE *file = fopen(path, "rb");
        if (!file)
            return fr_fail(FR_ERROR_FILE, "cannot make a film: cannot read %s: %s", path, strerror(errno));
        bool sent = video_send(to, file), bad = ferror(file) != 0;
        fclose(file);
        if (bad)
            return fr_fail(FR_ERROR_FILE, "cannot make a film: cannot read %s", path);
        if (!sent)
            break;   /* ffmpeg has ended; its exit status says why */
    }
    return FR_OK;
}

/* How ffmpeg ended: the errno if it did not start, else its exit status. */
typedef struct video_end {
    int trouble, status;
} video_end;

/* Waits until ffmpeg runs (exec closes the report pipe) or has failed to start, feeds it, and waits for its end. */
static fr_result video_attend(const video *video, pid_t child, const int ends[2], video_end *end)
{
    ssize_t got;
    while ((got = read(ends[1], &end->trouble, sizeof end->trouble)) < 0 && errno == EINTR)
        continue;
    if (got != (ssize_t)sizeof end->trouble)
        end->trouble = 0;
    fr_result result = end->trouble == 0 ? video_feed(video, ends[0]) : FR_OK;
    shutdown(ends[0], SHUT_WR);
    while (waitpid(child, &end->status, 0) < 0 && errno == EINTR)
        continue;
    return result;
}

static fr_result video_run(const video *video, video_end *end)
{
    int pictures[2], report[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pictures) != 0)
        return fr_fail(FR_ERROR_FILE, "cannot start ffmpeg: %s", strerror(errno));
    if (pipe(report) != 0) {
        close(pictures[0]);
        close(pictures[1]);
        return fr_fail(FR_ERROR_FILE, "cannot start ffmpeg: %s", strerror(errno));
    }
    const int all[4] = {pictures[0], pictures[1], report[0], report[1]};
    for (int i = 0; i < 4; i++)
        fcntl(all[i], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0)
        video_exec(video, pictures[1], report[1]);
    fr_result result = child > 0 ? FR_OK : fr_fail(FR_ERROR_FILE, "cannot start ffmpeg: %s", strerror(errno));
    close(pictures[1]);
    close(report[1]);
    if (child > 0)
        result = video_attend(video, child, (int[2]){pictures[0], report[0]}, end);
    close(pictures[0]);
    close(report[0]);
    return result;
}

/* The last of ffmpeg's messages, joined into one line. */
static void video_quote(FILE *said, char quote[VIDEO_QUOTE])
{
    long end = fseek(said, 0, SEEK_END) == 0 ? ftell(said) : 0;
    long begin = end > VIDEO_QUOTE - 1 ? end - (VIDEO_QUOTE - 1) : 0;
    size_t count = fseek(said, begin, SEEK_SET) == 0 ? fread(quote, 1, VIDEO_QUOTE - 1, said) : 0;
    while (count > 0 && quote[count - 1] == '\n')
        count--;
    quote[count] = '\0';
    for (char *c = strchr(quote, '\n'); c; c = strchr(c, '\n'))
        *c = ';';
}

static fr_result video_outcome(const video *video, const video_end *end, const char *pattern)
{
    int status = end->status;
    if (end->trouble == ENOENT || end->trouble == EACCES || end->trouble == ENOTDIR)
        return fr_fail(FR_ERROR_UNSUPPORTED,
                       "a film needs the program ffmpeg, which is not here (on Debian and Ubuntu: "
                       "apt install ffmpeg); the pictures are kept: %s",
                       pattern);
    if (end->trouble != 0)
        return fr_fail(FR_ERROR_FILE, "cannot start ffmpeg: %s", strerror(end->trouble));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return FR_OK;
    char quote[VIDEO_QUOTE];
    video_quote(video->said, quote);
    return fr_fail(FR_ERROR_FILE, "ffmpeg could not make the film (%s %d): %s; the pictures are kept: %s",
                   WIFEXITED(status) ? "exit status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), *quote ? quote : "it gave no reason",
                   pattern);
}

static fr_result video_make(video *video, const char *pattern, const char *path)
{
    video_end end = {0, 0};
    FR_TRY(file_begin(&video->draft, path));
    snprintf(video->target, sizeof video->target, "file:/dev/fd/%d", video->draft.bytes.fd);
    fr_result result = video_run(video, &end);
    if (result == FR_OK)
        result = video_outcome(video, &end, pattern);
    if (result != FR_OK) {
        file_abandon(&video->draft);
        return result;
    }
    file_measure(&video->draft);
    return file_commit(&video->draft, false);
}

fr_result fr_video_from_images(const fr_series *series, double fps, const char *path)
{
    video *video = calloc(1, sizeof *video);
    if (!video)
        return fr_fail(FR_ERROR_MEMORY, "no memory to make %s", path);
    fr_result result = video_prepare(video, series, fps);
    if (result == FR_OK)
        result = video_make(video, series->pattern, path);
    if (video->said)
        fclose(video->said);
    free(video);
    return result;
}

bool fr_video_possible(void)
{
    const char *path = getenv("PATH");
    char file[VIDEO_PATH];
    for (const char *at = path; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        int length = (int)strcspn(at, ":");
        if (snprintf(file, sizeof file, "%.*s/ffmpeg", length, at) < VIDEO_PATH && access(file, X_OK) == 0)
            return true;
    }
    return false;
}
