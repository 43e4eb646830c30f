// verdicts.h - what the abstract machine and the verifier say of one plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_JUDGE_VERDICTS_H_
#define GMEM_JUDGE_VERDICTS_H_

#include "gmem/passes.h"

enum { VERDICT_TEXT = 640 };

// The parts of the verifier, alone, and all of it.
typedef enum verifier_part_e {
  PART_CONTENTS,
  PART_PLACEMENT,
  PART_WHOLE,
  PART_COUNT
} verifier_part_t;

// Of the machine.
typedef enum soundness_e {
  SOUND,     // nothing wrong on the ways that it took
  UNSOUND,   // an op finds other contents than those it reads
  MALFORMED, // the plan cannot be read
  CLAIM,     // sound, but gmem.alias is wrong
} soundness_t;

typedef struct verdict_s {
  soundness_t soundness;
  char fault[VERDICT_TEXT];
  bool refuses[PART_COUNT];
  char reasons[PART_COUNT][VERDICT_TEXT];
} verdict_t;

// Whether this build's verifier can run one part alone.
bool verdict_has_parts(void);

// Asks the verifier, part by part.
void verdict_ask_verifier(verdict_t *verdict, MlirOperation scope);

// Asks the machine: |runs| ways of each function.
void verdict_ask_machine(verdict_t *verdict, MlirOperation scope,
                         unsigned long runs, unsigned long seed);

#endif // GMEM_JUDGE_VERDICTS_H_
