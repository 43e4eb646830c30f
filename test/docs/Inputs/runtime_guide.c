// The rest of a program whose beginning are the C blocks of docs/runtime.md:
// runs each of them on a plan with everything in it that they use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

enum { ROWS = 100, THREADS = 2, SIZE = 64 };
enum { INPUT, OUTPUT, SCRATCH, MEMORY, WEIGHT };

static const gmem_op_range_t always = {0, 1};
static const gmem_region_info_t regions[] = {
    {"ddr", GMEM_SPACE_ACTIVATION, 0, 4096, 64},
    {"weights", GMEM_SPACE_WEIGHT, 8192, 64, 64}};

static gmem_buffer_info_t buffer(const char *name, uint64_t offset,
                                 gmem_space_t space, uint32_t threads) {
  return (gmem_buffer_info_t){.name = name,
                              .offset = offset,
                              .size = SIZE * threads,
                              .payload = SIZE * threads,
                              .align = 64,
                              .region = space == GMEM_SPACE_WEIGHT,
                              .space = space,
                              .parent = GMEM_NONE,
                              .threads = threads,
                              .ranges = &always,
                              .range_count = space != GMEM_SPACE_WEIGHT &&
                                             space != GMEM_SPACE_STATE,
                              .flags = offset ? 0 : GMEM_BUFFER_IMPORTABLE};
}

static void write_image(const char *path) {
  gmem_buffer_info_t buffers[] = {
      buffer("input", 0, GMEM_SPACE_IO, 1),
      buffer("output", 64, GMEM_SPACE_IO, 1),
      buffer("scratch", 128, GMEM_SPACE_ACTIVATION, THREADS),
      buffer("memory", 512, GMEM_SPACE_STATE, 1),
      buffer("weight", 0, GMEM_SPACE_WEIGHT, 1)};
  buffers[WEIGHT].flags = 0;
  const gmem_plan_transform_t widen_it = {"widen", WEIGHT, SIZE};
  const gmem_weight_info_t weight = {
      .buffer = WEIGHT,
      .source_size = SIZE / 4, // SHA-256 of 16 bytes of 1
      .digest = {0xcc, 0x8c, 0xd4, 0x1c, 0xef, 0x90, 0x7c, 0x4d,
                 0x21, 0x60, 0x69, 0x12, 0x2c, 0x4b, 0x89, 0x93,
                 0x62, 0x11, 0x36, 0x1f, 0x90, 0x50, 0xa7, 0x17,
                 0xa1, 0xe3, 0x7a, 0xd1, 0x86, 0x2e, 0x95, 0x2f}};
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = buffers,
                           .buffer_count = 5,
                           .op_count = 1,
                           .weights = &weight,
                           .weight_count = 1,
                           .transforms = &widen_it,
                           .transform_count = 1};
  void *data = NULL;
  size_t size = 0;
  assert(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  FILE *file = fopen(path, "wb");
  assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
  gmem_plan_data_free(NULL, data, size);
}

static gmem_status_t count_up(gmem_lease_t *lease) {
  void *memory = NULL;
  gmem_status_t status = gmem_lease_host(lease, MEMORY, &memory);
  if (status == GMEM_OK)
    printf("piece %d\n", ++*(int *)memory);
  return status;
}

static gmem_status_t load(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  assert(id == WEIGHT && size == SIZE / 4);
  memset(dst, 1, size);
  return GMEM_OK;
}

static void try_weights(const char *path, const gmem_provider_t *provider) {
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  unsigned fills = 0;
  assert(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  assert(make_filled_model(plan, provider, NULL, &fills, &model, NULL) ==
         GMEM_OK);
  printf("filled %u\n", fills);
  gmem_model_release(model);
  assert(make_widened_model(plan, provider, NULL, load, NULL, &model, NULL) ==
         GMEM_OK);
  gmem_model_release(model);
  gmem_plan_release(plan);
}

static void try_lease(gmem_pool_t *pool) {
  static uint64_t sums[ROWS];
  _Alignas(64) static char frame[SIZE];
  gmem_lease_t *lease = NULL;
  void *host = NULL;
  assert(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
  assert(import_input(lease, INPUT, frame, SIZE, NULL) == GMEM_OK);
  assert(gmem_lease_host(lease, INPUT, &host) == GMEM_OK && host == frame);
  assert(add_all_rows(lease, SCRATCH, sums, ROWS, NULL) == GMEM_OK);
  for (uint64_t i = 0; i < ROWS; ++i)
    assert(sums[i] == i);
  printf("rows %d\n", ROWS);
  gmem_lease_release(lease);
}

typedef struct recipe_s {
  const char *path;
  const gmem_provider_t *provider;
} recipe_t;

static gmem_status_t make_by_recipe(void *user, gmem_pool_t **out_pool,
                                    gmem_diag_t *diag) {
  const recipe_t *recipe = user;
  printf("make a pool\n");
  return make_pool(recipe->path, recipe->provider, out_pool, diag);
}

static void try_cache(recipe_t recipe) {
  gmem_plan_t *plan = NULL;
  gmem_cache_t *cache = NULL;
  gmem_pool_t *pool = NULL;
  assert(gmem_plan_load_file(recipe.path, 0, NULL, &plan, NULL) == GMEM_OK);
  assert(gmem_cache_create(NULL, NULL, &cache, NULL) == GMEM_OK);
  for (int i = 0; i < 2; ++i) {
    assert(get_pool(cache, plan, make_by_recipe, &recipe, &pool, NULL) ==
           GMEM_OK);
    gmem_pool_release(pool);
  }
  gmem_cache_destroy(cache);
  gmem_plan_release(plan);
}

int main(int argc, char **argv) {
  assert(argc == 2);
  char out[SIZE];
  gmem_provider_t system, mine = my_provider();
  gmem_pool_t *pool = NULL;
  write_image(argv[1]);
  assert(gmem_provider_mmap(NULL, NULL, &system) == GMEM_OK);
  for (int i = 0; i < 2; ++i) {
    const gmem_provider_t *provider = i ? &mine : &system;
    assert(make_pool(argv[1], provider, &pool, NULL) == GMEM_OK);
    assert(run_request(pool, INPUT, OUTPUT, "hello", out, 5) == GMEM_OK);
    assert(run_stream(pool, 2, count_up, NULL) == GMEM_OK);
    try_lease(pool);
    gmem_pool_release(pool);
    try_weights(argv[1], provider);
    try_cache((recipe_t){argv[1], provider});
  }
  gmem_provider_destroy(&system);
  return 0;
}
