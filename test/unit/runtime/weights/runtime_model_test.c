// runtime_model_test.c - models: their weights out of images, functions and
// stores.
// RUN: %unit/runtime_model_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memmem

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "failing_heap.h"
#include "weight_tools.h"

//===--- the system -------------------------------------------------------===//

// What is wrong with it.
static struct {
  size_t piece;     // most bytes that one pread reads; 0: any
  unsigned breaks;  // every so many preads are interrupted; 0: none
  unsigned calls;   // of pread
  unsigned fail_at; // the pread that fails; 0: none
  bool blind;       // fstat fails
} fake;

ssize_t __real_pread(int file, void *dst, size_t size, off_t offset);
ssize_t __wrap_pread(int file, void *dst, size_t size, off_t offset);
ssize_t __wrap_pread(int file, void *dst, size_t size, off_t offset) {
  ++fake.calls;
  errno = fake.calls == fake.fail_at ? EIO : EINTR;
  if (fake.calls == fake.fail_at ||
      (fake.breaks && fake.calls % fake.breaks == 0))
    return -1;
  if (fake.piece && size > fake.piece)
    size = fake.piece;
  return __real_pread(file, dst, size, offset);
}

int __real_fstat(int file, struct stat *out_about);
int __wrap_fstat(int file, struct stat *out_about);
int __wrap_fstat(int file, struct stat *out_about) {
  errno = EOVERFLOW;
  return fake.blind ? -1 : __real_fstat(file, out_about);
}

//===--- a network --------------------------------------------------------===//

// Regions and buffers of the network of most tests:
//
//   plain    w0, its alias, w1 (padded)        as they are in the image
//   packed   w2 (transformed), w3              w2 is made when a model is
//   mixed    w4 (a lead before it), table      table is work
//   ddr      x                                 one per slot
enum { PLAIN, PACKED, MIXED, DDR, REGIONS };
enum { W0, HALF, W1, W2, W3, W4, TABLE, X, BUFFERS };
enum { WEIGHTS = 5, TRANSFORM = 77, SOURCE = 10 };

#define LARGE (UINT64_C(512) << 10) // bytes of w0

typedef struct net_s {
  gmem_region_info_t regions[REGIONS];
  gmem_buffer_info_t buffers[BUFFERS];
  gmem_weight_info_t weights[WEIGHTS + 1]; // and the digest of the work
  gmem_content_t contents[3];
  uint8_t plain[LARGE + 4096], packed[8192], mixed[4096 + 4096];
  gmem_plan_desc_t desc;
} net_t;

static const gmem_op_range_t whole = {0, 1};

static uint8_t byte_of(gmem_buffer_t id, uint64_t i) {
  return (uint8_t)(1 + id * 37 + i % 199);
}

// What lies in the payload of a weight, or of its source.
static void put_bytes(uint8_t *dst, gmem_buffer_t id, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    dst[i] = byte_of(id, i);
}

static gmem_buffer_info_t buffer_at(const char *name, gmem_region_t region,
                                    uint64_t offset, uint64_t size,
                                    uint64_t payload, uint64_t align) {
  return (gmem_buffer_info_t){.name = name,
                              .offset = offset,
                              .size = size,
                              .payload = payload,
                              .align = align,
                              .region = region,
                              .space = GMEM_SPACE_WEIGHT,
                              .parent = GMEM_NONE,
                              .threads = 1};
}

static void add_weight(net_t *net, gmem_buffer_t id, uint64_t source_size,
                       uint64_t transform) {
  static uint8_t source[LARGE];
  gmem_weight_info_t *weight = &net->weights[net->desc.weight_count++];
  *weight = (gmem_weight_info_t){
      .buffer = id, .source_size = source_size, .transform = transform};
  put_bytes(source, id, source_size);
  gmem_sha256(source, (size_t)source_size, weight->digest);
}

// The image has the bytes of the regions if |stored|.
static void make_net(net_t *net, bool stored) {
  memset(net, 0, sizeof *net);
  // The base of "mixed" is no multiple of the alignment of w4.
  const gmem_region_info_t regions[] = {
      {"plain", GMEM_SPACE_WEIGHT, 0x100000, sizeof net->plain, 64},
      {"packed", GMEM_SPACE_WEIGHT, 0x300000, sizeof net->packed, 64},
      {"mixed", GMEM_SPACE_SHARED_WORK, 0x400000 + 512, sizeof net->mixed, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, 0x500000, 64, 64}};
  const gmem_buffer_info_t buffers[] = {
      [W0] = buffer_at("w0", PLAIN, 0, LARGE, LARGE, 64),
      [HALF] = buffer_at("half", PLAIN, 64, 4096, 4096, 64),
      [W1] = buffer_at("w1", PLAIN, LARGE + 64, 256, 200, 64),
      [W2] = buffer_at("w2", PACKED, 64, 1000, 900, 64),
      [W3] = buffer_at("w3", PACKED, 4096, 300, 300, 64),
      [W4] = buffer_at("w4", MIXED, 4096 - 512, 64, 64, 4096),
      [TABLE] = buffer_at("table", MIXED, 128, 100, 100, 64),
      [X] = buffer_at("x", DDR, 0, 64, 64, 64)};
  memcpy(net->regions, regions, sizeof regions);
  memcpy(net->buffers, buffers, sizeof buffers);
  net->buffers[HALF].parent = W0;
  net->buffers[TABLE].space = GMEM_SPACE_SHARED_WORK;
  net->buffers[X].space = GMEM_SPACE_IO;
  net->buffers[X].ranges = &whole;
  net->buffers[X].range_count = 1;
  put_bytes(net->plain, W0, LARGE);
  put_bytes(net->plain + LARGE + 64, W1, 200);
  put_bytes(net->packed + 4096, W3, 300);
  put_bytes(net->mixed + 4096 - 512, W4, 64);
  add_weight(net, W0, LARGE, 0);
  add_weight(net, W1, 200, 0);
  add_weight(net, W2, SOURCE, TRANSFORM);
  add_weight(net, W3, 300, 0);
  add_weight(net, W4, 64, 0);
  net->contents[PLAIN] = (gmem_content_t){PLAIN, net->plain};
  net->contents[PACKED] = (gmem_content_t){PACKED, net->packed};
  net->contents[MIXED] = (gmem_content_t){MIXED, net->mixed};
  net->desc.regions = net->regions;
  net->desc.region_count = REGIONS;
  net->desc.buffers = net->buffers;
  net->desc.buffer_count = BUFFERS;
  net->desc.op_count = 1;
  net->desc.weights = net->weights;
  net->desc.contents = net->contents;
  net->desc.content_count = stored ? 3 : 0;
}

// Puts "mixed" where nothing must be before it, so that it can be mapped.
static void remove_lead(net_t *net) {
  memset(net->mixed, 0, sizeof net->mixed);
  net->regions[MIXED].base = 0x400000;
  net->buffers[W4].offset = 4096;
  put_bytes(net->mixed + 4096, W4, 64);
}

//===--- images -----------------------------------------------------------===//

typedef struct image_s {
  uint8_t *bytes;
  size_t size;
  char path[64];
} image_t;

static void die(const char *what, const gmem_diag_t *diag) {
  fprintf(stderr, "%s: %s\n", what, diag->text);
  exit(1); // nothing can be tested
}

static void write_image(const net_t *net, image_t *image) {
  gmem_diag_t diag = {.text = ""};
  void *data = NULL;
  if (gmem_plan_write(&net->desc, NULL, &data, &image->size, &diag) != GMEM_OK)
    die("no image", &diag);
  image->bytes = data;
  strcpy(image->path, "runtime_model_test.XXXXXX");
  int fd = mkstemp(image->path);
  CHECK(fd >= 0 &&
        write(fd, image->bytes, image->size) == (ssize_t)image->size);
  CHECK(close(fd) == 0);
}

static void free_image(image_t *image) {
  CHECK(unlink(image->path) == 0);
  gmem_plan_data_free(NULL, image->bytes, image->size);
}

// Where the bytes of |id| are in the image.
static size_t place_in(const image_t *image, const net_t *net,
                       gmem_buffer_t id) {
  const uint8_t *bytes = net->contents[net->buffers[id].region].bytes;
  bytes += net->buffers[id].offset;
  return (size_t)((const uint8_t *)memmem(image->bytes, image->size, bytes,
                                          net->buffers[id].payload) -
                  image->bytes);
}

// Flips a bit of byte |at| in memory and in the file.
static void damage(image_t *image, size_t at) {
  image->bytes[at] ^= 4;
  FILE *file = fopen(image->path, "r+b");
  CHECK(file && fseek(file, (long)at, SEEK_SET) == 0 &&
        fputc(image->bytes[at], file) != EOF && fclose(file) == 0);
}

static gmem_plan_t *plan_in_file(const image_t *image) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {.text = ""};
  if (gmem_plan_load_file(image->path, 0, NULL, &plan, &diag) != GMEM_OK)
    die("no plan", &diag);
  return plan;
}

static gmem_plan_t *plan_in_memory(const image_t *image) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {.text = ""};
  if (gmem_plan_load_memory(image->bytes, image->size, 0, NULL, &plan, &diag) !=
      GMEM_OK)
    die("no plan", &diag);
  return plan;
}

static gmem_plan_t *plan_of(const net_t *net) {
  image_t image;
  write_image(net, &image);
  gmem_plan_t *plan = plan_in_memory(&image);
  free_image(&image);
  return plan;
}

//===--- sources ----------------------------------------------------------===//

// Who was asked for what, in order.
typedef struct asked_s {
  gmem_buffer_t ids[32];
  atomic_uint count;
  gmem_status_t status; // what functions return
} asked_t;

static gmem_status_t give(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  asked_t *asked = user;
  (void)diag;
  unsigned at = atomic_fetch_add(&asked->count, 1);
  if (at < sizeof asked->ids / sizeof asked->ids[0])
    asked->ids[at] = id;
  CHECK(*(uint8_t *)dst == 0);
  // Of a padded weight the source is all there is.
  put_bytes(dst, id, id == W1 ? 200 : size);
  return asked->status;
}

static gmem_model_sources_t sources_of(asked_t *asked, uint32_t flags,
                                       gmem_weights_t *weights) {
  *asked = (asked_t){.count = 0};
  return (gmem_model_sources_t){.struct_size = sizeof(gmem_model_sources_t),
                                .flags = flags,
                                .user = asked,
                                .weight = give,
                                .work = give,
                                .weights = weights};
}

static bool asked_for(const asked_t *asked, unsigned count,
                      const gmem_buffer_t *ids) {
  return asked->count == count &&
         memcmp(asked->ids, ids, count * sizeof *ids) == 0;
}

//===--- a model and its lease --------------------------------------------===//

typedef struct arena_s {
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *lease;
} arena_t;

// Releases |plan|.
static arena_t open_arena(gmem_plan_t *plan, const gmem_provider_t *provider,
                          const gmem_model_sources_t *sources) {
  arena_t arena = {0};
  gmem_diag_t diag = {.text = ""};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  if (gmem_model_create(plan, provider, sources, NULL, &arena.model, &diag) !=
      GMEM_OK)
    die("no model", &diag);
  gmem_plan_release(plan);
  if (gmem_pool_create(arena.model, provider, &options, NULL, &arena.pool,
                       &diag) != GMEM_OK)
    die("no pool", &diag);
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &arena.lease) ==
        GMEM_OK);
  return arena;
}

static void close_arena(arena_t *arena) {
  gmem_lease_release(arena->lease);
  gmem_pool_release(arena->pool);
  gmem_model_release(arena->model);
}

static const uint8_t *host(const arena_t *arena, gmem_buffer_t id) {
  void *ptr = NULL;
  CHECK(gmem_lease_host(arena->lease, id, &ptr) == GMEM_OK);
  return ptr;
}

static bool holds(const arena_t *arena, gmem_buffer_t id, uint64_t size) {
  const uint8_t *bytes = host(arena, id);
  for (uint64_t i = 0; i < size; ++i)
    if (bytes[i] != byte_of(id, i))
      return false;
  return true;
}

static bool is_zero(const uint8_t *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    if (bytes[i] != 0)
      return false;
  return true;
}

// That every buffer has its value and is where it must be.
static void check_values(const arena_t *arena, const net_t *net) {
  CHECK(holds(arena, W0, LARGE) && holds(arena, W1, 200) &&
        holds(arena, W2, 1000) && holds(arena, W3, 300) &&
        holds(arena, W4, 64) && holds(arena, TABLE, 100));
  CHECK(host(arena, HALF) == host(arena, W0) + 64);
  CHECK(is_zero(host(arena, W1) + 200, 56));
  for (gmem_buffer_t id = 0; id < BUFFERS; ++id) {
    uint64_t device = 1;
    CHECK(gmem_lease_device(arena->lease, id, &device) == GMEM_OK &&
          device % net->buffers[id].align == 0);
    CHECK((uintptr_t)host(arena, id) % net->buffers[id].align == 0);
  }
  gmem_buffer_t bad = 0;
  CHECK(gmem_model_verify(arena->model, &bad, NULL) == GMEM_OK &&
        bad == GMEM_NONE);
}

static const gmem_buffer_t only_missing[] = {W2, TABLE};
static const gmem_buffer_t in_order[] = {W0, W1, W2, W3, W4, TABLE};

//===--- content of images ------------------------------------------------===//

// Kibibytes of the mapping at |address| that are resident; *out_file says
// whether its file's name ends with |path|.
static uint64_t resident(const void *address, const char *path,
                         bool *out_file) {
  char line[512];
  bool here = false;
  uint64_t result = UINT64_MAX;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    uint64_t begin, end;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) == 2) {
      uint64_t at = (uint64_t)(uintptr_t)address;
      here = begin <= at && at < end;
      if (here)
        *out_file = strstr(line, path) != NULL;
    } else if (here && strncmp(line, "Rss:", 4) == 0) {
      result = strtoull(line + 4, NULL, 10);
    }
  }
  if (maps)
    fclose(maps);
  return result;
}

static void test_maps_files(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  write_image(&net, &image);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  asked_t asked;
  gmem_model_sources_t sources = sources_of(&asked, 0, NULL);
  arena_t arena = open_arena(plan_in_file(&image), &provider, &sources);
  // "mixed" has a lead: it cannot be mapped, and is read. So is the slot.
  CHECK(bank.maps == 2 && bank.acquires == 2);
  CHECK(asked_for(&asked, 2, only_missing));
  bool tells = access("/proc/self/smaps", R_OK) == 0, file = false;
  if (!tells)
    printf("skipped: there is no /proc/self/smaps to see mappings in\n");
  uint64_t plain = resident(host(&arena, W0), image.path, &file);
  CHECK(!tells || (file && plain == 0)); // nobody has touched it
  CHECK(bank.seals == 2);                // there was nothing to write
  (void)resident(host(&arena, W2), image.path, &file);
  CHECK(file || !tells);
  (void)resident(host(&arena, W4), image.path, &file);
  CHECK(!file);
  check_values(&arena, &net);
  for (gmem_buffer_t id = W0; id <= TABLE; ++id)
    CHECK(signal_of_write(host(&arena, id)) == SIGSEGV);
  close_arena(&arena);
  // What was made of w2 is not in the file.
  arena = open_arena(plan_in_file(&image), &provider, NULL);
  CHECK(is_zero(host(&arena, W2), 1000) && is_zero(host(&arena, TABLE), 100));
  CHECK(bank.seals == 3); // without functions, "packed" is complete, too
  close_arena(&arena);
  free_image(&image);
  remove_lead(&net);
  write_image(&net, &image);
  unsigned maps = bank.maps;
  sources = sources_of(&asked, 0, NULL);
  arena = open_arena(plan_in_file(&image), &provider, &sources);
  CHECK(bank.maps == maps + 3 && asked_for(&asked, 2, only_missing));
  check_values(&arena, &net);
  CHECK(signal_of_write(host(&arena, TABLE)) == SIGSEGV);
  close_arena(&arena);
  free_image(&image);
  close_bank(&bank);
}

// The same network, from a file that is read, and from memory.
static void test_copies_content(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  write_image(&net, &image);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL), unmapping = provider;
  asked_t asked;
  for (int way = 0; way < 3; ++way) {
    unsigned acquires = bank.acquires;
    gmem_model_sources_t sources =
        sources_of(&asked, way == 0 ? GMEM_MODEL_COPY : 0, NULL);
    unmapping.map_fd = NULL;
    arena_t arena =
        open_arena(way == 2 ? plan_in_memory(&image) : plan_in_file(&image),
                   way == 1 ? &unmapping : &provider, &sources);
    CHECK(bank.maps == 0 && bank.acquires == acquires + REGIONS);
    CHECK(asked_for(&asked, 2, only_missing));
    check_values(&arena, &net);
    CHECK(signal_of_write(host(&arena, W0)) == SIGSEGV);
    close_arena(&arena);
  }
  free_image(&image);
  close_bank(&bank);
}

static gmem_status_t cannot_map(void *user, int fd, uint64_t offset,
                                uint64_t size, uint64_t align, bool writable,
                                gmem_range_t *out_range, gmem_diag_t *diag) {
  (void)user, (void)fd, (void)offset, (void)size, (void)align, (void)writable;
  (void)out_range, (void)diag;
  return GMEM_ERR_UNSUPPORTED;
}

// A provider of larger pages than the image knows: a region that lies on them
// by chance is mapped, others are not.
static void test_larger_pages(void) {
  static net_t net;
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  provider.granularity = bank.granularity = 8192;
  asked_t asked;
  for (uint32_t skipped = 0; skipped < 2; ++skipped) {
    make_net(&net, true);
    net.desc.contents += skipped; // "plain" takes an odd number of small pages
    net.desc.content_count -= skipped;
    image_t image;
    write_image(&net, &image);
    gmem_model_sources_t sources = sources_of(&asked, 0, NULL);
    arena_t arena = open_arena(plan_in_file(&image), &provider, &sources);
    check_values(&arena, &net);
    close_arena(&arena);
    free_image(&image);
  }
  CHECK(bank.maps == 1);
  close_bank(&bank);
}

// A provider that can map, but not this file, or only in larger pages.
static void test_falls_back_to_copies(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  write_image(&net, &image);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  asked_t asked;
  for (int way = 0; way < 2; ++way) {
    gmem_provider_t other = provider;
    if (way == 0)
      other.map_fd = cannot_map;
    else
      other.granularity = 1 << 24;
    gmem_model_sources_t sources = sources_of(&asked, 0, NULL);
    arena_t arena = open_arena(plan_in_file(&image), &other, &sources);
    CHECK(bank.maps == 0);
    check_values(&arena, &net);
    close_arena(&arena);
  }
  free_image(&image);
  close_bank(&bank);
}

static void test_without_content(void) {
  static net_t net;
  make_net(&net, false);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  asked_t asked;
  gmem_model_sources_t sources = sources_of(&asked, GMEM_MODEL_VERIFY, NULL);
  arena_t arena = open_arena(plan_of(&net), &provider, &sources);
  CHECK(asked_for(&asked, 6, in_order)); // all weights, and then work
  check_values(&arena, &net);
  close_arena(&arena);
  close_bank(&bank);
}

// Reads that are short, interrupted, or fail.
static void test_reads(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  write_image(&net, &image);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  asked_t asked;
  gmem_model_sources_t sources = sources_of(&asked, GMEM_MODEL_COPY, NULL);
  fake.piece = 1001;
  fake.breaks = 3;
  arena_t arena = open_arena(plan_in_file(&image), &provider, &sources);
  CHECK(fake.calls > LARGE / 1001);
  check_values(&arena, &net);
  close_arena(&arena);
  gmem_plan_t *plan = plan_in_file(&image);
  gmem_model_t *model = NULL;
  gmem_diag_t diag = {.text = ""};
  for (unsigned k = 1; k < 700; k += 300) {
    fake.fail_at = fake.calls + k;
    CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, &diag) ==
              GMEM_ERR_IO &&
          !model && diag.os_error == EIO && bank.live == 0);
  }
  memset(&fake, 0, sizeof fake);
  fake.blind = true;
  sources = sources_of(&asked, 0, NULL);
  CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, &diag) ==
            GMEM_ERR_IO &&
        !model && diag.os_error == EOVERFLOW);
  fake.blind = false;
  gmem_plan_release(plan);
  free_image(&image);
  close_bank(&bank);
}

//===--- damage -----------------------------------------------------------===//

static void check_damage(gmem_plan_t *plan, const gmem_provider_t *provider,
                         uint32_t flags, gmem_buffer_t expected) {
  asked_t asked;
  gmem_buffer_t bad = 0;
  gmem_diag_t diag = {.text = ""};
  gmem_model_t *model = NULL;
  gmem_model_sources_t sources = sources_of(&asked, flags, NULL);
  CHECK(gmem_model_create(plan, provider, &sources, NULL, &model, &diag) ==
        GMEM_OK); // nobody looks
  CHECK(gmem_model_verify(model, &bad, &diag) == GMEM_ERR_CORRUPT &&
        bad == expected && diag.object == expected && diag.text[0]);
  CHECK(gmem_model_verify(model, NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_model_release(model);
  model = NULL;
  sources.flags |= GMEM_MODEL_VERIFY;
  CHECK(gmem_model_create(plan, provider, &sources, NULL, &model, &diag) ==
            GMEM_ERR_CORRUPT &&
        !model && diag.object == expected);
  // Others rely on what is in a store: it is never taken unseen.
  gmem_weights_t *weights = NULL;
  CHECK(gmem_weights_create(provider, 0, NULL, &weights, NULL) == GMEM_OK);
  for (int scatter = 0; scatter < 2; ++scatter) {
    sources =
        sources_of(&asked, flags | (scatter ? GMEM_MODEL_SCATTER : 0), weights);
    CHECK(gmem_model_create(plan, provider, &sources, NULL, &model, NULL) ==
              GMEM_ERR_CORRUPT &&
          !model);
    CHECK(weights_stats(weights).bytes == 0);
  }
  gmem_weights_release(weights);
  gmem_plan_release(plan);
}

static void test_finds_damage(void) {
  static net_t net;
  make_net(&net, true);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  static const gmem_buffer_t victims[] = {W0, W1, W3};
  for (int i = 0; i < 3; ++i) {
    image_t image;
    write_image(&net, &image);
    size_t at = place_in(&image, &net, victims[i]);
    damage(&image, at + net.buffers[victims[i]].payload - 1);
    check_damage(plan_in_file(&image), &provider, 0, victims[i]);
    check_damage(plan_in_file(&image), &provider, GMEM_MODEL_COPY, victims[i]);
    check_damage(plan_in_memory(&image), &provider, 0, victims[i]);
    free_image(&image);
  }
  close_bank(&bank);
}

static void test_files_cut_short(void) {
  static net_t net;
  make_net(&net, true);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  for (uint32_t flags = 0; flags <= GMEM_MODEL_COPY; flags += GMEM_MODEL_COPY) {
    image_t image;
    write_image(&net, &image);
    gmem_plan_t *plan = plan_in_file(&image);
    size_t at = place_in(&image, &net, W1);
    CHECK(truncate(image.path, (off_t)at) == 0);
    gmem_diag_t diag = {.text = ""};
    gmem_model_t *model = NULL;
    gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                    .flags = flags};
    CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, &diag) ==
              GMEM_ERR_CORRUPT &&
          !model && strstr(diag.text, "truncated"));
    gmem_plan_release(plan);
    free_image(&image);
  }
  close_bank(&bank);
}

//===--- stores -----------------------------------------------------------===//

// Two providers, so that it is seen who has what.
typedef struct shop_s {
  bank_t bank, store_bank;
  gmem_provider_t provider;
  gmem_weights_t *weights;
} shop_t;

static void open_shop(shop_t *shop) {
  shop->provider = open_bank(&shop->bank, NULL);
  gmem_provider_t provider = open_bank(&shop->store_bank, NULL);
  shop->weights = NULL;
  CHECK(gmem_weights_create(&provider, 0, NULL, &shop->weights, NULL) ==
        GMEM_OK);
}

static void close_shop(shop_t *shop) {
  CHECK(weights_stats(shop->weights).bytes == 0);
  gmem_weights_release(shop->weights);
  close_bank(&shop->bank);
  close_bank(&shop->store_bank);
}

static void test_models_share_regions(void) {
  static net_t net, other;
  shop_t shop;
  open_shop(&shop);
  asked_t asked, asked_again;
  make_net(&net, false);
  make_net(&other, true);
  other.buffers[W0].name = "another name"; // and another way to the bytes
  gmem_model_sources_t sources =
      sources_of(&asked, GMEM_MODEL_VERIFY, shop.weights);
  gmem_model_sources_t again = sources_of(&asked_again, 0, shop.weights);
  arena_t one = open_arena(plan_of(&net), &shop.provider, &sources);
  uint64_t bytes = shop.store_bank.live_bytes;
  CHECK(shop.store_bank.live == 2 && shop.bank.live == 2);
  CHECK(asked_for(&asked, 6, in_order));
  arena_t two = open_arena(plan_of(&other), &shop.provider, &again);
  // The regions of weights alone are the same memory, and counted once.
  CHECK(shop.store_bank.live == 2 && shop.store_bank.live_bytes == bytes);
  CHECK(host(&one, W0) == host(&two, W0) && host(&one, W3) == host(&two, W3));
  CHECK(host(&one, W4) != host(&two, W4));
  static const gmem_buffer_t own[] = {TABLE};
  CHECK(asked_for(&asked_again, 1, own)); // w2 was made already
  check_values(&one, &net);
  close_arena(&one);
  CHECK(shop.store_bank.live == 2);
  check_values(&two, &other);
  CHECK(signal_of_write(host(&two, W0)) == SIGSEGV);
  void *region = NULL;
  CHECK(gmem_lease_region(two.lease, PLAIN, &region) == GMEM_OK &&
        region == host(&two, W0));
  close_arena(&two);
  CHECK(shop.store_bank.live == 0);
  close_shop(&shop);
}

// Work with a digest, which says what computes it, is in the store with the
// weights of its region, if there is somebody to compute it.
static void test_models_share_work(void) {
  static net_t net;
  shop_t shop;
  open_shop(&shop);
  asked_t asked, asked_again, asked_other;
  make_net(&net, false);
  add_weight(&net, TABLE, SOURCE, TRANSFORM);
  gmem_model_sources_t sources = sources_of(&asked, 0, shop.weights);
  arena_t one = open_arena(plan_of(&net), &shop.provider, &sources);
  static const gmem_buffer_t all[] = {W0, W1, W2, W3, W4, TABLE};
  CHECK(asked_for(&asked, 6, all)); // work after the weights
  CHECK(shop.store_bank.live == 3 && shop.bank.live == 1);
  sources = sources_of(&asked_again, 0, shop.weights);
  arena_t two = open_arena(plan_of(&net), &shop.provider, &sources);
  CHECK(asked_for(&asked_again, 0, all));
  CHECK(host(&one, TABLE) == host(&two, TABLE) && holds(&two, TABLE, 100));
  CHECK(signal_of_write(host(&two, TABLE)) == SIGSEGV);
  close_arena(&two);
  // Computed by something else, or by nobody: not the same memory.
  net.weights[WEIGHTS].digest[0] ^= 1;
  sources = sources_of(&asked_other, 0, shop.weights);
  two = open_arena(plan_of(&net), &shop.provider, &sources);
  CHECK(asked_for(&asked_other, 2, (const gmem_buffer_t[]){W4, TABLE}));
  CHECK(host(&one, TABLE) != host(&two, TABLE) &&
        host(&one, W3) == host(&two, W3));
  close_arena(&two);
  net.weights[WEIGHTS].digest[0] ^= 1;
  sources = sources_of(&asked_other, 0, shop.weights);
  sources.work = NULL;
  two = open_arena(plan_of(&net), &shop.provider, &sources);
  CHECK(host(&one, TABLE) != host(&two, TABLE) && !host(&two, TABLE)[0]);
  close_arena(&two);
  close_arena(&one);
  close_shop(&shop);
  // The digest of work is never that of its bytes.
  void *data = NULL;
  size_t size = 0;
  net.weights[WEIGHTS].transform = 0;
  net.weights[WEIGHTS].source_size = 100;
  CHECK(gmem_plan_write(&net.desc, NULL, &data, &size, NULL) != GMEM_OK);
}

// What makes the bytes of a region, or their place in it, others.
static void test_other_regions_are_not_shared(void) {
  static net_t net, other;
  make_net(&net, false);
  shop_t shop;
  open_shop(&shop);
  asked_t asked;
  gmem_model_sources_t sources = sources_of(&asked, 0, shop.weights);
  arena_t one = open_arena(plan_of(&net), &shop.provider, &sources);
  for (int change = 0; change < 6; ++change) {
    make_net(&other, false);
    if (change == 0)
      other.regions[PACKED].size += 64;
    if (change == 1)
      other.regions[PACKED].align = 128;
    if (change == 2)
      other.weights[2].transform += 1; // of w2
    if (change == 3)
      other.weights[2].digest[31] ^= 1;
    if (change == 4)
      other.buffers[W3].offset += 64;
    if (change == 5)
      other.buffers[W2].size += 64;
    sources = sources_of(&asked, 0, shop.weights);
    arena_t two = open_arena(plan_of(&other), &shop.provider, &sources);
    CHECK(host(&one, W0) == host(&two, W0)); // of the region "plain"
    CHECK(host(&one, W3) != host(&two, W3));
    CHECK(shop.store_bank.live == 3);
    close_arena(&two);
  }
  close_arena(&one);
  close_shop(&shop);
}

static void test_scattered_weights(void) {
  static net_t net, other;
  make_net(&net, true);
  remove_lead(&net);
  make_net(&other, false); // elsewhere in its regions
  other.buffers[W3].offset += 64;
  other.buffers[W1].offset += 64;
  other.regions[PLAIN].base += 1 << 24;
  image_t image;
  write_image(&net, &image);
  shop_t shop;
  open_shop(&shop);
  asked_t asked;
  gmem_model_sources_t sources =
      sources_of(&asked, GMEM_MODEL_SCATTER | GMEM_MODEL_VERIFY, shop.weights);
  arena_t one = open_arena(plan_in_file(&image), &shop.provider, &sources);
  CHECK(asked_for(&asked, 2, only_missing));
  CHECK(shop.store_bank.live == WEIGHTS);
  // "mixed" for its work alone, and the slot.
  CHECK(shop.bank.live == 2 && shop.bank.maps == 0);
  check_values(&one, &net);
  sources = sources_of(&asked, GMEM_MODEL_SCATTER, shop.weights);
  arena_t two = open_arena(plan_of(&other), &shop.provider, &sources);
  static const gmem_buffer_t own[] = {TABLE};
  CHECK(asked_for(&asked, 1, own) && shop.store_bank.live == WEIGHTS);
  check_values(&two, &other);
  for (gmem_buffer_t id = W0; id <= W4; ++id)
    CHECK(host(&one, id) == host(&two, id));
  CHECK(host(&one, TABLE) != host(&two, TABLE));
  void *region = &shop;
  for (gmem_region_t r = PLAIN; r <= MIXED; ++r)
    CHECK(gmem_lease_region(one.lease, r, &region) == GMEM_ERR_UNSUPPORTED &&
          !region);
  CHECK(signal_of_write(host(&one, W4)) == SIGSEGV);
  CHECK(signal_of_write(host(&one, TABLE)) == SIGSEGV);
  // A plain weight is under its plain key.
  gmem_weight_key_t key = {.size = 300, .align = 64};
  memcpy(key.digest, net.weights[3].digest, sizeof key.digest);
  bytes_t none = {NULL, 0, GMEM_ERR_STATE, 0};
  gmem_weight_t *w3 = NULL;
  CHECK(gmem_weights_acquire(shop.weights, &key, fill_bytes, &none, &w3,
                             NULL) == GMEM_OK);
  CHECK(gmem_weight_host(w3) == host(&one, W3));
  gmem_weight_release(w3);
  close_arena(&one);
  check_values(&two, &other);
  close_arena(&two);
  free_image(&image);
  close_shop(&shop);
}

// Empty weights have an address, too.
static void test_scattered_with_an_empty_weight(void) {
  static net_t net;
  make_net(&net, false);
  net.buffers[W3].size = net.buffers[W3].payload = 0;
  net.weights[3] = net.weights[4];
  net.desc.weight_count = WEIGHTS - 1;
  shop_t shop;
  open_shop(&shop);
  asked_t asked;
  gmem_model_sources_t sources =
      sources_of(&asked, GMEM_MODEL_SCATTER, shop.weights);
  arena_t arena = open_arena(plan_of(&net), &shop.provider, &sources);
  CHECK(host(&arena, W3) != NULL && holds(&arena, W2, 1000));
  CHECK(shop.bank.live == 3 && shop.store_bank.live == WEIGHTS - 1);
  close_arena(&arena);
  close_shop(&shop);
}

// An alias may be aligned better than its parent: scattered weights heeded only
// the parent. Where no address of the weight alone could be right, there is no
// such model.
static void test_scattered_aliases_are_aligned(void) {
  enum { ALIGN = 1 << 16 };
  static net_t net;
  for (uint64_t start = 0; start <= 64; start += 64) {
    make_net(&net, false);
    net.buffers[W0].offset = start;
    net.buffers[HALF].offset = ALIGN;
    net.buffers[HALF].align = ALIGN;
    net.buffers[W1].offset += 128;
    shop_t shop;
    open_shop(&shop);
    asked_t asked;
    gmem_model_sources_t sources =
        sources_of(&asked, GMEM_MODEL_SCATTER, shop.weights);
    gmem_plan_t *plan = plan_of(&net);
    gmem_model_t *model = NULL;
    if (start == 0) {
      arena_t arena = open_arena(plan, &shop.provider, &sources);
      CHECK((uintptr_t)host(&arena, HALF) % ALIGN == 0);
      CHECK(host(&arena, HALF) == host(&arena, W0) + ALIGN);
      close_arena(&arena);
    } else {
      gmem_diag_t diag;
      CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model,
                              &diag) == GMEM_ERR_ALIGNMENT);
      CHECK(!model && diag.object == W0);
      gmem_plan_release(plan);
    }
    close_shop(&shop);
  }
}

// Memory for an import was compared with regions that are nowhere, and not with
// the weights that are.
static void test_imports_and_scattered_weights(void) {
  static net_t net;
  for (uint32_t flags = 0; flags <= GMEM_POOL_UNSHARED;
       flags += GMEM_POOL_UNSHARED) {
    make_net(&net, false);
    net.buffers[X].flags = GMEM_BUFFER_IMPORTABLE;
    shop_t shop;
    open_shop(&shop);
    asked_t asked;
    gmem_model_sources_t sources =
        sources_of(&asked, GMEM_MODEL_SCATTER, shop.weights);
    arena_t arena = open_arena(plan_of(&net), &shop.provider, &sources);
    gmem_pool_options_t options = {
        .struct_size = sizeof options, .initial_slots = 1, .flags = flags};
    gmem_pool_t *pool = NULL;
    gmem_lease_t *lease = NULL;
    CHECK(gmem_pool_create(arena.model, &shop.provider, &options, NULL, &pool,
                           NULL) == GMEM_OK);
    CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
    for (gmem_buffer_t id = W0; id <= TABLE; ++id) {
      uintptr_t inside = (uintptr_t)host(&arena, id) & ~(uintptr_t)63;
      CHECK(gmem_lease_import(lease, X, (void *)inside, 0, 64, NULL) ==
            GMEM_ERR_OVERLAP);
    }
    void *own = NULL;
    CHECK(gmem_lease_host(lease, X, &own) == GMEM_OK);
    CHECK(gmem_lease_import(lease, X, own, 0, 64, NULL) == GMEM_ERR_OVERLAP);
    // Nothing is at such an address of the device.
    CHECK(gmem_lease_import(lease, X, NULL, 64, 64, NULL) == GMEM_OK);
    gmem_lease_release(lease);
    gmem_pool_release(pool);
    close_arena(&arena);
    close_shop(&shop);
  }
}

static void test_what_a_store_needs(void) {
  static net_t net;
  shop_t shop;
  open_shop(&shop);
  asked_t asked;
  for (int scatter = 0; scatter < 2; ++scatter) {
    gmem_model_sources_t sources =
        sources_of(&asked, scatter ? GMEM_MODEL_SCATTER : 0, shop.weights);
    gmem_model_t *model = NULL;
    gmem_diag_t diag = {.text = ""};
    make_net(&net, false);
    net.desc.weight_count = 3; // w3 is not known
    gmem_plan_t *plan = plan_of(&net);
    CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model,
                            &diag) == GMEM_ERR_NOT_FOUND &&
          !model && diag.object == W3);
    gmem_plan_release(plan);
    for (uint64_t i = 0; i < 2; ++i) { // transforms that models alone ask for
      make_net(&net, false);
      net.weights[2].transform = GMEM_TRANSFORM_PADDED + i;
      plan = plan_of(&net);
      CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model,
                              &diag) == GMEM_ERR_OUT_OF_RANGE &&
            !model && diag.object == W2);
      gmem_plan_release(plan);
    }
  }
  close_shop(&shop);
}

//===--- fixed addresses --------------------------------------------------===//

// A stretch of addresses that is free, as far as one can know.
static uint64_t free_addresses(uint64_t size) {
  void *probe = mmap(NULL, size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(probe != MAP_FAILED && munmap(probe, size) == 0);
  return (uint64_t)(uintptr_t)probe;
}

static void check_planned_addresses(const arena_t *arena, const net_t *net) {
  for (gmem_buffer_t id = W0; id <= TABLE; ++id) {
    const gmem_buffer_info_t *buffer = &net->buffers[id];
    uint64_t device = 0;
    CHECK(gmem_lease_device(arena->lease, id, &device) == GMEM_OK &&
          device == net->regions[buffer->region].base + buffer->offset);
  }
}

static void test_fixed_addresses(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  uint64_t start = free_addresses(1 << 24) + (1 << 21);
  for (uint64_t r = 0; r < DDR; ++r) // and no base but the first a whole page
    net.regions[r].base = start + (r << 20) + 512 * r;
  net.buffers[W4].offset = (4096 - net.regions[MIXED].base % 4096) % 4096;
  memset(net.mixed, 0, sizeof net.mixed);
  put_bytes(net.mixed + net.buffers[W4].offset, W4, 64);
  net.buffers[TABLE].offset = 7000 - 7000 % 64;
  write_image(&net, &image);
  shop_t shop;
  open_shop(&shop);
  asked_t asked;
  gmem_model_sources_t sources =
      sources_of(&asked, GMEM_MODEL_FIXED_DEVICE, NULL);
  arena_t arena = open_arena(plan_in_file(&image), &shop.provider, &sources);
  check_planned_addresses(&arena, &net);
  check_values(&arena, &net);
  // Once more is not possible; nothing of the attempt is left.
  gmem_plan_t *plan = plan_in_file(&image);
  gmem_model_t *model = NULL;
  int live = shop.bank.live;
  CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model, NULL) ==
            GMEM_ERR_OUT_OF_MEMORY &&
        !model && shop.bank.live == live);
  close_arena(&arena);
  // Out of a store, where it can be shared.
  sources = sources_of(&asked, GMEM_MODEL_FIXED_DEVICE, shop.weights);
  arena = open_arena(plan_in_file(&image), &shop.provider, &sources);
  check_planned_addresses(&arena, &net);
  check_values(&arena, &net);
  CHECK(shop.store_bank.live == 2);
  // Whoever wants them at other addresses gets others.
  for (uint64_t r = 0; r < DDR; ++r)
    net.regions[r].base += 4 << 20;
  arena_t other = open_arena(plan_of(&net), &shop.provider, &sources);
  check_planned_addresses(&other, &net);
  CHECK(shop.store_bank.live == 4);
  close_arena(&other);
  close_arena(&arena);
  // A provider that gives other addresses.
  shop.bank.shift = 1 << 20;
  sources = sources_of(&asked, GMEM_MODEL_FIXED_DEVICE, NULL);
  CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model, NULL) ==
            GMEM_ERR_UNSUPPORTED &&
        !model && shop.bank.live == 0);
  gmem_plan_release(plan);
  free_image(&image);
  close_shop(&shop);
}

//===--- failures ---------------------------------------------------------===//

typedef struct way_s {
  uint32_t flags;
  bool in_file, in_store;
} way_t;

static const way_t ways[] = {
    {0, true, false},
    {GMEM_MODEL_COPY, true, false},
    {GMEM_MODEL_VERIFY, false, false},
    {0, true, true},
    {GMEM_MODEL_SCATTER | GMEM_MODEL_VERIFY, false, true},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

// Makes a model one way, with the store and the model on |heap|.
static gmem_status_t try_way(const way_t *way, const image_t *image,
                             bank_t *bank, const gmem_provider_t *provider,
                             heap_t *heap) {
  gmem_allocator_t allocator = {heap, heap_alloc, heap_free};
  gmem_plan_t *plan =
      way->in_file ? plan_in_file(image) : plan_in_memory(image);
  gmem_weights_t *weights = NULL;
  gmem_model_t *model = NULL;
  gmem_status_t status = GMEM_OK;
  asked_t asked;
  if (way->in_store)
    status = gmem_weights_create(provider, 0, &allocator, &weights, NULL);
  if (status == GMEM_OK) {
    gmem_model_sources_t sources = sources_of(&asked, way->flags, weights);
    status =
        gmem_model_create(plan, provider, &sources, &allocator, &model, NULL);
    CHECK((status == GMEM_OK) == (model != NULL));
    CHECK(status == GMEM_OK || bank->live == 0);
  }
  gmem_weights_release(weights); // a model keeps it
  gmem_plan_release(plan);
  gmem_model_release(model);
  CHECK(heap->live_blocks == 0 && heap->live_bytes == 0 && bank->live == 0);
  return status;
}

static void test_failures(void) {
  static net_t net;
  make_net(&net, true);
  image_t image;
  write_image(&net, &image);
  for (int w = 0; w < WAYS; ++w) {
    bank_t bank;
    gmem_provider_t provider = open_bank(&bank, NULL);
    unsigned failures = 0;
    for (size_t k = 1;; ++k) {
      heap_t heap = {.fail_at = k};
      gmem_status_t status = try_way(&ways[w], &image, &bank, &provider, &heap);
      if (k > heap.calls) {
        CHECK(status == GMEM_OK);
        break;
      }
      ++failures;
      CHECK(status == GMEM_ERR_OUT_OF_MEMORY);
    }
    CHECK(failures >= 1);
    for (unsigned k = 1;; ++k) {
      heap_t heap = {.fail_at = 0};
      bank.calls = 0;
      bank.fail_at = k;
      gmem_status_t status = try_way(&ways[w], &image, &bank, &provider, &heap);
      if (k > bank.calls) {
        CHECK(status == GMEM_OK && k > 6);
        break;
      }
      CHECK(status == GMEM_ERR_OUT_OF_MEMORY || status == GMEM_ERR_IO);
    }
    close_bank(&bank);
  }
  free_image(&image);
}

static void test_functions_that_fail(void) {
  static net_t net;
  make_net(&net, false);
  shop_t shop;
  open_shop(&shop);
  gmem_plan_t *plan = plan_of(&net);
  for (int way = 0; way < 3; ++way) {
    asked_t asked;
    gmem_model_t *model = NULL;
    gmem_model_sources_t sources =
        sources_of(&asked, way == 2 ? GMEM_MODEL_SCATTER : 0,
                   way > 0 ? shop.weights : NULL);
    asked.status = GMEM_ERR_CANCELLED;
    CHECK(gmem_model_create(plan, &shop.provider, &sources, NULL, &model,
                            NULL) == GMEM_ERR_CANCELLED &&
          !model && asked.count == 1);
    CHECK(shop.bank.live == 0 && shop.store_bank.live == 0);
    sources.weight = NULL; // work fails; or nothing brings the bytes
    CHECK(
        gmem_model_create(plan, &shop.provider, &sources, NULL, &model, NULL) ==
            (way > 0 ? GMEM_ERR_CORRUPT : GMEM_ERR_CANCELLED) &&
        !model);
  }
  gmem_plan_release(plan);
  close_shop(&shop);
}

static gmem_status_t blind_acquire(void *user, uint64_t size, uint64_t align,
                                   uint64_t fixed_device, uint32_t flags,
                                   gmem_range_t *out_range, gmem_diag_t *diag) {
  (void)user, (void)align, (void)fixed_device, (void)flags, (void)diag;
  *out_range = (gmem_range_t){.device = 1 << 20, .size = size};
  return GMEM_OK;
}

static void blind_release(void *user, const gmem_range_t *range) {
  (void)user, (void)range;
}

static void test_memory_without_host_address(void) {
  static net_t net;
  gmem_provider_t blind = {
      .granularity = 1, .acquire = blind_acquire, .release = blind_release};
  gmem_model_t *model = NULL;
  for (int stored = 0; stored < 2; ++stored) {
    make_net(&net, stored);
    gmem_plan_t *plan = plan_of(&net);
    // Without content and functions there is nothing to bring.
    CHECK(gmem_model_create(plan, &blind, NULL, NULL, &model, NULL) ==
          (stored ? GMEM_ERR_UNSUPPORTED : GMEM_OK));
    gmem_buffer_t bad = 0;
    if (!stored)
      CHECK(gmem_model_verify(model, &bad, NULL) == GMEM_ERR_UNSUPPORTED);
    gmem_model_release(model);
    model = NULL;
    asked_t asked;
    gmem_model_sources_t sources = sources_of(&asked, 0, NULL);
    CHECK(gmem_model_create(plan, &blind, &sources, NULL, &model, NULL) ==
              GMEM_ERR_UNSUPPORTED &&
          asked.count == 0);
    gmem_plan_release(plan);
  }
}

static void test_arguments(void) {
  static net_t net;
  make_net(&net, false);
  shop_t shop;
  open_shop(&shop);
  gmem_plan_t *plan = plan_of(&net);
  asked_t asked;
  const gmem_model_sources_t good = sources_of(&asked, 0, shop.weights);
  gmem_model_sources_t bad[3] = {good, good, good};
  bad[0].struct_size -= 1;
  bad[1].flags = 1u << 4;
  bad[2].flags = GMEM_MODEL_SCATTER | GMEM_MODEL_FIXED_DEVICE;
  gmem_model_t *model = (gmem_model_t *)&shop;
  for (int i = 0; i < 3; ++i)
    CHECK(gmem_model_create(plan, &shop.provider, &bad[i], NULL, &model,
                            NULL) == GMEM_ERR_INVALID_ARGUMENT &&
          !model);
  CHECK(asked.count == 0);
  gmem_provider_t broken = shop.provider;
  broken.granularity = 3;
  CHECK(gmem_model_create(plan, &broken, &good, NULL, &model, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_model_create(NULL, &shop.provider, &good, NULL, &model, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_model_create(plan, &shop.provider, &good, NULL, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_model_create(plan, &shop.provider, &good, NULL, &model, NULL) ==
        GMEM_OK);
  CHECK(gmem_model_plan(model) == plan);
  gmem_model_retain(model);
  gmem_model_release(model);
  CHECK(shop.store_bank.live == 2);
  gmem_model_release(model);
  gmem_model_release(NULL);
  CHECK(shop.store_bank.live == 0);
  gmem_plan_release(plan);
  close_shop(&shop);
}

//===--- many requests, many threads --------------------------------------===//

// Immutable workbuffers are initialised once, however many requests use them.
static void test_work_is_made_once(void) {
  static net_t net;
  make_net(&net, false);
  bank_t bank;
  gmem_provider_t provider = open_bank(&bank, NULL);
  asked_t asked;
  gmem_model_sources_t sources = sources_of(&asked, 0, NULL);
  arena_t arena = open_arena(plan_of(&net), &provider, &sources);
  const uint8_t *table = host(&arena, TABLE);
  for (int i = 0; i < 100; ++i) {
    gmem_lease_release(arena.lease);
    CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &arena.lease) ==
          GMEM_OK);
    CHECK(host(&arena, TABLE) == table && holds(&arena, TABLE, 100));
  }
  CHECK(asked_for(&asked, 6, in_order));
  close_arena(&arena);
  close_bank(&bank);
}

typedef struct many_s {
  shop_t shop;
  gmem_plan_t *plan;
  asked_t asked;
} many_t;

static void *make_and_drop(void *context) {
  many_t *many = context;
  for (int i = 0; i < 5; ++i) {
    gmem_model_t *model = NULL;
    gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                    .flags = i % 2 ? GMEM_MODEL_SCATTER : 0,
                                    .user = &many->asked,
                                    .weight = give,
                                    .work = give,
                                    .weights = many->shop.weights};
    CHECK(gmem_model_create(many->plan, &many->shop.provider, &sources, NULL,
                            &model, NULL) == GMEM_OK);
    gmem_model_release(model);
  }
  return NULL;
}

static void test_models_in_many_threads(void) {
  static net_t net;
  make_net(&net, false);
  many_t many = {.plan = plan_of(&net)};
  open_shop(&many.shop);
  run_threads(4, make_and_drop, &many);
  gmem_plan_release(many.plan);
  CHECK(many.shop.store_bank.live == 0);
  close_shop(&many.shop);
}

int main(void) {
  alarm(300); // a lock that is held too long hangs
  char folder[] = "/tmp/runtime_model_test.XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return 1;
  test_maps_files();
  test_copies_content();
  test_larger_pages();
  test_falls_back_to_copies();
  test_reads();
  test_without_content();
  test_finds_damage();
  test_files_cut_short();
  test_models_share_regions();
  test_models_share_work();
  test_other_regions_are_not_shared();
  test_scattered_weights();
  test_scattered_with_an_empty_weight();
  test_imports_and_scattered_weights();
  test_scattered_aliases_are_aligned();
  test_what_a_store_needs();
  test_fixed_addresses();
  test_failures();
  test_functions_that_fail();
  test_memory_without_host_address();
  test_arguments();
  test_work_is_made_once();
  test_models_in_many_threads();
  CHECK(rmdir(folder) == 0);
  return CHECK_RESULT();
}
