// program_facts.c - see program_facts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program_facts.h"

gmem_status_t gmem_program_facts_find(const gmem_program_t *program,
                                      gmem_bump_t *arena,
                                      gmem_program_facts_t *out_facts,
                                      gmem_diag_t *diag) {
  gmem_program_facts_t *facts = out_facts;
  const gmem_calls_t *calls = &facts->calls;
  *facts = (gmem_program_facts_t){.program = program};
  GMEM_TRY(gmem_layer_groups_find(program, arena, &facts->groups, diag));
  GMEM_TRY(
      gmem_calls_find(program, &facts->groups, arena, &facts->calls, diag));
  GMEM_TRY(gmem_uses_find(program, arena, &facts->uses, diag));
  GMEM_TRY(
      gmem_control_flow_find(calls, &facts->uses, arena, &facts->flow, diag));
  facts->streams = (gmem_streams_t){.calls = calls,
                                    .groups = &facts->groups,
                                    .uses = &facts->uses,
                                    .flow = &facts->flow};
  GMEM_TRY(gmem_streams_find(&facts->streams, arena, diag));
  return gmem_call_contexts_find(calls, arena, &facts->contexts, diag);
}
