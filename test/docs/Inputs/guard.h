// guard.h - a guard for machines without atomic instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static int look(unsigned char *flag) {
  int was = *flag;
  *flag = 1;
  return was;
}
