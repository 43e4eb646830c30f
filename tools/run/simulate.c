// simulate.c - simulates requests to a plan without its network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ (b + UINT64_C(0x9E3779B97F4A7C15) + (a << 6) + (a >> 2)));
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

//===--- accesses ---------------------------------------------------------===//

// Excludes aliases, which lie in their parent, and buffers that are always
// live.
static bool is_simulated(const gmem_buffer_info_t *info) {
  return info->parent == GMEM_NONE && info->size > 0 &&
         (info->space == GMEM_SPACE_ACTIVATION || info->space == GMEM_SPACE_IO);
}

static int compare_visits(const void *a, const void *b) {
  const gmem_visit_t *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

static void add_visits(gmem_simulation_t *simulation, gmem_buffer_t id,
                       const gmem_buffer_info_t *info) {
  for (uint32_t i = 0; i < info->range_count; ++i) {
    gmem_op_t begin = info->ranges[i].begin, last = info->ranges[i].end - 1;
    simulation->visits[simulation->visit_count++] =
        (gmem_visit_t){begin, id, GMEM_VISIT_WRITE};
    simulation->visits[simulation->visit_count++] = (gmem_visit_t){
        last, id, last == begin ? GMEM_VISIT_REREAD : GMEM_VISIT_READ};
  }
}

bool gmem_simulation_create(const gmem_plan_t *plan,
                            gmem_simulation_t *out_simulation) {
  size_t ranges = 0;
  *out_simulation = (gmem_simulation_t){.plan = plan};
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    ranges += gmem_plan_buffer_at(plan, i).range_count;
  out_simulation->visits =
      calloc(2 * ranges + 1, sizeof *out_simulation->visits);
  if (!out_simulation->visits)
    return false;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    if (is_simulated(&info))
      add_visits(out_simulation, i, &info);
  }
  qsort(out_simulation->visits, out_simulation->visit_count,
        sizeof *out_simulation->visits, compare_visits);
  return true;
}

void gmem_simulation_destroy(gmem_simulation_t *simulation) {
  free(simulation->visits);
  *simulation = (gmem_simulation_t){0};
}

bool gmem_simulated_create(const gmem_simulation_t *simulation,
                           gmem_simulated_t *out_simulated) {
  size_t count = gmem_plan_buffer_count(simulation->plan) + (size_t)1;
  *out_simulated =
      (gmem_simulated_t){.simulation = simulation,
                         .seeds = calloc(count, sizeof *out_simulated->seeds),
                         .hosts = calloc(count, sizeof *out_simulated->hosts)};
  return out_simulated->seeds && out_simulated->hosts;
}

void gmem_simulated_destroy(gmem_simulated_t *simulated) {
  free(simulated->hosts);
  free(simulated->seeds);
  *simulated = (gmem_simulated_t){0};
}

//===--- bytes ------------------------------------------------------------===//

// Word |i| of a value is seed + i * STEP: cheap enough that memory, not
// arithmetic, dominates the measured time.
#define STEP UINT64_C(0xD1342543DE82EF95)

static void write_value(uint8_t *bytes, uint64_t size, uint64_t seed) {
  uint64_t words = size / 8, word = seed;
  for (uint64_t i = 0; i < words; ++i, word += STEP)
    memcpy(bytes + 8 * i, &word, 8);
  memcpy(bytes + 8 * words, &word, size % 8);
}

// Returns a checksum of the value; *out_equal: whether it equals the written
// one.
static uint64_t read_value(const uint8_t *bytes, uint64_t size, uint64_t seed,
                           bool *out_equal) {
  uint64_t words = size / 8, expected = seed, other = 0, sum = 0, word;
  for (uint64_t i = 0; i < words; ++i, expected += STEP) {
    memcpy(&word, bytes + 8 * i, 8);
    sum += word;
    other |= word ^ expected;
  }
  word = 0;
  memcpy(&word, bytes + 8 * words, size % 8);
  *out_equal = other == 0 && memcmp(&word, &expected, size % 8) == 0;
  return mix(sum, word);
}

static bool is_zero(const uint8_t *bytes, uint64_t size) {
  return size == 0 ||
         (bytes[0] == 0 && memcmp(bytes, bytes + 1, (size_t)size - 1) == 0);
}

// A checksum of one word per page and the last bytes.
static uint64_t sample(const uint8_t *bytes, uint64_t size) {
  uint64_t sum = size, word;
  for (uint64_t at = 0; at + 8 <= size; at += PAGE) {
    memcpy(&word, bytes + at, 8);
    sum = mix(sum, word);
  }
  word = 0;
  uint64_t tail = size < 8 ? size : 8;
  memcpy(&word, bytes + size - tail, tail);
  return mix(sum, word);
}

//===--- a request --------------------------------------------------------===//

static bool set_problem(gmem_simulated_t *simulated, const char *what,
                        const char *name, gmem_op_t step) {
  if (step == GMEM_NONE)
    snprintf(simulated->problem, sizeof simulated->problem, "buffer '%s' %s",
             name, what);
  else
    snprintf(simulated->problem, sizeof simulated->problem,
             "step %" PRIu32 ": buffer '%s' %s", step, name, what);
  return false;
}

static bool find_hosts(gmem_simulated_t *simulated, const gmem_lease_t *lease) {
  const gmem_plan_t *plan = simulated->simulation->plan;
  simulated->problem[0] = '\0';
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    void *host = NULL;
    if (gmem_lease_host(lease, i, &host) != GMEM_OK)
      return set_problem(simulated, "has no address", info.name, GMEM_NONE);
    if ((uintptr_t)host % info.align != 0)
      return set_problem(simulated, "is not aligned", info.name, GMEM_NONE);
    simulated->hosts[i] = host;
  }
  return true;
}

static bool expect_zero(gmem_simulated_t *simulated, gmem_buffer_t id,
                        const gmem_buffer_info_t *info) {
  return is_zero(simulated->hosts[id], info->size) ||
         set_problem(simulated, "is not zero at the start of the lease",
                     info->name, GMEM_NONE);
}

// Accesses buffers that are always live: weights are read; a state must be zero
// at the start of the lease and is overwritten at the end.
static bool visit_constants(gmem_simulated_t *simulated, bool is_end) {
  const gmem_plan_t *plan = simulated->simulation->plan;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    bool is_state = info.space == GMEM_SPACE_STATE;
    if (info.parent != GMEM_NONE || info.size == 0)
      continue;
    if (is_state && is_end)
      write_value(simulated->hosts[i], info.size, simulated->sum | 1);
    else if (is_state && !expect_zero(simulated, i, &info))
      return false;
    else if (gmem_buffer_is_shared(&info) && !is_end)
      simulated->sum =
          mix(simulated->sum, sample(simulated->hosts[i], info.size));
  }
  return true;
}

// Overwrites the padding, as operators may.
static void scribble(uint8_t *host, const gmem_buffer_info_t *info) {
  enum { GARBAGE = 0xA5 };
  uint64_t end = info->payload_offset + info->payload;
  memset(host, GARBAGE, (size_t)info->payload_offset);
  memset(host + end, GARBAGE, (size_t)(info->size - end));
}

static bool visit(gmem_simulated_t *simulated, const gmem_visit_t *visit,
                  uint64_t seed) {
  gmem_buffer_info_t info =
      gmem_plan_buffer_at(simulated->simulation->plan, visit->buffer);
  uint8_t *host = simulated->hosts[visit->buffer];
  uint64_t *own = &simulated->seeds[visit->buffer];
  bool equal = true;
  scribble(host, &info);
  if (visit->kind == GMEM_VISIT_WRITE) {
    *own = mix(info.flags & GMEM_BUFFER_INPUT ? seed : simulated->sum,
               visit->buffer);
    write_value(host + info.payload_offset, info.payload, *own);
    return true;
  }
  simulated->sum = mix(simulated->sum, read_value(host + info.payload_offset,
                                                  info.payload, *own, &equal));
  return equal ||
         set_problem(simulated, "does not contain the value written to it",
                     info.name, visit->step);
}

bool gmem_simulated_is_zero(gmem_simulated_t *simulated,
                            const gmem_lease_t *lease) {
  const gmem_plan_t *plan = simulated->simulation->plan;
  if (!find_hosts(simulated, lease))
    return false;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    if (!gmem_buffer_is_shared(&info) && !expect_zero(simulated, i, &info))
      return false;
  }
  return true;
}

bool gmem_simulated_run(gmem_simulated_t *simulated, gmem_lease_t *lease,
                        uint64_t seed, const gmem_fault_t *fault) {
  const gmem_simulation_t *simulation = simulated->simulation;
  size_t at = 0;
  bool good = true;
  simulated->sum = mix(seed, 0);
  if (!find_hosts(simulated, lease) || !visit_constants(simulated, false))
    return false;
  for (gmem_op_t step = 0; step < gmem_plan_op_count(simulation->plan);
       ++step) {
    gmem_lease_begin_op(lease, step);
    for (; at < simulation->visit_count && simulation->visits[at].step == step;
         ++at)
      good = good && visit(simulated, &simulation->visits[at], seed);
    if (fault && fault->step == step)
      simulated->hosts[fault->buffer][fault->offset] ^= 0xFF;
  }
  assert(at == simulation->visit_count); // all live ranges end in the plan
  return good && visit_constants(simulated, true);
}
