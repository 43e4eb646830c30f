// bench_aliases.c - problems with optional aliases that the benchmarks make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_aliases.h"

#include <stdlib.h>

#include "bench_kinds.h"

enum { BLOCK = 16 };

typedef struct bench_value_s {
  int64_t begin, end;
  uint64_t size;
} bench_value_t;

// Ops in their order: op t makes values at time t and is the last reader of
// others, which then end at t + 1.
struct bench_network_s {
  bench_value_t *values;
  gmem_alias_spec_t *aliases;
  uint32_t value_count, alias_count, room;
  int64_t time;
  uint64_t seed;
};

static uint64_t random_size(bench_network_t *network) {
  network->seed = network->seed * UINT64_C(6364136223846793005) +
                  UINT64_C(1442695040888963407);
  return UINT64_C(256) << ((network->seed >> 33) % 10);
}

//===--- ops --------------------------------------------------------------===//

static uint32_t make(bench_network_t *network, uint64_t size) {
  if (network->value_count == network->room)
    exit(1);
  network->values[network->value_count] =
      (bench_value_t){network->time, network->time + 1, size};
  return network->value_count++;
}

static void read_value(bench_network_t *network, uint32_t value) {
  network->values[value].end = network->time + 1;
}

static void may_alias(bench_network_t *network, uint32_t child, uint32_t parent,
                      uint64_t offset) {
  network->aliases[network->alias_count++] =
      (gmem_alias_spec_t){child, parent, offset, .is_optional = true};
}

// A result that needs bytes of its own.
static uint32_t convolve(bench_network_t *network, uint32_t from,
                         uint64_t size) {
  ++network->time;
  uint32_t result = make(network, size);
  read_value(network, from);
  return result;
}

// A result that may replace |from|.
static uint32_t change(bench_network_t *network, uint32_t from) {
  uint32_t result = convolve(network, from, network->values[from].size);
  may_alias(network, result, from, 0);
  return result;
}

static uint32_t add(bench_network_t *network, uint32_t a, uint32_t b) {
  uint32_t result = change(network, a);
  read_value(network, b);
  may_alias(network, result, b, 0);
  return result;
}

static uint32_t concatenate(bench_network_t *network, const uint32_t *values,
                            uint32_t count) {
  uint64_t size = 0;
  ++network->time;
  uint32_t result = make(network, 0);
  for (uint32_t i = 0; i < count; ++i) {
    read_value(network, values[i]);
    may_alias(network, values[i], result, size);
    size += network->values[values[i]].size;
  }
  network->values[result].size = size;
  return result;
}

static uint32_t slice(bench_network_t *network, uint32_t from, uint64_t offset,
                      uint64_t size) {
  uint32_t result = convolve(network, from, size);
  may_alias(network, result, from, offset);
  return result;
}

//===--- networks ---------------------------------------------------------===//

static void generate_inplace(bench_network_t *network, uint32_t count) {
  uint32_t last = make(network, 4096);
  while (network->value_count < count)
    last = change(network, last);
}

static void generate_residual(bench_network_t *network, uint32_t count) {
  uint32_t x = make(network, random_size(network));
  while (network->value_count < count) {
    uint64_t size = network->values[x].size;
    uint32_t inner = convolve(network, x, random_size(network));
    uint32_t f = convolve(network, change(network, inner), size);
    x = add(network, x, f);
    if (network->value_count % 64 == 0) // a new stage
      x = convolve(network, x, random_size(network));
  }
}

static void generate_dense(bench_network_t *network, uint32_t count) {
  uint32_t x = make(network, random_size(network));
  while (network->value_count < count) {
    uint64_t growth = random_size(network);
    for (int layer = 0; layer < BLOCK; ++layer) {
      uint32_t f = change(network, convolve(network, x, growth));
      x = concatenate(network, (uint32_t[]){x, f}, 2);
    }
    x = convolve(network, x, random_size(network));
  }
}

static void generate_concat(bench_network_t *network, uint32_t count) {
  uint32_t *values = malloc(count * sizeof *values);
  if (!values)
    exit(1);
  for (uint32_t i = 0; i + 1 < count; ++i, ++network->time)
    values[i] = make(network, random_size(network));
  concatenate(network, values, count - 1);
  free(values);
}

static void generate_slices(bench_network_t *network, uint32_t count) {
  uint32_t x = make(network, BLOCK * random_size(network));
  while (network->value_count < count) {
    uint64_t size = network->values[x].size / BLOCK;
    uint32_t pieces[BLOCK];
    for (uint64_t i = 0; i < BLOCK; ++i)
      pieces[i] = slice(network, x, i * size, size);
    for (int i = 0; i < BLOCK; ++i)
      pieces[i] = change(network, pieces[i]);
    x = concatenate(network, pieces, BLOCK);
    x = convolve(network, x, BLOCK * random_size(network));
  }
}

static void generate_shuffled(bench_network_t *network, uint32_t count) {
  uint32_t *values = malloc(count * sizeof *values);
  if (!values)
    exit(1);
  for (uint32_t i = 0; i + 1 < count; ++i, ++network->time) {
    uint32_t made = make(network, random_size(network));
    uint32_t other = (uint32_t)(network->seed >> 20) % (i + 1);
    values[i] = values[other];
    values[other] = made;
  }
  concatenate(network, values, count - 1);
  free(values);
}

// One of the last values, or seldom one of long ago.
static uint32_t pick(bench_network_t *network) {
  uint64_t random = random_size(network) / 256 + (network->seed >> 40);
  uint32_t count = network->value_count;
  uint32_t back = (uint32_t)(random % (random % 31 == 0 ? 64 : 6));
  return back < count ? count - 1 - back : 0;
}

static void generate_mixed(bench_network_t *network, uint32_t count) {
  uint32_t last = make(network, random_size(network));
  while (network->value_count < count) {
    uint32_t a = pick(network), b = pick(network);
    switch ((network->seed >> 35) % 5) {
    case 0:
      if (network->values[a].size == network->values[b].size && a != b)
        last = add(network, a, b);
      else
        last = change(network, a);
      break;
    case 1:
      if (network->values[a].size + network->values[b].size < 1 << 18)
        last = concatenate(network, (uint32_t[]){a, b}, 2);
      break;
    case 2:
      last = slice(network, a, network->values[a].size / 2,
                   network->values[a].size / 2);
      break;
    case 3:
      last = change(network, last);
      break;
    default:
      last = convolve(network, b, random_size(network));
    }
  }
}

const bench_alias_kind_t bench_alias_kinds[BENCH_ALIAS_KINDS] = {
    {"inplace", generate_inplace}, {"residual", generate_residual},
    {"dense", generate_dense},     {"concat", generate_concat},
    {"slices", generate_slices},   {"shuffled", generate_shuffled},
    {"mixed", generate_mixed}};

//===--- problems ---------------------------------------------------------===//

static void add_values(gmem_problem_t *problem,
                       const bench_network_t *network) {
  gmem_diag_t diag = {.status = GMEM_OK};
  uint32_t index;
  for (uint32_t i = 0; i < network->value_count; ++i) {
    const bench_value_t *value = &network->values[i];
    gmem_live_range_t range = {value->begin, value->end};
    gmem_buffer_spec_t spec = {.ranges = &range,
                               .range_count = 1,
                               .alignment = 1,
                               .size = value->size};
    bench_require(gmem_problem_add_buffer(problem, &spec, &index, &diag),
                  &diag);
  }
}

gmem_problem_t *bench_alias_problem(const bench_alias_kind_t *kind,
                                    uint32_t count, bool with_aliases) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_spec_t pool = {
      .name = "memory", .capacity = GMEM_UNLIMITED, .alignment = 64};
  bench_network_t network = {.room = count + 4 * BLOCK, .seed = 1};
  uint32_t index;
  network.values = malloc(network.room * sizeof *network.values);
  network.aliases = malloc(2 * network.room * sizeof *network.aliases);
  if (!network.values || !network.aliases)
    bench_require(GMEM_ERR_OUT_OF_MEMORY,
                  &(gmem_diag_t){.text = "out of memory"});
  kind->generate(&network, count);
  bench_require(gmem_problem_create(NULL, &problem, &diag), &diag);
  bench_require(gmem_problem_add_pool(problem, &pool, &index, &diag), &diag);
  add_values(problem, &network);
  for (uint32_t i = 0; with_aliases && i < network.alias_count; ++i)
    bench_require(gmem_problem_add_alias(problem, &network.aliases[i], &diag),
                  &diag);
  free(network.values);
  free(network.aliases);
  return problem;
}
