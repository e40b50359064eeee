/* Goes once through the files of some folders: what was found stays fixed, in every build and without a fuzzer. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>

#include "fuzz.h"

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    FUZZ_REQUIRE(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    FUZZ_REQUIRE(size >= 0);
    rewind(file);
    uint8_t *data = malloc((size_t)size + 1);
    FUZZ_REQUIRE(data && fread(data, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    printf("%s\n", path);
    fflush(stdout);      /* the last line names the file that did it */
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

static int replay_folder(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay_file(path);
        count++;
    }
    if (dir)
        closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++)
        count += replay_folder(argv[i]);
    printf("%d files\n", count);
    return count > 0 ? 0 : 1;
}
