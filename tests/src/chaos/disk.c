/* A disk that is full while the first number of the file CHAOS_DISK is not 0: no file of the program can grow. The second
 * number counts what was refused. Preloaded into a program under test. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct disk {
    int64_t full, refused;
};

static volatile struct disk *disk;

__attribute__((constructor)) static void open_disk(void) {
    const char *path = getenv("CHAOS_DISK");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *shared = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *disk, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) disk = shared;
    if (file >= 0) close(file);
}

/* Whether a file would grow that ends here after a write. What is inside of it has its blocks already. */
static int refuses(int file, off_t end) {
    struct stat now;
    if (!disk || !disk->full || fstat(file, &now) != 0 || !S_ISREG(now.st_mode) || end <= now.st_size) return 0;
    __atomic_fetch_add(&disk->refused, 1, __ATOMIC_SEQ_CST);
    errno = ENOSPC;
    return 1;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    return refuses(file, at + (off_t)size) ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) { return pwrite(file, bytes, size, at); }

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
    off_t end = at;
    for (int n = 0; n < count; n++) end += (off_t)parts[n].iov_len;
    return refuses(file, end) ? -1 : syscall(SYS_pwritev, file, parts, (long)count, at, 0L);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t at) { return pwritev(file, parts, count, at); }

/* Its log, on standard error, is kept on another disk. */
ssize_t write(int file, const void *bytes, size_t size) {
    off_t at = file > STDERR_FILENO && disk && disk->full ? lseek(file, 0, SEEK_CUR) : -1;
    return at >= 0 && refuses(file, at + (off_t)size) ? -1 : syscall(SYS_write, file, bytes, size);
}
