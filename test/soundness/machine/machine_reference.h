// machine_reference.h - a planned program as tables of C: what each op does,
// for those who run it without any plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_REFERENCE_H_
#define GMEM_MACHINE_REFERENCE_H_

#include "machine_program.h"

// Prints the tables that test/tools/gmem-translate/Inputs/c_reference.h
// describes, of all ops that are directly in functions.
void reference_print(const program_t *program);

#endif // GMEM_MACHINE_REFERENCE_H_
