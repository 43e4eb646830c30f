// network.c - see network.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"

enum { ARRAY_ALIGNMENT = 64 };

static gmem_status_t fail(gmem_diag_t *diag, gmem_status_t status,
                          const char *text, const char *name) {
  *diag = (gmem_diag_t){.status = status};
  snprintf(diag->text, sizeof diag->text, "%s%s", text, name);
  return status;
}

//===--- the program and its plan -----------------------------------------===//

static uint64_t round_up(uint64_t size) {
  return (size + ARRAY_ALIGNMENT - 1) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
}

static gmem_region_t find_region(const gmem_plan_t *plan, const char *name,
                                 uint64_t size) {
  gmem_region_info_t region;
  for (gmem_region_t i = 0; i < gmem_plan_region_count(plan); ++i)
    if (gmem_plan_region(plan, i, &region) == GMEM_OK &&
        strcmp(region.name, name) == 0 && region.size >= size)
      return i;
  return GMEM_NONE;
}

// Finds where each argument lies. The program was compiled with one plan: with
// any other it would write where something else is.
static gmem_status_t lay_out(network_t *network, gmem_diag_t *diag) {
  if (entry_argument_count > MAX_ARGUMENTS)
    return fail(diag, GMEM_ERR_OUT_OF_RANGE, "too many arguments", "");
  if (memcmp(gmem_plan_digest(network->plan), entry_plan_digest,
             sizeof entry_plan_digest) != 0)
    return fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                "this is the plan of another program", "");
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    const entry_argument_t *argument = &entry_arguments[i];
    uint64_t size = argument->element_size;
    for (uint32_t d = 0; d < argument->rank; ++d)
      size *= (uint64_t)argument->sizes[d];
    network->sizes[i] = size;
    if (argument->use != ENTRY_ARENA) {
      network->places[i] = network->payload;
      network->payload += round_up(size);
      continue;
    }
    network->regions[i] = find_region(network->plan, argument->arena, size);
    if (network->regions[i] == GMEM_NONE)
      return fail(diag, GMEM_ERR_NOT_FOUND,
                  "the plan has no region for the arena ", argument->arena);
  }
  return GMEM_OK;
}

static gmem_status_t make_model(network_t *network, gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  if (network->options.use_store)
    status =
        gmem_weights_create(&network->provider, 0, NULL, &network->store, diag);
  if (status != GMEM_OK)
    return status;
  // Weights in the image are mapped from the file, read-only, without a copy.
  // VERIFY reads all of them once, and compares their digests.
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = GMEM_MODEL_VERIFY,
                                  .weights = network->store};
  return gmem_model_create(network->plan, &network->provider, &sources, NULL,
                           &network->model, diag);
}

static gmem_status_t make_pool(network_t *network, gmem_diag_t *diag) {
  const network_options_t *options = &network->options;
  bool is_shared = options->break_it || options->memory != MEMORY_POOL;
  gmem_pool_options_t how = {.struct_size = sizeof how,
                             .initial_slots = is_shared ? 1 : options->slots,
                             .max_slots = is_shared ? 1 : options->max_slots};
  if (options->memory == MEMORY_POOL)
    how.flags = GMEM_POOL_PREFAULT; // page faults now, not in a request
  gmem_status_t status = gmem_pool_create(network->model, &network->provider,
                                          &how, NULL, &network->pool, diag);
  if (status == GMEM_OK && is_shared)
    status = gmem_lease_acquire(network->pool, GMEM_NONE, NULL, 0,
                                &network->everyones);
  return status;
}

//===--- cases ------------------------------------------------------------===//

static void make_up(const entry_argument_t *argument, uint64_t size,
                    uint64_t *state, uint8_t *out) {
  for (uint64_t at = 0; at < size; at += argument->element_size) {
    uint64_t bits =
        (random_bits(state) & argument->random_bits) | argument->set_bits;
    for (uint32_t i = 0; i < argument->element_size; ++i)
      out[at + i] = (uint8_t)(bits >> 8 * i);
  }
}

static uint8_t *new_payload(const network_t *network) {
  uint8_t *payload =
      aligned_alloc(ARRAY_ALIGNMENT, round_up(network->payload + 1));
  if (payload)
    memset(payload, 0, round_up(network->payload + 1));
  return payload;
}

static gmem_status_t make_cases(network_t *network, gmem_diag_t *diag) {
  uint64_t state = network->options.seed;
  uint32_t cases = network->options.cases;
  network->before = calloc(cases, sizeof *network->before);
  network->after = calloc(cases, sizeof *network->after);
  for (uint32_t i = 0; network->before && network->after && i < cases; ++i) {
    network->before[i] = new_payload(network);
    network->after[i] = new_payload(network);
    if (!network->before[i] || !network->after[i])
      break;
    for (uint32_t a = 0; a < entry_argument_count; ++a)
      if (entry_arguments[a].use == ENTRY_INPUT)
        make_up(&entry_arguments[a], network->sizes[a], &state,
                network->before[i] + network->places[a]);
  }
  if (network->before && network->after && network->after[cases - 1])
    return GMEM_OK;
  return fail(diag, GMEM_ERR_OUT_OF_MEMORY, "no memory for the cases", "");
}

//===--- calls ------------------------------------------------------------===//

// What MLIR's C interface takes in the place of an array.
typedef struct descriptor_s {
  void *allocated, *aligned;
  int64_t offset;                    // elements
  int64_t shape[2 * ENTRY_MAX_RANK]; // sizes, then strides
} descriptor_t;

struct call_s {
  const network_t *network;
  uint8_t *payload;
  descriptor_t descriptors[MAX_ARGUMENTS];
  void *pointers[MAX_ARGUMENTS]; // to these
  gmem_lease_t *lease;           // of the request that is under way, or NULL
  void *own[MAX_ARGUMENTS];      // arenas that are not of the pool, or NULL
};

static void set_address(call_t *call, uint32_t argument, void *address) {
  call->descriptors[argument].allocated = address;
  call->descriptors[argument].aligned = address;
}

static void describe(const entry_argument_t *argument, descriptor_t *out) {
  int64_t stride = 1;
  for (uint32_t d = argument->rank; d-- > 0;) {
    out->shape[d] = argument->sizes[d];
    out->shape[argument->rank + d] = stride;
    stride *= argument->sizes[d];
  }
}

call_t *call_create(const network_t *network) {
  call_t *call = calloc(1, sizeof *call);
  if (!call)
    return NULL;
  call->network = network;
  call->payload = new_payload(network);
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    describe(&entry_arguments[i], &call->descriptors[i]);
    call->pointers[i] = &call->descriptors[i];
    if (call->payload && entry_arguments[i].use != ENTRY_ARENA)
      set_address(call, i, call->payload + network->places[i]);
  }
  if (call->payload)
    return call;
  free(call);
  return NULL;
}

void call_destroy(call_t *call) {
  if (call)
    free(call->payload);
  free(call);
}

// This is how a program gets its memory: the addresses are in the lease, and
// nowhere else.
static gmem_status_t begin_on(call_t *call, const gmem_lease_t *lease) {
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    void *address;
    if (entry_arguments[i].use != ENTRY_ARENA)
      continue;
    gmem_status_t status =
        gmem_lease_region(lease, call->network->regions[i], &address);
    if (status != GMEM_OK)
      return status;
    set_address(call, i, address);
  }
  return GMEM_OK;
}

// Without a pool: memory for all that is not shared.
static gmem_status_t begin_on_own(call_t *call) {
  const network_t *network = call->network;
  gmem_region_info_t region;
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    if (entry_arguments[i].use != ENTRY_ARENA ||
        gmem_plan_region(network->plan, network->regions[i], &region) !=
            GMEM_OK ||
        region.space == GMEM_SPACE_WEIGHT ||
        region.space == GMEM_SPACE_SHARED_WORK)
      continue;
    call->own[i] = own_memory_get(network->options.memory, network->sizes[i],
                                  region.align);
    if (!call->own[i])
      return GMEM_ERR_OUT_OF_MEMORY;
    set_address(call, i, call->own[i]);
  }
  return GMEM_OK;
}

gmem_status_t call_begin(call_t *call, int64_t timeout_ns) {
  const network_t *network = call->network;
  gmem_status_t status = GMEM_OK;
  if (!network->everyones)
    status = gmem_lease_acquire(network->pool, GMEM_NONE, NULL, timeout_ns,
                                &call->lease);
  if (status == GMEM_OK)
    status = begin_on(call, call->lease ? call->lease : network->everyones);
  if (status == GMEM_OK && network->options.memory != MEMORY_POOL)
    status = begin_on_own(call);
  if (status != GMEM_OK)
    call_end(call);
  return status;
}

void call_run(call_t *call, uint32_t number) {
  memcpy(call->payload, call->network->before[number], call->network->payload);
  entry_call(call->pointers);
}

void call_end(call_t *call) {
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    own_memory_put(call->network->options.memory, call->own[i],
                   call->network->sizes[i]);
    call->own[i] = NULL;
  }
  gmem_lease_release(call->lease);
  call->lease = NULL;
}

bool call_is_right(const call_t *call, uint32_t number) {
  return memcmp(call->payload, call->network->after[number],
                call->network->payload) == 0;
}

//===--- opening and closing ----------------------------------------------===//

static gmem_status_t run_cases(network_t *network, gmem_diag_t *diag) {
  call_t *call = call_create(network);
  if (!call)
    return fail(diag, GMEM_ERR_OUT_OF_MEMORY, "no memory for a call", "");
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; status == GMEM_OK && i < network->options.cases; ++i) {
    status = call_begin(call, 0);
    if (status != GMEM_OK)
      break;
    call_run(call, i);
    call_end(call);
    memcpy(network->after[i], call->payload, network->payload);
  }
  call_destroy(call);
  return status == GMEM_OK ? status
                           : fail(diag, status, "no memory for a request", "");
}

gmem_status_t network_open(const network_options_t *options,
                           network_t *out_network, gmem_diag_t *diag) {
  network_t *network = out_network;
  *network = (network_t){.options = *options};
  *diag = (gmem_diag_t){0};
  gmem_status_t status = gmem_provider_mmap(NULL, NULL, &network->provider);
  if (status == GMEM_OK)
    status = gmem_plan_load_file(options->image, 0, NULL, &network->plan, diag);
  if (status == GMEM_OK)
    status = lay_out(network, diag);
  if (status == GMEM_OK)
    status = make_model(network, diag);
  if (status == GMEM_OK)
    status = make_pool(network, diag);
  if (status == GMEM_OK)
    status = make_cases(network, diag);
  if (status == GMEM_OK)
    status = run_cases(network, diag);
  return status;
}

void network_close(network_t *network) {
  for (uint32_t i = 0; i < network->options.cases; ++i) {
    if (network->before)
      free(network->before[i]);
    if (network->after)
      free(network->after[i]);
  }
  free(network->before);
  free(network->after);
  gmem_lease_release(network->everyones);
  gmem_pool_release(network->pool);
  gmem_model_release(network->model);
  gmem_weights_release(network->store);
  gmem_plan_release(network->plan);
  gmem_provider_destroy(&network->provider);
  *network = (network_t){0};
}
