// bench_runtime.c - what the runtime costs: loading images, the calls of a
// request, threads that share slots, memory that stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bench_runtime [load|calls|threads|memory]...   all, or the named tables
//   bench_runtime --call=N --rounds=R    makes call N (of the table `calls', 1
//                                        is the first) R times, for a counter
//                                        of instructions; 0 makes none

#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench_serve.h"
#include "sha256.h"

//===--- load -------------------------------------------------------------===//

enum { LOADS = 7, SCATTER = 7919 }; // a prime

// The median of the processor time of a load, in seconds.
static double time_load(const void *data, size_t size, uint32_t flags) {
  double times[LOADS];
  gmem_diag_t diag = {.status = GMEM_OK};
  for (int i = 0; i < LOADS; ++i) {
    gmem_plan_t *plan = NULL;
    double start = bench_cpu();
    bench_must(gmem_plan_load_memory(data, size, flags, NULL, &plan, &diag),
               &diag);
    times[i] = bench_cpu() - start;
    gmem_plan_release(plan);
  }
  return bench_median(times, LOADS);
}

static double time_digest(const void *data, size_t size) {
  double times[LOADS];
  uint8_t digest[GMEM_SHA256_SIZE];
  for (int i = 0; i < LOADS; ++i) {
    double start = bench_cpu();
    gmem_sha256(data, size, digest);
    times[i] = bench_cpu() - start;
  }
  return bench_median(times, LOADS);
}

// The time of a load of borrowed bytes, where the buffers are in no order.
static double time_scattered(uint32_t count) {
  void *data = NULL;
  size_t size = 0;
  bench_pipeline_image(count, 64, 4096, SCATTER, &data, &size);
  double seconds = time_load(data, size, GMEM_LOAD_BORROW);
  gmem_plan_data_free(NULL, data, size);
  return seconds;
}

static void print_load(uint32_t count) {
  void *data = NULL;
  size_t size = 0;
  bench_pipeline_image(count, 64, 4096, 1, &data, &size);
  double copied = time_load(data, size, 0);
  double borrowed = time_load(data, size, GMEM_LOAD_BORROW);
  double digest = time_digest(data, size);
  gmem_plan_data_free(NULL, data, size);
  printf("%9" PRIu32 " %12zu %9.2f %9.1f %9.1f %9.1f %9.1f\n", count, size,
         copied * 1e3, copied * 1e9 / count, borrowed * 1e9 / count,
         digest * 1e9 / count, time_scattered(count) * 1e9 / count);
}

static void bench_load(void) {
  printf("Loading an image, with all checksums and proofs: processor time, "
         "the median of %d;\nthe bytes copied, borrowed, only their "
         "SHA-256,\nand borrowed with buffers that are not in the order of "
         "steps\n\n%9s %12s %9s %9s %9s %9s %9s\n",
         LOADS, "buffers", "bytes", "ms", "ns/buffer", "borrowed", "SHA-256",
         "scattered");
  for (uint32_t count = 1000; count <= 1000000; count *= 10)
    print_load(count);
}

//===--- calls ------------------------------------------------------------===//

enum { BUFFERS = 64 };

typedef struct world_s {
  gmem_plan_t *plan;
  bench_service_t service;
  gmem_reservation_t *reservation;
  gmem_cache_t *cache; // has a pool of its own
  gmem_lease_t *lease; // of all buffers
  gmem_lease_t *few;   // of a group
  pthread_barrier_t end;
  pthread_t idler;
} world_t;

typedef struct call_s {
  const char *name;
  void (*run)(world_t *it, uint32_t rounds);
  uint32_t rounds; // at a time
} call_t;

static void lease_from(world_t *it, gmem_reservation_t *from, uint32_t rounds) {
  gmem_lease_t *lease = NULL;
  for (uint32_t i = 0; i < rounds; ++i) {
    bench_must(gmem_lease_acquire(it->service.pool, GMEM_NONE, from, 0, &lease),
               NULL);
    gmem_lease_release(lease);
  }
}

static void run_lease(world_t *it, uint32_t rounds) {
  lease_from(it, NULL, rounds);
}

static void run_reserved(world_t *it, uint32_t rounds) {
  lease_from(it, it->reservation, rounds);
}

static void run_retain(world_t *it, uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; ++i) {
    gmem_lease_retain(it->lease);
    gmem_lease_release(it->lease);
  }
}

static void run_host(world_t *it, uint32_t rounds) {
  void *ptr = NULL;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_host(it->lease, i % BUFFERS, &ptr), NULL);
}

static void run_host_of_group(world_t *it, uint32_t rounds) {
  void *ptr = NULL;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_host(it->few, i * 2 % BUFFERS, &ptr), NULL);
}

static void run_device(world_t *it, uint32_t rounds) {
  uint64_t address = 0;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_device(it->lease, i % BUFFERS, &address), NULL);
}

static void run_region(world_t *it, uint32_t rounds) {
  void *ptr = NULL;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_region(it->lease, 0, &ptr), NULL);
}

static void run_scratch(world_t *it, uint32_t rounds) {
  void *ptr = NULL;
  uint64_t size = 0;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_thread_scratch(it->lease, 0, i % 4, &ptr, &size),
               NULL);
}

static void run_workbuffers(world_t *it, uint32_t rounds) {
  void *ptr = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < rounds; ++i)
    bench_must(gmem_lease_workbuffers(it->lease, i % BUFFERS, 1, &ptr, &count),
               NULL);
}

static void run_begin_op(world_t *it, uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; ++i)
    gmem_lease_begin_op(it->lease, i % BUFFERS);
}

// One address at a time.
static void run_relocate(world_t *it, uint32_t rounds) {
  uint64_t stream = 0;
  gmem_reloc_t reloc = {.kind = GMEM_RELOC_ABS64};
  for (uint32_t i = 0; i < rounds; ++i) {
    reloc.buffer = i % BUFFERS;
    bench_must(
        gmem_lease_relocate(it->lease, &reloc, 1, &stream, sizeof stream, NULL),
        NULL);
  }
}

static void run_reserve(world_t *it, uint32_t rounds) {
  gmem_reservation_t *reservation = NULL;
  for (uint32_t i = 0; i < rounds; ++i) {
    bench_must(gmem_pool_reserve(it->service.pool, 1, &reservation, NULL),
               NULL);
    gmem_pool_unreserve(reservation);
  }
}

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  world_t *it = user;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  return gmem_pool_create(it->service.model, &it->service.provider, &options,
                          NULL, out_pool, diag);
}

static void run_cache(world_t *it, uint32_t rounds) {
  gmem_pool_t *pool = NULL;
  for (uint32_t i = 0; i < rounds; ++i) {
    bench_must(gmem_cache_get(it->cache, "key", 3, make_pool, it, &pool, NULL),
               NULL);
    gmem_pool_release(pool);
  }
}

// Adds slots of 256 KiB, and gives them back.
static void run_grow(world_t *it, uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; ++i) {
    bench_must(gmem_pool_populate(it->service.pool, 1, NULL), NULL);
    gmem_pool_trim(it->service.pool, 0);
  }
}

// What else there is to get memory from.
static void run_heap(uint32_t rounds, size_t size) {
  for (uint32_t i = 0; i < rounds; ++i) {
    void *volatile memory = malloc(size);
    free(memory);
  }
}

static void run_small_heap(world_t *it, uint32_t rounds) {
  (void)it;
  run_heap(rounds, 64);
}

static void run_large_heap(world_t *it, uint32_t rounds) {
  (void)it;
  run_heap(rounds, BUFFERS * 4096);
}

static void run_mmap(world_t *it, uint32_t rounds) {
  (void)it;
  for (uint32_t i = 0; i < rounds; ++i) {
    void *memory = mmap(NULL, BUFFERS * 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
      munmap(memory, BUFFERS * 4096);
  }
}

static void run_mutex(world_t *it, uint32_t rounds) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  (void)it;
  for (uint32_t i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

// The least that a pool can be: free slots on a stack, behind a mutex.
static void run_free_list(world_t *it, uint32_t rounds) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static char slots[4][64];
  static char *free_slots[4] = {slots[0], slots[1], slots[2], slots[3]};
  static uint32_t free_count = 4;
  (void)it;
  for (uint32_t i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    char *volatile slot = free_slots[--free_count];
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    free_slots[free_count++] = slot;
    pthread_mutex_unlock(&mutex);
  }
}

static const call_t calls[] = {
    {"lease_acquire + release", run_lease, 100000},
    {"  from a reservation", run_reserved, 100000},
    {"lease_retain + release", run_retain, 100000},
    {"lease_host", run_host, 100000},
    {"  of a group of 32", run_host_of_group, 100000},
    {"lease_device", run_device, 100000},
    {"lease_region", run_region, 100000},
    {"lease_thread_scratch", run_scratch, 100000},
    {"lease_workbuffers, of 1", run_workbuffers, 100000},
    {"lease_begin_op", run_begin_op, 100000},
    {"lease_relocate, of 1", run_relocate, 100000},
    {"pool_reserve + unreserve", run_reserve, 20000},
    {"cache_get + pool_release", run_cache, 20000},
    {"pool_populate + trim", run_grow, 200},
    {"mutex lock + unlock", run_mutex, 100000},
    {"take + put, mutex and stack", run_free_list, 100000},
    {"malloc + free of 64 B", run_small_heap, 100000},
    {"malloc + free of 256 KiB", run_large_heap, 1000},
    {"mmap + munmap of 256 KiB", run_mmap, 1000},
};

enum { CALLS = sizeof calls / sizeof calls[0], TIMES = 15 };

// Does nothing, but be there: a process with one thread needs no real locks,
// and the C library knows that.
static void *idle(void *context) {
  pthread_barrier_wait(context);
  return NULL;
}

static void make_world(world_t *it) {
  pthread_barrier_init(&it->end, NULL, 2);
  if (pthread_create(&it->idler, NULL, idle, &it->end) != 0)
    exit(1);
  it->plan = bench_pipeline(BUFFERS, BUFFERS, 4096);
  bench_serve(it->plan, NULL, 4, 8, &it->service);
  gmem_pool_t *pool = it->service.pool;
  bench_must(gmem_pool_reserve(pool, 1, &it->reservation, NULL), NULL);
  bench_must(gmem_cache_create(NULL, NULL, &it->cache, NULL), NULL);
  run_cache(it, 1);
  bench_must(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &it->lease), NULL);
  bench_must(gmem_lease_acquire(pool, 0, NULL, 0, &it->few), NULL);
}

static void end_world(world_t *it) {
  pthread_barrier_wait(&it->end);
  pthread_join(it->idler, NULL);
  pthread_barrier_destroy(&it->end);
  gmem_lease_release(it->few);
  gmem_lease_release(it->lease);
  gmem_cache_destroy(it->cache);
  gmem_pool_unreserve(it->reservation);
  bench_serve_end(&it->service);
  gmem_plan_release(it->plan);
}

static double time_call(world_t *it, const call_t *call) {
  double start = bench_cpu();
  call->run(it, call->rounds);
  return (bench_cpu() - start) / call->rounds;
}

static void bench_calls(void) {
  world_t it;
  double times[CALLS][TIMES];
  make_world(&it);
  for (int t = 0; t < TIMES; ++t)
    for (int c = 0; c < CALLS; ++c)
      times[c][t] = time_call(&it, &calls[c]);
  printf("Calls of a request, uncontended: processor time, %d times, and the "
         "medians as multiples of the first\n\n%-28s %10s %10s %9s\n",
         TIMES, "call", "least ns", "median ns", "multiple");
  double lease = bench_median(times[0], TIMES);
  for (int c = 0; c < CALLS; ++c) {
    double median = bench_median(times[c], TIMES);
    printf("%-28s %10.1f %10.1f %9.2f\n", calls[c].name, times[c][0] * 1e9,
           median * 1e9, median / lease);
  }
  end_world(&it);
}

//===--- threads ----------------------------------------------------------===//

enum { THREADS = 4, SLOTS = 2 };

// The common pool: the first thread that locks it after a slot is free takes
// the slot.
typedef struct plain_pool_s {
  pthread_mutex_t lock;
  pthread_cond_t freed;
  uint32_t free;
} plain_pool_t;

static void plain_acquire(plain_pool_t *pool) {
  pthread_mutex_lock(&pool->lock);
  while (pool->free == 0)
    pthread_cond_wait(&pool->freed, &pool->lock);
  --pool->free;
  pthread_mutex_unlock(&pool->lock);
}

static void plain_release(plain_pool_t *pool) {
  pthread_mutex_lock(&pool->lock);
  ++pool->free;
  pthread_mutex_unlock(&pool->lock);
  pthread_cond_signal(&pool->freed);
}

typedef struct contest_s {
  gmem_pool_t *pool; // or, when it is NULL:
  plain_pool_t plain;
  double work; // seconds that a slot is held
  atomic_bool stop;
  pthread_barrier_t begin;
} contest_t;

typedef struct rival_s {
  contest_t *contest;
  uint64_t leases;
  double waited, longest; // seconds
  pthread_t thread;
} rival_t;

static void hold(double seconds) {
  double end = bench_now() + seconds;
  while (bench_now() < end)
    ;
}

static void *compete(void *context) {
  rival_t *rival = context;
  contest_t *contest = rival->contest;
  pthread_barrier_wait(&contest->begin);
  while (!atomic_load(&contest->stop)) {
    gmem_lease_t *lease = NULL;
    double start = bench_now();
    if (contest->pool)
      bench_must(gmem_lease_acquire(contest->pool, GMEM_NONE, NULL,
                                    GMEM_WAIT_FOREVER, &lease),
                 NULL);
    else
      plain_acquire(&contest->plain);
    double waited = bench_now() - start;
    hold(contest->work);
    if (contest->pool)
      gmem_lease_release(lease);
    else
      plain_release(&contest->plain);
    ++rival->leases;
    rival->waited += waited;
    rival->longest = waited > rival->longest ? waited : rival->longest;
  }
  return NULL;
}

static void print_contest(const contest_t *contest, const rival_t *rivals,
                          double seconds) {
  uint64_t least = UINT64_MAX, most = 0, all = 0;
  double waited = 0, longest = 0;
  for (int t = 0; t < THREADS; ++t) {
    all += rivals[t].leases;
    least = rivals[t].leases < least ? rivals[t].leases : least;
    most = rivals[t].leases > most ? rivals[t].leases : most;
    waited += rivals[t].waited;
    longest = rivals[t].longest > longest ? rivals[t].longest : longest;
  }
  printf("%-22s %8.0f %10.0f %9" PRIu64 " %9" PRIu64 " %8.2f %10.1f %10.2f\n",
         contest->pool ? "gmem, by arrival" : "mutex and condition",
         contest->work * 1e6, (double)all / seconds, least, most,
         (double)most / (double)least, waited / (double)all * 1e6,
         longest * 1e3);
}

static void run_contest(gmem_pool_t *pool, double work) {
  contest_t contest = {.pool = pool, .plain.free = SLOTS, .work = work};
  rival_t rivals[THREADS];
  pthread_mutex_init(&contest.plain.lock, NULL);
  pthread_cond_init(&contest.plain.freed, NULL);
  pthread_barrier_init(&contest.begin, NULL, THREADS + 1);
  for (int t = 0; t < THREADS; ++t) {
    rivals[t] = (rival_t){.contest = &contest};
    if (pthread_create(&rivals[t].thread, NULL, compete, &rivals[t]) != 0)
      exit(1);
  }
  pthread_barrier_wait(&contest.begin);
  double start = bench_now();
  struct timespec second = {1, 0};
  nanosleep(&second, NULL);
  atomic_store(&contest.stop, true);
  for (int t = 0; t < THREADS; ++t)
    pthread_join(rivals[t].thread, NULL);
  print_contest(&contest, rivals, bench_now() - start);
  pthread_barrier_destroy(&contest.begin);
}

static void bench_threads(void) {
  static const double works[] = {10e-6, 100e-6, 1e-3};
  gmem_plan_t *plan = bench_pipeline(BUFFERS, BUFFERS, 4096);
  bench_service_t service;
  bench_serve(plan, NULL, SLOTS, 0, &service);
  printf("%d threads on %d slots for one second: leases of each thread\n\n"
         "%-22s %8s %10s %9s %9s %8s %10s %10s\n",
         THREADS, SLOTS, "pool", "held us", "leases/s", "least", "most",
         "ratio", "wait us", "longest ms");
  for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i) {
    run_contest(service.pool, works[i]);
    run_contest(NULL, works[i]);
  }
  bench_serve_end(&service);
  gmem_plan_release(plan);
}

//===--- memory -----------------------------------------------------------===//

enum { SLOT = 16 << 20, PAGE = 4096, LEASES = 1000 };

static void print_resident(const char *when, uint64_t start) {
  double now = (double)bench_resident(), most = (double)bench_resident_peak();
  printf("%-44s %10.1f %10.1f\n", when, (now - (double)start) / 1024,
         (most - (double)start) / 1024);
  bench_forget_peak();
}

// Leases |count| times and touches every page.
static void touch_slots(const bench_service_t *service, int count, bool trim) {
  for (int i = 0; i < count; ++i) {
    gmem_lease_t *lease = NULL;
    void *ptr = NULL;
    bench_must(gmem_lease_acquire(service->pool, GMEM_NONE, NULL, 0, &lease),
               NULL);
    bench_must(gmem_lease_host(lease, 0, &ptr), NULL);
    for (uint64_t at = 0; at < SLOT; at += PAGE)
      ((volatile uint8_t *)ptr)[at] = (uint8_t)i;
    gmem_lease_release(lease);
    if (trim)
      gmem_pool_trim(service->pool, 0);
  }
}

static void bench_memory(void) {
  gmem_plan_t *plan = bench_pipeline(1, 1, SLOT);
  bench_service_t service;
  bench_serve(plan, NULL, 1, 0, &service);
  printf("A slot of 16 MiB, every page of it written by every lease\n\n"
         "%-44s %10s %10s\n",
         "", "KiB more", "at most");
  bench_forget_peak();
  uint64_t start = bench_resident(); // with what printing needs
  print_resident("before the first lease", start);
  touch_slots(&service, 1, false);
  print_resident("after 1", start);
  touch_slots(&service, LEASES - 1, false);
  print_resident("after 1000", start);
  gmem_pool_trim(service.pool, 0);
  print_resident("trimmed", start);
  touch_slots(&service, LEASES, true);
  print_resident("after 1000 more, with a trim after each", start);
  bench_serve_end(&service);
  gmem_plan_release(plan);
  print_resident("without the pool", start);
}

//===--- command line -----------------------------------------------------===//

typedef struct table_s {
  const char *name;
  void (*print)(void);
} table_t;

static const table_t tables[] = {{"load", bench_load},
                                 {"calls", bench_calls},
                                 {"threads", bench_threads},
                                 {"memory", bench_memory}};

static int run_one_call(const char *call, const char *rounds) {
  world_t it;
  unsigned long number = strtoul(call, NULL, 10);
  make_world(&it);
  if (number >= 1 && number <= CALLS)
    calls[number - 1].run(&it, (uint32_t)strtoul(rounds, NULL, 10));
  end_world(&it);
  if (number <= CALLS)
    printf("%s\n", number ? calls[number - 1].name : "");
  return number > CALLS;
}

int main(int argc, char **argv) {
  enum { TABLES = sizeof tables / sizeof tables[0] };
  if (argc == 3 && strncmp(argv[1], "--call=", 7) == 0 &&
      strncmp(argv[2], "--rounds=", 9) == 0)
    return run_one_call(argv[1] + 7, argv[2] + 9);
  bool is_first = true;
  for (int t = 0; t < TABLES; ++t) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i)
      wanted |= strcmp(argv[i], tables[t].name) == 0;
    if (!wanted)
      continue;
    printf("%s", is_first ? "" : "\n");
    tables[t].print();
    fflush(stdout);
    is_first = false;
  }
  return is_first; // nothing was asked for that there is
}
