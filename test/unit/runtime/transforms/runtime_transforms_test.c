// runtime_transforms_test.c - models whose weights are made by named functions:
// once for all that share a store, by the chain that the plan states.
// RUN: %unit/runtime_transforms_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "failing_heap.h"
#include "gmem/transforms.h"
#include "weight_tools.h"

#define OK(call) CHECK((call) == GMEM_OK)

enum { PLAIN, MADE, TABLE, X, BUFFERS };
enum { SOURCE = 24, RESULT = 48 };

static gmem_diag_t diag;

//===--- plans ------------------------------------------------------------===//

static void put_source(uint8_t *dst, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    dst[i] = (uint8_t)(7 * i + 1);
}

// A plan with a plain weight, one made by the |count| transforms at |steps|,
// and shared work in a region of its own. The source has |source| bytes.
static gmem_plan_t *plan_of(const gmem_plan_transform_t *steps, uint32_t count,
                            uint64_t source) {
  static const gmem_op_range_t whole = {0, 1};
  const gmem_region_info_t regions[] = {
      {"weights", GMEM_SPACE_WEIGHT, 0, 256, 64},
      {"work", GMEM_SPACE_SHARED_WORK, 4096, 64, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, 8192, 64, 64}};
  gmem_buffer_info_t buffers[] = {
      [PLAIN] = {.name = "plain", .size = 16, .payload = 16},
      [MADE] = {.name = "made", .offset = 64, .size = 64, .payload = RESULT},
      [TABLE] = {.name = "table",
                 .size = 8,
                 .payload = 8,
                 .region = 1,
                 .space = GMEM_SPACE_SHARED_WORK},
      [X] = {.name = "x",
             .size = 64,
             .payload = 64,
             .region = 2,
             .space = GMEM_SPACE_ACTIVATION,
             .ranges = &whole,
             .range_count = 1}};
  for (int i = 0; i < BUFFERS; ++i) {
    buffers[i].align = 64;
    buffers[i].parent = GMEM_NONE;
    buffers[i].threads = 1;
  }
  gmem_weight_info_t weights[] = {{.buffer = PLAIN, .source_size = 16},
                                  {.buffer = MADE, .source_size = source}};
  uint8_t bytes[SOURCE];
  put_source(bytes, sizeof bytes);
  gmem_sha256(bytes, 16, weights[0].digest);
  gmem_sha256(bytes, (size_t)source, weights[1].digest);
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 3,
                           .buffers = buffers,
                           .buffer_count = BUFFERS,
                           .op_count = 1,
                           .weights = weights,
                           .weight_count = 2,
                           .transforms = steps,
                           .transform_count = count};
  if (count == 0)
    weights[1].transform = 5; // a number of the program's own
  void *data = NULL;
  size_t size = 0;
  gmem_plan_t *plan = NULL;
  OK(gmem_plan_write(&desc, NULL, &data, &size, &diag));
  OK(gmem_plan_load_memory(data, size, 0, NULL, &plan, &diag));
  gmem_plan_data_free(NULL, data, size);
  return plan;
}

static const gmem_plan_transform_t chain[] = {{"invert", MADE, SOURCE},
                                              {"double", MADE, RESULT},
                                              {"invert", MADE, RESULT}};

static gmem_plan_t *plan_of_chain(void) { return plan_of(chain, 3, SOURCE); }

//===--- functions --------------------------------------------------------===//

// What the functions have been asked for, and what they are to do.
typedef struct calls_s {
  atomic_uint inverts, doubles, sources, plains, tables;
  bool wrong_source;    // loaded bytes differ from those of the digest
  gmem_status_t status; // of |source|
  gmem_status_t doubled;
} calls_t;

static gmem_status_t invert(void *user, const void *source,
                            uint64_t source_size, void *dst, uint64_t size,
                            gmem_diag_t *about) {
  calls_t *calls = user;
  (void)about;
  atomic_fetch_add(&calls->inverts, 1);
  CHECK(size == source_size);
  for (uint64_t i = 0; i < size; ++i) {
    CHECK(((uint8_t *)dst)[i] == 0);
    ((uint8_t *)dst)[i] = (uint8_t) ~((const uint8_t *)source)[i];
  }
  return GMEM_OK;
}

static gmem_status_t double_each(void *user, const void *source,
                                 uint64_t source_size, void *dst, uint64_t size,
                                 gmem_diag_t *about) {
  calls_t *calls = user;
  (void)about;
  atomic_fetch_add(&calls->doubles, 1);
  CHECK(size == 2 * source_size || source_size == 0);
  for (uint64_t i = 0; i < 2 * source_size; ++i)
    ((uint8_t *)dst)[i] = ((const uint8_t *)source)[i / 2];
  return calls->doubled;
}

static gmem_status_t load(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *about) {
  calls_t *calls = user;
  (void)about;
  CHECK(id == MADE);
  atomic_fetch_add(&calls->sources, 1);
  put_source(dst, size);
  if (calls->wrong_source)
    ++((uint8_t *)dst)[3];
  return calls->status;
}

static gmem_status_t fill_plain(void *user, gmem_buffer_t id, void *dst,
                                uint64_t size, gmem_diag_t *about) {
  calls_t *calls = user;
  (void)about;
  CHECK(id == PLAIN || id == MADE);
  atomic_fetch_add(&calls->plains, 1);
  put_source(dst, id == PLAIN ? size : 0);
  return GMEM_OK;
}

static gmem_status_t fill_table(void *user, gmem_buffer_t id, void *dst,
                                uint64_t size, gmem_diag_t *about) {
  calls_t *calls = user;
  (void)about;
  CHECK(id == TABLE);
  atomic_fetch_add(&calls->tables, 1);
  memset(dst, 9, (size_t)size);
  return GMEM_OK;
}

//===--- models -----------------------------------------------------------===//

// A program that creates models.
typedef struct program_s {
  calls_t calls;
  bank_t bank;
  gmem_provider_t provider;
  gmem_transform_t all[2];
  gmem_transforms_t transforms;
  gmem_model_sources_t sources;
  gmem_weights_t *store; // NULL: none
} program_t;

static void begin(program_t *it, bool has_store, uint32_t flags) {
  memset(it, 0, sizeof *it);
  it->provider = open_bank(&it->bank, NULL);
  if (has_store)
    OK(gmem_weights_create(&it->provider, 0, NULL, &it->store, &diag));
  it->all[0] = (gmem_transform_t){"double", double_each, &it->calls};
  it->all[1] = (gmem_transform_t){"invert", invert, &it->calls};
  it->transforms = (gmem_transforms_t){.struct_size = sizeof it->transforms,
                                       .count = 2,
                                       .all = it->all,
                                       .source = load,
                                       .user = &it->calls};
  it->sources = (gmem_model_sources_t){.struct_size = sizeof it->sources,
                                       .flags = flags,
                                       .user = &it->calls,
                                       .weight = fill_plain,
                                       .work = fill_table,
                                       .weights = it->store};
}

static void end(program_t *it) {
  gmem_weights_release(it->store);
  close_bank(&it->bank);
}

static gmem_status_t create(program_t *it, gmem_plan_t *plan,
                            gmem_model_t **out_model) {
  return gmem_transforms_model(plan, &it->provider, &it->sources,
                               &it->transforms, NULL, out_model, &diag);
}

// The bytes of buffer |id|, as a lease has them.
static bool has_bytes(gmem_model_t *model, const gmem_provider_t *provider,
                      gmem_buffer_t id, const uint8_t *bytes, size_t size) {
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  void *host = NULL;
  OK(gmem_pool_create(model, provider, &options, NULL, &pool, &diag));
  OK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease));
  OK(gmem_lease_host(lease, id, &host));
  bool same = host && memcmp(host, bytes, size) == 0;
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  return same;
}

// Both weights and the work are what the chain, |fill_plain| and |fill_table|
// make.
static bool is_right(gmem_model_t *model, const gmem_provider_t *provider) {
  uint8_t source[SOURCE], made[64] = {0}, table[8];
  put_source(source, sizeof source);
  for (int i = 0; i < RESULT; ++i)
    made[i] = source[i / 2]; // inverted twice; padding is zero
  memset(table, 9, sizeof table);
  return has_bytes(model, provider, PLAIN, source, 16) &&
         has_bytes(model, provider, MADE, made, sizeof made) &&
         has_bytes(model, provider, TABLE, table, sizeof table);
}

static void test_chain(void) {
  program_t it;
  gmem_plan_t *plan = plan_of_chain();
  gmem_model_t *model = NULL;
  begin(&it, false, GMEM_MODEL_VERIFY);
  OK(create(&it, plan, &model));
  CHECK(is_right(model, &it.provider));
  CHECK(it.calls.inverts == 2 && it.calls.doubles == 1);
  CHECK(it.calls.sources == 1 && it.calls.plains == 1 && it.calls.tables == 1);
  gmem_model_release(model);
  // Weights without a function are left as they are, as is work.
  it.sources.weight = NULL;
  it.sources.work = NULL;
  it.sources.flags = 0;
  OK(create(&it, plan, &model));
  CHECK(!is_right(model, &it.provider));
  CHECK(it.calls.inverts == 4 && it.calls.plains == 1 && it.calls.tables == 1);
  gmem_model_release(model);
  gmem_plan_release(plan);
  end(&it);
}

// A chain of one writes the weight at once; a source may be empty.
static void test_short_chains(void) {
  const gmem_plan_transform_t one = {"double", MADE, RESULT};
  program_t it;
  begin(&it, false, 0);
  for (uint64_t source = 0; source <= SOURCE; source += SOURCE) {
    gmem_plan_t *plan = plan_of(&one, 1, source);
    gmem_model_t *model = NULL;
    uint8_t made[RESULT] = {0};
    put_source(made, source);
    for (int i = RESULT; source && i-- > 0;)
      made[i] = made[i / 2];
    OK(create(&it, plan, &model));
    CHECK(has_bytes(model, &it.provider, MADE, made, sizeof made));
    gmem_model_release(model);
    gmem_plan_release(plan);
  }
  CHECK(it.calls.doubles == 2 && it.calls.inverts == 0);
  end(&it);
}

//===--- sharing ----------------------------------------------------------===//

// Two models, and two requests of one, run a chain once, by regions and alone.
static void test_once_for_all(void) {
  for (uint32_t flags = 0; flags <= GMEM_MODEL_SCATTER;
       flags += GMEM_MODEL_SCATTER) {
    program_t it;
    gmem_plan_t *plans[] = {plan_of_chain(), plan_of_chain()};
    gmem_model_t *models[2] = {NULL, NULL};
    begin(&it, true, flags);
    for (int i = 0; i < 2; ++i) {
      OK(create(&it, plans[i], &models[i]));
      CHECK(is_right(models[i], &it.provider)); // three requests
    }
    CHECK(it.calls.doubles == 1 && it.calls.inverts == 2);
    CHECK(it.calls.sources == 1 && it.calls.plains == 1);
    for (int i = 0; i < 2; ++i) {
      gmem_model_release(models[i]);
      gmem_plan_release(plans[i]);
    }
    end(&it);
  }
}

static gmem_weight_info_t weight_of(const gmem_plan_transform_t *steps,
                                    uint32_t count) {
  gmem_weight_info_t info = {0};
  gmem_plan_t *plan = plan_of(steps, count, SOURCE);
  OK(gmem_plan_weight(plan, MADE, &info));
  gmem_plan_release(plan);
  return info;
}

// Names, sizes, order and length of a chain are part of the key; the digest is
// that of the source.
static void test_each_part_of_a_chain_counts(void) {
  const gmem_plan_transform_t chains[][3] = {
      {{"invert", MADE, SOURCE}, {"double", MADE, RESULT}},
      {{"double", MADE, RESULT}, {"invert", MADE, RESULT}},
      {{"invert", MADE, RESULT}, {"double", MADE, RESULT}},
      {{"inver", MADE, SOURCE}, {"double", MADE, RESULT}},
      {{"double", MADE, RESULT}},
      {{"invert", MADE, SOURCE},
       {"invert", MADE, SOURCE},
       {"double", MADE, RESULT}}};
  const uint32_t lengths[] = {2, 2, 2, 2, 1, 3};
  gmem_weight_info_t infos[6];
  for (int i = 0; i < 6; ++i) {
    infos[i] = weight_of(chains[i], lengths[i]);
    CHECK(infos[i].transform != 0 &&
          infos[i].transform < GMEM_TRANSFORM_COMPUTED);
    CHECK(memcmp(infos[i].digest, infos[0].digest, sizeof infos[0].digest) ==
          0);
    for (int k = 0; k < i; ++k)
      CHECK(infos[k].transform != infos[i].transform);
  }
  CHECK(weight_of(chains[0], 2).transform == infos[0].transform);
}

// Another chain from the same source is another weight of the store.
static void test_two_chains_in_one_store(void) {
  const gmem_plan_transform_t other[] = {{"double", MADE, RESULT},
                                         {"invert", MADE, RESULT}};
  program_t it;
  gmem_plan_t *plans[] = {plan_of_chain(), plan_of(other, 2, SOURCE)};
  gmem_model_t *models[2] = {NULL, NULL};
  begin(&it, true, GMEM_MODEL_SCATTER);
  for (int i = 0; i < 2; ++i)
    OK(create(&it, plans[i], &models[i]));
  CHECK(is_right(models[0], &it.provider));
  CHECK(!is_right(models[1], &it.provider));
  CHECK(it.calls.doubles == 2 && it.calls.inverts == 3);
  CHECK(it.calls.plains == 1); // this weight they share
  for (int i = 0; i < 2; ++i) {
    gmem_model_release(models[i]);
    gmem_plan_release(plans[i]);
  }
  end(&it);
}

// Arguments of threads.
typedef struct shared_s {
  program_t it;
  gmem_plan_t *plan;
} shared_t;

static void *create_one(void *user) {
  shared_t *shared = user;
  gmem_model_t *model = NULL;
  CHECK(gmem_transforms_model(shared->plan, &shared->it.provider,
                              &shared->it.sources, &shared->it.transforms, NULL,
                              &model, NULL) == GMEM_OK);
  return model;
}

static void test_threads(void) {
  enum { THREADS = 8 };
  static shared_t shared;
  pthread_t threads[THREADS];
  begin(&shared.it, true, 0);
  shared.plan = plan_of_chain();
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, create_one, &shared) == 0);
  void *models[THREADS];
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], &models[i]) == 0);
  CHECK(shared.it.calls.doubles == 1 && shared.it.calls.inverts == 2);
  for (int i = 0; i < THREADS; ++i) {
    CHECK(is_right(models[i], &shared.it.provider));
    gmem_model_release(models[i]);
  }
  gmem_plan_release(shared.plan);
  end(&shared.it);
}

//===--- failures ---------------------------------------------------------===//

static void test_refused_tables(void) {
  program_t it;
  gmem_plan_t *plan = plan_of_chain();
  gmem_model_t *model = (gmem_model_t *)&it;
  begin(&it, false, 0);
  // A name that is not registered: nothing is mapped, nothing called.
  it.transforms.count = 1;
  CHECK(create(&it, plan, &model) == GMEM_ERR_NOT_FOUND && model == NULL);
  CHECK(strcmp(diag.text, "weight \"made\" needs the transform \"invert\", "
                          "which is not registered") == 0);
  CHECK(diag.object == MADE);
  CHECK(gmem_transforms_model(plan, &it.provider, &it.sources, NULL, NULL,
                              &model, &diag) == GMEM_ERR_NOT_FOUND);
  it.transforms.count = 2;
  it.transforms.source = NULL;
  CHECK(create(&it, plan, &model) == GMEM_ERR_INVALID_ARGUMENT);
  it.transforms.source = load;
  it.transforms.all = NULL;
  CHECK(create(&it, plan, &model) == GMEM_ERR_INVALID_ARGUMENT);
  it.transforms.all = it.all;
  it.all[1].make = NULL;
  CHECK(create(&it, plan, &model) == GMEM_ERR_INVALID_ARGUMENT);
  it.all[1] = (gmem_transform_t){NULL, invert, NULL};
  CHECK(create(&it, plan, &model) == GMEM_ERR_INVALID_ARGUMENT);
  it.transforms.struct_size = 1;
  CHECK(create(&it, plan, &model) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(it.bank.acquires == 0 && it.calls.sources == 0);
  gmem_plan_release(plan);
  end(&it);
}

// What gmem_model_create refuses is refused here, with transforms and without.
static void test_refused_arguments(void) {
  program_t it;
  gmem_plan_t *plans[] = {plan_of_chain(), plan_of(NULL, 0, SOURCE)};
  gmem_model_t *model = NULL;
  begin(&it, false, 0);
  CHECK(create(&it, NULL, &model) == GMEM_ERR_INVALID_ARGUMENT);
  for (int i = 0; i < 2; ++i) {
    it.sources.struct_size = 1;
    CHECK(create(&it, plans[i], &model) == GMEM_ERR_INVALID_ARGUMENT);
    it.sources.struct_size = sizeof it.sources;
    CHECK(create(&it, plans[i], NULL) == GMEM_ERR_INVALID_ARGUMENT);
  }
  // A plan without transforms needs none.
  OK(gmem_transforms_model(plans[1], &it.provider, &it.sources, NULL, NULL,
                           &model, &diag));
  CHECK(it.calls.plains == 2 && it.calls.sources == 0);
  gmem_model_release(model);
  OK(gmem_transforms_model(plans[1], &it.provider, NULL, NULL, NULL, &model,
                           &diag));
  gmem_model_release(model);
  gmem_plan_release(plans[0]);
  gmem_plan_release(plans[1]);
  end(&it);
}

static void test_failing_functions(void) {
  program_t it;
  gmem_plan_t *plan = plan_of_chain();
  gmem_model_t *model = NULL;
  begin(&it, true, 0);
  it.calls.wrong_source = true;
  CHECK(create(&it, plan, &model) == GMEM_ERR_CORRUPT && model == NULL);
  CHECK(strstr(diag.text, "does not match its digest"));
  it.calls.wrong_source = false;
  it.calls.status = GMEM_ERR_IO;
  CHECK(create(&it, plan, &model) == GMEM_ERR_IO && model == NULL);
  it.calls.status = GMEM_OK;
  CHECK(it.calls.inverts == 0);
  it.calls.doubled = GMEM_ERR_BUSY;
  CHECK(create(&it, plan, &model) == GMEM_ERR_BUSY && model == NULL);
  CHECK(it.calls.inverts == 1); // the chain has ended there
  it.calls.doubled = GMEM_OK;   // a failure is not kept
  OK(create(&it, plan, &model));
  CHECK(is_right(model, &it.provider));
  gmem_model_release(model);
  gmem_plan_release(plan);
  end(&it);
}

static void test_every_allocation(void) {
  gmem_plan_t *plan = plan_of_chain();
  size_t failures = 0;
  for (size_t fail_at = 1;; ++fail_at) {
    program_t it;
    heap_t heap = {.fail_at = fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    gmem_model_t *model = NULL;
    begin(&it, false, 0);
    gmem_status_t status =
        gmem_transforms_model(plan, &it.provider, &it.sources, &it.transforms,
                              &allocator, &model, &diag);
    if (status == GMEM_OK)
      CHECK(is_right(model, &it.provider));
    else
      CHECK(status == GMEM_ERR_OUT_OF_MEMORY && model == NULL);
    gmem_model_release(model);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    end(&it);
    if (status == GMEM_OK)
      break;
    ++failures;
  }
  CHECK(failures == 4); // the model, the source and two results
  gmem_plan_release(plan);
}

int main(void) {
  test_chain();
  test_short_chains();
  test_once_for_all();
  test_each_part_of_a_chain_counts();
  test_two_chains_in_one_store();
  test_threads();
  test_refused_tables();
  test_refused_arguments();
  test_failing_functions();
  test_every_allocation();
  return CHECK_RESULT();
}
