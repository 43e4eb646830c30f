// weight_exchange.h - shares the constants of a plan with other processes that
// run gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes meet at a socket in the file system. A process that finds no
// other there makes the constants, and passes sealed memory files of them to
// processes that ask for the same later, for as long as it runs.

#ifndef GMEM_TOOLS_WEIGHT_EXCHANGE_H_
#define GMEM_TOOLS_WEIGHT_EXCHANGE_H_

#include <pthread.h>
#include <stdbool.h>

#include "gmem/plan.h"
#include "gmem/weight_store.h"

// Zero-initialise.
typedef struct gmem_weight_exchange_s {
  gmem_provider_t provider;
  gmem_weights_t *weights; // the store
  gmem_weight_key_t *keys; // of the shared regions of the plan
  gmem_weight_t **held;    // by key: the weight, or NULL
  uint32_t count;
  uint64_t imported; // bytes of weights of another process
  const char *path;  // of the socket
  int socket;        // that is listened at, if it serves
  pthread_t server;
  bool is_serving;
} gmem_weight_exchange_t;

// Creates a store, and imports what the process at the socket |path|, if there
// is one, has of the shared regions of |plan|, which must have the digests of
// their contents. Call gmem_weight_exchange_close in any case, after the
// models that use the store are released.
GMEM_MUST_USE gmem_status_t
gmem_weight_exchange_open(gmem_weight_exchange_t *exchange, const char *path,
                          const gmem_plan_t *plan, gmem_diag_t *diag);

// Begins to give others what this process has made itself, unless another one
// does so at the socket. Call it when the store has all of |plan|.
GMEM_MUST_USE gmem_status_t
gmem_weight_exchange_serve(gmem_weight_exchange_t *exchange, gmem_diag_t *diag);

void gmem_weight_exchange_close(gmem_weight_exchange_t *exchange);

#endif // GMEM_TOOLS_WEIGHT_EXCHANGE_H_
