// constant_globals.c - see constant_globals.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constant_globals.h"

#include <assert.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_models.h"
#include "vocabulary.h"
#include "weight_transforms.h"

//===--- writes -----------------------------------------------------------===//

// Ops that write to a memref and have no results; no tensor model describes
// these writes.
static const struct {
  const char *op;
  intptr_t operand;
} writers[] = {
    {"affine.store", 1},
    {"affine.vector_store", 1},
    {"bufferization.materialize_in_destination", 1},
    {"memref.atomic_rmw", 1},
    {"memref.copy", 1},
    {"memref.generic_atomic_rmw", 0},
    {"memref.store", 1},
    {"vector.compressstore", 0},
    {"vector.maskedstore", 0},
    {"vector.scatter", 0},
    {"vector.store", 1},
    {"vector.transfer_write", 1},
};

static bool is_writer(MlirOperation op, intptr_t operand) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof writers / sizeof *writers; ++i)
    if (writers[i].operand == operand &&
        mlirStringRefEqual(name, gmem_string(writers[i].op)))
      return true;
  return false;
}

// Whether the op writes its results to this operand: on tensors the last
// operands, one per result; on memrefs, where there are no results, the last
// operand segment.
static bool is_output(const gmem_op_model_t *model, MlirOperation op,
                      intptr_t operand) {
  if (model->destination != GMEM_DESTINATION_TRAILING)
    return false;
  MlirAttribute segments = gmem_op_attribute(op, "operandSegmentSizes");
  intptr_t count = mlirOperationGetNumOperands(op), outputs = 1;
  if (gmem_attribute_is(segments, mlirAttributeIsADenseI32Array) &&
      mlirDenseArrayGetNumElements(segments) > 0)
    outputs = mlirDenseI32ArrayGetElement(
        segments, mlirDenseArrayGetNumElements(segments) - 1);
  return operand >= count - outputs;
}

static bool modifies(const gmem_op_models_t *models, MlirOperation op,
                     intptr_t operand) {
  const gmem_op_model_t *model = gmem_op_models_find(models, op);
  return model->kind == GMEM_OP_DEALLOC || is_writer(op, operand) ||
         is_output(model, op, operand) ||
         gmem_op_model_writes(model, op, operand);
}

// One memref and its views.
typedef struct view_walk_s {
  const gmem_op_models_t *models;
  gmem_bump_t *arena;
  MlirValue *at;
  size_t count, room;
} view_walk_t;

// A memref with more views than this is not planned.
enum { MAX_VIEWS = 4096 };

// Adds the memrefs that are views of an operand of |op|.
static void add_views(view_walk_t *walk, MlirOperation op) {
  if (gmem_op_models_find(walk->models, op)->kind != GMEM_OP_VIEW)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (gmem_is_memref_type(mlirValueGetType(result)))
      GMEM_APPEND(walk->arena, walk, result);
  }
}

// Whether |value| or a view of it is written or freed.
static bool is_modified(const gmem_program_t *program, MlirValue value,
                        gmem_bump_t *arena) {
  view_walk_t walk = {.models = program->models, .arena = arena};
  GMEM_APPEND(arena, &walk, value);
  for (size_t i = 0; i < walk.count; ++i) {
    if (i >= MAX_VIEWS)
      return true;
    for (MlirOpOperand use = mlirValueGetFirstUse(walk.at[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (modifies(program->models, user, mlirOpOperandGetOperandNumber(use)))
        return true;
      add_views(&walk, user);
    }
  }
  return false;
}

//===--- candidates -------------------------------------------------------===//

MlirAttribute gmem_global_contents(MlirOperation global) {
  MlirAttribute contents = gmem_op_attribute(global, "initial_value");
  return gmem_attribute_is(contents, mlirAttributeIsAElements)
             ? contents
             : mlirAttributeGetNull();
}

MlirStringRef gmem_global_initialiser(MlirOperation global) {
  MlirAttribute init = gmem_op_annotation(global, GMEM_ATTR_INIT);
  MlirStringRef name = {NULL, 0};
  if (mlirAttributeIsNull(gmem_global_contents(global)))
    (void)gmem_string_get(init, &name);
  return name;
}

static void keep_first_symbol(MlirStringRef name, void *user) {
  MlirStringRef *first = user;
  if (!first->length)
    *first = name;
}

MlirStringRef gmem_first_symbol(MlirOperation op) {
  MlirStringRef name = {NULL, 0};
  gmem_for_each_symbol(op, keep_first_symbol, &name);
  return name;
}

static bool is_transformed(MlirOperation op) {
  return !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_TRANSFORM));
}

MlirOperation gmem_transformed_op(const gmem_program_t *program,
                                  const gmem_program_op_t *op) {
  MlirOperation stated = op->has_global ? gmem_global_of(program, op) : op->op;
  return is_transformed(stated) ? stated : (MlirOperation){NULL};
}

// Whether a function of that name computes constants.
static bool is_initialiser(MlirSymbolTable symbols, MlirStringRef name) {
  MlirOperation found = name.length ? mlirSymbolTableLookup(symbols, name)
                                    : (MlirOperation){NULL};
  return !mlirOperationIsNull(found) &&
         gmem_attribute_is(gmem_op_annotation(found, GMEM_ATTR_INIT),
                           mlirAttributeIsAUnit);
}

// Whether op |op| is in the function that computes |global|.
static bool is_in_initialiser(const gmem_program_t *program,
                              const gmem_program_op_t *op,
                              MlirOperation global) {
  const gmem_function_t *function = &program->functions[op->function];
  return function->is_init &&
         mlirStringRefEqual(gmem_global_initialiser(global), function->name);
}

// The constant global that |op| names; null when it names none.
static MlirOperation global_of(MlirSymbolTable symbols, MlirOperation op) {
  MlirOperation none = {NULL};
  MlirStringRef name = gmem_first_symbol(op);
  MlirOperation found =
      name.length ? mlirSymbolTableLookup(symbols, name) : none;
  if (mlirOperationIsNull(found))
    return none;
  if (is_initialiser(symbols, gmem_global_initialiser(found)))
    return found;
  return mlirAttributeIsNull(gmem_op_attribute(found, "constant")) ||
                 (mlirAttributeIsNull(gmem_global_contents(found)) &&
                  !is_transformed(found))
             ? none
             : found;
}

// Whether a memref is in the default memory space with contiguous elements;
// |*size| is then its size in bytes.
static bool is_plain(MlirType type, uint64_t *size) {
  return mlirTypeIsAMemRef(type) &&
         mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         gmem_memref_size(type, NULL, size) == GMEM_TYPE_SIZED;
}

// The constant global whose memory |value| is if nothing modifies it, or null;
// |*size| is then its size.
static MlirOperation candidate_of(const gmem_program_t *program,
                                  MlirSymbolTable symbols,
                                  const gmem_value_t *value, uint64_t *size) {
  const gmem_program_op_t *op =
      value->op == GMEM_NO_INDEX ? NULL : &program->ops[value->op];
  return op && op->kind == GMEM_OP_GLOBAL &&
                 mlirOperationGetNumResults(op->op) == 1 &&
                 is_plain(mlirValueGetType(value->value), size)
             ? global_of(symbols, op->op)
             : (MlirOperation){NULL};
}

static gmem_status_t set_global(gmem_program_t *program, uint32_t op,
                                MlirOperation global, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  if (!program->globals)
    GMEM_TRY_ALLOC(program->globals, arena, program->op_count, diag);
  program->globals[op] = global;
  program->ops[op].has_global = true;
  return GMEM_OK;
}

// Finds the candidates, and sets the globals of their ops. |modified| becomes
// the globals of which a memref or a view is written or freed.
static gmem_status_t list_candidates(gmem_program_t *program,
                                     MlirSymbolTable symbols,
                                     gmem_pointer_map_t *modified,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  size_t count = 0;
  for (size_t i = 0; i < program->op_count; ++i)
    count += program->ops[i].kind == GMEM_OP_GLOBAL;
  GMEM_TRY(gmem_pointer_map_make(modified, count, arena, diag));
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *value = &program->values[i];
    uint64_t ignored;
    MlirOperation global = candidate_of(program, symbols, value, &ignored);
    if (!global.ptr)
      continue;
    GMEM_TRY(set_global(program, value->op, global, arena, diag));
    if (gmem_pointer_map_find(modified, global.ptr) == GMEM_NO_INDEX &&
        !is_in_initialiser(program, &program->ops[value->op], global) &&
        is_modified(program, value->value, arena))
      gmem_pointer_map_add(modified, global.ptr, i);
  }
  return gmem_bump_status(arena, diag);
}

gmem_status_t gmem_constant_globals_find(gmem_program_t *program,
                                         MlirSymbolTable symbols,
                                         gmem_bump_t *arena,
                                         gmem_diag_t *diag) {
  gmem_pointer_map_t modified;
  if (mlirSymbolTableIsNull(symbols))
    return GMEM_OK;
  GMEM_TRY(list_candidates(program, symbols, &modified, arena, diag));
  for (uint32_t i = 0; i < program->value_count; ++i) {
    gmem_value_t *value = &program->values[i];
    gmem_program_op_t *op =
        value->op == GMEM_NO_INDEX ? NULL : &program->ops[value->op];
    if (!op || !op->has_global)
      continue;
    assert(op->kind == GMEM_OP_GLOBAL);
    if (gmem_pointer_map_find(&modified, gmem_global_of(program, op).ptr) !=
        GMEM_NO_INDEX)
      op->has_global = false;
    else if (is_plain(mlirValueGetType(value->value), &value->size))
      value->type = GMEM_TYPE_SIZED;
  }
  return GMEM_OK;
}

//===--- transforms -------------------------------------------------------===//

// Rejects a chain of the global that |op| names if it is malformed, or if the
// global is no constant whose memory the plan has.
static gmem_status_t check_global(const gmem_program_op_t *op,
                                  MlirSymbolTable symbols, gmem_bump_t *arena,
                                  gmem_diag_t *diag) {
  MlirStringRef name = gmem_first_symbol(op->op);
  MlirOperation global = name.length ? mlirSymbolTableLookup(symbols, name)
                                     : (MlirOperation){NULL};
  gmem_stated_transform_t *ignored;
  size_t count;
  if (mlirOperationIsNull(global))
    return GMEM_OK;
  GMEM_TRY(gmem_weight_transforms_read(global, arena, &ignored, &count, diag));
  if (count && op->has_global &&
      !mlirAttributeIsNull(gmem_op_annotation(global, GMEM_ATTR_INIT)))
    return gmem_reject(diag, global,
                       "gmem.transform: a function computes this global "
                       "(gmem.init)");
  return count == 0 || op->has_global
             ? GMEM_OK
             : gmem_reject(diag, global,
                           "gmem.transform: this global is not planned, "
                           "because it is not constant, because an op may "
                           "write it, because of its memory space or layout, "
                           "or because of memrefs=false");
}

gmem_status_t gmem_transforms_check(const gmem_program_t *program,
                                    MlirSymbolTable symbols, gmem_bump_t *arena,
                                    gmem_diag_t *diag) {
  for (size_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    if ((op->own >> GMEM_ATTR_TRANSFORM & 1) && !gmem_makes_weights(op))
      return gmem_reject(diag, op->op,
                         "gmem.transform: the value is not a constant");
    if (op->kind == GMEM_OP_GLOBAL && !mlirSymbolTableIsNull(symbols))
      GMEM_TRY(check_global(op, symbols, arena, diag));
  }
  return GMEM_OK;
}
