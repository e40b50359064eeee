/* Scenes given as text: written to a temporary file, loaded, removed. */
#ifndef LOAD_TEXT_H
#define LOAD_TEXT_H

#include <freshet/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "method='smoke', domain={size={1,1}, cells=16}"
#define HEAD_3D "method='smoke', domain={size={1,1,1}, cells=16}"

static inline const char *scene_path(void)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/tmp/freshet_scene_%ld.lua", (long)getpid());
    return path;
}

static inline void write_scene(const char *text, size_t length)
{
    FILE *file = fopen(scene_path(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline fr_result load_with(const char *text, const fr_scene_options *options, fr_scene **scene)
{
    write_scene(text, strlen(text));
    fr_result result = fr_scene_load(scene_path(), options, scene);
    remove(scene_path());
    return result;
}

/* Fails the test with the message when the scene does not load. */
static inline fr_scene *load(const char *text)
{
    fr_scene *scene;
    if (load_with(text, NULL, &scene) != FR_OK)
        fail_msg("%s\n%s", fr_error_message(), text);
    return scene;
}

/* The scene must be refused, on that line, with both texts in the message. */
static inline void refused(const char *text, int line, const char *first, const char *second)
{
    fr_scene *scene;
    if (load_with(text, NULL, &scene) == FR_OK)
        fail_msg("not refused: %s", text);
    assert_null(scene);
    char start[128];
    snprintf(start, sizeof start, "%s:%d: ", scene_path(), line);
    const char *message = fr_error_message();
    if (strncmp(message, start, strlen(start)) || !strstr(message, first) || !strstr(message, second))
        fail_msg("'%s'\nshould begin '%s' and have '%s' and '%s'\n%s", message, start, first, second, text);
}

#endif
