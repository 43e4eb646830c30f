// gmem-docs.c - prints those documents that are made from tables of the source:
// gmem-docs attributes|passes|op-models. For the project's own use: a test
// compares docs/ with what this prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gmem/passes.h"
#include "op_models.h"
#include "vocabulary.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

static void print_head(const char *title, const char *document) {
  printf("<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
         "<!-- Made by `gmem-docs %s > docs/%s.md`: do not edit. -->\n\n"
         "# %s\n\n",
         document, document, title);
}

//===--- attributes -------------------------------------------------------===//

static void print_attributes_of(const char *side, const char *title,
                                const char *introduction) {
  printf("## %s\n\n%s\n", title, introduction);
  for (size_t i = 0; i < GMEM_ATTR_COUNT; ++i) {
    const gmem_vocabulary_entry_t *entry = &gmem_vocabulary[i];
    if (strcmp(entry->side, side) != 0)
      continue;
    printf("\n### `%s`\n\n* on: %s\n* type: `%s`\n\n%s\n", entry->name,
           entry->on, entry->type, entry->meaning);
  }
}

static int print_attributes(void) {
  print_head("The gmem attributes", "attributes");
  fputs("All are discardable attributes with builtin values, on the ops of "
        "other dialects:\ntools that know nothing of gmem read, keep and "
        "print them. Sizes and offsets are\nin bytes.\n\n",
        stdout);
  print_attributes_of("input", "What a frontend may say",
                      "All of these are optional.");
  putchar('\n');
  print_attributes_of(
      "output", "What the passes write",
      "`gmem-plan` replaces what was there before; `gmem-verify-plan` proves "
      "it. An op\nhas the first three together or none of them:\n\n"
      "```mlir\n"
      "%1 = tosa.exp %0 {gmem.offset = array<i64: 4096>, gmem.pool = "
      "[\"tensors\"],\n"
      "  gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>\n"
      "```");
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

static void print_pass(const gmem_pass_descriptor_t *pass) {
  printf("\n## `%s`\n\n%s.\n", pass->name, pass->summary);
  if (pass->pipeline) {
    fputs("\nA pipeline of:", stdout);
    for (const char *const *name = pass->pipeline; *name; ++name)
      printf("%s `%s`", name == pass->pipeline ? "" : ",", *name);
    puts(".");
  }
  print_options(pass);
}

static int print_passes(void) {
  print_head("The gmem passes", "passes");
  fputs("All of them run on modules, and work on every op inside that directly "
        "holds\nfunctions, a nested module for example, by itself. They are "
        "used by flag or by\nname, in `gmem-opt` and, with the plugin, in the "
        "stock `mlir-opt`:\n\n"
        "```sh\n"
        "gmem-opt --gmem-plan='algorithm=ref-count alignment=64' network.mlir\n"
        "gmem-opt --pass-pipeline='builtin.module(cse,"
        "gmem-plan{alignment=64})' network.mlir\n"
        "mlir-opt --load-pass-plugin=gmem-plugin.so \\\n"
        "  --pass-pipeline='builtin.module(gmem-plan)' network.mlir\n"
        "```\n\n"
        "Numbers are decimal or `0x...`, in bytes; a flag's value is `true` "
        "or `false`.\nWhat the passes write is in "
        "[attributes.md](attributes.md), what they know of\nops in "
        "[op-models.md](op-models.md).\n",
        stdout);
  for (size_t i = 0; i < gmem_pass_count(); ++i)
    print_pass(gmem_pass_at(i));
  return 0;
}

//===--- op models --------------------------------------------------------===//

typedef struct kind_s {
  gmem_op_kind_t kind;
  const char *name;
  const char *meaning;
} kind_t;

static const kind_t kinds[] = {
    {GMEM_OP_WEIGHT, "weight",
     "every result is a constant and goes to a constant pool"},
    {GMEM_OP_INPUT, "input",
     "the operands are host memory, the results network inputs"},
    {GMEM_OP_RESHAPE, "reshape",
     "result 0 is operand 0 under another shape: the same bytes"},
    {GMEM_OP_LAYER_GROUP, "layer_group",
     "the regions compute in local memory: only the operands, captured values "
     "and results of the op are global"},
    {GMEM_OP_SCALAR_BODY, "scalar_body",
     "the regions are element-wise code of the op: their values live in "
     "registers"},
    {GMEM_OP_PARALLEL, "parallel",
     "the regions run several times at once: nothing inside has one address, "
     "so it is not planned"},
    {GMEM_OP_NONE, "none", "the results never need memory"},
};

static size_t dialect_length(const char *op) {
  const char *dot = strchr(op, '.');
  return dot ? (size_t)(dot - op) : strlen(op);
}

static bool is_of_dialect(const char *op, const char *other) {
  size_t length = dialect_length(other);
  return dialect_length(op) == length && strncmp(op, other, length) == 0;
}

// The models of the dialect of models[first], one line per kind; they are
// sorted, so those of a dialect stand together. Returns the index after them.
static size_t print_dialect(const gmem_op_models_t *models, size_t first) {
  const char *any = models->models[first].op;
  size_t end = first;
  while (end < models->count && is_of_dialect(models->models[end].op, any))
    ++end;
  printf("\n## %.*s\n\n", (int)dialect_length(any), any);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    bool is_first = true;
    for (size_t i = first; i < end; ++i) {
      if (models->models[i].kind != kinds[k].kind)
        continue;
      if (is_first)
        printf("* %s:", kinds[k].name);
      printf("%s\n  `%s`", is_first ? "" : ",", models->models[i].op);
      is_first = false;
    }
    if (!is_first)
      putchar('\n');
  }
  return end;
}

static int print_op_models(void) {
  gmem_arena_t arena;
  gmem_op_models_t models;
  gmem_diag_t diag;
  gmem_arena_init(&arena, NULL);
  if (gmem_op_models_load(&arena, &models, &diag) != GMEM_OK) {
    fprintf(stderr, "gmem-docs: error: %s\n", diag.text);
    gmem_arena_destroy(&arena);
    return EXIT_FAILED;
  }
  print_head("The op models", "op-models");
  fputs("What the passes know of ops. An op that is not listed is the most "
        "careful thing:\nit reads all its operands and writes results of its "
        "own; its regions are control\nflow. The models are text, in "
        "`dialect/models/`:\n\n"
        "```mlir\n"
        "\"gmem.op_model\"() {op = \"tosa.reshape\", kind = \"reshape\"} : () "
        "-> ()\n"
        "```\n\n| kind | meaning |\n| --- | --- |\n",
        stdout);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    printf("| `%s` | %s |\n", kinds[i].name, kinds[i].meaning);
  for (size_t i = 0; i < models.count;)
    i = print_dialect(&models, i);
  gmem_arena_destroy(&arena);
  return 0;
}

//===--- command line -----------------------------------------------------===//

int main(int argc, char **argv) {
  const char *document = argc == 2 ? argv[1] : "";
  int code = EXIT_USAGE;
  if (strcmp(document, "attributes") == 0)
    code = print_attributes();
  else if (strcmp(document, "passes") == 0)
    code = print_passes();
  else if (strcmp(document, "op-models") == 0)
    code = print_op_models();
  else
    fputs("usage: gmem-docs attributes|passes|op-models\n", stderr);
  if (fflush(stdout) != 0 && code == 0) {
    fputs("gmem-docs: error: standard output cannot be written\n", stderr);
    code = EXIT_FAILED;
  }
  return code;
}
