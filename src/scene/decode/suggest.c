#include "scene/decode/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };

static int suggest_min(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance with insertions, deletions, substitutions and transpositions (optimal string alignment). */
static int suggest_distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int rows[3][LONGEST + 2];
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int differs = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            now[j] = suggest_min(last[j - 1] + differs, suggest_min(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = suggest_min(now[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

suggestion suggest_begin(const char *word)
{
    size_t length = strlen(word);
    return (suggestion){.word = word, .distance = length < 3 ? 1 : length < 6 ? 2 : 3};
}

/* Whether `name` is better than an equally near name: closer in length, then alphabetically first. So the result does
   not depend on the order of the names. */
static bool suggest_before(const suggestion *s, const char *name)
{
    int length = (int)strlen(s->word);
    int off = abs((int)strlen(name) - length), best_off = abs((int)strlen(s->best) - length);
    return off != best_off ? off < best_off : strcmp(name, s->best) < 0;
}

void suggest_offer(suggestion *s, const char *name)
{
    if (strlen(s->word) > LONGEST || strlen(name) > LONGEST || !*s->word)
        return;
    int distance = suggest_distance(s->word, name);
    if (distance >= (int)strlen(name) || distance >= (int)strlen(s->word))
        return;
    bool nearer = s->best[0] ? distance < s->distance : distance <= s->distance;
    bool earlier = s->best[0] && distance == s->distance && suggest_before(s, name);
    if (nearer || earlier) {
        s->distance = distance;
        snprintf(s->best, sizeof s->best, "%s", name);
    }
}

void suggest_text(const suggestion *s, char *text, size_t size)
{
    text[0] = '\0';
    if (s->best[0])
        snprintf(text, size, "; did you mean '%s'?", s->best);
}
