/* One option parser for all commands: each declares its options in a table. */
#ifndef KIT_OPTIONS_H
#define KIT_OPTIONS_H

#include <stdbool.h>

enum { OPTIONS_MOST = 256 };   /* words that one option or the command itself may collect */

/* Words collected from the command line; they belong to argv. */
typedef struct option_list {
    const char *items[OPTIONS_MOST];
    int count;
} option_list;

/* Frames from:to, both included. */
typedef struct option_range {
    int from, to;
} option_range;

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_NUMBER,  /* int, not negative */
    OPTION_COUNT,   /* int, 1 or more */
    OPTION_TEXT,    /* const char * */
    OPTION_LIST,    /* option_list, may be repeated */
    OPTION_RANGE    /* option_range: "5:20", "5:", ":20" or "5" */
} option_kind;

typedef struct option_def {
    const char *name;      /* without the dashes */
    char letter;           /* short form, or 0 */
    option_kind kind;
    void *target;          /* left alone when the option is not given */
    const char *argument;  /* its name in the usage; NULL for a flag */
    const char *help;
} option_def;

typedef struct options_def {
    const char *command;   /* "run" */
    const char *words;     /* "SCENE", "[NAME...]" or "": as the usage shows them */
    int least, most;       /* how many words */
    const char *summary;   /* what the command does, one sentence or more */
    const option_def *options;
    int option_count;
} options_def;

enum { OPTIONS_GO_ON = -1 };

/* OPTIONS_GO_ON, or the exit status to end with (help was shown; a mistake was explained). */
int options_parse(const options_def *def, int argc, char **argv, option_list *words);

/* The name nearest to `word` among `names`, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const *names, int count);

/* Whether all words are known; the first that is not is named, with the nearest, as a `what` ("case") that there is
 * none of. */
bool options_all_known(const option_list *words, const char *const *known, int count, const char *what);

#endif
