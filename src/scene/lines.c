#include "scene/lines.h"

#include <stdio.h>
#include <string.h>

#include "scene/lexer.h"

enum { MOST_ENTRIES = 20000, MOST_NESTING = 64, KEY_LENGTH = 256, MOST_HOPS = 8 };

/* Assignments at the top level of the file are recorded under the variable's name ("nozzle.shape"), and the table after
   `return` under "return", which no variable can be called. Constructor calls are recorded under the scene's key. */
struct line_entry {
    const char *key;
    const char *alias; /* the variable, if the value is just a variable; else NULL */
    int line;
    bool call; /* from a constructor's call, not from the text */
};

typedef struct line_scan {
    line_map *map;
    lexer lexer;
    int nesting;
} line_scan;

static line_entry *lines_add(line_map *map, const char *key, int line)
{
    if (!map->entries || map->count == MOST_ENTRIES)
        return NULL;
    char *copy = arena_strdup(map->arena, key);
    if (!copy)
        return NULL;
    map->entries[map->count] = (line_entry){.key = copy, .line = line};
    return &map->entries[map->count++];
}

void lines_add_call(line_map *map, const char *key, int line)
{
    line_entry *entry = line > 0 ? lines_add(map, key, line) : NULL;
    if (entry)
        entry->call = true;
}

/* Records the line of `key`; the lexer is at its value. */
static void lines_add_key(line_scan *scan, const char *key, int line)
{
    const token *value = &scan->lexer.now, *next = &scan->lexer.next;
    line_entry *entry = lines_add(scan->map, key, line);
    bool alone = value->kind == TOKEN_NAME && (token_is(next, ",") || token_is(next, ";") || token_is(next, "}"));
    if (entry && alone)
        entry->alias =
            arena_printf(scan->map->arena, "%.*s", (int)(value->length < 60 ? value->length : 60), value->text);
}

static bool lines_opens_block(const token *t)
{
    return token_is(t, "function") || token_is(t, "do") || token_is(t, "if") || token_is(t, "repeat");
}

static bool lines_closes_block(const token *t)
{
    return token_is(t, "end") || token_is(t, "until");
}

static int lines_depth_change(const token *t)
{
    if (lines_opens_block(t) || token_is(t, "(") || token_is(t, "[") || token_is(t, "{"))
        return 1;
    if (lines_closes_block(t) || token_is(t, ")") || token_is(t, "]") || token_is(t, "}"))
        return -1;
    return 0;
}

static void lines_scan_table(line_scan *scan, const char *key);

/* Skips the value of `key` up to the next ',' or '}'. Records its keys if it is a table or a constructor's table: {…},
   name{…}, name({…}). */
static void lines_scan_value(line_scan *scan, const char *key)
{
    lexer *l = &scan->lexer;
    bool plain = true;
    int depth = 0;
    for (int i = 0; l->now.kind != TOKEN_END; i++) {
        bool separator = token_is(&l->now, ",") || token_is(&l->now, ";") || token_is(&l->now, "}");
        if (depth == 0 && separator)
            return;
        if (plain && i < 3 && token_is(&l->now, "{") && scan->nesting < MOST_NESTING) {
            lines_scan_table(scan, key);
            plain = false;
            continue;
        }
        plain = plain && ((i == 0 && l->now.kind == TOKEN_NAME) || (i == 1 && token_is(&l->now, "(")));
        depth += lines_depth_change(&l->now);
        lexer_advance(l);
    }
}

/* [expression] = …: the key if the expression is a literal string or number. */
static void lines_scan_bracket_key(line_scan *scan, const char *table, char *key)
{
    lexer *l = &scan->lexer;
    lexer_advance(l);
    int length = (int)(l->now.length < 64 ? l->now.length : 64);
    if (token_is(&l->next, "]") && l->now.kind == TOKEN_STRING)
        snprintf(key, KEY_LENGTH, "%s.%.*s", table, length, l->now.text);
    else if (token_is(&l->next, "]") && l->now.kind == TOKEN_NUMBER)
        snprintf(key, KEY_LENGTH, "%s[%.*s]", table, length, l->now.text);
    for (int depth = 1; l->now.kind != TOKEN_END; lexer_advance(l)) {
        depth += lines_depth_change(&l->now);
        if (depth == 0)
            break;
    }
    lexer_advance(l);
    lexer_advance(l);
}

/* The current token is '{'; afterwards it is the one after '}'. */
static void lines_scan_table(line_scan *scan, const char *table)
{
    lexer *l = &scan->lexer;
    scan->nesting++;
    lexer_advance(l);
    for (int index = 1; l->now.kind != TOKEN_END && !token_is(&l->now, "}");) {
        char key[KEY_LENGTH] = "";
        int line = l->now.line;
        if (l->now.kind == TOKEN_NAME && token_is(&l->next, "=")) {
            snprintf(key, sizeof key, "%.180s.%.*s", table, (int)(l->now.length < 64 ? l->now.length : 64),
                     l->now.text);
            lexer_advance(l);
            lexer_advance(l);
        } else if (token_is(&l->now, "[")) {
            lines_scan_bracket_key(scan, table, key);
        } else {
            snprintf(key, sizeof key, "%.180s[%d]", table, index++);
        }
        /* Long lists of numbers would fill the map; the line of the list is enough. */
        bool bare = l->now.kind == TOKEN_NUMBER && key[0] && key[strlen(key) - 1] == ']';
        if (key[0] && !bare)
            lines_add_key(scan, key, line);
        lines_scan_value(scan, key);
        if (token_is(&l->now, ",") || token_is(&l->now, ";"))
            lexer_advance(l);
    }
    lexer_advance(l);
    scan->nesting--;
}

/* The current token follows a top-level `return`. */
static void lines_scan_return(line_scan *scan)
{
    lexer *l = &scan->lexer;
    char *root = scan->map->root;
    snprintf(root, sizeof scan->map->root, "return");
    if (token_is(&l->now, "{"))
        lines_scan_table(scan, "return");
    else if (l->now.kind == TOKEN_NAME && (l->next.kind == TOKEN_END || token_is(&l->next, ";")))
        snprintf(root, sizeof scan->map->root, "%.*s", (int)(l->now.length < 60 ? l->now.length : 60), l->now.text);
}

/* name = …, name.key = …: the current token is the first name. Skips the names even if this is no assignment: starting
   again at each of them would take quadratic time. */
static void lines_scan_assignment(line_scan *scan)
{
    lexer *l = &scan->lexer;
    char key[KEY_LENGTH];
    int line = l->now.line;
    size_t used =
        (size_t)snprintf(key, sizeof key, "%.*s", (int)(l->now.length < 60 ? l->now.length : 60), l->now.text);
    lexer_advance(l);
    while (token_is(&l->now, ".") && l->next.kind == TOKEN_NAME && used + l->next.length + 2 < sizeof key) {
        used += (size_t)snprintf(key + used, sizeof key - used, ".%.*s", (int)l->next.length, l->next.text);
        lexer_advance(l);
        lexer_advance(l);
    }
    if (!token_is(&l->now, "="))
        return;
    lexer_advance(l);
    lines_add(scan->map, key, line);
    if (l->now.kind == TOKEN_NAME && !lines_depth_change(&l->now) && token_is(&l->next, "{"))
        lexer_advance(l);
    if (token_is(&l->now, "{"))
        lines_scan_table(scan, key);
}

void lines_scan(line_map *map, arena *arena, const char *text)
{
    *map = (line_map){.arena = arena, .last = 1, .root = "return"};
    map->entries = ARENA_NEW(arena, line_entry, MOST_ENTRIES);
    line_scan scan = {.map = map, .lexer = lexer_begin(text)};
    lexer *l = &scan.lexer;
    int depth = 0;
    while (l->now.kind != TOKEN_END) {
        if (depth == 0 && token_is(&l->now, "return")) {
            map->last = l->now.line;
            lexer_advance(l);
            lines_scan_return(&scan);
        } else if (depth == 0 && l->now.kind == TOKEN_NAME && !lines_opens_block(&l->now)) {
            lines_scan_assignment(&scan);
        } else {
            depth += lines_depth_change(&l->now);
            depth = depth > 0 ? depth : 0;
            lexer_advance(l);
        }
    }
}

/* Of equal keys the last one counts, because it overwrites the others. */
static const line_entry *lines_exact(const line_map *map, const char *key, bool call)
{
    for (int i = map->count - 1; i >= 0; i--)
        if (map->entries[i].call == call && !strcmp(map->entries[i].key, key))
            return &map->entries[i];
    return NULL;
}

/* Replaces the first part of `path` whose value is just a variable by that variable. */
static bool lines_follow_alias(const line_map *map, char path[KEY_LENGTH])
{
    for (size_t end = 1; path[end - 1]; end++) {
        if (path[end] && path[end] != '.' && path[end] != '[')
            continue;
        char rest[KEY_LENGTH];
        snprintf(rest, sizeof rest, "%s", path + end);
        path[end] = '\0';
        const line_entry *entry = lines_exact(map, path, false);
        if (entry && entry->alias && lines_exact(map, entry->alias, false)) {
            snprintf(path, KEY_LENGTH, "%.60s%.190s", entry->alias, rest);
            return true;
        }
        snprintf(path + end, KEY_LENGTH - end, "%s", rest);
    }
    return false;
}

/* The line of the scene's key in the text; 0: not found. */
static int lines_in_text(const line_map *map, const char *key)
{
    char path[KEY_LENGTH];
    snprintf(path, sizeof path, "%s%s%.180s", map->root, key[0] == '[' ? "" : ".", key);
    for (int hops = 0; hops < MOST_HOPS && lines_follow_alias(map, path);)
        hops++;
    const line_entry *entry = lines_exact(map, path, false);
    return entry ? entry->line : 0;
}

int lines_find(const line_map *map, const char *key)
{
    char around[KEY_LENGTH];
    snprintf(around, sizeof around, "%s", key);
    int line = lines_in_text(map, around);
    while (line == 0 && around[0]) {
        const line_entry *call = lines_exact(map, around, true);
        line = call ? call->line : lines_in_text(map, around);
        char *dot = strrchr(around, '.'), *bracket = strrchr(around, '[');
        char *cut = !dot || (bracket && bracket > dot) ? bracket : dot;
        *(cut ? cut : around) = '\0';
    }
    return line > 0 ? line : map->last;
}
