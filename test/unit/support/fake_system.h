// fake_system.h - the system calls of the providers, counted, made to fail and
// looked after. For programs that are linked by gmem_add_fake_system_test;
// _GNU_SOURCE must be defined before the first header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_FAKE_SYSTEM_H_
#define GMEM_TEST_UNIT_FAKE_SYSTEM_H_

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

enum { FAKE_MAX_MAPPINGS = 256, FAKE_MAX_SYNCS = 16 };

// What a test may set, and what it may look at.
static struct {
  bool armed;           // else all calls go through, uncounted
  unsigned calls;       // so far
  unsigned fail_at;     // which call fails; 0: none
  bool for_ever;        // and those after it, but for munmap and close
  int error;            // with this errno
  unsigned failed_call; // the number of |site|
  void *refused;        // what a failing munmap was to unmap
  size_t refused_size;
  const char *site;       // the call that failed first
  bool hints;             // addresses are hints, as before Linux 4.17
  unsigned snatches;      // so often another thread takes what was unmapped
  void *snatched;         // the last address that it took
  bool has_huge;          // there are reserved huge pages
  bool is_sealed_private; // sealed files cannot be mapped as shared
  bool has_heap_folder;   // but no heap, when |has_heap| is false
  bool has_heap;
  bool is_hugetlbfs;  // fstatfs says that files are in huge pages
  bool file_ends;     // fstat says that files have no bytes
  uint64_t most_file; // largest size that a file may grow to; 0: any
  long page;          // what sysconf says; 0: the truth
  unsigned sync_count;
  uint64_t syncs[FAKE_MAX_SYNCS]; // flags
  struct {
    uintptr_t begin, end;
  } mapped[FAKE_MAX_MAPPINGS]; // and not unmapped
  unsigned mapped_count;
} fake;

static inline void fake_reset(void) { memset(&fake, 0, sizeof fake); }

// Counts a call of |site|. Whether it is to fail; errno is then set.
static inline bool fake_fails(const char *site) {
  ++fake.calls;
  bool late = fake.for_ever && fake.calls > fake.fail_at &&
              strcmp(site, "munmap") != 0 && strcmp(site, "close") != 0;
  if (fake.fail_at == 0 || (fake.calls != fake.fail_at && !late))
    return false;
  if (!fake.site) {
    fake.site = site;
    fake.failed_call = fake.calls;
  }
  errno = fake.error;
  return true;
}

//===--- what is mapped ---------------------------------------------------===//

static inline void fake_add(uintptr_t begin, uintptr_t end) {
  CHECK(fake.mapped_count < FAKE_MAX_MAPPINGS);
  if (begin < end && fake.mapped_count < FAKE_MAX_MAPPINGS) {
    fake.mapped[fake.mapped_count].begin = begin;
    fake.mapped[fake.mapped_count++].end = end;
  }
}

// Forgets the mappings in [begin, end). Returns how many bytes there were.
static inline size_t fake_remove(uintptr_t begin, uintptr_t end) {
  size_t removed = 0;
  for (unsigned i = fake.mapped_count; i-- > 0;) {
    uintptr_t low = fake.mapped[i].begin, high = fake.mapped[i].end;
    if (high <= begin || end <= low)
      continue;
    fake.mapped[i] = fake.mapped[--fake.mapped_count];
    fake_add(low, begin);
    fake_add(end, high);
    removed += (high < end ? high : end) - (low > begin ? low : begin);
  }
  return removed;
}

static inline size_t fake_mapped_bytes(void) {
  size_t bytes = 0;
  for (unsigned i = 0; i < fake.mapped_count; ++i)
    bytes += fake.mapped[i].end - fake.mapped[i].begin;
  return bytes;
}

static inline unsigned open_files(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder))
    ++count;
  if (folder)
    closedir(folder);
  return count;
}

//===--- the calls --------------------------------------------------------===//

// Sanitizers call these, too, before they are ready to look at anything.
#if defined(__clang__)
#define FAKE __attribute__((disable_sanitizer_instrumentation))
#else
#define FAKE __attribute__((no_sanitize("address", "thread", "undefined")))
#endif

void *__real_mmap(void *, size_t, int, int, int, off_t);
int __real_munmap(void *, size_t);
int __real_mprotect(void *, size_t, int);
int __real_madvise(void *, size_t, int);
int __real_memfd_create(const char *, unsigned);
int __real_ftruncate(int, off_t);
int __real_fcntl(int, int, ...);
int __real_fstat(int, struct stat *);
int __real_fstatfs(int, struct statfs *);
int __real_open(const char *, int, ...);
int __real_close(int);
int __real_access(const char *, int);
int __real_ioctl(int, unsigned long, ...);
long __real_syscall(long, ...);
long __real_sysconf(int);
int __real_getrlimit(int, struct rlimit *);
ssize_t __real_read(int, void *, size_t);
ssize_t __real_pread(int, void *, size_t, off_t);
int __real_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __real_pthread_condattr_init(pthread_condattr_t *);
int __real_pthread_condattr_setclock(pthread_condattr_t *, clockid_t);

FAKE void *__wrap_mmap(void *address, size_t size, int protection, int flags,
                       int fd, off_t offset);
FAKE int __wrap_munmap(void *address, size_t size);
FAKE int __wrap_mprotect(void *address, size_t size, int protection);
FAKE int __wrap_madvise(void *address, size_t size, int advice);
FAKE int __wrap_memfd_create(const char *name, unsigned flags);
FAKE int __wrap_ftruncate(int fd, off_t size);
FAKE int __wrap_fcntl(int fd, int command, ...);
FAKE int __wrap_fstat(int fd, struct stat *about);
FAKE int __wrap_fstatfs(int fd, struct statfs *about);
FAKE int __wrap_open(const char *path, int flags, ...);
FAKE int __wrap_close(int fd);
FAKE int __wrap_access(const char *path, int mode);
FAKE int __wrap_ioctl(int fd, unsigned long request, ...);
FAKE long __wrap_syscall(long number, ...);
FAKE long __wrap_sysconf(int name);
FAKE int __wrap_getrlimit(int resource, struct rlimit *limit);
FAKE ssize_t __wrap_read(int fd, void *bytes, size_t size);
FAKE ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset);
FAKE int __wrap_pthread_mutex_init(pthread_mutex_t *mutex,
                                   const pthread_mutexattr_t *attributes);
FAKE int __wrap_pthread_cond_init(pthread_cond_t *condition,
                                  const pthread_condattr_t *attributes);
FAKE int __wrap_pthread_condattr_init(pthread_condattr_t *attributes);
FAKE int __wrap_pthread_condattr_setclock(pthread_condattr_t *attributes,
                                          clockid_t clock);

// The flags of a mmap on the system that is faked, or -1 with errno set.
static inline int fake_map_flags(int flags, int fd) {
  if (fake.hints)
    flags &= ~MAP_FIXED_NOREPLACE;
  if (flags & MAP_HUGETLB) {
    if (!fake.has_huge) {
      errno = ENOMEM;
      return -1;
    }
    flags &= ~MAP_HUGETLB & ((1 << MAP_HUGE_SHIFT) - 1); // nor their size
  }
  if (fake.is_sealed_private && (flags & MAP_TYPE) == MAP_SHARED && fd >= 0 &&
      (__real_fcntl(fd, F_GET_SEALS) & F_SEAL_WRITE)) {
    errno = EPERM;
    return -1;
  }
  return flags;
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd,
                  off_t offset) {
  if (!fake.armed)
    return __real_mmap(address, size, protection, flags, fd, offset);
  CHECK(!(flags & MAP_NORESERVE));
  if (fake_fails("mmap") || (flags = fake_map_flags(flags, fd)) == -1)
    return MAP_FAILED;
  void *got = __real_mmap(address, size, protection, flags, fd, offset);
  if (got == MAP_FAILED)
    return got;
  if (flags & MAP_FIXED) // only ever over what is ours
    CHECK(fake_remove((uintptr_t)got, (uintptr_t)got + size) == size);
  fake_add((uintptr_t)got, (uintptr_t)got + size);
  return got;
}

int __wrap_munmap(void *address, size_t size) {
  if (!fake.armed)
    return __real_munmap(address, size);
  if (fake_fails("munmap")) {
    fake.refused = address;
    fake.refused_size = size;
    return -1;
  }
  uintptr_t begin = (uintptr_t)address, refused = (uintptr_t)fake.refused;
  CHECK(fake_remove(begin, begin + size) == size);
  if (begin <= refused && refused < begin + size)
    fake.refused_size = 0; // it was tried again
  int result = __real_munmap(address, size);
  if (fake.snatches > 0 && size > 4096) {
    --fake.snatches;
    fake.snatched = __real_mmap(address, 4096, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    *(char *)fake.snatched = 's';
  }
  return result;
}

// Takes back what a failing munmap has left: that is nobody's leak.
static inline void fake_collect(void) {
  uintptr_t begin = (uintptr_t)fake.refused;
  for (size_t at = 0; at < fake.refused_size; at += 4096)
    if (fake_remove(begin + at, begin + at + 4096) > 0)
      __real_munmap((uint8_t *)fake.refused + at, 4096);
  fake.refused_size = 0;
}

int __wrap_mprotect(void *address, size_t size, int protection) {
  if (fake.armed && fake_fails("mprotect"))
    return -1;
  return __real_mprotect(address, size, protection);
}

int __wrap_madvise(void *address, size_t size, int advice) {
  if (fake.armed && fake_fails("madvise"))
    return -1;
  return __real_madvise(address, size, advice);
}

int __wrap_memfd_create(const char *name, unsigned flags) {
  if (fake.armed && fake_fails("memfd_create"))
    return -1;
  return __real_memfd_create(name, flags);
}

int __wrap_ftruncate(int fd, off_t size) {
  if (fake.armed && fake_fails("ftruncate"))
    return -1;
  return __real_ftruncate(fd, size);
}

int __wrap_fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  int argument = command == F_GET_SEALS ? 0 : va_arg(arguments, int);
  va_end(arguments);
  if (fake.armed && fake_fails("fcntl"))
    return -1;
  return __real_fcntl(fd, command, argument);
}

int __wrap_fstat(int fd, struct stat *about) {
  if (fake.armed && fake_fails("fstat"))
    return -1;
  int result = __real_fstat(fd, about);
  if (fake.file_ends)
    about->st_size = 0;
  return result;
}

int __wrap_fstatfs(int fd, struct statfs *about) {
  if (fake.armed && fake_fails("fstatfs"))
    return -1;
  int result = __real_fstatfs(fd, about);
  if (fake.armed && fake.is_hugetlbfs)
    about->f_type = HUGETLBFS_MAGIC;
  return result;
}

int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (fake.armed && fake_fails("open"))
    return -1;
  if (!fake.armed || strncmp(path, "/dev/dma_heap/", 14) != 0)
    return __real_open(path, flags, mode);
  CHECK(flags & O_CLOEXEC);
  errno = ENOENT;
  return fake.has_heap ? __real_memfd_create("heap", MFD_CLOEXEC) : -1;
}

int __wrap_close(int fd) {
  int result = __real_close(fd); // Linux closes in any case
  return fake.armed && fake_fails("close") ? -1 : result;
}

int __wrap_access(const char *path, int mode) {
  if (fake.armed && fake_fails("access"))
    return -1;
  if (!fake.armed)
    return __real_access(path, mode);
  return fake.has_heap_folder || fake.has_heap ? 0 : -1;
}

// A dma-buf is a memory file here.
static inline int fake_heap_alloc(struct dma_heap_allocation_data *data) {
  CHECK(data->fd_flags == (O_RDWR | O_CLOEXEC) && data->heap_flags == 0);
  int fd = __real_memfd_create("buffer", MFD_CLOEXEC);
  data->fd = (uint32_t)fd;
  return fd < 0 ? -1 : __real_ftruncate(fd, (off_t)data->len);
}

int __wrap_ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (fake.armed && fake_fails("ioctl"))
    return -1;
  if (request == DMA_HEAP_IOCTL_ALLOC)
    return fake_heap_alloc(argument);
  if (request != DMA_BUF_IOCTL_SYNC)
    return __real_ioctl(fd, request, argument);
  if (fake.sync_count < FAKE_MAX_SYNCS)
    fake.syncs[fake.sync_count++] = ((struct dma_buf_sync *)argument)->flags;
  return 0;
}

long __wrap_syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (fake.armed && fake_fails("syscall"))
    return -1;
  return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long __wrap_sysconf(int name) {
  if (fake.armed && fake_fails("sysconf"))
    return -1;
  if (fake.armed && fake.page)
    return fake.page;
  return __real_sysconf(name);
}

int __wrap_getrlimit(int resource, struct rlimit *limit) {
  if (fake.armed && fake_fails("getrlimit"))
    return -1;
  int result = __real_getrlimit(resource, limit);
  if (fake.armed && fake.most_file && resource == RLIMIT_FSIZE)
    limit->rlim_cur = fake.most_file;
  return result;
}

ssize_t __wrap_read(int fd, void *bytes, size_t size) {
  if (fake.armed && fake_fails("read"))
    return -1;
  return __real_read(fd, bytes, size);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset) {
  if (fake.armed && fake_fails("pread"))
    return -1;
  return __real_pread(fd, bytes, size, offset);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex,
                              const pthread_mutexattr_t *attributes) {
  if (fake.armed && fake_fails("pthread_mutex_init"))
    return fake.error;
  return __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes) {
  if (fake.armed && fake_fails("pthread_cond_init"))
    return fake.error;
  return __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_condattr_init(pthread_condattr_t *attributes) {
  if (fake.armed && fake_fails("pthread_condattr_init"))
    return fake.error;
  return __real_pthread_condattr_init(attributes);
}

int __wrap_pthread_condattr_setclock(pthread_condattr_t *attributes,
                                     clockid_t clock) {
  if (fake.armed && fake_fails("pthread_condattr_setclock"))
    return fake.error;
  return __real_pthread_condattr_setclock(attributes, clock);
}

#endif // GMEM_TEST_UNIT_FAKE_SYSTEM_H_
