// server.h - threads that answer requests to one network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_SERVER_H_
#define SERVE_SERVER_H_

#include <stdatomic.h>

#include "network.h"
#include "request_queue.h"
#include "times.h"

// What becomes of a request.
typedef enum outcome_e {
  OUTCOME_DONE,
  OUTCOME_WRONG,     // something else came out than when it ran alone
  OUTCOME_FAILED,    // there was no memory
  OUTCOME_LATE,      // given up: no slot before the time-out
  OUTCOME_REFUSED,   // not taken: the queue was full
  OUTCOME_CANCELLED, // the server was stopped before its turn
  OUTCOMES,
} outcome_t;

typedef struct tally_s {
  uint64_t outcomes[OUTCOMES];
  // Of those that were done, or wrong: until there was a slot, from then on,
  // and together.
  times_t queueing, service, both;
} tally_t;
void tally_merge(tally_t *into, const tally_t *from);

typedef struct worker_s worker_t;

typedef struct server_s {
  network_t *network;
  request_queue_t queue;
  uint64_t timeout_ns; // of a request; UINT64_MAX: none
  atomic_bool is_stopping;
  worker_t *workers;
  uint32_t worker_count;
} server_t;

// Starts the workers, whose requests end |timeout_ns| after they were due.
// False when there is no memory, or are no threads, for them. server_destroy is
// to be called in any case.
bool server_create(server_t *server, network_t *network, uint32_t workers,
                   uint32_t queue_capacity, uint64_t timeout_ns);
// Ends all requests that wait, and those that come. Any thread.
void server_stop(server_t *server);
// Stops, and waits for the workers.
void server_destroy(server_t *server);

// Adds up what the workers have counted since the last time. All requests must
// have been answered (request_queue_drain).
void server_take_tally(server_t *server, tally_t *out_tally);

#endif // SERVE_SERVER_H_
