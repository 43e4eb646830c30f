// random_program.h - random programs with their plans, and what they compute.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step s makes value s of up to three values before it; the first values are
// brought by the request. A value may be made in place over one that ends, be
// read through an alias or a view, and be at any free place. A state is counted
// up at each step and goes into every value.

#ifndef GMEM_TEST_UNIT_RANDOM_PROGRAM_H_
#define GMEM_TEST_UNIT_RANDOM_PROGRAM_H_

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/runtime.h"

enum {
  PROGRAM_STEPS = 24,
  PROGRAM_INPUTS = 3,
  PROGRAM_VALUES = PROGRAM_STEPS + PROGRAM_INPUTS,
  PROGRAM_READS = 3,
  PROGRAM_MAX_SIZE = 208, // bytes of a value
  PROGRAM_STATE = 2 * PROGRAM_VALUES,
  PROGRAM_BUFFERS = PROGRAM_STATE + 1,
};

typedef struct value_s {
  uint32_t size, offset; // bytes
  int made, last;        // steps; made -1: an input
  int over;              // the value that it is written over, or -1
  int window;            // 0: none, 1: an alias, 2: a view of its first half
} value_t;

typedef struct program_s {
  value_t values[PROGRAM_VALUES];
  int reads[PROGRAM_STEPS][PROGRAM_READS]; // values, or -1
  uint32_t slot_size;
  gmem_op_range_t ranges[PROGRAM_VALUES];
  char names[PROGRAM_BUFFERS][16];
  gmem_region_info_t region;
  gmem_buffer_info_t buffers[PROGRAM_BUFFERS];
} program_t;

static uint32_t program_seed = 1;

static inline uint32_t program_random(uint32_t bound) {
  program_seed = program_seed * 1664525 + 1013904223;
  return (program_seed >> 8) % bound;
}

static inline void choose_values(program_t *program) {
  for (int v = 0; v < PROGRAM_VALUES; ++v)
    program->values[v] =
        (value_t){.size = 16 * (1 + program_random(PROGRAM_MAX_SIZE / 16)),
                  .made = v - PROGRAM_INPUTS < 0 ? -1 : v - PROGRAM_INPUTS,
                  .last = v - PROGRAM_INPUTS < 0 ? 0 : v - PROGRAM_INPUTS,
                  .over = -1,
                  .window = (int)program_random(3)};
  for (int s = 0; s < PROGRAM_STEPS; ++s)
    for (int r = 0; r < PROGRAM_READS; ++r) {
      int known = PROGRAM_INPUTS + s, near = known < 8 ? known : 8;
      int read = known - 1 - (int)program_random((uint32_t)near);
      program->reads[s][r] = r > 0 && program_random(3) == 0 ? -1 : read;
      if (program->reads[s][r] >= 0)
        program->values[read].last = s;
    }
  program->values[PROGRAM_VALUES - 1].last = PROGRAM_STEPS - 1; // the output
}

// Lets step s write over what it reads first, if that ends here.
static inline void choose_in_place(program_t *program) {
  for (int s = 0; s < PROGRAM_STEPS; ++s) {
    int v = s + PROGRAM_INPUTS, operand = program->reads[s][0];
    value_t *made = &program->values[v], *read = &program->values[operand];
    bool other =
        program->reads[s][1] == operand || program->reads[s][2] == operand;
    if (read->last != s || made->last == s || other || program_random(2))
      continue;
    made->over = operand;
    made->size = read->size;
    made->window = 0;
  }
}

static inline gmem_op_range_t life_of(const value_t *value) {
  uint32_t begin = value->over >= 0
                       ? (uint32_t)value->made + 1
                       : (uint32_t)(value->made < 0 ? 0 : value->made);
  return (gmem_op_range_t){begin, (uint32_t)value->last + 1};
}

// Whether |v| at |offset| meets a value before it that lives when it does.
static inline bool meets(const program_t *program, int v, uint32_t offset) {
  gmem_op_range_t life = life_of(&program->values[v]);
  for (int o = 0; o < v; ++o) {
    const value_t *other = &program->values[o];
    gmem_op_range_t its = life_of(other);
    if (life.begin < its.end && its.begin < life.end &&
        offset < other->offset + other->size &&
        other->offset < offset + program->values[v].size)
      return true;
  }
  return false;
}

// Returns false when what is made in place has found somebody there.
static inline bool choose_offsets(program_t *program) {
  for (int v = 0; v < PROGRAM_VALUES; ++v) {
    value_t *value = &program->values[v];
    value->offset = value->over >= 0 ? program->values[value->over].offset
                                     : 16 * program_random(24);
    if (value->over >= 0 && meets(program, v, value->offset))
      return false;
    while (meets(program, v, value->offset))
      value->offset += 16;
    if (program->slot_size < value->offset + value->size)
      program->slot_size = value->offset + value->size;
  }
  return true;
}

static inline gmem_buffer_info_t
program_buffer(const char *name, const value_t *value, uint32_t size) {
  return (gmem_buffer_info_t){.name = name,
                              .offset = value->offset,
                              .size = size,
                              .payload = size,
                              .align = 16,
                              .space = GMEM_SPACE_ACTIVATION,
                              .parent = GMEM_NONE,
                              .threads = 1};
}

static inline void describe(program_t *program) {
  for (uint32_t v = 0; v < PROGRAM_VALUES; ++v) {
    const value_t *value = &program->values[v];
    uint32_t window = PROGRAM_VALUES + v;
    snprintf(program->names[v], sizeof program->names[v], "v%u", v);
    snprintf(program->names[window], sizeof program->names[v], "w%u", v);
    program->ranges[v] = life_of(value);
    program->buffers[v] = program_buffer(program->names[v], value, value->size);
    program->buffers[v].ranges = &program->ranges[v];
    program->buffers[v].range_count = 1;
    program->buffers[window] = program_buffer(
        program->names[window], value, value->window ? value->size / 2 : 0);
    if (value->window != 1)
      continue;
    program->buffers[window].parent = v;
    program->buffers[window].ranges = &program->ranges[v];
    program->buffers[window].range_count = 1;
  }
  value_t state = {.offset = (program->slot_size + 15) & ~15u};
  program->buffers[PROGRAM_STATE] = program_buffer("state", &state, 16);
  program->buffers[PROGRAM_STATE].space = GMEM_SPACE_STATE;
  program->region = (gmem_region_info_t){"ddr", GMEM_SPACE_ACTIVATION, 0,
                                         state.offset + 16, 64};
}

// Makes a random program that has a plan.
static inline void make_program(program_t *program) {
  do {
    memset(program, 0, sizeof *program);
    choose_values(program);
    choose_in_place(program);
  } while (!choose_offsets(program));
  describe(program);
}

static inline gmem_plan_desc_t desc_of(const program_t *program) {
  return (gmem_plan_desc_t){.regions = &program->region,
                            .region_count = 1,
                            .buffers = program->buffers,
                            .buffer_count = PROGRAM_BUFFERS,
                            .op_count = PROGRAM_STEPS};
}

//===--- running ----------------------------------------------------------===//

// Where the buffers are.
typedef uint8_t *places_t[PROGRAM_BUFFERS];

static inline uint32_t digest_of(uint32_t digest, const uint8_t *bytes,
                                 uint32_t size) {
  for (uint32_t i = 0; i < size; ++i)
    digest = (digest ^ bytes[i]) * 16777619u;
  return digest;
}

// Goes through operand 0 byte by byte, so that it may be written over; all else
// is read before.
static inline void run_step(const program_t *program, places_t at, int s) {
  const value_t *made = &program->values[s + PROGRAM_INPUTS];
  uint32_t digest = (uint32_t)++at[PROGRAM_STATE][0];
  int first = program->reads[s][0];
  for (int r = 0; r < PROGRAM_READS; ++r) {
    int v = program->reads[s][r];
    if (v < 0)
      continue;
    const value_t *read = &program->values[v];
    digest = digest_of(digest, at[v], read->size);
    if (read->window)
      digest = digest_of(digest, at[PROGRAM_VALUES + v], read->size / 2);
  }
  for (uint32_t i = 0; i < made->size; ++i) {
    digest = digest * 1664525 + 1013904223;
    at[s + PROGRAM_INPUTS][i] =
        (uint8_t)(at[first][i % program->values[first].size] + (digest >> 24));
  }
}

static inline void bring_inputs(const program_t *program, places_t at) {
  for (int v = 0; v < PROGRAM_INPUTS; ++v)
    memset(at[v], 3 * v + 1, program->values[v].size);
}

static inline uint32_t output_of(const program_t *program, places_t at) {
  return digest_of(0, at[PROGRAM_VALUES - 1],
                   program->values[PROGRAM_VALUES - 1].size);
}

// What it computes when no two values share a byte.
static inline uint32_t run_apart(const program_t *program, int rounds) {
  static uint8_t memory[PROGRAM_VALUES + 1][PROGRAM_MAX_SIZE];
  places_t at;
  memset(memory, 0, sizeof memory);
  for (int v = 0; v < PROGRAM_VALUES; ++v) {
    at[v] = at[PROGRAM_VALUES + v] = memory[v];
  }
  at[PROGRAM_STATE] = memory[PROGRAM_VALUES];
  for (int round = 0; round < rounds; ++round) {
    bring_inputs(program, at);
    for (int s = 0; s < PROGRAM_STEPS; ++s)
      run_step(program, at, s);
  }
  return output_of(program, at);
}

// What it computes in a lease.
static inline uint32_t run_in_lease(const program_t *program,
                                    gmem_lease_t *lease, int rounds) {
  places_t at;
  for (gmem_buffer_t id = 0; id < PROGRAM_BUFFERS; ++id) {
    void *host = NULL;
    if (gmem_lease_host(lease, id, &host) != GMEM_OK)
      return 0;
    at[id] = host;
  }
  for (int round = 0; round < rounds; ++round)
    for (int s = 0; s < PROGRAM_STEPS; ++s) {
      gmem_lease_begin_op(lease, (gmem_op_t)s);
      if (s == 0)
        bring_inputs(program, at);
      run_step(program, at, s);
    }
  return output_of(program, at);
}

#endif // GMEM_TEST_UNIT_RANDOM_PROGRAM_H_
