// pass_table.h - what each pass file offers to the table in pass_table.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PASS_TABLE_H_
#define GMEM_PASSES_PASS_TABLE_H_

#include "gmem/passes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether |descriptor| has an option of that name.
bool gmem_pass_has_option(const gmem_pass_descriptor_t *descriptor,
                          const char *name);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PASSES_PASS_TABLE_H_
