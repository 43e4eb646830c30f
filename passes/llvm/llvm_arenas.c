// llvm_arenas.c - see llvm_arenas.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm_arenas.h"

#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "vocabulary.h"

// A 1-D memref as arguments: {allocated, aligned, offset, size, stride}, or a
// bare pointer.
enum { MEMREF_WIDTH = 5, MEMREF_POINTER = 1 };

//===--- arenas -----------------------------------------------------------===//

static MlirStringRef string_in(MlirAttribute dictionary, const char *name) {
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(name));
  return !mlirAttributeIsNull(value) && mlirAttributeIsAString(value)
             ? mlirStringAttrGetValue(value)
             : gmem_string("");
}

static void read_arena(MlirAttribute entry, gmem_module_arena_t *out) {
  if (!mlirAttributeIsADictionary(entry))
    return;
  MlirAttribute size =
      mlirDictionaryAttrGetElementByName(entry, gmem_string("size"));
  MlirAttribute symbol =
      mlirDictionaryAttrGetElementByName(entry, gmem_string("symbol"));
  out->symbol = string_in(entry, "symbol");
  if (!mlirAttributeIsNull(symbol) && mlirAttributeIsAFlatSymbolRef(symbol))
    out->symbol = mlirFlatSymbolRefAttrGetValue(symbol);
  out->is_allocated = gmem_string_is(string_in(entry, "mode"), "alloc") &&
                      !mlirAttributeIsNull(size) &&
                      mlirAttributeIsAInteger(size);
  if (out->is_allocated)
    out->size = (uint64_t)mlirIntegerAttrGetValueInt(size);
}

static bool read_arenas(MlirOperation module, gmem_bump_t *arena,
                        gmem_llvm_module_t *out) {
  MlirAttribute list = gmem_op_annotation(module, GMEM_ATTR_ARENAS);
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return true;
  out->arena_count = (size_t)mlirArrayAttrGetNumElements(list);
  out->arenas = gmem_bump_alloc(arena, out->arena_count, sizeof *out->arenas);
  for (size_t i = 0; i < out->arena_count && out->arenas; ++i)
    read_arena(mlirArrayAttrGetElement(list, (intptr_t)i), &out->arenas[i]);
  return out->arenas != NULL;
}

//===--- called functions -------------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  const MlirStringRef *a = left, *b = right;
  size_t common = a->length < b->length ? a->length : b->length;
  int order = common ? memcmp(a->data, b->data, common) : 0;
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

typedef struct caller_s {
  gmem_llvm_module_t *module;
  gmem_bump_t *arena;
  MlirStringRef name; // of the current function
  bool failed;
} caller_t;

static const char wrapper_prefix[] = "_mlir_ciface_";
enum { WRAPPER_PREFIX_LENGTH = sizeof wrapper_prefix - 1 };

static bool is_wrapper(MlirStringRef name) {
  return name.length > WRAPPER_PREFIX_LENGTH &&
         memcmp(name.data, wrapper_prefix, WRAPPER_PREFIX_LENGTH) == 0;
}

static bool is_wrapper_of(MlirStringRef wrapper, MlirStringRef name) {
  return is_wrapper(wrapper) &&
         wrapper.length == WRAPPER_PREFIX_LENGTH + name.length &&
         memcmp(wrapper.data + WRAPPER_PREFIX_LENGTH, name.data, name.length) ==
             0;
}

static void add_called(MlirStringRef name, void *user) {
  caller_t *caller = user;
  gmem_llvm_module_t *module = caller->module;
  if (caller->failed || is_wrapper_of(caller->name, name))
    return;
  if (!gmem_bump_grow(caller->arena, &module->called, module->called_count,
                      &module->called_room, sizeof name))
    caller->failed = true;
  else
    module->called[module->called_count++] = name;
}

static MlirWalkResult add_called_by(MlirOperation op, void *user) {
  caller_t *caller = user;
  gmem_for_each_symbol(op, add_called, user);
  return caller->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirStringRef name_of(MlirOperation op) {
  MlirAttribute name = mlirOperationGetInherentAttributeByName(
      op, mlirSymbolTableGetSymbolAttributeName());
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name)
             ? mlirStringAttrGetValue(name)
             : gmem_string("");
}

static bool find_called(MlirOperation module, gmem_bump_t *arena,
                        gmem_llvm_module_t *out) {
  caller_t caller = {.module = out, .arena = arena};
  MlirBlock body = gmem_entry_block(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       op.ptr && !caller.failed; op = mlirOperationGetNextInBlock(op)) {
    caller.name = name_of(op);
    mlirOperationWalk(op, add_called_by, &caller, MlirWalkPreOrder);
  }
  if (out->called_count)
    qsort(out->called, out->called_count, sizeof *out->called, compare_names);
  return !caller.failed;
}

bool gmem_is_c_wrapper(MlirOperation function) {
  return is_wrapper(name_of(function));
}

//===--- modules and functions --------------------------------------------===//

bool gmem_llvm_module_read(MlirOperation module, gmem_bump_t *arena,
                           gmem_llvm_module_t *out) {
  *out = (gmem_llvm_module_t){.symbols = mlirSymbolTableCreate(module)};
  return read_arenas(module, arena, out) && find_called(module, arena, out);
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
  if (mlirAttributeIsNull(pools) || !mlirAttributeIsAArray(pools))
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
  finder.is_called = module->called_count &&
                     bsearch(&name, module->called, module->called_count,
                             sizeof name, compare_names);
  find_arena_arguments(&finder);
  return finder;
}
