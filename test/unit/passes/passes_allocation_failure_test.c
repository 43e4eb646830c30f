// passes_allocation_failure_test.c - allocations of the passes fail, from every
// place that makes any: the status says so, nothing leaks, the program is as it
// was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: long_tests
// RUN: %unit/passes_allocation_failure_test %t.mlir %failures

#include <stdio.h>

#include "call_sites.h"
#include "check.h"
#include "failing_heap.h"
#include "gmem/planned_image.h"
#include "passes_program.h"

// The head and the tail of each function that the program repeats, with enough
// in it to need several blocks of memory.
static const char head[] =
    "\"my.func\"() ({\n"
    "^bb0(%x: tensor<64xf32>):\n"
    "  %w = \"npu.weight\"() : () -> tensor<64xf32>\n"
    "  %r = \"npu.reshape\"(%x) : (tensor<64xf32>) -> tensor<8x8xf32>\n";
static const char step[] =
    "  %a# = \"my.op\"(%x, %w) : (tensor<64xf32>, tensor<64xf32>)"
    " -> tensor<64xf32> loc(\"a rather long name, so that there is much of "
    "it #\")\n";
static const char call[] =
    "  %c = \"my.call\"(%x) {callee = @f#} : (tensor<64xf32>)"
    " -> tensor<64xf32>\n"
    "  %d = \"tosa.exp\"(%c) : (tensor<64xf32>) -> tensor<64xf32>\n"
    "  \"my.jump\"(%d)[^bb1] : (tensor<64xf32>) -> ()\n"
    "^bb1(%y: tensor<64xf32>):\n"
    "  \"my.return\"(%y) : (tensor<64xf32>) -> ()\n"
    "}) {sym_name = \"f#\", function_type = (tensor<64xf32>)"
    " -> tensor<64xf32>} : () -> ()\n";

enum { FUNCTIONS = 3, STEPS = 30 };

// Appends |text| with |number| for each '#', |next| for the first of all when
// it is not negative.
static void append_numbered(program_text_t *program, const char *text,
                            int number, int next) {
  char digits[16];
  for (; *text; ++text) {
    if (*text != '#') {
      program_append(mlirStringRefCreate(text, 1), program);
      continue;
    }
    int shown = next >= 0 ? next : number;
    next = -1;
    size_t length = 0;
    for (int left = shown; left || !length; left /= 10)
      digits[length++] = (char)('0' + left % 10);
    while (length)
      program_append(mlirStringRefCreate(&digits[--length], 1), program);
  }
}

// Functions, each of which calls the next; the last calls itself.
static char *make_program(void) {
  program_text_t text = {NULL, 0};
  for (int f = 0; f < FUNCTIONS; ++f) {
    append_numbered(&text, head, f, -1);
    for (int i = 0; i < STEPS; ++i)
      append_numbered(&text, step, i, -1);
    append_numbered(&text, call, f, f + 1 < FUNCTIONS ? f + 1 : f);
  }
  return text.bytes;
}

//===--- the program without gmem's attributes ----------------------------===//

static bool is_ours(MlirStringRef name) {
  return name.length > 5 && memcmp(name.data, "gmem.", 5) == 0;
}

static MlirWalkResult strip(MlirOperation op, void *user) {
  (void)user;
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (is_ours(name))
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
  // What the program itself says of arguments is nothing.
  mlirOperationRemoveAttributeByName(op, ref("arg_attrs"));
  return MlirWalkResultAdvance;
}

static char *print_stripped(MlirOperation top) {
  MlirOperation copy = mlirOperationClone(top);
  mlirOperationWalk(copy, strip, NULL, MlirWalkPreOrder);
  char *text = program_print(copy);
  mlirOperationDestroy(copy);
  return text;
}

//===--- what is tried ----------------------------------------------------===//

typedef gmem_status_t (*attempt_fn)(MlirOperation top,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag);

// What the planner allocates on its long ways is for a test of its own
// (planner_allocation_failure_test.c).
static void quick(gmem_plan_options_t *options) {
  gmem_plan_options_init(options);
  options->effort = GMEM_EFFORT_FAST;
}

static gmem_status_t plan(MlirOperation top, const gmem_allocator_t *allocator,
                          gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  return gmem_plan_module(top, &options, allocator, diag);
}

static gmem_status_t plan_and_certify(MlirOperation top,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  options.certify = true;
  return gmem_plan_module(top, &options, allocator, diag);
}

// A model file of every kind of entry; its text goes into the IR on the way.
static const char *models_path;
static const char models_text[] =
    "\"gmem.op_model\"() {op = \"my.op\", inplace = array<i64: 0>,\n"
    "  unless = [3, \"do_relu\"]} : () -> ()\n"
    "\"gmem.op_model\"() {op = \"my.slice\",\n"
    "  slice = {begin = \"first\", size = \"count\"}} : () -> ()\n"
    "// -----\n"
    "\"gmem.op_model\"() {op = \"my.concat\", concat = {axis = \"axis\"}}\n"
    "  : () -> ()\n"
    "\"gmem.argument_model\"() {attribute = \"my.role\",\n"
    "  contains = \"constant\", kind = \"weight\"} : () -> ()\n"
    "\"gmem.op_model\"() {op = \"my.table\", kind = \"weight\"} : () -> ()\n"
    "\"gmem.op_name\"() {op = \"my.call\", attribute = \"kernel\"} : () -> ()\n"
    "\"gmem.pure_ops\"() {ops = [\"my.turn\", \"my.widen\"]} : () -> ()\n";

static bool write_models(void) {
  FILE *file = fopen(models_path, "w");
  bool is_written = file && fputs(models_text, file) >= 0;
  return file && fclose(file) == 0 && is_written;
}

static gmem_status_t plan_with_models(MlirOperation top,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  snprintf(options.op_models, sizeof options.op_models, "%s", models_path);
  return gmem_plan_module(top, &options, allocator, diag);
}

// What the world outside can ask for: pools of inputs and outputs, results in
// the memory of arguments, fixed places, bounds, equal weights, other pools,
// paddings.
// Memrefs are in passes_memref_failure_test.c.
static const char asking[] =
    "func.func @f(%a: tensor<8xf32> {gmem.padding = array<i64: 8, 8>}, %b: "
    "tensor<8xf32> {gmem.fixed = 0 : i64},"
    " %c: tensor<?x4xf32> {gmem.upper_bound = array<i64: 8, 4>})"
    " -> (tensor<8xf32> {gmem.same_as = 0 : i64}, tuple<tensor<8xf32>>) {\n"
    "  %v = \"npu.weight\"() {value = dense<1> : tensor<4xi8>}"
    " : () -> tensor<4xi8>\n"
    "  %w = \"npu.weight\"() {value = dense<1> : tensor<4xi8>}"
    " : () -> tensor<4xi8>\n"
    "  %u = \"npu.weight\"() {gmem.pools = [\"flash\"]} : () -> tensor<4xi8>\n"
    "  %0 = \"my.op\"(%a, %b, %u, %v, %w) {gmem.op_model = {inplace ="
    " array<i64: 0>}} : (tensor<8xf32>, tensor<8xf32>, tensor<4xi8>,"
    " tensor<4xi8>, tensor<4xi8>) -> tensor<8xf32>\n"
    "  %1 = \"my.op\"(%c) {gmem.padding = [array<i64: 64, 0>],"
    " gmem.workbuffers = [{size = 8, threads = 2}, {size = 0},"
    " {size = 8, kind = \"immutable\", pools = [\"flash\"]}]}"
    " : (tensor<?x4xf32>) -> tuple<tensor<8xf32>>\n"
    "  return %0, %1 : tensor<8xf32>, tuple<tensor<8xf32>>\n"
    "}\n";

// Ops in streams: in a loop, in calls of two kinds, in a flat layer group, with
// workbuffers, and so that some of it has no place.
static const char streaming[] =
    "func.func @main(%n: index) {\n"
    "  \"my.loop\"() ({\n"
    "    %0 = \"my.op\"() {gmem.stream = 1 : i64} : () -> tensor<8xf32>\n"
    "    %1 = \"my.op\"(%0) {gmem.stream = 1 : i64, gmem.wait = array<i64: 2>}"
    " : (tensor<8xf32>) -> tensor<8xf32>\n"
    "    %2 = \"my.op\"() : () -> tensor<8xf32>\n"
    "    \"my.op\"(%2) {gmem.stream = 2 : i64} : (tensor<8xf32>) -> ()\n"
    "    \"my.op\"() : () -> ()\n"
    "  }) : () -> ()\n"
    "  call @g() : () -> ()\n"
    "  call @h() {gmem.stream = 3 : i64} : () -> ()\n"
    "  %m = \"memref.alloc\"() : () -> memref<8xf32>\n"
    "  \"my.op\"(%m) {gmem.stream = 4 : i64, gmem.workbuffers ="
    " [{size = 64 : i64}]} : (memref<8xf32>) -> ()\n"
    "  %3 = \"my.op\"() {gmem.layer_group = 1 : i64} : () -> tensor<8xf32>\n"
    "  \"my.op\"(%3) : (tensor<8xf32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func private @g() {\n"
    "  %0 = \"my.op\"() {gmem.stream = 1 : i64} : () -> tensor<8xf32>\n"
    "  \"my.op\"(%0) {gmem.stream = 1 : i64} : (tensor<8xf32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func private @h() {\n"
    "  %0 = \"my.op\"() : () -> tensor<8xf32>\n"
    "  return\n"
    "}\n";

static gmem_status_t plan_what_is_asked(MlirOperation top,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  options.weight_order = GMEM_WEIGHTS_BY_FIRST_USE;
  options.model.io = GMEM_IO_TAGGED;
  options.model.sharing = 0;
  options.model.share_weights = true;
  return gmem_plan_module(top, &options, allocator, diag);
}

// Memories of the machine: hints and limits that are too small for all, targets
// that do not reach all of them, and constants in two of them.
static const char described[] =
    "module attributes {gmem.target = \"c\", gmem.memories = ["
    "{name = \"dtcm\", size = 64 : i64, targets = [\"c\"]},"
    "{name = \"sram\", targets = [\"c\", \"accel\"]},"
    "{name = \"itcm\", kind = \"constant\", capacity = 8192 : i64, base = 0 : "
    "i64,"
    " size = 4096 : i64, targets = [\"c\"]},"
    "{name = \"flash\", kind = \"constant\", after = \"itcm\"}]} {\n"
    "func.func @f(%a: tensor<64xi8>) -> tensor<64xi8> {\n"
    "  %u = \"npu.weight\"() : () -> tensor<64xi8>\n"
    "  %v = \"npu.weight\"() {gmem.pools = [\"flash\", \"itcm\"]}"
    " : () -> tensor<64xi8>\n"
    "  %w = \"npu.weight\"() : () -> tensor<64xi8>\n"
    "  %0 = \"my.op\"(%a, %u, %v) {gmem.workbuffers ="
    " [{size = 64 : i64}, {size = 64 : i64, kind = \"immutable\"}]}"
    " : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>\n"
    "  %1 = \"my.op\"(%0, %w) {gmem.target = \"accel\"}"
    " : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>\n"
    "  return %1 : tensor<64xi8>\n"
    "}\n"
    "}\n";

// Parts of tensors along an inner axis, of ops that take strides.
static const char strided[] =
    "func.func @f(%a: tensor<4x8xi8>) -> tensor<4x8xi8> {\n"
    "  %0 = \"my.op\"(%a) {gmem.op_model = {strided_results = array<i64: 0>}}"
    " : (tensor<4x8xi8>) -> tensor<4x64xi8>\n"
    "  %1 = \"my.op\"(%a) {gmem.op_model = {strided_results = array<i64: 0>}}"
    " : (tensor<4x8xi8>) -> tensor<4x64xi8>\n"
    "  %2 = \"my.join\"(%0, %1) {axis = 1 : i64, gmem.op_model = {concat ="
    " {axis = \"axis\"}}} : (tensor<4x64xi8>, tensor<4x64xi8>)"
    " -> tensor<4x128xi8>\n"
    "  %3 = \"my.cut\"(%2) {begin = array<i64: 0, 64>, gmem.op_model = {slice ="
    " {begin = \"begin\"}}} : (tensor<4x128xi8>) -> tensor<4x32xi8>\n"
    "  %4 = \"my.op\"(%3) {gmem.op_model = {strided_operands = array<i64: 0>}}"
    " : (tensor<4x32xi8>) -> tensor<4x8xi8>\n"
    "  return %4 : tensor<4x8xi8>\n"
    "}\n";

// Values of which a part is valid.
static const char regions[] =
    "func.func @f(%a: tensor<8x8xi8> {gmem.valid_region = {begin = array<i64:"
    " 0, 1>, end = array<i64: 8, 8>}}) -> tensor<8x4xi8> {\n"
    "  %0 = \"my.blur\"(%a) {k = array<i64: 3, 3>, gmem.op_model ="
    " {valid_region = {kernel = \"k\", step = array<i64: 1, 1>}}}"
    " : (tensor<8x8xi8>) -> tensor<8x8xi8>\n"
    "  %1 = \"my.cut\"(%0) {begin = array<i64: 0, 4>, gmem.op_model = {slice ="
    " {begin = \"begin\"}}} : (tensor<8x8xi8>) -> tensor<8x4xi8>\n"
    "  %2 = \"my.turn\"(%1) {gmem.op_model = {permutation = array<i64: 1, 0>}}"
    " : (tensor<8x4xi8>) -> tensor<4x8xi8>\n"
    "  return %1 : tensor<8x4xi8>\n"
    "}\n";

// Memories of the machine, from the program and from an option, targets,
// wishes.
static const char machine[] =
    "module attributes {gmem.target = \"cpu\"} {\n"
    "func.func @f(%a: tensor<8xf32> {gmem.pools = [\"far\", \"last\"]})"
    " -> tensor<8xf32> {\n"
    "  %0 = \"my.op\"(%a) {gmem.target = \"npu\", gmem.pools = [[\"far\"]]}"
    " : (tensor<8xf32>) -> tensor<8xf32>\n"
    "  %1 = func.call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>\n"
    "  return %1 : tensor<8xf32>\n"
    "}\n"
    "func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
    "  %0 = \"my.op\"(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
    "  return %0 : tensor<8xf32>\n"
    "}\n"
    "}\n";

static gmem_status_t plan_for_machine(MlirOperation top,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  options.model.sharing = 0;
  CHECK(gmem_plan_options_set(&options, "pools",
                              "near:targets=cpu,size=16,speed=2,spaces=2;"
                              "far:base=0x10000,capacity=1M;last:after=far",
                              NULL) == GMEM_OK);
  return gmem_plan_module(top, &options, allocator, diag);
}

static gmem_status_t describe_image(const gmem_planned_t *planned,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  const gmem_planned_image_options_t options = {
      .struct_size = sizeof options, .weights = GMEM_IMAGE_WEIGHTS_KNOWN};
  gmem_planned_image_t *image = (gmem_planned_image_t *)diag; // must be set
  gmem_status_t status =
      gmem_planned_image_create(planned, &options, allocator, &image, diag);
  CHECK((status == GMEM_OK) == (image != NULL));
  gmem_planned_image_destroy(image);
  return status;
}

static gmem_status_t read_planned(MlirOperation top,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_planned_t *planned = (gmem_planned_t *)diag; // must be set
  gmem_status_t status = gmem_planned_read(top, allocator, &planned, diag);
  CHECK((status == GMEM_OK) == (planned != NULL));
  if (status == GMEM_OK)
    status = describe_image(planned, allocator, diag);
  gmem_planned_destroy(planned);
  return status;
}

// Keeps the last byte only, a char at |user|.
static gmem_status_t drop(void *user, const char *bytes, size_t length) {
  CHECK(length);
  if (length)
    *(char *)user = bytes[length - 1];
  return GMEM_OK;
}

static gmem_status_t report(MlirOperation top, gmem_report_format_t format,
                            const gmem_allocator_t *allocator,
                            gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  options.report_format = format;
  char last = '\n';
  gmem_status_t status =
      gmem_report_module(top, &options, drop, &last, allocator, diag);
  CHECK(status != GMEM_OK || last == '\n');
  return status;
}

static gmem_status_t report_text(MlirOperation top,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  return report(top, GMEM_REPORT_TEXT, allocator, diag);
}

static gmem_status_t report_json(MlirOperation top,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  return report(top, GMEM_REPORT_JSON, allocator, diag);
}

static gmem_status_t report_what_ifs(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  options.what_if = true;
  char last = '\n';
  return gmem_report_module(top, &options, drop, &last, allocator, diag);
}

// What changes types is undone at the end, without failures.
static gmem_status_t run(const char *pass, MlirOperation top,
                         const gmem_allocator_t *allocator, gmem_diag_t *diag) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  return gmem_pass_find(pass)->run(top, &options, allocator, diag);
}

static gmem_status_t encode(MlirOperation top,
                            const gmem_allocator_t *allocator,
                            gmem_diag_t *diag) {
  gmem_status_t status = run("gmem-encode-addresses", top, allocator, diag);
  if (status == GMEM_OK)
    status = run("gmem-import-addresses", top, NULL, diag);
  return status;
}

static gmem_status_t import(MlirOperation top,
                            const gmem_allocator_t *allocator,
                            gmem_diag_t *diag) {
  gmem_status_t status = run("gmem-import-addresses", top, allocator, diag);
  if (status == GMEM_OK)
    status = run("gmem-encode-addresses", top, NULL, diag);
  return status;
}

static MlirLogicalResult count_error(MlirDiagnostic diagnostic, void *user) {
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    ++*(size_t *)user;
  return mlirLogicalResultSuccess();
}

static call_sites_t sites; // of all attempts

// Finds the allocations of |attempt|, on a copy of the program, that are to
// fail.
static void choose(MlirOperation top, attempt_fn attempt) {
  MlirOperation copy = mlirOperationClone(top);
  gmem_allocator_t allocator = call_sites_begin(&sites);
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(attempt(copy, &allocator, &diag) == GMEM_OK);
  CHECK(sites.count < SITE_CALLS);
  mlirOperationDestroy(copy);
}

// Makes allocation |number| of |attempt| fail; 0: none.
static void try_one(MlirOperation top, attempt_fn attempt, size_t number,
                    const char *wanted) {
  heap_t heap = {.fail_at = number};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status = attempt(top, &allocator, &diag);
  CHECK(status == (number ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
  CHECK(!number || diag.status == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  char *left = print_stripped(top);
  CHECK(strcmp(left, wanted) == 0);
  free(left);
}

// Makes allocations of |attempt| fail, and at the end none. Returns how many
// the attempt has.
static size_t try_all(MlirOperation top, attempt_fn attempt) {
  char *wanted = print_stripped(top);
  size_t errors = 0;
  choose(top, attempt);
  size_t count = sites.heap.calls;
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      mlirOperationGetContext(top), count_error, &errors, NULL);
  for (size_t i = 0; i < sites.count; ++i)
    try_one(top, attempt, sites.chosen[i], wanted);
  try_one(top, attempt, 0, wanted);
  mlirContextDetachDiagnosticHandler(mlirOperationGetContext(top), handler);
  CHECK(errors <= sites.count); // never two messages for one failure
  free(wanted);
  return count;
}

// Moves the tensors into memory that other modules have, too.
static gmem_status_t share(MlirOperation top, const gmem_allocator_t *allocator,
                           gmem_diag_t *diag) {
  gmem_shared_place_t place = {.pool = "tensors",
                               .base = GMEM_NO_BASE,
                               .offset = UINT64_C(1) << 20,
                               .size = UINT64_C(1) << 40};
  return gmem_planned_share(top, &place, 1, allocator, diag);
}

static void test_program(MlirContext context, const char *program,
                         attempt_fn plan_it, bool with_reports) {
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(try_all(top, plan_it) > 20);
  CHECK(try_all(top, gmem_verify_module) > 10);
  CHECK(try_all(top, read_planned) > 10);
  if (with_reports) {
    CHECK(try_all(top, report_text) > 30);
    CHECK(try_all(top, report_json) > 30);
  }
  CHECK(try_all(top, share) > 10);
  mlirModuleDestroy(module);
}

// Each kind of change of ops has an op here: two in a chain, one that may
// overwrite its operand, one that may be computed again.
static void test_what_ifs(MlirContext context) {
  static const char program[] =
      "\"my.func\"() ({\n"
      "^bb0(%x: tensor<64xf32>):\n"
      "  %a = \"tosa.exp\"(%x) : (tensor<64xf32>) -> tensor<64xf32>\n"
      "  %b = \"my.op\"(%a) : (tensor<64xf32>) -> tensor<64x64xf32>\n"
      "  %c = \"my.op\"(%b) : (tensor<64x64xf32>) -> tensor<64x64xf32>\n"
      "  %d = \"my.op\"(%c, %a) : (tensor<64x64xf32>, tensor<64xf32>)"
      " -> tensor<64xf32>\n"
      "  \"my.return\"(%d) : (tensor<64xf32>) -> ()\n"
      "}) {sym_name = \"f\", function_type = (tensor<64xf32>)"
      " -> tensor<64xf32>} : () -> ()\n";
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  CHECK(try_all(mlirModuleGetOperation(module), report_what_ifs) > 100);
  mlirModuleDestroy(module);
}

static void test_machine(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(machine));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(try_all(top, plan_for_machine) > 20);
  CHECK(try_all(top, gmem_verify_module) > 10);
  CHECK(try_all(top, read_planned) > 10);
  CHECK(try_all(top, report_text) > 30);
  mlirModuleDestroy(module);
}

// Values that are computed from constants: one for nothing, several from one
// original, one that is worth it only at the peak, one that is not.
static const char constant[] =
    "func.func @main(%x: tensor<64xf32>, %w: tensor<64xf32> {gmem.weight})\n"
    "    -> tensor<64xf32> {\n"
    "  %c = \"my.table\"() {at = 0} : () -> tensor<64xi8>\n"
    "  %d = \"my.table\"() {at = 1} : () -> tensor<128xf32>\n"
    "  %0 = \"my.turn\"(%w) : (tensor<64xf32>) -> tensor<64xf32>\n"
    "  %1 = \"my.widen\"(%c) : (tensor<64xi8>) -> tensor<64xf32>\n"
    "  %2 = \"my.turn\"(%d) {at = 0} : (tensor<128xf32>) -> tensor<64xf32>\n"
    "  %3 = \"my.turn\"(%d) {at = 1} : (tensor<128xf32>) -> tensor<64xf32>\n"
    "  %4 = \"my.use\"(%x, %0, %1, %2, %3, %c) : (tensor<64xf32>,\n"
    "    tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,\n"
    "    tensor<64xi8>) -> tensor<64xf32>\n"
    "  return %4 : tensor<64xf32>\n"
    "}\n";

// The choice and the remark; there is no dialect for what hoisting makes.
static gmem_status_t say_what_hoisting_saves(MlirOperation top,
                                             const gmem_allocator_t *allocator,
                                             gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  snprintf(options.op_models, sizeof options.op_models, "%s", models_path);
  options.alignment = options.weight_alignment = 64;
  return gmem_pass_find("gmem-hoist-constants")
      ->run(top, &options, allocator, diag);
}

static void test_constants(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(constant));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  CHECK(try_all(mlirModuleGetOperation(module), say_what_hoisting_saves) > 1);
  mlirModuleDestroy(module);
}

static void test_streams(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(streaming));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(try_all(top, plan) > 20);
  CHECK(try_all(top, gmem_verify_module) > 10);
  CHECK(try_all(top, read_planned) > 10);
  mlirModuleDestroy(module);
}

// Values whose places cost something, and an earlier plan to keep.
static const char constrained[] =
    "module attributes {gmem.constraints = ["
    "{kind = \"apart\", first = \"vector\", second = \"cube\", penalty = 3 : "
    "i64},"
    "{kind = \"boundary\", first = \"cube\", bytes = 4096 : i64}]} {\n"
    "func.func @main(%a: tensor<32xf32>) -> tensor<16xf32> {\n"
    "  %0 = \"v.one\"(%a) {gmem.tag = [\"vector\", \"first\"]}"
    " : (tensor<32xf32>) -> tensor<16xf32>\n"
    "  %1 = \"v.two\"(%0) : (tensor<16xf32>) -> tensor<16xf32>\n"
    "  %2 = \"c.one\"(%1) {gmem.tag = \"cube\"}"
    " : (tensor<16xf32>) -> tensor<16xf32>\n"
    "  return %2 : tensor<16xf32>\n"
    "}\n"
    "}\n";

static char previous_path[4096];

static bool write_planned(MlirOperation top) {
  FILE *file = fopen(previous_path, "w");
  char *text = program_print(top);
  bool written = file && fputs(text, file) >= 0;
  free(text);
  return file && fclose(file) == 0 && written;
}

static gmem_status_t plan_and_keep(MlirOperation top,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  gmem_plan_options_t options;
  quick(&options);
  snprintf(options.previous, sizeof options.previous, "%s", previous_path);
  return gmem_plan_module(top, &options, allocator, diag);
}

static void test_constraints(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(constrained));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return;
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(try_all(top, plan) > 20);
  snprintf(previous_path, sizeof previous_path, "%s.previous", models_path);
  CHECK(write_planned(top));
  CHECK(try_all(top, plan_and_keep) > 40);
  CHECK(try_all(top, gmem_verify_module) > 10);
  CHECK(try_all(top, read_planned) > 10);
  CHECK(try_all(top, report_text) > 30);
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  if (argc != 3)
    return 1;
  models_path = argv[1];
  sites.most = (unsigned)atoi(argv[2]);
  MlirContext context = program_context();
  char *text = make_program();
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return 1;
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(write_models());
  CHECK(try_all(top, plan) > 20);
  CHECK(try_all(top, plan_with_models) > 20);
  CHECK(try_all(top, plan_and_certify) > 20);
  CHECK(try_all(top, gmem_verify_module) > 10);
  CHECK(try_all(top, read_planned) > 10);
  CHECK(try_all(top, encode) > 10);
  CHECK(run("gmem-encode-addresses", top, NULL, NULL) == GMEM_OK);
  CHECK(try_all(top, import) > 10);
  test_program(context, asking, plan_what_is_asked, true);
  test_program(context, described, plan, false);
  test_program(context, strided, plan, false);
  test_program(context, regions, plan, false);
  test_machine(context);
  test_what_ifs(context);
  test_streams(context);
  test_constraints(context);
  test_constants(context);
  mlirModuleDestroy(module);
  free(text);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
