// cortex_m.c - from reset to main on an Arm Cortex-M, and its board.h by
// semihosting: a breakpoint that a debugger or an emulator answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

// Where the linker has put what (firmware.ld).
extern uint32_t stack_begin[], stack_end[], data_begin[], data_end[],
    bss_begin[], bss_end[];
extern const uint32_t data_in_flash[];

int main(void);
void reset(void);
void fault(void);

// Operations of Arm's semihosting, and the reason for an end that is none.
enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20 };
enum { APPLICATION_EXIT = 0x20026 };

// The pattern of stack words that were never written.
enum { UNTOUCHED = 0x57ac4e55 };

static void semihosting(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { semihosting(SYS_WRITE0, text); }

static _Noreturn void stop(int status) {
  const uint32_t reason[2] = {APPLICATION_EXIT, (uint32_t)status};
  for (;;)
    semihosting(SYS_EXIT_EXTENDED, reason);
}

static void report_fault(void) {
  board_print("fault\n");
  stop(1);
}

// Any fault: a stack that has outgrown its place, for example, as it is the
// lowest of the SRAM. So the stack begins anew.
__attribute__((naked)) void fault(void) {
  __asm__ volatile("mov sp, %0\n\tbx %1" : : "r"(stack_end), "r"(report_fault));
}

// The registers of floating point are off after a reset.
static void enable_floats(void) {
#ifdef __ARM_FP
  volatile uint32_t *access = (volatile uint32_t *)0xE000ED88; // CPACR
  *access |= UINT32_C(0xF) << 20;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

static void paint_stack(void) {
  const uint32_t *used = __builtin_frame_address(0);
  for (uint32_t *word = stack_begin; word < used - 16; ++word)
    *word = UNTOUCHED;
}

static void print_number(uint32_t number) {
  char text[11], *digit = text + sizeof text;
  *--digit = '\0';
  do
    *--digit = (char)('0' + number % 10);
  while (number /= 10);
  board_print(digit);
}

// Whether the stack was large enough.
static bool report_stack(void) {
  const uint32_t *word = stack_begin;
  while (word < stack_end && *word == UNTOUCHED)
    ++word;
  board_print("stack ");
  print_number((uint32_t)(stack_end - word) * 4);
  board_print(" of ");
  print_number((uint32_t)(stack_end - stack_begin) * 4);
  board_print(" bytes\n");
  return word > stack_begin;
}

// What the program begins with; pools are left as they are.
void reset(void) {
  paint_stack();
  const uint32_t *from = data_in_flash;
  for (uint32_t *to = data_begin; to < data_end; ++to)
    *to = *from++;
  for (uint32_t *to = bss_begin; to < bss_end; ++to)
    *to = 0;
  enable_floats();
  int status = main();
  stop(report_stack() ? status : 1);
}

// The first entries of the vector table: stack, reset, and the faults.
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {
    (uintptr_t)stack_end, (uintptr_t)reset, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,     (uintptr_t)fault, (uintptr_t)fault};
