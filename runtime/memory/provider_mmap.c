// provider_mmap.c - memory of the operating system: anonymous mappings, huge
// pages, memory files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memfd_create, F_ADD_SEALS, MAP_HUGETLB

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "address_stretch.h"
#include "provider_base.h"
#include "runtime_support.h"

// Not defined by older C libraries; the kernel may still support them.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

enum {
  HUGE_PAGE_SHIFT = 21,
  HUGE_PAGE_SIZE = 1 << HUGE_PAGE_SHIFT, // bytes
  MAX_NUMA_NODES = 1024,
};

// The object that |user| of the provider points to.
typedef struct mmap_state_s {
  gmem_provider_base_t base;
  uint64_t page;  // bytes
  uint64_t guard; // bytes of guard on each side, 0 or |page|
  gmem_mmap_options_t options;
} mmap_state_t;

// The parameters of one attempt to map memory for an acquire.
typedef struct attempt_s {
  gmem_stretch_t stretch;
  uint32_t flags;     // GMEM_RANGE_*
  bool reserved_huge; // in huge pages reserved by the administrator
  bool advised_huge;  // in transparent huge pages, if available
} attempt_t;

// |token| of a range: bits 0 to 31 hold the descriptor of its memory file plus
// 1, or 0; the bits above hold those flags that a new mapping needs again.
enum { TOKEN_FLAGS_SHIFT = 32 };

static int file_of(const gmem_range_t *range) {
  return (int)(uint32_t)range->token - 1;
}

static void close_file(int file) {
  int error = errno;
  if (file >= 0)
    close(file);
  errno = error;
}

//===--- acquire ----------------------------------------------------------===//

// Creates a sealable memory file of |size| bytes; -1 on failure.
static int make_file(uint64_t size) {
  struct rlimit limit;
  // Growing a file beyond this limit raises SIGXFSZ.
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && size > limit.rlim_cur) {
    errno = EFBIG;
    return -1;
  }
  unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int file = memfd_create("gmem", flags | MFD_NOEXEC_SEAL);
  if (file < 0 && errno == EINVAL) // before Linux 6.3
    file = memfd_create("gmem", flags);
  if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
    close_file(file);
    return -1;
  }
  return file;
}

static uint8_t *map_anonymous(const gmem_stretch_t *stretch) {
  uint8_t *host = gmem_stretch_reserve(stretch);
  if (!host)
    return NULL;
  // The system accounts for the memory here, without the slack.
  if (mprotect(host, (size_t)stretch->size, PROT_READ | PROT_WRITE) == 0)
    return host;
  gmem_stretch_unmap(host, stretch->size, stretch->guard);
  return NULL;
}

static uint8_t *map_attempt(const attempt_t *attempt, int file) {
  int access = PROT_READ | PROT_WRITE;
  if (file >= 0)
    return gmem_stretch_map(&attempt->stretch, access, MAP_SHARED, file, 0);
  if (!attempt->reserved_huge)
    return map_anonymous(&attempt->stretch);
  // Without MAP_NORESERVE, so that a lack of pages fails here instead of
  // raising SIGBUS on first access.
  return gmem_stretch_map(&attempt->stretch, access,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
                              HUGE_PAGE_SHIFT << MAP_HUGE_SHIFT,
                          -1, 0);
}

// Must precede the first access. Best effort: containers may forbid mbind.
static void prefer_node(int32_t node, uint8_t *host, uint64_t size) {
  enum { BITS = 8 * sizeof(unsigned long) };
  unsigned long mask[MAX_NUMA_NODES / BITS] = {0};
  if (node < 0 || node >= MAX_NUMA_NODES)
    return;
  mask[node / BITS] = 1ul << node % BITS;
  // The kernel reads one bit less than maxnode.
  (void)syscall(SYS_mbind, host, (unsigned long)size, (long)MPOL_PREFERRED,
                mask, MAX_NUMA_NODES + 1ul, 0ul);
}

// Backs the whole range with memory. Returns false if there is not enough.
static bool prefault(const attempt_t *attempt, uint8_t *host) {
  uint64_t size = attempt->stretch.size;
  if (madvise(host, (size_t)size, MADV_POPULATE_WRITE) == 0)
    return true;
  if (errno != EINVAL)
    return false;
  // Before Linux 5.14. Touching reserved huge pages may raise SIGBUS.
  for (uint64_t at = 0; at < size && !attempt->reserved_huge;
       at += attempt->stretch.page)
    *(volatile uint8_t *)(host + at) = 0;
  return true;
}

static void advise(uint8_t *host, uint64_t size, uint32_t flags, bool huge) {
  if (huge)
    (void)madvise(host, (size_t)size, MADV_HUGEPAGE);
  if (flags & GMEM_RANGE_NO_DUMP)
    (void)madvise(host, (size_t)size, MADV_DONTDUMP);
}

static uint8_t *map_prepared(const mmap_state_t *state,
                             const attempt_t *attempt, int file) {
  uint8_t *host = map_attempt(attempt, file);
  if (!host)
    return NULL;
  uint64_t size = attempt->stretch.size;
  prefer_node(state->options.numa_node, host, size);
  advise(host, size, attempt->flags, attempt->advised_huge);
  // Reserved huge pages are always prefaulted: a cgroup limit can still refuse
  // them, and should fail here rather than raise SIGBUS on first access.
  if (!(attempt->flags & GMEM_RANGE_PREFAULT) && !attempt->reserved_huge)
    return host;
  if (prefault(attempt, host))
    return host;
  gmem_stretch_unmap(host, size, state->guard);
  return NULL;
}

static gmem_status_t try_attempt(const mmap_state_t *state,
                                 const attempt_t *attempt,
                                 gmem_range_t *out_range, gmem_diag_t *diag) {
  uint64_t size = attempt->stretch.size;
  int file = -1;
  if (attempt->flags & GMEM_RANGE_SHAREABLE) {
    file = make_file(size);
    if (file < 0)
      return gmem_provider_os_error(diag, "create a memory file of", size);
  }
  uint8_t *host = map_prepared(state, attempt, file);
  if (!host) {
    close_file(file);
    return gmem_provider_os_error(diag, "map", size);
  }
  uint64_t kept = attempt->flags & GMEM_RANGE_NO_DUMP;
  *out_range =
      (gmem_range_t){.host = host,
                     .device = (uint64_t)(uintptr_t)host,
                     .size = size,
                     .token = (uint64_t)(file + 1) | kept << TOKEN_FLAGS_SHIFT};
  return GMEM_OK;
}

// Tries to map memory in pages of |page| bytes.
static gmem_status_t try_pages(const mmap_state_t *state, uint64_t page,
                               const gmem_memory_request_t *request,
                               gmem_range_t *out_range, gmem_diag_t *diag) {
  attempt_t attempt = {.flags = request->flags,
                       .reserved_huge = page != state->page};
  gmem_stretch_t *stretch = &attempt.stretch;
  bool fixed = request->fixed != GMEM_ANY_ADDRESS;
  // The address range is in pages of the system also if it holds huge ones.
  GMEM_TRY(gmem_stretch_make(request, page, state->guard, stretch, diag));
  stretch->page = state->page;
  if (fixed &&
      (stretch->fixed % stretch->align != 0 || stretch->fixed < state->guard ||
       stretch->fixed > SIZE_MAX - state->guard - stretch->size))
    return gmem_rt_unsupported(
        diag,
        "the fixed address is misaligned or outside of the address space");
  attempt.advised_huge = state->options.huge_pages != GMEM_HUGE_PAGES_NEVER &&
                         !attempt.reserved_huge &&
                         stretch->size >= HUGE_PAGE_SIZE;
  if (attempt.advised_huge && !fixed && stretch->align < HUGE_PAGE_SIZE)
    stretch->align = HUGE_PAGE_SIZE;
  return try_attempt(state, &attempt, out_range, diag);
}

static gmem_status_t mmap_acquire(void *user,
                                  const gmem_memory_request_t *request,
                                  gmem_range_t *out_range, gmem_diag_t *diag) {
  const uint32_t known = GMEM_RANGE_SHAREABLE | GMEM_RANGE_SEALABLE |
                         GMEM_RANGE_PREFAULT | GMEM_RANGE_NO_DUMP;
  const mmap_state_t *state = user;
  gmem_memory_request_t own = *request;
  uint32_t huge_pages = state->options.huge_pages;
  // Sealable ranges may be exported; slots need no file.
  if (state->options.shared && (own.flags & GMEM_RANGE_SEALABLE))
    own.flags |= GMEM_RANGE_SHAREABLE;
  bool shareable = own.flags & GMEM_RANGE_SHAREABLE;
  if ((own.flags & ~known) || (shareable && !state->options.shared))
    return gmem_rt_unsupported(
        diag,
        "flags are unknown, or the provider was created without 'shared'");
  if (huge_pages == GMEM_HUGE_PAGES_REQUIRE)
    return try_pages(state, HUGE_PAGE_SIZE, &own, out_range, diag);
  if (huge_pages == GMEM_HUGE_PAGES_PREFER && !shareable &&
      own.size >= HUGE_PAGE_SIZE &&
      try_pages(state, HUGE_PAGE_SIZE, &own, out_range, NULL) == GMEM_OK)
    return GMEM_OK;
  return try_pages(state, state->page, &own, out_range, diag);
}

static void mmap_release(void *user, const gmem_range_t *range) {
  const mmap_state_t *state = user;
  gmem_stretch_unmap(range->host, range->size, state->guard);
  close_file(file_of(range));
}

//===--- seal and share ---------------------------------------------------===//

// Maps |file| read-only over the range. The addresses are in use, so MAP_FIXED
// replaces the mapping in one step. mmap fails (on limits) before it removes
// the old mapping.
static bool map_over(const gmem_range_t *range, int flags, int file) {
  if (mmap(range->host, (size_t)range->size, PROT_READ, flags | MAP_FIXED, file,
           0) == MAP_FAILED)
    return false;
  advise(range->host, range->size,
         (uint32_t)(range->token >> TOKEN_FLAGS_SHIFT), false);
  return true;
}

// Whether the system allows a shared mapping of a sealed file (since Linux
// 6.7).
static bool can_be_shared(int file, uint64_t page) {
  void *probe = mmap(NULL, (size_t)page, PROT_READ, MAP_SHARED, file, 0);
  if (probe == MAP_FAILED)
    return false;
  munmap(probe, (size_t)page);
  return true;
}

static bool add_seals(int file) {
  const int all = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (fcntl(file, F_ADD_SEALS, all) == 0)
    return true;
  int error = errno;
  int seals = fcntl(file, F_GET_SEALS);
  errno = error;
  return seals >= 0 && (seals & all) == all; // already sealed
}

// A file can be sealed only while it has no writable mapping, so a private
// read-only mapping replaces the writable one first. Then a shared mapping
// replaces that one where possible: it cannot be made writable again, and
// devices that pin its pages do not copy them.
static bool seal_file(const gmem_range_t *range, uint64_t page) {
  int file = file_of(range);
  return map_over(range, MAP_PRIVATE, file) && add_seals(file) &&
         (!can_be_shared(file, page) || map_over(range, MAP_SHARED, file));
}

static gmem_status_t mmap_seal(void *user, gmem_range_t *range,
                               gmem_diag_t *diag) {
  const mmap_state_t *state = user;
  bool sealed = file_of(range) >= 0 ? seal_file(range, state->page)
                                    : mprotect(range->host, (size_t)range->size,
                                               PROT_READ) == 0;
  return sealed ? GMEM_OK : gmem_provider_os_error(diag, "seal", range->size);
}

static gmem_status_t mmap_export_fd(void *user, const gmem_range_t *range,
                                    int *out_fd, gmem_diag_t *diag) {
  (void)user;
  *out_fd = -1;
  if (file_of(range) < 0)
    return gmem_rt_unsupported(diag,
                               "the range was not allocated as shareable");
  return gmem_provider_duplicate(file_of(range), range, out_fd, diag);
}

//===--- files ------------------------------------------------------------===//

// Access to a page past the end of a file raises SIGBUS.
static gmem_status_t check_file(const mmap_state_t *state, int file,
                                uint64_t offset, uint64_t size,
                                gmem_diag_t *diag) {
  struct stat about;
  struct statfs system;
  if (size == 0 || size > SIZE_MAX / 4 || offset % state->page != 0 ||
      size % state->page != 0)
    return gmem_rt_invalid(
        diag,
        "offset and size of a file mapping must be multiples of the page size");
  if (fstat(file, &about) != 0 || fstatfs(file, &system) != 0)
    return gmem_provider_os_error(diag, "map a file as", size);
  if ((uint32_t)system.f_type ==
      HUGETLBFS_MAGIC) // f_type is an int on some hosts
    return gmem_rt_unsupported(diag, "files on hugetlbfs cannot be mapped");
  uint64_t end = gmem_rt_round_up((uint64_t)about.st_size, state->page);
  if (offset > end || size > end - offset)
    return gmem_rt_fail(diag, GMEM_ERR_TOO_SMALL,
                        "the range to map extends past the end of the file");
  return GMEM_OK;
}

static gmem_status_t mmap_map_fd(void *user, int fd, uint64_t offset,
                                 uint64_t size, uint64_t align, bool writable,
                                 gmem_range_t *out_range, gmem_diag_t *diag) {
  const mmap_state_t *state = user;
  *out_range = (gmem_range_t){0};
  if (!gmem_rt_is_power_of_two(align) || align > SIZE_MAX / 4)
    return gmem_rt_invalid(diag,
                           "the alignment is not a power of two, or too large");
  GMEM_TRY(check_file(state, fd, offset, size, diag));
  gmem_stretch_t stretch = {state->page, state->guard, size,
                            align > state->page ? align : state->page,
                            GMEM_ANY_ADDRESS};
  uint8_t *host = NULL;
  if (!writable) // fails for a sealed file before Linux 6.7
    host = gmem_stretch_map(&stretch, PROT_READ, MAP_SHARED, fd, offset);
  if (!host)
    host = gmem_stretch_map(&stretch,
                            writable ? PROT_READ | PROT_WRITE : PROT_READ,
                            MAP_PRIVATE, fd, offset);
  if (!host)
    return gmem_provider_os_error(diag, "map a file as", size);
  *out_range = (gmem_range_t){
      .host = host, .device = (uint64_t)(uintptr_t)host, .size = size};
  return GMEM_OK;
}

//===--- the provider -----------------------------------------------------===//

gmem_status_t gmem_provider_mmap(const gmem_mmap_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_provider_t *out_provider) {
  static const gmem_mmap_options_t defaults = GMEM_MMAP_OPTIONS_INIT;
  if (!out_provider)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_provider = (gmem_provider_t){0};
  if (!options)
    options = &defaults;
  if (options->struct_size != sizeof *options ||
      options->huge_pages > GMEM_HUGE_PAGES_PREFER || options->numa_node < -1)
    return GMEM_ERR_INVALID_ARGUMENT;
  bool all_huge = options->huge_pages == GMEM_HUGE_PAGES_REQUIRE;
  long page = sysconf(_SC_PAGESIZE);
  if (page <= 0 || page >= HUGE_PAGE_SIZE || (all_huge && options->shared))
    return GMEM_ERR_UNSUPPORTED;
  mmap_state_t *state = gmem_provider_state(allocator, sizeof *state);
  if (!state)
    return GMEM_ERR_OUT_OF_MEMORY;
  state->base.acquire = mmap_acquire;
  state->page = (uint64_t)page;
  state->guard = options->guard_pages ? state->page : 0;
  state->options = *options;
  *out_provider = (gmem_provider_t){
      .user = state,
      .granularity = all_huge ? HUGE_PAGE_SIZE : state->page,
      .acquire = gmem_provider_acquire,
      .release = mmap_release,
      .seal = mmap_seal,
      .map_fd = all_huge ? NULL : mmap_map_fd, // files do not use huge pages
      .export_fd = options->shared ? mmap_export_fd : NULL};
  return GMEM_OK;
}
