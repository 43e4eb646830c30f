// run_init.c - see run_init.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_init.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "entry_signature.h"
#include "ir_reading.h"
#include "jit_guard.h"
#include "jit_heap.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

enum { NAME = 1024, ALIGNMENT = 4096, WORDS = 5, MOST_ARENAS = 16 };

// A call of a function that computes constants.
typedef struct init_call_s {
  void (*function)(void **values);
  // By argument: its descriptor (two pointers, offset, size, stride), and the
  // address of the descriptor.
  uint64_t words[MOST_ARENAS][WORDS];
  void *addresses[MOST_ARENAS], *values[MOST_ARENAS];
  void *blocks[MOST_ARENAS]; // to be freed, or NULL
  uint32_t count;
} init_call_t;

static bool is_initialiser(MlirOperation op) {
  return gmem_op_is(op, "func.func") &&
         !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)) &&
         !mlirOperationIsNull(gmem_first_op(op, 0));
}

bool gmem_init_is_needed(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && !is_initialiser(op))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

void gmem_init_expose(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_initialiser(op))
      mlirOperationSetAttributeByName(op, gmem_string("llvm.emit_c_interface"),
                                      mlirUnitAttrGet(context));
}

// Provides the memory of an arena: constants from |memory|, else a new block.
static gmem_status_t provide(init_call_t *call, gmem_init_memory_t *memory,
                             const gmem_entry_value_t *value,
                             const char *name) {
  uint64_t bytes = (uint64_t)value->type.sizes[0];
  uint8_t *constants = NULL;
  void *block;
  if (!value->pool)
    return gmem_tool_error("@%s computes constants from its arguments: use "
                           "--plan-options=constants=keep",
                           name);
  if (memory)
    GMEM_TRY(gmem_init_memory_get(memory, value->pool, bytes, &constants));
  if (constants)
    block = constants;
  else if (posix_memalign(&block, ALIGNMENT, bytes ? (size_t)bytes : 1) != 0)
    return gmem_tool_error("out of memory for the constants that @%s computes",
                           name);
  uint64_t *words = call->words[call->count];
  words[0] = words[1] = (uint64_t)(uintptr_t)block;
  words[2] = 0;
  words[3] = bytes;
  words[4] = 1;
  call->blocks[call->count] = constants ? NULL : block;
  call->addresses[call->count] = words;
  call->values[call->count] = &call->addresses[call->count];
  ++call->count;
  return GMEM_OK;
}

static gmem_status_t set_arguments(init_call_t *call,
                                   gmem_init_memory_t *memory,
                                   const gmem_signature_t *signature,
                                   const char *name) {
  if (signature->result_count || signature->argument_count > MOST_ARENAS)
    return gmem_tool_error("@%s computes constants, but has results or too "
                           "many arguments",
                           name);
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    GMEM_TRY(provide(call, memory, &signature->arguments[i], name));
  return GMEM_OK;
}

static void enter(void *user) {
  init_call_t *call = user;
  call->function(call->values);
}

static gmem_status_t run_call(init_call_t *call, const char *name) {
  gmem_jit_heap_t heap = {0};
  char reason[GMEM_GUARD_TEXT];
  void *stack = gmem_guard_begin();
  if (!stack)
    return gmem_tool_error("out of memory");
  gmem_jit_heap_enter(&heap);
  bool ended = gmem_guard_run(enter, call, 0, reason);
  gmem_jit_heap_leave(&heap);
  gmem_guard_end(stack);
  gmem_jit_heap_destroy(&heap);
  return ended ? GMEM_OK
               : gmem_tool_error("@%s, which computes constants: %s", name,
                                 reason);
}

static gmem_status_t call_one(MlirOperation function,
                              MlirExecutionEngine engine,
                              gmem_init_memory_t *memory) {
  MlirStringRef symbol =
      mlirStringAttrGetValue(gmem_op_attribute(function, "sym_name"));
  char name[NAME], wrapper[NAME];
  snprintf(name, sizeof name, "%.*s", (int)symbol.length, symbol.data);
  int length = snprintf(wrapper, sizeof wrapper, "_mlir_ciface_%s", name);
  init_call_t call = {.count = 0};
  gmem_signature_t signature;
  gmem_status_t status = gmem_signature_read(function, &signature);
  if (status == GMEM_OK)
    status = set_arguments(&call, memory, &signature, name);
  void *found =
      length < NAME
          ? mlirExecutionEngineLookupPacked(engine, gmem_string(wrapper))
          : NULL;
  if (status == GMEM_OK && !found)
    status = gmem_tool_error("the compiled program has no @%s", name);
  call.function = (void (*)(void **))(uintptr_t)found;
  if (status == GMEM_OK)
    status = run_call(&call, name);
  for (uint32_t i = 0; i < call.count; ++i)
    free(call.blocks[i]);
  gmem_signature_destroy(&signature);
  return status;
}

gmem_status_t gmem_init_run(MlirModule module, MlirExecutionEngine engine,
                            gmem_init_memory_t *memory, double *out_seconds) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  double begin = gmem_seconds();
  bool has_any = false;
  *out_seconds = 0;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_initialiser(op))
      continue;
    GMEM_TRY(call_one(op, engine, memory));
    has_any = true;
  }
  if (has_any)
    *out_seconds = gmem_seconds() - begin;
  return GMEM_OK;
}
