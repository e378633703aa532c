/* Writes down what a program does to the files of one folder, and what of it is on the disk: preloaded into a program under test.
 * The folder is that of the file CHAOS_SYNCS, to which each act adds a line: create, write, sync or rename, with the path. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lines = -1;
static size_t folder_size;
static char folder[PATH_MAX];

__attribute__((constructor)) static void open_lines(void) {
    const char *path = getenv("CHAOS_SYNCS"), *name = path ? strrchr(path, '/') : NULL;
    if (!name || (size_t)(name - path) >= sizeof folder) return;
    folder_size = (size_t)(name - path);
    memcpy(folder, path, folder_size);
    lines = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

/* True for the folder itself and for what lies in it, but not deeper. */
static int is_watched(const char *path) {
    if (lines < 0 || strncmp(path, folder, folder_size) != 0) return 0;
    path += folder_size;
    return *path == 0 || (*path == '/' && !strchr(path + 1, '/'));
}

static void note(const char *act, const char *path) {
    char line[PATH_MAX + 16];
    int size = snprintf(line, sizeof line, "%s %s\n", act, path);
    if (is_watched(path) && size > 0) syscall(SYS_write, lines, line, (size_t)size);
}

static void note_file(const char *act, int file) {
    char link[32], path[PATH_MAX];
    if (lines < 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return;
    path[size] = 0;
    note(act, path);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (file >= 0 && flags & O_CREAT) note("create", path);
    return file;
}

ssize_t write(int file, const void *bytes, size_t size) {
    struct stat about;
    ssize_t done = syscall(SYS_write, file, bytes, size);
    if (done > 0 && lines >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode)) note_file("write", file);
    return done;
}

int fsync(int file) {
    int done = (int)syscall(SYS_fsync, file);
    if (done == 0) note_file("sync", file);
    return done;
}

int fdatasync(int file) {
    int done = (int)syscall(SYS_fdatasync, file);
    if (done == 0) note_file("sync", file);
    return done;
}

int rename(const char *from, const char *to) {
    int done = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (done == 0) note("rename", to);
    return done;
}
