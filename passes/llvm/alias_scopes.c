// alias_scopes.c - gmem-alias-scopes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: functions of the LLVM dialect directly after the lowering of
//           memrefs: folding would remove the memref descriptors.
// produces: on loads, stores and copies of known provenance, alias_scopes (one
//           scope per place: a buffer in an arena, a global, an argument, an
//           allocation) and noalias_scopes (the places that share no byte with
//           it); llvm.intr.experimental.noalias.scope.decl at the start of
//           functions whose places depend on the call. This preserves, for
//           accesses with unknown indices, the disjointness of the buffers.
// fails:    when memory is out. Accesses of unknown provenance are unchanged.
//
// Soundness. Scopes are about bytes, not about time: buffers that use the same
// bytes at different times are never stated to be disjoint, and buffers stated
// to be disjoint never overlap in any order of execution. So code may be moved
// and duplicated: all iterations of a loop refer to the same places. Arguments
// and allocations, however, may be different memory in each call. Each function
// therefore has a domain and scopes of its own, and scopes that depend on the
// call are declared at its entry. Inlining clones declared scopes for each call
// site, so that those of different calls are not compared, and passes that
// reason across the iterations of a loop ignore scopes declared inside of it.

#include "llvm_passes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "bump.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "llvm_arenas.h"
#include "loop_nests.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pointer_provenance.h"
#include "text.h"

// Maximum length of a list, filled with the most accessed places: compile time
// and memory grow with it.
enum { MAX_LISTED = 64 };

typedef struct access_s {
  MlirOperation op;
  uint32_t places[2]; // equal if it accesses only one
} access_t;

typedef struct place_s {
  gmem_memory_place_t place;
  uint32_t accesses; // in the current loop nest, while counting; else 0
  bool is_used;      // some op refers to |scope|
  MlirAttribute scope;
  MlirAttribute own;     // the list [scope]
  MlirAttribute noalias; // for the current loop nest; null: empty
} place_t;

// State of one function.
typedef struct scoper_s {
  gmem_pointer_finder_t finder;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  access_t *accesses; // in IR order
  place_t *places;    // in the order of their first access
  size_t access_count, access_room, place_count, place_room;
  uint32_t *table; // hash table of places with open addressing: index + 1, or 0
  size_t mask;     // size of |table| - 1
} scoper_t;

//===--- places -----------------------------------------------------------===//

static size_t hash_of(const gmem_memory_place_t *place) {
  uint64_t hash = (uint64_t)(uintptr_t)place->object.base;
  hash = (hash ^ place->begin) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ place->end) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(hash >> 32);
}

static bool is_same(const gmem_memory_place_t *left,
                    const gmem_memory_place_t *right) {
  return left->object.base == right->object.base &&
         left->begin == right->begin && left->end == right->end;
}

// The slot of |place| in the table; it contains 0 if |place| is new.
static uint32_t *slot_of(const scoper_t *scoper,
                         const gmem_memory_place_t *place) {
  size_t i = hash_of(place) & scoper->mask;
  while (scoper->table[i] &&
         !is_same(&scoper->places[scoper->table[i] - 1].place, place))
    i = (i + 1) & scoper->mask;
  return &scoper->table[i];
}

static gmem_status_t grow_table(scoper_t *scoper) {
  size_t size = scoper->mask ? (scoper->mask + 1) * 2 : 64;
  GMEM_TRY_ALLOC(scoper->table, scoper->arena, size, scoper->diag);
  scoper->mask = size - 1;
  for (size_t i = 0; i < scoper->place_count; ++i)
    *slot_of(scoper, &scoper->places[i].place) = (uint32_t)i + 1;
  return GMEM_OK;
}

// Sets *out to the index of |place|, which is added if it is new.
static gmem_status_t
add_place(scoper_t *scoper, const gmem_memory_place_t *place, uint32_t *out) {
  if (scoper->place_count * 2 >= scoper->mask)
    GMEM_TRY(grow_table(scoper));
  uint32_t *slot = slot_of(scoper, place);
  if (!*slot) {
    GMEM_TRY_GROW(scoper->arena, scoper->places, scoper->place_count,
                  scoper->place_room, scoper->diag);
    scoper->places[scoper->place_count] = (place_t){.place = *place};
    *slot = (uint32_t)++scoper->place_count;
  }
  *out = *slot - 1;
  assert(*out < scoper->place_count);
  return GMEM_OK;
}

//===--- accesses ---------------------------------------------------------===//

// The ops that can have scopes.
typedef struct access_form_s {
  const char *name;
  intptr_t pointers[2]; // operand numbers; -1: no second pointer
  bool is_load, is_store;
} access_form_t;

static const access_form_t forms[] = {
    {"llvm.load", {0, -1}, true, false},
    {"llvm.store", {1, -1}, false, true},
    {"llvm.atomicrmw", {0, -1}, true, false},
    {"llvm.cmpxchg", {0, -1}, false, false},
    {"llvm.intr.memcpy", {0, 1}, false, false},
    {"llvm.intr.memcpy.inline", {0, 1}, false, false},
    {"llvm.intr.memmove", {0, 1}, false, false},
    {"llvm.intr.memset", {0, -1}, false, false},
    {"llvm.intr.memset.inline", {0, -1}, false, false},
};

static const access_form_t *form_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
    if (gmem_op_is(op, forms[i].name))
      return &forms[i];
  return NULL;
}

static MlirType accessed_type(MlirOperation op, const access_form_t *form) {
  if (form->is_load)
    return mlirValueGetType(mlirOperationGetResult(op, 0));
  return form->is_store ? mlirValueGetType(mlirOperationGetOperand(op, 0))
                        : (MlirType){NULL};
}

// Lists |op| if it accesses memory of known provenance.
static gmem_status_t add_access(scoper_t *scoper, MlirOperation op) {
  const access_form_t *form = form_of(op);
  if (!form)
    return GMEM_OK;
  access_t access = {.op = op};
  for (int i = 0; i < 2; ++i) {
    gmem_memory_place_t place;
    if (form->pointers[i] < 0) {
      access.places[i] = access.places[0];
      continue;
    }
    MlirValue pointer = mlirOperationGetOperand(op, form->pointers[i]);
    if (!gmem_pointer_follow(&scoper->finder, pointer, accessed_type(op, form),
                             &place))
      return GMEM_OK;
    GMEM_TRY(add_place(scoper, &place, &access.places[i]));
  }
  GMEM_TRY_GROW(scoper->arena, scoper->accesses, scoper->access_count,
                scoper->access_room, scoper->diag);
  scoper->accesses[scoper->access_count++] = access;
  return GMEM_OK;
}

//===--- scopes -----------------------------------------------------------===//

// Writes the human-readable description of a scope.
static int describe(const gmem_memory_place_t *place, char *out, size_t size) {
  const gmem_object_t *object = &place->object;
  int length = 0;
  if (object->kind == GMEM_OBJECT_ARGUMENT)
    length = snprintf(out, size, "argument %u", object->number);
  else if (object->kind == GMEM_OBJECT_ALLOCATION)
    length = snprintf(out, size, "allocation");
  else
    length = snprintf(out, size, "%.*s",
                      object->name.length < 64 ? (int)object->name.length : 64,
                      object->name.data);
  // Names may contain any characters.
  for (char *c = out; *c; ++c)
    if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c > '~')
      *c = '_';
  if (place->end == GMEM_OBJECT_END)
    return length;
  return length + snprintf(out + length, size - (size_t)length, " [%llu, %llu)",
                           (unsigned long long)place->begin,
                           (unsigned long long)place->end);
}

static MlirAttribute list_of(const scoper_t *scoper, size_t count,
                             const MlirAttribute *scopes) {
  return mlirArrayAttrGet(mlirOperationGetContext(scoper->finder.function),
                          (intptr_t)count, scopes);
}

// Creates the scopes of all places. Distinct attributes are distinct only
// within one parsed text, so all scopes are parsed from one.
static gmem_status_t make_scopes(scoper_t *scoper) {
  gmem_text_t list = {.arena = scoper->arena};
  for (size_t i = 0; i < scoper->place_count; ++i) {
    char name[160];
    describe(&scoper->places[i].place, name, sizeof name);
    gmem_text_print(&list,
                    "%c#llvm.alias_scope<id = distinct[%zu]<>, domain = <id = "
                    "distinct[0]<>>, description = \"%s\">",
                    i ? ',' : '[', i + 1, name);
  }
  gmem_text_append(&list, "]", 1);
  GMEM_TRY(gmem_bump_status(scoper->arena, scoper->diag));
  MlirAttribute all =
      mlirAttributeParseGet(mlirOperationGetContext(scoper->finder.function),
                            gmem_string(gmem_text_get(&list)));
  if (mlirAttributeIsNull(all))
    return gmem_op_error(scoper->diag, GMEM_ERR_UNSUPPORTED,
                         scoper->finder.function,
                         "cannot create alias scope attributes");
  for (size_t i = 0; i < scoper->place_count; ++i) {
    place_t *place = &scoper->places[i];
    place->scope = mlirArrayAttrGetElement(all, (intptr_t)i);
    place->own = list_of(scoper, 1, &place->scope);
  }
  return GMEM_OK;
}

// Appends the scopes of |list| to those of |op|.
static gmem_status_t append_scopes(scoper_t *scoper, MlirOperation op,
                                   const char *name, MlirAttribute list) {
  MlirAttribute old =
      mlirOperationGetInherentAttributeByName(op, gmem_string(name));
  if (!mlirAttributeIsNull(old)) {
    intptr_t count = mlirArrayAttrGetNumElements(old);
    intptr_t added = mlirArrayAttrGetNumElements(list);
    MlirAttribute *all;
    GMEM_TRY_ALLOC(all, scoper->arena, (size_t)(count + added), scoper->diag);
    for (intptr_t i = 0; i < count + added; ++i)
      all[i] = i < count ? mlirArrayAttrGetElement(old, i)
                         : mlirArrayAttrGetElement(list, i - count);
    list = list_of(scoper, (size_t)(count + added), all);
  }
  mlirOperationSetInherentAttributeByName(op, gmem_string(name), list);
  return GMEM_OK;
}

//===--- loop nests -------------------------------------------------------===//

// A place that a loop nest accesses, with its number of accesses.
typedef struct candidate_s {
  uint32_t accesses, place;
} candidate_t;

// The accesses [begin, end) of a loop nest. Lists contain only places that the
// loop nest accesses.
typedef struct loop_nest_s {
  size_t begin, end;
  candidate_t *candidates; // the places accessed, the most accessed first
  size_t count;
} loop_nest_t;

static int compare_candidates(const void *left, const void *right) {
  const candidate_t *a = left, *b = right;
  if (a->accesses != b->accesses)
    return a->accesses < b->accesses ? 1 : -1;
  return (a->place > b->place) - (a->place < b->place);
}

static void find_candidates(scoper_t *scoper, loop_nest_t *nest) {
  for (size_t i = nest->begin; i < nest->end; ++i)
    for (int k = 0; k < 2; ++k) {
      uint32_t number = scoper->accesses[i].places[k];
      place_t *place = &scoper->places[number];
      if (!place->accesses++)
        nest->candidates[nest->count++].place = number;
    }
  for (size_t i = 0; i < nest->count; ++i) {
    place_t *place = &scoper->places[nest->candidates[i].place];
    nest->candidates[i].accesses = place->accesses;
    place->accesses = 0;
  }
  assert(nest->count <= scoper->place_count);
  qsort(nest->candidates, nest->count, sizeof *nest->candidates,
        compare_candidates);
}

// The list of places of the loop nest that are disjoint from both |first| and
// |second|; null if it is empty.
static MlirAttribute list_disjoint(scoper_t *scoper, const loop_nest_t *nest,
                                   const gmem_memory_place_t *first,
                                   const gmem_memory_place_t *second) {
  MlirAttribute scopes[MAX_LISTED];
  size_t count = 0;
  for (size_t i = 0; i < nest->count && i < MAX_LISTED; ++i) {
    const place_t *other = &scoper->places[nest->candidates[i].place];
    if (gmem_places_are_apart(first, &other->place) &&
        gmem_places_are_apart(second, &other->place))
      scopes[count++] = other->scope;
  }
  return count ? list_of(scoper, count, scopes) : (MlirAttribute){NULL};
}

// Sets the scopes of |access|.
static gmem_status_t set_scopes(scoper_t *scoper, const loop_nest_t *nest,
                                const access_t *access) {
  place_t *first = &scoper->places[access->places[0]];
  place_t *second = &scoper->places[access->places[1]];
  MlirAttribute own = first->own, apart = first->noalias;
  if (first != second) {
    MlirAttribute both[] = {first->scope, second->scope};
    own = list_of(scoper, 2, both);
    apart = list_disjoint(scoper, nest, &first->place, &second->place);
  }
  if (mlirAttributeIsNull(apart))
    return GMEM_OK;
  first->is_used = second->is_used = true;
  GMEM_TRY(append_scopes(scoper, access->op, "alias_scopes", own));
  return append_scopes(scoper, access->op, "noalias_scopes", apart);
}

static gmem_status_t set_scopes_of_nest(scoper_t *scoper, loop_nest_t *nest) {
  find_candidates(scoper, nest);
  for (size_t i = 0; i < nest->count; ++i) {
    place_t *place = &scoper->places[nest->candidates[i].place];
    place->noalias = list_disjoint(scoper, nest, &place->place, &place->place);
  }
  for (size_t i = nest->begin; i < nest->end; ++i)
    GMEM_TRY(set_scopes(scoper, nest, &scoper->accesses[i]));
  return GMEM_OK;
}

//===--- functions --------------------------------------------------------===//

// Declares the scopes of places that depend on the call, at the function entry.
static void declare(const scoper_t *scoper) {
  gmem_builder_t at = gmem_build_at_begin(
      scoper->finder.entry, mlirOperationGetLocation(scoper->finder.function));
  for (size_t i = 0; i < scoper->place_count; ++i) {
    const place_t *place = &scoper->places[i];
    if (!place->is_used || place->place.object.kind == GMEM_OBJECT_GLOBAL)
      continue;
    gmem_named_t scope[] = {{"scope", place->scope}, {0}};
    gmem_build(&at, "llvm.intr.experimental.noalias.scope.decl", NULL, 0,
               scope);
  }
}

// Finds the accesses of the function and the first access of each of its
// *out_count loop nests; (*out_starts)[*out_count] is the end.
static gmem_status_t find_accesses(scoper_t *scoper, size_t **out_starts,
                                   size_t *out_count) {
  gmem_loop_nests_t blocks;
  size_t *starts;
  GMEM_TRY(gmem_loop_nests_find(scoper->finder.entry, scoper->arena, &blocks,
                                scoper->diag));
  GMEM_TRY_ALLOC(starts, scoper->arena, blocks.count + 1, scoper->diag);
  *out_starts = starts;
  *out_count = 0;
  for (size_t i = 0; i < blocks.count; ++i) {
    if (!i || blocks.ends[i] != blocks.ends[i - 1])
      starts[(*out_count)++] = scoper->access_count;
    for (MlirOperation op = mlirBlockGetFirstOperation(blocks.blocks[i]);
         op.ptr; op = mlirOperationGetNextInBlock(op))
      GMEM_TRY(add_access(scoper, op));
  }
  starts[*out_count] = scoper->access_count;
  return GMEM_OK;
}

static gmem_status_t scope_function(scoper_t *scoper) {
  size_t *starts = NULL, count = 0;
  GMEM_TRY(find_accesses(scoper, &starts, &count));
  if (scoper->place_count < 2)
    return GMEM_OK;
  candidate_t *candidates;
  GMEM_TRY_ALLOC(candidates, scoper->arena, scoper->place_count, scoper->diag);
  GMEM_TRY(make_scopes(scoper));
  for (size_t i = 0; i < count; ++i) {
    loop_nest_t nest = {starts[i], starts[i + 1], candidates, 0};
    GMEM_TRY(set_scopes_of_nest(scoper, &nest));
  }
  declare(scoper);
  return GMEM_OK;
}

//===--- the pass ---------------------------------------------------------===//

// Nested modules are processed separately.
typedef struct walker_s {
  const gmem_plan_options_t *options;
  const gmem_allocator_t *allocator;
  gmem_diag_t *diag;
  gmem_status_t status;
} walker_t;

// The memory for one function is freed before the next one.
static gmem_status_t visit_function(const walker_t *walker,
                                    const gmem_llvm_module_t *module,
                                    MlirOperation function) {
  gmem_bump_t arena;
  if (!gmem_op_is(function, "llvm.func") ||
      mlirBlockIsNull(gmem_entry_block(function)) ||
      gmem_is_c_wrapper(function))
    return GMEM_OK;
  gmem_bump_init(&arena, walker->allocator);
  scoper_t scoper = {.finder = gmem_pointer_finder_of(
                         module, function,
                         walker->options && walker->options->noalias_arguments),
                     .arena = &arena,
                     .diag = walker->diag};
  gmem_status_t status = scope_function(&scoper);
  gmem_bump_destroy(&arena);
  return status;
}

static gmem_status_t visit_module(const walker_t *walker, MlirOperation op) {
  gmem_bump_t arena;
  gmem_llvm_module_t module;
  gmem_bump_init(&arena, walker->allocator);
  gmem_status_t status =
      gmem_llvm_module_read(op, &arena, &module, walker->diag);
  for (MlirOperation function = gmem_first_op(op, 0);
       function.ptr && status == GMEM_OK;
       function = mlirOperationGetNextInBlock(function))
    status = visit_function(walker, &module, function);
  gmem_llvm_module_end(&module);
  gmem_bump_destroy(&arena);
  return status;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  walker_t *walker = user;
  if (gmem_op_is(op, "llvm.func"))
    return MlirWalkResultSkip;
  if (gmem_op_is(op, "builtin.module"))
    walker->status = visit_module(walker, op);
  return walker->status == GMEM_OK ? MlirWalkResultAdvance
                                   : MlirWalkResultInterrupt;
}

gmem_status_t gmem_alias_scopes(MlirOperation top,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  walker_t walker = {options, allocator, diag, GMEM_OK};
  mlirOperationWalk(top, visit, &walker, MlirWalkPreOrder);
  return walker.status;
}
