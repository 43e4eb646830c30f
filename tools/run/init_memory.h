// init_memory.h - constants outside of a program while its functions with
// gmem.init run: those that they read, and those that they compute.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_INIT_MEMORY_H_
#define GMEM_TOOLS_INIT_MEMORY_H_

#include <stdbool.h>

#include "command_line.h"
#include "gmem/passes.h"
#include "sha256.h"

// Zero-initialise. One thread.
typedef struct gmem_init_memory_s gmem_init_memory_t;

// Runs the functions with gmem.init.
typedef gmem_status_t (*gmem_init_compute_fn)(void *user,
                                              gmem_init_memory_t *memory);

struct gmem_init_memory_s {
  gmem_planned_t *planned;           // with the functions with gmem.init; owned
  const gmem_text_list_t *libraries; // with the functions of gmem.transform
  uint8_t **pools; // by pool: its bytes, or NULL: not asked for; owned
  gmem_init_compute_fn compute; // to be called before the first copy, or NULL:
                                //   it has been computed
  void *user;                   // of |compute|
  bool has_digest;
  uint8_t digest[GMEM_SHA256_SIZE]; // of what computes them (init_digest.h)
};

// Reads the plan of |module|, which has been verified and must not change. Call
// gmem_init_memory_free in any case. Prints a message on failure.
gmem_status_t gmem_init_memory_read(MlirModule module,
                                    const gmem_text_list_t *libraries,
                                    gmem_init_memory_t *out_memory);
void gmem_init_memory_free(gmem_init_memory_t *memory);

// Gives back the bytes of all pools.
void gmem_init_memory_clear(gmem_init_memory_t *memory);

// The bytes of the pool of constants |pool|, aligned as it requires, with the
// constants that are not computed; |*out_bytes| is NULL if there is no such
// pool of |size| bytes. Prints a message on failure.
gmem_status_t gmem_init_memory_get(gmem_init_memory_t *memory, const char *pool,
                                   uint64_t size, uint8_t **out_bytes);

// Copies what is computed at |offset| of the pool, if the pool was
// asked for. Prints a message and fails if computing does.
gmem_status_t gmem_init_memory_copy(gmem_init_memory_t *memory,
                                    const char *pool, uint64_t offset,
                                    uint64_t size, void *to);

#endif // GMEM_TOOLS_INIT_MEMORY_H_
