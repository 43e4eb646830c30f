// machine_claims.h - whether gmem.alias tells the truth about the places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_CLAIMS_H_
#define GMEM_MACHINE_CLAIMS_H_

#include "machine_run.h"

// Looks at ops from |*op| on for an alias that is claimed but not so, or is so
// but not claimed. Returns whether there is one: |*op| is then the op behind
// it, and |message| (MESSAGE_SIZE) says what.
bool find_false_claim(program_t *program, size_t *op, char *message);

#endif // GMEM_MACHINE_CLAIMS_H_
