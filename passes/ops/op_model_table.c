// op_model_table.c - a program of the build: prints gmem_built_in_models, the
// op models of dialect/models as C tables, so that no process parses them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dialect.h"
#include "op_model_text.h"
#include "text.h"

//===--- fields -----------------------------------------------------------===//

static void print_string(const char *field, const char *text) {
  if (!text)
    return;
  printf(" .%s = \"", field);
  for (const char *c = text; *c; ++c)
    printf(strchr("\"\\", *c) ? "\\%c" : "%c", *c);
  printf("\",");
}

static void print_bool(const char *field, bool value) {
  if (value)
    printf(" .%s = true,", field);
}

static void print_mask(const char *field, uint64_t mask) {
  if (mask)
    printf(" .%s = UINT64_C(0x%" PRIx64 "),", field, mask);
}

static void print_list(const char *field, const gmem_op_list_t *list) {
  printf(" .%s = {", field);
  print_string("attribute", list->attribute);
  if (list->numbers.count)
    printf(" .numbers.count = %zu, .numbers.at = (const int64_t[]){",
           list->numbers.count);
  for (size_t i = 0; i < list->numbers.count; ++i)
    printf("%" PRId64 "%s", list->numbers.at[i],
           i + 1 < list->numbers.count ? ", " : "},");
  printf(" .operand = %" PRId32 "},", list->operand);
}

static void print_box(const char *field, const gmem_op_box_t *box) {
  printf("\n   .%s = {.operand = %" PRId32 ",", field, box->operand);
  print_list("begin", &box->begin);
  print_list("size", &box->size);
  print_list("end", &box->end);
  print_list("step", &box->step);
  print_list("axes", &box->axes);
  printf("},");
}

static void print_region(const gmem_op_region_t *region) {
  printf("\n   .valid_region = {.rule = %d, .operand = %" PRId32 ",",
         (int)region->rule, region->operand);
  print_list("kernel", &region->kernel);
  print_list("before", &region->before);
  print_list("after", &region->after);
  print_list("step", &region->step);
  print_list("block", &region->block);
  print_list("axes", &region->axes);
  printf("},");
}

static void print_unless(const gmem_op_unless_t *unless) {
  print_mask("unless.operands", unless->operands);
  if (!unless->attributes)
    return;
  printf(" .unless.attributes = (const char *const[]){");
  for (const char *const *name = unless->attributes; *name; ++name)
    printf("\"%s\", ", *name);
  printf("NULL},");
}

//===--- models -----------------------------------------------------------===//

// Every field but |line|, which only messages about files need.
static void print_model(const gmem_op_model_t *model) {
  printf("  {");
  print_string("op", model->op);
  printf(" .kind = %d,", (int)model->kind);
  print_mask("inplace.operands", model->inplace.operands);
  print_bool("inplace.by_map", model->inplace.by_map);
  print_mask("rowwise", model->rowwise);
  print_bool("moves.permutes", model->moves.permutes);
  print_bool("moves.swaps", model->moves.swaps);
  print_bool("moves.broadcasts", model->moves.broadcasts);
  print_list("moves.axes", &model->moves.axes);
  print_list("moves.second", &model->moves.second);
  print_mask("unread", model->unread);
  print_mask("strided_operands", model->strided_operands);
  print_mask("strided_results", model->strided_results);
  print_mask("writes", model->writes);
  printf(" .destination = %d, .destination_operand = %" PRId32 ",",
         (int)model->destination, model->destination_operand);
  print_box("slice", &model->slice);
  print_box("insert", &model->insert);
  print_string("concat.axis", model->concat.axis);
  printf(" .concat.first = %" PRId32 ",", model->concat.first);
  print_region(&model->valid_region);
  print_bool("tuple", model->tuple);
  print_string("tuple_element", model->tuple_element);
  print_bool("stack", model->stack);
  print_bool("escapes", model->escapes);
  print_bool("starts", model->starts);
  print_bool("waits", model->waits);
  print_unless(&model->unless);
  printf("},\n");
}

static void print_type(const gmem_type_model_t *model) {
  const gmem_tensor_form_t *form = &model->form;
  printf("  {");
  print_string("type", model->type);
  print_string("encoding", model->encoding);
  print_bool("is_none", model->is_none);
  print_bool("is_scalar", model->is_scalar);
  printf(" .form.bits = %" PRIu64 ", .form.multiple_count = %zu,", form->bits,
         form->multiple_count);
  if (form->multiple_count)
    printf(" .form.multiples = (const int64_t[]){");
  for (size_t i = 0; i < form->multiple_count; ++i)
    printf("%" PRId64 "%s", form->multiples[i],
           i + 1 < form->multiple_count ? ", " : "},");
  printf("},\n");
}

static void print_argument(const gmem_argument_model_t *model) {
  printf("  {");
  print_string("attribute", model->attribute);
  print_string("contains", model->contains);
  printf("},\n");
}

static void print_models(const gmem_op_models_t *models) {
  printf("// Made by op_model_table.c of dialect/models.\n"
         "#include \"op_model_text.h\"\n\n"
         "static const gmem_op_model_t ops[] = {\n");
  for (size_t i = 0; i < models->count; ++i)
    print_model(&models->models[i]);
  printf("};\n\nstatic const gmem_argument_model_t arguments[] = {\n");
  for (size_t i = 0; i < models->argument_count; ++i)
    print_argument(&models->arguments[i]);
  printf("};\n\nstatic const gmem_type_model_t types[] = {\n");
  for (size_t i = 0; i < models->type_count; ++i)
    print_type(&models->types[i]);
  printf("};\n\nstatic const gmem_op_name_t names[] = {\n");
  for (size_t i = 0; i < models->name_count; ++i)
    printf("  {\"%s\", \"%s\"},\n", models->names[i].op,
           models->names[i].attribute);
  printf("};\n\nstatic const char *const pure[] = {\n");
  for (size_t i = 0; i < models->pure_count; ++i)
    printf("  \"%s\",\n", models->pure[i]);
  printf("};\n\n"
         "const gmem_op_models_t gmem_built_in_models = {\n"
         "  ops, %zu, arguments, %zu, types, %zu, names, %zu, pure, %zu, "
         "NULL};\n",
         models->count, models->argument_count, models->type_count,
         models->name_count, models->pure_count);
}

// Parses each file by itself, for messages with its name, and then all as one.
static gmem_status_t parse(gmem_bump_t *arena, const gmem_op_models_t **models,
                           gmem_diag_t *diag) {
  gmem_text_t whole = {.arena = arena};
  for (size_t i = 0; i < gmem_model_text_count; ++i) {
    const gmem_embedded_t *file = &gmem_model_texts[i];
    MlirStringRef text = mlirStringRefCreate(file->bytes, file->length);
    GMEM_TRY(gmem_op_models_parse(arena, file->name, text, NULL, models, diag));
    gmem_text_append(&whole, file->bytes, file->length);
  }
  GMEM_TRY(gmem_bump_status(arena, diag));
  return gmem_op_models_parse(arena, "all models",
                              mlirStringRefCreate(whole.bytes, whole.length),
                              NULL, models, diag);
}

int main(void) {
  gmem_bump_t arena;
  gmem_diag_t diag;
  const gmem_op_models_t *models;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status = parse(&arena, &models, &diag);
  if (status == GMEM_OK)
    print_models(models);
  else
    fprintf(stderr, "%s\n", diag.text);
  gmem_bump_destroy(&arena);
  return status != GMEM_OK || fflush(stdout) != 0;
}
