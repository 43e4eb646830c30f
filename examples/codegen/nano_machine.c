// nano_machine.c - see nano_machine.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nano_machine.h"

#include <string.h>

enum { LOCAL_BYTES = 4096 };

typedef struct local_s {
  uint8_t bytes[LOCAL_BYTES];
  size_t used;
} local_t;

// |size| bytes at a DDR address, or NULL.
static void *at(const nano_machine_t *machine, uint64_t address,
                uint64_t size) {
  uint64_t offset = address - NANO_DDR_BASE;
  if (offset > NANO_DDR_SIZE || size > NANO_DDR_SIZE - offset)
    return NULL;
  return machine->ddr + offset;
}

static bool push(const nano_machine_t *machine, const nano_instruction_t *ins,
                 local_t *local) {
  const void *from = at(machine, ins->a, ins->count);
  if (!from || ins->count > LOCAL_BYTES - local->used)
    return false;
  memcpy(local->bytes + local->used, from, ins->count);
  local->used += ins->count;
  return true;
}

static bool pop(const nano_machine_t *machine, const nano_instruction_t *ins,
                local_t *local) {
  void *to = at(machine, ins->out, ins->count);
  if (!to || ins->count > local->used)
    return false;
  local->used -= ins->count;
  memcpy(to, local->bytes + local->used, ins->count);
  return true;
}

static bool copy(const nano_machine_t *machine, const nano_instruction_t *ins) {
  void *to = at(machine, ins->out, ins->count);
  const void *from = at(machine, ins->a, ins->count);
  if (!to || !from)
    return false;
  memmove(to, from, ins->count);
  return true;
}

static bool elementwise(const nano_machine_t *machine,
                        const nano_instruction_t *ins) {
  uint64_t size = ins->count * sizeof(int32_t);
  int32_t *out = at(machine, ins->out, size);
  const int32_t *a = at(machine, ins->a, size);
  const int32_t *b = ins->opcode == NANO_ADD ? at(machine, ins->b, size) : a;
  if (!out || !a || !b)
    return false;
  for (uint64_t i = 0; i < ins->count; ++i)
    out[i] = ins->opcode == NANO_ADD
                 ? (int32_t)((uint32_t)a[i] + (uint32_t)b[i])
                 : (a[i] > 0 ? a[i] : 0);
  return true;
}

static bool matmul(const nano_machine_t *machine,
                   const nano_instruction_t *ins) {
  uint64_t inner = ins->inner, columns = ins->columns;
  uint64_t rows = columns ? ins->count / columns : 0;
  int32_t *out = at(machine, ins->out, rows * columns * sizeof *out);
  const int32_t *a = at(machine, ins->a, rows * inner * sizeof *a);
  const int32_t *b = at(machine, ins->b, inner * columns * sizeof *b);
  if (!out || !a || !b)
    return false;
  for (uint64_t i = 0; i < rows; ++i)
    for (uint64_t k = 0; k < columns; ++k) {
      uint32_t sum = 0;
      for (uint64_t j = 0; j < inner; ++j)
        sum += (uint32_t)a[i * inner + j] * (uint32_t)b[j * columns + k];
      out[i * columns + k] = (int32_t)sum;
    }
  return true;
}

// Runs an instruction that is not part of a loop's frame.
static bool run_one(const nano_machine_t *machine,
                    const nano_instruction_t *ins, local_t *local) {
  switch (ins->opcode) {
  case NANO_STEP:
    machine->begin_step(machine->user, ins->count);
    return true;
  case NANO_COPY:
    return copy(machine, ins);
  case NANO_PUSH:
    return push(machine, ins, local);
  case NANO_POP:
    return pop(machine, ins, local);
  case NANO_ADD:
  case NANO_RELU:
    return elementwise(machine, ins);
  case NANO_MATMUL:
    return matmul(machine, ins);
  default:
    return false;
  }
}

bool nano_run(const nano_machine_t *machine, const nano_instruction_t *program,
              size_t count) {
  local_t local = {.used = 0};
  size_t loop = 0; // behind the last REPEAT; loops are not nested
  uint64_t left = 0;
  for (size_t i = 0; i < count; ++i) {
    if (program[i].opcode == NANO_REPEAT) {
      loop = i + 1;
      left = program[i].count;
    } else if (program[i].opcode == NANO_END) {
      if (left > 1)
        i = loop - 1; // before its first instruction
      left -= left > 0;
    } else if (!run_one(machine, &program[i], &local)) {
      return false;
    }
  }
  return true;
}
