// nano.h - the instructions of the accelerator, as they are in its memory and
// in files. Addresses are absolute addresses in DDR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NANO_H_
#define NANO_H_

#include <stdint.h>

#define NANO_DDR_BASE UINT64_C(0x480000000) // of the accelerator's memory
#define NANO_DDR_SIZE UINT64_C(0x100000)    // bytes

typedef enum nano_opcode_e {
  NANO_STEP,   // count: the step of the plan that begins, for checks
  NANO_COPY,   // out = a: count bytes
  NANO_PUSH,   // put count bytes at a on the stack of the local memory
  NANO_POP,    // take count bytes from it to out
  NANO_ADD,    // out = a + b: count elements
  NANO_RELU,   // out = max(a, 0): count elements
  NANO_MATMUL, // out = a b: b is inner x columns; count elements
  NANO_REPEAT, // run what follows, up to END, count times
  NANO_END,
} nano_opcode_t;

typedef struct nano_instruction_s {
  uint32_t opcode, inner, columns, reserved;
  uint64_t count;
  uint64_t out, a, b;
} nano_instruction_t;

#endif // NANO_H_
