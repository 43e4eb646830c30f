// load.c - see load.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load.h"

#include <math.h>
#include <stdlib.h>

#include "random_bits.h"
#include "resident_memory.h"

// First the requests to warm up, then those that are measured: the same
// senders, so that nothing is done for the first time when it counts.
enum { WARM_UP, MEASURED, PHASES };

typedef struct load_s {
  server_t *server;
  const load_options_t *options;
  pthread_mutex_t start;  // held until it is known how many senders there are
  pthread_barrier_t gate; // all of them and load_run, around each phase
  uint64_t begin_ns, end_ns, limit; // of the phase; requests in it
  atomic_uint_fast64_t sent;
  atomic_uint_fast64_t refused;
} load_t;

//===--- sending ----------------------------------------------------------===//

// Gets the number of the next request; false when there is none.
static bool next_number(load_t *load, uint64_t *out_number) {
  *out_number = atomic_fetch_add(&load->sent, 1);
  return *out_number < load->limit;
}

static request_t make_request(const load_t *load, uint64_t number,
                              uint64_t due_ns, sem_t *answered) {
  uint32_t cases = load->server->network->options.cases;
  return (request_t){(uint32_t)(number % cases), due_ns, answered};
}

static void send_closed(load_t *load, sem_t *answered) {
  uint64_t number;
  while (times_now() < load->end_ns && next_number(load, &number)) {
    request_t request = make_request(load, number, times_now(), answered);
    if (!request_queue_push(&load->server->queue, &request, true))
      return;
    while (sem_wait(answered) != 0)
      ; // a signal: wait on
  }
}

// Nanoseconds to the next request, when they come at random (exponential gaps,
// the same ones for a seed).
static uint64_t next_gap(uint64_t *state, double rate) {
  double uniform = ((double)(random_bits(state) >> 11) + 1) / 9007199254740992;
  return (uint64_t)(-log(uniform) / rate * 1e9);
}

// Latency counts from the time a request is due, however late it is sent: the
// wait for a busy server counts.
static void send_open(load_t *load, bool is_warming_up) {
  request_queue_t *queue = &load->server->queue;
  uint64_t state = load->options->seed, number;
  uint64_t due = load->begin_ns;
  while (next_number(load, &number)) {
    if (!is_warming_up)
      due += next_gap(&state, load->options->rate);
    if (due >= load->end_ns || !request_queue_sleep_until(queue, due))
      return;
    request_t request =
        make_request(load, number, is_warming_up ? times_now() : due, NULL);
    if (!request_queue_push(queue, &request, is_warming_up))
      atomic_fetch_add(&load->refused, 1);
  }
}

static void *sender(void *user) {
  load_t *load = user;
  sem_t answered;
  sem_init(&answered, 0, 0);
  pthread_mutex_lock(&load->start);
  pthread_mutex_unlock(&load->start);
  for (int phase = 0; phase < PHASES; ++phase) {
    pthread_barrier_wait(&load->gate);
    if (load->options->rate > 0)
      send_open(load, phase == WARM_UP);
    else
      send_closed(load, &answered);
    pthread_barrier_wait(&load->gate);
  }
  sem_destroy(&answered);
  return NULL;
}

//===--- phases -----------------------------------------------------------===//

static void run_phase(load_t *load, uint64_t limit, double seconds,
                      load_result_t *out_result) {
  atomic_store(&load->sent, 0);
  atomic_store(&load->refused, 0);
  load->limit = limit;
  uint64_t faults = page_faults();
  double cpu = cpu_seconds();
  load->begin_ns = times_now();
  load->end_ns =
      seconds > 0 ? load->begin_ns + (uint64_t)(seconds * 1e9) : UINT64_MAX;
  pthread_barrier_wait(&load->gate);
  pthread_barrier_wait(&load->gate);
  request_queue_drain(&load->server->queue);
  out_result->seconds = (double)(times_now() - load->begin_ns) / 1e9;
  out_result->page_faults = page_faults() - faults;
  out_result->cpu_seconds = cpu_seconds() - cpu;
  server_take_tally(load->server, &out_result->tally);
  out_result->tally.outcomes[OUTCOME_REFUSED] += atomic_load(&load->refused);
}

bool load_run(server_t *server, const load_options_t *options,
              load_result_t *out_result) {
  load_t load = {.server = server, .options = options};
  uint32_t senders = options->rate > 0 ? 1 : options->clients, started = 0;
  pthread_t *threads = calloc(senders, sizeof *threads);
  *out_result = (load_result_t){0};
  if (!threads)
    return false;
  pthread_mutex_init(&load.start, NULL);
  pthread_mutex_lock(&load.start);
  while (started < senders &&
         pthread_create(&threads[started], NULL, sender, &load) == 0)
    ++started;
  pthread_barrier_init(&load.gate, NULL, started + 1);
  pthread_mutex_unlock(&load.start);
  bool are_all = started == senders; // else they just pass through
  run_phase(&load, are_all ? options->warm_up : 0, 0, out_result);
  run_phase(&load, are_all ? options->requests : 0, options->seconds,
            out_result);
  for (uint32_t i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&load.gate);
  pthread_mutex_destroy(&load.start);
  free(threads);
  return are_all;
}
