// alias_scopes.c - gmem-alias-scopes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: functions of the LLVM dialect, as the lowering of memrefs leaves
//           them: before any folding, which takes descriptors apart.
// produces: on loads, stores and copies whose memory is known, alias_scopes
//           (one scope per place: a buffer in an arena, a global, an argument,
//           an allocation) and noalias_scopes (places that share no byte with
//           it); llvm.intr.experimental.noalias.scope.decl at the start of
//           functions whose places depend on the call. What LLVM cannot see
//           through indexes that it does not know, it is told.
// fails:    when memory is out. What cannot be followed is left as it is.
//
// Why it is sound. A scope speaks of bytes, not of time: two buffers that take
// turns at one address share bytes and are never said to be apart, and two that
// do not can't meet, whatever the order in which things run. So code may be
// moved and repeated: a loop's iterations all see the same places. What a
// function is given or allocates is another matter: a second call may have
// another arena there. Each function has a domain and scopes of its own, and
// scopes that depend on the call are declared where it begins. Inlining clones
// declared scopes for each call site, so that one call's are not held against
// another's, and passes that look across the iterations of a loop ignore scopes
// that are declared inside of it.

#include "alias_scopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bump.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "llvm_arenas.h"
#include "loop_nests.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pointer_provenance.h"

// Lists are that long at most: what is accessed most is in them. Time and
// memory to compile grow with them.
enum { MAX_LISTED = 64 };

typedef struct access_s {
  MlirOperation op;
  uint32_t places[2]; // what it accesses; one of two may be twice the same
} access_t;

typedef struct place_s {
  gmem_memory_place_t place;
  uint32_t accesses; // of the stretch at hand, while they are counted
  bool is_used;      // an op has its scope
  MlirAttribute scope;
  MlirAttribute own;     // a list of |scope| alone
  MlirAttribute noalias; // of the stretch at hand; null: there are none
} place_t;

// One function at work.
typedef struct scoper_s {
  gmem_pointer_finder_t finder;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  access_t *accesses; // in the order of the text
  place_t *places;    // in the order of their first access
  size_t access_count, access_room, place_count, place_room;
  uint32_t *table; // places by what they are: a hash table with open
  size_t mask;     //   addressing, index + 1 or 0; its size - 1
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

// Where |place| is, or is to be, in the table.
static uint32_t *slot_of(const scoper_t *scoper,
                         const gmem_memory_place_t *place) {
  size_t i = hash_of(place) & scoper->mask;
  while (scoper->table[i] &&
         !is_same(&scoper->places[scoper->table[i] - 1].place, place))
    i = (i + 1) & scoper->mask;
  return &scoper->table[i];
}

static bool grow_table(scoper_t *scoper) {
  size_t size = scoper->mask ? (scoper->mask + 1) * 2 : 64;
  uint32_t *table = gmem_bump_alloc(scoper->arena, size, sizeof *table);
  if (!table)
    return false;
  scoper->table = table;
  scoper->mask = size - 1;
  for (size_t i = 0; i < scoper->place_count; ++i)
    *slot_of(scoper, &scoper->places[i].place) = (uint32_t)i + 1;
  return true;
}

// The number of |place|, which is added when it is new.
static bool add_place(scoper_t *scoper, const gmem_memory_place_t *place,
                      uint32_t *out) {
  if (scoper->place_count * 2 >= scoper->mask && !grow_table(scoper))
    return false;
  uint32_t *slot = slot_of(scoper, place);
  if (!*slot) {
    if (!gmem_bump_grow(scoper->arena, &scoper->places, scoper->place_count,
                        &scoper->place_room, sizeof *scoper->places))
      return false;
    scoper->places[scoper->place_count] = (place_t){.place = *place};
    *slot = (uint32_t)++scoper->place_count;
  }
  *out = *slot - 1;
  return true;
}

//===--- accesses ---------------------------------------------------------===//

// The ops that can have scopes: their pointers, and what they access.
typedef struct access_form_s {
  const char *name;
  intptr_t pointers[2]; // operands; -1: no second
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

// Lists |op| when it is an access to memory that is known. False when memory
// is out.
static bool add_access(scoper_t *scoper, MlirOperation op) {
  const access_form_t *form = form_of(op);
  if (!form)
    return true;
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
      return true;
    if (!add_place(scoper, &place, &access.places[i]))
      return false;
  }
  if (!gmem_bump_grow(scoper->arena, &scoper->accesses, scoper->access_count,
                      &scoper->access_room, sizeof *scoper->accesses))
    return false;
  scoper->accesses[scoper->access_count++] = access;
  return true;
}

//===--- scopes -----------------------------------------------------------===//

// What a scope is called in the IR, for people.
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
  // Names may have anything in them.
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

// Makes the scopes of all places. What is distinct is so by the text that it is
// parsed from: all are in one.
static gmem_status_t make_scopes(scoper_t *scoper) {
  enum { SCOPE_BYTES = 256 };
  size_t room = scoper->place_count * SCOPE_BYTES + 3, length = 0;
  char *list = gmem_bump_alloc(scoper->arena, room, 1);
  if (!list)
    return gmem_out_of_memory(scoper->diag);
  for (size_t i = 0; i < scoper->place_count; ++i) {
    char name[160];
    describe(&scoper->places[i].place, name, sizeof name);
    length += (size_t)snprintf(
        list + length, room - length,
        "%c#llvm.alias_scope<id = distinct[%zu]<>, domain = <id = "
        "distinct[0]<>>, description = \"%s\">",
        i ? ',' : '[', i + 1, name);
  }
  snprintf(list + length, room - length, "]");
  MlirAttribute all = mlirAttributeParseGet(
      mlirOperationGetContext(scoper->finder.function), gmem_string(list));
  if (mlirAttributeIsNull(all))
    return gmem_error(scoper->diag, GMEM_ERR_UNSUPPORTED,
                      mlirOperationGetLocation(scoper->finder.function), NULL,
                      0, "alias scopes cannot be made");
  for (size_t i = 0; i < scoper->place_count; ++i) {
    place_t *place = &scoper->places[i];
    place->scope = mlirArrayAttrGetElement(all, (intptr_t)i);
    place->own = list_of(scoper, 1, &place->scope);
  }
  return GMEM_OK;
}

// Puts the scopes of |list| behind those that |op| has.
static bool put(scoper_t *scoper, MlirOperation op, const char *name,
                MlirAttribute list) {
  MlirAttribute old =
      mlirOperationGetInherentAttributeByName(op, gmem_string(name));
  if (!mlirAttributeIsNull(old)) {
    intptr_t count = mlirArrayAttrGetNumElements(old);
    intptr_t added = mlirArrayAttrGetNumElements(list);
    MlirAttribute *all =
        gmem_bump_alloc(scoper->arena, (size_t)(count + added), sizeof *all);
    if (!all)
      return false;
    for (intptr_t i = 0; i < count + added; ++i)
      all[i] = i < count ? mlirArrayAttrGetElement(old, i)
                         : mlirArrayAttrGetElement(list, i - count);
    list = list_of(scoper, (size_t)(count + added), all);
  }
  mlirOperationSetInherentAttributeByName(op, gmem_string(name), list);
  return true;
}

//===--- stretches --------------------------------------------------------===//

// A place of a stretch, by what makes it worth naming.
typedef struct candidate_s {
  uint32_t accesses, place;
} candidate_t;

// Accesses that lists are made for together: [begin, end).
typedef struct stretch_s {
  size_t begin, end;
  candidate_t *candidates; // what they access, the most accessed first
  size_t count;
} stretch_t;

static int compare_candidates(const void *left, const void *right) {
  const candidate_t *a = left, *b = right;
  if (a->accesses != b->accesses)
    return a->accesses < b->accesses ? 1 : -1;
  return (a->place > b->place) - (a->place < b->place);
}

static void find_candidates(scoper_t *scoper, stretch_t *stretch) {
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    for (int k = 0; k < 2; ++k) {
      uint32_t number = scoper->accesses[i].places[k];
      place_t *place = &scoper->places[number];
      if (!place->accesses++)
        stretch->candidates[stretch->count++].place = number;
    }
  for (size_t i = 0; i < stretch->count; ++i) {
    place_t *place = &scoper->places[stretch->candidates[i].place];
    stretch->candidates[i].accesses = place->accesses;
    place->accesses = 0;
  }
  qsort(stretch->candidates, stretch->count, sizeof *stretch->candidates,
        compare_candidates);
}

// The list of those places of the stretch that share no byte with either of two
// (which may be one); null when there are none.
static MlirAttribute list_apart(scoper_t *scoper, const stretch_t *stretch,
                                const gmem_memory_place_t *first,
                                const gmem_memory_place_t *second) {
  MlirAttribute scopes[MAX_LISTED];
  size_t count = 0;
  for (size_t i = 0; i < stretch->count && i < MAX_LISTED; ++i) {
    const place_t *other = &scoper->places[stretch->candidates[i].place];
    if (gmem_places_are_apart(first, &other->place) &&
        gmem_places_are_apart(second, &other->place))
      scopes[count++] = other->scope;
  }
  return count ? list_of(scoper, count, scopes) : (MlirAttribute){NULL};
}

// Says of |access| where it is and where it is not.
static bool say(scoper_t *scoper, const stretch_t *stretch,
                const access_t *access) {
  place_t *first = &scoper->places[access->places[0]];
  place_t *second = &scoper->places[access->places[1]];
  MlirAttribute own = first->own, apart = first->noalias;
  if (first != second) {
    MlirAttribute both[] = {first->scope, second->scope};
    own = list_of(scoper, 2, both);
    apart = list_apart(scoper, stretch, &first->place, &second->place);
  }
  if (mlirAttributeIsNull(apart))
    return true;
  first->is_used = second->is_used = true;
  return put(scoper, access->op, "alias_scopes", own) &&
         put(scoper, access->op, "noalias_scopes", apart);
}

static bool say_stretch(scoper_t *scoper, stretch_t *stretch) {
  find_candidates(scoper, stretch);
  for (size_t i = 0; i < stretch->count; ++i) {
    place_t *place = &scoper->places[stretch->candidates[i].place];
    place->noalias = list_apart(scoper, stretch, &place->place, &place->place);
  }
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    if (!say(scoper, stretch, &scoper->accesses[i]))
      return false;
  return true;
}

//===--- functions --------------------------------------------------------===//

// Declares, where the function begins, the scopes of places that depend on the
// call.
static void declare(const scoper_t *scoper) {
  MlirBlock entry = scoper->finder.entry;
  MlirLocation location = mlirOperationGetLocation(scoper->finder.function);
  MlirContext context = mlirOperationGetContext(scoper->finder.function);
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  for (size_t i = 0; i < scoper->place_count; ++i) {
    const place_t *place = &scoper->places[i];
    if (!place->is_used || place->place.object.kind == GMEM_OBJECT_GLOBAL)
      continue;
    MlirOperationState state = mlirOperationStateGet(
        gmem_string("llvm.intr.experimental.noalias.scope.decl"), location);
    MlirNamedAttribute scope = mlirNamedAttributeGet(
        mlirIdentifierGet(context, gmem_string("scope")), place->scope);
    mlirOperationStateAddAttributes(&state, 1, &scope);
    mlirBlockInsertOwnedOperationBefore(entry, first,
                                        mlirOperationCreate(&state));
  }
}

// Finds the accesses of the function, and where stretches of them begin, of
// which there are no more than blocks: *out_starts[*out_count] is the end.
static bool find_accesses(scoper_t *scoper, size_t **out_starts,
                          size_t *out_count) {
  gmem_loop_nests_t blocks;
  if (!gmem_loop_nests_find(scoper->finder.entry, scoper->arena, &blocks))
    return false;
  size_t *starts =
      gmem_bump_alloc(scoper->arena, blocks.count + 1, sizeof *starts);
  if (!starts)
    return false;
  *out_starts = starts;
  *out_count = 0;
  for (size_t i = 0; i < blocks.count; ++i) {
    if (!i || blocks.ends[i] != blocks.ends[i - 1])
      starts[(*out_count)++] = scoper->access_count;
    MlirBlock block = blocks.blocks[i];
    for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
         op = mlirOperationGetNextInBlock(op))
      if (!add_access(scoper, op))
        return false;
  }
  starts[*out_count] = scoper->access_count;
  return true;
}

static gmem_status_t scope_function(const gmem_llvm_module_t *module,
                                    MlirOperation function,
                                    const gmem_plan_options_t *options,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  scoper_t scoper = {
      .finder = gmem_pointer_finder_of(module, function,
                                       options && options->noalias_arguments),
      .arena = arena,
      .diag = diag};
  size_t *starts, count;
  if (!find_accesses(&scoper, &starts, &count))
    return gmem_out_of_memory(diag);
  if (scoper.place_count < 2)
    return GMEM_OK;
  candidate_t *candidates =
      gmem_bump_alloc(arena, scoper.place_count, sizeof *candidates);
  gmem_status_t status =
      candidates ? make_scopes(&scoper) : gmem_out_of_memory(diag);
  for (size_t i = 0; i < count && status == GMEM_OK; ++i) {
    stretch_t stretch = {starts[i], starts[i + 1], candidates, 0};
    if (!say_stretch(&scoper, &stretch))
      status = gmem_out_of_memory(diag);
  }
  if (status == GMEM_OK)
    declare(&scoper);
  return status;
}

//===--- the pass ---------------------------------------------------------===//

static bool has_body(MlirOperation function) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

static gmem_status_t scope_module(MlirOperation op,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_llvm_module_t module;
  gmem_bump_init(&arena, allocator);
  gmem_status_t status = gmem_llvm_module_read(op, &arena, &module)
                             ? GMEM_OK
                             : gmem_out_of_memory(diag);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (MlirOperation function = mlirBlockGetFirstOperation(body);
       function.ptr && status == GMEM_OK;
       function = mlirOperationGetNextInBlock(function)) {
    if (!gmem_op_is(function, "llvm.func") || !has_body(function) ||
        gmem_is_c_wrapper(function))
      continue;
    // What one function needs is freed before the next.
    gmem_bump_t own;
    gmem_bump_init(&own, allocator);
    status = scope_function(&module, function, options, &own, diag);
    gmem_bump_destroy(&own);
  }
  gmem_llvm_module_end(&module);
  gmem_bump_destroy(&arena);
  return status;
}

// Modules in modules are each for themselves.
typedef struct walker_s {
  const gmem_plan_options_t *options;
  const gmem_allocator_t *allocator;
  gmem_diag_t *diag;
  gmem_status_t status;
} walker_t;

static MlirWalkResult visit(MlirOperation op, void *user) {
  walker_t *walker = user;
  if (gmem_op_is(op, "llvm.func"))
    return MlirWalkResultSkip;
  if (gmem_op_is(op, "builtin.module"))
    walker->status =
        scope_module(op, walker->options, walker->allocator, walker->diag);
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
