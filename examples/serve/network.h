// network.h - the network that is served: a compiled program, its plan on real
// memory, and cases to serve, with what comes out of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_NETWORK_H_
#define SERVE_NETWORK_H_

#include <stdbool.h>

#include "entry.h"
#include "gmem/runtime.h"
#include "own_memory.h"

enum { MAX_ARGUMENTS = 64 };

typedef struct network_options_s {
  const char *image; // path
  memory_kind_t memory;
  uint32_t slots, max_slots;
  uint32_t cases; // so many different requests
  uint64_t seed;  // of these
  bool use_store; // the weights are in a store, for other models to share
  bool break_it;  // all requests use one slot, at once: to see that it shows
} network_options_t;

// All but the pool's inside is immutable once it is open.
typedef struct network_s {
  network_options_t options;
  gmem_provider_t provider;
  gmem_plan_t *plan;
  gmem_weights_t *store; // or NULL
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *everyones; // where not each request has its own; else NULL

  // By argument: the region of an arena; else where the array lies in the
  // |payload| bytes that a request brings and takes with it.
  gmem_region_t regions[MAX_ARGUMENTS];
  uint64_t sizes[MAX_ARGUMENTS], places[MAX_ARGUMENTS]; // bytes
  uint64_t payload;

  // By case: the payload before and after the call.
  uint8_t **before, **after;
} network_t;

// Loads the image, which must be that of the program, maps it, makes the cases
// up and runs each of them once, alone. On failure there is a sentence in
// |diag|, and network_close is to be called all the same.
GMEM_MUST_USE gmem_status_t network_open(const network_options_t *options,
                                         network_t *out_network,
                                         gmem_diag_t *diag);
// No request may be under way.
void network_close(network_t *network);

// What a thread calls the network with. One request at a time.
typedef struct call_s call_t;
call_t *call_create(const network_t *network); // NULL: out of memory
void call_destroy(call_t *call);

// Gets memory for one request: waits for it up to |timeout_ns|. Fails as
// gmem_lease_acquire does.
GMEM_MUST_USE gmem_status_t call_begin(call_t *call, int64_t timeout_ns);
// Runs the network on a case.
void call_run(call_t *call, uint32_t number);
// Gives the memory back.
void call_end(call_t *call);
// Whether what came out is what came out when the case ran alone.
bool call_is_right(const call_t *call, uint32_t number);

#endif // SERVE_NETWORK_H_
