// sharing_problem.c - see sharing_problem.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The alignment of a pool does not apply to a buffer that begins inside another
// one; of two buffers with the same offset, the planner lets the child inherit
// this from the parent. A result that is written over its operand has the same
// bytes, so either may be the parent. The operand is the parent if it may be a
// slice of another buffer, and the result if it may be part of a concatenation,
// through any number of in-place writes:
//
//     slice -> over -> over        over -> over -> concat
//       p ----> c p --> c           c <--- p c <---- p
//
// Both aliases are added if both may be the parent. If one has more padding,
// its buffer contains the other one's, so it is the parent.

#include "sharing_problem.h"

#include <assert.h>

#include "problem_part.h"

typedef struct writer_s {
  gmem_problem_t *problem;
  const gmem_analysis_t *analysis;
  const gmem_pool_spec_t *pools;
  const uint32_t *set_of;
  bool *in_slice;  // by alias set: may begin inside the operand of a slice
  bool *in_concat; // by alias set: may begin inside a concatenation
  gmem_diag_t *diag;
} writer_t;

// The alias set that is defined first, and the one that replaces it.
static uint32_t first_of(const writer_t *writer, const gmem_alias_t *alias) {
  return writer->set_of[alias->kind == GMEM_SHARE_TRANSFER ? alias->child
                                                           : alias->parent];
}

static uint32_t second_of(const writer_t *writer, const gmem_alias_t *alias) {
  return writer->set_of[alias->kind == GMEM_SHARE_TRANSFER ? alias->parent
                                                           : alias->child];
}

static uint64_t payload_of(const writer_t *writer, uint32_t set) {
  const gmem_analysis_t *analysis = writer->analysis;
  return analysis->program.values[analysis->liveness.sets[set].root].size;
}

// gmem_padding_fits of two alias sets, most of which have no padding.
static bool fits(const writer_t *writer, uint32_t child, uint32_t parent,
                 uint64_t offset, uint64_t *out_offset) {
  *out_offset = offset;
  if (!gmem_is_padded(gmem_set_padding(writer->analysis, child)) &&
      !gmem_is_padded(gmem_set_padding(writer->analysis, parent)))
    return true;
  return gmem_padding_fits(
      gmem_padding_in_buffer(writer->analysis, writer->pools, child),
      payload_of(writer, child),
      gmem_padding_in_buffer(writer->analysis, writer->pools, parent),
      payload_of(writer, parent), offset, out_offset);
}

// Whether the buffer of |child| begins after that of |parent|.
static bool is_inside(const writer_t *writer, uint32_t child, uint32_t parent,
                      uint64_t offset) {
  uint64_t in_buffer;
  return fits(writer, child, parent, offset, &in_buffer) && in_buffer != 0;
}

static void mark_over(writer_t *writer, bool *in, uint32_t child,
                      uint32_t parent) {
  in[child] |= in[parent] || is_inside(writer, child, parent, 0);
}

// Slices propagate in program order, concatenations in reverse.
static void mark(writer_t *writer, const gmem_aliases_t *aliases) {
  const uint32_t *set_of = writer->set_of;
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    bool *in = writer->in_slice;
    uint32_t child = set_of[alias->child], parent = set_of[alias->parent];
    assert(child != parent && (!i || aliases->aliases[i - 1].op <= alias->op));
    if (gmem_alias_overwrites(alias))
      mark_over(writer, in, second_of(writer, alias), first_of(writer, alias));
    else if (alias->kind == GMEM_SHARE_SLICE)
      in[child] |=
          in[parent] || is_inside(writer, child, parent, alias->offset);
  }
  for (size_t i = aliases->count; i-- > 0;) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    bool *in = writer->in_concat;
    uint32_t child = set_of[alias->child], parent = set_of[alias->parent];
    if (gmem_alias_overwrites(alias))
      mark_over(writer, in, first_of(writer, alias), second_of(writer, alias));
    else if (alias->kind == GMEM_SHARE_CONCAT)
      in[child] |=
          in[parent] || is_inside(writer, child, parent, alias->offset);
  }
}

// Skips aliases that paddings, pools, fixed offsets or gmem.same_as rule out.
static gmem_status_t add(const writer_t *writer, gmem_sharing_t kind,
                         uint32_t child, uint32_t parent, uint64_t offset) {
  gmem_alias_spec_t spec = {child, parent, 0, .is_optional = true,
                            .kind = kind};
  if (!fits(writer, child, parent, offset, &spec.offset))
    return GMEM_OK;
  gmem_status_t status =
      gmem_problem_add_alias(writer->problem, &spec, writer->diag);
  return status == GMEM_ERR_INVALID_ARGUMENT ? GMEM_OK : status;
}

static gmem_status_t add_over(const writer_t *writer,
                              const gmem_alias_t *alias) {
  uint32_t first = first_of(writer, alias), second = second_of(writer, alias);
  uint64_t ignored;
  bool first_contains = fits(writer, second, first, 0, &ignored);
  bool second_contains = fits(writer, first, second, 0, &ignored);
  bool is_choice = first_contains && second_contains;
  if (!is_choice || !writer->in_concat[second] || writer->in_slice[first])
    GMEM_TRY(add(writer, alias->kind, second, first, 0));
  if (!is_choice || writer->in_concat[second])
    GMEM_TRY(add(writer, alias->kind, first, second, 0));
  return GMEM_OK;
}

gmem_status_t gmem_aliases_add(gmem_problem_t *problem,
                               const gmem_analysis_t *analysis,
                               const gmem_pool_spec_t *pools,
                               gmem_diag_t *diag) {
  gmem_bump_t *arena = analysis->arena;
  const gmem_aliases_t *aliases = &analysis->constraints.aliases;
  size_t count = analysis->liveness.set_count;
  writer_t writer = {.problem = problem,
                     .analysis = analysis,
                     .pools = pools,
                     .set_of = analysis->liveness.set_of,
                     .in_slice = gmem_bump_alloc(arena, count, sizeof(bool)),
                     .in_concat = gmem_bump_alloc(arena, count, sizeof(bool)),
                     .diag = diag};
  if (!writer.in_slice || !writer.in_concat)
    return gmem_out_of_memory(diag);
  mark(&writer, aliases);
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    GMEM_TRY(gmem_alias_overwrites(alias)
                 ? add_over(&writer, alias)
                 : add(&writer, alias->kind, writer.set_of[alias->child],
                       writer.set_of[alias->parent], alias->offset));
  }
  return GMEM_OK;
}
