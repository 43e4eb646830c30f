// llvm_arenas.c - see llvm_arenas.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm_arenas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "vocabulary.h"

// A 1-D memref as arguments: {allocated, aligned, offset, size, stride}, or a
// bare pointer.
enum { MEMREF_WIDTH = 5, MEMREF_POINTER = 1 };

//===--- arenas -----------------------------------------------------------===//

static const char *const modes[] = {"alloc", "arg", "global", NULL};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("symbol", gmem_module_arena_t, symbol, SYMBOL, OPTIONAL)},
    {GMEM_FIELD("mode", gmem_module_arena_t, mode, WORD, OPTIONAL),
     .words = modes, .absent = GMEM_ARENA_GLOBAL},
    {GMEM_FIELD("size", gmem_module_arena_t, size, NUMBER, OPTIONAL),
     .absent = UINT64_MAX}};
static const gmem_schema_t schema = {.fields = fields,
                                     .count = sizeof fields / sizeof *fields,
                                     .size = sizeof(gmem_module_arena_t)};

// A malformed attribute describes no arenas.
static gmem_status_t read_arenas(MlirOperation module, gmem_bump_t *arena,
                                 gmem_llvm_module_t *out, gmem_diag_t *diag) {
  gmem_malformed_t ignored;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, gmem_op_annotation(module, GMEM_ATTR_ARENAS), arena,
      &out->arenas, &out->arena_count, &ignored);
  return status == GMEM_ERR_OUT_OF_MEMORY ? gmem_out_of_memory(diag) : GMEM_OK;
}

//===--- called functions -------------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  return gmem_string_order(*(const MlirStringRef *)left,
                           *(const MlirStringRef *)right);
}

typedef struct caller_s {
  gmem_llvm_module_t *module;
  gmem_bump_t *arena;
  MlirStringRef name; // of the current function
} caller_t;

static const char wrapper_prefix[] = "_mlir_ciface_";
enum { WRAPPER_PREFIX_LENGTH = sizeof wrapper_prefix - 1 };

static bool is_wrapper(MlirStringRef name) {
  return name.length > WRAPPER_PREFIX_LENGTH &&
         memcmp(name.data, wrapper_prefix, WRAPPER_PREFIX_LENGTH) == 0;
}

static bool is_wrapper_of(MlirStringRef wrapper, MlirStringRef name) {
  return is_wrapper(wrapper) &&
         mlirStringRefEqual(
             mlirStringRefCreate(wrapper.data + WRAPPER_PREFIX_LENGTH,
                                 wrapper.length - WRAPPER_PREFIX_LENGTH),
             name);
}

static void add_called(MlirStringRef name, void *user) {
  caller_t *caller = user;
  if (!is_wrapper_of(caller->name, name))
    GMEM_APPEND(caller->arena, &caller->module->called, name);
}

static MlirWalkResult add_called_by(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, add_called, user);
  return MlirWalkResultAdvance;
}

static MlirStringRef name_of(MlirOperation op) {
  MlirStringRef name = gmem_string("");
  (void)gmem_string_get(mlirOperationGetInherentAttributeByName(
                            op, mlirSymbolTableGetSymbolAttributeName()),
                        &name);
  return name;
}

static gmem_status_t find_called(MlirOperation module, gmem_bump_t *arena,
                                 gmem_llvm_module_t *out, gmem_diag_t *diag) {
  caller_t caller = {.module = out, .arena = arena};
  for (MlirOperation op = gmem_first_op(module, 0); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    caller.name = name_of(op);
    mlirOperationWalk(op, add_called_by, &caller, MlirWalkPreOrder);
  }
  if (out->called.count)
    qsort(out->called.at, out->called.count, sizeof *out->called.at,
          compare_names);
  return gmem_bump_status(arena, diag);
}

bool gmem_is_c_wrapper(MlirOperation function) {
  return is_wrapper(name_of(function));
}

//===--- modules and functions --------------------------------------------===//

gmem_status_t gmem_llvm_module_read(MlirOperation module, gmem_bump_t *arena,
                                    gmem_llvm_module_t *out,
                                    gmem_diag_t *diag) {
  *out = (gmem_llvm_module_t){.symbols = mlirSymbolTableCreate(module)};
  GMEM_TRY(read_arenas(module, arena, out, diag));
  return find_called(module, arena, out, diag);
}

void gmem_llvm_module_end(gmem_llvm_module_t *module) {
  mlirSymbolTableDestroy(module->symbols);
}

// Whether the last |count| memref arguments are expanded to descriptors of five
// arguments each.
static bool are_descriptors(MlirBlock entry, intptr_t count) {
  intptr_t all = mlirBlockGetNumArguments(entry);
  if (count > all / MEMREF_WIDTH)
    return false;
  for (intptr_t i = all - count * MEMREF_WIDTH, k = 0; i < all; ++i, ++k) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
    if (mlirTypeIsAInteger(type) != (k % MEMREF_WIDTH > MEMREF_POINTER))
      return false;
  }
  return true;
}

static void find_arena_arguments(gmem_pointer_finder_t *finder) {
  MlirAttribute pools =
      gmem_op_annotation(finder->function, GMEM_ATTR_ARENA_ARGUMENTS);
  intptr_t all = mlirBlockGetNumArguments(finder->entry);
  finder->first_arena = all;
  finder->arena_width = 1;
  if (!gmem_attribute_is(pools, mlirAttributeIsAArray))
    return;
  intptr_t count = mlirArrayAttrGetNumElements(pools);
  if (are_descriptors(finder->entry, count)) {
    finder->first_arena = all - count * MEMREF_WIDTH;
    finder->arena_width = MEMREF_WIDTH;
    finder->arena_pointer = MEMREF_POINTER;
  } else if (count <= all) {
    finder->first_arena = all - count;
  }
}

gmem_pointer_finder_t gmem_pointer_finder_of(const gmem_llvm_module_t *module,
                                             MlirOperation function,
                                             bool has_noalias_arguments) {
  gmem_pointer_finder_t finder = {.symbols = module->symbols,
                                  .arenas = module->arenas,
                                  .arena_count = module->arena_count,
                                  .function = function,
                                  .entry = gmem_entry_block(function),
                                  .has_noalias_arguments =
                                      has_noalias_arguments};
  MlirStringRef name = name_of(function);
  assert(!mlirBlockIsNull(finder.entry));
  finder.is_called = module->called.count &&
                     bsearch(&name, module->called.at, module->called.count,
                             sizeof name, compare_names);
  find_arena_arguments(&finder);
  return finder;
}
