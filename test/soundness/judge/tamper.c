// tamper.c - see tamper.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tamper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

//===--- what there is ----------------------------------------------------===//

static void *push(void *array, size_t *count, size_t *room, size_t size) {
  void **items = array;
  if (*count == *room) {
    *room = 2 * *room + 16;
    void *larger = realloc(*items, *room * size);
    if (!larger) {
      fputs("gmem-judge: out of memory\n", stderr);
      exit(2);
    }
    *items = larger;
  }
  return (char *)*items + (*count)++ * size;
}

static void add_path(plan_path_t **paths, size_t *count, size_t *room,
                     plan_path_t path) {
  *(plan_path_t *)push(paths, count, room, sizeof path) = path;
}

static MlirOperation function_of(MlirOperation op, MlirOperation scope) {
  for (;;) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(parent) || mlirOperationEqual(parent, scope))
      return op;
    op = parent;
  }
}

// Adds the spot if there is memory.
static void add_spot(tamper_t *tamper, plan_spot_t spot) {
  int64_t offset;
  MlirStringRef pool;
  if (!path_number(&spot.offset, &offset) || offset < 0 ||
      !path_string(&spot.pool, &pool))
    return;
  spot.function = function_of(spot.offset.op, tamper->scope);
  *(plan_spot_t *)push(&tamper->spots, &tamper->spot_count, &tamper->spot_room,
                       sizeof spot) = spot;
}

static intptr_t list_length(const plan_path_t *path) {
  MlirAttribute list = path_get(path);
  if (gmem_attribute_is(list, mlirAttributeIsADenseI64Array))
    return mlirDenseArrayGetNumElements(list);
  return gmem_attribute_is(list, mlirAttributeIsAArray)
             ? mlirArrayAttrGetNumElements(list)
             : 0;
}

// The spots of the elements of lists.
static void add_lists(tamper_t *tamper, spot_kind_t kind,
                      const plan_spot_t *lists) {
  for (intptr_t i = 0; i < list_length(&lists->offset); ++i)
    add_spot(tamper, (plan_spot_t){.kind = kind,
                                   .pool = path_element(lists->pool, i),
                                   .offset = path_element(lists->offset, i),
                                   .size = path_element(lists->size, i),
                                   .payload = path_element(lists->payload, i)});
}

static plan_path_t path_of(MlirOperation op, const char *attribute) {
  return (plan_path_t){.op = op, .attribute = attribute};
}

static void add_blocks(tamper_t *tamper, MlirOperation op) {
  plan_path_t all = path_of(op, "gmem.block_args");
  for (intptr_t i = 0; i < list_length(&all); ++i) {
    plan_path_t one = path_element(all, i);
    plan_spot_t lists = {.pool = path_entry(one, "pool"),
                         .offset = path_entry(one, "offset"),
                         .size = path_entry(one, "size"),
                         .payload = path_entry(one, "payload_offset")};
    add_lists(tamper, SPOT_BLOCK_ARGUMENT, &lists);
  }
}

static void add_arguments(tamper_t *tamper, MlirOperation op) {
  plan_path_t all = path_of(op, "arg_attrs");
  for (intptr_t i = 0; i < list_length(&all); ++i) {
    plan_path_t one = path_element(all, i);
    add_spot(tamper,
             (plan_spot_t){.kind = SPOT_ARGUMENT,
                           .pool = path_entry(one, "gmem.pool"),
                           .offset = path_entry(one, "gmem.offset"),
                           .size = path_entry(one, "gmem.size"),
                           .payload = path_entry(one, "gmem.payload_offset")});
  }
}

static int64_t element_bytes(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 8;
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                  : mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type)
                                           : 0;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

// The size of a memref without gaps; 0 if it has some, or no static size.
static int64_t bytes_of(MlirType type) {
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return 0;
  int64_t bytes = element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    bytes *= mlirShapedTypeGetDimSize(type, i);
  return bytes;
}

static MlirType allocated_type(MlirOperation alloc) {
  return mlirValueGetType(mlirOperationGetResult(alloc, 0));
}

static void add_unplaced(tamper_t *tamper, MlirOperation op) {
  if (gmem_op_is(op, "memref.alloc") && bytes_of(allocated_type(op)) &&
      mlirAttributeIsNull(gmem_op_attribute(op, "gmem.offset")))
    *(MlirOperation *)push(&tamper->unplaced, &tamper->unplaced_count,
                           &tamper->unplaced_room, sizeof op) = op;
}

static MlirWalkResult add_op(MlirOperation op, void *user) {
  tamper_t *tamper = user;
  plan_spot_t results = {.pool = path_of(op, "gmem.pool"),
                         .offset = path_of(op, "gmem.offset"),
                         .size = path_of(op, "gmem.size"),
                         .payload = path_of(op, "gmem.payload_offset")};
  plan_spot_t buffers = {.pool = path_of(op, "gmem.workbuffer_pool"),
                         .offset = path_of(op, "gmem.workbuffer_offset"),
                         .size = path_of(op, "gmem.none"),
                         .payload = path_of(op, "gmem.none")};
  add_lists(tamper, SPOT_RESULT, &results);
  add_lists(tamper, SPOT_WORKBUFFER, &buffers);
  add_blocks(tamper, op);
  add_arguments(tamper, op);
  add_unplaced(tamper, op);
  plan_path_t copies = path_of(op, "gmem.copies");
  for (intptr_t i = 0; i < list_length(&copies); ++i)
    add_path(&tamper->records, &tamper->record_count, &tamper->record_room,
             path_element(copies, i));
  plan_path_t aliases = path_of(op, "gmem.alias");
  for (intptr_t i = 0; i < list_length(&aliases); ++i)
    add_path(&tamper->claims, &tamper->claim_count, &tamper->claim_room,
             path_element(aliases, i));
  return MlirWalkResultAdvance;
}

void tamper_find(tamper_t *tamper, MlirOperation scope, bool gives_places) {
  *tamper = (tamper_t){.scope = scope, .gives_places = gives_places};
  mlirOperationWalk(scope, add_op, tamper, MlirWalkPreOrder);
}

void tamper_free(tamper_t *tamper) {
  free(tamper->spots);
  free(tamper->records);
  free(tamper->claims);
  free(tamper->unplaced);
}

//===--- chance -----------------------------------------------------------===//

static size_t choose(tamper_t *tamper, size_t count) {
  tamper->random ^= tamper->random << 13;
  tamper->random ^= tamper->random >> 7;
  tamper->random ^= tamper->random << 17;
  return count ? (tamper->random >> 20) % count : 0;
}

// A spot; all kinds that there are come up, however few of one there are.
static plan_spot_t *choose_spot(tamper_t *tamper) {
  spot_kind_t kind = (spot_kind_t)choose(tamper, SPOT_KINDS);
  size_t begin = choose(tamper, tamper->spot_count);
  for (size_t i = 0; i < tamper->spot_count; ++i) {
    plan_spot_t *spot = &tamper->spots[(begin + i) % tamper->spot_count];
    if (spot->kind == kind)
      return spot;
  }
  return &tamper->spots[begin];
}

// Another spot, mostly of the same function.
static plan_spot_t *choose_other(tamper_t *tamper, const plan_spot_t *spot) {
  bool is_near = choose(tamper, 5) != 0;
  size_t begin = choose(tamper, tamper->spot_count);
  for (size_t i = 0; i < tamper->spot_count; ++i) {
    plan_spot_t *other = &tamper->spots[(begin + i) % tamper->spot_count];
    if (other != spot &&
        (!is_near || mlirOperationEqual(other->function, spot->function)))
      return other;
  }
  return &tamper->spots[begin];
}

//===--- places -----------------------------------------------------------===//

typedef struct spot_place_s {
  MlirStringRef pool;
  int64_t offset, size;
} spot_place_t;

static spot_place_t place_at(const plan_spot_t *spot) {
  spot_place_t place = {.size = -1};
  path_number(&spot->offset, &place.offset);
  path_number(&spot->size, &place.size);
  path_string(&spot->pool, &place.pool);
  return place;
}

static bool is_at(const plan_spot_t *spot, const spot_place_t *place) {
  spot_place_t own = place_at(spot);
  return own.offset == place->offset && own.size == place->size &&
         mlirStringRefEqual(own.pool, place->pool);
}

// Moves one spot; its payload stays where it is in it.
static void move(const plan_spot_t *spot, MlirStringRef pool, int64_t offset,
                 plan_changes_t *changes) {
  int64_t before = 0, payload;
  path_number(&spot->offset, &before);
  if (path_number(&spot->payload, &payload))
    path_set_number(&spot->payload, payload + offset - before, changes);
  path_set_number(&spot->offset, offset, changes);
  MlirStringRef own;
  if (path_string(&spot->pool, &own) && !mlirStringRefEqual(own, pool))
    path_set(&spot->pool,
             mlirStringAttrGet(mlirOperationGetContext(spot->pool.op), pool),
             changes);
}

// Moves the spot, or, if |all|, every spot of its pool, offset and size, so
// that what must be at one place still is.
static void move_all(tamper_t *tamper, const plan_spot_t *spot,
                     MlirStringRef pool, int64_t offset, bool all,
                     plan_changes_t *changes) {
  spot_place_t from = place_at(spot);
  for (size_t i = 0; i < tamper->spot_count; ++i)
    if (&tamper->spots[i] == spot || (all && is_at(&tamper->spots[i], &from)))
      move(&tamper->spots[i], pool, offset, changes);
}

static void describe(char text[TAMPER_TEXT], const char *what,
                     const plan_spot_t *spot, bool all) {
  static const char *const kinds[] = {"result", "argument", "block argument",
                                      "workbuffer"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(spot->offset.op));
  spot_place_t place = place_at(spot);
  char where[256] = "";
  gmem_printed_t printed = {where, sizeof where, 0, false};
  mlirLocationPrint(mlirOperationGetLocation(spot->offset.op), gmem_print_into,
                    &printed);
  snprintf(text, TAMPER_TEXT,
           "%s %s%s of '%.*s' at %s, [%" PRId64 ", %" PRId64 ") of %.*s", what,
           all ? "all at the place of a " : "a ", kinds[spot->kind],
           (int)name.length, name.data, where, place.offset,
           place.offset + place.size, (int)place.pool.length, place.pool.data);
}

static void append_text(char text[TAMPER_TEXT], const char *what,
                        int64_t number) {
  size_t length = strlen(text);
  snprintf(text + length, TAMPER_TEXT - length, "%s %" PRId64, what, number);
}

//===--- the changes ------------------------------------------------------===//

typedef bool tamper_fn(tamper_t *tamper, plan_changes_t *changes,
                       char text[TAMPER_TEXT]);

// Onto another one, in part or as a whole.
static bool move_onto(tamper_t *tamper, plan_changes_t *changes,
                      char text[TAMPER_TEXT]) {
  static const int64_t shifts[] = {0, 0, 0, 8, -8, 16, -16};
  if (tamper->spot_count < 2)
    return false;
  plan_spot_t *spot = choose_spot(tamper), *onto = choose_other(tamper, spot);
  spot_place_t from = place_at(spot), to = place_at(onto);
  bool all = choose(tamper, 2);
  to.offset += shifts[choose(tamper, sizeof shifts / sizeof *shifts)];
  if (to.offset < 0 ||
      (from.offset == to.offset && mlirStringRefEqual(from.pool, to.pool)))
    return false;
  describe(text, "moves", spot, all);
  append_text(text, " to", to.offset);
  move_all(tamper, spot, to.pool, to.offset, all, changes);
  return true;
}

static bool exchange(tamper_t *tamper, plan_changes_t *changes,
                     char text[TAMPER_TEXT]) {
  if (tamper->spot_count < 2)
    return false;
  plan_spot_t *spot = choose_spot(tamper), *other = choose_other(tamper, spot);
  spot_place_t from = place_at(spot), to = place_at(other);
  if (from.offset == to.offset && mlirStringRefEqual(from.pool, to.pool))
    return false;
  describe(text, "exchanges", spot, false);
  append_text(text, " and what is at", to.offset);
  move(spot, to.pool, to.offset, changes);
  move(other, from.pool, from.offset, changes);
  return true;
}

static bool shift(tamper_t *tamper, plan_changes_t *changes,
                  char text[TAMPER_TEXT]) {
  static const int64_t shifts[] = {1, -1, 4, -8, 8, 16, -16, 32, -32, 64, -64};
  if (!tamper->spot_count)
    return false;
  plan_spot_t *spot = choose_spot(tamper);
  spot_place_t from = place_at(spot);
  bool all = choose(tamper, 2);
  int64_t by = shifts[choose(tamper, sizeof shifts / sizeof *shifts)];
  if (from.offset + by < 0)
    by = -by;
  describe(text, "shifts", spot, all);
  append_text(text, " by", by);
  move_all(tamper, spot, from.pool, from.offset + by, all, changes);
  return true;
}

static bool resize(tamper_t *tamper, plan_changes_t *changes,
                   char text[TAMPER_TEXT]) {
  static const int64_t sizes[] = {-1, 1, -8, 8, -16, 16};
  if (!tamper->spot_count)
    return false;
  plan_spot_t *spot = choose_spot(tamper);
  int64_t size, by = sizes[choose(tamper, sizeof sizes / sizeof *sizes)];
  if (!path_number(&spot->size, &size))
    return false;
  describe(text, "resizes", spot, false);
  append_text(text, " by", by);
  path_set_number(&spot->size, size + by, changes);
  return true;
}

static bool swap_pool(tamper_t *tamper, plan_changes_t *changes,
                      char text[TAMPER_TEXT]) {
  plan_path_t table = path_of(tamper->scope, "gmem.pool_table");
  intptr_t count = list_length(&table);
  if (!tamper->spot_count || count == 0)
    return false;
  plan_path_t entry =
      path_element(table, (intptr_t)choose(tamper, (size_t)count));
  plan_path_t name = path_entry(entry, "name");
  plan_spot_t *spot = choose_spot(tamper);
  spot_place_t from = place_at(spot);
  MlirStringRef pool;
  if (!path_string(&name, &pool) || mlirStringRefEqual(pool, from.pool))
    return false;
  bool all = choose(tamper, 2);
  describe(text, "puts into another pool", spot, all);
  move_all(tamper, spot, pool, from.offset, all, changes);
  return true;
}

// A size or bound in the table of pools, or of the plan.
static bool change_figures(tamper_t *tamper, plan_changes_t *changes,
                           char text[TAMPER_TEXT]) {
  static const char *const keys[] = {"size", "alignment", "lower_bound",
                                     "base"};
  static const int64_t by[] = {1, -1, 8, -8, 64, -64};
  plan_path_t table = path_of(tamper->scope, "gmem.pool_table");
  intptr_t count = list_length(&table);
  if (count == 0)
    return false;
  plan_path_t entry =
      path_element(table, (intptr_t)choose(tamper, (size_t)count));
  const char *key = keys[choose(tamper, sizeof keys / sizeof *keys)];
  plan_path_t path = path_entry(entry, key);
  int64_t number, change = by[choose(tamper, sizeof by / sizeof *by)];
  if (!path_number(&path, &number))
    return false;
  snprintf(text, TAMPER_TEXT, "changes %s of a pool by %" PRId64, key, change);
  path_set_number(&path, number + change, changes);
  return true;
}

// A record of gmem.copies or a claim of gmem.alias, without it or with another
// number.
static bool change_record(tamper_t *tamper, const plan_path_t *record,
                          plan_changes_t *changes, char text[TAMPER_TEXT]) {
  static const char *const keys[] = {"from",   "to",      "size",  "number",
                                     "offset", "operand", "result"};
  static const int64_t by[] = {1, -1, 8, -8, 16, -16, 64};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(record->op));
  int64_t number, change = by[choose(tamper, sizeof by / sizeof *by)];
  int length =
      snprintf(text, TAMPER_TEXT, "%s #%td of '%.*s': ", record->attribute,
               record->steps[0].number, (int)name.length, name.data);
  if (choose(tamper, 3) == 0) {
    snprintf(text + length, TAMPER_TEXT - (size_t)length, "drops it");
    path_set(record, (MlirAttribute){NULL}, changes);
    return true;
  }
  const char *key = keys[choose(tamper, sizeof keys / sizeof *keys)];
  plan_path_t path = path_entry(*record, key);
  if (!path_number(&path, &number))
    return false;
  snprintf(text + length, TAMPER_TEXT - (size_t)length, "%s by %" PRId64, key,
           change);
  path_set_number(&path, number + change, changes);
  return true;
}

static bool change_claim(tamper_t *tamper, plan_changes_t *changes,
                         char text[TAMPER_TEXT]) {
  return tamper->claim_count &&
         change_record(tamper,
                       &tamper->claims[choose(tamper, tamper->claim_count)],
                       changes, text);
}

static bool change_copy(tamper_t *tamper, plan_changes_t *changes,
                        char text[TAMPER_TEXT]) {
  return tamper->record_count &&
         change_record(tamper,
                       &tamper->records[choose(tamper, tamper->record_count)],
                       changes, text);
}

// Two copies in the other order.
static bool exchange_copies(tamper_t *tamper, plan_changes_t *changes,
                            char text[TAMPER_TEXT]) {
  if (tamper->record_count < 2)
    return false;
  plan_path_t *first =
      &tamper->records[choose(tamper, tamper->record_count - 1)];
  plan_path_t *second = first + 1;
  if (!mlirOperationEqual(first->op, second->op))
    return false;
  MlirAttribute earlier = path_get(first), later = path_get(second);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(first->op));
  snprintf(text, TAMPER_TEXT,
           "exchanges gmem.copies #%td and the next of '%.*s'",
           first->steps[0].number, (int)name.length, name.data);
  path_set(first, later, changes);
  path_set(second, earlier, changes);
  return true;
}

// An allocation with a place, in the memory space of |type|, or NULL.
static const plan_spot_t *choose_allocation(tamper_t *tamper, MlirType type) {
  size_t begin = choose(tamper, tamper->spot_count);
  for (size_t i = 0; i < tamper->spot_count; ++i) {
    const plan_spot_t *spot = &tamper->spots[(begin + i) % tamper->spot_count];
    MlirOperation op = spot->offset.op;
    if (spot->kind == SPOT_RESULT && gmem_op_is(op, "memref.alloc") &&
        mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(allocated_type(op)),
                           mlirMemRefTypeGetMemorySpace(type)))
      return spot;
  }
  return NULL;
}

// The size of a pool in the table of pools.
static plan_path_t size_of_pool(const tamper_t *tamper, MlirStringRef pool) {
  plan_path_t table = path_of(tamper->scope, "gmem.pool_table");
  plan_path_t entry = table;
  for (intptr_t i = 0; i < list_length(&table); ++i) {
    plan_path_t name = path_entry(path_element(table, i), "name");
    MlirStringRef text;
    if (path_string(&name, &text) && mlirStringRefEqual(text, pool))
      entry = path_element(table, i);
  }
  return path_entry(entry, "size");
}

static void set_place(MlirOperation op, MlirStringRef pool, int64_t offset,
                      int64_t size, plan_changes_t *changes) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute name = mlirStringAttrGet(context, pool);
  plan_path_t pools = path_of(op, "gmem.pool"),
              offsets = path_of(op, "gmem.offset"),
              sizes = path_of(op, "gmem.size");
  path_set(&pools, mlirArrayAttrGet(context, 1, &name), changes);
  path_set(&offsets, mlirDenseI64ArrayGet(context, 1, &offset), changes);
  path_set(&sizes, mlirDenseI64ArrayGet(context, 1, &size), changes);
}

// Gives |op| the place of another allocation, or bytes of its own behind all,
// so that only its own instances are in each other's way. The pool grows as far
// as that needs. False: there is no other allocation, and so no pool.
static bool give_place_to(tamper_t *tamper, MlirOperation op,
                          plan_changes_t *changes) {
  enum { ALIGNMENT = 256 };
  int64_t end, size = bytes_of(allocated_type(op));
  const plan_spot_t *other = choose_allocation(tamper, allocated_type(op));
  if (!other)
    return false;
  spot_place_t place = place_at(other);
  plan_path_t pool_size = size_of_pool(tamper, place.pool);
  if (!path_number(&pool_size, &end))
    return false;
  if (choose(tamper, 4))
    place.offset = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  set_place(op, place.pool, place.offset, size, changes);
  if (place.offset + size > end)
    path_set_number(&pool_size, place.offset + size, changes);
  return true;
}

// Places for one of the allocations that the planner has left without one, for
// half of them or for all: it leaves many only because they are freed where
// others are.
static bool give_places(tamper_t *tamper, plan_changes_t *changes,
                        char text[TAMPER_TEXT]) {
  size_t count = tamper->unplaced_count, given = 0;
  size_t begin = choose(tamper, count), way = choose(tamper, 4);
  for (size_t i = 0; i < count && (way > 1 || given == 0); ++i) {
    MlirOperation op = tamper->unplaced[(begin + i) % count];
    if ((way == 2 && choose(tamper, 2)) || !give_place_to(tamper, op, changes))
      continue;
    if (given++ == 0)
      describe(
          text, "gives a place to",
          &(plan_spot_t){.kind = SPOT_RESULT,
                         .pool = path_element(path_of(op, "gmem.pool"), 0),
                         .offset = path_element(path_of(op, "gmem.offset"), 0),
                         .size = path_element(path_of(op, "gmem.size"), 0)},
          false);
  }
  if (given > 1)
    append_text(text, " and to others, in all", (int64_t)given);
  return given;
}

bool tamper_once(tamper_t *tamper, uint64_t seed, plan_changes_t *changes,
                 char text[TAMPER_TEXT]) {
  static tamper_fn *const ways[] = {
      move_onto,   move_onto,      move_onto,      move_onto,    move_onto,
      move_onto,   exchange,       shift,          shift,        resize,
      swap_pool,   swap_pool,      change_figures, change_claim, change_copy,
      change_copy, exchange_copies};
  tamper->random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
  if (tamper->gives_places && give_places(tamper, changes, text))
    return true;
  for (int i = 0; i < 20; ++i)
    if (ways[choose(tamper, sizeof ways / sizeof *ways)](tamper, changes, text))
      return true;
  return false;
}
