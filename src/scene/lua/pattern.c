#include "scene/lua/pattern.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "scene/lua/sandbox.h"

enum { MOST_DEPTH = 150, CHARGE_EVERY = 4096, BYTES_PER_STEP = 64 };
enum { SET_COST = 16 }; /* the bytes of a set are compared one by one, others many at a time */

void pattern_step(matcher *m, size_t bytes)
{
    m->steps += 1 + (int)(bytes / BYTES_PER_STEP);
    if (m->steps < CHARGE_EVERY)
        return;
    int64_t cost = m->steps;
    m->steps = 0;
    sandbox_charge(m->lua, cost);
}

/* The end of the single-character item that starts at p. */
static const char *pattern_item_end(matcher *m, const char *p)
{
    const char *start = p;
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end)
            luaL_error(m->lua, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[')
        return p;
    if (p < m->pattern_end && *p == '^')
        p++;
    do {
        if (p == m->pattern_end)
            luaL_error(m->lua, "malformed pattern (missing ']')");
        if (*p++ == '%' && p < m->pattern_end)
            p++;
    } while (p == m->pattern_end || *p != ']');
    pattern_step(m, SET_COST * (size_t)(p - start));
    return p + 1;
}

static bool pattern_class(int c, int class)
{
    static const struct {
        char letter;
        int (*test)(int);
    } classes[] = {{'a', isalpha}, {'c', iscntrl}, {'d', isdigit}, {'g', isgraph}, {'l', islower},
                   {'p', ispunct}, {'s', isspace}, {'u', isupper}, {'w', isalnum}, {'x', isxdigit}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (tolower(class) == classes[i].letter)
            return (classes[i].test(c) != 0) == (islower(class) != 0);
    return class == c;
}

/* Whether c is in the set; p is at '[', `end` after ']'. */
static bool pattern_set(int c, const char *p, const char *end)
{
    bool found = true;
    const char *last = end - 1;
    if (*++p == '^') {
        found = false;
        p++;
    }
    while (p < last) {
        if (*p == '%' && p + 1 < last) {
            if (pattern_class(c, (unsigned char)p[1]))
                return found;
            p += 2;
        } else if (p + 2 < last && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
                return found;
            p += 3;
        } else if ((unsigned char)*p++ == c) {
            return found;
        }
    }
    return !found;
}

static bool pattern_one(matcher *m, const char *s, const char *p, const char *end)
{
    pattern_step(m, SET_COST * (size_t)(end - p));
    if (s >= m->text_end)
        return false;
    int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return pattern_class(c, (unsigned char)p[1]);
    case '[':
        return pattern_set(c, p, end);
    default:
        return (unsigned char)*p == c;
    }
}

static const char *pattern_greedy(matcher *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t count = 0;
    while (pattern_one(m, s + count, p, end))
        count++;
    for (; count >= 0; count--) {
        pattern_step(m, 0);
        const char *rest = pattern_match(m, s + count, end + 1);
        if (rest)
            return rest;
    }
    return NULL;
}

static const char *pattern_lazy(matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *rest = pattern_match(m, s, end + 1);
        if (rest)
            return rest;
        if (!pattern_one(m, s, p, end))
            return NULL;
    }
}

/* %bxy: p at x. */
static const char *pattern_balance(matcher *m, const char *s, const char *p)
{
    if (p + 1 >= m->pattern_end)
        luaL_error(m->lua, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != p[0])
        return NULL;
    for (int64_t open = 1; ++s < m->text_end;) {
        pattern_step(m, 0);
        if (*s == p[1]) {
            if (--open == 0)
                return s + 1;
        } else if (*s == p[0]) {
            open++;
        }
    }
    return NULL;
}

/* %f[set]: p at '['. */
static const char *pattern_frontier(matcher *m, const char *s, const char *p)
{
    if (p >= m->pattern_end || *p != '[')
        luaL_error(m->lua, "malformed pattern (missing '[' after '%%f')");
    const char *end = pattern_item_end(m, p);
    pattern_step(m, 2 * SET_COST * (size_t)(end - p));
    int before = s == m->text ? 0 : (unsigned char)s[-1];
    int after = s < m->text_end ? (unsigned char)*s : 0;
    return !pattern_set(before, p, end) && pattern_set(after, p, end) ? pattern_match(m, s, end) : NULL;
}

static const char *pattern_back_reference(matcher *m, const char *s, int digit)
{
    int index = digit - '1';
    if (index < 0 || index >= m->level || m->captures[index].length < 0)
        luaL_error(m->lua, "invalid capture index in the pattern");
    size_t length = (size_t)m->captures[index].length;
    pattern_step(m, length);
    bool same = (size_t)(m->text_end - s) >= length && !memcmp(m->captures[index].start, s, length);
    return same ? s + length : NULL;
}

static const char *pattern_open_capture(matcher *m, const char *s, const char *p)
{
    if (m->level == PATTERN_CAPTURES)
        luaL_error(m->lua, "too many captures in the pattern");
    bool position = p + 1 < m->pattern_end && p[1] == ')';
    m->captures[m->level].start = s;
    m->captures[m->level].length = position ? PATTERN_POSITION : PATTERN_OPEN;
    m->level++;
    const char *rest = pattern_match(m, s, position ? p + 2 : p + 1);
    if (!rest)
        m->level--;
    return rest;
}

static const char *pattern_close_capture(matcher *m, const char *s, const char *p)
{
    int index = m->level - 1;
    while (index >= 0 && m->captures[index].length != PATTERN_OPEN)
        index--;
    if (index < 0)
        luaL_error(m->lua, "invalid pattern capture");
    m->captures[index].length = s - m->captures[index].start;
    const char *rest = pattern_match(m, s, p + 1);
    if (!rest)
        m->captures[index].length = PATTERN_OPEN;
    return rest;
}

/* Matches one item with its repetition. Sets *next to the rest of the pattern if matching continues there, or to
   NULL if the result is final. */
static const char *pattern_item(matcher *m, const char *s, const char *p, const char **next)
{
    const char *end = pattern_item_end(m, p);
    char suffix = '\0';
    if (end < m->pattern_end)
        suffix = *end;
    *next = NULL;
    if (suffix == '*')
        return pattern_greedy(m, s, p, end);
    if (suffix == '-')
        return pattern_lazy(m, s, p, end);
    bool here = pattern_one(m, s, p, end);
    if (suffix == '+')
        return here ? pattern_greedy(m, s + 1, p, end) : NULL;
    if (suffix == '?') {
        const char *rest = here ? pattern_match(m, s + 1, end + 1) : NULL;
        return rest ? rest : pattern_match(m, s, end + 1);
    }
    *next = here ? end : NULL;
    return here ? s + 1 : NULL;
}

/* Matches a '%' item that is not a single character; false: it is a single-character item. */
static bool pattern_special(matcher *m, const char **s, const char **p, bool *done)
{
    char kind = '\0';
    if (*p + 1 < m->pattern_end)
        kind = (*p)[1];
    *done = false;
    if (kind == 'b') {
        *s = pattern_balance(m, *s, *p + 2);
        *p += 4;
    } else if (kind == 'f') {
        *s = pattern_frontier(m, *s, *p + 2);
        *done = true;
    } else if (isdigit((unsigned char)kind)) {
        *s = pattern_back_reference(m, *s, kind);
        *p += 2;
    } else {
        return false;
    }
    return true;
}

const char *pattern_match(matcher *m, const char *s, const char *p)
{
    if (++m->depth > MOST_DEPTH)
        luaL_error(m->lua, "pattern too complex");
    while (s && p < m->pattern_end) {
        pattern_step(m, 0);
        bool done = false;
        const char *next = NULL;
        if (*p == '(') {
            s = pattern_open_capture(m, s, p);
            break;
        }
        if (*p == ')') {
            s = pattern_close_capture(m, s, p);
            break;
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            s = s == m->text_end ? s : NULL;
            break;
        }
        if (*p == '%' && pattern_special(m, &s, &p, &done)) {
            if (done)
                break;
            continue;
        }
        s = pattern_item(m, s, p, &next);
        if (!next)
            break;
        p = next;
    }
    m->depth--;
    return s;
}
