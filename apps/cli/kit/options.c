#include "kit/options.h"
#include "cli.h"
#include "kit/say.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST_LENGTH = 64 };

static int options_smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance of two short words (Wagner and Fischer 1974), with one row of the table. */
static int options_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n >= NEAREST_LENGTH || m >= NEAREST_LENGTH)
        return NEAREST_LENGTH;
    int row[NEAREST_LENGTH];
    for (size_t j = 0; j <= m; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = options_smaller(change, options_smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

const char *options_nearest(const char *word, const char *const *names, int count)
{
    const char *nearest = NULL;
    int least = options_smaller(3, (int)strlen(word));
    for (int i = 0; i < count; i++) {
        int distance = options_distance(word, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

static bool options_is_known(const char *word, const char *const *known, int count)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(word, known[k]))
            return true;
    return false;
}

bool options_all_known(const option_list *words, const char *const *known, int count, const char *what)
{
    for (int i = 0; i < words->count; i++) {
        if (options_is_known(words->items[i], known, count))
            continue;
        const char *nearest = options_nearest(words->items[i], known, count);
        say_error("there is no %s '%s'%s%s%s There are:", what, words->items[i], nearest ? "; did you mean '" : ".",
                  nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    return true;
}

static void options_usage_line(const options_def *def)
{
    printf("usage: freshet %s", def->command);
    if (*def->words)
        printf(" %s", def->words);
    for (int i = 0; i < def->option_count; i++) {
        const option_def *option = &def->options[i];
        if (option->letter)
            printf(" [-%c", option->letter);
        else
            printf(" [--%s", option->name);
        if (option->argument)
            printf(" %s", option->argument);
        printf("]%s", option->kind == OPTION_LIST ? "..." : "");
    }
    putchar('\n');
}

static void options_help(const options_def *def)
{
    options_usage_line(def);
    printf("\n%s\n\noptions:\n", def->summary);
    for (int i = 0; i < def->option_count; i++) {
        const option_def *option = &def->options[i];
        char left[64];
        int used = option->letter ? snprintf(left, sizeof left, "-%c, ", option->letter) : 0;
        snprintf(left + used, sizeof left - (size_t)used, "--%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-20s %s\n", left, option->help);
    }
    printf("  %-20s %s\n", "--help", "show this");
}

static int options_wrong(const options_def *def)
{
    fprintf(stderr, "'freshet %s --help' shows what it takes\n", def->command);
    return CLI_USAGE;
}

static bool options_integer(const char *text, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || number > INT_MAX)
        return false;
    *value = (int)number;
    return true;
}

/* Parses one end of a range; an empty one leaves the value unchanged. */
static bool options_bound(const char *begin, size_t length, int *value)
{
    char digits[16];
    if (length >= sizeof digits)
        return false;
    memcpy(digits, begin, length);
    digits[length] = 0;
    return length == 0 || options_integer(digits, value);
}

static bool options_range(const char *text, option_range *range)
{
    const char *colon = strchr(text, ':');
    option_range out = {0, INT_MAX};
    if (!colon) {
        if (!options_integer(text, &out.from))
            return false;
        out.to = out.from;
    } else if (!options_bound(text, (size_t)(colon - text), &out.from) ||
               !options_bound(colon + 1, strlen(colon + 1), &out.to)) {
        return false;
    }
    *range = out;
    return out.from <= out.to;
}

static bool options_collect(option_list *list, const char *word)
{
    if (list->count >= OPTIONS_MOST) {
        say_error("more than %d of '%s': too many", OPTIONS_MOST, word);
        return false;
    }
    list->items[list->count++] = word;
    return true;
}

/* Stores an option's argument. If it is wrong, reports that and returns false. */
static bool options_store(const option_def *option, const char *value)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case OPTION_NUMBER:
        if (options_integer(value, option->target))
            return true;
        say_error("--%s takes a whole number of 0 or more, not '%s'", option->name, value);
        return false;
    case OPTION_COUNT:
        if (options_integer(value, option->target) && *(int *)option->target > 0)
            return true;
        say_error("--%s takes a whole number of 1 or more, not '%s'", option->name, value);
        return false;
    case OPTION_TEXT:
        *(const char **)option->target = value;
        if (*value)
            return true;
        say_error("--%s takes %s, not an empty word", option->name, option->argument);
        return false;
    case OPTION_LIST:
        return options_collect(option->target, value);
    case OPTION_RANGE:
        if (options_range(value, option->target))
            return true;
        say_error("--%s takes a range such as 5:20, 5:, :20 or 5, not '%s'", option->name, value);
        return false;
    }
    return false;
}

static const option_def *options_find(const options_def *def, const char *name, size_t length)
{
    for (int i = 0; i < def->option_count; i++) {
        const option_def *option = &def->options[i];
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            return option;
    }
    return NULL;
}

static const option_def *options_find_letter(const options_def *def, char letter)
{
    for (int i = 0; i < def->option_count; i++)
        if (def->options[i].letter && def->options[i].letter == letter)
            return &def->options[i];
    return NULL;
}

static int options_unknown(const options_def *def, const char *word)
{
    const char *names[32];
    int count = 0;
    for (; count < def->option_count && count < 31; count++)
        names[count] = def->options[count].name;
    names[count++] = "help";
    char name[NEAREST_LENGTH];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + strspn(word, "-"), "="), word + strspn(word, "-"));
    const char *nearest = options_nearest(name, names, count);
    if (nearest)
        say_error("unknown option '%s'; did you mean '--%s'?", word, nearest);
    else
        say_error("unknown option '%s'", word);
    return options_wrong(def);
}

/* Parses the option at argv[*at] with its argument, and advances *at. */
static int options_take(const options_def *def, int argc, char **argv, int *at)
{
    const char *word = argv[(*at)++], *value = NULL;
    const option_def *option;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = options_find(def, word + 2, length);
        if (word[2 + length] == '=')
            value = word + 3 + length;
    } else {
        option = options_find_letter(def, word[1]);
        if (word[2])
            value = word + 2;
    }
    if (!option)
        return options_unknown(def, word);
    if (option->kind == OPTION_FLAG && value) {
        say_error("--%s takes no value", option->name);
        return options_wrong(def);
    }
    if (option->kind != OPTION_FLAG && !value) {
        if (*at >= argc) {
            say_error("--%s needs %s", option->name, option->argument);
            return options_wrong(def);
        }
        value = argv[(*at)++];
    }
    return options_store(option, value) ? OPTIONS_GO_ON : options_wrong(def);
}

int options_parse(const options_def *def, int argc, char **argv, option_list *words)
{
    words->count = 0;
    bool only_words = false;
    for (int at = 0; at < argc;) {
        const char *word = argv[at];
        if (!only_words && !strcmp(word, "--")) {
            only_words = true;
            at++;
        } else if (!only_words && (!strcmp(word, "--help") || !strcmp(word, "-h"))) {
            options_help(def);
            return CLI_DONE;
        } else if (!only_words && word[0] == '-' && word[1]) {
            int status = options_take(def, argc, argv, &at);
            if (status != OPTIONS_GO_ON)
                return status;
        } else {
            if (!options_collect(words, word))
                return options_wrong(def);
            at++;
        }
    }
    if (words->count < def->least)
        say_error("%s needs %s", def->command, def->words);
    else if (words->count > def->most)
        say_error("%s: '%s' is one word too many", def->command, words->items[def->most]);
    else
        return OPTIONS_GO_ON;
    return options_wrong(def);
}
