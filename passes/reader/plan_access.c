// plan_access.c - what a plan that has been read says (gmem/plan_reader.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "diag.h"
#include "mlir-c/BuiltinAttributes.h"
#include "plan_constants.h"
#include "planned.h"
#include "type_size.h"

const gmem_planned_figures_t *
gmem_planned_figures(const gmem_planned_t *planned) {
  return &planned->figures;
}

uint32_t gmem_planned_pool_count(const gmem_planned_t *planned) {
  return (uint32_t)planned->pools.count;
}

uint32_t gmem_planned_buffer_count(const gmem_planned_t *planned) {
  return (uint32_t)planned->buffers.count;
}

const gmem_planned_pool_t *gmem_planned_pool(const gmem_planned_t *planned,
                                             uint32_t index) {
  assert(index < planned->pools.count);
  return &planned->pools.at[index];
}

const gmem_planned_buffer_t *gmem_planned_buffer(const gmem_planned_t *planned,
                                                 uint32_t index) {
  assert(index < planned->buffers.count);
  return &planned->buffers.at[index].buffer;
}

gmem_status_t gmem_planned_contents(const gmem_planned_t *planned,
                                    uint32_t index, void *out,
                                    gmem_diag_t *diag) {
  GMEM_NEED(planned && out, diag);
  const gmem_planned_entry_t *entry = &planned->buffers.at[index];
  const gmem_planned_buffer_t *buffer = &entry->buffer;
  const char *why = "it is not a constant";
  gmem_status_t status = GMEM_ERR_INVALID_ARGUMENT;
  assert(index < planned->buffers.count);
  if (buffer->flags & GMEM_PLANNED_TRANSFORMED) {
    why = "functions of the program that runs the plan make them";
    status = GMEM_ERR_NOT_FOUND;
  } else if (!mlirTypeIsNull(entry->type))
    status = gmem_contents_write(entry->elements, entry->type, out,
                                 buffer->size, &why);
  if (status == GMEM_OK)
    return GMEM_OK;
  if (buffer->flags & GMEM_PLANNED_COMPUTED)
    why = "the program computes them (constants=keep does so in every request)";
  return gmem_fail(diag, status,
                   "the contents of '%s' (%s, %s) are unknown: %s",
                   buffer->name, buffer->op, buffer->location, why);
}

gmem_status_t gmem_planned_source(const gmem_planned_t *planned, uint32_t index,
                                  uint64_t *out_size, void *out,
                                  gmem_diag_t *diag) {
  GMEM_NEED(planned && out_size, diag);
  const gmem_planned_entry_t *entry = &planned->buffers.at[index];
  const char *why = "no functions make it";
  gmem_status_t status = GMEM_ERR_INVALID_ARGUMENT;
  assert(index < planned->buffers.count);
  *out_size = 0;
  if (entry->buffer.flags & GMEM_PLANNED_TRANSFORMED) {
    why = "its op has no elements, or these have no size";
    status = GMEM_ERR_UNSUPPORTED;
    if (!mlirAttributeIsNull(entry->elements) &&
        gmem_type_size(mlirAttributeGetType(entry->elements), out_size) ==
            GMEM_TYPE_SIZED)
      status = GMEM_OK;
  }
  if (status == GMEM_OK && out)
    status = gmem_contents_write(entry->elements,
                                 mlirAttributeGetType(entry->elements), out,
                                 *out_size, &why);
  if (status == GMEM_OK)
    return GMEM_OK;
  return gmem_fail(diag, status, "the source of '%s' (%s, %s) is unknown: %s",
                   entry->buffer.name, entry->buffer.op, entry->buffer.location,
                   why);
}

size_t gmem_planned_workbuffer_count(const gmem_planned_t *planned) {
  return planned->workbuffers.count;
}

const gmem_planned_workbuffer_t *
gmem_planned_workbuffer(const gmem_planned_t *planned, size_t index) {
  assert(index < planned->workbuffers.count);
  return &planned->workbuffers.at[index];
}

size_t gmem_planned_alias_count(const gmem_planned_t *planned) {
  return planned->aliases.count;
}

const gmem_planned_alias_t *gmem_planned_alias(const gmem_planned_t *planned,
                                               size_t index) {
  assert(index < planned->aliases.count);
  return &planned->aliases.at[index];
}

size_t gmem_planned_function_count(const gmem_planned_t *planned) {
  return planned->ops.functions.count;
}

size_t gmem_planned_op_count(const gmem_planned_t *planned) {
  return planned->ops.all.count;
}

const gmem_planned_function_t *
gmem_planned_function(const gmem_planned_t *planned, size_t index) {
  assert(index < planned->ops.functions.count);
  return &planned->ops.functions.at[index];
}

const gmem_planned_op_t *gmem_planned_op(const gmem_planned_t *planned,
                                         size_t index) {
  assert(index < planned->ops.all.count);
  return &planned->ops.all.at[index];
}

size_t gmem_planned_flow_copy_count(const gmem_planned_t *planned) {
  return planned->copies.count;
}

const gmem_planned_flow_copy_t *
gmem_planned_flow_copy(const gmem_planned_t *planned, size_t index) {
  assert(index < planned->copies.count);
  return &planned->copies.at[index];
}

size_t gmem_planned_relocation_count(const gmem_planned_t *planned) {
  return planned->relocations.count;
}

const gmem_planned_relocation_t *
gmem_planned_relocation(const gmem_planned_t *planned, size_t index) {
  assert(index < planned->relocations.count);
  return &planned->relocations.at[index];
}

size_t gmem_planned_transform_count(const gmem_planned_t *planned) {
  return planned->transforms.count;
}

const gmem_planned_transform_t *
gmem_planned_transform(const gmem_planned_t *planned, size_t index) {
  assert(index < planned->transforms.count);
  return &planned->transforms.at[index];
}

size_t gmem_planned_span_count(const gmem_planned_t *planned) {
  return planned->spans.count;
}

const gmem_planned_span_t *gmem_planned_span(const gmem_planned_t *planned,
                                             size_t index) {
  assert(index < planned->spans.count);
  return &planned->spans.at[index];
}

//===--- code generators --------------------------------------------------===//

gmem_planned_place_t gmem_planned_place(const gmem_planned_t *planned,
                                        uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
  gmem_planned_place_t place = {
      .index = index,
      .buffer = buffer,
      .pool = pool,
      .address =
          gmem_planned_address(planned, buffer->pool, buffer->payload_offset),
      .size = buffer->payload_size};
  uint32_t leader =
      buffer->alias_of == GMEM_NO_BUFFER ? index : buffer->alias_of;
  const gmem_planned_alias_t *aliases = planned->aliases.at;
  size_t count = planned->aliases.count;
  size_t begin = gmem_plan_aliases_below(aliases, count, leader);
  place.alias_count =
      gmem_plan_aliases_below(aliases, count, leader + 1) - begin;
  place.aliases = place.alias_count ? aliases + begin : NULL;
  return place;
}

gmem_planned_place_t gmem_planned_value(const gmem_planned_t *planned,
                                        MlirValue value) {
  uint32_t index = gmem_pointer_map_find(&planned->lookup.buffer_of, value.ptr);
  if (index == GMEM_NO_INDEX)
    return (gmem_planned_place_t){.index = GMEM_NO_BUFFER,
                                  .address = GMEM_NO_BASE};
  return gmem_planned_place(planned, index);
}

const gmem_planned_op_t *gmem_planned_op_of(const gmem_planned_t *planned,
                                            MlirOperation op) {
  uint32_t index = gmem_pointer_map_find(&planned->lookup.op_of, op.ptr);
  return index == GMEM_NO_INDEX ? NULL : gmem_planned_op(planned, index);
}

const gmem_planned_flow_copy_t *
gmem_planned_flow_copies_of(const gmem_planned_t *planned, MlirOperation op,
                            bool at_end, size_t *out_count) {
  const gmem_planned_flow_copies_t *copies = &planned->copies;
  size_t begin = gmem_pointer_map_find(&planned->lookup.copy_of, op.ptr);
  *out_count = 0;
  if (begin == GMEM_NO_INDEX)
    return NULL;
  for (size_t i = begin; i < copies->count; ++i) {
    const gmem_planned_flow_copy_t *copy = &copies->at[i];
    if (!mlirOperationEqual(copy->ir, op))
      break;
    bool is_wanted = (copy->edge == GMEM_COPY_RESULTS) == at_end;
    begin += !is_wanted && *out_count == 0;
    *out_count += is_wanted;
  }
  return *out_count ? &copies->at[begin] : NULL;
}

const gmem_planned_span_t *gmem_planned_span_of(const gmem_planned_t *planned,
                                                MlirOperation op,
                                                int64_t from) {
  uint32_t index = gmem_pointer_map_find(&planned->lookup.span_of, op.ptr);
  while (index != GMEM_NO_INDEX && planned->spans.at[index].begin < from)
    index = planned->lookup.next_span[index];
  return index == GMEM_NO_INDEX ? NULL : &planned->spans.at[index];
}
