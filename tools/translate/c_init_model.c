// c_init_model.c - the functions of a plan that compute constants, for
// generated C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_init_model.h"

#include <assert.h>
#include <stdlib.h>

#include "diag.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

//===--- operators --------------------------------------------------------===//

// Chains of calls may be long: no recursion.
gmem_status_t gmem_c_mark_called(const gmem_planned_t *planned, size_t root,
                                 bool *is_called, gmem_diag_t *diag) {
  size_t count = gmem_planned_function_count(planned);
  size_t *stack = malloc(count * sizeof *stack), depth = 0;
  if (!stack)
    return gmem_out_of_memory(diag);
  is_called[root] = true;
  stack[depth++] = root;
  while (depth > 0) {
    const gmem_planned_function_t *entry =
        gmem_planned_function(planned, stack[--depth]);
    for (size_t i = entry->first_op; i < entry->end_op; ++i) {
      const gmem_planned_op_t *op = gmem_planned_op(planned, i);
      if (op->work != GMEM_PLANNED_CALL || is_called[op->callee])
        continue;
      assert(depth < count);
      is_called[op->callee] = true;
      stack[depth++] = op->callee;
    }
  }
  free(stack);
  return GMEM_OK;
}

static void mark_pool(gmem_c_model_t *model, uint32_t buffer) {
  if (buffer == GMEM_NO_BUFFER ||
      !gmem_planned_buffer(model->planned, buffer)->payload_size)
    return;
  uint32_t pool = gmem_planned_buffer(model->planned, buffer)->pool;
  model->pools[pool].serves_init = true;
}

static void mark_pools_of_op(gmem_c_model_t *model,
                             const gmem_planned_op_t *op) {
  for (size_t i = 0; i < op->operand_count; ++i)
    mark_pool(model, op->operands[i]);
  for (size_t i = 0; i < op->result_count; ++i)
    mark_pool(model, op->results[i]);
  for (size_t i = 0; i < op->copy_count; ++i) {
    mark_pool(model, op->copies[i].from);
    mark_pool(model, op->copies[i].to);
  }
  for (size_t i = 0; i < op->workbuffer_count; ++i)
    mark_pool(
        model,
        gmem_planned_workbuffer(model->planned, op->workbuffers[i])->buffer);
}

// |of_init| has an element for each function, all false.
static gmem_status_t find_functions(gmem_c_model_t *model, bool *of_init,
                                    gmem_diag_t *diag) {
  gmem_c_init_t *init = &model->init;
  size_t count = gmem_planned_function_count(model->planned);
  init->functions = calloc(count, sizeof *init->functions);
  if (!init->functions)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_function_t *function =
        gmem_planned_function(model->planned, i);
    if (!function->is_init || !function->is_entry)
      continue;
    init->functions[init->count++] = i;
    GMEM_TRY(gmem_c_mark_called(model->planned, i, of_init, diag));
  }
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_function_t *function =
        gmem_planned_function(model->planned, i);
    model->calls.is_called[i] |= of_init[i];
    for (size_t k = function->first_op; of_init[i] && k < function->end_op; ++k)
      mark_pools_of_op(model, gmem_planned_op(model->planned, k));
  }
  return GMEM_OK;
}

gmem_status_t gmem_c_init_find(gmem_c_model_t *model, gmem_diag_t *diag) {
  bool *of_init =
      calloc(gmem_planned_function_count(model->planned), sizeof *of_init);
  if (!of_init)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < model->pool_count; ++i)
    model->pools[i].serves_init = false; // unless an op is found that uses it
  gmem_status_t status = find_functions(model, of_init, diag);
  free(of_init);
  return status;
}

//===--- a compiled network -----------------------------------------------===//

gmem_status_t gmem_c_match_arena(gmem_c_model_t *model,
                                 gmem_c_argument_t *argument, bool is_init,
                                 gmem_diag_t *diag) {
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    const gmem_planned_pool_t *pool = model->pools[i].plan;
    if (strcmp(pool->name, argument->pool) != 0 ||
        pool->size != argument->bytes)
      continue;
    if (is_init)
      model->pools[i].serves_init = true;
    else
      model->pools[i].serves_run = true;
    argument->pool_index = i;
    return GMEM_OK;
  }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "the compiled module does not match the plan, which has no "
                   "pool for its arena '%.80s' of %llu bytes",
                   argument->pool, (unsigned long long)argument->bytes);
}

static bool is_initialiser(MlirOperation op) {
  return gmem_op_is(op, "func.func") &&
         !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)) &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

static gmem_status_t add_entry(gmem_c_model_t *model, MlirModule module,
                               MlirStringRef symbol, gmem_diag_t *diag) {
  gmem_c_init_t *init = &model->init;
  gmem_c_entry_t *grown =
      realloc(init->entries, (init->count + 1) * sizeof *grown);
  if (!grown)
    return gmem_out_of_memory(diag);
  init->entries = grown;
  gmem_c_entry_t *entry = &init->entries[init->count++];
  *entry = (gmem_c_entry_t){0};
  char name[512];
  snprintf(name, sizeof name, "%.*s", (int)symbol.length, symbol.data);
  GMEM_TRY(gmem_c_entry_read(module, name, 0, entry, diag));
  for (size_t i = 0; i < entry->count; ++i) {
    if (!entry->arguments[i].pool)
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "@%.80s computes constants from its argument %zu: plan "
                       "with constants=keep",
                       name, i);
    GMEM_TRY(gmem_c_match_arena(model, &entry->arguments[i], true, diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_c_init_find_compiled(gmem_c_model_t *model,
                                        MlirModule module, gmem_diag_t *diag) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_initialiser(op))
      GMEM_TRY(add_entry(
          model, module,
          mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name")), diag));
  return GMEM_OK;
}

//===--- both -------------------------------------------------------------===//

void gmem_c_init_free(gmem_c_init_t *init) {
  for (size_t i = 0; init->entries && i < init->count; ++i)
    gmem_c_entry_free(&init->entries[i]);
  free(init->entries);
  free(init->functions);
}

gmem_status_t gmem_c_init_check(gmem_c_model_t *model, gmem_diag_t *diag) {
  const gmem_planned_t *planned = model->planned;
  bool is_run = model->options.entry != GMEM_C_ENTRY_NONE;
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    gmem_c_struct_t which = gmem_c_struct_of(&model->pools[i]);
    model->init.takes[which] |=
        model->pools[i].serves_init && model->ports[which].is_given;
  }
  for (uint32_t i = 0; is_run && model->init.count == 0 &&
                       i < gmem_planned_buffer_count(planned);
       ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (buffer->flags & GMEM_PLANNED_COMPUTED)
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "no function computes the constant '%.80s': the %s has "
                       "no body of the one named by gmem.init",
                       buffer->name,
                       model->options.entry == GMEM_C_ENTRY_COMPILED
                           ? "compiled module"
                           : "module");
  }
  return GMEM_OK;
}
