/* Loaded before the C library into a process that is to meet slow disks, steps of the clock and
 * partitions of the network. What to do is in a file that the process shares with whoever breaks
 * it; the file is named by CHAOS_PRELOAD, and has the layout of `struct orders`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct orders {
    volatile int64_t clock;         /* nanoseconds that the time of day is ahead */
    volatile int64_t disk;          /* nanoseconds that a synchronisation takes longer */
    volatile int64_t cuts;          /* how many of the ports are cut off */
    volatile uint8_t cut[1 << 16];  /* by port: 1 where what this process connected to is silent */
};

static struct orders nothing, *orders = &nothing;
static uint16_t to[1 << 16];        /* by descriptor: the port that it was connected to */
static uint8_t torn[1 << 16];       /* by descriptor: 1 where bytes were lost, which TCP never does */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ONCE(name) \
    static __typeof__(&name) real; \
    if (!real) real = REAL(name)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CHAOS_PRELOAD");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *found = mmap(NULL, sizeof(struct orders), PROT_READ, MAP_SHARED, fd, 0);
    if (found != MAP_FAILED) orders = found;
    close(fd);
}

/* Disks. */

static void wait_for_disk(void) {
    int64_t left = orders->disk;
    if (!left) return;
    struct timespec pause = {left / 1000000000, left % 1000000000};
    nanosleep(&pause, NULL);
}

int fsync(int fd) {
    ONCE(fsync);
    wait_for_disk();
    return real(fd);
}

int fdatasync(int fd) {
    ONCE(fdatasync);
    wait_for_disk();
    return real(fd);
}

/* The time of day; the clocks that only ever go on are as they were. */

static void step(struct timespec *at) {
    int64_t now = at->tv_sec * 1000000000LL + at->tv_nsec + orders->clock;
    at->tv_sec = now / 1000000000;
    at->tv_nsec = now % 1000000000;
}

int clock_gettime(clockid_t which, struct timespec *at) {
    ONCE(clock_gettime);
    int failed = real(which, at);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) step(at);
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}

/* The network. What was written to a port that is cut off is gone, and so is what came from there;
 * once the port is whole again such a connection breaks, since its bytes have a gap. */

#define KNOWN(fd) ((fd) >= 0 && (fd) < 1 << 16)
enum { WHOLE, SILENT, BROKEN };

static int state(int fd) {
    if (!KNOWN(fd) || (!orders->cuts && !torn[fd]) || !to[fd]) return WHOLE;
    if (!orders->cut[to[fd]]) return torn[fd] ? BROKEN : WHOLE;
    torn[fd] = 1;
    return SILENT;
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
    ONCE(connect);
    if (KNOWN(fd)) {
        to[fd] = address->sa_family == AF_INET ? ntohs(((struct sockaddr_in *)address)->sin_port) : 0;
        torn[fd] = 0;
        if (orders->cuts && orders->cut[to[fd]]) {
            errno = ENETUNREACH;
            return -1;
        }
    }
    return real(fd, address, size);
}

int close(int fd) {
    ONCE(close);
    if (KNOWN(fd)) to[fd] = torn[fd] = 0;
    return real(fd);
}

static ssize_t broken(void) {
    errno = ECONNRESET;
    return -1;
}

/* Take what came and say that nothing did, so that the process sleeps instead of asking again. */
static ssize_t unheard(ssize_t got) {
    if (got > 0) errno = EAGAIN;
    if (got == 0) errno = ECONNRESET;
    return -1;
}

ssize_t read(int fd, void *to_, size_t size) {
    ONCE(read);
    int now = state(fd);
    if (now == BROKEN) return broken();
    ssize_t got = real(fd, to_, size);
    return now == SILENT ? unheard(got) : got;
}

ssize_t recv(int fd, void *to_, size_t size, int flags) {
    ONCE(recv);
    int now = state(fd);
    if (now == BROKEN) return broken();
    ssize_t got = real(fd, to_, size, flags);
    return now == SILENT ? unheard(got) : got;
}

ssize_t write(int fd, const void *from, size_t size) {
    ONCE(write);
    int now = state(fd);
    if (now == BROKEN) return broken();
    return now == SILENT ? (ssize_t)size : real(fd, from, size);
}

ssize_t send(int fd, const void *from, size_t size, int flags) {
    ONCE(send);
    int now = state(fd);
    if (now == BROKEN) return broken();
    return now == SILENT ? (ssize_t)size : real(fd, from, size, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    ONCE(writev);
    int now = state(fd);
    if (now == BROKEN) return broken();
    if (now == WHOLE) return real(fd, parts, count);
    ssize_t size = 0;
    for (int i = 0; i < count; i++) size += (ssize_t)parts[i].iov_len;
    return size;
}
