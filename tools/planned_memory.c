// planned_memory.c - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constant_bytes.h"
#include "entry_signature.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "planned_image.h"
#include "run_messages.h"

//===--- weights ----------------------------------------------------------===//

// A constant with a place, for the buffer that lies there.
typedef struct constant_s {
  MlirStringRef pool;
  int64_t offset;
  MlirStringRef symbol;
} constant_t;

typedef struct weights_s {
  const gmem_plan_t *plan;
  MlirModule module;
  constant_t *constants;
  size_t count, room;
  bool out_of_memory;
} weights_t;

// A planned memref.get_global says where its constant lies.
static MlirWalkResult collect(MlirOperation op, void *user) {
  weights_t *weights = user;
  if (!gmem_op_is(op, "memref.get_global"))
    return MlirWalkResultAdvance;
  MlirAttribute pools = gmem_op_attribute(op, "gmem.pool");
  MlirAttribute offsets = gmem_op_attribute(op, "gmem.offset");
  if (mlirAttributeIsNull(pools) || mlirAttributeIsNull(offsets))
    return MlirWalkResultAdvance;
  if (weights->count == weights->room) {
    size_t room = weights->room ? 2 * weights->room : 64;
    constant_t *grown =
        realloc(weights->constants, room * sizeof *weights->constants);
    weights->out_of_memory = !grown;
    if (!grown)
      return MlirWalkResultInterrupt;
    weights->constants = grown;
    weights->room = room;
  }
  weights->constants[weights->count++] = (constant_t){
      mlirStringAttrGetValue(mlirArrayAttrGetElement(pools, 0)),
      mlirDenseI64ArrayGetElement(offsets, 0),
      mlirFlatSymbolRefAttrGetValue(gmem_op_attribute(op, "name"))};
  return MlirWalkResultAdvance;
}

static MlirOperation find_global(MlirModule module, MlirStringRef symbol) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = gmem_op_attribute(op, "sym_name");
    if (!mlirAttributeIsNull(name) &&
        mlirStringRefEqual(mlirStringAttrGetValue(name), symbol))
      return op;
  }
  return op;
}

// Of a memref of static shape; what a plan has a place for is no larger than
// memory.
static int64_t count_of(MlirType type) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count *= mlirShapedTypeGetDimSize(type, i);
  return count;
}

static gmem_status_t copy_global(const weights_t *weights, MlirStringRef symbol,
                                 void *dst, uint64_t size, gmem_diag_t *diag) {
  MlirOperation global = find_global(weights->module, symbol);
  gmem_element_t element;
  if (!mlirOperationIsNull(global)) {
    MlirType type = mlirTypeAttrGetValue(gmem_op_attribute(global, "type"));
    if (gmem_element_of_type(mlirShapedTypeGetElementType(type), &element) &&
        (uint64_t)count_of(type) * element.size <= size &&
        gmem_constant_bytes(gmem_op_attribute(global, "initial_value"),
                            &element, count_of(type), dst))
      return GMEM_OK;
  }
  *diag = (gmem_diag_t){.status = GMEM_ERR_UNSUPPORTED};
  snprintf(diag->text, sizeof diag->text,
           "the bytes of the constant @%.*s cannot be read", (int)symbol.length,
           symbol.data);
  return GMEM_ERR_UNSUPPORTED;
}

// Weights that no memref.global is for stay zero: nothing that runs uses them.
static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  const weights_t *weights = user;
  gmem_buffer_info_t buffer;
  gmem_region_info_t region;
  if (gmem_plan_buffer(weights->plan, id, &buffer) != GMEM_OK ||
      gmem_plan_region(weights->plan, buffer.region, &region) != GMEM_OK)
    return GMEM_OK; // the plan has proven that they are there
  for (size_t i = 0; i < weights->count; ++i)
    if ((uint64_t)weights->constants[i].offset == buffer.offset &&
        mlirStringRefEqual(weights->constants[i].pool,
                           gmem_string(region.name)))
      return copy_global(weights, weights->constants[i].symbol, dst, size,
                         diag);
  return GMEM_OK;
}

//===--- mapping ----------------------------------------------------------===//

static gmem_status_t load_plan(MlirModule module, gmem_planned_memory_t *memory,
                               gmem_diag_t *diag) {
  gmem_planned_t *planned;
  void *data;
  size_t size;
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, diag);
  if (status != GMEM_OK)
    return status;
  status = gmem_planned_image(planned, &data, &size, diag);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(data, size, 0, NULL, &memory->plan, diag);
  gmem_plan_data_free(NULL, data, size);
  gmem_planned_destroy(planned);
  return status;
}

static gmem_status_t create_model(MlirModule module,
                                  gmem_planned_memory_t *memory,
                                  gmem_diag_t *diag) {
  weights_t weights = {.plan = memory->plan, .module = module};
  gmem_model_sources_t sources = {
      .struct_size = sizeof sources, .user = &weights, .weight = fill_weight};
  mlirOperationWalk(mlirModuleGetOperation(module), collect, &weights,
                    MlirWalkPreOrder);
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  if (weights.out_of_memory)
    snprintf(diag->text, sizeof diag->text, "out of memory");
  else
    status = gmem_model_create(memory->plan, &memory->provider, &sources, NULL,
                               &memory->model, diag);
  free(weights.constants);
  return status;
}

int gmem_planned_memory_create(MlirModule module, uint32_t slots,
                               gmem_planned_memory_t *out_memory) {
  gmem_diag_t diag = {0};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots};
  *out_memory = (gmem_planned_memory_t){0};
  gmem_status_t status = load_plan(module, out_memory, &diag);
  if (status == GMEM_OK)
    status = gmem_provider_mmap(NULL, NULL, &out_memory->provider);
  if (status == GMEM_OK)
    status = create_model(module, out_memory, &diag);
  if (status == GMEM_OK)
    status = gmem_pool_create(out_memory->model, &out_memory->provider,
                              &options, NULL, &out_memory->pool, &diag);
  if (status == GMEM_OK)
    return 0;
  return gmem_run_error("the memory of the plan cannot be mapped: %s",
                        diag.text[0] ? diag.text : gmem_status_name(status));
}

void gmem_planned_memory_destroy(gmem_planned_memory_t *memory) {
  gmem_pool_release(memory->pool);
  gmem_model_release(memory->model);
  gmem_provider_destroy(&memory->provider);
  gmem_plan_release(memory->plan);
  *memory = (gmem_planned_memory_t){0};
}

gmem_region_t gmem_planned_memory_region(const gmem_planned_memory_t *memory,
                                         const char *pool) {
  gmem_region_info_t region;
  for (gmem_region_t i = 0; i < gmem_plan_region_count(memory->plan); ++i)
    if (gmem_plan_region(memory->plan, i, &region) == GMEM_OK &&
        strcmp(region.name, pool) == 0)
      return i;
  return GMEM_NONE;
}
