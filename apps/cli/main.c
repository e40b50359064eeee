/* freshet: the command line. Finds the command and passes its arguments on. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "kit/options.h"
#include "kit/say.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name, *summary;
    int (*main)(int argc, char **argv);   /* NULL: this build lacks the command */
} command;

static const command commands[] = {
    {"run", "simulate a scene into a folder", command_run},
    {"check", "the scene doctor: what would run, what it needs, what looks wrong", command_check},
    {"render", "make pictures and a film from a run's cache", command_render},
    {"sheet", "draw one moment of several runs into one picture", command_sheet},
    {"export", "write a run's cache in other formats", command_export},
    {"plot", "draw a run's ledger as SVG and PNG", command_plot},
    {"verify", "compare a run's files with their checksums", command_verify},
    {"bench", "measure this machine: stage timings and speed", command_bench},
    {"compare", "one scene by several methods side by side", NULL},
    {"validate", "literature cases, measured beside published", command_validate},
    {"serve", "a local page with progress, plots and playback", NULL},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int main_help(void)
{
    puts("usage: freshet COMMAND [ARGUMENTS]\n\nFreshet animates fluids, from one scene file to finished "
         "pictures.\n\ncommands:");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s %s%s\n", commands[i].name, commands[i].summary, commands[i].main ? "" : " (not built yet)");
    puts("  help       show this, or the help of a command\n"
         "  version    show the version (also --version)\n\n"
         "'freshet COMMAND --help' shows a command's options.\n"
         "exit status: 0 done, 1 could not finish, 2 usage or scene error, 130 after Ctrl-C");
    return CLI_DONE;
}

static int main_version(void)
{
    printf("freshet %s\n", fr_version());
    return CLI_DONE;
}

static int main_unknown(const char *word)
{
    const char *names[COMMAND_COUNT + 2];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    names[COMMAND_COUNT] = "help";
    names[COMMAND_COUNT + 1] = "version";
    const char *nearest = options_nearest(word, names, COMMAND_COUNT + 2);
    if (nearest)
        say_error("unknown command '%s'; did you mean '%s'?", word, nearest);
    else
        say_error("unknown command '%s'", word);
    fputs("'freshet help' lists the commands\n", stderr);
    return CLI_USAGE;
}

static int main_command(const char *name, int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name))
            continue;
        if (commands[i].main)
            return commands[i].main(argc, argv);
        if (argc > 0 && !strcmp(argv[0], "--help")) {
            printf("usage: freshet %s\n\n%s. This build does not have it yet.\n", name, commands[i].summary);
            return CLI_DONE;
        }
        say_error("'%s' is not built yet; 'freshet help' lists what is", name);
        return CLI_USAGE;
    }
    return main_unknown(name);
}

static int main_dispatch(int argc, char **argv)
{
    if (argc < 2) {
        say_error("no command; try 'freshet help'");
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version"))
        return main_version();
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        return main_help();
    if (!strcmp(word, "help")) {
        char *help = "--help";
        return argc > 2 ? main_command(argv[2], 1, &help) : main_help();
    }
    return main_command(word, argc - 2, argv + 2);
}

/* Large buffers for writing frames should return to the system when freed. By default glibc raises its mmap threshold
   after the first such buffer and keeps later ones: 140 MB instead of 76 in the demo. */
static void main_return_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 512 << 10);
#endif
}

int main(int argc, char **argv)
{
    if (fr_processor_check() != FR_OK) {
        fprintf(stderr, "freshet: %s\n", fr_error_message());
        return CLI_FAILED;
    }
    main_return_memory();
    /* A closed pipe or a file-size limit becomes a write error to report, instead of killing the program silently. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    say_listen();
    int status = main_dispatch(argc, argv);
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && status == CLI_DONE) {
        fprintf(stderr, "freshet: cannot write to standard output: %s\n",
                errno ? strerror(errno) : "an earlier write failed");
        status = CLI_FAILED;
    }
    return status;
}
