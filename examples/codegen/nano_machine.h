// nano_machine.h - a simulator of the accelerator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NANO_MACHINE_H_
#define NANO_MACHINE_H_

#include <stdbool.h>
#include <stddef.h>

#include "nano.h"

// The accelerator: its DDR, and a callback at the begin of each step.
typedef struct nano_machine_s {
  uint8_t *ddr; // NANO_DDR_SIZE bytes, which the accelerator has at
                // NANO_DDR_BASE
  void (*begin_step)(void *user, uint64_t step);
  void *user;
} nano_machine_t;

// Runs |count| instructions. Returns false at one that is invalid or accesses
// another address.
bool nano_run(const nano_machine_t *machine, const nano_instruction_t *program,
              size_t count);

#endif // NANO_MACHINE_H_
