// machine_examine.h - what the machine says of one scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_EXAMINE_H_
#define GMEM_MACHINE_EXAMINE_H_

#include "machine_run.h"

typedef enum machine_finding_e {
  MACHINE_MALFORMED, // the plan cannot be read
  MACHINE_CLAIM,     // gmem.alias is wrong
  MACHINE_UNSOUND,   // an op does not find the contents that it reads
} machine_finding_t;

// One examination. The caller sets the first four members; the others count up.
typedef struct machine_examination_s {
  unsigned long runs, seed; // of each entry function
  void (*report)(void *user, machine_finding_t finding, const char *message);
  void *user;
  size_t scopes, functions, runs_made;
} machine_examination_t;

// Whether |op| holds functions: a scope, if it is no function itself.
bool machine_is_scope(MlirOperation op);

// Runs every function of |scope| that no other calls.
void machine_examine(MlirOperation scope, machine_examination_t *examination);

#endif // GMEM_MACHINE_EXAMINE_H_
