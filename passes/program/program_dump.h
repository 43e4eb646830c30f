// program_dump.h - the numbered program as text: debug=program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROGRAM_DUMP_H_
#define GMEM_PASSES_PROGRAM_DUMP_H_

#include "program_facts.h"
#include "text.h"

// Appends "[2, 5)".
void gmem_dump_range(gmem_text_t *text, int64_t begin, int64_t end);

// Appends the functions with their contexts, ops and values, calls and
// transfers.
void gmem_program_dump(const gmem_program_facts_t *facts, gmem_text_t *text);

#endif // GMEM_PASSES_PROGRAM_DUMP_H_
