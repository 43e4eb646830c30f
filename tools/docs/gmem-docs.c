// gmem-docs.c - generates documents from templates and tables of the source:
// gmem-docs TEMPLATE.md.in. For internal use: a test compares docs/ with the
// output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gmem/passes.h"
#include "op_model_read.h"
#include "op_model_text.h"
#include "vocabulary.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

//===--- attributes -------------------------------------------------------===//

static int print_attributes_of(const char *side) {
  for (size_t i = 0; i < GMEM_ATTR_COUNT; ++i) {
    const gmem_vocabulary_entry_t *entry = &gmem_vocabulary[i];
    if (strcmp(entry->side, side) != 0)
      continue;
    printf("\n### `%s`\n\n* on: %s\n* type: `%s`\n\n%s\n", entry->name,
           entry->on, entry->type, entry->meaning);
  }
  return 0;
}

//===--- passes -----------------------------------------------------------===//

static void print_options(const gmem_pass_descriptor_t *pass) {
  if (!pass->option_count) {
    puts("\nIt has no options.");
    return;
  }
  puts("\n| option | default | meaning |\n| --- | --- | --- |");
  for (size_t i = 0; i < pass->option_count; ++i)
    printf("| `%s` | `%s` | %s |\n", pass->options[i].name,
           pass->options[i].default_value, pass->options[i].help);
}

static void print_steps(const gmem_pipeline_step_t *step) {
  puts("\nA pipeline of:\n");
  for (; step->passes; ++step) {
    printf("* `%s`", step->passes);
    if (step->option)
      printf(", with `%s=true`", step->option);
    putchar('\n');
  }
}

static void print_pass(const gmem_pass_descriptor_t *pass) {
  printf("\n## `%s`\n\n%s.\n", pass->name, pass->summary);
  if (pass->steps)
    print_steps(pass->steps);
  print_options(pass);
}

static int print_passes(const char *unused) {
  (void)unused;
  for (size_t i = 0; i < gmem_pass_count(); ++i)
    print_pass(gmem_pass_at(i));
  return 0;
}

//===--- op models --------------------------------------------------------===//

// A summary of a model; models with equal summaries are listed together.
typedef struct summary_s {
  char text[256];
  size_t length;
} summary_t;

static void append(summary_t *summary, const char *text) {
  int written = snprintf(summary->text + summary->length,
                         sizeof summary->text - summary->length, "%s%s",
                         summary->length ? ", " : "", text);
  size_t room = sizeof summary->text - 1 - summary->length;
  assert(summary->length < sizeof summary->text);
  summary->length += (size_t)written < room ? (size_t)written : room;
}

static void append_operands(summary_t *summary, const char *text,
                            uint64_t operands) {
  char list[400];
  size_t used = (size_t)snprintf(list, sizeof list, "%s", text);
  const char *separator = " ";
  for (int i = 0; i < 64 && operands != UINT64_MAX; ++i) {
    if (!(operands >> i & 1))
      continue;
    used +=
        (size_t)snprintf(list + used, sizeof list - used, "%s%d", separator, i);
    separator = " or ";
  }
  if (operands)
    append(summary, list);
}

static summary_t describe(const gmem_op_model_t *model) {
  summary_t summary = {"", 0};
  if (model->kind != GMEM_OP_COMPUTE)
    append(&summary, gmem_op_kind_name(model->kind));
  append_operands(&summary,
                  model->inplace.operands == UINT64_MAX
                      ? "in place of any operand"
                      : "in place of operand",
                  model->inplace.operands);
  if (model->inplace.by_map)
    append(&summary, "in place by map");
  append_operands(&summary, "row by row in place of operand", model->rowwise);
  if (model->moves.permutes || model->moves.swaps || model->moves.broadcasts)
    append(&summary, "a view where it moves nothing");
  if (model->destination == GMEM_DESTINATION_TRAILING)
    append(&summary, "into its last operands");
  if (model->destination == GMEM_DESTINATION_OPERAND)
    append_operands(&summary, "into operand",
                    UINT64_C(1) << model->destination_operand);
  if (model->slice.operand != GMEM_NO_OPERAND)
    append_operands(&summary, "a slice of operand",
                    UINT64_C(1) << model->slice.operand);
  if (model->insert.operand != GMEM_NO_OPERAND)
    append_operands(&summary, "inserts operand",
                    UINT64_C(1) << model->insert.operand);
  if (model->concat.axis)
    append(&summary, "concatenates");
  if (model->tuple)
    append(&summary, "makes a tuple");
  if (model->tuple_element)
    append(&summary, "an element of a tuple");
  append_operands(&summary, "does not read operand", model->unread);
  append_operands(&summary, "changes operand", model->writes);
  append_operands(&summary, "strided operand", model->strided_operands);
  append_operands(&summary, "strided result", model->strided_results);
  if (model->stack)
    append(&summary, "on the stack");
  if (model->escapes)
    append(&summary, "its operands escape");
  if (model->starts)
    append(&summary, "goes on until it is waited for");
  if (model->waits)
    append(&summary, "waits");
  if (model->unless.operands || model->unless.attributes)
    append(&summary, "under conditions");
  return summary;
}

static bool is_first_of_summary(const gmem_op_models_t *models, size_t first,
                                size_t index, const summary_t *summary) {
  for (size_t i = first; i < index; ++i) {
    summary_t others = describe(&models->models[i]);
    if (strcmp(others.text, summary->text) == 0)
      return false;
  }
  return true;
}

static void print_ops(const gmem_op_models_t *models, size_t first, size_t end,
                      const summary_t *summary) {
  printf("* %s:", summary->text);
  const char *separator = "";
  for (size_t i = first; i < end; ++i) {
    summary_t others = describe(&models->models[i]);
    if (strcmp(others.text, summary->text) != 0)
      continue;
    printf("%s\n  `%s`", separator, models->models[i].op);
    separator = ",";
  }
  putchar('\n');
}

static size_t dialect_length(const char *op) {
  const char *dot = strchr(op, '.');
  return dot ? (size_t)(dot - op) : strlen(op);
}

static bool is_of_dialect(const char *op, const char *other) {
  size_t length = dialect_length(other);
  return dialect_length(op) == length && strncmp(op, other, length) == 0;
}

// Prints the models of the dialect of models[first], grouped by summary. Models
// are sorted, so those of a dialect are adjacent. Returns the index after them.
static size_t print_dialect(const gmem_op_models_t *models, size_t first) {
  const char *any = models->models[first].op;
  size_t end = first;
  assert(first < models->count);
  while (end < models->count && is_of_dialect(models->models[end].op, any))
    ++end;
  printf("\n### %.*s\n\n", (int)dialect_length(any), any);
  for (size_t i = first; i < end; ++i) {
    summary_t summary = describe(&models->models[i]);
    if (is_first_of_summary(models, first, i, &summary))
      print_ops(models, first, end, &summary);
  }
  return end;
}

static int print_op_models(const char *unused) {
  (void)unused;
  const gmem_op_models_t *models = &gmem_built_in_models;
  for (size_t i = 0; i < models->count;)
    i = print_dialect(models, i);
  return 0;
}

//===--- templates --------------------------------------------------------===//

typedef struct part_s {
  const char *line; // of a template, for which the part stands
  int (*print)(const char *side);
  const char *side; // of attributes
} part_t;

static const part_t parts[] = {
    {"@input-attributes@\n", print_attributes_of, "input"},
    {"@output-attributes@\n", print_attributes_of, "output"},
    {"@passes@\n", print_passes, NULL},
    {"@op-models@\n", print_op_models, NULL}};

static int print_line(const char *line) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strcmp(line, parts[i].line) == 0)
      return parts[i].print(parts[i].side);
  fputs(line, stdout);
  return 0;
}

static int print_document(const char *path) {
  char line[1024];
  int code = 0;
  FILE *template = fopen(path, "r");
  if (!template) {
    fprintf(stderr, "gmem-docs: error: %s: cannot be opened\n", path);
    return EXIT_FAILED;
  }
  while (code == 0 && fgets(line, sizeof line, template))
    code = print_line(line);
  fclose(template);
  return code;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: gmem-docs TEMPLATE.md.in\n", stderr);
    return EXIT_USAGE;
  }
  int code = print_document(argv[1]);
  if (fflush(stdout) != 0 && code == 0) {
    fputs("gmem-docs: error: <stdout>: cannot be written\n", stderr);
    code = EXIT_FAILED;
  }
  return code;
}
