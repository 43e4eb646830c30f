// pointer_provenance.c - see pointer_provenance.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointer_provenance.h"

#include <assert.h>

#include "ir_reading.h"
#include "llvm_values.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Unreachable code may be cyclic.
enum { MAX_STEPS = 1024 };

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetInherentAttributeByName(op, gmem_string(name));
}

//===--- use-def chain ----------------------------------------------------===//

// A descriptor that the pointer passes through.
typedef struct descriptor_use_s {
  MlirValue descriptor; // null: none
  MlirValue pointer;    // the pointer inserted into it
  MlirType element;     // of the memref
} descriptor_use_t;

typedef struct trail_s {
  MlirValue base;
  descriptor_use_t first, second; // the two descriptors nearest to the base
} trail_t;

// Whether |op|, an llvm.extractvalue, reads the aligned pointer.
static bool takes_pointer(MlirOperation op) {
  int64_t position[2];
  return gmem_position_read(op, position) &&
         position[0] == GMEM_DESCRIPTOR_ALIGNED && position[1] < 0;
}

static MlirType element_of(MlirOperation getelementptr) {
  MlirAttribute type = attribute(getelementptr, "elem_type");
  return gmem_attribute_is(type, mlirAttributeIsAType)
             ? mlirTypeAttrGetValue(type)
             : (MlirType){NULL};
}

// Follows |pointer| to its base. The element type of a memref is that of the
// first llvm.getelementptr on it: only memref.view changes the element type,
// and it is lowered to an llvm.getelementptr of bytes.
static bool walk_back(MlirValue pointer, MlirType element, trail_t *out) {
  *out = (trail_t){.base = pointer};
  for (int i = 0; i < MAX_STEPS; ++i) {
    MlirOperation op = gmem_op_defining(out->base, "llvm.getelementptr");
    if (op.ptr) {
      element = element_of(op);
      out->base = mlirOperationGetOperand(op, 0);
      continue;
    }
    op = gmem_op_defining(out->base, "llvm.extractvalue");
    if (!op.ptr)
      return true;
    descriptor_use_t use = {.descriptor = mlirOperationGetOperand(op, 0),
                            .element = element};
    if (!takes_pointer(op) ||
        !gmem_descriptor_pointer(use.descriptor, &use.pointer))
      return false;
    out->second = out->first;
    out->first = use;
    out->base = use.pointer;
  }
  return false;
}

//===--- getelementptr ----------------------------------------------------===//

// The index of an llvm.getelementptr with one constant index.
static bool only_index(MlirOperation op, int64_t *out) {
  MlirAttribute indices = attribute(op, "rawConstantIndices");
  if (!gmem_attribute_is(indices, mlirAttributeIsADenseI32Array) ||
      mlirDenseArrayGetNumElements(indices) != 1)
    return false;
  *out = mlirDenseI32ArrayGetElement(indices, 0);
  return mlirOperationGetNumOperands(op) == 1 ||
         gmem_constant_read(mlirOperationGetOperand(op, 1), out);
}

// Whether |pointer| is |base| or an llvm.getelementptr of it with zero indices.
static bool is_at_base(MlirValue pointer, MlirValue base) {
  MlirOperation op = gmem_op_defining(pointer, "llvm.getelementptr");
  if (!op.ptr)
    return mlirValueEqual(pointer, base);
  MlirAttribute indices = attribute(op, "rawConstantIndices");
  bool is_zero = gmem_attribute_is(indices, mlirAttributeIsADenseI32Array);
  for (intptr_t i = 0; is_zero && i < mlirDenseArrayGetNumElements(indices);
       ++i)
    is_zero = mlirDenseI32ArrayGetElement(indices, i) == 0;
  return mlirValueEqual(pointer, base) ||
         (is_zero && mlirOperationGetNumOperands(op) == 1 &&
          mlirValueEqual(mlirOperationGetOperand(op, 0), base));
}

// Whether |pointer| is the pointer of |whole| plus a constant number of bytes,
// as produced by memref.view.
static bool is_view_of(MlirValue whole, MlirValue pointer, uint64_t *out) {
  MlirOperation op = gmem_op_defining(pointer, "llvm.getelementptr");
  int64_t index;
  if (!op.ptr || !only_index(op, &index) || index < 0)
    return false;
  MlirType element = element_of(op);
  if (mlirTypeIsNull(element) || !mlirTypeIsAInteger(element) ||
      mlirIntegerTypeGetWidth(element) != 8)
    return false;
  MlirOperation from =
      gmem_op_defining(mlirOperationGetOperand(op, 0), "llvm.extractvalue");
  *out = (uint64_t)index;
  return from.ptr && takes_pointer(from) &&
         mlirValueEqual(mlirOperationGetOperand(from, 0), whole);
}

//===--- objects ----------------------------------------------------------===//

static bool find_argument(const gmem_pointer_finder_t *finder, MlirValue base,
                          gmem_object_t *out) {
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(base), finder->entry))
    return false;
  intptr_t number = mlirBlockArgumentGetArgNumber(base);
  *out = (gmem_object_t){.kind = GMEM_OBJECT_ARGUMENT,
                         .base = base.ptr,
                         .memory = base.ptr,
                         .number = (uint32_t)number};
  if (number >= finder->first_arena) {
    assert(finder->arena_pointer < finder->arena_width);
    out->is_arena = true;
    return (number - finder->first_arena) % finder->arena_width ==
           finder->arena_pointer;
  }
  MlirAttribute own =
      gmem_entry_attributes(finder->function, "arg_attrs", number);
  out->is_apart = !finder->is_called;
  out->is_noalias = finder->has_noalias_arguments ||
                    (!mlirAttributeIsNull(own) &&
                     !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                         own, gmem_string("llvm.noalias"))));
  return true;
}

// Reads the attribute |name|, a flat symbol reference. |*out_op| is the op that
// it names, or null.
static bool find_symbol(const gmem_pointer_finder_t *finder, MlirOperation op,
                        const char *name, MlirStringRef *out_symbol,
                        MlirOperation *out_op) {
  MlirAttribute symbol = attribute(op, name);
  if (!gmem_attribute_is(symbol, mlirAttributeIsAFlatSymbolRef))
    return false;
  *out_symbol = mlirFlatSymbolRefAttrGetValue(symbol);
  *out_op = mlirSymbolTableLookup(finder->symbols, *out_symbol);
  return true;
}

static bool find_global(const gmem_pointer_finder_t *finder, MlirOperation op,
                        gmem_object_t *out) {
  MlirStringRef symbol;
  MlirOperation global;
  // Functions and aliases are not memory objects.
  if (!find_symbol(finder, op, "global_name", &symbol, &global) ||
      !global.ptr || !gmem_op_is(global, "llvm.mlir.global"))
    return false;
  *out = (gmem_object_t){.kind = GMEM_OBJECT_GLOBAL,
                         .base = global.ptr,
                         .memory = global.ptr,
                         .name = symbol};
  for (size_t i = 0; i < finder->arena_count; ++i)
    if (finder->arenas[i].symbol.length &&
        mlirStringRefEqual(finder->arenas[i].symbol, symbol))
      out->is_arena = true;
  return true;
}

// Whether |op| allocates memory that no other pointer refers to, exactly once:
// it must be in the entry block.
static bool is_allocation(const gmem_pointer_finder_t *finder,
                          MlirOperation op) {
  static const char *const names[] = {"malloc", "aligned_alloc",
                                      "_mlir_memref_to_llvm_alloc",
                                      "_mlir_memref_to_llvm_aligned_alloc"};
  if (!mlirBlockEqual(mlirOperationGetBlock(op), finder->entry))
    return false;
  if (gmem_op_is(op, "llvm.alloca"))
    return true;
  MlirStringRef symbol;
  MlirOperation function;
  if (!gmem_op_is(op, "llvm.call") ||
      !find_symbol(finder, op, "callee", &symbol, &function))
    return false;
  if (function.ptr && !mlirBlockIsNull(gmem_entry_block(function)))
    return false; // a user-defined function of that name
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (gmem_string_is(symbol, names[i]))
      return true;
  return false;
}

// The pointer that |op|, an llvm.inttoptr, rounds up, or null:
//   x = ptrtoint(pointer) + (alignment - 1), inttoptr(x - x % alignment)
static MlirValue rounded_up(MlirOperation op) {
  MlirValue none = {NULL};
  MlirOperation difference =
      gmem_op_defining(mlirOperationGetOperand(op, 0), "llvm.sub");
  if (!difference.ptr)
    return none;
  MlirValue sum = mlirOperationGetOperand(difference, 0);
  MlirOperation add = gmem_op_defining(sum, "llvm.add");
  MlirOperation rest =
      gmem_op_defining(mlirOperationGetOperand(difference, 1), "llvm.urem");
  if (!add.ptr || !rest.ptr ||
      !mlirValueEqual(mlirOperationGetOperand(rest, 0), sum))
    return none;
  MlirOperation number =
      gmem_op_defining(mlirOperationGetOperand(add, 0), "llvm.ptrtoint");
  return number.ptr ? mlirOperationGetOperand(number, 0) : none;
}

// Whether the allocation with the descriptor |own| is an arena, judged by its
// size.
static bool is_allocated_arena(const gmem_pointer_finder_t *finder,
                               const descriptor_use_t *own) {
  gmem_descriptor_t descriptor;
  if (mlirValueIsNull(own->descriptor) ||
      !gmem_descriptor_read(own->descriptor, &descriptor) ||
      descriptor.rank != 1 || descriptor.strides[0] != 1)
    return false;
  for (size_t i = 0; i < finder->arena_count; ++i)
    if (finder->arenas[i].mode == GMEM_ARENA_ALLOC &&
        finder->arenas[i].size == (uint64_t)descriptor.sizes[0])
      return true;
  return false;
}

static bool find_allocation(const gmem_pointer_finder_t *finder,
                            const trail_t *trail, MlirOperation op,
                            gmem_object_t *out) {
  MlirOperation call = op;
  if (gmem_op_is(op, "llvm.inttoptr")) {
    MlirValue from = rounded_up(op);
    call =
        mlirValueIsNull(from) ? (MlirOperation){NULL} : gmem_defining_op(from);
  }
  if (!call.ptr || !is_allocation(finder, call))
    return false;
  *out = (gmem_object_t){.kind = GMEM_OBJECT_ALLOCATION,
                         .base = op.ptr,
                         .memory = call.ptr,
                         .is_arena = is_allocated_arena(finder, &trail->first)};
  return true;
}

static bool find_object(const gmem_pointer_finder_t *finder,
                        const trail_t *trail, gmem_object_t *out) {
  MlirOperation op = gmem_defining_op(trail->base);
  if (!op.ptr)
    return find_argument(finder, trail->base, out);
  if (gmem_op_is(op, "llvm.mlir.addressof"))
    return find_global(finder, op, out);
  return find_allocation(finder, trail, op, out);
}

//===--- places -----------------------------------------------------------===//

// The part of an arena that the trail passes through: the first descriptor is
// the arena's, the second the part's. Parts of rank 0 are not recognised:
// descriptors of rank 0 are also built for memory with more elements.
static bool find_part(const trail_t *trail, gmem_memory_place_t *out) {
  gmem_descriptor_t part;
  uint64_t offset, elements, stride, size;
  if (mlirValueIsNull(trail->second.descriptor) ||
      !is_at_base(trail->first.pointer, trail->base) ||
      !is_view_of(trail->first.descriptor, trail->second.pointer, &offset) ||
      !gmem_descriptor_read(trail->second.descriptor, &part) || !part.rank ||
      mlirTypeIsNull(trail->second.element) ||
      !gmem_element_stride(trail->second.element, &stride) ||
      !gmem_descriptor_extent(&part, &elements) ||
      __builtin_mul_overflow(elements, stride, &size) ||
      __builtin_add_overflow(offset, size, &out->end))
    return false;
  out->begin = offset;
  return true;
}

bool gmem_pointer_follow(const gmem_pointer_finder_t *finder, MlirValue pointer,
                         MlirType accessed, gmem_memory_place_t *out) {
  trail_t trail;
  if (!walk_back(pointer, accessed, &trail) ||
      !find_object(finder, &trail, &out->object))
    return false;
  if (!out->object.is_arena || !find_part(&trail, out)) {
    out->begin = 0;
    out->end = GMEM_OBJECT_END;
  }
  return true;
}

// Whether an argument is disjoint from |other|, a different object. That an
// argument is noalias holds for a single call. If the function has callers in
// the module, the argument may be bytes of an arena that are reused during the
// call, or a global that only other calls access.
static bool is_argument_apart(const gmem_object_t *argument,
                              const gmem_object_t *other) {
  if (argument->is_arena)
    return other->is_arena || other->kind == GMEM_OBJECT_GLOBAL ||
           other->is_apart;
  if (other->is_arena)
    return argument->is_apart;
  if (other->kind == GMEM_OBJECT_ARGUMENT)
    return argument->is_noalias || other->is_noalias;
  return argument->is_noalias && argument->is_apart;
}

bool gmem_places_are_apart(const gmem_memory_place_t *left,
                           const gmem_memory_place_t *right) {
  const gmem_object_t *a = &left->object, *b = &right->object;
  assert(left->begin <= left->end && right->begin <= right->end);
  if (a->base == b->base)
    return left->end <= right->begin || right->end <= left->begin;
  if (a->memory == b->memory)
    return false;
  // A new allocation is disjoint from all other objects.
  if (a->kind == GMEM_OBJECT_ALLOCATION || b->kind == GMEM_OBJECT_ALLOCATION)
    return true;
  if (a->kind == GMEM_OBJECT_ARGUMENT)
    return is_argument_apart(a, b);
  return b->kind == GMEM_OBJECT_GLOBAL || is_argument_apart(b, a);
}
