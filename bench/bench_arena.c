// bench_arena.c - the memory of a network's requests from a pool of slots, and
// from everywhere else it could come from: time, page faults, resident memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bench_arena IMAGE [--threads=T] [--rounds=R]
//
// A request goes through the network's steps: a buffer is written when its life
// begins and read when it ends: all of its bytes, one of each page, or one
// only, which leaves the costs of memory alone. Every way is a process of its
// own, since heaps keep what they once had; all run a round in turn, so that
// what else happens on the machine happens to all.

#define _GNU_SOURCE // mallopt

#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_request.h"

enum { MAX_THREADS = 64, MAX_ROUNDS = 99 };

// How a heap is set up.
typedef enum tuning_e {
  AS_IT_COMES,
  // Nothing goes back to the system, nor is mapped by itself.
  KEEPS_ALL,
  KEEPS_ALL_IN_ONE, // and all threads have one heap
} tuning_t;

typedef struct way_s {
  const char *name;
  bench_source_t source;
  tuning_t tuning;
  uint32_t most_slots; // of a pool; 0: as many as threads
  bool huge_pages;     // of a pool, where the system has them
} way_t;

static const way_t ways[] = {
    {"pool", BENCH_POOL, AS_IT_COMES, 0, false},
    {"  of huge pages", BENCH_POOL, AS_IT_COMES, 0, true},
    {"  address by id", BENCH_POOL_BY_ID, AS_IT_COMES, 0, false},
    {"  of 2 slots", BENCH_POOL, AS_IT_COMES, 2, false},
    {"malloc per tensor", BENCH_HEAP_PER_LIFE, AS_IT_COMES, 0, false},
    {"  that keeps all", BENCH_HEAP_PER_LIFE, KEEPS_ALL, 0, false},
    {"  in one heap", BENCH_HEAP_PER_LIFE, KEEPS_ALL_IN_ONE, 0, false},
    {"malloc of an arena", BENCH_HEAP, AS_IT_COMES, 0, false},
    {"  that keeps all", BENCH_HEAP, KEEPS_ALL, 0, false},
    {"mmap of an arena", BENCH_MMAP, AS_IT_COMES, 0, false},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

// What a process is asked for, and what it says.
typedef struct round_s {
  uint32_t requests; // of each thread; 0: the end
  bench_touch_t touch;
} round_t;

typedef struct result_s {
  double seconds, cpu;
  uint64_t faults;
  uint64_t peak, idle; // bytes more than before the first request
  uint64_t trimmed;    // bytes more when all is given back that can be
} result_t;

//===--- in a process of its own ------------------------------------------===//

typedef struct crew_s {
  const way_t *way;
  uint32_t threads;
  bench_requester_t requesters[MAX_THREADS];
  pthread_barrier_t begin, end;
  round_t round;
} crew_t;

typedef struct member_s {
  crew_t *crew;
  bench_requester_t *requester;
} member_t;

static void *serve(void *context) {
  member_t *member = context;
  crew_t *crew = member->crew;
  while (true) {
    pthread_barrier_wait(&crew->begin);
    if (crew->round.requests == 0)
      return NULL;
    member->requester->touch = crew->round.touch;
    for (uint32_t i = 0; i < crew->round.requests; ++i)
      bench_run_request(member->requester);
    pthread_barrier_wait(&crew->end);
  }
}

static void tune(tuning_t tuning) {
  if (tuning == AS_IT_COMES)
    return;
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  if (tuning == KEEPS_ALL_IN_ONE)
    mallopt(M_ARENA_MAX, 1);
}

static uint64_t above(uint64_t value, uint64_t base) {
  return value > base ? value - base : 0;
}

// Runs one round and says what it took.
static result_t run_round(crew_t *crew, uint64_t base) {
  result_t result = {0};
  bench_forget_peak();
  uint64_t faults = bench_page_faults();
  double start = bench_now(), cpu = bench_cpu();
  pthread_barrier_wait(&crew->begin);
  pthread_barrier_wait(&crew->end);
  result.seconds = bench_now() - start;
  result.cpu = bench_cpu() - cpu;
  result.faults = bench_page_faults() - faults;
  result.idle = above(bench_resident(), base);
  result.peak = above(bench_resident_peak(), base);
  return result;
}

static void start_crew(crew_t *crew, member_t *members, pthread_t *threads,
                       const bench_steps_t *steps, gmem_pool_t *pool) {
  pthread_barrier_init(&crew->begin, NULL, crew->threads + 1);
  pthread_barrier_init(&crew->end, NULL, crew->threads + 1);
  for (uint32_t t = 0; t < crew->threads; ++t) {
    crew->requesters[t] = (bench_requester_t){
        .steps = steps, .source = crew->way->source, .pool = pool};
    crew->requesters[t].values =
        bench_alloc(steps->value_count + 1, sizeof(void *));
    members[t] = (member_t){crew, &crew->requesters[t]};
    if (pthread_create(&threads[t], NULL, serve, &members[t]) != 0)
      exit(1);
  }
}

static void answer(int from, int to, crew_t *crew, gmem_pool_t *pool,
                   uint64_t base) {
  while (read(from, &crew->round, sizeof crew->round) ==
             (ssize_t)sizeof crew->round &&
         crew->round.requests > 0) {
    result_t result = run_round(crew, base);
    if (write(to, &result, sizeof result) != (ssize_t)sizeof result)
      exit(1);
  }
  result_t last = {0};
  if (pool)
    gmem_pool_trim(pool, 0);
  else
    malloc_trim(0);
  last.trimmed = above(bench_resident(), base);
  if (write(to, &last, sizeof last) != (ssize_t)sizeof last)
    exit(1);
}

// The life of a process.
static void live(const way_t *way, uint32_t threads, const bench_steps_t *steps,
                 int from, int to) {
  static crew_t crew;
  static member_t members[MAX_THREADS];
  pthread_t handles[MAX_THREADS];
  bench_service_t service = {.pool = NULL};
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  if (way->huge_pages)
    options.huge_pages = GMEM_HUGE_PAGES_ADVISE;
  tune(way->tuning);
  bench_forget_peak();
  uint64_t base = bench_resident();
  uint32_t slots =
      way->most_slots && way->most_slots < threads ? way->most_slots : threads;
  if (way->source == BENCH_POOL || way->source == BENCH_POOL_BY_ID)
    bench_serve(steps->plan, &options, slots, 0, &service);
  crew.way = way;
  crew.threads = threads;
  start_crew(&crew, members, handles, steps, service.pool);
  answer(from, to, &crew, service.pool, base);
  crew.round.requests = 0;
  pthread_barrier_wait(&crew.begin);
  for (uint32_t t = 0; t < threads; ++t)
    pthread_join(handles[t], NULL);
  bench_serve_end(&service);
}

//===--- from outside -----------------------------------------------------===//

typedef struct process_s {
  int to, from;
  pid_t pid;
} process_t;

static process_t start_process(const way_t *way, uint32_t threads,
                               const bench_steps_t *steps) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0)
    exit(1);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    close(to[1]);
    close(from[0]);
    live(way, threads, steps, to[0], from[1]);
    _exit(0);
  }
  close(to[0]);
  close(from[1]);
  return (process_t){to[1], from[0], pid};
}

static result_t ask(const process_t *process, uint32_t requests,
                    bench_touch_t touch) {
  round_t round = {requests, touch};
  result_t result = {0};
  if (write(process->to, &round, sizeof round) != (ssize_t)sizeof round ||
      read(process->from, &result, sizeof result) != (ssize_t)sizeof result) {
    fprintf(stderr, "error: a process has ended\n");
    exit(1);
  }
  return result;
}

// How many requests fill a round.
static uint32_t requests_of(const process_t *process, bench_touch_t touch) {
  uint32_t requests = 1;
  while (requests < 1000000 && ask(process, requests, touch).seconds < 0.03)
    requests *= 2;
  return requests;
}

typedef struct row_s {
  double times[MAX_ROUNDS], cpu[MAX_ROUNDS]; // seconds per request
  double faults;                             // per request, all rounds
  uint64_t peak, idle;
} row_t;

static void measure(const process_t *processes, uint32_t threads,
                    uint32_t rounds, bench_touch_t touch, row_t *rows) {
  uint32_t requests = requests_of(&processes[0], touch);
  for (int w = 0; w < WAYS; ++w) {
    rows[w] = (row_t){.faults = 0};
    (void)ask(&processes[w], 2, touch); // heaps find their size
  }
  for (uint32_t r = 0; r < rounds; ++r)
    for (uint32_t i = 0; i < WAYS; ++i) {
      uint32_t w = (i + r) % WAYS; // no process is always the first
      result_t result = ask(&processes[w], requests, touch);
      double count = (double)requests * threads;
      rows[w].times[r] = result.seconds / count;
      rows[w].cpu[r] = result.cpu / count;
      rows[w].faults += (double)result.faults / count / rounds;
      rows[w].idle = result.idle;
      if (rows[w].peak < result.peak)
        rows[w].peak = result.peak;
    }
}

static void end_process(const process_t *process) {
  close(process->to);
  close(process->from);
  waitpid(process->pid, NULL, 0);
}

// The processors' time per request, and as a multiple of that of the first way.
static void print_cpu(row_t *row, uint32_t rounds, double *first) {
  double cpu = bench_median(row->cpu, rounds);
  if (*first == 0)
    *first = cpu;
  printf(" %10.2f %5.2f", cpu * 1e6, cpu / *first);
}

static void print_rows(row_t rows[BENCH_TOUCHES][WAYS],
                       const process_t *processes, uint32_t threads,
                       uint32_t rounds) {
  double firsts[BENCH_TOUCHES] = {0};
  for (int w = 0; w < WAYS; ++w) {
    result_t last = ask(&processes[w], 0, BENCH_EVERY_BYTE);
    end_process(&processes[w]);
    if (ways[w].most_slots >= threads)
      continue; // the same as the one before
    row_t *row = &rows[BENCH_EVERY_BYTE][w];
    printf("%3" PRIu32 " %-19s %9.1f", threads, ways[w].name,
           bench_median(row->times, rounds) * 1e6);
    for (int t = 0; t < BENCH_TOUCHES; ++t)
      print_cpu(&rows[t][w], rounds, &firsts[t]);
    printf(" %7.1f %7.2f %7.2f %7.2f\n", row->faults,
           (double)row->peak / 1048576, (double)row->idle / 1048576,
           (double)last.trimmed / 1048576);
  }
}

static void bench_with(const bench_steps_t *steps, uint32_t threads,
                       uint32_t rounds) {
  static row_t rows[BENCH_TOUCHES][WAYS];
  process_t processes[WAYS];
  for (int w = 0; w < WAYS; ++w)
    processes[w] = start_process(&ways[w], threads, steps);
  for (int t = 0; t < BENCH_TOUCHES; ++t)
    measure(processes, threads, rounds, (bench_touch_t)t, rows[t]);
  print_rows(rows, processes, threads, rounds);
}

static void print_head(const bench_steps_t *steps) {
  printf("%" PRIu32 " values of %.2f MiB in a slot of %.2f MiB\n\n",
         steps->value_count, (double)steps->value_bytes / 1048576,
         (double)steps->arena_size / 1048576);
  printf("%3s %-19s %26s %16s %16s %7s %23s\n", "", "", "every byte touched",
         "one per page", "one per buffer", "", "resident MiB");
  printf("%3s %-19s %9s %10s %5s %10s %5s %10s %5s %7s %7s %7s %7s\n", "thr",
         "memory from", "us", "CPU us", "x", "CPU us", "x", "CPU us", "x",
         "faults", "most", "idle", "trimmed");
}

static uint32_t argument(int argc, char **argv, const char *name,
                         uint32_t value, uint32_t most) {
  for (int i = 2; i < argc; ++i)
    if (strncmp(argv[i], name, strlen(name)) == 0)
      value = (uint32_t)strtoul(argv[i] + strlen(name), NULL, 10);
  return value < 1 ? 1 : value > most ? most : value;
}

int main(int argc, char **argv) {
  bench_steps_t steps;
  if (argc < 2) {
    fprintf(stderr, "usage: bench_arena IMAGE [--threads=T] [--rounds=R]\n");
    return 2;
  }
  uint32_t threads = argument(argc, argv, "--threads=", 4, MAX_THREADS);
  uint32_t rounds = argument(argc, argv, "--rounds=", 9, MAX_ROUNDS);
  bench_read_steps(argv[1], &steps);
  print_head(&steps);
  if (steps.value_count > 0) {
    bench_with(&steps, 1, rounds);
    if (threads > 1)
      bench_with(&steps, threads, rounds);
  }
  bench_free_steps(&steps);
  return 0;
}
