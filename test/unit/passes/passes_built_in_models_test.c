// passes_built_in_models_test.c - the table of built-in op models that the
// build makes is what the files of dialect/models say, field by field.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_built_in_models_test

#include <string.h>

#include "check.h"
#include "dialect.h"
#include "op_model_text.h"
#include "text.h"

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_list(const gmem_op_list_t *a, const gmem_op_list_t *b) {
  return same_text(a->attribute, b->attribute) && a->operand == b->operand &&
         a->numbers.count == b->numbers.count &&
         (a->numbers.count == 0 ||
          memcmp(a->numbers.at, b->numbers.at,
                 a->numbers.count * sizeof *a->numbers.at) == 0);
}

static bool same_region(const gmem_op_region_t *a, const gmem_op_region_t *b) {
  return a->rule == b->rule && a->operand == b->operand &&
         same_list(&a->kernel, &b->kernel) &&
         same_list(&a->before, &b->before) && same_list(&a->after, &b->after) &&
         same_list(&a->step, &b->step) && same_list(&a->block, &b->block) &&
         same_list(&a->axes, &b->axes);
}

static bool same_box(const gmem_op_box_t *a, const gmem_op_box_t *b) {
  return a->operand == b->operand && same_list(&a->begin, &b->begin) &&
         same_list(&a->size, &b->size) && same_list(&a->end, &b->end) &&
         same_list(&a->step, &b->step) && same_list(&a->axes, &b->axes);
}

static bool same_moves(const gmem_op_moves_t *a, const gmem_op_moves_t *b) {
  return a->permutes == b->permutes && a->swaps == b->swaps &&
         a->broadcasts == b->broadcasts && same_list(&a->axes, &b->axes) &&
         same_list(&a->second, &b->second);
}

static bool same_unless(const gmem_op_unless_t *a, const gmem_op_unless_t *b) {
  const char *const *x = a->attributes, *const *y = b->attributes;
  if (a->operands != b->operands || !x != !y)
    return false;
  for (; x && *x && same_text(*x, *y); ++x, ++y)
    ;
  return !x || *x == *y; // both at the end
}

static bool same_flags(const gmem_op_model_t *a, const gmem_op_model_t *b) {
  return a->kind == b->kind && a->inplace.operands == b->inplace.operands &&
         a->inplace.by_map == b->inplace.by_map && a->rowwise == b->rowwise &&
         a->unread == b->unread && a->writes == b->writes &&
         a->strided_operands == b->strided_operands &&
         a->strided_results == b->strided_results &&
         a->destination == b->destination &&
         a->destination_operand == b->destination_operand &&
         a->tuple == b->tuple && a->stack == b->stack &&
         a->escapes == b->escapes && a->starts == b->starts &&
         a->waits == b->waits;
}

static bool same_model(const gmem_op_model_t *a, const gmem_op_model_t *b) {
  return same_text(a->op, b->op) && same_flags(a, b) &&
         same_moves(&a->moves, &b->moves) && same_box(&a->slice, &b->slice) &&
         same_box(&a->insert, &b->insert) &&
         same_text(a->concat.axis, b->concat.axis) &&
         same_region(&a->valid_region, &b->valid_region) &&
         a->concat.first == b->concat.first &&
         same_text(a->tuple_element, b->tuple_element) &&
         same_unless(&a->unless, &b->unless);
}

static bool same_type(const gmem_type_model_t *a, const gmem_type_model_t *b) {
  const gmem_tensor_form_t *x = &a->form, *y = &b->form;
  return same_text(a->type, b->type) && same_text(a->encoding, b->encoding) &&
         a->is_none == b->is_none && a->is_scalar == b->is_scalar &&
         x->bits == y->bits && x->multiple_count == y->multiple_count &&
         (x->multiple_count == 0 ||
          memcmp(x->multiples, y->multiples,
                 x->multiple_count * sizeof *x->multiples) == 0);
}

// What gmem-opt --gmem-list-op-models prints.
static gmem_text_t all_texts(gmem_bump_t *arena) {
  gmem_text_t text = {.arena = arena};
  for (size_t i = 0; i < gmem_model_text_count; ++i)
    gmem_text_append(&text, gmem_model_texts[i].bytes,
                     gmem_model_texts[i].length);
  return text;
}

static void test_models(const gmem_op_models_t *a, const gmem_op_models_t *b) {
  CHECK(a->count == b->count && a->count > 1000 && !a->outer);
  for (size_t i = 0; i < a->count; ++i)
    CHECK(same_model(&a->models[i], &b->models[i]));
  CHECK(a->type_count == b->type_count && a->type_count > 0);
  for (size_t i = 0; i < a->type_count; ++i)
    CHECK(same_type(&a->types[i], &b->types[i]));
  CHECK(a->argument_count == b->argument_count && a->argument_count > 0);
  for (size_t i = 0; i < a->argument_count; ++i)
    CHECK(same_text(a->arguments[i].attribute, b->arguments[i].attribute) &&
          same_text(a->arguments[i].contains, b->arguments[i].contains));
  CHECK(a->pure_count == b->pure_count && a->pure_count > 0);
  for (size_t i = 0; i < a->pure_count; ++i)
    CHECK(same_text(a->pure[i], b->pure[i]));
}

int main(void) {
  gmem_bump_t arena;
  gmem_diag_t diag;
  const gmem_op_models_t *parsed;
  gmem_bump_init(&arena, NULL);
  gmem_text_t text = all_texts(&arena);
  CHECK(gmem_op_models_parse(&arena, "all",
                             mlirStringRefCreate(text.bytes, text.length), NULL,
                             &parsed, &diag) == GMEM_OK);
  test_models(&gmem_built_in_models, parsed);
  gmem_bump_destroy(&arena);
  return CHECK_RESULT();
}
