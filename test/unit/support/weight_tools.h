// weight_tools.h - memory that counts and fails on demand, keys and fill
// functions, for the tests of weights and models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_WEIGHT_TOOLS_H_
#define GMEM_TEST_UNIT_WEIGHT_TOOLS_H_

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "gmem/runtime.h"
#include "hash/sha256.h"

//===--- a provider -------------------------------------------------------===//

// The mmap provider, watched. Thread-safe, but for setting it up.
typedef struct bank_s {
  gmem_provider_t inner;
  uint64_t granularity; // of which places in files are multiples
  atomic_uint calls;    // that may fail
  unsigned fail_at;     // the call that fails; 0: none
  uint64_t extra;       // bytes more than asked for
  bool wrong_place;     // misaligned addresses
  uint64_t shift;       // of device addresses against those of the host
  atomic_int live;      // ranges
  atomic_uint_least64_t live_bytes;
  atomic_uint acquires, shareable, maps, seals, syncs;
} bank_t;

static inline bool bank_fails(bank_t *bank) {
  return atomic_fetch_add(&bank->calls, 1) + 1 == bank->fail_at;
}

static inline void bank_count(bank_t *bank, gmem_range_t *range) {
  atomic_fetch_add(&bank->live, 1);
  atomic_fetch_add(&bank->live_bytes, range->size);
  range->device += bank->shift;
  if (bank->wrong_place)
    range->device += 8;
}

static inline gmem_range_t bank_inner(const bank_t *bank,
                                      const gmem_range_t *range) {
  gmem_range_t inner = *range;
  inner.device -= bank->shift;
  return inner;
}

static inline gmem_status_t
bank_acquire(void *user, uint64_t size, uint64_t align, uint64_t fixed_device,
             uint32_t flags, gmem_range_t *out_range, gmem_diag_t *diag) {
  bank_t *bank = (bank_t *)user;
  atomic_fetch_add(&bank->acquires, 1);
  atomic_fetch_add(&bank->shareable, (flags & GMEM_RANGE_SHAREABLE) != 0);
  if (bank_fails(bank))
    return GMEM_ERR_OUT_OF_MEMORY;
  gmem_status_t status =
      bank->inner.acquire(bank->inner.user, size + bank->extra, align,
                          fixed_device, flags, out_range, diag);
  if (status == GMEM_OK)
    bank_count(bank, out_range);
  return status;
}

static inline gmem_status_t bank_map_fd(void *user, int fd, uint64_t offset,
                                        uint64_t size, uint64_t align,
                                        bool writable, gmem_range_t *out_range,
                                        gmem_diag_t *diag) {
  bank_t *bank = (bank_t *)user;
  atomic_fetch_add(&bank->maps, 1);
  CHECK(offset % bank->granularity == 0 && size % bank->granularity == 0);
  if (bank_fails(bank))
    return GMEM_ERR_OUT_OF_MEMORY;
  gmem_status_t status = bank->inner.map_fd(bank->inner.user, fd, offset, size,
                                            align, writable, out_range, diag);
  if (status == GMEM_OK)
    bank_count(bank, out_range);
  return status;
}

static inline void bank_release(void *user, const gmem_range_t *range) {
  bank_t *bank = (bank_t *)user;
  atomic_fetch_sub(&bank->live, 1);
  atomic_fetch_sub(&bank->live_bytes, range->size);
  gmem_range_t inner = bank_inner(bank, range);
  bank->inner.release(bank->inner.user, &inner);
}

static inline gmem_status_t bank_seal(void *user, gmem_range_t *range,
                                      gmem_diag_t *diag) {
  bank_t *bank = (bank_t *)user;
  atomic_fetch_add(&bank->seals, 1);
  if (bank_fails(bank))
    return GMEM_ERR_IO;
  return bank->inner.seal(bank->inner.user, range, diag);
}

static inline gmem_status_t bank_sync(void *user, const gmem_range_t *range,
                                      uint64_t offset, uint64_t size,
                                      bool to_device) {
  bank_t *bank = (bank_t *)user;
  CHECK(offset == 0 && size == range->size && to_device);
  atomic_fetch_add(&bank->syncs, 1);
  return bank_fails(bank) ? GMEM_ERR_IO : GMEM_OK;
}

static inline gmem_status_t bank_export(void *user, const gmem_range_t *range,
                                        int *out_fd, gmem_diag_t *diag) {
  bank_t *bank = (bank_t *)user;
  gmem_range_t inner = bank_inner(bank, range);
  if (!bank->inner.export_fd)
    return GMEM_ERR_UNSUPPORTED;
  return bank->inner.export_fd(bank->inner.user, &inner, out_fd, diag);
}

// Opens |bank|; |options| as of gmem_provider_mmap.
static inline gmem_provider_t open_bank(bank_t *bank,
                                        const gmem_mmap_options_t *options) {
  memset(bank, 0, sizeof *bank);
  CHECK(gmem_provider_mmap(options, NULL, &bank->inner) == GMEM_OK);
  bank->granularity = bank->inner.granularity;
  return (gmem_provider_t){.user = bank,
                           .granularity = bank->inner.granularity,
                           .acquire = bank_acquire,
                           .release = bank_release,
                           .seal = bank_seal,
                           .sync = bank_sync,
                           .map_fd = bank_map_fd,
                           .export_fd =
                               options && options->shared ? bank_export : NULL};
}

static inline void close_bank(bank_t *bank) {
  CHECK(atomic_load(&bank->live) == 0 && atomic_load(&bank->live_bytes) == 0);
  gmem_provider_destroy(&bank->inner);
}

//===--- weights ----------------------------------------------------------===//

// Bytes that go to a weight, and how often they did.
typedef struct bytes_s {
  const void *bytes;
  size_t size;
  gmem_status_t status; // what filling ends with
  atomic_uint fills;
} bytes_t;

static inline gmem_weight_key_t key_of(const void *bytes, size_t size) {
  gmem_weight_key_t key = {.size = size, .align = 64};
  gmem_sha256(bytes, size, key.digest);
  return key;
}

static inline gmem_status_t fill_bytes(void *user, const gmem_weight_key_t *key,
                                       void *dst, gmem_diag_t *diag) {
  bytes_t *bytes = (bytes_t *)user;
  (void)diag;
  atomic_fetch_add(&bytes->fills, 1);
  CHECK(((const char *)dst)[0] == 0 && ((const char *)dst)[key->size - 1] == 0);
  size_t size = bytes->size < key->size ? bytes->size : (size_t)key->size;
  memcpy(dst, bytes->bytes, size);
  return bytes->status;
}

static inline gmem_weights_stats_t weights_stats(gmem_weights_t *weights) {
  gmem_weights_stats_t stats;
  gmem_weights_stats(weights, &stats);
  return stats;
}

//===--- threads and processes --------------------------------------------===//

enum { MAX_THREADS = 64 };

// Runs |body|(|context|) in |count| threads at once.
static inline void run_threads(unsigned count, void *(*body)(void *),
                               void *context) {
  pthread_t threads[MAX_THREADS];
  for (unsigned i = 0; i < count; ++i)
    if (pthread_create(&threads[i], NULL, body, context) != 0)
      exit(1); // nothing can be tested
  for (unsigned i = 0; i < count; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

// Writes to |address| in a child process; returns the signal that ended it, or
// 0.
static inline int signal_of_write(const void *address) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // sanitizers have handlers of their own
    *(volatile char *)(uintptr_t)address = 1;
    _exit(0);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif // GMEM_TEST_UNIT_WEIGHT_TOOLS_H_
