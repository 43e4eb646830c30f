// runtime_load_test.c - a service in bad weather: threads run requests on a few
// slots of pools that are kept, and of pools that a cache makes and evicts,
// while waits are interrupted, pools grow, shrink and are reserved from, and
// host allocations and the provider fail at random. Nobody's bytes are ever
// another's, and in the end nothing is lost.
// RUN: %unit/runtime_load_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   runtime_load_test --requests=10000000 --threads=8 --seed=1

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "gmem/runtime.h"
#include "image_tools.h"
#include "random_failures.h"
#include "runtime_tools.h"

enum {
  MAX_THREADS = 64,
  KEPT = 2,      // pools that live as long as the program
  KINDS = 6,     // of pools that come and go
  MAX_SLOTS = 3, // of each
  STEPS = 4,
  WEIGHT = 0,
  INPUT = 3,
  SECRET = 4, // whose bytes no other buffer has
  STATE = 8,
  STATUSES = GMEM_ERR_PARSE + 1,
};

// What the pools of the cache differ in.
typedef struct kind_s {
  uint32_t pool_flags, model_flags;
  bool has_store;
} kind_t;

static const kind_t kinds[KINDS] = {
    {0, 0, false},
    {GMEM_POOL_ZERO_ON_ACQUIRE, GMEM_MODEL_VERIFY, false},
    {GMEM_POOL_ZERO_ON_RELEASE, 0, true},
    {GMEM_POOL_CHECK, 0, false},
    {GMEM_POOL_UNSHARED, GMEM_MODEL_SCATTER, true},
    {GMEM_POOL_CHECK | GMEM_POOL_UNSHARED, 0, false},
};

typedef struct world_s {
  shaky_heap_t heap;
  shaky_provider_t memory;
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_plan_t *plan;
  const uint8_t *weight; // what WEIGHT must be
  gmem_weights_t *weights;
  gmem_model_t *model; // of the pools that are kept
  gmem_pool_t *kept[KEPT];
  gmem_cache_t *cache;
} world_t;

// A thread, and what happened to it.
typedef struct worker_s {
  world_t *it;
  uint64_t random, requests;
  uint64_t kept_outcomes[KEPT][STATUSES]; // of acquires
  uint64_t outcomes[STATUSES];            // of those of pools that come and go
  uint64_t gets[STATUSES];                // of the cache
  uint64_t disturbances, reservations;
  uint64_t foreign; // buffers with bytes of somebody else
  uint64_t unzeroed, unkept, bad_weights, bad_pictures, corrupt, refused;
  pthread_t thread;
} worker_t;

static uint64_t next(worker_t *worker) { return mixed(worker->random++); }

//===--- the world --------------------------------------------------------===//

static gmem_status_t fill(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  memset(dst, (int)id + 1, (size_t)size);
  return GMEM_OK;
}

// What a maker of a pool is told.
typedef struct order_s {
  world_t *it;
  const kind_t *kind;
} order_t;

static gmem_status_t make_model(const order_t *order, gmem_model_t **out) {
  gmem_model_sources_t sources = {
      .struct_size = sizeof sources,
      .flags = order->kind->model_flags,
      .weight = fill,
      .work = fill,
      .weights = order->kind->has_store ? order->it->weights : NULL};
  return gmem_model_create(order->it->plan, &order->it->provider, &sources,
                           &order->it->allocator, out, NULL);
}

static gmem_status_t make_pool(world_t *it, gmem_model_t *model, uint32_t flags,
                               gmem_pool_t **out_pool) {
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .max_slots = MAX_SLOTS,
                                 .flags = flags};
  return gmem_pool_create(model, &it->provider, &options, &it->allocator,
                          out_pool, NULL);
}

static gmem_status_t make_kind(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  order_t *order = user;
  gmem_model_t *model = NULL;
  (void)diag;
  gmem_status_t status = make_model(order, &model);
  if (status == GMEM_OK)
    status = make_pool(order->it, model, order->kind->pool_flags, out_pool);
  gmem_model_release(model);
  return status;
}

static gmem_status_t get_pool(world_t *it, uint32_t kind,
                              gmem_pool_t **out_pool) {
  order_t order = {it, &kinds[kind]};
  return gmem_cache_get(it->cache, &kind, sizeof kind, make_kind, &order,
                        out_pool, NULL);
}

static void load_plan(world_t *it) {
  static full_sample_t parts;
  gmem_plan_desc_t desc = full_desc(&parts);
  it->weight = parts.content;
  it->plan = plan_on(&desc, &it->allocator);
}

static void set_up(world_t *it, uint64_t seed) {
  static const gmem_cache_limits_t limits = {3, 0};
  order_t order = {it, &kinds[0]};
  it->heap.dice.seed = seed;
  it->memory.dice.seed = mixed(seed);
  it->allocator = shaky_allocator(&it->heap);
  CHECK(gmem_provider_mmap(NULL, NULL, &it->memory.inner) == GMEM_OK);
  it->provider = shaky_provider(&it->memory);
  load_plan(it);
  CHECK(gmem_weights_create(&it->provider, 0, &it->allocator, &it->weights,
                            NULL) == GMEM_OK);
  CHECK(gmem_cache_create(&limits, &it->allocator, &it->cache, NULL) ==
        GMEM_OK);
  CHECK(make_model(&order, &it->model) == GMEM_OK);
  for (int i = 0; i < KEPT; ++i)
    CHECK(make_pool(it, it->model, 0, &it->kept[i]) == GMEM_OK);
}

static void tear_down(world_t *it) {
  gmem_cache_destroy(it->cache);
  for (int i = 0; i < KEPT; ++i)
    gmem_pool_release(it->kept[i]);
  gmem_model_release(it->model);
  gmem_weights_release(it->weights);
  gmem_plan_release(it->plan);
  CHECK(atomic_load(&it->memory.live_ranges) == 0);
  CHECK(atomic_load(&it->memory.live_bytes) == 0);
  CHECK(atomic_load(&it->heap.live_blocks) == 0);
  CHECK(atomic_load(&it->heap.live_bytes) == 0);
  gmem_provider_destroy(&it->memory.inner);
}

//===--- a request --------------------------------------------------------===//

static uint8_t *host(worker_t *worker, const gmem_lease_t *lease,
                     gmem_buffer_t id) {
  void *ptr = NULL;
  if (gmem_lease_host(lease, id, &ptr) != GMEM_OK)
    ++worker->refused;
  return ptr;
}

// What nobody else writes.
static uint64_t stamp_of(uint64_t request, gmem_buffer_t id) {
  return mixed(request * SAMPLE_BUFFERS + id);
}

static void write_stamp(uint8_t *bytes, uint64_t size, uint64_t stamp) {
  for (uint64_t i = 0; i < size; i += sizeof stamp)
    memcpy(bytes + i, &stamp, size - i < sizeof stamp ? size - i : 8);
}

static bool has_stamp(const uint8_t *bytes, uint64_t size, uint64_t stamp) {
  for (uint64_t i = 0; i < size; i += sizeof stamp)
    if (memcmp(bytes + i, &stamp, size - i < sizeof stamp ? size - i : 8) != 0)
      return false;
  return true;
}

static bool is_zero(const uint8_t *bytes, uint64_t size) {
  return has_stamp(bytes, size, 0);
}

// Writes what begins to live at |op|, or reads what ends after it.
static void use_buffers(worker_t *worker, const gmem_lease_t *lease,
                        gmem_op_t op, uint64_t request, bool begins) {
  gmem_buffer_info_t info;
  for (gmem_buffer_t id = 0; id < SAMPLE_BUFFERS; ++id) {
    if (gmem_plan_buffer(worker->it->plan, id, &info) != GMEM_OK ||
        info.space < GMEM_SPACE_ACTIVATION || info.parent != GMEM_NONE)
      continue;
    for (uint32_t r = 0; r < info.range_count; ++r) {
      uint64_t stamp = stamp_of(request, id) + r;
      if (begins && info.ranges[r].begin == op)
        write_stamp(host(worker, lease, id), info.payload, stamp);
      if (!begins && info.ranges[r].end == op + 1 &&
          !has_stamp(host(worker, lease, id), info.payload, stamp))
        ++worker->foreign;
    }
  }
}

// STATE is zero at first, or what the last lease of the reservation wrote.
static void use_state(worker_t *worker, const gmem_lease_t *lease,
                      uint64_t *state) {
  uint8_t *bytes = host(worker, lease, STATE);
  if (!has_stamp(bytes, 64, *state))
    ++*(*state ? &worker->unkept : &worker->unzeroed);
  *state = next(worker) | 1;
  write_stamp(bytes, 64, *state);
}

static void look_at_beginning(worker_t *worker, const gmem_lease_t *lease,
                              uint32_t flags) {
  uint32_t zeroing = GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE;
  for (gmem_buffer_t id = INPUT; flags & zeroing && id < STATE; ++id)
    if (!is_zero(host(worker, lease, id), 64))
      ++worker->unzeroed;
  if (!(flags & GMEM_POOL_CHECK) && !is_zero(host(worker, lease, SECRET), 250))
    ++worker->unzeroed;
  if (next(worker) % 16 == 0 &&
      memcmp(host(worker, lease, WEIGHT), worker->it->weight, 1000) != 0)
    ++worker->bad_weights;
}

// Runs the network's steps. |state| is what STATE must be; then what it is.
static void run_lease(worker_t *worker, gmem_lease_t *lease, uint32_t flags,
                      uint64_t *state) {
  uint64_t request = next(worker);
  look_at_beginning(worker, lease, flags);
  use_state(worker, lease, state);
  for (gmem_op_t op = 0; op < STEPS; ++op) {
    gmem_lease_begin_op(lease, op);
    gmem_lease_retain(lease); // by an operation in flight
    use_buffers(worker, lease, op, request, true);
    if (next(worker) % 16 == 0)
      sched_yield(); // others come, and have to wait
    use_buffers(worker, lease, op, request, false);
    gmem_lease_release(lease);
  }
  if (gmem_lease_check(lease, NULL) != GMEM_OK)
    ++worker->corrupt;
}

// Acquires from |pool| and runs. |outcomes| are those of the pool.
static void lease_and_run(worker_t *worker, gmem_pool_t *pool, uint32_t flags,
                          uint64_t *outcomes) {
  static const int64_t timeouts[] = {
      0, 1000, 50000, 50000000, GMEM_WAIT_FOREVER, GMEM_WAIT_FOREVER};
  gmem_lease_t *lease = NULL;
  uint64_t state = 0;
  gmem_status_t status = gmem_lease_acquire(pool, GMEM_NONE, NULL,
                                            timeouts[next(worker) % 6], &lease);
  ++outcomes[status];
  if (lease)
    run_lease(worker, lease, flags, &state);
  gmem_lease_release(lease);
}

//===--- bad weather ------------------------------------------------------===//

// A lease from a reservation never waits, and finds the STATE of the one before
// it. The last may outlive the reservation.
static void reserve_and_run(worker_t *worker, gmem_pool_t *pool, uint32_t flags,
                            uint64_t *outcomes) {
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = NULL;
  uint64_t state = 0;
  uint32_t slots = 1 + (uint32_t)(next(worker) % MAX_SLOTS);
  if (gmem_pool_reserve(pool, slots, &reservation, NULL) != GMEM_OK)
    return;
  ++worker->reservations;
  for (int i = 0; i < 3; ++i) {
    gmem_lease_release(lease);
    if (gmem_lease_acquire(pool, GMEM_NONE, reservation, 0, &lease) != GMEM_OK)
      ++worker->refused;
    else
      ++outcomes[GMEM_OK];
    if (lease)
      run_lease(worker, lease, flags, &state);
  }
  if (next(worker) % 2 == 0) {
    gmem_lease_release(lease);
    lease = NULL;
  }
  gmem_pool_unreserve(reservation);
  gmem_lease_release(lease);
}

static void look_at_pool(worker_t *worker, gmem_pool_t *pool) {
  gmem_pool_stats_t s;
  gmem_pool_stats(pool, &s);
  if (s.slots != s.free + s.reserved + s.leased || s.slots > MAX_SLOTS ||
      (s.waiting > 0 && s.free > 0) || s.bytes_leased > s.bytes_committed)
    ++worker->bad_pictures;
}

static void change_limits(worker_t *worker) {
  gmem_cache_limits_t limits = {1 + (uint32_t)(next(worker) % 4), 0};
  if (next(worker) % 2 == 0)
    limits.bytes = next(worker) % 200000;
  gmem_cache_set_limits(worker->it->cache, &limits);
}

// How often things fail: usually seldom, now and then nearly always or never.
static void change_weather(worker_t *worker) {
  static const unsigned one_in[] = {0, 2, 20, 200, 200, 200};
  atomic_store(&worker->it->heap.dice.one_in, one_in[next(worker) % 6]);
  atomic_store(&worker->it->memory.dice.one_in, one_in[next(worker) % 6]);
}

static void disturb(worker_t *worker, gmem_pool_t *pool, uint32_t flags,
                    uint64_t *outcomes) {
  ++worker->disturbances;
  switch (next(worker) % 10) {
  case 0:
    gmem_pool_interrupt(pool);
    break;
  case 1:
    (void)gmem_pool_trim(pool, next(worker) % 8192);
    break;
  case 2: // as many as there can be, after there was none
    (void)gmem_pool_trim(pool, 0);
    (void)!gmem_pool_populate(pool, MAX_SLOTS, NULL);
    break;
  case 5:
    (void)!gmem_pool_populate(pool, 1 + (uint32_t)(next(worker) % MAX_SLOTS),
                              NULL);
    break;
  case 3:
    change_limits(worker);
    break;
  case 4:
    change_weather(worker);
    break;
  default:
    reserve_and_run(worker, pool, flags, outcomes);
  }
  look_at_pool(worker, pool);
}

//===--- threads ----------------------------------------------------------===//

static void use_pool(worker_t *worker, gmem_pool_t *pool, uint32_t flags,
                     uint64_t *outcomes) {
  enum { CALM = 50 }; // requests between two disturbances
  if (next(worker) % CALM == 0)
    disturb(worker, pool, flags, outcomes);
  lease_and_run(worker, pool, flags, outcomes);
}

static void run_request(worker_t *worker) {
  uint64_t choice = next(worker) % 8;
  if (choice % 2 == 0) {
    uint64_t which = choice / 2 % KEPT;
    use_pool(worker, worker->it->kept[which], 0, worker->kept_outcomes[which]);
    return;
  }
  gmem_pool_t *pool = NULL;
  // Some kinds are in demand, others are not.
  uint32_t kind = (uint32_t)(next(worker) % (1 + next(worker) % KINDS));
  gmem_status_t status = get_pool(worker->it, kind, &pool);
  ++worker->gets[status];
  if (status == GMEM_OK)
    use_pool(worker, pool, kinds[kind].pool_flags, worker->outcomes);
  gmem_pool_release(pool);
}

static void *run_requests(void *context) {
  worker_t *worker = context;
  for (uint64_t i = 0; i < worker->requests; ++i)
    run_request(worker);
  return NULL;
}

// Joins all and adds up what happened to them: all their counters.
static void join_workers(worker_t *workers, uint32_t threads, worker_t *sum) {
  memset(sum, 0, sizeof *sum);
  for (uint32_t t = 0; t < threads; ++t) {
    worker_t *worker = &workers[t];
    pthread_join(worker->thread, NULL);
    for (int s = 0; s < STATUSES; ++s) {
      for (int k = 0; k < KEPT; ++k)
        sum->kept_outcomes[k][s] += worker->kept_outcomes[k][s];
      sum->outcomes[s] += worker->outcomes[s];
      sum->gets[s] += worker->gets[s];
    }
    sum->disturbances += worker->disturbances;
    sum->reservations += worker->reservations;
    sum->foreign += worker->foreign;
    sum->unzeroed += worker->unzeroed;
    sum->unkept += worker->unkept;
    sum->bad_weights += worker->bad_weights;
    sum->bad_pictures += worker->bad_pictures;
    sum->corrupt += worker->corrupt;
    sum->refused += worker->refused;
  }
}

//===--- afterwards -------------------------------------------------------===//

// No slot is lost: those that the pool counts can all be leased at once.
static void check_quiet(gmem_pool_t *pool) {
  gmem_lease_t *leases[MAX_SLOTS] = {0};
  gmem_pool_stats_t s;
  gmem_pool_stats(pool, &s);
  CHECK(s.free == s.slots && s.slots <= MAX_SLOTS);
  CHECK(s.leased == 0 && s.reserved == 0 && s.waiting == 0);
  CHECK(s.bytes_leased == 0 && s.corruptions == 0);
  for (uint32_t i = 0; i < MAX_SLOTS; ++i) // it grows for the rest
    CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &leases[i]) == GMEM_OK);
  for (uint32_t i = 0; i < MAX_SLOTS; ++i)
    gmem_lease_release(leases[i]);
}

static void check_kept(gmem_pool_t *pool, const uint64_t *outcomes) {
  gmem_pool_stats_t s;
  gmem_pool_stats(pool, &s);
  CHECK(s.acquires == outcomes[GMEM_OK]);
  CHECK(s.timeouts == outcomes[GMEM_ERR_TIMEOUT]);
  CHECK(s.cancels == outcomes[GMEM_ERR_CANCELLED]);
  CHECK(s.slots == 1 + s.grows - s.trims);
  check_quiet(pool);
}

static void check_end(world_t *it, const worker_t *sum) {
  gmem_buffer_t bad = 0;
  gmem_pool_t *pool = NULL;
  uint64_t bad_count = 0;
  atomic_store(&it->heap.dice.one_in, 0);
  atomic_store(&it->memory.dice.one_in, 0);
  CHECK(sum->foreign == 0 && sum->unzeroed == 0 && sum->unkept == 0);
  CHECK(sum->bad_weights == 0 && sum->bad_pictures == 0);
  CHECK(sum->corrupt == 0 && sum->refused == 0);
  for (int k = 0; k < KEPT; ++k)
    check_kept(it->kept[k], sum->kept_outcomes[k]);
  for (uint32_t kind = 0; kind < KINDS; ++kind) {
    CHECK(get_pool(it, kind, &pool) == GMEM_OK);
    check_quiet(pool);
    gmem_pool_release(pool);
  }
  CHECK(gmem_model_verify(it->model, &bad, NULL) == GMEM_OK);
  CHECK(gmem_weights_verify(it->weights, &bad_count, NULL) == GMEM_OK);
}

//===--- what happened ----------------------------------------------------===//

static void print_outcomes(const char *title, const uint64_t *outcomes) {
  printf("%-10s", title);
  for (int s = 0; s < STATUSES; ++s)
    if (outcomes[s] > 0)
      printf(" %" PRIu64 " %s", outcomes[s],
             gmem_status_name((gmem_status_t)s) + strlen("GMEM_"));
  printf("\n");
}

static void print_report(world_t *it, const worker_t *sum, uint64_t requests,
                         double seconds) {
  gmem_cache_stats_t c;
  gmem_cache_stats(it->cache, &c);
  printf("%" PRIu64 " requests in %.1f s: %.0f per second\n", requests, seconds,
         (double)requests / seconds);
  for (int k = 0; k < KEPT; ++k) {
    gmem_pool_stats_t s;
    gmem_pool_stats(it->kept[k], &s);
    print_outcomes("kept pool", sum->kept_outcomes[k]);
    printf("           %" PRIu64 " waits, %" PRIu64 " slots mapped, %" PRIu64
           " trimmed, %" PRIu64 " failed\n",
           s.waits, s.grows, s.trims, s.failures);
  }
  print_outcomes("others", sum->outcomes);
  print_outcomes("cache", sum->gets);
  printf("           %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64
         " evictions, %" PRIu64 " not kept\n",
         c.hits, c.misses, c.evictions, c.not_kept);
  printf("weather    %" PRIu64 " disturbances, %" PRIu64
         " reservations, %" PRIuLEAST64 " allocations and %" PRIuLEAST64
         " calls of the provider failed\n",
         sum->disturbances, sum->reservations,
         atomic_load(&it->heap.dice.failures),
         atomic_load(&it->memory.dice.failures));
  printf("wrong      %" PRIu64 " foreign bytes, %" PRIu64
         " not zeroed, %" PRIu64 " states, %" PRIu64 " weights, %" PRIu64
         " counters, %" PRIu64 " corrupt, %" PRIu64 " refused\n",
         sum->foreign, sum->unzeroed, sum->unkept, sum->bad_weights,
         sum->bad_pictures, sum->corrupt, sum->refused);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t argument(int argc, char **argv, const char *name,
                         uint64_t value) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; ++i)
    if (strncmp(argv[i], name, length) == 0)
      value = strtoull(argv[i] + length, NULL, 10);
  return value;
}

int main(int argc, char **argv) {
  static world_t it;
  static worker_t workers[MAX_THREADS], sum;
  uint64_t requests = argument(argc, argv, "--requests=", 100000);
  uint64_t seed = argument(argc, argv, "--seed=", 1);
  uint32_t threads = (uint32_t)argument(argc, argv, "--threads=", 8);
  if (threads < 1 || threads > MAX_THREADS)
    threads = MAX_THREADS;
  alarm(300 + (unsigned)(requests / 1000)); // who hangs has failed
  set_up(&it, seed);
  double start = seconds_now();
  for (uint32_t t = 0; t < threads; ++t) {
    workers[t] = (worker_t){.it = &it,
                            .random = mixed(seed + t + 1),
                            .requests = requests / threads};
    CHECK(pthread_create(&workers[t].thread, NULL, run_requests, &workers[t]) ==
          0);
  }
  join_workers(workers, threads, &sum);
  print_report(&it, &sum, requests / threads * threads, seconds_now() - start);
  check_end(&it, &sum);
  tear_down(&it);
  return CHECK_RESULT();
}
