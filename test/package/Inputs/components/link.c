// link.c - a C program that uses one function of one library: HEADER declares
// FUNCTION.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include HEADER

int main(void) {
  void (*volatile function)(void) = (void (*)(void))FUNCTION;
  return function && puts("linked") >= 0 ? 0 : 1;
}
