// uses.h - which ops want the contents of which values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_USES_H_
#define GMEM_PASSES_USES_H_

#include "bump.h"
#include "program.h"

typedef struct gmem_uses_s gmem_uses_t;

typedef struct gmem_uses_s {
  uint32_t *first_user; // by value: where its own begin, and those of the next
                        //   end
  uint32_t *users;      // ops of the schedule, ascending; those that do not
                        //   read a value are left out, and those that only
                        //   free a memref, or make something idle of it
  bool *
      is_undefined; // by value: its contents do not matter, only its place does
  bool *is_written; // by value: an op changes its contents where they are
  bool *unordered;  // by region: something in it is used before it is defined,
                    //   so that its ops do not run in the order of the text
} gmem_uses_t;

// Whether what the op reads at its step it may also read at any time later.
bool gmem_is_late_use(const gmem_program_t *program, uint32_t user);

// Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_uses_find(const gmem_program_t *program, gmem_bump_t *arena,
                             gmem_uses_t *out_uses, gmem_diag_t *diag);

#endif // GMEM_PASSES_USES_H_
