/* Definitions that must be refused. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include <freshet/world.h>

#include <string.h>

#include "support/check.h"

/* The definition is refused about that key, with words. */
static inline void expect_key(const fr_scene_def *def, const char *key)
{
    assert_int_equal(fr_scene_check(def), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), key);
    assert_true(strlen(fr_error_message()) > 10);
}

#endif
