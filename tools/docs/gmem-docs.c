// gmem-docs.c - prints those documents that are made from tables of the source:
// gmem-docs attributes|passes|op-models. For the project's own use: a test
// compares docs/ with what this prints.
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

typedef struct row_s {
  const char *name;
  const char *meaning;
} row_t;

static const row_t kinds[] = {
    {"compute", "reads its operands, writes its results (if nothing is said)"},
    {"weight", "every result is a constant and goes to a constant pool"},
    {"input", "the operands are host memory, the results network inputs"},
    {"reshape", "result 0 is operand 0 under another shape: the same bytes"},
    {"empty", "the contents of the results do not matter: they need memory "
              "only where an op reads them"},
    {"none", "the results never need memory"},
    {"layer_group",
     "the regions compute in local memory: only the operands, captured values "
     "and results of the op are global"},
    {"scalar_body", "the regions are element-wise code of the op: their values "
                    "live in registers"},
    {"parallel", "the regions run several times at once: nothing inside has "
                 "one address, so it is not planned"},
    {"branch",
     "at most one of the regions runs, once: what its terminator is given are "
     "the results; arguments of the regions are the last operands"},
    {"for",
     "the region runs any number of times: its last arguments, one per result, "
     "are first the last operands, then what the terminator was given, and at "
     "last the results"},
    {"while",
     "region 0 takes the operands; what its terminator is given behind the "
     "condition are the results, or the arguments of region 1, whose "
     "terminator is given the next of region 0"},
    {"loop",
     "region 0 is a condition and hands nothing on, region 1 is the body: both "
     "take the operands, then what the terminator of region 1 was given, which "
     "are the results at last"},
    {"alloc", "result 0 is a memref of new memory"},
    {"dealloc", "the memory of operand 0, a memref, is freed"},
    {"view", "results that are memrefs show operand 0, whose contents are "
             "neither read nor written"},
    {"global", "result 0 is the memory of a global that an attribute names"},
};

static const row_t keys[] = {
    {"inplace = array<i64: ...>",
     "result 0 may be written over these operands, element by element in the "
     "same order; `\"all\"`: over any; `\"map\"`: over those whose indexing "
     "map is that of the result, where it names every loop"},
    {"destination = N",
     "result 0 is written into the memory of operand N; `\"trailing\"`: the "
     "results into that of the last operands, one each"},
    {"unread = array<i64: ...>",
     "the contents of these operands do not matter, only their shapes do"},
    {"writes = array<i64: ...>",
     "the op changes the contents of these operands where they are, for all "
     "who read them later; not those that are the destination of a result"},
    {"slice = {operand = N, begin = L, size = L, step = L, axes = L}",
     "result 0 is a box of operand N (0 if not said); `end`, exclusive, may "
     "stand in place of `size`; with neither it is as large as the result"},
    {"insert = {operand = N, begin = L, size = L, step = L, axes = L}",
     "operand N becomes a box of result 0, the rest of which is the "
     "destination operand"},
    {"concat = {axis = \"name\", first = N}",
     "result 0 is the tensors among the operands from N (0) on, one behind the "
     "other along the axis in this attribute"},
    {"tuple", "result 0 is the tuple of the operands"},
    {"tuple_element = \"name\"",
     "result 0 is the element of operand 0 with the number in this attribute"},
    {"stack", "what an op of kind `alloc` makes is on the stack"},
    {"escapes", "what the op takes may be kept where nobody sees it: its "
                "address is told, or the op goes on after its step"},
    {"unless = [N or \"name\", ...]",
     "the model does not hold of an op with a tensor for one of these "
     "operands, or with one of these attributes (but for `false`); `\"all\"`: "
     "with a tensor for any operand"},
};

static void print_rows(const char *head, const row_t *rows, size_t count) {
  printf("\n| %s | meaning |\n| --- | --- |\n", head);
  for (size_t i = 0; i < count; ++i)
    printf("| `%s` | %s |\n", rows[i].name, rows[i].meaning);
}

// What a model says, in a few words; models that say the same get the same.
typedef struct words_s {
  char text[256];
  size_t length;
} words_t;

static void say(words_t *words, const char *text) {
  int written =
      snprintf(words->text + words->length, sizeof words->text - words->length,
               "%s%s", words->length ? ", " : "", text);
  size_t room = sizeof words->text - 1 - words->length;
  words->length += (size_t)written < room ? (size_t)written : room;
}

static void say_operands(words_t *words, const char *text, uint64_t operands) {
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
    say(words, list);
}

static words_t describe(const gmem_op_model_t *model) {
  words_t words = {"", 0};
  if (model->kind != GMEM_OP_COMPUTE)
    say(&words, gmem_op_kind_name(model->kind));
  say_operands(&words,
               model->inplace == UINT64_MAX ? "in place of any operand"
                                            : "in place of operand",
               model->inplace);
  if (model->inplace_by_map)
    say(&words, "in place by map");
  if (model->destination == GMEM_DESTINATION_TRAILING)
    say(&words, "into its last operands");
  if (model->destination == GMEM_DESTINATION_OPERAND)
    say_operands(&words, "into operand",
                 UINT64_C(1) << model->destination_operand);
  if (model->slice_operand != GMEM_NO_OPERAND)
    say_operands(&words, "a slice of operand",
                 UINT64_C(1) << model->slice_operand);
  if (model->insert_operand != GMEM_NO_OPERAND)
    say_operands(&words, "inserts operand",
                 UINT64_C(1) << model->insert_operand);
  if (model->concat)
    say(&words, "concatenates");
  if (model->tuple)
    say(&words, "makes a tuple");
  if (model->tuple_element)
    say(&words, "an element of a tuple");
  say_operands(&words, "does not read operand", model->unread);
  say_operands(&words, "changes operand", model->writes);
  if (model->stack)
    say(&words, "on the stack");
  if (model->escapes)
    say(&words, "keeps what it takes");
  if (model->unless || model->unless_attributes)
    say(&words, "under conditions");
  return words;
}

static bool is_first_of_its_words(const gmem_op_models_t *models, size_t first,
                                  size_t index, const words_t *words) {
  for (size_t i = first; i < index; ++i) {
    words_t others = describe(&models->models[i]);
    if (strcmp(others.text, words->text) == 0)
      return false;
  }
  return true;
}

static void print_ops(const gmem_op_models_t *models, size_t first, size_t end,
                      const words_t *words) {
  printf("* %s:", words->text);
  const char *separator = "";
  for (size_t i = first; i < end; ++i) {
    words_t others = describe(&models->models[i]);
    if (strcmp(others.text, words->text) != 0)
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

// The models of the dialect of models[first], those that say the same together;
// they are sorted, so those of a dialect stand together. Returns the index
// after them.
static size_t print_dialect(const gmem_op_models_t *models, size_t first) {
  const char *any = models->models[first].op;
  size_t end = first;
  while (end < models->count && is_of_dialect(models->models[end].op, any))
    ++end;
  printf("\n### %.*s\n\n", (int)dialect_length(any), any);
  for (size_t i = first; i < end; ++i) {
    words_t words = describe(&models->models[i]);
    if (is_first_of_its_words(models, first, i, &words))
      print_ops(models, first, end, &words);
  }
  return end;
}

static const char op_models_introduction[] =
    "What the passes know of ops. An op that is not listed is the most "
    "careful thing:\nit reads all its operands and writes results of its "
    "own; its regions are control\nflow. A model that says less than is true "
    "costs memory; one that says more than\nis true makes a wrong plan that "
    "no proof can find, because the proof rests on it.\n\n"
    "The models are text, in `dialect/models/`, and `gmem-opt "
    "--gmem-list-op-models`\nprints them. There are three ways to say more, "
    "of which a later one wins:\n\n"
    "* a file, `gmem-plan{op-models=my.mlir}`, or from C "
    "`gmem_op_models_add`: the text\n  goes into the `gmem.op_models` "
    "attribute of the module, so the planned file\n  needs no option to be "
    "verified;\n"
    "* `gmem.op_models` on a module, from a frontend; the nearest one wins, "
    "and in it\n  what stands behind the last line `// -----`;\n"
    "* `gmem.op_model` on an op: the same attributes as a dictionary, "
    "without `op`.\n\n"
    "An entry takes the place of the whole entry of that op further out.\n\n"
    "## An example\n\n"
    "`my.mlir` says of a dialect that no one has heard of which op is a "
    "constant, which\nmay be written over its operand, and which takes a "
    "part of a tensor:\n\n"
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
    "## What a model says\n\n"
    "`op` is the op's name, `kind` one of:\n";

static const char argument_models_introduction[] =
    "\nFunction arguments that are constants of the network, as they are in "
    "ttir, go to\na constant pool, when nothing calls the function. An "
    "argument model names an\nattribute of theirs and a text that MLIR "
    "prints somewhere in it:\n\n"
    "```mlir\n"
    "\"gmem.argument_model\"() {attribute = \"ttcore.argument_type\",\n"
    "  contains = \"parameter\", kind = \"weight\"} : () -> ()\n"
    "```\n\n"
    "## Known ops\n";

static void print_introduction(void) {
  fputs(op_models_introduction, stdout);
  print_rows("kind", kinds, sizeof kinds / sizeof *kinds);
  puts("\nN is the number of an operand, from 0; L a list of integers: the "
       "name of an\nattribute, or the number of an operand that is a constant; "
       "a single integer is a\nlist of one. Further attributes, all optional:");
  print_rows("attribute", keys, sizeof keys / sizeof *keys);
  fputs(argument_models_introduction, stdout);
}

static int print_op_models(void) {
  gmem_bump_t arena;
  gmem_op_models_t models;
  gmem_diag_t diag;
  gmem_bump_init(&arena, NULL);
  if (gmem_op_models_load(&arena, &models, &diag) != GMEM_OK) {
    fprintf(stderr, "gmem-docs: error: %s\n", diag.text);
    gmem_bump_destroy(&arena);
    return EXIT_FAILED;
  }
  print_head("The op models", "op-models");
  print_introduction();
  for (size_t i = 0; i < models.count;)
    i = print_dialect(&models, i);
  gmem_bump_destroy(&arena);
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
