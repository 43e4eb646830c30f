// expand_allocs.c - gmem-expand-allocs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: allocations of which several instances are live at once as parts of
//           one allocation, which can be planned. In scf.forall or scf.parallel
//           there is a part for each iteration, whatever runs them, and in
//           which order:
//
//   scf.forall (%i) in (8) {          %all = memref.alloc() : memref<2048xi8>
//     %a = memref.alloc()             scf.forall (%i) in (8) {
//         : memref<64xf32>              %o = arith.muli %i, %c256
//     ...                               %a = memref.view %all[%o][] ...
//
//           What an iteration of scf.for yields to the next one has two parts
//           that take turns: the next one reads the first part and makes the
//           second, the one after that reads this and makes the first. An
//           allocation that the loop begins with, and that nothing else uses
//           from then on, is the second part, too.
//
//           Unchanged are allocations of dynamic shape or with a layout, those
//           of which the parts would need more than 1 GiB, those
//           in parallel loops with bounds that are not constant, and those that
//           more than loads, stores, copies, views and ops of linalg and vector
//           use: these might keep or free them.
// fails:    when memory is out.

#include "expand_allocs.h"

#include <string.h>

#include "attribute_codec.h"
#include "bump.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "type_size.h"

const char *const gmem_expand_dialects[] = {"arith", "memref", NULL};

// Parts begin at multiples of this, so that no two iterations write to one
// cache line.
enum { LEAST_ALIGNMENT = 64, MOST_LOOPS = 8, MOST_AXES = 8 };

// One axis of a parallel loop.
typedef struct axis_s {
  MlirValue counter;
  int64_t begin, step, count;
} axis_t;

// An allocation, and the loops around it.
typedef struct expansion_s {
  gmem_bump_t *arena;
  MlirOperation alloc;
  MlirOperation loop;  // before which all parts are allocated
  MlirOperation yield; // of |loop| if it carries the allocation, else null
  MlirOperation start; // the allocation that it begins with, or null
  axis_t axes[MOST_LOOPS * MOST_AXES]; // the outermost first
  intptr_t axis_count;
  int64_t part, parts;        // bytes of one; their number
  int64_t alignment;          // bytes
  GMEM_LIST(MlirValue) names; // the allocation and views of it
  GMEM_LIST(MlirOperation) deallocs;
} expansion_t;

//===--- loops ------------------------------------------------------------===//

static bool constant_of(MlirValue value, int64_t *out) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute number = gmem_op_attribute(op, "value");
  if (!gmem_op_is(op, "arith.constant") ||
      !gmem_attribute_is(number, mlirAttributeIsAInteger))
    return false;
  *out = mlirIntegerAttrGetValueInt(number);
  return true;
}

// Bound |which| (0: begin, 1: end, 2: step) of axis |axis|, if it is constant.
static bool bound_of(MlirOperation loop, int which, intptr_t axis,
                     intptr_t rank, int64_t *out) {
  static const char *const names[] = {"staticLowerBound", "staticUpperBound",
                                      "staticStep"};
  if (gmem_op_is(loop, "scf.parallel"))
    return constant_of(mlirOperationGetOperand(loop, which * rank + axis), out);
  MlirAttribute list = gmem_op_attribute(loop, names[which]);
  if (!gmem_attribute_is(list, mlirAttributeIsADenseI64Array) ||
      mlirDenseArrayGetNumElements(list) <= axis)
    return false;
  *out = mlirDenseI64ArrayGetElement(list, axis);
  return *out != INT64_MIN; // dynamic
}

static bool read_axis(MlirOperation loop, intptr_t number, intptr_t rank,
                      axis_t *out) {
  enum { MOST = 1 << 30 };
  int64_t end;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  if (!bound_of(loop, 0, number, rank, &out->begin) ||
      !bound_of(loop, 1, number, rank, &end) ||
      !bound_of(loop, 2, number, rank, &out->step) || out->step <= 0 ||
      out->begin < -MOST || end > MOST || end <= out->begin)
    return false;
  out->counter = mlirBlockGetArgument(body, number);
  out->count = (end - out->begin - 1) / out->step + 1;
  return true;
}

// Puts the axes of |loop| before those of the loops in it.
static bool add_loop(expansion_t *expansion, MlirOperation loop) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  intptr_t rank = gmem_op_is(loop, "scf.parallel")
                      ? mlirBlockGetNumArguments(body)
                      : mlirDenseArrayGetNumElements(
                            gmem_op_attribute(loop, "staticUpperBound"));
  if (rank > MOST_AXES || expansion->axis_count + rank > MOST_LOOPS * MOST_AXES)
    return false;
  memmove(&expansion->axes[rank], expansion->axes,
          (size_t)expansion->axis_count * sizeof *expansion->axes);
  for (intptr_t i = 0; i < rank; ++i)
    if (!read_axis(loop, i, rank, &expansion->axes[i]))
      return false;
  expansion->axis_count += rank;
  expansion->loop = loop;
  return true;
}

// Finds the parallel loops around the allocation. An op around it of which it
// is not known how often its regions run at once ends the search in vain.
static bool find_loops(expansion_t *expansion) {
  static const char *const parallel[] = {"scf.forall", "scf.parallel", NULL};
  static const char *const others[] = {
      "scf.for",    "scf.if",    "scf.while", "scf.index_switch",
      "affine.for", "affine.if", NULL};
  MlirOperation op = mlirOperationGetParentOperation(expansion->alloc);
  expansion->loop = (MlirOperation){NULL};
  for (; !gmem_op_is(op, "func.func");
       op = mlirOperationGetParentOperation(op)) {
    bool is_known = gmem_op_is_any(op, parallel) ? add_loop(expansion, op)
                                                 : gmem_op_is_any(op, others);
    if (!is_known || mlirOperationIsNull(mlirOperationGetParentOperation(op)))
      return false;
  }
  return !mlirOperationIsNull(expansion->loop);
}

//===--- uses -------------------------------------------------------------===//

// Whether the op only accesses the memory of operand |number|.
static bool is_access(MlirOperation op, unsigned number) {
  static const char *const accesses[] = {
      "memref.load",         "memref.copy", "memref.dim",
      "memref.prefetch",     "affine.load", "affine.vector_load",
      "affine.vector_store", NULL};
  static const char *const stores[] = {"memref.store", "affine.store",
                                       "memref.atomic_rmw", NULL};
  static const char linalg[] = "linalg.", vector[] = "vector.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return gmem_op_is_any(op, accesses) ||
         (number > 0 && gmem_op_is_any(op, stores)) ||
         (name.length > sizeof linalg &&
          memcmp(name.data, linalg, sizeof linalg - 1) == 0) ||
         (name.length > sizeof vector &&
          memcmp(name.data, vector, sizeof vector - 1) == 0);
}

// Whether the uses of |memref| are known; lists those that are views of it, and
// those that free it.
static bool are_known_uses(expansion_t *expansion, MlirValue memref) {
  static const char *const views[] = {"memref.subview",
                                      "memref.collapse_shape",
                                      "memref.expand_shape",
                                      "memref.cast",
                                      "memref.transpose",
                                      "memref.view",
                                      "memref.reinterpret_cast",
                                      "memref.assume_alignment",
                                      NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(memref);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (gmem_op_is_any(op, views) && mlirOperationGetNumResults(op) == 1)
      GMEM_APPEND(expansion->arena, &expansion->names,
                  mlirOperationGetResult(op, 0));
    else if (gmem_op_is(op, "memref.dealloc"))
      GMEM_APPEND(expansion->arena, &expansion->deallocs, op);
    else if (mlirOperationEqual(op, expansion->yield) &&
             mlirValueEqual(memref,
                            mlirOperationGetResult(expansion->alloc, 0)))
      continue;
    else if (!is_access(op, mlirOpOperandGetOperandNumber(use)))
      return false;
  }
  return true;
}

static void add_name(expansion_t *expansion, MlirValue name) {
  GMEM_APPEND(expansion->arena, &expansion->names, name);
}

// Whether all uses of the names are known, and of views of them.
static bool are_accessed_only(expansion_t *expansion) {
  for (size_t i = 0; i < expansion->names.count; ++i)
    if (!are_known_uses(expansion, expansion->names.at[i]))
      return false;
  return true;
}

// Whether the allocation is for one iteration of parallel loops.
static bool is_parallel(expansion_t *expansion) {
  add_name(expansion, mlirOperationGetResult(expansion->alloc, 0));
  return find_loops(expansion) && are_accessed_only(expansion);
}

// The number of the only operand of |yield| that is |value|, or -1.
static intptr_t place_in(MlirOperation yield, MlirValue value) {
  intptr_t found = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    if (!mlirValueEqual(mlirOperationGetOperand(yield, i), value))
      continue;
    if (found >= 0)
      return -1;
    found = i;
  }
  return found;
}

// Whether |op|, or the op around it in the same block, comes before |loop|.
static bool is_before(MlirOperation op, MlirOperation loop) {
  MlirBlock block = mlirOperationGetBlock(loop);
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op) && mlirOperationIsBeforeInBlock(op, loop);
}

static bool are_before(const expansion_t *start, MlirOperation loop) {
  for (size_t i = 0; i < start->names.count; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(start->names.at[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (!mlirOperationEqual(op, loop) && !is_before(op, loop))
        return false;
    }
  return true;
}

// Finds the allocation that the loop begins with, if it is like the one that
// the loop carries and of no use from then on.
static void find_start(expansion_t *expansion, MlirValue init) {
  MlirOperation loop = expansion->loop;
  MlirType type = mlirValueGetType(mlirOperationGetResult(expansion->alloc, 0));
  if (!mlirValueIsAOpResult(init) ||
      !mlirTypeEqual(mlirValueGetType(init), type))
    return;
  // The loop uses it as it uses its own allocation: it passes it on once.
  expansion_t start = {.arena = expansion->arena,
                       .alloc = mlirOpResultGetOwner(init),
                       .yield = loop};
  if (!gmem_op_is(start.alloc, "memref.alloc") ||
      !mlirBlockEqual(mlirOperationGetBlock(start.alloc),
                      mlirOperationGetBlock(loop)) ||
      place_in(loop, init) < 0)
    return;
  add_name(&start, init);
  if (are_accessed_only(&start) && !start.deallocs.count &&
      are_before(&start, loop))
    expansion->start = start.alloc;
}

// Whether an iteration of scf.for yields the allocation to the next one, which
// passes it on to no other, and the last one to ops that only access it.
static bool is_carried(expansion_t *expansion) {
  MlirOperation loop = mlirOperationGetParentOperation(expansion->alloc);
  MlirBlock body = mlirOperationGetBlock(expansion->alloc);
  MlirValue memref = mlirOperationGetResult(expansion->alloc, 0);
  if (!gmem_op_is(loop, "scf.for") ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirBlockGetArgument(body, 0))))
    return false;
  expansion->loop = loop;
  expansion->yield = mlirBlockGetTerminator(body);
  intptr_t number = place_in(expansion->yield, memref);
  if (number < 0)
    return false;
  add_name(expansion, memref);
  add_name(expansion, mlirBlockGetArgument(body, number + 1));
  add_name(expansion, mlirOperationGetResult(loop, number));
  expansion->axes[0] =
      (axis_t){.counter = mlirBlockGetArgument(body, 0), .count = 2};
  expansion->axis_count = 1;
  if (!are_accessed_only(expansion) || expansion->deallocs.count)
    return false;
  find_start(expansion, mlirOperationGetOperand(loop, number + 3));
  return true;
}

//===--- rewriting --------------------------------------------------------===//

static void align_as(expansion_t *expansion, MlirOperation alloc) {
  int64_t asked;
  if (!mlirOperationIsNull(alloc) &&
      gmem_i64_get(gmem_op_attribute(alloc, "alignment"), &asked) &&
      asked > expansion->alignment)
    expansion->alignment = asked;
}

// Finds the size of a part, and their number. False if that is not known, or
// they are more than 1 GiB.
static bool measure(expansion_t *expansion) {
  enum { MOST = 1 << 30 };
  MlirType type = mlirValueGetType(mlirOperationGetResult(expansion->alloc, 0));
  uint64_t size;
  if (mlirOperationGetNumOperands(expansion->alloc) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      gmem_memref_size(type, NULL, &size) != GMEM_TYPE_SIZED || size > MOST)
    return false;
  expansion->alignment = LEAST_ALIGNMENT;
  align_as(expansion, expansion->alloc);
  align_as(expansion, expansion->start);
  if (expansion->alignment > MOST)
    return false;
  expansion->part = ((int64_t)size + expansion->alignment - 1) /
                    expansion->alignment * expansion->alignment;
  expansion->parts = 1;
  for (intptr_t i = 0; i < expansion->axis_count; ++i) {
    if (expansion->parts > MOST / expansion->axes[i].count)
      return false;
    expansion->parts *= expansion->axes[i].count;
  }
  return expansion->part != 0 && expansion->part <= MOST / expansion->parts;
}

static MlirValue compute(const gmem_builder_t *at, const char *name,
                         MlirValue left, int64_t right) {
  MlirValue operands[] = {left, gmem_build_index(at, right)};
  return gmem_build_value(at, name, operands, 2, mlirValueGetType(left), NULL);
}

static MlirValue combine(const gmem_builder_t *at, const char *name,
                         MlirValue left, MlirValue right) {
  MlirValue operands[] = {left, right};
  return gmem_build_value(at, name, operands, 2, mlirValueGetType(left), NULL);
}

// The number of the iteration of scf.for, modulo 2.
static MlirValue build_turn(const expansion_t *expansion,
                            const gmem_builder_t *at) {
  MlirValue number = expansion->axes[0].counter;
  MlirValue begin = mlirOperationGetOperand(expansion->loop, 0);
  MlirValue step = mlirOperationGetOperand(expansion->loop, 2);
  int64_t known;
  if (!constant_of(begin, &known) || known != 0)
    number = combine(at, "arith.subi", number, begin);
  if (!constant_of(step, &known) || known != 1)
    number = combine(at, "arith.divui", number, step);
  return compute(at, "arith.remui", number, 2);
}

// The number of the part of the current iteration: rows of the loops' axes, the
// last one fastest.
static MlirValue build_number(const expansion_t *expansion,
                              const gmem_builder_t *at) {
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < expansion->axis_count; ++i) {
    const axis_t *axis = &expansion->axes[i];
    MlirValue number = axis->counter;
    if (axis->begin)
      number = compute(at, "arith.subi", number, axis->begin);
    if (axis->step != 1)
      number = compute(at, "arith.divui", number, axis->step);
    all = all.ptr ? combine(at, "arith.addi",
                            compute(at, "arith.muli", all, axis->count), number)
                  : number;
  }
  return all;
}

// Frees |all| behind the loops, if the program frees the parts.
static void move_deallocs(expansion_t *expansion, MlirValue all) {
  MlirOperation next = mlirOperationGetNextInBlock(expansion->loop);
  if (expansion->deallocs.count) {
    gmem_builder_t at = gmem_build_before(next);
    gmem_build(&at, "memref.dealloc", &all, 1, NULL);
  }
  for (size_t i = 0; i < expansion->deallocs.count; ++i)
    mlirOperationDestroy(expansion->deallocs.at[i]);
}

// Builds the allocation of all parts.
static MlirValue build_all(const expansion_t *expansion) {
  bool has_start = !mlirOperationIsNull(expansion->start);
  MlirType type = mlirValueGetType(mlirOperationGetResult(expansion->alloc, 0));
  MlirContext context = mlirOperationGetContext(expansion->alloc);
  int64_t bytes = expansion->part * expansion->parts;
  MlirType whole =
      mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 8), 1, &bytes,
                                  mlirMemRefTypeGetMemorySpace(type));
  gmem_builder_t at =
      gmem_build_before(has_start ? expansion->start : expansion->loop);
  const gmem_named_t attributes[] = {
      {"alignment", gmem_i64_attribute(context, expansion->alignment)},
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(context, 2, (const int32_t[]){0, 0})},
      {NULL, {NULL}}};
  at.location = mlirOperationGetLocation(expansion->alloc);
  return gmem_build_value(&at, "memref.alloc", NULL, 0, whole, attributes);
}

// Puts a view of |all| from byte |offset| on in the place of |alloc|.
static void replace(const gmem_builder_t *at, MlirOperation alloc,
                    MlirValue all, MlirValue offset) {
  MlirValue old = mlirOperationGetResult(alloc, 0), operands[] = {all, offset};
  mlirValueReplaceAllUsesOfWith(old,
                                gmem_build_value(at, "memref.view", operands, 2,
                                                 mlirValueGetType(old), NULL));
  mlirOperationDestroy(alloc);
}

static void expand(expansion_t *expansion) {
  gmem_builder_t at = gmem_build_before(expansion->alloc);
  MlirValue all = build_all(expansion);
  MlirValue number = expansion->yield.ptr ? build_turn(expansion, &at)
                                          : build_number(expansion, &at);
  replace(&at, expansion->alloc, all,
          compute(&at, "arith.muli", number, expansion->part));
  move_deallocs(expansion, all);
  if (mlirOperationIsNull(expansion->start))
    return;
  // The first iteration makes the first part.
  at = gmem_build_before(expansion->start);
  replace(&at, expansion->start, all, gmem_build_index(&at, expansion->part));
}

//===--- all allocations --------------------------------------------------===//

typedef struct allocs_s {
  gmem_bump_t arena;
  GMEM_LIST(MlirOperation) list;
} allocs_t;

static MlirWalkResult list_alloc(MlirOperation op, void *user) {
  allocs_t *allocs = user;
  if (gmem_op_is(op, "memref.alloc"))
    GMEM_APPEND(&allocs->arena, &allocs->list, op);
  return MlirWalkResultAdvance;
}

static gmem_status_t expand_all(allocs_t *allocs, MlirOperation top,
                                gmem_diag_t *diag) {
  mlirOperationWalk(top, list_alloc, allocs, MlirWalkPreOrder);
  GMEM_TRY(gmem_bump_status(&allocs->arena, diag));
  for (size_t i = 0; i < allocs->list.count; ++i) {
    expansion_t carried = {.arena = &allocs->arena,
                           .alloc = allocs->list.at[i]};
    expansion_t parallel = carried;
    bool is_turn = is_carried(&carried);
    bool is_possible = is_turn ? measure(&carried)
                               : is_parallel(&parallel) && measure(&parallel);
    GMEM_TRY(gmem_bump_status(&allocs->arena, diag));
    if (is_possible)
      expand(is_turn ? &carried : &parallel);
  }
  return GMEM_OK;
}

gmem_status_t gmem_expand_allocs(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  (void)options;
  allocs_t allocs = {.list = {0}};
  gmem_bump_init(&allocs.arena, allocator);
  gmem_status_t status = expand_all(&allocs, top, diag);
  gmem_bump_destroy(&allocs.arena);
  return status;
}
