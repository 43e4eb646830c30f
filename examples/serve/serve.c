// serve.c - serves inference requests of a planned network from several
// threads, over one model and a pool of slots, and measures it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is to be copied from here: network.c (image to pool, and how a lease's
// memory gets into a compiled program) and server.c (a request). The rest sends
// requests and counts.

#define _DEFAULT_SOURCE // fork and pipes beside C11

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resident_memory.h"
#include "serve_report.h"

//===--- Ctrl-C -----------------------------------------------------------===//

// A thread that waits for signals, since the runtime must not be called in a
// handler. Every other thread has them blocked.
typedef struct stopper_s {
  server_t *server;
  pthread_t thread;
  sigset_t signals;
  atomic_bool was_interrupted;
} stopper_t;

enum { NO_LONGER_NEEDED = SIGUSR1 };

static void *wait_for_signals(void *user) {
  stopper_t *stopper = user;
  int number = 0;
  while (sigwait(&stopper->signals, &number) != 0)
    ;
  if (number == NO_LONGER_NEEDED)
    return NULL;
  atomic_store(&stopper->was_interrupted, true);
  server_stop(stopper->server);
  // A request may take long: a second signal exits without waiting for its end.
  if (sigwait(&stopper->signals, &number) == 0 && number != NO_LONGER_NEEDED)
    _exit(1);
  return NULL;
}

// Before any other thread is made.
static void block_signals(stopper_t *stopper) {
  struct sigaction action;
  sigemptyset(&stopper->signals);
  sigaddset(&stopper->signals, NO_LONGER_NEEDED);
  sigaddset(&stopper->signals, SIGTERM);
  // Jobs in the background ignore Ctrl-C, and are to go on doing so.
  if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
    sigaddset(&stopper->signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stopper->signals, NULL);
}

static void stopper_end(stopper_t *stopper) {
  pthread_kill(stopper->thread, NO_LONGER_NEEDED);
  pthread_join(stopper->thread, NULL);
}

//===--- one run ----------------------------------------------------------===//

static int fail(const char *image, const char *text) {
  fprintf(stderr, "serve: error: %s: %s\n", image, text);
  return 1;
}

static int save(const char *prefix, const network_t *network) {
  for (uint32_t i = 0; i < entry_argument_count; ++i) {
    char path[4096];
    entry_use_t use = entry_arguments[i].use;
    if (use == ENTRY_ARENA)
      continue;
    const uint8_t *from =
        (use == ENTRY_INPUT ? network->before : network->after)[0] +
        network->places[i];
    int length = snprintf(path, sizeof path, "%s%u", prefix, (unsigned)i);
    FILE *file =
        length > 0 && (size_t)length < sizeof path ? fopen(path, "wb") : NULL;
    bool is_whole =
        file && fwrite(from, 1, network->sizes[i], file) == network->sizes[i];
    if ((file && fclose(file) != 0) || !is_whole)
      return fail(prefix, "an array cannot be written to a file of this name");
  }
  return 0;
}

static int serve(const serve_options_t *options, network_t *network,
                 serve_figures_t *figures) {
  server_t server;
  stopper_t stopper = {.server = &server};
  int code = 1;
  block_signals(&stopper);
  if (!server_create(&server, network, options->workers, options->queue,
                     options->timeout_ns) ||
      pthread_create(&stopper.thread, NULL, wait_for_signals, &stopper) != 0) {
    fail(options->network.image, "no memory or no threads for the workers");
  } else {
    if (load_run(&server, &options->load, &figures->load))
      code = 0;
    else
      fail(options->network.image, "no memory or no threads for the clients");
    stopper_end(&stopper);
  }
  figures->was_interrupted = atomic_load(&stopper.was_interrupted);
  figures->resident = resident_now();
  figures->resident_peak = resident_peak();
  server_destroy(&server);
  return code;
}

// Opens the network and serves it. Returns 0 or an exit code with a message.
static int run_once(const serve_options_t *options,
                    serve_figures_t *out_figures) {
  network_t network;
  gmem_diag_t diag;
  *out_figures = (serve_figures_t){.resident_before = resident_now()};
  gmem_status_t status = network_open(&options->network, &network, &diag);
  int code;
  if (status == GMEM_OK) {
    out_figures->shared_bytes = gmem_plan_shared_size(network.plan);
    out_figures->slot_bytes = gmem_plan_slot_size(network.plan);
    out_figures->array_bytes =
        network.payload * (2u * options->network.cases + options->workers);
    code = options->save ? save(options->save, &network) : 0;
    if (code == 0)
      code = serve(options, &network, out_figures);
    gmem_pool_stats(network.pool, &out_figures->pool);
  } else {
    code = fail(options->network.image,
                diag.text[0] ? diag.text : gmem_status_name(status));
  }
  network_close(&network);
  return code;
}

//===--- a comparison -----------------------------------------------------===//

// Runs in a process of its own, so that no run has the memory of another.
static int run_in_child(const serve_options_t *options,
                        serve_figures_t *out_figures) {
  int ends[2], status = 1;
  if (pipe(ends) != 0)
    return fail(options->network.image, "no pipe for a comparison");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int code = run_once(options, out_figures);
    size_t written = 0;
    while (code == 0 && written < sizeof *out_figures) {
      ssize_t count = write(ends[1], (char *)out_figures + written,
                            sizeof *out_figures - written);
      if (count <= 0)
        code = 1;
      else
        written += (size_t)count;
    }
    _exit(code);
  }
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  bool is_whole = from && fread(out_figures, sizeof *out_figures, 1, from) == 1;
  if (from)
    fclose(from);
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    return child < 0 ? fail(options->network.image, "no process to run in") : 1;
  return is_whole ? 0 : fail(options->network.image, "a run has no figures");
}

static int compare(const serve_options_t *options) {
  serve_figures_t *figures =
      calloc((size_t)options->rounds * MEMORY_KINDS, sizeof *figures);
  if (!figures)
    return fail(options->network.image, "no memory for the figures");
  int code = 0;
  bool is_good = true, was_interrupted = false;
  for (uint32_t i = 0; code == 0 && i < options->rounds * MEMORY_KINDS; ++i) {
    serve_options_t one = *options;
    one.network.memory = (memory_kind_t)(i % MEMORY_KINDS);
    code = run_in_child(&one, &figures[i]);
    is_good &= code == 0 && serve_figures_are_good(&figures[i]);
    was_interrupted |= figures[i].was_interrupted;
    if (was_interrupted)
      code = fail(options->network.image, "interrupted");
  }
  if (code == 0)
    serve_report_comparison(options, figures);
  free(figures);
  return code ? code : !is_good;
}

int main(int count, char **words) {
  serve_options_t options;
  serve_figures_t figures;
  int code = serve_options_read(count, words, &options);
  if (code >= 0)
    return code;
  if (options.compare)
    return compare(&options);
  code = run_once(&options, &figures);
  if (code == 0) {
    serve_report(&options, &figures);
    code = !serve_figures_are_good(&figures);
  }
  if (fflush(stdout) != 0 || ferror(stdout))
    code = fail("standard output", "cannot be written");
  return code;
}
