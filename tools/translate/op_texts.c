// op_texts.c - see op_texts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_texts.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

enum { MOST_OPS = 10000, MOST_TEXT = 320, MOST_ELEMENTS = 8 };

//===--- texts ------------------------------------------------------------===//

static bool is_of_gmem(MlirStringRef name) {
  static const char prefix[] = "gmem.";
  return name.length >= sizeof prefix - 1 &&
         memcmp(name.data, prefix, sizeof prefix - 1) == 0;
}

static void remove_attributes(MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    if (is_of_gmem(name))
      (void)mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

// The first line of the text of an op, without what is too long.
typedef struct line_s {
  char text[MOST_TEXT + 4];
  size_t length;
  bool is_whole;
} line_t;

static void add_piece(MlirStringRef piece, void *user) {
  line_t *line = user;
  for (size_t i = 0; i < piece.length && !line->is_whole; ++i) {
    line->is_whole = piece.data[i] == '\n';
    if (line->length == MOST_TEXT) {
      // Not within a character of several bytes.
      while (line->length > 0 && (line->text[line->length - 1] & 0x80))
        --line->length;
      memcpy(line->text + line->length, "...", 3);
      line->length += 3;
      line->is_whole = true;
    }
    if (!line->is_whole)
      line->text[line->length++] = piece.data[i];
  }
}

static bool append(gmem_op_texts_t *texts, const line_t *line) {
  size_t needed = texts->length + line->length + 1;
  if (needed > texts->room) {
    size_t room = 2 * needed;
    char *moved = realloc(texts->text, room);
    if (!moved)
      return false;
    texts->text = moved;
    texts->room = room;
  }
  memcpy(texts->text + texts->length, line->text, line->length);
  texts->text[needed - 1] = 0;
  texts->length = needed;
  return true;
}

// A function, or a module, is its name.
static bool has_text(MlirOperation op) {
  return mlirOperationGetNumOperands(op) > 0 ||
         mlirOperationGetNumResults(op) > 0;
}

// The text that begins at each op; it moves while it grows.
static bool print_ops(const gmem_planned_t *planned, MlirOperation top,
                      gmem_op_texts_t *texts, size_t *begins) {
  size_t count = gmem_planned_span_count(planned);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsElideLargeElementsAttrs(flags, MOST_ELEMENTS);
  mlirOpPrintingFlagsElideLargeResourceString(flags, MOST_ELEMENTS);
  mlirOpPrintingFlagsSkipRegions(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  MlirAsmState state = mlirAsmStateCreateForOperation(top, flags);
  bool is_stored = true;
  for (size_t i = 0; i < count && is_stored; ++i) {
    MlirOperation op = gmem_planned_span(planned, i)->ir;
    line_t line = {.length = 0};
    if (has_text(op))
      mlirOperationPrintWithState(op, state, add_piece, &line);
    begins[i] = texts->length;
    is_stored = append(texts, &line);
  }
  mlirAsmStateDestroy(state);
  mlirOpPrintingFlagsDestroy(flags);
  return is_stored;
}

static MlirOperation outermost(MlirOperation op) {
  for (MlirOperation parent = op; !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(parent))
    op = parent;
  return op;
}

static gmem_status_t fill_texts(const gmem_planned_t *planned,
                                gmem_shown_plan_t *plan, gmem_op_texts_t *texts,
                                gmem_diag_t *diag) {
  size_t *begins = calloc(plan->op_count + 1, sizeof *begins);
  MlirOperation top = outermost(gmem_planned_span(planned, 0)->ir);
  for (size_t i = 0; i < plan->op_count; ++i)
    remove_attributes(gmem_planned_span(planned, i)->ir);
  bool is_stored = begins && print_ops(planned, top, texts, begins);
  for (size_t i = 0; i < plan->op_count && is_stored; ++i)
    if (texts->text[begins[i]])
      plan->ops[i].text = texts->text + begins[i];
  free(begins);
  return is_stored ? GMEM_OK : gmem_out_of_memory(diag);
}

//===--- operands ---------------------------------------------------------===//

// An op and the index of one of its spans.
typedef struct place_s {
  void *op;
  uint32_t index;
} place_t;

static int compare_places(const void *a, const void *b) {
  const place_t *left = a, *right = b;
  if (left->op != right->op)
    return (uintptr_t)left->op < (uintptr_t)right->op ? -1 : 1;
  return (left->index > right->index) - (left->index < right->index);
}

// The last span of |op| before the span |limit|, or GMEM_NO_BUFFER.
static uint32_t last_before(const place_t *places, size_t count, void *op,
                            uint32_t limit) {
  size_t low = 0, high = count;
  place_t wanted = {op, limit};
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_places(&places[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && places[low - 1].op == op ? places[low - 1].index
                                             : GMEM_NO_BUFFER;
}

// Adds the definers of the operands of the op |index|, each once.
static void fill_definers(MlirOperation op, uint32_t index,
                          const place_t *places, gmem_shown_plan_t *plan,
                          uint32_t *operands) {
  gmem_shown_op_t *shown = &plan->ops[index];
  shown->operands = operands;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    uint32_t definer = mlirValueIsAOpResult(value)
                           ? last_before(places, plan->op_count,
                                         mlirOpResultGetOwner(value).ptr, index)
                           : GMEM_NO_BUFFER;
    bool is_new = definer != GMEM_NO_BUFFER;
    for (size_t known = 0; known < shown->operand_count; ++known)
      is_new &= operands[known] != definer;
    if (is_new)
      operands[shown->operand_count++] = definer;
  }
}

static gmem_status_t fill_operands(const gmem_planned_t *planned,
                                   gmem_shown_plan_t *plan,
                                   gmem_op_texts_t *texts, gmem_diag_t *diag) {
  size_t total = 0;
  place_t *places = calloc(plan->op_count + 1, sizeof *places);
  for (uint32_t i = 0; i < plan->op_count && places; ++i) {
    MlirOperation op = gmem_planned_span(planned, i)->ir;
    places[i] = (place_t){op.ptr, i};
    total += (size_t)mlirOperationGetNumOperands(op);
  }
  texts->operands = calloc(total + 1, sizeof *texts->operands);
  bool is_stored = places && texts->operands;
  if (is_stored)
    qsort(places, plan->op_count, sizeof *places, compare_places);
  total = 0;
  for (uint32_t i = 0; i < plan->op_count && is_stored; ++i) {
    MlirOperation op = gmem_planned_span(planned, i)->ir;
    fill_definers(op, i, places, plan, texts->operands + total);
    total += plan->ops[i].operand_count;
  }
  free(places);
  return is_stored ? GMEM_OK : gmem_out_of_memory(diag);
}

gmem_status_t gmem_op_texts_fill(const gmem_planned_t *planned,
                                 gmem_shown_plan_t *plan,
                                 gmem_op_texts_t *texts, gmem_diag_t *diag) {
  if (plan->op_count == 0 || plan->op_count > MOST_OPS)
    return GMEM_OK;
  GMEM_TRY(fill_texts(planned, plan, texts, diag));
  return fill_operands(planned, plan, texts, diag);
}

void gmem_op_texts_free(gmem_op_texts_t *texts) {
  free(texts->text);
  free(texts->operands);
  *texts = (gmem_op_texts_t){0};
}
