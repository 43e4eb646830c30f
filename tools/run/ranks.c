// ranks.c - see ranks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs are made of the module, for one rank and for each of several,
// and written to a folder with their inputs: rank K has the K-th part of an
// argument along the axis that its program has shorter. gmem-run itself runs
// both, and their outputs are read from files. A sum over ranks adds in another
// order, so that floats may differ: of n terms, each sum is within (n - 1) u S
// of the exact one, where u is the unit roundoff and S the sum of the absolute
// terms (Higham, Accuracy and Stability of Numerical Algorithms, 4.2).

#include "ranks.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array_elements.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "npy.h"
#include "run_inputs.h"
#include "vocabulary.h"

enum { TEXT = 8192, PATH = 4096, WORDS = 4096 };

extern char **environ;

// One of the two programs.
typedef struct rank_program_s {
  MlirModule module; // planned
  gmem_signature_t signature;
  int64_t peak, bound; // bytes of the workspace
} rank_program_t;

typedef struct ranks_s {
  const gmem_run_options_t *options; // |own|
  gmem_run_options_t own;
  char *entry; // name of the function that runs
  char folder[PATH];
  rank_program_t whole, part;
  gmem_inputs_t inputs; // of |whole|
  // Constants of the module, which are the arguments from |first_constant| on.
  MlirAttribute *constants; // owned
  uint32_t constant_count, first_constant;
} ranks_t;

//===--- programs ---------------------------------------------------------===//

// Errors are seen by ferror.
static void print_into_file(MlirStringRef text, void *file) {
  (void)fwrite(text.data, 1, text.length, file);
}

static gmem_status_t write_module(const ranks_t *ranks, MlirModule module,
                                  const char *name) {
  char path[PATH + 64];
  snprintf(path, sizeof path, "%s/%s", ranks->folder, name);
  FILE *file = fopen(path, "w");
  if (!file)
    return gmem_tool_error("%s: cannot create the file", path);
  mlirOperationPrint(mlirModuleGetOperation(module), print_into_file, file);
  bool is_bad = ferror(file) != 0;
  is_bad |= fclose(file) != 0;
  return is_bad ? gmem_tool_error("%s: cannot write the file", path) : GMEM_OK;
}

// A number in the plan of |module|.
static int64_t figure_of(MlirModule module, const char *name) {
  MlirAttribute plan =
      gmem_op_annotation(mlirModuleGetOperation(module), GMEM_ATTR_PLAN);
  MlirAttribute figure =
      mlirAttributeIsNull(plan)
          ? plan
          : mlirDictionaryAttrGetElementByName(plan, gmem_string(name));
  return mlirAttributeIsNull(figure) ? 0 : mlirIntegerAttrGetValueInt(figure);
}

// Plans |program|, a copy of |module|, by |passes|.
static gmem_status_t make_program(const ranks_t *ranks, MlirModule module,
                                  const char *passes, const char *name,
                                  rank_program_t *program) {
  const gmem_run_program_options_t *options = &ranks->options->program;
  char text[TEXT];
  int length = snprintf(text, sizeof text, "%s{out-params=true %s}", passes,
                        options->plan_options);
  if (length >= TEXT)
    return gmem_tool_error("the options of the plan are too long");
  program->module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
  GMEM_TRY(gmem_module_run_passes(program->module, text));
  GMEM_TRY(gmem_signature_read(gmem_entry_find(program->module, options->entry),
                               &program->signature));
  program->peak = figure_of(program->module, "peak");
  program->bound = figure_of(program->module, "lower_bound");
  return write_module(ranks, program->module, name);
}

// Makes the grid of |module| as large as there are ranks.
static gmem_status_t set_grid(const ranks_t *ranks, MlirModule module) {
  int64_t count = ranks->options->program.ranks;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && !gmem_op_is(op, "shard.grid"))
    op = mlirOperationGetNextInBlock(op);
  MlirAttribute shape = mlirOperationIsNull(op)
                            ? mlirAttributeGetNull()
                            : gmem_op_attribute(op, "shape");
  if (!gmem_attribute_is(shape, mlirAttributeIsADenseI64Array))
    return gmem_tool_error("%s: the module has no shard.grid",
                           ranks->options->path);
  if (mlirDenseArrayGetNumElements(shape) != 1)
    return gmem_tool_error("%s: the grid has several axes, of which the parts "
                           "of an argument do not tell theirs",
                           ranks->options->path);
  mlirOperationSetAttributeByName(
      op, gmem_string("shape"),
      mlirDenseI64ArrayGet(mlirModuleGetContext(module), 1, &count));
  return GMEM_OK;
}

// Lists what gmem-constants-to-arguments takes, in its order.
static MlirWalkResult keep_constant(MlirOperation op, void *user) {
  ranks_t *ranks = user;
  MlirAttribute value = gmem_op_is(op, "arith.constant")
                            ? gmem_op_attribute(op, "value")
                            : mlirAttributeGetNull();
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAElements(value) ||
      (mlirAttributeIsADenseElements(value) &&
       mlirDenseElementsAttrIsSplat(value)))
    return MlirWalkResultAdvance;
  ranks->constants =
      gmem_need(realloc(ranks->constants, (ranks->constant_count + 1) *
                                              sizeof *ranks->constants));
  ranks->constants[ranks->constant_count++] = value;
  return MlirWalkResultAdvance;
}

// Weights that are constants become arguments, of which each rank has its part.
static gmem_status_t take_constants(ranks_t *ranks, MlirModule module) {
  MlirOperation entry = gmem_entry_find(module, ranks->entry);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
  if (mlirBlockIsNull(block))
    return GMEM_OK; // reported when it is to run
  ranks->first_constant = (uint32_t)mlirBlockGetNumArguments(block);
  mlirOperationWalk(entry, keep_constant, ranks, MlirWalkPostOrder);
  GMEM_TRY(gmem_module_run_passes(module, "gmem-constants-to-arguments"));
  uint32_t added =
      (uint32_t)mlirBlockGetNumArguments(block) - ranks->first_constant;
  return added == ranks->constant_count
             ? GMEM_OK
             : gmem_tool_error("@%s has constants that cannot be arguments, of "
                               "which each rank has its part",
                               ranks->entry);
}

static gmem_status_t make_programs(ranks_t *ranks, MlirContext context) {
  const gmem_run_options_t *options = ranks->options;
  MlirModule module = gmem_module_parse(context, options->path);
  if (mlirModuleIsNull(module))
    return GMEM_TOLD;
  gmem_status_t status =
      gmem_entry_choose(module, options->program.entry, &ranks->entry);
  ranks->own.program.entry = ranks->entry;
  if (status == GMEM_OK)
    status = set_grid(ranks, module);
  if (status == GMEM_OK)
    status = take_constants(ranks, module);
  if (status == GMEM_OK)
    status = make_program(ranks, module,
                          "gmem-remove-sharding,gmem-bufferize-and-plan",
                          "one.mlir", &ranks->whole);
  if (status == GMEM_OK)
    status = make_program(ranks, module, "gmem-shard-and-plan", "rank.mlir",
                          &ranks->part);
  mlirModuleDestroy(module);
  return status;
}

//===--- parts ------------------------------------------------------------===//

// Sets |*out_axis| to the axis along which each rank has a part, or to the rank
// of the array if each has all of it.
static gmem_status_t find_axis(const ranks_t *ranks, uint32_t number,
                               uint32_t *out_axis) {
  const gmem_array_t *whole = &ranks->whole.signature.arguments[number].type;
  const gmem_array_t *part = &ranks->part.signature.arguments[number].type;
  uint32_t differing = 0;
  *out_axis = whole->rank;
  bool is_split = whole->rank == part->rank;
  for (uint32_t i = 0; i < whole->rank && is_split; ++i) {
    if (whole->sizes[i] == part->sizes[i])
      continue;
    *out_axis = i;
    ++differing;
    is_split = part->sizes[i] > 0 &&
               whole->sizes[i] / part->sizes[i] ==
                   (int64_t)ranks->options->program.ranks &&
               whole->sizes[i] % part->sizes[i] == 0;
  }
  if (is_split && differing <= 1)
    return GMEM_OK;
  char all[256], own[256];
  gmem_array_type_text(whole, all, sizeof all);
  gmem_array_type_text(part, own, sizeof own);
  return gmem_tool_error("argument %" PRIu32 " is not split into %" PRIu32
                         " equal parts along one axis: it has type %s, and %s "
                         "on each rank",
                         number, ranks->options->program.ranks, all, own);
}

// The part of |whole|, an array of argument |number|, that |rank| has.
static gmem_status_t find_part(const ranks_t *ranks, uint32_t number,
                               uint32_t rank, const gmem_array_t *whole,
                               gmem_array_t *out) {
  uint32_t axis;
  GMEM_TRY(find_axis(ranks, number, &axis));
  *out = *whole;
  if (axis == whole->rank)
    return GMEM_OK;
  out->sizes[axis] /= ranks->options->program.ranks;
  out->first += (int64_t)rank * out->sizes[axis] * whole->strides[axis] *
                (int64_t)whole->element.size;
  return GMEM_OK;
}

static gmem_status_t write_array(const char *path, const gmem_array_t *array) {
  gmem_diag_t diag = {.text = ""};
  return gmem_tool_check(gmem_npy_write(path, array, &diag), &diag, "%s", path);
}

// Puts the contents of the constants into their arguments.
static gmem_status_t fill_constants(ranks_t *ranks) {
  for (uint32_t i = 0; i < ranks->constant_count; ++i) {
    uint32_t number = ranks->first_constant + i;
    const gmem_array_t *array = &ranks->inputs.at[number].array;
    MlirAttribute value = ranks->constants[i];
    MlirType element =
        mlirShapedTypeGetElementType(mlirAttributeGetType(value));
    bool is_packed =
        mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) % 8;
    int64_t count;
    if (!mlirAttributeIsADenseElements(value) || is_packed ||
        !gmem_array_count(array, &count))
      return gmem_tool_error("argument %" PRIu32
                             " is a constant whose contents cannot be read",
                             number);
    if (count > 0)
      memcpy(array->first, mlirDenseElementsAttrGetRawData(value),
             (size_t)count * array->element.size);
  }
  return GMEM_OK;
}

static gmem_status_t write_inputs(ranks_t *ranks) {
  const gmem_run_options_t *options = ranks->options;
  if (ranks->whole.signature.argument_count !=
          ranks->part.signature.argument_count ||
      ranks->whole.signature.result_count)
    return gmem_tool_error("the partition changes the arguments of @%s",
                           options->program.entry);
  GMEM_TRY(gmem_inputs_create(&ranks->whole.signature, &options->program,
                              options->seed, &ranks->inputs));
  GMEM_TRY(fill_constants(ranks));
  for (uint32_t i = 0; i < ranks->inputs.count; ++i) {
    const gmem_array_t *array = &ranks->inputs.at[i].array;
    char path[PATH + 64];
    if (!ranks->whole.signature.arguments[i].is_memref)
      return gmem_tool_error("argument %" PRIu32
                             " is a scalar: a network on several ranks takes "
                             "tensors",
                             i);
    snprintf(path, sizeof path, "%s/in%" PRIu32 ".npy", ranks->folder, i);
    GMEM_TRY(write_array(path, array));
    for (uint32_t rank = 0; rank < options->program.ranks; ++rank) {
      gmem_array_t part;
      GMEM_TRY(find_part(ranks, i, rank, array, &part));
      snprintf(path, sizeof path, "%s/in%" PRIu32 ".%" PRIu32 ".npy",
               ranks->folder, i, rank);
      GMEM_TRY(write_array(path, &part));
    }
  }
  return GMEM_OK;
}

//===--- running ----------------------------------------------------------===//

// A command line. The words are owned.
typedef struct command_s {
  char *words[WORDS + 1];
  uint32_t count;
} command_t;

GMEM_PRINTF(2, 3)
static void add_word(command_t *command, const char *format, ...) {
  va_list arguments;
  char text[PATH + 256];
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (command->count < WORDS)
    command->words[command->count++] = gmem_need(strdup(text));
}

// Runs the command, silent or not, and waits for it.
static gmem_status_t run(command_t *command, bool is_silent, const char *what) {
  pid_t child;
  int status = 0;
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (!error && is_silent)
    error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
                                             "/dev/null", O_WRONLY, 0);
  if (!error)
    error = posix_spawnp(&child, command->words[0], &actions, NULL,
                         command->words, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  gmem_status_t result = GMEM_OK;
  if (error)
    result = gmem_tool_error("cannot run %s: %s", command->words[0],
                             strerror(error));
  else if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
           WEXITSTATUS(status) != 0)
    result = gmem_tool_error("%s failed", what);
  for (uint32_t i = 0; i < command->count; ++i)
    free(command->words[i]);
  return result;
}

// gmem-run on |program| of the folder; |part| is what names the inputs of a
// rank.
static void add_run(const ranks_t *ranks, command_t *command,
                    const char *program, const char *part) {
  const gmem_run_program_options_t *options = &ranks->options->program;
  char self[PATH];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  add_word(command, "%s", self);
  add_word(command, "%s/%s.mlir", ranks->folder, program);
  add_word(command, "--entry=%s", options->entry);
  add_word(command, "--opt-level=%" PRIu32, options->level);
  for (uint32_t i = 0; i < ranks->inputs.count; ++i)
    add_word(command, "--input=%" PRIu32 "=%s/in%" PRIu32 "%s.npy", i,
             ranks->folder, i, part);
  add_word(command, "--save=%s/%s%s.", ranks->folder, program, part);
}

static gmem_status_t run_programs(const ranks_t *ranks) {
  const gmem_run_options_t *options = ranks->options;
  command_t one = {.count = 0}, all = {.count = 0};
  fflush(stdout);
  add_run(ranks, &one, "one", "");
  GMEM_TRY(run(&one, true, "the program of one rank"));
  add_word(&all, "%s", options->program.mpiexec);
  add_word(&all, "-n");
  add_word(&all, "%" PRIu32, options->program.ranks);
  add_run(ranks, &all, "rank", ".%r");
  add_word(&all, "--mpi=%s",
           options->program.mpi ? options->program.mpi : "auto");
  add_word(&all, "--repeats=%" PRIu32,
           options->program.repeats ? options->program.repeats : 5);
  if (options->program.compare)
    add_word(&all, "--compare");
  if (options->quiet)
    add_word(&all, "--quiet");
  if (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)
    add_word(&all, "--check=broken-plan");
  return run(&all, false, "the program on several ranks");
}

//===--- comparing --------------------------------------------------------===//

// The largest difference of two elements, and the largest absolute value.
typedef struct difference_s {
  double most, scale;
  bool is_equal; // all bits
} difference_t;

static void compare_arrays(const gmem_array_t *a, const gmem_array_t *b,
                           difference_t *difference) {
  gmem_array_rows_t rows = gmem_array_rows(a, b);
  uint32_t size = a->element.size;
  while (gmem_array_next_row(&rows))
    for (int64_t i = 0; i < rows.count; ++i) {
      const uint8_t *x = rows.at[0] + i * size, *y = rows.at[1] + i * size;
      difference->is_equal &= memcmp(x, y, size) == 0;
      if (!gmem_element_is_float(&a->element))
        continue;
      double left = gmem_element_get_float(&a->element, x);
      double right = gmem_element_get_float(&a->element, y);
      double gap = fabs(left - right);
      // A NaN on one side only differs by more than any number.
      if (isnan(left) != isnan(right))
        gap = INFINITY;
      if (gap > difference->most)
        difference->most = gap;
      if (fabs(left) > difference->scale)
        difference->scale = fabs(left);
    }
}

static gmem_status_t compare_part(const ranks_t *ranks, uint32_t number,
                                  uint32_t rank, const gmem_array_t *whole,
                                  difference_t *difference) {
  char path[PATH + 64];
  gmem_array_t expected, found;
  gmem_diag_t diag = {.text = ""};
  void *data;
  GMEM_TRY(find_part(ranks, number, rank, whole, &expected));
  snprintf(path, sizeof path, "%s/rank.%" PRIu32 ".argument%" PRIu32 ".npy",
           ranks->folder, rank, number);
  GMEM_TRY(gmem_tool_check(gmem_npy_read(path, &found, &data, &diag), &diag,
                           "argument %" PRIu32 " of rank %" PRIu32, number,
                           rank));
  compare_arrays(&expected, &found, difference);
  free(data);
  return GMEM_OK;
}

static gmem_status_t compare_argument(const ranks_t *ranks, uint32_t number,
                                      const gmem_array_t *whole) {
  difference_t difference = {.is_equal = true};
  char type[256];
  gmem_array_type_text(whole, type, sizeof type);
  for (uint32_t rank = 0; rank < ranks->options->program.ranks; ++rank)
    GMEM_TRY(compare_part(ranks, number, rank, whole, &difference));
  if (difference.is_equal)
    printf("argument %" PRIu32 ": %s, equal on one rank and %" PRIu32 "\n",
           number, type, ranks->options->program.ranks);
  else
    printf("argument %" PRIu32
           ": %s, differs by at most %.3g, of values up to %.3g\n",
           number, type, difference.most, difference.scale);
  bool is_close =
      difference.is_equal ||
      (gmem_element_is_float(&whole->element) &&
       difference.most <= ranks->options->program.tolerance * difference.scale);
  return is_close ? GMEM_OK
                  : gmem_tool_error("argument %" PRIu32 ": %" PRIu32
                                    " ranks compute something else than one",
                                    number, ranks->options->program.ranks);
}

// What the program of one rank has written must be what the ranks have.
static gmem_status_t compare(const ranks_t *ranks) {
  uint32_t compared = 0;
  for (uint32_t i = 0; i < ranks->inputs.count; ++i) {
    char path[PATH + 64];
    gmem_array_t whole;
    gmem_diag_t diag = {.text = ""};
    void *data;
    snprintf(path, sizeof path, "%s/one.argument%" PRIu32 ".npy", ranks->folder,
             i);
    if (access(path, F_OK) != 0)
      continue; // it is an input only
    GMEM_TRY(gmem_tool_check(gmem_npy_read(path, &whole, &data, &diag), &diag,
                             "%s", path));
    gmem_status_t status = compare_argument(ranks, i, &whole);
    free(data);
    GMEM_TRY(status);
    ++compared;
  }
  return compared ? GMEM_OK
                  : gmem_tool_error("the program writes no argument: there is "
                                    "nothing to compare");
}

//===--- the run ----------------------------------------------------------===//

static gmem_status_t make_folder(ranks_t *ranks) {
  const char *parent = getenv("TMPDIR");
  int length = snprintf(ranks->folder, sizeof ranks->folder,
                        "%s/gmem-ranks-XXXXXX", parent ? parent : "/tmp");
  if (length >= (int)sizeof ranks->folder || !mkdtemp(ranks->folder)) {
    ranks->folder[0] = '\0';
    return gmem_tool_error("cannot create a temporary folder in %s",
                           parent ? parent : "/tmp");
  }
  return GMEM_OK;
}

static void remove_folder(const ranks_t *ranks) {
  DIR *folder = ranks->folder[0] ? opendir(ranks->folder) : NULL;
  char path[2 * PATH];
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    snprintf(path, sizeof path, "%s/%s", ranks->folder, entry->d_name);
    (void)unlink(path);
  }
  if (folder)
    closedir(folder);
  if (ranks->folder[0])
    (void)rmdir(ranks->folder);
}

static gmem_status_t run_all(ranks_t *ranks, MlirContext context) {
  uint32_t count = ranks->options->program.ranks;
  GMEM_TRY(make_folder(ranks));
  GMEM_TRY(make_programs(ranks, context));
  GMEM_TRY(write_inputs(ranks));
  printf("workspace of one rank: %" PRId64 " bytes (lower bound %" PRId64
         "); of each of %" PRIu32 ": %" PRId64 " (lower bound %" PRId64 ")\n",
         ranks->whole.peak, ranks->whole.bound, count, ranks->part.peak,
         ranks->part.bound);
  GMEM_TRY(run_programs(ranks));
  return compare(ranks);
}

static void destroy_program(rank_program_t *program) {
  gmem_signature_destroy(&program->signature);
  if (!mlirModuleIsNull(program->module))
    mlirModuleDestroy(program->module);
}

gmem_status_t gmem_run_ranks(const gmem_run_options_t *options) {
  ranks_t ranks = {.own = *options};
  ranks.options = &ranks.own;
  mlirRegisterAllPasses();
  gmem_register_passes();
  MlirContext context = gmem_context_create();
  gmem_status_t status = run_all(&ranks, context);
  gmem_inputs_destroy(&ranks.inputs);
  destroy_program(&ranks.whole);
  destroy_program(&ranks.part);
  mlirContextDestroy(context);
  remove_folder(&ranks);
  free(ranks.constants);
  free(ranks.entry);
  return status;
}
