// runtime_weights_test.c - the store of weights: what has equal keys is filled
// once, shared, sealed and given back.
// RUN: %unit/runtime_weights_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <sched.h>

#include "failing_heap.h"
#include "weight_tools.h"

// Where the store takes and leaves its lock, other threads run at random.
void gmem_test_yield(void);
void gmem_test_yield(void) {
  static atomic_uint threads;
  static _Thread_local uint32_t random;
  if (random == 0)
    random = 0x9E3779B9 * (atomic_fetch_add(&threads, 1) + 1) | 1;
  random = random * 1664525 + 1013904223;
  if (random >> 29 == 0)
    sched_yield();
}

// The system call of this kind that fails: 1 to make a lock, 2 a condition.
static int fail_to_make;

int __real_pthread_mutex_init(pthread_mutex_t *lock,
                              const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *lock,
                              const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *lock,
                              const pthread_mutexattr_t *attributes) {
  return fail_to_make == 1 ? ENOMEM
                           : __real_pthread_mutex_init(lock, attributes);
}

int __real_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes) {
  return fail_to_make == 2 ? ENOMEM
                           : __real_pthread_cond_init(condition, attributes);
}

// A store on a bank.
typedef struct store_s {
  bank_t bank;
  gmem_weights_t *weights;
} store_t;

static void open_store(store_t *store, uint64_t budget, bool seals) {
  gmem_provider_t provider = open_bank(&store->bank, NULL);
  if (!seals)
    provider.seal = NULL;
  store->weights = NULL;
  CHECK(gmem_weights_create(&provider, budget, NULL, &store->weights, NULL) ==
        GMEM_OK);
}

static void close_store(store_t *store) {
  gmem_weights_stats_t stats = weights_stats(store->weights);
  CHECK(stats.bytes == 0 && stats.count == 0);
  gmem_weights_release(store->weights);
  close_bank(&store->bank);
}

static gmem_weight_t *get(store_t *store, const gmem_weight_key_t *key,
                          bytes_t *bytes) {
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_acquire(store->weights, key, fill_bytes, bytes, &weight,
                             NULL) == GMEM_OK);
  return weight;
}

//===--- what is the same -------------------------------------------------===//

static void test_shares_equal_bytes(void) {
  static const char first[] = "some weights", second[] = "some weights";
  store_t store;
  open_store(&store, 0, true);
  bytes_t from_first = {first, sizeof first, GMEM_OK, 0};
  bytes_t from_second = {second, sizeof second, GMEM_OK, 0};
  gmem_weight_key_t key = key_of(first, sizeof first);
  gmem_weight_key_t same = key_of(second, sizeof second);
  gmem_weight_t *one = get(&store, &key, &from_first);
  gmem_weight_t *two = get(&store, &same, &from_second);
  CHECK(one == two && from_first.fills == 1 && from_second.fills == 0);
  CHECK(memcmp(gmem_weight_host(one), first, sizeof first) == 0);
  CHECK(gmem_weight_device(one) == (uint64_t)(uintptr_t)gmem_weight_host(one));
  CHECK(memcmp(gmem_weight_key(one), &key, sizeof key) == 0);
  CHECK(signal_of_write(gmem_weight_host(one)) == SIGSEGV);
  gmem_weights_stats_t stats = weights_stats(store.weights);
  CHECK(stats.count == 1 && stats.asked == 2 && stats.filled == 1 &&
        stats.failures == 0 && stats.bytes == stats.peak &&
        stats.bytes == store.bank.live_bytes);
  gmem_weight_release(one);
  CHECK(store.bank.live == 1);
  gmem_weight_release(two);
  CHECK(store.bank.live == 0);
  CHECK(weights_stats(store.weights).peak == stats.peak);
  gmem_weight_release(get(&store, &key, &from_first)); // it is made anew
  CHECK(from_first.fills == 2);
  close_store(&store);
}

static void test_each_part_of_a_key_counts(void) {
  static const char text[] = "the same source bytes";
  store_t store;
  open_store(&store, 0, true);
  bytes_t bytes = {text, sizeof text, GMEM_OK, 0};
  gmem_weight_key_t keys[5];
  for (int i = 0; i < 5; ++i)
    keys[i] = key_of(text, sizeof text);
  for (int i = 1; i < 5; ++i)
    keys[i].transform = 7; // whose bytes are not those of the digest
  keys[2].size = sizeof text + 1;
  keys[3].align = 1 << 20;
  keys[4].digest[31] ^= 1;
  gmem_weight_t *weights[5];
  for (int i = 0; i < 5; ++i) {
    weights[i] = get(&store, &keys[i], &bytes);
    CHECK(bytes.fills == (unsigned)i + 1);
    CHECK(gmem_weight_device(weights[i]) % keys[i].align == 0);
    for (int j = 0; j < i; ++j)
      CHECK(weights[i] != weights[j]);
  }
  for (int i = 0; i < 5; ++i)
    gmem_weight_release(weights[i]);
  close_store(&store);
}

// More keys than the first table has room for, dropped in another order.
static void test_many_keys(void) {
  enum { KEYS = 1000, STEP = 7 };
  static gmem_weight_t *weights[KEYS];
  store_t store;
  open_store(&store, 0, true);
  bytes_t bytes = {NULL, 4, GMEM_OK, 0};
  for (uint32_t i = 0; i < KEYS; ++i) {
    bytes.bytes = &i;
    gmem_weight_key_t key = key_of(&i, sizeof i);
    weights[i] = get(&store, &key, &bytes);
  }
  for (uint32_t i = 0; i < KEYS; ++i) {
    gmem_weight_key_t key = key_of(&i, sizeof i);
    CHECK(get(&store, &key, &bytes) == weights[i]);
    gmem_weight_release(weights[i]);
  }
  CHECK(bytes.fills == KEYS && weights_stats(store.weights).count == KEYS);
  for (uint32_t i = 0; i < KEYS; ++i)
    gmem_weight_release(weights[i * STEP % KEYS]);
  close_store(&store);
}

// So many transforms, sizes and alignments of one source that some of them
// must lie together in the table.
static void test_many_keys_of_one_source(void) {
  enum { KEYS = 200, PARTS = 3 };
  static gmem_weight_t *weights[KEYS];
  for (int part = 0; part < PARTS; ++part) {
    store_t store;
    open_store(&store, 0, true);
    bytes_t bytes = {"source", 6, GMEM_OK, 0};
    for (uint32_t i = 0; i < KEYS; ++i) {
      gmem_weight_key_t key = {.transform = 1, .size = 1, .align = 1};
      key.transform += part == 0 ? i : 0;
      key.size += part == 1 ? i : 0;
      key.align <<= part == 2 ? i % 20 : 0;
      weights[i] = get(&store, &key, &bytes);
      CHECK(memcmp(gmem_weight_key(weights[i]), &key, sizeof key) == 0);
    }
    CHECK(bytes.fills == (part == 2 ? 20 : KEYS));
    for (uint32_t i = 0; i < KEYS; ++i)
      gmem_weight_release(weights[i]);
    close_store(&store);
  }
}

//===--- many threads -----------------------------------------------------===//

// All ask for one key while it is being filled.
typedef struct crowd_s {
  store_t store;
  bytes_t bytes;
  gmem_weight_key_t key;
  uint64_t expected; // asks that have come before the filling ends
  gmem_weight_t *weight[MAX_THREADS];
  gmem_status_t status[MAX_THREADS];
  gmem_diag_t diag[MAX_THREADS];
  atomic_uint next;
} crowd_t;

static gmem_status_t fill_when_all_wait(void *user,
                                        const gmem_weight_key_t *key, void *dst,
                                        gmem_diag_t *diag) {
  crowd_t *crowd = user;
  while (weights_stats(crowd->store.weights).asked < crowd->expected)
    sched_yield();
  if (crowd->bytes.status != GMEM_OK) {
    diag->status = crowd->bytes.status;
    diag->object = 4711;
    strcpy(diag->text, "no such luck");
  }
  return fill_bytes(&crowd->bytes, key, dst, diag);
}

static void *ask_in_crowd(void *context) {
  crowd_t *crowd = context;
  unsigned i = atomic_fetch_add(&crowd->next, 1);
  crowd->status[i] = gmem_weights_acquire(crowd->store.weights, &crowd->key,
                                          fill_when_all_wait, crowd,
                                          &crowd->weight[i], &crowd->diag[i]);
  return NULL;
}

static void test_fills_once_for_many_threads(void) {
  static const char text[] = "wanted by all";
  static crowd_t crowd;
  open_store(&crowd.store, 0, true);
  crowd.key = key_of(text, sizeof text);
  crowd.bytes = (bytes_t){text, sizeof text, GMEM_ERR_BUSY, 0};
  crowd.expected = MAX_THREADS;
  run_threads(MAX_THREADS, ask_in_crowd, &crowd);
  CHECK(crowd.bytes.fills == 1);
  for (unsigned i = 0; i < MAX_THREADS; ++i)
    CHECK(crowd.status[i] == GMEM_ERR_BUSY && !crowd.weight[i] &&
          crowd.diag[i].object == 4711 &&
          crowd.diag[i].status == GMEM_ERR_BUSY &&
          strcmp(crowd.diag[i].text, "no such luck") == 0);
  gmem_weights_stats_t stats = weights_stats(crowd.store.weights);
  CHECK(stats.count == 0 && stats.bytes == 0 && stats.failures == MAX_THREADS &&
        stats.filled == 1 && crowd.store.bank.live == 0);
  // A failure is not remembered: the next ask fills again.
  crowd.bytes.status = GMEM_OK;
  crowd.expected += MAX_THREADS;
  crowd.next = 0;
  run_threads(MAX_THREADS, ask_in_crowd, &crowd);
  CHECK(crowd.bytes.fills == 2 && crowd.store.bank.live == 1);
  for (unsigned i = 0; i < MAX_THREADS; ++i) {
    CHECK(crowd.status[i] == GMEM_OK && crowd.weight[i] &&
          crowd.weight[i] == crowd.weight[0]);
    gmem_weight_release(crowd.weight[i]);
  }
  close_store(&crowd.store);
}

// Two fills that wait for each other: a lock held by one would stop the other.
typedef struct meeting_s {
  store_t store;
  pthread_barrier_t barrier;
  atomic_uint next;
} meeting_t;

static gmem_status_t fill_together(void *user, const gmem_weight_key_t *key,
                                   void *dst, gmem_diag_t *diag) {
  (void)diag;
  pthread_barrier_wait(&((meeting_t *)user)->barrier);
  memset(dst, 1, (size_t)key->size);
  return GMEM_OK;
}

static void *meet(void *context) {
  meeting_t *meeting = context;
  gmem_weight_key_t key = {.transform = 1 + atomic_fetch_add(&meeting->next, 1),
                           .size = 100,
                           .align = 1};
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_acquire(meeting->store.weights, &key, fill_together,
                             meeting, &weight, NULL) == GMEM_OK);
  gmem_weight_release(weight);
  return NULL;
}

static void test_fills_of_two_keys_at_once(void) {
  meeting_t meeting = {.next = 0};
  open_store(&meeting.store, 0, true);
  pthread_barrier_init(&meeting.barrier, NULL, 2);
  run_threads(2, meet, &meeting);
  pthread_barrier_destroy(&meeting.barrier);
  close_store(&meeting.store);
}

// An allocator that lets nobody go on before two want memory of at least
// |meet| bytes: both have then seen the same.
typedef struct twins_s {
  pthread_mutex_t lock;
  heap_t heap;
  pthread_barrier_t barrier;
  size_t meet;  // 0: never
  size_t asked; // bytes, of the last time
  atomic_uint next;
  gmem_weights_t *weights;
} twins_t;

static void *alloc_as_twins(void *user, size_t size, size_t align) {
  twins_t *twins = user;
  if (twins->meet && size >= twins->meet)
    pthread_barrier_wait(&twins->barrier);
  pthread_mutex_lock(&twins->lock);
  twins->asked = size;
  void *memory = heap_alloc(&twins->heap, size, align);
  pthread_mutex_unlock(&twins->lock);
  return memory;
}

static void free_as_twins(void *user, void *memory, size_t size, size_t align) {
  twins_t *twins = user;
  pthread_mutex_lock(&twins->lock);
  heap_free(&twins->heap, memory, size, align);
  pthread_mutex_unlock(&twins->lock);
}

static void *ask_as_twin(void *context) {
  twins_t *twins = context;
  bytes_t bytes = {"twin", 4, GMEM_OK, 0};
  gmem_weight_key_t key = key_of("twin", 4);
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_acquire(twins->weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  pthread_barrier_wait(&twins->barrier); // both have it
  gmem_weight_release(weight);
  return NULL;
}

static void open_twins(twins_t *twins, const gmem_provider_t *provider) {
  gmem_allocator_t allocator = {twins, alloc_as_twins, free_as_twins};
  pthread_mutex_init(&twins->lock, NULL);
  pthread_barrier_init(&twins->barrier, NULL, 2);
  CHECK(gmem_weights_create(provider, 0, &allocator, &twins->weights, NULL) ==
        GMEM_OK);
}

static void close_twins(twins_t *twins) {
  gmem_weights_release(twins->weights);
  CHECK(twins->heap.live_blocks == 0);
  pthread_barrier_destroy(&twins->barrier);
  pthread_mutex_destroy(&twins->lock);
}

static void test_two_that_both_see_none(void) {
  twins_t twins = {.meet = 0};
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  open_twins(&twins, &provider);
  twins.meet = 1;
  run_threads(2, ask_as_twin, &twins);
  gmem_weights_stats_t stats = weights_stats(twins.weights);
  CHECK(stats.asked == 2 && stats.filled == 1 && bank.acquires == 1);
  close_twins(&twins);
  close_bank(&bank);
}

static gmem_weight_t *get_number(twins_t *twins, uint32_t number) {
  gmem_weight_t *weight = NULL;
  bytes_t bytes = {&number, sizeof number, GMEM_OK, 0};
  gmem_weight_key_t key = key_of(&number, sizeof number);
  CHECK(gmem_weights_acquire(twins->weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  return weight;
}

static void *add_as_twin(void *context) {
  twins_t *twins = context;
  return get_number(twins, atomic_fetch_add(&twins->next, 1));
}

// Both see that the table is full, and both have a larger one.
static void test_two_that_both_grow(void) {
  enum { MANY = 64, TABLE = 125 * sizeof(void *) }; // below 2 * 64 pointers
  twins_t twins = {.meet = 0};
  bank_t bank;
  pthread_t threads[2];
  void *weights[MANY + 2];
  gmem_provider_t provider = open_bank(&bank, NULL);
  open_twins(&twins, &provider);
  while (twins.next < MANY)
    weights[twins.next] = get_number(&twins, twins.next), ++twins.next;
  CHECK(twins.asked < TABLE); // of a weight
  twins.meet = TABLE;         // of twice the buckets
  for (int i = 0; i < 2; ++i)
    CHECK(pthread_create(&threads[i], NULL, add_as_twin, &twins) == 0);
  for (int i = 0; i < 2; ++i)
    CHECK(pthread_join(threads[i], &weights[MANY + i]) == 0);
  CHECK(twins.asked >= TABLE);
  for (uint32_t i = 0; i < MANY + 2; ++i) // all are still to be found
    gmem_weight_release(get_number(&twins, i));
  CHECK(bank.acquires == MANY + 2);
  for (uint32_t i = 0; i < MANY + 2; ++i)
    gmem_weight_release(weights[i]);
  close_twins(&twins);
  close_bank(&bank);
}

static gmem_status_t fill_of_another(void *user, const gmem_weight_key_t *key,
                                     void *dst, gmem_diag_t *diag) {
  store_t *store = user;
  gmem_weight_t *other = NULL;
  bytes_t bytes = {"base", 4, GMEM_OK, 0};
  gmem_weight_key_t other_key = key_of("base", 4);
  // Its own is what it must not ask for.
  CHECK(gmem_weights_acquire(store->weights, key, fill_bytes, &bytes, &other,
                             diag) == GMEM_ERR_STATE);
  CHECK(!other && bytes.fills == 0);
  gmem_status_t status = gmem_weights_acquire(store->weights, &other_key,
                                              fill_bytes, &bytes, &other, diag);
  if (status != GMEM_OK)
    return status;
  memcpy(dst, gmem_weight_host(other), 4);
  gmem_weight_release(other);
  return GMEM_OK;
}

static void test_fill_that_asks_for_another(void) {
  store_t store;
  open_store(&store, 0, true);
  gmem_weight_key_t key = {.transform = 3, .size = 4, .align = 1};
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_acquire(store.weights, &key, fill_of_another, &store,
                             &weight, NULL) == GMEM_OK);
  CHECK(memcmp(gmem_weight_host(weight), "base", 4) == 0);
  CHECK(store.bank.live == 1);
  gmem_weight_release(weight);
  close_store(&store);
}

// Threads that come and go with few keys, fills that fail, and somebody who
// verifies: at the end nothing is left.
typedef struct traffic_s {
  store_t store;
  unsigned rounds;
  atomic_uint next, failed;
} traffic_t;

static gmem_status_t fill_or_fail(void *user, const gmem_weight_key_t *key,
                                  void *dst, gmem_diag_t *diag) {
  traffic_t *traffic = user;
  (void)diag;
  memset(dst, (int)key->transform, (size_t)key->size);
  if (atomic_fetch_add(&traffic->next, 1) % 5 != 0)
    return GMEM_OK;
  return GMEM_ERR_IO;
}

static void *come_and_go(void *context) {
  enum { KEYS = 4 };
  traffic_t *traffic = context;
  uint32_t random = atomic_fetch_add(&traffic->next, 1) * 2654435761u;
  for (unsigned i = 0; i < traffic->rounds; ++i) {
    random = random * 1664525 + 1013904223;
    gmem_weight_key_t key = {
        .transform = 1 + random / 65536 % KEYS, .size = 5000, .align = 1};
    gmem_weight_t *weight = NULL;
    gmem_status_t status = gmem_weights_acquire(
        traffic->store.weights, &key, fill_or_fail, traffic, &weight, NULL);
    CHECK(status == GMEM_OK ? weight != NULL : status == GMEM_ERR_IO);
    atomic_fetch_add(&traffic->failed, status != GMEM_OK);
    uint64_t bad = 1;
    if (i % 16 == 0)
      CHECK(gmem_weights_verify(traffic->store.weights, &bad, NULL) ==
                GMEM_OK &&
            bad == 0);
    if (weight) {
      const uint8_t *host = gmem_weight_host(weight);
      CHECK(host[0] == key.transform && host[4999] == key.transform);
    }
    gmem_weight_release(weight);
  }
  return NULL;
}

static void test_traffic(unsigned rounds) {
  traffic_t traffic = {.rounds = rounds};
  open_store(&traffic.store, 0, true);
  run_threads(8, come_and_go, &traffic);
  gmem_weights_stats_t stats = weights_stats(traffic.store.weights);
  CHECK(stats.asked == 8u * rounds && stats.failures == traffic.failed &&
        stats.failures > 0 && stats.filled <= stats.asked);
  close_store(&traffic.store);
}

//===--- transforms -------------------------------------------------------===//

// Reverses the bytes of the source and counts.
static gmem_status_t reverse(void *user, const gmem_weight_t *source,
                             const gmem_weight_key_t *key, void *dst,
                             gmem_diag_t *diag) {
  (void)diag;
  const char *bytes = gmem_weight_host(source);
  for (uint64_t i = 0; i < key->size; ++i)
    ((char *)dst)[i] = bytes[gmem_weight_key(source)->size - 1 - i];
  ++*(unsigned *)user;
  return GMEM_OK;
}

static gmem_weight_t *reversed(store_t *store, const gmem_weight_t *source,
                               uint64_t transform, unsigned *count) {
  gmem_weight_t *weight = NULL;
  CHECK(gmem_weights_transform(store->weights, source, transform, 4, 64,
                               reverse, count, &weight, NULL) == GMEM_OK);
  return weight;
}

static void test_chains_of_transforms(void) {
  store_t store;
  open_store(&store, 0, true);
  bytes_t bytes = {"abcd", 4, GMEM_OK, 0};
  gmem_weight_key_t key = key_of("abcd", 4);
  gmem_weight_t *a = get(&store, &key, &bytes);
  unsigned made = 0;
  gmem_weight_t *b = reversed(&store, a, 1, &made);
  gmem_weight_t *c = reversed(&store, b, 2, &made);
  CHECK(made == 2 && store.bank.live == 3);
  CHECK(memcmp(gmem_weight_host(b), "dcba", 4) == 0 &&
        memcmp(gmem_weight_host(c), "abcd", 4) == 0);
  // Another user goes the same way, and makes nothing.
  gmem_weight_t *b2 = reversed(&store, a, 1, &made);
  gmem_weight_t *c2 = reversed(&store, b2, 2, &made);
  CHECK(made == 2 && b2 == b && c2 == c);
  // The same last step of another source, or another first step, is another.
  gmem_weight_t *d = reversed(&store, a, 2, &made);
  gmem_weight_t *e = reversed(&store, d, 2, &made);
  CHECK(made == 4 && d != c && e != c);
  gmem_weight_release(a); // what is made of it stays
  gmem_weight_release(b);
  gmem_weight_release(b2);
  gmem_weight_release(d);
  gmem_weight_release(e);
  CHECK(store.bank.live == 1 && memcmp(gmem_weight_host(c), "abcd", 4) == 0);
  gmem_weight_release(c);
  gmem_weight_release(c2);
  close_store(&store);
}

// Keys can be made offline: their digests are what the header says.
static void test_keys_after_transforms(void) {
  gmem_weight_key_t source = key_of("abcd", 4);
  gmem_weight_key_t once = gmem_weight_key_after(&source, 5, 100, 64);
  CHECK(once.transform == 5 && once.size == 100 && once.align == 64);
  CHECK(memcmp(once.digest, source.digest, sizeof once.digest) == 0);
  once.transform = 0x0102;
  once.size = 0x030405;
  uint8_t text[48] = {0}, digest[32];
  memcpy(text, source.digest, 32);
  memcpy(text + 32, "\x02\x01", 2);
  memcpy(text + 40, "\x05\x04\x03", 3);
  gmem_sha256(text, sizeof text, digest);
  gmem_weight_key_t twice = gmem_weight_key_after(&once, 6, 1, 1);
  CHECK(twice.transform == 6 && memcmp(twice.digest, digest, 32) == 0);
  once.align = 1; // the bytes are the same at any address
  gmem_weight_key_t other = gmem_weight_key_after(&once, 6, 1, 1);
  CHECK(memcmp(other.digest, digest, 32) == 0);
}

//===--- limits and failures ----------------------------------------------===//

static void test_budget(void) {
  static const char text[] = "x";
  store_t store;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  open_store(&store, 3 * page, true);
  bytes_t bytes = {text, 1, GMEM_OK, 0};
  gmem_weight_t *weights[3], *more = NULL;
  gmem_weight_key_t key = {.size = page, .align = 1};
  for (int i = 0; i < 3; ++i) {
    key.transform = 1 + (uint64_t)i;
    weights[i] = get(&store, &key, &bytes);
  }
  key.transform = 4;
  gmem_diag_t diag = {.text = ""};
  unsigned acquires = store.bank.acquires;
  CHECK(gmem_weights_acquire(store.weights, &key, fill_bytes, &bytes, &more,
                             &diag) == GMEM_ERR_OVER_BUDGET);
  CHECK(!more && diag.status == GMEM_ERR_OVER_BUDGET &&
        strstr(diag.text, "budget") && bytes.fills == 3 &&
        store.bank.acquires == acquires);
  gmem_weight_release(weights[1]);
  // What counts is what the provider really gives.
  store.bank.extra = page;
  CHECK(gmem_weights_acquire(store.weights, &key, fill_bytes, &bytes, &more,
                             NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(store.bank.live == 2 && weights_stats(store.weights).bytes == 2 * page);
  store.bank.extra = 0;
  more = get(&store, &key, &bytes);
  CHECK(weights_stats(store.weights).bytes == 3 * page &&
        weights_stats(store.weights).peak == 3 * page);
  gmem_weight_release(more);
  gmem_weight_release(weights[0]);
  gmem_weight_release(weights[2]);
  close_store(&store);
}

// What a provider or a function does wrong, and what they do not say.
static void test_broken_word(void) {
  static const char text[] = "right", wrong[] = "wrong";
  store_t store;
  open_store(&store, 0, true);
  gmem_weight_t *weight = NULL;
  gmem_diag_t diag = {.text = ""};
  gmem_weight_key_t key = key_of(text, sizeof text);
  bytes_t bytes = {wrong, sizeof wrong, GMEM_OK, 0};
  CHECK(gmem_weights_acquire(store.weights, &key, fill_bytes, &bytes, &weight,
                             &diag) == GMEM_ERR_CORRUPT);
  CHECK(!weight && diag.status == GMEM_ERR_CORRUPT);
  bytes = (bytes_t){text, sizeof text, GMEM_ERR_TIMEOUT, 0};
  CHECK(gmem_weights_acquire(store.weights, &key, fill_bytes, &bytes, &weight,
                             &diag) == GMEM_ERR_TIMEOUT);
  CHECK(!weight && diag.status == GMEM_ERR_TIMEOUT && diag.text[0]);
  bytes.status = GMEM_OK;
  store.bank.wrong_place = true;
  CHECK(gmem_weights_acquire(store.weights, &key, fill_bytes, &bytes, &weight,
                             &diag) == GMEM_ERR_ALIGNMENT);
  store.bank.wrong_place = false;
  CHECK(bytes.fills == 1 && store.bank.live == 0);
  gmem_weight_release(get(&store, &key, &bytes));
  close_store(&store);
}

static gmem_status_t blind_acquire(void *user, uint64_t size, uint64_t align,
                                   uint64_t fixed_device, uint32_t flags,
                                   gmem_range_t *out_range, gmem_diag_t *diag) {
  (void)align, (void)fixed_device, (void)flags, (void)diag;
  *out_range = (gmem_range_t){.device = 1 << 20, .size = size - (user != NULL)};
  return GMEM_OK;
}

static void blind_release(void *user, const gmem_range_t *range) {
  (void)user, (void)range;
}

static void test_memory_without_host_address(void) {
  gmem_provider_t blind = {
      .granularity = 1, .acquire = blind_acquire, .release = blind_release};
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight = NULL;
  gmem_weight_key_t key = key_of("a", 1);
  bytes_t bytes = {"a", 1, GMEM_OK, 0};
  CHECK(gmem_weights_create(&blind, 0, NULL, &weights, NULL) == GMEM_OK);
  CHECK(gmem_weights_acquire(weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_ERR_UNSUPPORTED);
  CHECK(bytes.fills == 0 && weights_stats(weights).filled == 0 && !weight);
  gmem_weights_release(weights);
  blind.user = &blind; // now it also gives a byte too few
  CHECK(gmem_weights_create(&blind, 0, NULL, &weights, NULL) == GMEM_OK);
  CHECK(gmem_weights_acquire(weights, &key, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_ERR_TOO_SMALL &&
        !weight);
  gmem_weights_release(weights);
}

// Fails each call of the provider once.
static void test_provider_failures(void) {
  static const char text[] = "text";
  unsigned failures = 0;
  for (unsigned k = 1;; ++k) {
    store_t store;
    open_store(&store, 0, true);
    bytes_t bytes = {text, sizeof text, GMEM_OK, 0};
    gmem_weight_key_t key = key_of(text, sizeof text);
    gmem_weight_t *weight = NULL;
    store.bank.fail_at = k;
    gmem_status_t status = gmem_weights_acquire(store.weights, &key, fill_bytes,
                                                &bytes, &weight, NULL);
    if (status != GMEM_OK) {
      ++failures;
      CHECK(!weight && store.bank.live == 0 &&
            weights_stats(store.weights).bytes == 0 &&
            weights_stats(store.weights).count == 0);
      CHECK(status == GMEM_ERR_OUT_OF_MEMORY || status == GMEM_ERR_IO);
      weight = get(&store, &key, &bytes);
    }
    gmem_weight_release(weight);
    close_store(&store);
    if (status == GMEM_OK)
      break;
  }
  CHECK(failures == 3); // acquire, sync, seal
}

// Makes a store and so many weights that its table grows. Returns the first
// failure.
static gmem_status_t use_store(const gmem_provider_t *provider,
                               const gmem_allocator_t *allocator) {
  enum { KEYS = 70 };
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight[KEYS];
  gmem_status_t status =
      gmem_weights_create(provider, 0, allocator, &weights, NULL);
  CHECK((status == GMEM_OK) == (weights != NULL));
  uint32_t made = 0;
  for (; status == GMEM_OK && made < KEYS; ++made) {
    bytes_t bytes = {&made, sizeof made, GMEM_OK, 0};
    gmem_weight_key_t key = key_of(&made, sizeof made);
    status = gmem_weights_acquire(weights, &key, fill_bytes, &bytes,
                                  &weight[made], NULL);
    CHECK((status == GMEM_OK) == (weight[made] != NULL));
  }
  for (uint32_t i = 0; weights && i < made; ++i)
    gmem_weight_release(weight[i]);
  gmem_weights_release(weights);
  return status;
}

static void test_host_allocation_failures(void) {
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  unsigned failures = 0;
  for (size_t k = 1;; ++k) {
    heap_t heap = {.fail_at = k};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    gmem_status_t status = use_store(&provider, &allocator);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0 && bank.live == 0);
    failures += status != GMEM_OK;
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    if (k > heap.calls)
      break;
  }
  // The store, its table and 70 weights; growing the table is no need.
  CHECK(failures == 72);
  close_bank(&bank);
}

static void test_locks_that_cannot_be(void) {
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  heap_t heap = {.fail_at = 0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  for (fail_to_make = 1; fail_to_make <= 2; ++fail_to_make) {
    gmem_weights_t *weights = (gmem_weights_t *)&bank;
    CHECK(gmem_weights_create(&provider, 0, &allocator, &weights, NULL) ==
              GMEM_ERR_OUT_OF_MEMORY &&
          !weights && heap.live_blocks == 0);
  }
  fail_to_make = 0;
  close_bank(&bank);
}

static void test_arguments(void) {
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL), broken = provider;
  gmem_weights_t *weights = (gmem_weights_t *)&bank;
  const gmem_status_t invalid = GMEM_ERR_INVALID_ARGUMENT;
  broken.granularity = 3;
  CHECK(gmem_weights_create(&broken, 0, NULL, &weights, NULL) == invalid &&
        !weights);
  CHECK(gmem_weights_create(NULL, 0, NULL, &weights, NULL) == invalid);
  CHECK(gmem_weights_create(&provider, 0, NULL, NULL, NULL) == invalid);
  CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
  bytes_t bytes = {"a", 1, GMEM_OK, 0};
  const gmem_weight_key_t good = key_of("a", 1);
  gmem_weight_key_t bad[4] = {good, good, good, good};
  bad[0].size = 0;
  bad[1].align = 0;
  bad[2].align = 6;
  bad[3].size = UINT64_MAX;
  gmem_weight_t *weight = (gmem_weight_t *)&bank;
  for (int i = 0; i < 4; ++i) {
    CHECK(gmem_weights_acquire(weights, &bad[i], fill_bytes, &bytes, &weight,
                               NULL) == invalid &&
          !weight);
    CHECK(gmem_weights_import(weights, &bad[i], 0, &weight, NULL) == invalid);
  }
  CHECK(gmem_weights_acquire(NULL, &good, fill_bytes, &bytes, &weight, NULL) ==
        invalid);
  CHECK(gmem_weights_acquire(weights, NULL, fill_bytes, &bytes, &weight,
                             NULL) == invalid);
  CHECK(gmem_weights_acquire(weights, &good, NULL, &bytes, &weight, NULL) ==
        invalid);
  CHECK(gmem_weights_acquire(weights, &good, fill_bytes, &bytes, NULL, NULL) ==
        invalid);
  CHECK(gmem_weights_acquire(weights, &good, fill_bytes, &bytes, &weight,
                             NULL) == GMEM_OK);
  gmem_weight_t *result = weight;
  unsigned count = 0;
  CHECK(gmem_weights_transform(weights, weight, 0, 1, 1, reverse, &count,
                               &result, NULL) == invalid &&
        !result);
  CHECK(gmem_weights_transform(weights, NULL, 1, 1, 1, reverse, &count, &result,
                               NULL) == invalid);
  CHECK(gmem_weights_transform(weights, weight, 1, 0, 1, reverse, &count,
                               &result, NULL) == invalid);
  CHECK(gmem_weights_transform(weights, weight, 1, 1, 1, NULL, &count, &result,
                               NULL) == invalid);
  CHECK(gmem_weights_verify(weights, NULL, NULL) == invalid);
  CHECK(weights_stats(weights).asked == 1 && count == 0);
  gmem_weight_release(NULL);
  gmem_weights_release(NULL);
  gmem_weights_retain(weights);
  gmem_weights_release(weights);
  gmem_weights_release(weights);
  CHECK(memcmp(gmem_weight_host(weight), "a", 1) == 0); // it keeps the store
  gmem_weight_release(weight);
  close_bank(&bank);
}

//===--- looking after it -------------------------------------------------===//

static void test_verify(void) {
  store_t store;
  open_store(&store, 0, false); // what is not sealed can be damaged
  gmem_weight_t *weights[3];
  bytes_t bytes = {"abcd", 4, GMEM_OK, 0};
  gmem_weight_key_t key = key_of("abcd", 4);
  unsigned made = 0;
  uint64_t bad = 7;
  CHECK(gmem_weights_verify(store.weights, &bad, NULL) == GMEM_OK && bad == 0);
  weights[0] = get(&store, &key, &bytes);
  weights[1] = reversed(&store, weights[0], 1, &made);
  weights[2] = reversed(&store, weights[0], 2, &made);
  CHECK(gmem_weights_verify(store.weights, &bad, NULL) == GMEM_OK && bad == 0);
  gmem_diag_t diag = {.text = ""};
  for (unsigned i = 0; i < 3; ++i) {
    char *byte = (char *)(uintptr_t)gmem_weight_host(weights[i]) + i;
    *byte ^= 0x10; // one bit of the source, or of what was made of it
    CHECK(gmem_weights_verify(store.weights, &bad, &diag) == GMEM_ERR_CORRUPT &&
          bad == i + 1 && diag.status == GMEM_ERR_CORRUPT);
  }
  for (unsigned i = 0; i < 3; ++i)
    gmem_weight_release(weights[i]);
  CHECK(gmem_weights_verify(store.weights, &bad, NULL) == GMEM_OK && bad == 0);
  close_store(&store);
}

// What sealing leaves of a range.
typedef enum sealed_e { HIDDEN, MOVED, CUT } sealed_t;

static gmem_status_t odd_seal(void *user, gmem_range_t *range,
                              gmem_diag_t *diag) {
  const bank_t *bank = (const bank_t *)user;
  (void)diag;
  switch ((sealed_t)bank->extra) {
  case HIDDEN:
    range->host = NULL;
    break;
  case MOVED:
    range->device += 8;
    break;
  case CUT:
    range->size = 1;
    break;
  }
  return GMEM_OK;
}

static void odd_release(void *user, const gmem_range_t *range) {
  atomic_fetch_sub(&((bank_t *)user)->live, 1);
  free((void *)(uintptr_t)range->token);
}

static gmem_status_t odd_acquire(void *user, uint64_t size, uint64_t align,
                                 uint64_t fixed_device, uint32_t flags,
                                 gmem_range_t *out_range, gmem_diag_t *diag) {
  (void)fixed_device, (void)flags, (void)diag;
  void *memory = NULL;
  if (posix_memalign(&memory, (size_t)align, (size_t)size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(memory, 0, (size_t)size);
  atomic_fetch_add(&((bank_t *)user)->live, 1);
  uint64_t address = (uint64_t)(uintptr_t)memory;
  *out_range = (gmem_range_t){memory, address, size, address};
  return GMEM_OK;
}

// Sealed memory that the CPU cannot see any more was hashed nevertheless, at
// NULL, and what sealing made of a range was believed.
static void test_ranges_that_sealing_changes(void) {
  static const gmem_status_t expected[] = {GMEM_OK, GMEM_ERR_ALIGNMENT,
                                           GMEM_ERR_TOO_SMALL};
  for (int how = HIDDEN; how <= CUT; ++how) {
    bank_t bank = {.extra = (uint64_t)how};
    gmem_provider_t provider = {.user = &bank,
                                .granularity = 64,
                                .acquire = odd_acquire,
                                .release = odd_release,
                                .seal = odd_seal};
    gmem_weights_t *weights = NULL;
    gmem_weight_t *weight = NULL;
    gmem_weight_key_t key = key_of("abcd", 4);
    bytes_t bytes = {"abcd", 4, GMEM_OK, 0};
    gmem_diag_t diag = {.text = ""};
    uint64_t bad = 7;
    CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
    CHECK(gmem_weights_acquire(weights, &key, fill_bytes, &bytes, &weight,
                               NULL) == expected[how]);
    CHECK((weight != NULL) == (how == HIDDEN));
    if (weight) {
      CHECK(!gmem_weight_host(weight) && gmem_weight_device(weight) != 0);
      CHECK(gmem_weights_verify(weights, &bad, &diag) == GMEM_ERR_UNSUPPORTED);
      CHECK(bad == 0 && diag.status == GMEM_ERR_UNSUPPORTED);
    }
    gmem_weight_release(weight);
    CHECK(weights_stats(weights).bytes == 0);
    gmem_weights_release(weights);
    CHECK(bank.live == 0);
  }
}

int main(int argc, char **argv) {
  alarm(300); // a lock that is held too long hangs
  test_shares_equal_bytes();
  test_each_part_of_a_key_counts();
  test_many_keys();
  test_many_keys_of_one_source();
  test_fills_once_for_many_threads();
  test_fills_of_two_keys_at_once();
  test_two_that_both_see_none();
  test_two_that_both_grow();
  test_fill_that_asks_for_another();
  test_traffic(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000);
  test_chains_of_transforms();
  test_keys_after_transforms();
  test_budget();
  test_broken_word();
  test_ranges_that_sealing_changes();
  test_memory_without_host_address();
  test_provider_failures();
  test_host_allocation_failures();
  test_locks_that_cannot_be();
  test_arguments();
  test_verify();
  return CHECK_RESULT();
}
