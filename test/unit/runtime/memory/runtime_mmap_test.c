// runtime_mmap_test.c - memory of the operating system, as the system sees it:
// flags of mappings, seals, files, limits. The long run of leases takes an
// argument: how many.
// RUN: %unit/runtime_mmap_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memfd_create, F_ADD_SEALS, MAP_ANONYMOUS

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "gmem/runtime.h"
#include "runtime_tools.h"

enum { PAGE = 4096, HUGE = 2 << 20 };

static gmem_provider_t make(uint32_t huge_pages, int32_t node, bool guards,
                            bool shared) {
  gmem_mmap_options_t options = {sizeof options, huge_pages, node, guards,
                                 shared};
  gmem_provider_t provider;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) == GMEM_OK);
  return provider;
}

static gmem_status_t get(gmem_provider_t *provider, uint64_t size,
                         uint64_t align, uint32_t flags, gmem_range_t *range) {
  return provider->acquire(provider->user, size, align, GMEM_ANY_ADDRESS, flags,
                           range, NULL);
}

static void let_go(gmem_provider_t *provider, gmem_range_t *range) {
  provider->release(provider->user, range);
}

// How a child process ends that runs |body|: its exit status, or minus the
// signal.
static int end_of(int (*body)(void *), void *context) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // sanitizers have handlers of their own
    signal(SIGBUS, SIG_DFL);
    check_failures = 0; // those of the parent
    _exit(body(context));
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int write_byte(void *address) {
  *(volatile uint8_t *)address = 1;
  return 0;
}

static int read_byte(void *address) {
  volatile uint8_t byte = *(volatile uint8_t *)address;
  (void)byte;
  return 0;
}

// Whether the system shows what it does with memory.
static bool system_tells(void) {
  static bool said;
  bool tells = access("/proc/self/smaps", R_OK) == 0;
  if (!tells && !said)
    printf("skipped: there is no /proc/self/smaps to see flags in\n");
  said |= !tells;
  return tells;
}

// Whether the mapping at |address| has the two-letter flag |flag| in
// /proc/self/smaps.
static bool has_flag(const void *address, const char *flag) {
  FILE *file = fopen("/proc/self/smaps", "r");
  char line[512], word[8];
  bool inside = false, found = false;
  snprintf(word, sizeof word, " %s ", flag);
  while (file && fgets(line, sizeof line, file)) {
    unsigned long begin = 0, end = 0;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      inside = begin <= (uintptr_t)address && (uintptr_t)address < end;
    else if (inside && strncmp(line, "VmFlags:", 8) == 0)
      found = strstr(line, word) != NULL;
  }
  if (file)
    fclose(file);
  return found;
}

// Pages that the process has in memory.
static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!system_tells())
    return 0;
  CHECK(file && fscanf(file, "%ld %ld", &size, &resident) == 2);
  if (file)
    fclose(file);
  return resident;
}

// How many pages of the range are in memory.
static uint64_t backed_pages(const gmem_range_t *range) {
  static unsigned char pages[1024];
  uint64_t count = 0;
  CHECK(range->size / PAGE <= sizeof pages);
  CHECK(mincore(range->host, range->size, pages) == 0);
  for (uint64_t i = 0; i < range->size / PAGE; ++i)
    count += pages[i] & 1;
  return count;
}

//===--- wishes -----------------------------------------------------------===//

static void test_wishes(void) {
  bool tells = system_tells();
  bool knows_huge = access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0;
  for (int shared = 0; shared <= 1; ++shared) {
    gmem_provider_t provider = make(GMEM_HUGE_PAGES_ADVISE, 0, true, shared);
    gmem_range_t plain, wished;
    uint32_t kind = shared ? GMEM_RANGE_SHAREABLE : 0;
    uint32_t flags = kind | GMEM_RANGE_PREFAULT | GMEM_RANGE_NO_DUMP;
    CHECK(get(&provider, HUGE + 1, PAGE, kind, &plain) == GMEM_OK);
    CHECK(get(&provider, HUGE + 1, PAGE, flags, &wished) == GMEM_OK);
    CHECK((uintptr_t)plain.host % HUGE == 0 && plain.size == HUGE + PAGE);
    CHECK(!tells ||
          (has_flag(wished.host, "dd") && !has_flag(plain.host, "dd")));
    CHECK(!tells || !knows_huge || has_flag(wished.host, "hg"));
    CHECK(backed_pages(&wished) == wished.size / PAGE);
    CHECK(backed_pages(&plain) == 0);
    CHECK(provider.seal(provider.user, &wished, NULL) == GMEM_OK);
    CHECK(!tells || has_flag(wished.host, "dd")); // still
    let_go(&provider, &plain);
    let_go(&provider, &wished);
    gmem_provider_destroy(&provider);
  }
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, false, false);
  gmem_range_t range;
  CHECK(get(&provider, HUGE, HUGE, 0, &range) == GMEM_OK);
  CHECK(!has_flag(range.host, "hg"));
  gmem_range_t none;
  CHECK(get(&provider, PAGE, 1, GMEM_RANGE_SHAREABLE, &none) ==
        GMEM_ERR_UNSUPPORTED);
  let_go(&provider, &range);
  gmem_provider_destroy(&provider);
}

// A node is preferred before the first touch; one that is not there is none.
static void test_nodes(void) {
  static const int32_t nodes[] = {0, 63, 64, 1023, 1024, INT32_MAX};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; ++i) {
    gmem_provider_t provider =
        make(GMEM_HUGE_PAGES_NEVER, nodes[i], false, i % 2);
    gmem_range_t range;
    int mode = -1;
    CHECK(get(&provider, PAGE, 1, i % 2, &range) == GMEM_OK);
    if (syscall(SYS_get_mempolicy, &mode, NULL, 0ul, range.host, 2ul) != 0)
      fprintf(stderr, "skipped: nodes of memory cannot be asked for\n");
    else if (i == 0)
      CHECK(mode == MPOL_PREFERRED);
    CHECK(write_byte(range.host) == 0);
    let_go(&provider, &range);
    gmem_provider_destroy(&provider);
  }
}

static bool system_has_huge_pages(void) {
  char line[128];
  unsigned long count = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file && fgets(line, sizeof line, file))
    (void)sscanf(line, "HugePages_Free: %lu", &count);
  if (file)
    fclose(file);
  return count >= 2;
}

static void test_reserved_huge_pages(void) {
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_REQUIRE, -1, true, false);
  gmem_range_t range;
  CHECK(provider.granularity == HUGE && !provider.map_fd);
  CHECK(get(&provider, HUGE, 1, GMEM_RANGE_SHAREABLE, &range) ==
        GMEM_ERR_UNSUPPORTED);
  gmem_status_t status = get(&provider, HUGE + 1, 1, 0, &range);
  if (!system_has_huge_pages()) {
    fprintf(stderr, "no reserved huge pages here: only their want is tested\n");
    CHECK(status == GMEM_ERR_OUT_OF_MEMORY && range.host == NULL);
  } else {
    CHECK(status == GMEM_OK && range.size == 2 * HUGE);
    CHECK(!system_tells() || has_flag(range.host, "ht"));
    CHECK(end_of(write_byte, (uint8_t *)range.host - 1) == -SIGSEGV);
    memset(range.host, 1, range.size);
    let_go(&provider, &range);
  }
  gmem_provider_destroy(&provider);
  provider = make(GMEM_HUGE_PAGES_PREFER, -1, true, false);
  CHECK(provider.granularity == PAGE);
  CHECK(get(&provider, HUGE + 1, 1, 0, &range) == GMEM_OK);
  memset(range.host, 1, HUGE + 1);
  let_go(&provider, &range);
  CHECK(get(&provider, 1, 1, 0, &range) == GMEM_OK && range.size == PAGE);
  let_go(&provider, &range);
  gmem_provider_destroy(&provider);
}

static void test_fixed_addresses(void) {
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, false);
  gmem_range_t first, second;
  CHECK(get(&provider, 16 * PAGE, 1, 0, &first) == GMEM_OK);
  uint64_t wanted = first.device;
  CHECK(provider.acquire(provider.user, PAGE, 1, wanted, 0, &second, NULL) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(second.host == NULL);
  let_go(&provider, &first);
  CHECK(provider.acquire(provider.user, PAGE, 1, wanted, 0, &second, NULL) ==
        GMEM_OK);
  CHECK(second.device == wanted && (uintptr_t)second.host == wanted);
  CHECK(end_of(write_byte, (uint8_t *)second.host + PAGE) == -SIGSEGV);
  let_go(&provider, &second);
  gmem_provider_destroy(&provider);
}

//===--- sealing ----------------------------------------------------------===//

static void test_sealed_here(void) {
  for (int shared = 0; shared <= 1; ++shared) {
    gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, shared);
    gmem_range_t range;
    CHECK(get(&provider, 3 * PAGE, 4 * PAGE, GMEM_RANGE_SEALABLE, &range) ==
          GMEM_OK);
    uint8_t *bytes = range.host, *end = bytes + range.size;
    CHECK(end_of(write_byte, end - 1) == 0);
    memset(bytes, 'b', range.size);
    CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK);
    CHECK(range.host == bytes && bytes[0] == 'b' && end[-1] == 'b');
    CHECK(end_of(write_byte, bytes) == -SIGSEGV);
    CHECK(end_of(write_byte, end - 1) == -SIGSEGV);
    CHECK(end_of(read_byte, bytes - 1) == -SIGSEGV); // guards are still there
    CHECK(end_of(read_byte, end) == -SIGSEGV);
    CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK); // again
    gmem_range_t slot; // which is never a file
    CHECK(get(&provider, PAGE, 1, 0, &slot) == GMEM_OK);
    CHECK(!has_flag(slot.host, "sh"));
    let_go(&provider, &slot);
    if (shared && system_tells() && !has_flag(bytes, "sh"))
      fprintf(stderr, "sealed files are private on this system\n");
    else if (shared)
      CHECK(mprotect(bytes, PAGE, PROT_READ | PROT_WRITE) != 0);
    let_go(&provider, &range);
    gmem_provider_destroy(&provider);
  }
}

static void send_fd(int socket, int fd) {
  char byte = 'f';
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  CHECK(sendmsg(socket, &message, 0) == 1);
}

static int receive_fd(int socket) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  int fd = -1;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 &&
      CMSG_FIRSTHDR(&message))
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

// What the other process may not do with a sealed range of three pages.
static void try_to_change(int fd) {
  const int all = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  CHECK((fcntl(fd, F_GET_SEALS) & all) == all);
  CHECK(pwrite(fd, "x", 1, 0) == -1 && errno == EPERM);
  CHECK(ftruncate(fd, PAGE) == -1 && errno == EPERM);
  CHECK(ftruncate(fd, 4 * PAGE) == -1 && errno == EPERM);
  CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGE) ==
        -1);
  CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == -1 && errno == EPERM);
  CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) ==
        MAP_FAILED);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int again = open(path, O_RDWR);
  CHECK(again < 0 || pwrite(again, "x", 1, 0) == -1);
}

// The other process: gets the descriptor from |*user|, a socket.
static int use_sealed(void *user) {
  int fd = receive_fd(*(int *)user);
  CHECK(fd >= 0);
  try_to_change(fd);
  for (int writable = 0; writable <= 1; ++writable) {
    gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, false);
    gmem_range_t range;
    CHECK(provider.map_fd(provider.user, fd, 0, 3 * PAGE, 8 * PAGE, writable,
                          &range, NULL) == GMEM_OK);
    uint8_t *bytes = range.host;
    CHECK(bytes[0] == 'b' && bytes[3 * PAGE - 1] == 'b');
    CHECK(end_of(write_byte, bytes) == (writable ? 0 : -SIGSEGV));
    if (writable)
      bytes[0] = 'c'; // a copy of its own
    CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK);
    CHECK(end_of(write_byte, bytes) == -SIGSEGV);
    let_go(&provider, &range);
    gmem_provider_destroy(&provider);
  }
  return check_failures;
}

static void test_sealed_elsewhere(void) {
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, false, true);
  gmem_range_t range;
  int fd = -1, sockets[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  CHECK(get(&provider, 3 * PAGE, 1, GMEM_RANGE_SHAREABLE, &range) == GMEM_OK);
  memset(range.host, 'b', range.size);
  CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK);
  CHECK(provider.export_fd(provider.user, &range, &fd, NULL) == GMEM_OK);
  CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
  send_fd(sockets[0], fd);
  close(fd);
  CHECK(end_of(use_sealed, &sockets[1]) == 0);
  CHECK(((uint8_t *)range.host)[0] == 'b');
  close(sockets[0]), close(sockets[1]);
  let_go(&provider, &range);
  gmem_provider_destroy(&provider);
}

// While somebody can write to it, nothing is sealed; afterwards it works.
static void test_seal_of_what_others_write(void) {
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, true);
  gmem_range_t range;
  gmem_diag_t diag = {0};
  int fd = -1;
  CHECK(get(&provider, PAGE, 1, GMEM_RANGE_SHAREABLE, &range) == GMEM_OK);
  memset(range.host, 'b', PAGE);
  CHECK(provider.export_fd(provider.user, &range, &fd, NULL) == GMEM_OK);
  void *other = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(other != MAP_FAILED);
  CHECK(provider.seal(provider.user, &range, &diag) == GMEM_ERR_IO);
  CHECK(diag.os_error == EBUSY);
  CHECK(*(uint8_t *)range.host == 'b');
  munmap(other, PAGE);
  CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK);
  close(fd);
  let_go(&provider, &range);
  gmem_provider_destroy(&provider);
}

//===--- files ------------------------------------------------------------===//

// A file of 2 pages and 100 bytes.
static int make_file(void) {
  int file = memfd_create("file", MFD_CLOEXEC);
  for (int i = 0; i < 2 * PAGE + 100; ++i) {
    char byte = (char)('a' + i / PAGE);
    CHECK(write(file, &byte, 1) == 1);
  }
  return file;
}

static void test_mapped_files(bool writable) {
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, true);
  gmem_range_t range;
  int file = make_file(), fd = 0;
  CHECK(provider.map_fd(provider.user, file, PAGE, 2 * PAGE, 16 * PAGE,
                        writable, &range, NULL) == GMEM_OK);
  uint8_t *bytes = range.host;
  CHECK((uintptr_t)bytes % (16 * PAGE) == 0);
  CHECK(range.size == 2 * PAGE && range.device == (uintptr_t)bytes);
  CHECK(bytes[0] == 'b' && bytes[PAGE + 99] == 'c' && bytes[PAGE + 100] == 0);
  CHECK(end_of(read_byte, bytes - 1) == -SIGSEGV);
  CHECK(end_of(read_byte, bytes + 2 * PAGE) == -SIGSEGV);
  CHECK(end_of(write_byte, bytes) == (writable ? 0 : -SIGSEGV));
  if (writable)
    bytes[0] = 'x';
  char byte = 0;
  CHECK(pread(file, &byte, 1, PAGE) == 1 && byte == 'b');
  CHECK(provider.seal(provider.user, &range, NULL) == GMEM_OK);
  CHECK(end_of(write_byte, bytes) == -SIGSEGV);
  CHECK(bytes[0] == (writable ? 'x' : 'b'));
  CHECK(provider.export_fd(provider.user, &range, &fd, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(fd == -1);
  close(file); // the mapping does not need it
  CHECK(bytes[1] == 'b');
  let_go(&provider, &range);
  gmem_provider_destroy(&provider);
}

static void test_refused_files(void) {
  static const struct {
    uint64_t offset, size, align;
    gmem_status_t status;
  } cases[] = {
      {0, 3 * PAGE, 1, GMEM_OK}, // to the end of the page that it ends in
      {0, 4 * PAGE, 1, GMEM_ERR_TOO_SMALL},
      {PAGE, 3 * PAGE, 1, GMEM_ERR_TOO_SMALL},
      {3 * PAGE, PAGE, 1, GMEM_ERR_TOO_SMALL},
      {4 * PAGE, PAGE, 1, GMEM_ERR_TOO_SMALL},
      {UINT64_MAX - PAGE + 1, PAGE, 1, GMEM_ERR_TOO_SMALL},
      {UINT64_MAX - PAGE + 1, 2 * PAGE, 1, GMEM_ERR_TOO_SMALL},
      {0, 0, 1, GMEM_ERR_INVALID_ARGUMENT},
      {1, PAGE, 1, GMEM_ERR_INVALID_ARGUMENT},
      {0, PAGE + 1, 1, GMEM_ERR_INVALID_ARGUMENT},
      {0, UINT64_MAX - PAGE + 1, 1, GMEM_ERR_INVALID_ARGUMENT},
      {0, PAGE, 0, GMEM_ERR_INVALID_ARGUMENT},
      {0, PAGE, 3, GMEM_ERR_INVALID_ARGUMENT},
      {0, PAGE, UINT64_C(1) << 63, GMEM_ERR_INVALID_ARGUMENT},
  };
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, false, false);
  int file = make_file(), folder = open("/", O_RDONLY | O_CLOEXEC);
  gmem_range_t range;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    gmem_status_t status =
        provider.map_fd(provider.user, file, cases[i].offset, cases[i].size,
                        cases[i].align, false, &range, NULL);
    CHECK(status == cases[i].status);
    CHECK((status == GMEM_OK) == (range.host != NULL));
    if (status == GMEM_OK)
      let_go(&provider, &range);
  }
  CHECK(provider.map_fd(provider.user, -1, 0, PAGE, 1, false, &range, NULL) ==
        GMEM_ERR_IO);
  CHECK(provider.map_fd(provider.user, folder, 0, PAGE, 1, false, &range,
                        NULL) != GMEM_OK);
  close(file), close(folder);
  gmem_provider_destroy(&provider);
}

//===--- real limits, each in a process of its own ------------------------===//

static void limit(int resource, rlim_t most) {
  struct rlimit both = {most, most};
  CHECK(setrlimit(resource, &both) == 0);
}

static int with_little_address_space(void *user) {
  gmem_provider_t *provider = user;
  gmem_range_t range;
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!system_tells())
    return 0; // nobody knows what the limit has to be
  CHECK(file && fscanf(file, "%ld", &pages) == 1);
  limit(RLIMIT_AS, (rlim_t)pages * PAGE + (64 << 20));
  for (int shareable = 0; shareable <= 1; ++shareable) {
    CHECK(get(provider, 1 << 30, 1, shareable, &range) ==
          GMEM_ERR_OUT_OF_MEMORY);
    CHECK(get(provider, 1 << 20, 1, shareable, &range) == GMEM_OK);
    CHECK(write_byte(range.host) == 0);
    let_go(provider, &range);
  }
  return check_failures;
}

static int without_descriptors(void *user) {
  gmem_provider_t *provider = user;
  gmem_range_t range;
  gmem_diag_t diag = {0};
  int fd = 0;
  CHECK(get(provider, PAGE, 1, GMEM_RANGE_SHAREABLE, &range) == GMEM_OK);
  limit(RLIMIT_NOFILE, 0);
  CHECK(provider->export_fd(provider->user, &range, &fd, &diag) != GMEM_OK);
  CHECK(fd == -1);
  let_go(provider, &range);
  CHECK(provider->acquire(provider->user, PAGE, 1, GMEM_ANY_ADDRESS,
                          GMEM_RANGE_SHAREABLE, &range, &diag) == GMEM_ERR_IO);
  CHECK(diag.os_error == EMFILE && range.host == NULL);
  CHECK(get(provider, PAGE, 1, 0, &range) == GMEM_OK); // needs none
  let_go(provider, &range);
  return check_failures;
}

// Growing a file beyond the limit is a signal that ends the process.
static int with_small_files(void *user) {
  gmem_provider_t *provider = user;
  gmem_range_t range;
  limit(RLIMIT_FSIZE, PAGE);
  CHECK(get(provider, 2 * PAGE, 1, GMEM_RANGE_SHAREABLE, &range) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(provider, PAGE, 1, GMEM_RANGE_SHAREABLE, &range) == GMEM_OK);
  let_go(provider, &range);
  return check_failures;
}

static int with_locked_memory(void *user) {
  gmem_provider_t *provider = user;
  gmem_range_t range;
  limit(RLIMIT_MEMLOCK, 1 << 20);
  if (setuid(65534) != 0 || mlockall(MCL_FUTURE) != 0)
    return 0;
  // Who may lock all it wants has no limit, and sanitizers lock nothing.
  if (mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
           -1, 0) != MAP_FAILED)
    return 0;
  CHECK(get(provider, 64 << 20, 1, 0, &range) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(provider, PAGE, 1, 0, &range) == GMEM_OK);
  let_go(provider, &range);
  return check_failures;
}

static void test_limits(void) {
  static int (*const bodies[])(void *) = {with_little_address_space,
                                          without_descriptors, with_small_files,
                                          with_locked_memory};
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, true);
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i)
    CHECK(end_of(bodies[i], &provider) == 0);
  gmem_provider_destroy(&provider);
}

//===--- a slot for ever --------------------------------------------------===//

// Leases of a 16 MiB slot, all of it touched: no page more than for the first.
static void test_leases_do_not_grow(int leases) {
  enum { SIZE = 16 << 20 };
  static const gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, SIZE, 64};
  gmem_buffer_info_t buffer = {.name = "b",
                               .size = SIZE,
                               .align = 64,
                               .space = GMEM_SPACE_ACTIVATION,
                               .ranges = &step,
                               .range_count = 1,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  gmem_provider_t provider = make(GMEM_HUGE_PAGES_NEVER, -1, true, false);
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  CHECK(gmem_model_create(plan, &provider, NULL, NULL, &model, NULL) ==
        GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_OK);
  long at_first = 0;
  for (int i = 0; i < leases; ++i) {
    gmem_lease_t *lease = NULL;
    void *host = NULL;
    CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
    CHECK(gmem_lease_host(lease, 0, &host) == GMEM_OK);
    for (uint64_t at = 0; at < SIZE; at += PAGE)
      ((volatile uint8_t *)host)[at] = (uint8_t)i;
    gmem_lease_release(lease);
    if (i == 0)
      at_first = resident_pages();
  }
  long grown = resident_pages() - at_first;
  CHECK(!system_tells() || (at_first >= SIZE / PAGE && grown < 512));
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
}

int main(int argc, char **argv) {
  test_wishes();
  test_nodes();
  test_reserved_huge_pages();
  test_fixed_addresses();
  test_sealed_here();
  test_sealed_elsewhere();
  test_seal_of_what_others_write();
  test_mapped_files(false);
  test_mapped_files(true);
  test_refused_files();
  test_limits();
  test_leases_do_not_grow(argc > 1 ? atoi(argv[1]) : 1000);
  return CHECK_RESULT();
}
