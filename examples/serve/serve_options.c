// serve_options.c - see serve_options.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "serve_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: serve [OPTIONS] NETWORK.gmem\n"
    "Answers requests to the network on several threads, checks every answer,\n"
    "and prints how long they took and what memory they had.\n"
    "\n"
    "  --workers=N      threads that answer requests (4)\n"
    "  --slots=N        requests at the same time: slots of the pool (as many\n"
    "                   as workers)\n"
    "  --max-slots=N    the pool may grow to so many (as many as slots)\n"
    "  --queue=N        requests that wait for a worker; more are refused "
    "(64)\n"
    "  --timeout=MS     a request that has waited so long is given up (never)\n"
    "  --store          keep the weights in a store that models can share\n"
    "\n"
    "  --clients=N      send requests from N clients, each waits for its "
    "answer\n"
    "                   before it sends the next (twice as many as workers)\n"
    "  --rate=R         send R requests per second, and wait for none\n"
    "  --requests=N     so many (without limit)\n"
    "  --seconds=S      for so long (5, without --requests)\n"
    "  --warm-up=N      requests before, which are not counted (32)\n"
    "  --cases=N        different requests there are (8)\n"
    "  --seed=N         of all that is random (1)\n"
    "\n"
    "  --memory=KIND    pool; or, to compare, what the pool replaces: malloc "
    "or\n"
    "                   mmap for each request\n"
    "  --compare        run all three of these, in turn, and print ratios\n"
    "  --rounds=N       how often (5)\n"
    "  --break          let all requests use one slot at once: answers must "
    "be\n"
    "                   found to be wrong\n"
    "  --save=PREFIX    write the arrays of the first request to PREFIX0,\n"
    "                   PREFIX1... as they are in memory: inputs before the\n"
    "                   call, outputs after it\n"
    "  --json           print figures as JSON\n"
    "  --help           print this\n"
    "\n"
    "Exit status: 0 when all answers were right, 1 when one was not or the\n"
    "network cannot be served, 2 for a wrong command line.\n";

enum {
  WORKERS = 256,
  SLOTS,
  MAX_SLOTS,
  QUEUE,
  TIMEOUT,
  STORE,
  CLIENTS,
  RATE,
  REQUESTS,
  SECONDS,
  WARM_UP,
  CASES,
  SEED,
  MEMORY,
  COMPARE,
  ROUNDS,
  BREAK,
  SAVE,
  JSON,
  HELP
};

static const struct option long_options[] = {
    {"workers", required_argument, NULL, WORKERS},
    {"slots", required_argument, NULL, SLOTS},
    {"max-slots", required_argument, NULL, MAX_SLOTS},
    {"queue", required_argument, NULL, QUEUE},
    {"timeout", required_argument, NULL, TIMEOUT},
    {"store", no_argument, NULL, STORE},
    {"clients", required_argument, NULL, CLIENTS},
    {"rate", required_argument, NULL, RATE},
    {"requests", required_argument, NULL, REQUESTS},
    {"seconds", required_argument, NULL, SECONDS},
    {"warm-up", required_argument, NULL, WARM_UP},
    {"cases", required_argument, NULL, CASES},
    {"seed", required_argument, NULL, SEED},
    {"memory", required_argument, NULL, MEMORY},
    {"compare", no_argument, NULL, COMPARE},
    {"rounds", required_argument, NULL, ROUNDS},
    {"break", no_argument, NULL, BREAK},
    {"save", required_argument, NULL, SAVE},
    {"json", no_argument, NULL, JSON},
    {"help", no_argument, NULL, HELP},
    {0}};

static bool complain(const char *option, const char *text) {
  fprintf(stderr, "serve: error: --%s: %s\n", option, text);
  return false;
}

// A number between |least| and |most|, and no other characters.
static bool read_number(const char *option, const char *text, double least,
                        double most, double *out_number) {
  char *end, message[96];
  errno = 0;
  *out_number = strtod(text, &end);
  if (end != text && *end == '\0' && errno == 0 && *out_number >= least &&
      *out_number <= most)
    return true;
  snprintf(message, sizeof message, "not a number from %g to %g", least, most);
  return complain(option, message);
}

static bool read_count(const char *option, const char *text, double least,
                       double most, uint64_t *out_count) {
  double number;
  if (!read_number(option, text, least, most, &number))
    return false;
  *out_count = (uint64_t)number;
  return (double)*out_count == number || complain(option, "not a whole number");
}

static bool read_small(const char *option, const char *text, double most,
                       uint32_t *out_count) {
  uint64_t count;
  if (!read_count(option, text, 1, most, &count))
    return false;
  *out_count = (uint32_t)count;
  return true;
}

static bool read_timeout(const char *text, uint64_t *out_ns) {
  double milliseconds;
  if (!read_number("timeout", text, 0, 1e9, &milliseconds))
    return false;
  *out_ns = (uint64_t)(milliseconds * 1e6);
  return true;
}

static bool read_memory(const char *text, memory_kind_t *out_kind) {
  for (int i = 0; i < MEMORY_KINDS; ++i)
    if (strcmp(text, memory_kind_name((memory_kind_t)i)) == 0) {
      *out_kind = (memory_kind_t)i;
      return true;
    }
  return complain("memory", "not pool, malloc or mmap");
}

static bool read_option(int option, const char *name, const char *text,
                        serve_options_t *options) {
  network_options_t *network = &options->network;
  load_options_t *load = &options->load;
  switch (option) {
  case WORKERS:
    return read_small(name, text, 1024, &options->workers);
  case SLOTS:
    return read_small(name, text, GMEM_POOL_MAX_SLOTS, &network->slots);
  case MAX_SLOTS:
    return read_small(name, text, GMEM_POOL_MAX_SLOTS, &network->max_slots);
  case QUEUE:
    return read_small(name, text, 1e6, &options->queue);
  case TIMEOUT:
    return read_timeout(text, &options->timeout_ns);
  case CLIENTS:
    return read_small(name, text, 1024, &load->clients);
  case RATE:
    return read_number(name, text, 0.001, 1e7, &load->rate);
  case REQUESTS:
    return read_count(name, text, 1, 1e15, &load->requests);
  case SECONDS:
    return read_number(name, text, 0.001, 1e6, &load->seconds);
  case WARM_UP:
    return read_count(name, text, 0, 1e9, &load->warm_up);
  case CASES:
    return read_small(name, text, 65536, &network->cases);
  case SEED:
    return read_count(name, text, 0, 1e15, &network->seed);
  case MEMORY:
    return read_memory(text, &network->memory);
  case ROUNDS:
    return read_small(name, text, 99, &options->rounds);
  default:
    break;
  }
  if (option == SAVE)
    options->save = text;
  network->use_store |= option == STORE;
  network->break_it |= option == BREAK;
  options->compare |= option == COMPARE;
  options->json |= option == JSON;
  return true;
}

// What follows from others, and what does not go together.
static bool complete(serve_options_t *options) {
  network_options_t *network = &options->network;
  load_options_t *load = &options->load;
  if (load->rate > 0 && load->clients > 0)
    return complain("rate", "not with --clients");
  if (options->compare && (network->memory != MEMORY_POOL || network->break_it))
    return complain("compare", "not with --memory or --break");
  if (network->break_it && network->memory != MEMORY_POOL)
    return complain("break", "with --memory=pool alone");
  if (network->slots == 0)
    network->slots = options->workers;
  if (network->max_slots == 0)
    network->max_slots = network->slots;
  if (network->max_slots < network->slots)
    return complain("max-slots", "less than slots");
  if (load->clients == 0)
    load->clients = 2 * options->workers;
  if (load->requests == 0) {
    load->requests = UINT64_MAX;
    load->seconds = load->seconds > 0 ? load->seconds : 5;
  }
  load->seed = network->seed;
  return true;
}

int serve_options_read(int count, char **words, serve_options_t *out_options) {
  serve_options_t *options = out_options;
  int option, index = 0;
  *options = (serve_options_t){.workers = 4,
                               .queue = 64,
                               .timeout_ns = UINT64_MAX,
                               .rounds = 5,
                               .network = {.cases = 8, .seed = 1},
                               .load = {.warm_up = 32}};
  while ((option = getopt_long(count, words, "", long_options, &index)) != -1) {
    if (option == HELP)
      return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
    if (option == '?')
      return 2; // getopt_long has said it
    if (!read_option(option, long_options[index].name, optarg, options))
      return 2;
  }
  if (optind + 1 != count) {
    fprintf(stderr, "serve: error: %s\n",
            optind < count ? "more than one file"
                           : "no file; --help lists the options");
    return 2;
  }
  options->network.image = words[optind];
  return complete(options) ? -1 : 2;
}
