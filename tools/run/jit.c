// jit.c - lowers and compiles a module of memrefs in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "entry_signature.h"
#include "ir_reading.h"
#include "jit_heap.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir_files.h"
#include "mlir_seam.h"
#include "op_marks.h"
#include "run_init.h"
#include "llvm-c/Support.h"

enum { NAME = 1024, ARGUMENT_ATTRIBUTES = 64 };

//===--- the engine -------------------------------------------------------===//

// Removes attributes other than llvm.* from the dictionaries of attribute
// |name|, since MLIR warns about each of them when translating to LLVM IR.
static void keep_llvm_attributes(MlirOperation function, const char *name) {
  MlirAttribute all = gmem_op_attribute(function, name);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return;
  MlirContext context = mlirOperationGetContext(function);
  intptr_t count = mlirArrayAttrGetNumElements(all);
  MlirAttribute *kept = gmem_need(calloc((size_t)count + 1, sizeof *kept));
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute one = mlirArrayAttrGetElement(all, i);
    MlirNamedAttribute of_llvm[ARGUMENT_ATTRIBUTES];
    intptr_t used = 0;
    for (intptr_t j = 0; j < mlirDictionaryAttrGetNumElements(one) &&
                         used < ARGUMENT_ATTRIBUTES;
         ++j) {
      MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(one, j);
      MlirStringRef key = mlirIdentifierStr(attribute.name);
      if (key.length > 5 && memcmp(key.data, "llvm.", 5) == 0)
        of_llvm[used++] = attribute;
    }
    kept[i] = mlirDictionaryAttrGet(context, used, of_llvm);
  }
  mlirOperationSetAttributeByName(function, gmem_string(name),
                                  mlirArrayAttrGet(context, count, kept));
  free(kept);
}

static void strip_functions(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    keep_llvm_attributes(op, "arg_attrs");
    keep_llvm_attributes(op, "res_attrs");
  }
}

// The lowering generates the C wrapper for functions with
// llvm.emit_c_interface.
static gmem_status_t lower(MlirModule module,
                           const gmem_run_program_options_t *options) {
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation entry = gmem_entry_find(module, options->entry);
  mlirOperationSetAttributeByName(entry, gmem_string("llvm.emit_c_interface"),
                                  mlirUnitAttrGet(context));
  gmem_init_expose(module);
  if (gmem_module_run_passes(module, options->pipeline) != GMEM_OK)
    return gmem_tool_error("cannot lower the program");
  strip_functions(module);
  return GMEM_OK;
}

// MLIR's execution engine silently ignores libraries that do not exist.
static gmem_status_t check_libraries(const gmem_text_list_t *libraries) {
  for (uint32_t i = 0; i < libraries->count; ++i)
    if (access(libraries->at[i], R_OK) != 0)
      return gmem_tool_error("%s: cannot read the library", libraries->at[i]);
  return GMEM_OK;
}

// LLVM's schedulers compare the memory accesses of a block in pairs, if they
// may be in one object, up to so many instructions. All planned buffers are in
// one object, the arena, and their blocks are large. The default is 1000.
static void limit_schedulers(void) {
  static bool is_done; // LLVM refuses to be told twice
  if (!is_done)
    LLVMParseCommandLineOptions(
        2, (const char *[]){"gmem-run", "-dag-maps-huge-region=200"}, NULL);
  is_done = true;
}

// An op that the lowering has left, other than the casts around it.
static gmem_status_t find_left(MlirOperation op, void *user) {
  static const char *const known[] = {"builtin", "llvm", "omp"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (name.length > strlen(known[i]) && name.data[strlen(known[i])] == '.' &&
        memcmp(name.data, known[i], strlen(known[i])) == 0)
      return GMEM_OK;
  *(MlirOperation *)user = op;
  return GMEM_ERR_UNSUPPORTED;
}

static gmem_status_t refuse(MlirModule module) {
  MlirOperation left = {NULL};
  if (gmem_walk(mlirModuleGetOperation(module), find_left, &left) == GMEM_OK)
    return gmem_tool_error("cannot compile the lowered program");
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(left));
  char text[256];
  snprintf(text, sizeof text, "'%.*s' is not lowered", (int)name.length,
           name.data);
  mlirEmitError(mlirOperationGetLocation(left), text);
  return gmem_tool_error("cannot compile the lowered program: '%.*s' is not "
                         "lowered by the passes of --pipeline",
                         (int)name.length, name.data);
}

static gmem_status_t compile(MlirModule module,
                             const gmem_run_program_options_t *options,
                             gmem_jit_t *jit) {
  MlirStringRef libraries[GMEM_TEXT_LIST];
  for (uint32_t i = 0; i < options->libraries.count; ++i)
    libraries[i] = gmem_string(options->libraries.at[i]);
  limit_schedulers();
  jit->engine = mlirExecutionEngineCreate(module, (int)options->level,
                                          (int)options->libraries.count,
                                          libraries, false, false);
  if (mlirExecutionEngineIsNull(jit->engine))
    return refuse(module);
  for (size_t i = 0; i < gmem_jit_symbol_count; ++i)
    mlirExecutionEngineRegisterSymbol(
        jit->engine, gmem_string(gmem_jit_symbols[i].name),
        (void *)(uintptr_t)gmem_jit_symbols[i].function);
  mlirExecutionEngineRegisterSymbol(jit->engine,
                                    gmem_string(GMEM_MARK_FUNCTION),
                                    (void *)(uintptr_t)gmem_run_mark);
  gmem_jit_constants_register(jit->constants, jit->engine);
  mlirExecutionEngineInitialize(jit->engine);
  char name[NAME];
  int length = snprintf(name, sizeof name, "_mlir_ciface_%s", options->entry);
  void *entry =
      length < NAME
          ? mlirExecutionEngineLookupPacked(jit->engine, gmem_string(name))
          : NULL;
  if (!entry)
    return gmem_tool_error("cannot compile the program: it calls undefined "
                           "functions (provide them with --library)");
  jit->entry = (void (*)(void **))(uintptr_t)entry;
  return GMEM_OK;
}

gmem_status_t gmem_jit_create(MlirModule module,
                              const gmem_run_program_options_t *options,
                              gmem_jit_t *out_jit) {
  *out_jit = (gmem_jit_t){.engine = {NULL}};
  double begin = gmem_seconds();
  GMEM_TRY(check_libraries(&options->libraries));
  GMEM_TRY(gmem_jit_constants_take(module, &out_jit->constants));
  GMEM_TRY(lower(module, options));
  out_jit->lower_seconds = gmem_seconds() - begin;
  begin = gmem_thread_seconds(); // compiling has no other threads
  GMEM_TRY(compile(module, options, out_jit));
  out_jit->compile_seconds = gmem_thread_seconds() - begin;
  return GMEM_OK;
}

void gmem_jit_destroy(gmem_jit_t *jit) {
  if (!mlirExecutionEngineIsNull(jit->engine))
    mlirExecutionEngineDestroy(jit->engine);
  gmem_jit_constants_free(jit->constants);
  *jit = (gmem_jit_t){.engine = {NULL}};
}
