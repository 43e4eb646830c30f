// machine_work.c - the workbuffers of ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "machine_run.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "vocabulary.h"

// A part of one thread of several begins at a multiple of this, as
// docs/workbuffers.md says.
enum { THREAD_ALIGNMENT = 64 };

typedef struct workbuffer_s {
  pool_t *pool;
  uint64_t offset, size; // bytes
} workbuffer_t;

static MlirAttribute attribute(MlirOperation op, gmem_attr_t name) {
  return mlirOperationGetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(gmem_vocabulary[name].name));
}

static MlirAttribute entry(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(name));
}

static uint64_t integer(MlirAttribute dictionary, const char *name,
                        uint64_t missing) {
  MlirAttribute found = entry(dictionary, name);
  return mlirAttributeIsNull(found)
             ? missing
             : (uint64_t)mlirIntegerAttrGetValueInt(found);
}

static uint64_t bytes_of(MlirAttribute dictionary) {
  uint64_t size = integer(dictionary, "size", 0);
  uint64_t threads = integer(dictionary, "threads", 1);
  uint64_t apart = integer(dictionary, "alignment", 1);
  if (apart < THREAD_ALIGNMENT)
    apart = THREAD_ALIGNMENT;
  return threads == 1 ? size : (size + apart - 1) / apart * apart * threads;
}

static pool_t *find_pool(const program_t *program, MlirStringRef name) {
  for (uint32_t i = 0; i < program->pool_count; ++i)
    if (program->pools[i].name_length == name.length &&
        memcmp(program->pools[i].name, name.data, name.length) == 0)
      return &program->pools[i];
  return NULL;
}

static intptr_t count_workbuffers(MlirOperation op) {
  MlirAttribute asked = attribute(op, GMEM_ATTR_WORKBUFFERS);
  return mlirAttributeIsNull(asked) ||
                 mlirAttributeIsNull(attribute(op, GMEM_ATTR_WORKBUFFER_OFFSET))
             ? 0
             : mlirArrayAttrGetNumElements(asked);
}

// Workbuffer |i| of |op|; its pool is NULL when it has none, or is constant.
static workbuffer_t workbuffer_of(const program_t *program, MlirOperation op,
                                  intptr_t i) {
  MlirAttribute asked = attribute(op, GMEM_ATTR_WORKBUFFERS);
  MlirAttribute offsets = attribute(op, GMEM_ATTR_WORKBUFFER_OFFSET);
  MlirAttribute pools = attribute(op, GMEM_ATTR_WORKBUFFER_POOL);
  workbuffer_t found = {
      find_pool(program,
                mlirStringAttrGetValue(mlirArrayAttrGetElement(pools, i))),
      (uint64_t)mlirDenseI64ArrayGetElement(offsets, i),
      bytes_of(mlirArrayAttrGetElement(asked, i))};
  if (!found.size || (found.pool && found.pool->constant))
    found.pool = NULL;
  return found;
}

void machine_fill_workbuffers(machine_t *machine, uint32_t index,
                              uint64_t *first_tag) {
  MlirOperation op = machine->program->ops[index].op;
  intptr_t count = count_workbuffers(op);
  *first_tag = TAG_FIRST + machine->origin_count;
  for (intptr_t i = 0; i < count; ++i) {
    workbuffer_t found = workbuffer_of(machine->program, op, i);
    origin_t *origin =
        machine_push(&machine->arena, &machine->origins, &machine->origin_count,
                     &machine->origin_room, sizeof *origin);
    *origin = (origin_t){NONE, false};
    if (found.pool)
      pool_write(found.pool, found.offset,
                 content_of_tag(&machine->arena, *first_tag + (uint64_t)i,
                                found.size));
  }
}

void machine_check_workbuffers(machine_t *machine, uint32_t index,
                               uint64_t first_tag) {
  MlirOperation op = machine->program->ops[index].op;
  intptr_t count = count_workbuffers(op);
  for (intptr_t i = 0; i < count; ++i) {
    workbuffer_t found = workbuffer_of(machine->program, op, i);
    fault_t fault;
    if (found.pool &&
        !pool_holds(found.pool, found.offset,
                    content_of_tag(&machine->arena, first_tag + (uint64_t)i,
                                   found.size),
                    &fault))
      machine_fail(machine, index, "finds other bytes in its workbuffer #%d",
                   (int)i);
  }
}
