// workspaces.c - the workspace memories of a scope, by pool number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workspaces.h"

#include "gmem/memories.h"

void gmem_workspaces_find(const gmem_program_t *program,
                          gmem_workspaces_t *out) {
  *out = (gmem_workspaces_t){.count = 0};
  for (size_t i = 0; i < program->memory_count; ++i) {
    const gmem_memory_t *memory = &program->memories[i];
    if (memory->is_constant)
      continue;
    uint32_t number = out->count++, at = number;
    out->memories[number] = memory;
    out->numbers[number] = (uint32_t)i;
    for (; at && out->memories[out->order[at - 1]]->speed < memory->speed; --at)
      out->order[at] = out->order[at - 1];
    out->order[at] = number;
  }
}
