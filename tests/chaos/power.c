/* What a process does to the files of one directory, written down in order, so that the states which a loss of power may leave
 * can be built from it (`power.py`). Preloaded: APNAP_POWER_ROOT is the directory, APNAP_POWER_LOG where it is written down.
 *
 * A record is: operation (1 byte), inode (8), offset (8), length of what follows (4), and that: bytes that were written, or names.
 * It is written down when the operation has succeeded and before the process hears of it: so whatever the process tells anybody
 * afterwards comes after it.
 *
 * Where APNAP_POWER_LUCK names a file, its three numbers (8 bytes each) are bad luck that may change at any time: seconds by which the
 * day's time is wrong, microseconds that a sync takes longer, and what ails the disk: 1 it is full, 2 it is full after half of each
 * write, 3 it cannot sync.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES 65536

enum { OPENED = 'o', CREATED = 'c', WRITTEN = 'w', SYNCED = 's', TRUNCATED = 't', RENAMED = 'r', UNLINKED = 'u' };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;
static char root[PATH_MAX];
static size_t root_length;
static volatile int64_t no_luck[3], *luck = no_luck;
static uint64_t watched[FILES]; /* inode by descriptor, 0: none of ours */

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("APNAP_POWER_ROOT"), *into = getenv("APNAP_POWER_LOG");
    if (where == NULL || into == NULL || realpath(where, root) == NULL) return;
    root_length = strlen(root);
    log_file = REAL(open)(into, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *block = getenv("APNAP_POWER_LUCK");
    int file = block == NULL ? -1 : REAL(open)(block, O_RDONLY | O_CLOEXEC);
    void *found = file < 0 ? MAP_FAILED : mmap(NULL, sizeof no_luck, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) luck = found;
    if (file >= 0) REAL(close)(file);
}

static int64_t shift(void) { return luck[0]; }
static int full(void) { return luck[2] == 1 || luck[2] == 2; }

/* How much of a write a full disk takes. */
static size_t taken(size_t length) { return luck[2] == 2 ? length / 2 : 0; }

static int no_space(void) {
    errno = ENOSPC;
    return -1;
}

/* The name within the directory, NULL for what is not directly in it; "" for the directory itself. */
static const char *ours(const char *path, char *whole) {
    if (log_file < 0 || path == NULL) return NULL;
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (getcwd(here, sizeof here) == NULL || snprintf(whole, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return NULL;
    } else if (snprintf(whole, PATH_MAX, "%s", path) >= PATH_MAX) {
        return NULL;
    }
    if (strncmp(whole, root, root_length) != 0) return NULL;
    if (whole[root_length] == 0) return whole + root_length;
    if (whole[root_length] != '/' || strchr(whole + root_length + 1, '/') != NULL) return NULL;
    return whole + root_length + 1;
}

static void note(char what, uint64_t inode, uint64_t offset, const void *data, uint32_t length) {
    static char head[21];
    pthread_mutex_lock(&mutex);
    head[0] = what;
    memcpy(head + 1, &inode, 8);
    memcpy(head + 9, &offset, 8);
    memcpy(head + 17, &length, 4);
    struct iovec parts[2] = {{head, sizeof head}, {(void *)data, length}};
    if (REAL(writev)(log_file, parts, 2) != (ssize_t)(sizeof head + length)) abort();
    pthread_mutex_unlock(&mutex);
}

static int opened(int file, const char *path, int there, int flags) {
    char whole[PATH_MAX];
    int fault = errno;
    const char *name = file >= 0 && file < FILES ? ours(path, whole) : NULL;
    if (name != NULL) {
        struct stat found;
        if (fstat(file, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) {
            watched[file] = found.st_ino;
            note(there ? OPENED : CREATED, found.st_ino, 0, name, strlen(name));
            if (there && (flags & O_TRUNC)) note(TRUNCATED, found.st_ino, 0, "", 0);
        }
    }
    errno = fault;
    return file;
}

#define OPEN(name)                                                                                                            \
    int name(const char *path, int flags, ...) {                                                                              \
        mode_t mode = 0;                                                                                                      \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                                  \
            va_list more;                                                                                                     \
            va_start(more, flags);                                                                                            \
            mode = va_arg(more, int);                                                                                         \
            va_end(more);                                                                                                     \
        }                                                                                                                     \
        int there = access(path, F_OK) == 0;                                                                                  \
        return opened(REAL(name)(path, flags, mode), path, there, flags);                                                     \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                          \
    int name(int folder, const char *path, int flags, ...) {                                                                  \
        mode_t mode = 0;                                                                                                      \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                                  \
            va_list more;                                                                                                     \
            va_start(more, flags);                                                                                            \
            mode = va_arg(more, int);                                                                                         \
            va_end(more);                                                                                                     \
        }                                                                                                                     \
        int there = faccessat(folder, path, F_OK, 0) == 0;                                                                    \
        return opened(REAL(name)(folder, path, flags, mode), folder == AT_FDCWD || path[0] == '/' ? path : NULL, there, flags); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
    if (file >= 0 && file < FILES) watched[file] = 0;
    return REAL(close)(file);
}

static int ours_open(int file) { return log_file >= 0 && file >= 0 && file < FILES && watched[file] != 0; }

ssize_t write(int file, const void *data, size_t length) {
    if (!ours_open(file)) return REAL(write)(file, data, length);
    if (full() && (length = taken(length)) == 0) return no_space();
    off_t at = lseek(file, 0, SEEK_CUR);
    ssize_t done = REAL(write)(file, data, length);
    if (done > 0) note(WRITTEN, watched[file], at, data, done);
    return done;
}

#define PWRITE(name, offset_type)                                                                                             \
    ssize_t name(int file, const void *data, size_t length, offset_type at) {                                                 \
        if (ours_open(file) && full() && (length = taken(length)) == 0) return no_space();                                    \
        ssize_t done = REAL(name)(file, data, length, at);                                                                    \
        if (done > 0 && ours_open(file)) note(WRITTEN, watched[file], at, data, done);                                        \
        return done;                                                                                                          \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(name)                                                                                                            \
    int name(int file) {                                                                                                      \
        if (ours_open(file) && luck[1] > 0) usleep(luck[1]);                                                                  \
        if (ours_open(file) && luck[2] == 3) {                                                                                \
            errno = EIO;                                                                                                      \
            return -1;                                                                                                        \
        }                                                                                                                     \
        int done = REAL(name)(file);                                                                                          \
        if (done == 0 && ours_open(file)) note(SYNCED, watched[file], 0, "", 0);                                              \
        return done;                                                                                                          \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset_type)                                                                                           \
    int name(int file, offset_type length) {                                                                                  \
        int done = REAL(name)(file, length);                                                                                  \
        if (done == 0 && ours_open(file)) note(TRUNCATED, watched[file], length, "", 0);                                      \
        return done;                                                                                                          \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    char one[PATH_MAX], other[PATH_MAX], names[2 * PATH_MAX];
    int done = REAL(rename)(from, to);
    const char *old = done == 0 ? ours(from, one) : NULL, *fresh = done == 0 ? ours(to, other) : NULL;
    if (old != NULL && fresh != NULL) {
        int length = snprintf(names, sizeof names, "%s/%s", old, fresh);
        note(RENAMED, 0, 0, names, length);
    }
    return done;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    if (from_folder == AT_FDCWD && to_folder == AT_FDCWD) return rename(from, to);
    return REAL(renameat)(from_folder, from, to_folder, to);
}

int unlink(const char *path) {
    char whole[PATH_MAX];
    int done = REAL(unlink)(path);
    const char *name = done == 0 ? ours(path, whole) : NULL;
    if (name != NULL) note(UNLINKED, 0, 0, name, strlen(name));
    return done;
}

int unlinkat(int folder, const char *path, int flags) {
    if (folder == AT_FDCWD && flags == 0) return unlink(path);
    return REAL(unlinkat)(folder, path, flags);
}

int clock_gettime(clockid_t which, struct timespec *now) {
    int done = REAL(clock_gettime)(which, now);
    if (done == 0 && which == CLOCK_REALTIME) now->tv_sec += shift();
    return done;
}
int gettimeofday(struct timeval *now, void *zone) {
    int done = REAL(gettimeofday)(now, zone);
    if (done == 0) now->tv_sec += shift();
    return done;
}
time_t time(time_t *into) {
    time_t now = REAL(time)(NULL) + shift();
    if (into != NULL) *into = now;
    return now;
}

/* Nothing of ours is written by these; if that changes, what is built would lack it. */
ssize_t writev(int file, const struct iovec *parts, int number) {
    if (ours_open(file)) abort();
    return REAL(writev)(file, parts, number);
}
int posix_fallocate(int file, off_t at, off_t length) {
    if (ours_open(file)) abort();
    return REAL(posix_fallocate)(file, at, length);
}
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length, unsigned flags) {
    if (ours_open(to)) {
        errno = EXDEV; /* then it is written */
        return -1;
    }
    return REAL(copy_file_range)(from, from_at, to, to_at, length, flags);
}
