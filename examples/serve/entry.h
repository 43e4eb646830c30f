// entry.h - a compiled network as C sees it: its arguments, and the call. For
// each network describe_entry.py writes the other half, entry.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_ENTRY_H_
#define SERVE_ENTRY_H_

#include <stdint.h>

enum { ENTRY_MAX_RANK = 8 };

typedef enum entry_use_e {
  ENTRY_INPUT,  // memory of the caller's, brought with the request
  ENTRY_OUTPUT, // memory of the caller's, for what comes out
  ENTRY_ARENA,  // a region of the plan
} entry_use_t;

// One argument. All are arrays without gaps, the last dimension innermost.
typedef struct entry_argument_s {
  entry_use_t use;
  const char *arena; // of ENTRY_ARENA: the name of the region; else NULL
  uint32_t rank;
  int64_t sizes[ENTRY_MAX_RANK]; // elements, by dimension
  uint32_t element_size;         // bytes
  // To make elements up: which bits are random, and which are set. Numbers with
  // an exponent are between 0.5 and 1, or the negative of that.
  uint64_t random_bits, set_bits;
} entry_argument_t;

extern const entry_argument_t entry_arguments[];
extern const uint32_t entry_argument_count;

// Of the plan image that the network was compiled with: no other will do.
extern const uint8_t entry_plan_digest[32];

// Calls the network. |descriptors| has one pointer per argument, to what MLIR's
// C interface takes in the place of an array: two pointers, an offset, sizes
// and strides. Any number of threads may call at once, each with arenas of its
// own.
void entry_call(void *const *descriptors);

#endif // SERVE_ENTRY_H_
