// run_inputs.h - the inputs of a request: user-supplied or pseudo-random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_INPUTS_H_
#define GMEM_TOOLS_RUN_INPUTS_H_

#include "entry_signature.h"
#include "run_modes.h"

// An argument of a request; a scalar has rank 0.
typedef struct gmem_input_s {
  gmem_array_t array;
  void *block; // memory of the array, owned
} gmem_input_t;

// The arguments of one request, except arenas.
typedef struct gmem_inputs_s {
  gmem_input_t *at;
  uint32_t count;
} gmem_inputs_t;

// Makes |count| inputs without memory. Returns false if out of memory. Call
// gmem_inputs_destroy in any case.
bool gmem_inputs_allocate(gmem_inputs_t *inputs, uint32_t count);

// Creates the inputs of a function of |signature| from the files and numbers in
// |options|; others are pseudo-random, with |seed|. All are dense. Prints a
// message on failure. Call gmem_inputs_destroy in any case.
gmem_status_t gmem_inputs_create(const gmem_signature_t *signature,
                                 const gmem_run_program_options_t *options,
                                 uint64_t seed, gmem_inputs_t *out_inputs);

void gmem_inputs_destroy(gmem_inputs_t *inputs);

#endif // GMEM_TOOLS_RUN_INPUTS_H_
