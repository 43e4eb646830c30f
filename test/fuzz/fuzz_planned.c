// fuzz_planned.c - verifies and reads planned IR in which any attribute of gmem
// may be wrong, or at another op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_planned_replay %S/corpus/fuzz_planned
//
// An input is the text of a module. Only its plan is changed: MLIR's own parser
// is not what is tested here.

#include <stdint.h>
#include <stdio.h>

#include "fuzz_text.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "vocabulary.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size,
                                 const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t room, unsigned seed);

enum { MOST_OPS = 4096, MOST_INPUTS = 2000, MOST_TRIES = 8 };

//===--- modules ----------------------------------------------------------===//

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic, (void)user;
  return mlirLogicalResultSuccess();
}

// A context keeps every attribute that it has seen: a new one now and then.
static MlirContext the_context(void) {
  static MlirContext context;
  static unsigned inputs;
  if (inputs++ % MOST_INPUTS)
    return context;
  if (context.ptr)
    mlirContextDestroy(context);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  return context;
}

// The module, or null.
static MlirOperation parse(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  require(text != NULL);
  if (size)
    memcpy(text, data, size);
  text[size] = '\0'; // the parser wants it
  MlirOperation top = mlirOperationCreateParse(
      the_context(), mlirStringRefCreate(text, size), gmem_string("input"));
  free(text);
  return top;
}

typedef struct op_list_s {
  MlirOperation at[MOST_OPS];
  size_t count;
} op_list_t;

static MlirWalkResult list_op(MlirOperation op, void *user) {
  op_list_t *list = user;
  if (list->count < MOST_OPS)
    list->at[list->count++] = op;
  return MlirWalkResultAdvance;
}

//===--- verification -----------------------------------------------------===//

// Asks for all that a plan tells.
static void read_all(const gmem_planned_t *planned) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  require(figures->lower_bound <= figures->peak);
  require(figures->optimal == (figures->lower_bound == figures->peak));
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    require(gmem_planned_pool(planned, i)->name != NULL);
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    require(buffer->pool < gmem_planned_pool_count(planned));
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
    require(buffer->offset <= pool->size &&
            buffer->size <= pool->size - buffer->offset);
  }
}

static gmem_status_t verify(MlirOperation top, const char *only) {
  const gmem_pass_descriptor_t *pass = gmem_pass_find("gmem-verify-plan");
  gmem_plan_options_t options;
  gmem_diag_t diag = {.text = ""};
  gmem_plan_options_init(&options);
  require(gmem_plan_options_set(&options, "only", only, &diag) == GMEM_OK);
  gmem_status_t status = pass->run(top, &options, NULL, &diag);
  require(status == GMEM_OK || diag.text[0] != '\0');
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirOperation top = parse(data, size);
  if (mlirOperationIsNull(top))
    return 0;
  gmem_diag_t diag = {.text = ""};
  gmem_planned_t *planned = NULL;
  gmem_status_t contents = verify(top, "contents");
  gmem_status_t placement = verify(top, "placement");
  gmem_status_t whole = gmem_verify_module(top, NULL, &diag);
  require((whole == GMEM_OK) == (contents == GMEM_OK && placement == GMEM_OK));
  gmem_status_t status = gmem_planned_read(top, NULL, &planned, &diag);
  require(status != GMEM_OK || (whole == GMEM_OK && planned));
  if (status == GMEM_OK)
    read_all(planned);
  gmem_planned_destroy(planned);
  mlirOperationDestroy(top);
  return 0;
}

//===--- other plans ------------------------------------------------------===//

static uint64_t dice;

static size_t choose(size_t count) {
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return count ? (dice >> 20) % count : 0;
}

static int64_t other_number(int64_t number) {
  static const int64_t extremes[] = {0,         1,         -1,
                                     INT64_MAX, INT64_MIN, INT64_MAX - 7,
                                     INT32_MAX, 1 << 12,   UINT32_MAX};
  static const int64_t steps[] = {1, -1, 4, 8, -8, 16, -16, 64, -64, 4096};
  switch (choose(4)) {
  case 0:
    return extremes[choose(sizeof extremes / sizeof *extremes)];
  case 1:
    return (int64_t)choose(256);
  default:
    return (int64_t)((uint64_t)number +
                     (uint64_t)steps[choose(sizeof steps / sizeof *steps)]);
  }
}

// Something that nobody expects there.
static MlirAttribute strange(MlirContext context) {
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  switch (choose(6)) {
  case 0:
    return mlirUnitAttrGet(context);
  case 1:
    return mlirStringAttrGet(context, gmem_string(choose(2) ? "" : "tensors"));
  case 2:
    return mlirIntegerAttrGet(i64, other_number(64));
  case 3:
    return mlirArrayAttrGet(context, 0, NULL);
  case 4:
    return mlirDictionaryAttrGet(context, 0, NULL);
  default:
    return mlirDenseI64ArrayGet(context, 0, NULL);
  }
}

static MlirAttribute changed(MlirAttribute attribute);

// Changes, drops or repeats one entry.
static MlirAttribute changed_dictionary(MlirAttribute whole) {
  MlirNamedAttribute entries[64];
  intptr_t count = mlirDictionaryAttrGetNumElements(whole), kept = 0;
  if (count == 0 || count > 64)
    return whole;
  intptr_t chosen = (intptr_t)choose((size_t)count);
  bool drops = choose(8) == 0;
  for (intptr_t i = 0; i < count; ++i) {
    entries[kept] = mlirDictionaryAttrGetElement(whole, i);
    if (i == chosen && !drops)
      entries[kept].attribute = changed(entries[kept].attribute);
    kept += i != chosen || !drops;
  }
  return mlirDictionaryAttrGet(mlirAttributeGetContext(whole), kept, entries);
}

static MlirAttribute changed_array(MlirAttribute whole) {
  MlirAttribute elements[65];
  intptr_t count = mlirArrayAttrGetNumElements(whole), kept = 0;
  if (count == 0 || count > 64)
    return whole;
  intptr_t chosen = (intptr_t)choose((size_t)count);
  size_t way = choose(8); // 0: drop, 1: repeat, 2: exchange, else change
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(whole, i);
    if (i == chosen && way == 0)
      continue;
    if (i == chosen && way == 1)
      elements[kept++] = element;
    if (i == chosen && way == 2)
      element = mlirArrayAttrGetElement(whole, (intptr_t)choose((size_t)count));
    elements[kept++] = i == chosen && way > 2 ? changed(element) : element;
  }
  return mlirArrayAttrGet(mlirAttributeGetContext(whole), kept, elements);
}

static MlirAttribute changed_numbers(MlirAttribute whole) {
  int64_t elements[65];
  intptr_t count = mlirDenseArrayGetNumElements(whole), kept = 0;
  if (count == 0 || count > 64)
    return whole;
  intptr_t chosen = (intptr_t)choose((size_t)count);
  size_t way = choose(8);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t element = mlirDenseI64ArrayGetElement(whole, i);
    if (i == chosen && way == 0)
      continue;
    if (i == chosen && way == 1)
      elements[kept++] = element;
    elements[kept++] = i == chosen && way > 1 ? other_number(element) : element;
  }
  return mlirDenseI64ArrayGet(mlirAttributeGetContext(whole), kept, elements);
}

static MlirAttribute changed(MlirAttribute attribute) {
  MlirContext context = mlirAttributeGetContext(attribute);
  static const char *const words[] = {"tensors", "weights",  "",       "a",
                                      "callee",  "constant", "inplace"};
  if (choose(12) == 0)
    return strange(context);
  if (mlirAttributeIsADictionary(attribute))
    return changed_dictionary(attribute);
  if (mlirAttributeIsAArray(attribute))
    return changed_array(attribute);
  if (mlirAttributeIsADenseI64Array(attribute))
    return changed_numbers(attribute);
  if (mlirAttributeIsABool(attribute))
    return mlirBoolAttrGet(context, !mlirBoolAttrGetValue(attribute));
  if (mlirAttributeIsAInteger(attribute) &&
      mlirTypeIsAInteger(mlirAttributeGetType(attribute)) &&
      mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) == 64)
    return mlirIntegerAttrGet(
        mlirAttributeGetType(attribute),
        other_number(mlirIntegerAttrGetValueInt(attribute)));
  if (mlirAttributeIsAString(attribute))
    return mlirStringAttrGet(
        context, gmem_string(words[choose(sizeof words / sizeof *words)]));
  return strange(context);
}

// Whether gmem reads the attribute; those of arguments and results are in
// lists.
static bool is_planned(MlirStringRef name) {
  return (name.length > 5 && memcmp(name.data, "gmem.", 5) == 0) ||
         gmem_string_is(name, "arg_attrs") || gmem_string_is(name, "res_attrs");
}

// Changes or drops one attribute of |op|, or gives it one that |other| has.
static void change_attribute(MlirOperation op, MlirOperation other) {
  MlirOperation from = choose(4) ? op : other;
  intptr_t count = mlirOperationGetNumAttributes(from);
  intptr_t begin = (intptr_t)choose((size_t)count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute one =
        mlirOperationGetAttribute(from, (begin + i) % count);
    MlirStringRef name = mlirIdentifierStr(one.name);
    if (!is_planned(name))
      continue;
    bool is_list = name.data[0] != 'g';
    if (from.ptr == op.ptr && choose(8) == 0)
      mlirOperationRemoveAttributeByName(op, name);
    else if (from.ptr == op.ptr || !is_list)
      mlirOperationSetAttributeByName(
          op, name,
          from.ptr == op.ptr ? changed(one.attribute) : one.attribute);
    return;
  }
}

// Gives |op| an attribute that it does not have, with anything in it.
static void add_attribute(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  static const int64_t few[] = {0, 1, 1, 2, INT64_MAX};
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  int64_t number = few[choose(sizeof few / sizeof *few)];
  const char *name = gmem_vocabulary[choose(GMEM_ATTR_COUNT)].name;
  MlirAttribute value = strange(context);
  switch (choose(4)) {
  case 0:
    name = "gmem.stream";
    value = mlirIntegerAttrGet(i64, number);
    break;
  case 1:
    name = "gmem.wait";
    value = mlirDenseI64ArrayGet(context, 1, &number);
    break;
  case 2:
    name = "gmem.layer_group";
    value = mlirIntegerAttrGet(i64, number);
    break;
  default:
    break;
  }
  mlirOperationSetAttributeByName(op, gmem_string(name), value);
}

static bool has_uses(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

// Clones, removes or moves |op|, or gives it another operand. False: it cannot
// be.
static bool change_op(MlirOperation op, MlirOperation other) {
  MlirBlock block = mlirOperationGetBlock(op);
  bool is_last = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  if (mlirBlockIsNull(block) || is_last)
    return false;
  switch (choose(4)) {
  case 0:
    mlirBlockInsertOwnedOperationAfter(block, op, mlirOperationClone(op));
    return true;
  case 1:
    if (!has_uses(op))
      mlirOperationDestroy(op);
    return true;
  case 2:
    if (mlirBlockEqual(block, mlirOperationGetBlock(other)) &&
        !mlirOperationEqual(op, other))
      mlirOperationMoveBefore(op, other);
    return true;
  default:
    if (mlirOperationGetNumOperands(op) && mlirOperationGetNumResults(other))
      mlirOperationSetOperand(
          op, (intptr_t)choose((size_t)mlirOperationGetNumOperands(op)),
          mlirOperationGetResult(other, 0));
    return true;
  }
}

static void change(MlirOperation top) {
  static op_list_t list;
  list.count = 0;
  mlirOperationWalk(top, list_op, &list, MlirWalkPreOrder);
  MlirOperation op = list.at[choose(list.count)];
  MlirOperation other = list.at[choose(list.count)];
  switch (choose(8)) {
  case 0:
    change_op(op, other);
    break;
  case 1:
    add_attribute(op);
    break;
  default:
    change_attribute(op, other);
  }
}

static void append_text(MlirStringRef piece, void *user) {
  require(append(user, piece.data, piece.length) == GMEM_OK);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed) {
  dice = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
  for (int tries = 0; tries < MOST_TRIES; ++tries) {
    MlirOperation top = parse(data, size);
    if (mlirOperationIsNull(top))
      return size;
    for (size_t i = 0; i <= choose(3); ++i)
      change(top);
    text_t text = {0};
    bool is_valid = mlirOperationVerify(top);
    if (is_valid)
      mlirOperationPrint(top, append_text, &text);
    mlirOperationDestroy(top);
    bool fits = is_valid && text.length <= room;
    if (fits)
      memcpy(data, text.bytes, text.length);
    free(text.bytes);
    if (fits)
      return text.length;
  }
  return size;
}

// Two halves of texts are no module.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size,
                                 const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t room, unsigned seed) {
  (void)second, (void)second_size, (void)seed;
  size_t size = first_size < room ? first_size : room;
  memcpy(out, first, size);
  return size;
}
