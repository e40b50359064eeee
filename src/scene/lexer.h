/* A lexer for Lua, as far as finding keys needs it. */
#ifndef FR_SCENE_LEXER_H
#define FR_SCENE_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_NUMBER, TOKEN_SYMBOL } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* strings: without their quotes, escapes as written */
    size_t length;
    int line;
} token;

typedef struct lexer {
    const char *at;
    int line;
    token now, next; /* the current token, and the one after it */
} lexer;

lexer lexer_begin(const char *text);
void lexer_advance(lexer *lexer);
bool token_is(const token *token, const char *text); /* a name, keyword or symbol */

#endif
