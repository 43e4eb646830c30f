// runtime_hot_path_test.c - what every request goes through, and reserving
// slots for one, makes no system call and allocates nothing: it runs in a
// process that the kernel kills at the first call other than read, write and
// exit, and libc's heap is counted. With the argument "marks" it writes a line
// before and after, for strace. RUN: %unit/runtime_hot_path_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // syscall

#include <linux/seccomp.h>
#include <signal.h>
#include <stdalign.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "gmem/runtime.h"
#include "image_tools.h"
#include "runtime_tools.h"
#include "sanitizers.h"

enum {
  ROUNDS = 100000,
  CYCLES = 1000, // of reservations
  REFUSED = 77,  // what a child exits with that cannot be confined
  // Of the sample plan.
  INPUT = 3,
  CONV = 4,
  STATE = 8,
  FIRST_GROUP = 0,
  CONV_STEP = 1,
};

//===--- libc's heap, counted ---------------------------------------------===//

static unsigned long heap_calls;

// The linker puts these in the place of libc's (-Wl,--wrap).
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
int __real_posix_memalign(void **out_memory, size_t align, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __wrap_posix_memalign(void **out_memory, size_t align, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) {
  ++heap_calls;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  ++heap_calls;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  ++heap_calls;
  return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size) {
  ++heap_calls;
  return __real_aligned_alloc(align, size);
}

int __wrap_posix_memalign(void **out_memory, size_t align, size_t size) {
  ++heap_calls;
  return __real_posix_memalign(out_memory, align, size);
}

void __wrap_free(void *memory) {
  ++heap_calls;
  __real_free(memory);
}

//===--- what there is before the first request ---------------------------===//

typedef struct world_s {
  gmem_provider_t provider;
  gmem_plan_t *plan;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_reservation_t *reservation; // of one of its slots
  gmem_cache_t *cache;             // has |pool|
  unsigned failures;               // of what a request does
} world_t;

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  world_t *it = user;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 2,
                                 .flags = GMEM_POOL_ZERO_ON_RELEASE};
  return gmem_pool_create(it->model, &it->provider, &options, NULL, out_pool,
                          diag);
}

static gmem_status_t get_pool(world_t *it, gmem_pool_t **out_pool) {
  return gmem_cache_get(it->cache, "key", 3, make_pool, it, out_pool, NULL);
}

static void load_plan(world_t *it) {
  full_sample_t parts;
  gmem_plan_desc_t desc = full_desc(&parts);
  it->plan = plan_of(&desc);
}

static void set_up(world_t *it) {
  memset(it, 0, sizeof *it);
  load_plan(it);
  CHECK(gmem_provider_mmap(NULL, NULL, &it->provider) == GMEM_OK);
  CHECK(gmem_model_create(it->plan, &it->provider, NULL, NULL, &it->model,
                          NULL) == GMEM_OK);
  CHECK(gmem_cache_create(NULL, NULL, &it->cache, NULL) == GMEM_OK);
  CHECK(get_pool(it, &it->pool) == GMEM_OK);
  CHECK(gmem_pool_reserve(it->pool, 1, &it->reservation, NULL) == GMEM_OK);
  // As many reservations as there will be at a time.
  gmem_reservation_t *second = NULL;
  CHECK(gmem_pool_reserve(it->pool, 1, &second, NULL) == GMEM_OK);
  gmem_pool_unreserve(second);
}

static void tear_down(world_t *it) {
  gmem_pool_unreserve(it->reservation);
  gmem_pool_release(it->pool);
  gmem_cache_destroy(it->cache);
  gmem_model_release(it->model);
  gmem_plan_release(it->plan);
  gmem_provider_destroy(&it->provider);
}

//===--- a request --------------------------------------------------------===//

static void require(world_t *it, gmem_status_t status) {
  it->failures += status != GMEM_OK;
}

static void import_input(world_t *it, gmem_lease_t *lease) {
  static alignas(64) uint8_t memory[64];
  require(it, gmem_lease_import(lease, INPUT, memory, (uintptr_t)memory,
                                sizeof memory, NULL));
}

// Everything that has the address of a buffer in it.
static void look_up(world_t *it, const gmem_lease_t *lease) {
  uint64_t device = 0, size = 0;
  void *host = NULL, *work[2];
  uint32_t count = 0;
  for (gmem_buffer_t id = 0; id < SAMPLE_BUFFERS; ++id) {
    require(it, gmem_lease_host(lease, id, &host));
    require(it, gmem_lease_device(lease, id, &device));
    require(it, gmem_lease_sync(lease, id, true));
  }
  require(it, gmem_lease_region(lease, 0, &host));
  require(it, gmem_lease_thread_scratch(lease, CONV, 3, &host, &size));
  require(it, gmem_lease_workbuffers(lease, CONV_STEP, 2, work, &count));
  it->failures += count != 2;
}

static void relocate(world_t *it, const gmem_lease_t *lease) {
  uint8_t stream[16] = {0};
  const gmem_reloc_t *relocs = NULL;
  uint32_t count = gmem_plan_relocs(it->plan, 0, &relocs);
  it->failures += count != 3;
  require(it, gmem_lease_relocate(lease, relocs, count, stream, sizeof stream,
                                  NULL));
}

static void run_steps(world_t *it, gmem_lease_t *lease) {
  void *host = NULL;
  for (gmem_op_t op = 0; op < 4; ++op) {
    gmem_lease_begin_op(lease, op);
    gmem_lease_retain(lease); // by an operation in flight
    require(it, gmem_lease_host(lease, CONV, &host));
    memset(host, (int)op, 256);
    require(it, gmem_lease_check(lease, NULL));
    gmem_lease_release(lease);
  }
}

static void lease_all(world_t *it, gmem_pool_t *pool, int64_t timeout_ns) {
  gmem_lease_t *lease = NULL;
  require(it, gmem_lease_acquire(pool, GMEM_NONE, NULL, timeout_ns, &lease));
  import_input(it, lease);
  look_up(it, lease);
  relocate(it, lease);
  run_steps(it, lease);
  gmem_lease_release(lease);
}

// From the reservation, and of a group of buffers only.
static void lease_some(world_t *it, gmem_pool_t *pool) {
  gmem_lease_t *lease = NULL;
  void *host = NULL;
  require(it,
          gmem_lease_acquire(pool, FIRST_GROUP, it->reservation, 0, &lease));
  require(it, gmem_lease_host(lease, CONV, &host));
  it->failures += gmem_lease_host(lease, STATE, &host) != GMEM_ERR_OUT_OF_RANGE;
  gmem_lease_release(lease);
}

// An object that comes, runs and goes; its lease ends before or after it.
static void reserve_and_lease(world_t *it, gmem_pool_t *pool, bool late) {
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = NULL;
  require(it, gmem_pool_reserve(pool, 1, &reservation, NULL));
  require(it, gmem_lease_acquire(pool, GMEM_NONE, reservation, 0, &lease));
  if (!late)
    gmem_lease_release(lease);
  gmem_pool_unreserve(reservation);
  if (late)
    gmem_lease_release(lease);
}

static void run_requests(world_t *it, int rounds) {
  static const int64_t timeouts[] = {0, 1000000, GMEM_WAIT_FOREVER};
  gmem_pool_stats_t stats;
  for (int i = 0; i < rounds; ++i) {
    gmem_pool_t *pool = NULL;
    require(it, get_pool(it, &pool));
    lease_all(it, pool, timeouts[i % 3]);
    lease_some(it, pool);
    if (i < CYCLES)
      reserve_and_lease(it, pool, i % 2);
    gmem_pool_stats(pool, &stats);
    it->failures += stats.leased != 0;
    gmem_pool_release(pool);
  }
}

//===--- the proofs -------------------------------------------------------===//

static void one_call_too_many(void) { (void)syscall(SYS_getpid); }

// What the child does: it must not even return.
static void run_confined(world_t *it, int rounds, void (*before)(void)) {
  unsigned long calls = heap_calls;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
    _exit(REFUSED);
  if (before)
    before();
  run_requests(it, rounds);
  bool is_good = it->failures == 0 && heap_calls == calls;
  (void)syscall(SYS_exit, is_good ? 0 : 1);
}

// The status of a child that runs requests confined.
static int status_of_confined(world_t *it, int rounds, void (*before)(void)) {
  int status = -1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    run_confined(it, rounds, before);
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return status;
}

static void test_no_system_calls(world_t *it) {
  if (HAS_TSAN) {
    printf("skipped: the sanitizer makes system calls\n");
    return;
  }
  int status = status_of_confined(it, ROUNDS, NULL);
  if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED) {
    printf("skipped: the system confines no processes\n");
    return;
  }
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  // And this is how it would have ended.
  status = status_of_confined(it, 1, one_call_too_many);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_no_allocation(world_t *it) {
  unsigned long calls = heap_calls;
  CHECK(calls > 0); // those of the set-up
  run_requests(it, ROUNDS);
  CHECK(heap_calls == calls && it->failures == 0);
  gmem_pool_stats_t stats;
  gmem_pool_stats(it->pool, &stats);
  CHECK(stats.waits == 0 && stats.grows == 0);
}

static void write_mark(const char *text) {
  CHECK(write(STDERR_FILENO, text, strlen(text)) == (ssize_t)strlen(text));
}

int main(int argc, char **argv) {
  world_t it;
  set_up(&it);
  if (argc > 1 && strcmp(argv[1], "marks") == 0) {
    write_mark("requests begin\n");
    run_requests(&it, ROUNDS);
    write_mark("requests end\n");
  } else {
    test_no_allocation(&it);
    test_no_system_calls(&it);
  }
  CHECK(it.failures == 0);
  tear_down(&it);
  return CHECK_RESULT();
}
