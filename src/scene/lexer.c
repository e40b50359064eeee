#include "scene/lexer.h"

#include <ctype.h>
#include <string.h>

static void lexer_pass(lexer *l)
{
    if (*l->at == '\n')
        l->line++;
    l->at++;
}

/* The level (number of '=') of a long bracket "[[", "[=[" …; −1 if none starts here. */
static int lexer_long_level(const char *at)
{
    int level = 0;
    if (*at != '[')
        return -1;
    while (at[1 + level] == '=')
        level++;
    return at[1 + level] == '[' ? level : -1;
}

/* Skips a long bracket; its contents are [*start, *end). */
static void lexer_long(lexer *l, int level, const char **start, const char **end)
{
    l->at += level + 2;
    *start = l->at;
    for (; *l->at; lexer_pass(l)) {
        if (*l->at != ']')
            continue;
        int closing = 0;
        while (l->at[1 + closing] == '=')
            closing++;
        if (closing == level && l->at[1 + closing] == ']') {
            *end = l->at;
            l->at += level + 2;
            return;
        }
    }
    *end = l->at;
}

static void lexer_comment(lexer *l)
{
    const char *start, *end;
    l->at += 2;
    int level = lexer_long_level(l->at);
    if (level >= 0) {
        lexer_long(l, level, &start, &end);
        return;
    }
    while (*l->at && *l->at != '\n')
        l->at++;
}

static void lexer_space(lexer *l)
{
    for (;;) {
        while (isspace((unsigned char)*l->at))
            lexer_pass(l);
        if (l->at[0] != '-' || l->at[1] != '-')
            return;
        lexer_comment(l);
    }
}

static void lexer_string(lexer *l, token *t)
{
    char quote = *l->at++;
    t->text = l->at;
    while (*l->at && *l->at != quote) {
        if (*l->at == '\\' && l->at[1])
            lexer_pass(l);
        lexer_pass(l);
    }
    t->length = (size_t)(l->at - t->text);
    if (*l->at)
        l->at++;
}

/* Only those two-letter symbols are recognized that would be misread as two tokens. */
static size_t lexer_symbol_length(const char *at)
{
    static const char *const pairs[] = {"==", "~=", "<=", ">=", "::", ".."};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strncmp(at, pairs[i], 2))
            return 2;
    return 1;
}

static token lexer_read(lexer *l)
{
    lexer_space(l);
    token t = {.text = l->at, .line = l->line};
    int c = (unsigned char)*l->at, level = lexer_long_level(l->at);
    if (c == '\0')
        return t;
    if (isalpha(c) || c == '_') {
        t.kind = TOKEN_NAME;
        while (isalnum((unsigned char)*l->at) || *l->at == '_')
            l->at++;
    } else if (isdigit(c)) {
        t.kind = TOKEN_NUMBER;
        while (isalnum((unsigned char)*l->at) || *l->at == '.' ||
               ((*l->at == '-' || *l->at == '+') && strchr("eEpP", l->at[-1])))
            l->at++;
    } else if (c == '"' || c == '\'') {
        t.kind = TOKEN_STRING;
        lexer_string(l, &t);
        return t;
    } else if (level >= 0) {
        const char *end;
        t.kind = TOKEN_STRING;
        lexer_long(l, level, &t.text, &end);
        t.length = (size_t)(end - t.text);
        return t;
    } else {
        t.kind = TOKEN_SYMBOL;
        l->at += lexer_symbol_length(l->at);
    }
    t.length = (size_t)(l->at - t.text);
    return t;
}

void lexer_advance(lexer *l)
{
    l->now = l->next;
    l->next = lexer_read(l);
}

lexer lexer_begin(const char *text)
{
    lexer l = {.at = text, .line = 1};
    lexer_advance(&l);
    lexer_advance(&l);
    return l;
}

bool token_is(const token *t, const char *text)
{
    bool word = t->kind == TOKEN_NAME || t->kind == TOKEN_SYMBOL;
    return word && t->length == strlen(text) && !strncmp(t->text, text, t->length);
}
