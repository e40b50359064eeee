/* A program that does a little of everything to files, in a fixed order, and says how each step went: what the shim is
   tested with. Takes a folder. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sample_say(const char *step, int good)
{
    char number[16];
    snprintf(number, sizeof number, "%d", errno);
    printf("%s %s\n", step, good ? "ok" : number);
    fflush(stdout);
}

static void sample_descriptor(void)
{
    int fd = open("d/draft", O_RDWR | O_CREAT, 0666);
    sample_say("create", fd >= 0);
    sample_say("pwrite", pwrite(fd, "0123456789", 10, 2) == 10);
    sample_say("truncate", ftruncate(fd, 8) == 0);
    sample_say("fsync", fsync(fd) == 0);
    sample_say("close", close(fd) == 0);
    sample_say("rename", rename("d/draft", "d/file") == 0);
    int folder = open("d", O_RDONLY | O_DIRECTORY);
    sample_say("sync folder", folder >= 0 && fsync(folder) == 0);
    close(folder);
}

static void sample_stream(void)
{
    FILE *file = fopen("d/stream", "w");
    sample_say("fopen", file != NULL);
    if (!file)
        return;
    sample_say("fprintf", fprintf(file, "%01000d", 7) == 1000);
    int flushed = fflush(file) == 0;
    sample_say("fflush", flushed);
    sample_say("fsync stream", fsync(fileno(file)) == 0);
    sample_say("fclose", fclose(file) == 0);
    file = fopen("d/stream", "a");
    sample_say("append", file && fputs("tail", file) >= 0);
    sample_say("fclose", file && fclose(file) == 0);
}

/* What a child writes is not the program's doing. */
static void sample_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        int fd = open("d/child.part", O_WRONLY | O_CREAT, 0666);
        _exit(write(fd, "by another", 10) != 10 || getenv("LD_PRELOAD"));
    }
    int status = 1;
    waitpid(child, &status, 0);
    sample_say("child", status == 0);
    sample_say("rename child's", rename("d/child.part", "d/child") == 0);
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0)
        return 2;
    sample_say("mkdir", mkdir("d", 0777) == 0);
    sample_descriptor();
    sample_stream();
    sample_child();
    sample_say("symlink", symlink("file", "d/link") == 0);
    sample_say("unlink", unlink("d/file") == 0);
    for (int i = 0; i < 3; i++) {
        void *volatile block = malloc(100);
        sample_say("malloc", block != NULL);
        free(block);
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("clock %lld\n", (long long)now.tv_sec);
    return 0;
}
