/* One option parser for all commands: each declares its options in a table. */
#ifndef KIT_OPTIONS_H
#define KIT_OPTIONS_H

#include <stdbool.h>

enum { OPTIONS_MOST = 256 };   /* most words of one option, or of the command itself */

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
    void *target;          /* unchanged when the option is not given */
    const char *argument;  /* placeholder in the usage text; NULL for a flag */
    const char *help;
} option_def;

typedef struct options_def {
    const char *command;   /* "run" */
    const char *words;     /* positional arguments as shown in the usage: "SCENE", "[NAME...]" or "" */
    int least, most;       /* number of positional arguments */
    const char *summary;   /* what the command does, one sentence or more */
    const option_def *options;
    int option_count;
} options_def;

enum { OPTIONS_GO_ON = -1 };

/* Returns OPTIONS_GO_ON, or an exit status when help was shown or an error reported. */
int options_parse(const options_def *def, int argc, char **argv, option_list *words);

/* The name among `names` that is most similar to `word`, or NULL when none is. */
const char *options_nearest(const char *word, const char *const *names, int count);

/* Whether all words are known. Otherwise reports the first unknown one and the most similar name; `what` is its kind,
   as "case". */
bool options_all_known(const option_list *words, const char *const *known, int count, const char *what);

#endif
