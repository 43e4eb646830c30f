// made_constants.c - see made_constants.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "made_constants.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "gmem/transforms.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- one chain --------------------------------------------------------===//

// Libraries stay loaded: what they define may be used at any time.
static gmem_status_t find_function(const gmem_text_list_t *libraries,
                                   const char *name, const char *constant,
                                   gmem_transform_fn *out, gmem_diag_t *diag) {
  *out = NULL;
  for (uint32_t i = 0; i < libraries->count && !*out; ++i) {
    void *library = dlopen(libraries->at[i], RTLD_NOW | RTLD_GLOBAL);
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(out, &found, sizeof found); // ISO C forbids the cast
  }
  return *out ? GMEM_OK
              : gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                          "constant '%.80s' needs the transform '%.80s', which "
                          "is in no library (--library)",
                          constant, name);
}

// Bytes between two functions; |at| is owned.
typedef struct bytes_s {
  uint8_t *at;
  uint64_t size;
} bytes_t;

static bytes_t new_bytes(uint64_t size) {
  return (bytes_t){gmem_need(calloc((size_t)size + 1, 1)), size};
}

// Replaces |now| by the result of the step, which is at |dst| if that is not
// NULL.
static gmem_status_t run_step(const gmem_planned_transform_t *step,
                              gmem_transform_fn make, void *dst, bytes_t *now,
                              gmem_diag_t *diag) {
  bytes_t next = {.size = step->size};
  if (!dst)
    next = new_bytes(step->size);
  *diag = (gmem_diag_t){.status = GMEM_OK};
  gmem_status_t status =
      make(NULL, now->at, now->size, dst ? dst : next.at, step->size, diag);
  free(now->at);
  *now = next;
  return status == GMEM_OK || diag->text[0]
             ? status
             : gmem_fail(diag, status, "transform '%.80s' fails", step->name);
}

gmem_status_t gmem_made_constant_write(const gmem_planned_t *planned,
                                       uint32_t buffer,
                                       const gmem_text_list_t *libraries,
                                       void *dst, gmem_diag_t *diag) {
  const char *name = gmem_planned_buffer(planned, buffer)->name;
  size_t count = gmem_planned_transform_count(planned), first = 0, end;
  uint64_t size;
  while (first < count &&
         gmem_planned_transform(planned, first)->buffer != buffer)
    ++first;
  for (end = first;
       end < count && gmem_planned_transform(planned, end)->buffer == buffer;)
    ++end;
  assert(first < end);
  GMEM_TRY(gmem_planned_source(planned, buffer, &size, NULL, diag));
  bytes_t now = new_bytes(size);
  gmem_status_t status =
      gmem_planned_source(planned, buffer, &size, now.at, diag);
  for (size_t i = first; i < end && status == GMEM_OK; ++i) {
    const gmem_planned_transform_t *step = gmem_planned_transform(planned, i);
    gmem_transform_fn make;
    status = find_function(libraries, step->name, name, &make, diag);
    if (status == GMEM_OK)
      status = run_step(step, make, i + 1 == end ? dst : NULL, &now, diag);
  }
  free(now.at);
  return status;
}

//===--- globals ----------------------------------------------------------===//

static bool is_made(MlirOperation op) {
  return gmem_op_is(op, "memref.global") &&
         !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_TRANSFORM));
}

bool gmem_has_made_constants(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && !is_made(op))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

// A search of |program| for an op that gets the global |name|.
typedef struct search_s {
  const gmem_planned_t *planned;
  MlirStringRef name;
  uint32_t buffer; // GMEM_NO_BUFFER: not found yet
} search_t;

static MlirWalkResult look_at(MlirOperation op, void *user) {
  search_t *search = user;
  MlirAttribute name = gmem_op_attribute(op, "name");
  if (!gmem_op_is(op, "memref.get_global") ||
      !mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(name), search->name))
    return MlirWalkResultAdvance;
  uint32_t found =
      gmem_planned_value(search->planned, mlirOperationGetResult(op, 0)).index;
  if (found != GMEM_NO_BUFFER) {
    uint32_t of = gmem_planned_buffer(search->planned, found)->alias_of;
    search->buffer = of == GMEM_NO_BUFFER ? found : of;
  }
  return MlirWalkResultAdvance;
}

static gmem_status_t store(MlirOperation global, const gmem_planned_t *planned,
                           uint32_t buffer, const gmem_text_list_t *libraries) {
  MlirType memref = mlirTypeAttrGetValue(gmem_op_attribute(global, "type"));
  uint64_t size = gmem_planned_buffer(planned, buffer)->payload_size;
  gmem_diag_t diag = {.status = GMEM_OK};
  bytes_t made = new_bytes(size);
  int64_t shape[64];
  intptr_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t i = 0; i < rank && i < 64; ++i)
    shape[i] = mlirShapedTypeGetDimSize(memref, i);
  gmem_status_t status =
      gmem_made_constant_write(planned, buffer, libraries, made.at, &diag);
  MlirAttribute contents = mlirAttributeGetNull();
  if (status == GMEM_OK && rank <= 64)
    contents = mlirDenseElementsAttrRawBufferGet(
        mlirRankedTensorTypeGet(rank, shape,
                                mlirShapedTypeGetElementType(memref),
                                mlirAttributeGetNull()),
        (size_t)size, made.at);
  free(made.at);
  GMEM_TRY(gmem_tool_check(status, &diag, "cannot make the constants"));
  if (mlirAttributeIsNull(contents))
    return gmem_tool_error("constant '%s' cannot be made for the program that "
                           "is compared",
                           gmem_planned_buffer(planned, buffer)->name);
  mlirOperationSetAttributeByName(global, gmem_string("initial_value"),
                                  contents);
  gmem_op_annotate(global, GMEM_ATTR_TRANSFORM, mlirAttributeGetNull());
  gmem_op_annotate(global, GMEM_ATTR_SOURCE, mlirAttributeGetNull());
  return GMEM_OK;
}

gmem_status_t gmem_made_constants_store(MlirModule module,
                                        const gmem_planned_t *planned,
                                        MlirModule program,
                                        const gmem_text_list_t *libraries) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_made(op))
      continue;
    search_t search = {
        planned, mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name")),
        GMEM_NO_BUFFER};
    mlirOperationWalk(mlirModuleGetOperation(program), look_at, &search,
                      MlirWalkPreOrder);
    if (search.buffer != GMEM_NO_BUFFER)
      GMEM_TRY(store(op, planned, search.buffer, libraries));
  }
  return GMEM_OK;
}
