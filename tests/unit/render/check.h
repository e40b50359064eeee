/* Checks shared by the tests of pictures. */
#ifndef FR_TEST_RENDER_CHECK_H
#define FR_TEST_RENDER_CHECK_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freshet/render.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_OK(call)                                 \
    do {                                               \
        fr_result check_result_ = (call);              \
        if (check_result_ != FR_OK)                    \
            fail_msg("%s: %s", #call, fr_error_message()); \
    } while (0)

/* A new empty folder; freed by the caller. */
static inline char *check_folder(void)
{
    char *folder = strdup("/tmp/freshet_render_XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static inline uint64_t check_hash(const fr_image *image)
{
    uint64_t hash = 14695981039346656037u;
    size_t bytes = (size_t)image->width * (size_t)image->height * 3;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ image->pixels[i]) * 1099511628211u;
    return hash;
}

/* Mean of a pixel's channels. */
static inline double check_level(const fr_image *image, int x, int y)
{
    const uint8_t *p = image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    return (p[0] + p[1] + p[2]) / 3.0;
}

#endif
