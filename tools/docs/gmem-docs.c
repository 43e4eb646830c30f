// gmem-docs.c - generates documents from tables of the source: gmem-docs
// attributes|passes|op-models. For internal use: a test compares docs/ with
// the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gmem/passes.h"
#include "op_model_read.h"
#include "op_model_text.h"
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
  fputs("All are discardable attributes with builtin values on ops of other "
        "dialects, so\n"
        "tools without gmem support parse, keep and print them. Sizes and "
        "offsets are in\n"
        "bytes.\n\n",
        stdout);
  print_attributes_of("input", "Input: set by frontends",
                      "All of these are optional.");
  putchar('\n');
  print_attributes_of(
      "output", "Output: set by the passes",
      "`gmem-plan` replaces existing ones; `gmem-verify-plan` verifies them. "
      "An op has\n"
      "all or none of the first three:\n\n"
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

static int print_passes(void) {
  print_head("The gmem passes", "passes");
  fputs("All passes run on modules and process every op that directly contains "
        "functions,\n"
        "such as a nested module, separately. They are available by flag or by "
        "name, in\n"
        "`gmem-opt` and, with the plugin, in the stock `mlir-opt`:\n\n"
        "```sh\n"
        "gmem-opt --gmem-plan='algorithm=ref-count alignment=64' network.mlir\n"
        "gmem-opt --pass-pipeline='builtin.module(cse,"
        "gmem-plan{alignment=64})' network.mlir\n"
        "mlir-opt --load-pass-plugin=gmem-plugin.so \\\n"
        "  --pass-pipeline='builtin.module(gmem-plan)' network.mlir\n"
        "```\n\n"
        "Numbers are decimal or `0x...`, in bytes; the value of a flag is "
        "`true` or\n"
        "`false`. The attributes are described in "
        "[attributes.md](attributes.md), the\n"
        "models of ops in [op-models.md](op-models.md).\n",
        stdout);
  for (size_t i = 0; i < gmem_pass_count(); ++i)
    print_pass(gmem_pass_at(i));
  return 0;
}

//===--- op models --------------------------------------------------------===//

typedef struct row_s {
  const char *name;
  const char *meaning;
} row_t;

static const row_t kinds[] = {
    {"compute", "reads its operands and writes its results (default)"},
    {"weight", "every result is a constant and is placed in a constant pool"},
    {"input", "the operands are host memory, the results are network inputs"},
    {"reshape", "result 0 is operand 0 with another shape: the same bytes"},
    {"empty", "the contents of the results are undefined: they need memory "
              "only if an op reads them"},
    {"none", "the results never need memory"},
    {"layer_group",
     "the regions compute in local memory: only the operands, captured values "
     "and results of the op are in global memory"},
    {"scalar_body", "the regions are element-wise code of the op: their values "
                    "are in registers"},
    {"parallel", "the regions run concurrently: values inside have no single "
                 "address, so they are not planned"},
    {"branch",
     "at most one of the regions runs, once: the operands of its terminator "
     "are the results; the arguments of the regions are the last operands"},
    {"for", "the region runs any number of times: its last arguments, one per "
            "result, are initialised by the last operands and updated by the "
            "operands of the terminator; their final values are the results"},
    {"while", "the arguments of region 0 are the operands; the operands of its "
              "terminator after the condition are the results or the arguments "
              "of region 1, and the operands of the terminator of region 1 are "
              "the next arguments of region 0"},
    {"loop", "region 0 is a condition without results, region 1 is the body: "
             "the arguments of both are the operands, then the operands of the "
             "terminator of region 1, whose final values are the results"},
    {"alloc", "result 0 is a newly allocated memref"},
    {"dealloc", "frees the memory of operand 0, a memref"},
    {"view", "memref results are views of operand 0, whose contents are "
             "neither read nor written"},
    {"global", "result 0 is the memory of the global named by an attribute"},
};

static const row_t keys[] = {
    {"inplace = array<i64: ...>",
     "result 0 may overwrite these operands, element by element in the same "
     "order; `\"all\"`: any operand; `\"map\"`: operands with the same "
     "indexing map as the result, if it names every loop"},
    {"destination = N",
     "result 0 is written to the memory of operand N; `\"trailing\"`: the "
     "results are written to the memory of the last operands, one each"},
    {"unread = array<i64: ...>", "these operands are used for their shapes "
                                 "only; their contents are not read"},
    {"writes = array<i64: ...>",
     "the op modifies these operands in place, visible to all later readers; "
     "destinations of results are not listed"},
    {"slice = {operand = N, begin = L, size = L, step = L, axes = L}",
     "result 0 is a box of operand N (default 0); `end`, exclusive, can "
     "replace `size`; by default the box has the size of the result"},
    {"insert = {operand = N, begin = L, size = L, step = L, axes = L}",
     "operand N becomes a box of result 0; the rest of the result is the "
     "destination operand"},
    {"concat = {axis = \"name\", first = N}",
     "result 0 is the concatenation of the tensor operands from N (default 0) "
     "on, along the axis in this attribute"},
    {"tuple", "result 0 is the tuple of the operands"},
    {"tuple_element = \"name\"",
     "result 0 is the element of operand 0 whose index is in this attribute"},
    {"stack", "an op of kind `alloc` allocates on the stack"},
    {"escapes", "the operands may escape: the op may publish their addresses "
                "or access them after its step"},
    {"unless = [N or \"name\", ...]",
     "the model does not apply to an op with a tensor for one of these "
     "operands, or with one of these attributes (except `false`); `\"all\"`: "
     "with a tensor for any operand"},
};

static void print_rows(const char *head, const row_t *rows, size_t count) {
  printf("\n| %s | meaning |\n| --- | --- |\n", head);
  for (size_t i = 0; i < count; ++i)
    printf("| `%s` | %s |\n", rows[i].name, rows[i].meaning);
}

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
                  model->inplace == UINT64_MAX ? "in place of any operand"
                                               : "in place of operand",
                  model->inplace);
  if (model->inplace_by_map)
    append(&summary, "in place by map");
  if (model->destination == GMEM_DESTINATION_TRAILING)
    append(&summary, "into its last operands");
  if (model->destination == GMEM_DESTINATION_OPERAND)
    append_operands(&summary, "into operand",
                    UINT64_C(1) << model->destination_operand);
  if (model->slice_operand != GMEM_NO_OPERAND)
    append_operands(&summary, "a slice of operand",
                    UINT64_C(1) << model->slice_operand);
  if (model->insert_operand != GMEM_NO_OPERAND)
    append_operands(&summary, "inserts operand",
                    UINT64_C(1) << model->insert_operand);
  if (model->concat)
    append(&summary, "concatenates");
  if (model->tuple)
    append(&summary, "makes a tuple");
  if (model->tuple_element)
    append(&summary, "an element of a tuple");
  append_operands(&summary, "does not read operand", model->unread);
  append_operands(&summary, "changes operand", model->writes);
  if (model->stack)
    append(&summary, "on the stack");
  if (model->escapes)
    append(&summary, "its operands escape");
  if (model->unless || model->unless_attributes)
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

static const char op_models_introduction[] =
    "The properties of ops that the passes use. For an op without a model the "
    "passes\n"
    "make the most conservative assumptions: it reads all its operands, writes "
    "results\n"
    "in memory of its own, and its regions are control flow. A model that "
    "omits a\n"
    "property costs memory; a model that states a wrong property leads to a "
    "wrong plan\n"
    "that no verification can detect, since verification relies on the "
    "models.\n\n"
    "The models are text, in `dialect/models/`; `gmem-opt "
    "--gmem-list-op-models` prints\n"
    "them. There are three ways to add models, of which a later one takes "
    "precedence:\n\n"
    "* a file, `gmem-plan{op-models=my.mlir}`, or from C `gmem_op_models_add`: "
    "the text\n"
    "  is stored in the `gmem.op_models` attribute of the module, so the "
    "planned file\n"
    "  can be verified without an option;\n"
    "* `gmem.op_models` on a module, from a frontend; the innermost one takes\n"
    "  precedence, and in it the text after the last line `// -----`;\n"
    "* `gmem.op_model` on an op: the same attributes as a dictionary, without "
    "`op`.\n\n"
    "An entry replaces the whole entry of that op with lower precedence.\n\n"
    "## An example\n\n"
    "`my.mlir` defines for a dialect that is unknown to gmem which op is a "
    "constant,\n"
    "which may overwrite its operand, and which extracts a part of a "
    "tensor:\n\n"
    "```mlir\n"
    "\"gmem.op_model\"() {op = \"my.table\", kind = \"weight\"} : () -> ()\n"
    "\"gmem.op_model\"() {op = \"my.scale\", inplace = array<i64: 0>} : () "
    "-> ()\n"
    "\"gmem.op_model\"() {op = \"my.rows\",\n"
    "  slice = {begin = \"first\", size = \"count\"}} : () -> ()\n"
    "```\n\n"
    "`network.mlir`, planned with `gmem-opt --allow-unregistered-dialect\n"
    "--gmem-plan=op-models=my.mlir network.mlir`:\n\n"
    "```mlir\n"
    "func.func @main(%x: tensor<64x16xf32>) -> tensor<8x16xf32> {\n"
    "  %w = \"my.table\"() : () -> tensor<64x16xf32>\n"
    "  %a = \"my.mix\"(%x, %w) : (tensor<64x16xf32>, tensor<64x16xf32>)\n"
    "    -> tensor<64x16xf32>\n"
    "  %b = \"my.scale\"(%a) : (tensor<64x16xf32>) -> tensor<64x16xf32>\n"
    "  %c = \"my.rows\"(%b) {first = [8, 0], count = [8, 16]}\n"
    "    : (tensor<64x16xf32>) -> tensor<8x16xf32>\n"
    "  return %c : tensor<8x16xf32>\n"
    "}\n"
    "```\n\n"
    "## Properties of a model\n\n"
    "`op` is the op's name, `kind` one of:\n";

static const char argument_models_introduction[] =
    "\nFunction arguments that are constants of the network, as in ttir, are "
    "placed in a\n"
    "constant pool if nothing calls the function. An argument model names an "
    "attribute\n"
    "of such arguments and a substring of its printed form:\n\n"
    "```mlir\n"
    "\"gmem.argument_model\"() {attribute = \"ttcore.argument_type\",\n"
    "  contains = \"parameter\", kind = \"weight\"} : () -> ()\n"
    "```\n\n"
    "## Known ops\n";

static void print_introduction(void) {
  fputs(op_models_introduction, stdout);
  print_rows("kind", kinds, sizeof kinds / sizeof *kinds);
  puts("\nN is the index of an operand, from 0; L is a list of integers: the "
       "name of an\n"
       "attribute, or the index of an operand that is a constant; a single "
       "integer is a\n"
       "list of one. Further attributes, all optional:");
  print_rows("attribute", keys, sizeof keys / sizeof *keys);
  fputs(argument_models_introduction, stdout);
}

static int print_op_models(void) {
  const gmem_op_models_t *models;
  gmem_diag_t diag;
  if (gmem_op_models_built_in(&models, &diag) != GMEM_OK) {
    fprintf(stderr, "gmem-docs: error: %s\n", diag.text);
    return EXIT_FAILED;
  }
  print_head("The op models", "op-models");
  print_introduction();
  for (size_t i = 0; i < models->count;)
    i = print_dialect(models, i);
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
    fputs("gmem-docs: error: <stdout>: cannot be written\n", stderr);
    code = EXIT_FAILED;
  }
  return code;
}
