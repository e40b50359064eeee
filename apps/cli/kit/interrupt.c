#define _POSIX_C_SOURCE 200809L
#include "kit/interrupt.h"
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupt_count;

static void interrupt_arrived(int signal_number)
{
    (void)signal_number;
    interrupt_count++;
    if (interrupt_count > 1)
        _exit(CLI_INTERRUPTED);
    static const char message[] = "\nfreshet: stopping after this step (once more to end at once)\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        return;   /* the message is lost, but the stop is recorded */
}

void interrupt_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt_arrived;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_asked(void)
{
    return interrupt_count > 0;
}
