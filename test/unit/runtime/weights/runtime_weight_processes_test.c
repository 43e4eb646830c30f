// runtime_weight_processes_test.c - weights that processes share: a sealed
// memory file sent from one to the other, and descriptors that lie.
// RUN: %unit/runtime_weight_processes_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memfd_create, F_ADD_SEALS, pipe2

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "weight_tools.h"

enum {
  SIZE = 4 << 20,    // bytes of the weight that is shared
  NO_FILE = 1 << 20, // a descriptor that is not open
  ALL_SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE,
};

static gmem_weights_t *open_weights(const gmem_provider_t *provider,
                                    uint64_t budget) {
  gmem_weights_t *weights = NULL;
  CHECK(gmem_weights_create(provider, budget, NULL, &weights, NULL) == GMEM_OK);
  return weights;
}

static gmem_provider_t open_shared_bank(bank_t *bank) {
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  options.shared = true;
  return open_bank(bank, &options);
}

static bool fstat_fails;

int __real_fstat(int file, struct stat *out_about);
int __wrap_fstat(int file, struct stat *out_about);
int __wrap_fstat(int file, struct stat *out_about) {
  errno = EOVERFLOW;
  return fstat_fails ? -1 : __real_fstat(file, out_about);
}

//===--- two processes ----------------------------------------------------===//

// What goes over the socket beside the descriptor.
typedef struct letter_s {
  gmem_weight_key_t key;
  uint64_t inode;
} letter_t;

// A descriptor in a message, aligned as the system wants it.
typedef union control_s {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr header;
} control_t;

static void send_weight(int socket, const letter_t *letter, int fd) {
  control_t control;
  memset(&control, 0, sizeof control);
  struct iovec text = {(void *)(uintptr_t)letter, sizeof *letter};
  struct msghdr message = {.msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  struct cmsghdr *part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(part), &fd, sizeof fd);
  CHECK(sendmsg(socket, &message, 0) == (ssize_t)sizeof *letter);
}

static int receive_weight(int socket, letter_t *letter) {
  control_t control;
  int fd = -1;
  struct iovec text = {letter, sizeof *letter};
  struct msghdr message = {.msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  CHECK(recvmsg(socket, &message, 0) == (ssize_t)sizeof *letter);
  struct cmsghdr *part = CMSG_FIRSTHDR(&message);
  CHECK(part && part->cmsg_type == SCM_RIGHTS);
  if (part)
    memcpy(&fd, CMSG_DATA(part), sizeof fd);
  return fd;
}

// What the system says of the mapping that begins at |address|: the kibibytes
// after the title |what|, and its inode.
static uint64_t mapped(const void *address, const char *what,
                       uint64_t *out_inode) {
  char line[512];
  bool here = false;
  uint64_t result = UINT64_MAX;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    uint64_t begin, end, inode;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64, &begin,
               &end, &inode) == 3) {
      here = begin == (uint64_t)(uintptr_t)address;
      if (here)
        *out_inode = inode;
    } else if (here && strncmp(line, what, strlen(what)) == 0) {
      result = strtoull(line + strlen(what), NULL, 10);
    }
  }
  if (maps)
    fclose(maps);
  return result;
}

static uint8_t byte_at(size_t i) { return (uint8_t)(i * 2654435761u >> 13); }

// The other process: a program that began anew.
static int be_receiver(int socket) {
  bank_t bank;
  letter_t letter;
  gmem_provider_t provider = open_bank(&bank, NULL);
  gmem_weights_t *weights = open_weights(&provider, 0);
  gmem_weight_t *weight = NULL, *same = NULL;
  int fd = receive_weight(socket, &letter);
  CHECK(gmem_weights_import(weights, &letter.key, fd, &weight, NULL) ==
        GMEM_OK);
  // It keeps nothing of the descriptor, which is good for nothing else.
  CHECK(ftruncate(fd, 0) != 0 && errno == EPERM);
  CHECK(write(fd, "x", 1) != 1 && errno == EPERM);
  CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL) != 0 && errno == EPERM);
  CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) ==
        MAP_FAILED);
  CHECK(close(fd) == 0);
  const uint8_t *host = gmem_weight_host(weight);
  size_t good = 0;
  for (size_t i = 0; i < SIZE; ++i)
    good += host[i] == byte_at(i);
  CHECK(good == SIZE);
  // No function ran, nothing was allocated, and who asks gets the same.
  bytes_t none = {NULL, 0, GMEM_ERR_STATE, 0};
  CHECK(gmem_weights_acquire(weights, &letter.key, fill_bytes, &none, &same,
                             NULL) == GMEM_OK);
  CHECK(same == weight && none.fills == 0);
  CHECK(weights_stats(weights).filled == 0 && bank.acquires == 0);
  // The same pages as the sender's: none is this process's own.
  uint64_t inode = 0;
  uint64_t resident = mapped(host, "Rss:", &inode);
  CHECK(inode == letter.inode && resident == SIZE / 1024);
  CHECK(mapped(host, "Pss:", &inode) <= resident * 6 / 10);
  CHECK(mapped(host, "Private_Clean:", &inode) == 0 &&
        mapped(host, "Private_Dirty:", &inode) == 0);
  CHECK(signal_of_write(host) == SIGSEGV);
  gmem_weight_release(weight);
  gmem_weight_release(same);
  gmem_weights_release(weights);
  close_bank(&bank);
  CHECK(write(socket, "done", 4) == 4);
  return CHECK_RESULT();
}

static void test_two_processes(void) {
  if (access("/proc/self/exe", X_OK) != 0 ||
      access("/proc/self/smaps", R_OK) != 0) {
    printf("skipped: no /proc, to begin anew and to see mappings in\n");
    return;
  }
  static uint8_t text[SIZE];
  bank_t bank;
  gmem_provider_t provider = open_shared_bank(&bank);
  gmem_weights_t *weights = open_weights(&provider, 0);
  for (size_t i = 0; i < SIZE; ++i)
    text[i] = byte_at(i);
  bytes_t bytes = {text, SIZE, GMEM_OK, 0};
  letter_t letter = {.key = key_of(text, SIZE)};
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_acquire(weights, &letter.key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  CHECK(bank.acquires == 1 && bank.shareable == 1);
  // Sealing mapped it anew: now its pages are resident here.
  CHECK(memcmp(gmem_weight_host(weight), text, SIZE) == 0);
  int fd = -1, sockets[2];
  struct stat file;
  if (gmem_weight_export(weight, &fd, NULL) != GMEM_OK)
    exit(1); // the other process would wait for it
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  CHECK(fcntl(fd, F_GET_SEALS) >= 0 &&
        (fcntl(fd, F_GET_SEALS) & ALL_SEALS) == ALL_SEALS);
  CHECK(fstat(fd, &file) == 0);
  letter.inode = (uint64_t)file.st_ino;
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  pid_t child = fork();
  if (child == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", sockets[1]);
    close(sockets[0]);
    execl("/proc/self/exe", "receiver", number, (char *)NULL);
    _exit(2);
  }
  close(sockets[1]);
  send_weight(sockets[0], &letter, fd);
  char answer[4] = "";
  CHECK(read(sockets[0], answer, 4) == 4); // our mapping is there until then
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  close(sockets[0]);
  // The descriptor does not depend on the weight, nor the weight on it.
  gmem_weight_release(weight);
  weight = NULL;
  CHECK(gmem_weights_import(weights, &letter.key, fd, &weight, NULL) ==
        GMEM_OK);
  close(fd);
  CHECK(memcmp(gmem_weight_host(weight), text, SIZE) == 0);
  CHECK(gmem_weight_export(weight, &fd, NULL) == GMEM_ERR_UNSUPPORTED &&
        fd == -1);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
  close_bank(&bank);
}

//===--- descriptors that lie ---------------------------------------------===//

// A memory file of |size| bytes of |bytes| with these seals.
static int memory_file(const void *bytes, size_t size, int seals) {
  int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
  CHECK(fcntl(fd, F_ADD_SEALS, seals) == 0);
  return fd;
}

static void check_refused(gmem_weights_t *weights, const gmem_weight_key_t *key,
                          int fd, gmem_status_t expected, int error) {
  gmem_weight_t *weight = (gmem_weight_t *)&fd;
  gmem_diag_t diag = {.text = ""};
  gmem_status_t status = gmem_weights_import(weights, key, fd, &weight, &diag);
  CHECK(status == expected && diag.status == expected && !weight &&
        diag.os_error == error && diag.text[0]);
  gmem_weights_stats_t stats = weights_stats(weights);
  CHECK(stats.count == 0 && stats.bytes == 0);
}

// The same, for a descriptor that was made for this: it stays open.
static void check_refused_file(gmem_weights_t *weights,
                               const gmem_weight_key_t *key, int fd,
                               gmem_status_t expected) {
  check_refused(weights, key, fd, expected, 0);
  CHECK(close(fd) == 0);
}

static void test_hostile_descriptors(void) {
  static const char text[] = "twenty-three characters", wrong[sizeof text];
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  gmem_weights_t *weights = open_weights(&provider, 0);
  gmem_weight_key_t key = key_of(text, sizeof text);
  for (int missing = F_SEAL_SEAL; missing <= F_SEAL_WRITE; missing <<= 1)
    check_refused_file(weights, &key,
                       memory_file(text, sizeof text, ALL_SEALS & ~missing),
                       GMEM_ERR_STATE);
  int later = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE;
  check_refused_file(weights, &key, memory_file(text, sizeof text, later),
                     GMEM_ERR_STATE); // who has a mapping can still write
  check_refused_file(weights, &key,
                     memory_file(text, sizeof text - 1, ALL_SEALS),
                     GMEM_ERR_TOO_SMALL);
  check_refused_file(weights, &key, memory_file(text, 0, ALL_SEALS),
                     GMEM_ERR_TOO_SMALL);
  check_refused_file(weights, &key, memory_file(wrong, sizeof wrong, ALL_SEALS),
                     GMEM_ERR_CORRUPT);
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  check_refused_file(weights, &key, ends[0], GMEM_ERR_STATE);
  check_refused_file(weights, &key, ends[1], GMEM_ERR_STATE);
  char path[] = "/tmp/gmem-unsealed.XXXXXX";
  check_refused_file(weights, &key, mkstemp(path), GMEM_ERR_STATE);
  CHECK(unlink(path) == 0);
  check_refused_file(weights, &key, open("/", O_RDONLY), GMEM_ERR_STATE);
  check_refused(weights, &key, NO_FILE, GMEM_ERR_IO, EBADF);
  check_refused(weights, &key, -1, GMEM_ERR_INVALID_ARGUMENT, 0);
  gmem_weight_key_t huge = key;
  huge.size = GMEM_PLAN_MAX_ADDRESS;
  check_refused_file(weights, &huge, memory_file(text, sizeof text, ALL_SEALS),
                     GMEM_ERR_TOO_SMALL);
  // What is wrong is said even when the store has the weight.
  int good = memory_file(text, sizeof text, ALL_SEALS);
  gmem_weight_t *weight = NULL, *other = NULL;
  CHECK(gmem_weights_import(weights, &key, good, &weight, NULL) == GMEM_OK);
  CHECK(gmem_weights_import(weights, &key, NO_FILE, &other, NULL) ==
        GMEM_ERR_IO);
  CHECK(memcmp(gmem_weight_host(weight), text, sizeof text) == 0);
  gmem_weight_release(weight);
  CHECK(close(good) == 0);
  gmem_weights_release(weights);
  close_bank(&bank);
}

static void test_import_limits_and_failures(void) {
  static const char text[] = "limits";
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  gmem_weight_key_t key = key_of(text, sizeof text);
  int fd = memory_file(text, sizeof text, ALL_SEALS);
  gmem_weights_t *weights = open_weights(&provider, 1);
  check_refused(weights, &key, fd, GMEM_ERR_OVER_BUDGET, 0);
  gmem_weights_release(weights);
  gmem_provider_t cannot = provider;
  cannot.map_fd = NULL;
  weights = open_weights(&cannot, 0);
  check_refused(weights, &key, fd, GMEM_ERR_UNSUPPORTED, 0);
  gmem_weights_release(weights);
  weights = open_weights(&provider, 0);
  fstat_fails = true;
  check_refused(weights, &key, fd, GMEM_ERR_IO, EOVERFLOW);
  fstat_fails = false;
  for (unsigned k = 1; k <= 2; ++k) { // to map, to synchronise
    bank.fail_at = atomic_load(&bank.calls) + k;
    gmem_weight_t *weight = NULL;
    CHECK(gmem_weights_import(weights, &key, fd, &weight, NULL) ==
          (k == 1 ? GMEM_ERR_OUT_OF_MEMORY : GMEM_ERR_IO));
    CHECK(!weight && bank.live == 0);
  }
  bank.fail_at = 0;
  // Of a transform nobody can know the bytes beforehand; damage is still found.
  gmem_weight_key_t packed = gmem_weight_key_after(&key, 9, 3, 1);
  gmem_weight_t *weight = NULL;
  uint64_t bad = 1;
  CHECK(gmem_weights_import(weights, &packed, fd, &weight, NULL) == GMEM_OK);
  CHECK(gmem_weights_verify(weights, &bad, NULL) == GMEM_OK && bad == 0);
  CHECK(bank.seals == 0 && bank.maps > 0 && bank.acquires == 0);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
  CHECK(close(fd) == 0);
  close_bank(&bank);
}

//===--- at once ----------------------------------------------------------===//

typedef struct race_s {
  gmem_weights_t *weights;
  gmem_weight_key_t key;
  bytes_t bytes;
  int fd;
  atomic_uint next;
  gmem_weight_t *weight[MAX_THREADS];
} race_t;

static void *import_or_acquire(void *context) {
  race_t *race = context;
  unsigned i = atomic_fetch_add(&race->next, 1);
  if (i % 2)
    CHECK(gmem_weights_import(race->weights, &race->key, race->fd,
                              &race->weight[i], NULL) == GMEM_OK);
  else
    CHECK(gmem_weights_acquire(race->weights, &race->key, fill_bytes,
                               &race->bytes, &race->weight[i],
                               NULL) == GMEM_OK);
  return NULL;
}

static void test_import_and_acquire_at_once(void) {
  static const char text[] = "whoever comes first";
  enum { THREADS = 16 };
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  for (int round = 0; round < 20; ++round) {
    race_t race = {.weights = open_weights(&provider, 0),
                   .key = key_of(text, sizeof text),
                   .bytes = {text, sizeof text, GMEM_OK, 0},
                   .fd = memory_file(text, sizeof text, ALL_SEALS)};
    run_threads(THREADS, import_or_acquire, &race);
    CHECK(bank.live == 1 && race.bytes.fills <= 1);
    gmem_weights_stats_t stats = weights_stats(race.weights);
    CHECK(stats.asked == THREADS && stats.filled == race.bytes.fills &&
          stats.count == 1 && stats.failures == 0);
    for (int i = 0; i < THREADS; ++i) {
      CHECK(race.weight[i] && race.weight[i] == race.weight[0]);
      gmem_weight_release(race.weight[i]);
    }
    gmem_weights_release(race.weights);
    CHECK(close(race.fd) == 0);
  }
  close_bank(&bank);
}

static void test_exports_that_cannot_be(void) {
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL); // private memory
  provider.export_fd = bank_export; // but it only says so when it is asked
  gmem_weights_t *weights = open_weights(&provider, 0);
  bytes_t bytes = {"a", 1, GMEM_OK, 0};
  gmem_weight_key_t key = key_of("a", 1);
  gmem_weight_t *weight = NULL;
  int fd = 0;
  CHECK(gmem_weights_acquire(weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  CHECK(gmem_weight_export(weight, &fd, NULL) == GMEM_ERR_UNSUPPORTED &&
        fd == -1);
  CHECK(gmem_weight_export(NULL, &fd, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_weight_export(weight, NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
  // What is never sealed is never shared.
  close_bank(&bank);
  provider = open_shared_bank(&bank);
  provider.seal = NULL;
  weights = open_weights(&provider, 0);
  CHECK(gmem_weights_acquire(weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  CHECK(gmem_weight_export(weight, &fd, NULL) == GMEM_ERR_UNSUPPORTED);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
  close_bank(&bank);
}

int main(int argc, char **argv) {
  alarm(300); // a lock that is held too long hangs
  if (argc > 1)
    return be_receiver((int)strtol(argv[1], NULL, 10));
  test_two_processes();
  test_hostile_descriptors();
  test_import_limits_and_failures();
  test_import_and_acquire_at_once();
  test_exports_that_cannot_be();
  return CHECK_RESULT();
}
