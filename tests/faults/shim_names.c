/* Operations on names: rename, remove, folders and links. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    char old[FAULT_PATH], new[FAULT_PATH];
    bool watched = path_is_watched(from_dir, from, old) && path_is_watched(to_dir, to, new);
    if (!watched)
        return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    plan_lock();
    int result = -1;
    if (plan_ask(FAULT_RENAME) != FAULT_FAIL) {
        journal_put_seen(old);
        result = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    }
    if (result == 0)
        journal_put_pair("rename", old, new);
    plan_unlock();
    return result;
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return renameat2(from_dir, from, to_dir, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int dir, const char *path, int flags)
{
    char whole[FAULT_PATH];
    struct stat info;
    /* removing what is not there is no operation: nothing can be lost by it */
    if (!path_is_watched(dir, path, whole) || fstatat(dir, path, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return (int)syscall(SYS_unlinkat, dir, path, flags);
    plan_lock();
    int result = plan_ask(FAULT_REMOVE) == FAULT_FAIL ? -1 : (int)syscall(SYS_unlinkat, dir, path, flags);
    if (result == 0)
        journal_put("remove", 0, 0, whole, strlen(whole));
    plan_unlock();
    return result;
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
    struct stat info;
    bool folder = lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
    return unlinkat(AT_FDCWD, path, folder ? AT_REMOVEDIR : 0);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    char whole[FAULT_PATH];
    struct stat info;
    if (!path_is_watched(dir, path, whole) || fstatat(dir, path, &info, 0) == 0)
        return (int)syscall(SYS_mkdirat, dir, path, mode);
    plan_lock();
    int result = plan_ask(FAULT_MKDIR) == FAULT_FAIL ? -1 : (int)syscall(SYS_mkdirat, dir, path, mode);
    if (result == 0)
        journal_put("mkdir", 0, 0, whole, strlen(whole));
    plan_unlock();
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int symlink(const char *target, const char *path)
{
    char whole[FAULT_PATH];
    if (!path_is_watched(AT_FDCWD, path, whole))
        return (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
    plan_lock();
    int result = plan_ask(FAULT_LINK) == FAULT_FAIL ? -1 : (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
    if (result == 0)
        journal_put_pair("symlink", target, whole);
    plan_unlock();
    return result;
}

int link(const char *from, const char *to)
{
    char old[FAULT_PATH], new[FAULT_PATH];
    if (!path_is_watched(AT_FDCWD, from, old) || !path_is_watched(AT_FDCWD, to, new))
        return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    plan_lock();
    int result = plan_ask(FAULT_LINK) == FAULT_FAIL ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0)
        journal_put_pair("link", old, new);
    plan_unlock();
    return result;
}
