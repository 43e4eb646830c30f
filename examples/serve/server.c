// server.c - see server.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <stdlib.h>

struct worker_s {
  server_t *server;
  pthread_t thread;
  bool has_thread;
  call_t *call;
  tally_t tally; // the worker's own until all requests are answered
};

void tally_merge(tally_t *into, const tally_t *from) {
  for (int i = 0; i < OUTCOMES; ++i)
    into->outcomes[i] += from->outcomes[i];
  times_merge(&into->queueing, &from->queueing);
  times_merge(&into->service, &from->service);
  times_merge(&into->both, &from->both);
}

//===--- a request --------------------------------------------------------===//

static outcome_t begin(worker_t *worker, const request_t *request) {
  const server_t *server = worker->server;
  int64_t left = GMEM_WAIT_FOREVER;
  if (atomic_load(&server->is_stopping))
    return OUTCOME_CANCELLED;
  if (server->timeout_ns != UINT64_MAX) {
    uint64_t waited = times_now() - request->due_ns;
    if (waited >= server->timeout_ns)
      return OUTCOME_LATE;
    left = (int64_t)(server->timeout_ns - waited);
  }
  switch (call_begin(worker->call, left)) {
  case GMEM_OK:
    return OUTCOME_DONE;
  case GMEM_ERR_TIMEOUT:
    return OUTCOME_LATE;
  case GMEM_ERR_CANCELLED:
    return OUTCOME_CANCELLED;
  default:
    return OUTCOME_FAILED;
  }
}

static outcome_t answer(worker_t *worker, const request_t *request) {
  outcome_t outcome = begin(worker, request);
  if (outcome != OUTCOME_DONE)
    return outcome;
  uint64_t begun = times_now();
  call_run(worker->call, request->number);
  call_end(worker->call); // what came out is not in the slot: it may go
  uint64_t ended = times_now();
  times_add(&worker->tally.queueing, begun - request->due_ns);
  times_add(&worker->tally.service, ended - begun);
  times_add(&worker->tally.both, ended - request->due_ns);
  return call_is_right(worker->call, request->number) ? OUTCOME_DONE
                                                      : OUTCOME_WRONG;
}

static void *work(void *user) {
  worker_t *worker = user;
  request_queue_t *queue = &worker->server->queue;
  request_t request;
  while (request_queue_pop(queue, &request)) {
    ++worker->tally.outcomes[answer(worker, &request)];
    request_queue_answer(queue, &request);
  }
  return NULL;
}

//===--- the server -------------------------------------------------------===//

bool server_create(server_t *server, network_t *network, uint32_t workers,
                   uint32_t queue_capacity, uint64_t timeout_ns) {
  *server = (server_t){.network = network, .timeout_ns = timeout_ns};
  bool has_queue = request_queue_create(&server->queue, queue_capacity);
  server->workers = calloc(workers, sizeof *server->workers);
  if (!has_queue || !server->workers)
    return false;
  for (uint32_t i = 0; i < workers; ++i) {
    worker_t *worker = &server->workers[server->worker_count++];
    worker->server = server;
    worker->call = call_create(network);
    worker->has_thread = worker->call && pthread_create(&worker->thread, NULL,
                                                        work, worker) == 0;
    if (!worker->has_thread)
      return false;
  }
  return true;
}

void server_stop(server_t *server) {
  atomic_store(&server->is_stopping, true);
  // Workers that wait for a slot stop waiting. One that has seen no stop and is
  // about to wait gets its slot from those that have one: none is kept long.
  gmem_pool_interrupt(server->network->pool);
  request_queue_close(&server->queue);
}

void server_destroy(server_t *server) {
  server_stop(server);
  for (uint32_t i = 0; i < server->worker_count; ++i)
    if (server->workers[i].has_thread)
      pthread_join(server->workers[i].thread, NULL);
  for (uint32_t i = 0; i < server->worker_count; ++i)
    call_destroy(server->workers[i].call);
  free(server->workers);
  request_queue_destroy(&server->queue);
}

void server_take_tally(server_t *server, tally_t *out_tally) {
  *out_tally = (tally_t){0};
  for (uint32_t i = 0; i < server->worker_count; ++i) {
    tally_merge(out_tally, &server->workers[i].tally);
    server->workers[i].tally = (tally_t){0};
  }
}
