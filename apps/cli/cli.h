/* What all commands share. The command line uses the public headers only. */
#ifndef CLI_H
#define CLI_H

#include <freshet/freshet.h>

/* Exit statuses. Scripts rely on them (documented in SCENE.md). */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,        /* could not finish; the message says why, what is kept and how to continue */
    CLI_USAGE = 2,         /* wrong usage or a scene error */
    CLI_INTERRUPTED = 130  /* after Ctrl-C */
};

/* One per command. Takes the arguments after the command's name; returns the exit status. */
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_render(int argc, char **argv);
int command_sheet(int argc, char **argv);
int command_export(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_validate(int argc, char **argv);

#endif
