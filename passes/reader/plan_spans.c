// plan_spans.c - see plan_spans.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of an op is its gmem.name, which passes that print the program
// without locations keep, else "FUNCTION/OP#N": the Nth op of that kind in the
// function. No gmem.name that is used contains '#' or '@', and no name of an
// op kind contains '/', so that names of different kinds are different. Ops of
// a function that is called several times have "@CALL" behind their names.

#include "plan_spans.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "call_contexts.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "text.h"
#include "vocabulary.h"

// An op, or a function (the op is then its own).
typedef struct item_s {
  MlirOperation op;
  MlirStringRef kind; // its name, which MLIR has once
  const char *stated; // its gmem.name or symbol, "" if it cannot be used
  uint32_t function;
  uint32_t number;    // among the ops of its kind in the function
  int64_t begin, end; // steps of the program
  bool is_grouped;
} item_t;

typedef struct adder_s {
  const gmem_planned_spans_source_t *source;
  const gmem_program_t *program;
  gmem_bump_t *scratch;
  gmem_bump_t *arena; // of the result
  gmem_diag_t *diag;
  GMEM_LIST(item_t) items;        // in walk order
  uint32_t function;              // the current one
  const gmem_program_op_t *group; // whose ops are listed
} adder_t;

//===--- names ------------------------------------------------------------===//

enum {
  MOST_OF_NAME = 255,
  MOST_OF_CALL = 12 // of "@CALL"
};

// Whether all file formats take |name|, with "@CALL" behind it.
static bool is_portable(const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < length; ++i)
    if (name[i] < ' ' || name[i] > '~' || name[i] == ',' || name[i] == '"')
      return false;
  return length > 0 && length <= MOST_OF_NAME - MOST_OF_CALL;
}

// |name| behind the prefix of the scope; "" if it cannot be used.
static const char *stated_name(const adder_t *adder, MlirStringRef name) {
  gmem_text_t text = {.arena = adder->scratch};
  if (memchr(name.data, '#', name.length) ||
      memchr(name.data, '@', name.length))
    return "";
  gmem_text_print(&text, "%s", adder->source->prefix);
  gmem_text_piece(name, &text);
  const char *made = gmem_text_get(&text);
  return made && is_portable(made) ? made : "";
}

// Items in another order.
static gmem_status_t sort_items(const adder_t *adder,
                                int (*compare)(const void *a, const void *b),
                                item_t ***out_sorted) {
  size_t count = adder->items.count;
  GMEM_TRY_ALLOC(*out_sorted, adder->scratch, count, adder->diag);
  for (size_t i = 0; i < count; ++i)
    (*out_sorted)[i] = &adder->items.at[i];
  qsort(*out_sorted, count, sizeof **out_sorted, compare);
  return GMEM_OK;
}

static int compare_names(const void *a, const void *b) {
  const item_t *const *left = a, *const *right = b;
  return strcmp((*left)->stated, (*right)->stated);
}

// Drops stated names that several items have.
static gmem_status_t drop_repeated(const adder_t *adder) {
  size_t count = adder->items.count;
  item_t **sorted;
  GMEM_TRY(sort_items(adder, compare_names, &sorted));
  for (size_t begin = 0, end; begin < count; begin = end) {
    const char *name = sorted[begin]->stated;
    for (end = begin + 1; end < count && !strcmp(sorted[end]->stated, name);)
      ++end;
    for (size_t i = begin; end - begin > 1 && i < end; ++i)
      sorted[i]->stated = "";
  }
  return GMEM_OK;
}

static bool are_of_one_kind(const item_t *left, const item_t *right) {
  return left->function == right->function &&
         left->kind.data == right->kind.data;
}

// By function, by kind in any order, then as in the program.
static int compare_kinds(const void *a, const void *b) {
  const item_t *left = *(item_t *const *)a, *right = *(item_t *const *)b;
  if (left->function != right->function)
    return left->function < right->function ? -1 : 1;
  if (left->kind.data != right->kind.data)
    return (uintptr_t)left->kind.data < (uintptr_t)right->kind.data ? -1 : 1;
  return (left > right) - (left < right);
}

static gmem_status_t number_items(const adder_t *adder) {
  item_t **sorted;
  GMEM_TRY(sort_items(adder, compare_kinds, &sorted));
  for (size_t i = 1; i < adder->items.count; ++i)
    if (are_of_one_kind(sorted[i - 1], sorted[i]))
      sorted[i]->number = sorted[i - 1]->number + 1;
  return GMEM_OK;
}

// The stated name, else "FUNCTION/OP#N", or "#N" with the number of the item
// where that is not portable.
static const char *item_name(const adder_t *adder, const item_t *item) {
  MlirStringRef function = adder->program->functions[item->function].name;
  gmem_text_t text = {.arena = adder->scratch};
  if (item->stated[0])
    return item->stated;
  gmem_text_print(&text, "%s%.*s/%.*s#%u", adder->source->prefix,
                  (int)function.length, function.data, (int)item->kind.length,
                  item->kind.data, item->number);
  const char *made = gmem_text_get(&text);
  if (made && is_portable(made))
    return made;
  text.length = 0;
  gmem_text_print(&text, "%s#%td", adder->source->prefix,
                  item - adder->items.at);
  return gmem_text_get(&text);
}

//===--- items ------------------------------------------------------------===//

static void add_item(adder_t *adder, MlirOperation op, const char *stated,
                     int64_t begin, int64_t end, bool is_grouped) {
  item_t item = {.op = op,
                 .kind = mlirIdentifierStr(mlirOperationGetName(op)),
                 .stated = stated,
                 .function = adder->function,
                 .begin = begin,
                 .end = end,
                 .is_grouped = is_grouped};
  GMEM_APPEND(adder->scratch, &adder->items, item);
}

static void add_op_item(adder_t *adder, MlirOperation op,
                        const gmem_program_op_t *step, bool is_grouped) {
  MlirStringRef name = {"", 0};
  (void)gmem_string_get(gmem_op_annotation(op, GMEM_ATTR_NAME), &name);
  add_item(adder, op, stated_name(adder, name), step->begin, step->end,
           is_grouped);
}

static bool is_shaped(MlirValue value) {
  return mlirTypeIsAShaped(mlirValueGetType(value));
}

// Whether |op| reads or makes a tensor or memref.
static bool handles_tensors(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_shaped(mlirOperationGetOperand(op, i)))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_shaped(mlirOperationGetResult(op, i)))
      return true;
  return false;
}

// Ops of a layer group have no steps of their own.
static gmem_status_t add_grouped(MlirOperation op, void *user) {
  adder_t *adder = user;
  if (!mlirOperationEqual(op, adder->group->op) && handles_tensors(op) &&
      !gmem_ends_block(op))
    add_op_item(adder, op, adder->group, true);
  return GMEM_OK;
}

static gmem_status_t add_op(adder_t *adder, uint32_t index) {
  const gmem_program_op_t *step = &adder->program->ops[index];
  if (step->parent != GMEM_NO_INDEX && adder->program->ops[step->parent].opaque)
    return GMEM_OK; // a constant in a group, which lists it
  add_op_item(adder, step->op, step, false);
  adder->group = step;
  return step->opaque && step->kind != GMEM_OP_SCALAR_BODY && !step->deferred
             ? gmem_walk(step->op, add_grouped, adder)
             : GMEM_OK;
}

static gmem_status_t add_items(adder_t *adder) {
  const gmem_program_t *program = adder->program;
  for (uint32_t i = 0; i < program->function_count; ++i) {
    const gmem_function_t *function = &program->functions[i];
    adder->function = i;
    add_item(adder, function->op, stated_name(adder, function->name),
             function->begin, function->end, false);
    for (uint32_t op = function->first_op; op < function->end_op; ++op)
      GMEM_TRY(add_op(adder, op));
  }
  return gmem_bump_status(adder->scratch, adder->diag);
}

//===--- spans ------------------------------------------------------------===//

// A span and the item it is of.
typedef struct entry_s {
  gmem_planned_span_t span;
  uint32_t item;
} entry_t;

static int compare_entries(const void *a, const void *b) {
  const entry_t *left = a, *right = b;
  if (left->span.begin != right->span.begin)
    return left->span.begin < right->span.begin ? -1 : 1;
  return (left->item > right->item) - (left->item < right->item);
}

// The name of an item for one of |calls| calls of its function.
static const char *span_name(const adder_t *adder, const char *name,
                             size_t call, size_t calls) {
  gmem_text_t text = {.arena = adder->arena};
  gmem_text_print(&text, "%s", name ? name : "");
  if (calls > 1)
    gmem_text_print(&text, "@%zu", call);
  return gmem_text_get(&text);
}

// What the spans of |item| have in common.
static gmem_planned_span_t describe(const adder_t *adder, const item_t *item) {
  const gmem_function_t *function = &adder->program->functions[item->function];
  gmem_text_t location = {.arena = adder->arena};
  mlirLocationPrint(mlirOperationGetLocation(item->op), gmem_text_piece,
                    &location);
  return (gmem_planned_span_t){
      .op = gmem_bump_string(adder->arena, item->kind.data, item->kind.length),
      .function = gmem_bump_string(adder->arena, function->name.data,
                                   function->name.length),
      .location = gmem_text_get(&location),
      .is_grouped = item->is_grouped,
      .ir = item->op};
}

static uint32_t const *contexts_of(const adder_t *adder, const item_t *item,
                                   size_t *out_count) {
  return gmem_contexts_of(adder->source->analysis->liveness.contexts,
                          item->function, out_count);
}

static void add_entries(const adder_t *adder, uint32_t index, entry_t *entries,
                        size_t *next) {
  const item_t *item = &adder->items.at[index];
  const gmem_call_contexts_t *contexts =
      adder->source->analysis->liveness.contexts;
  size_t calls;
  const uint32_t *list = contexts_of(adder, item, &calls);
  const char *name = item_name(adder, item);
  gmem_planned_span_t span = describe(adder, item);
  for (size_t i = 0; i < calls; ++i) {
    int64_t last = gmem_context_time(contexts, list[i], item->end - 1);
    span.name = span_name(adder, name, i, calls);
    span.begin = adder->source->first_step +
                 gmem_context_time(contexts, list[i], item->begin);
    span.end = adder->source->first_step + last + 1;
    entries[(*next)++] = (entry_t){span, index};
  }
}

static gmem_status_t add_spans(const adder_t *adder,
                               gmem_planned_spans_t *out_spans) {
  size_t count = 0, next = 0, calls;
  entry_t *entries;
  for (size_t i = 0; i < adder->items.count; ++i) {
    (void)contexts_of(adder, &adder->items.at[i], &calls);
    count += calls;
  }
  GMEM_TRY_ALLOC(entries, adder->scratch, count, adder->diag);
  for (uint32_t i = 0; i < adder->items.count; ++i)
    add_entries(adder, i, entries, &next);
  assert(next == count);
  qsort(entries, count, sizeof *entries, compare_entries);
  for (size_t i = 0; i < count; ++i)
    GMEM_APPEND(adder->arena, out_spans, entries[i].span);
  return gmem_bump_status(adder->arena, adder->diag);
}

gmem_status_t gmem_planned_spans_add(const gmem_planned_spans_source_t *source,
                                     gmem_bump_t *arena,
                                     gmem_planned_spans_t *out_spans,
                                     gmem_diag_t *diag) {
  adder_t adder = {.source = source,
                   .program = &source->analysis->program,
                   .scratch = source->analysis->arena,
                   .arena = arena,
                   .diag = diag};
  GMEM_TRY(add_items(&adder));
  GMEM_TRY(drop_repeated(&adder));
  GMEM_TRY(number_items(&adder));
  GMEM_TRY(add_spans(&adder, out_spans));
  return gmem_bump_status(adder.scratch, diag);
}
