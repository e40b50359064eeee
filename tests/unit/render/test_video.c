/* Films by ffmpeg, and the message when it is not installed. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include "render/draw/image.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pictures with odd sides, numbers 3, 5, 7 …, in a folder whose name a shell would trip over. */
static char *series(int count, char pattern[256])
{
    char *base = check_folder(), path[512];
    snprintf(path, sizeof path, "%s/a 'b' 100%% $(x)", base);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(pattern, 256, "%.200s/f \"q\"_%%04d.png", path);
    for (int i = 0; i < count; i++) {
        fr_image image;
        CHECK_OK(image_create(&image, 31, 17));
        memset(image.pixels, 40 * i, 31 * 17 * 3);
        snprintf(path, sizeof path, "%s/a 'b' 100%% $(x)/f \"q\"_%04d.png", base, 3 + 2 * i);
        CHECK_OK(fr_image_write_png(&image, path));
        fr_image_free(&image);
    }
    return base;
}

static const int numbers[] = {3, 5, 7, 9, 11};

static fr_result film(const char *pattern, int count, double fps, const char *path)
{
    return fr_video_from_images(&(fr_series){pattern, numbers, count}, fps, path);
}

static void clean(char *base)
{
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/a 'b' 100%% $(x)", base);
    DIR *list = opendir(folder);
    for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    if (list)
        closedir(list);
    rmdir(folder);
    assert_int_equal(rmdir(base), 0);
    free(base);
}

static bool have_ffmpeg(void)
{
    return access("/usr/bin/ffmpeg", X_OK) == 0;
}

static void test_a_film_from_a_series_with_gaps(void **state)
{
    (void)state;
    if (!have_ffmpeg())
        skip();
    char pattern[256], path[512], head[12];
    char *base = series(5, pattern);
    snprintf(path, sizeof path, "%s/a 'b' 100%% $(x)/film: 1.mp4", base);
    CHECK_OK(film(pattern, 5, 24, path));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, 12, file), 12);
    assert_memory_equal(head + 4, "ftyp", 4);
    fclose(file);
    clean(base);
}

static void test_a_film_that_cannot_be_written_quotes_ffmpeg(void **state)
{
    (void)state;
    if (!have_ffmpeg())
        skip();
    char pattern[256];
    char *base = series(2, pattern);
    assert_int_equal(film(pattern, 2, 24, "/nowhere/film.mp4"), FR_ERROR_FILE);
    assert_non_null(strstr(fr_error_message(), "No such file"));
    clean(base);
}

static void test_without_ffmpeg_the_message_says_what_to_do(void **state)
{
    (void)state;
    char pattern[256], path[512];
    char *base = series(2, pattern);
    char *before = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    setenv("PATH", "", 1);
    snprintf(path, sizeof path, "%s/film.mp4", base);
    fr_result result = film(pattern, 2, 24, path);
    if (before)
        setenv("PATH", before, 1);
    free(before);
    assert_int_equal(result, FR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(fr_error_message(), "install ffmpeg"));
    assert_non_null(strstr(fr_error_message(), pattern));
    assert_int_not_equal(access(path, F_OK), 0);
    clean(base);
}

static void test_wrong_input_is_refused(void **state)
{
    (void)state;
    char pattern[256];
    char *base = series(1, pattern);
    assert_int_equal(film("/tmp/picture.png", 1, 24, "/tmp/x.mp4"), FR_ERROR_INPUT);
    assert_int_equal(film("/tmp/%s.png", 1, 24, "/tmp/x.mp4"), FR_ERROR_INPUT);
    assert_int_equal(film("/tmp/%d_%d.png", 1, 24, "/tmp/x.mp4"), FR_ERROR_INPUT);
    assert_int_equal(film(pattern, 1, 0, "/tmp/x.mp4"), FR_ERROR_INPUT);
    assert_int_equal(film(pattern, 2, 24, "/tmp/x.mp4"), FR_ERROR_FILE);
    assert_int_equal(film(pattern, 0, 24, "/tmp/x.mp4"), FR_ERROR_INPUT);
    assert_int_equal(film("/nowhere/%d.png", 1, 24, "/tmp/x.mp4"), FR_ERROR_FILE);
    clean(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_film_from_a_series_with_gaps),
        cmocka_unit_test(test_a_film_that_cannot_be_written_quotes_ffmpeg),
        cmocka_unit_test(test_without_ffmpeg_the_message_says_what_to_do),
        cmocka_unit_test(test_wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
