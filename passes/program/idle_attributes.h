// idle_attributes.h - attributes and models of ops without effect where they
// stand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_IDLE_ATTRIBUTES_H_
#define GMEM_PASSES_IDLE_ATTRIBUTES_H_

#include "program.h"

// Warns of the input attributes of gmem in the scope that have no effect where
// they stand, and of kinds of models that cannot apply to their op. One warning
// for each attribute and reason; it counts the others.
void gmem_idle_attributes_report(const gmem_program_t *program);

#endif // GMEM_PASSES_IDLE_ATTRIBUTES_H_
