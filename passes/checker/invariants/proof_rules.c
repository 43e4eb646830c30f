// proof_rules.c - see proof_rules.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "captures.h"
#include "ir_reading.h"
#include "proof_escapes.h"
#include "proof_messages.h"
#include "scopes.h"
#include "sorting.h"
#include "vocabulary.h"

// Something that has a place.
typedef struct placed_s {
  gmem_proof_range_t bytes; // with padding
  uint32_t value;           // GMEM_NO_INDEX: a workbuffer
  uint32_t function;
  uint32_t op; // of a workbuffer
} placed_t;

typedef struct checker_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  MlirSymbolTable symbols; // of the scope, null if it has none
  GMEM_LIST(placed_t) constants;
  GMEM_LIST(placed_t) others; // if some code may run beside other code
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} checker_t;

static const gmem_proof_value_t *value_at(const checker_t *checker,
                                          uint32_t value) {
  assert(value < checker->program->values.count);
  return &checker->program->values.at[value];
}

// The op that defines a value, or NULL: it is a block argument.
static const gmem_proof_op_t *op_of(const checker_t *checker, uint32_t value) {
  uint32_t op = value_at(checker, value)->op;
  return op == GMEM_NO_INDEX ? NULL : &checker->program->ops.at[op];
}

//===--- messages ---------------------------------------------------------===//

static MlirLocation location_of(const checker_t *checker,
                                const placed_t *placed) {
  return placed->value == GMEM_NO_INDEX
             ? mlirOperationGetLocation(
                   gmem_proof_op_at(checker->program, placed->op)->op)
             : mlirValueGetLocation(value_at(checker, placed->value)->value);
}

static gmem_proof_text_t text_of(const checker_t *checker,
                                 const placed_t *placed) {
  if (placed->value != GMEM_NO_INDEX)
    return gmem_proof_value_text(checker->program,
                                 value_at(checker, placed->value));
  gmem_proof_text_t text;
  snprintf(text.at, sizeof text.at, "a workbuffer of %.80s",
           gmem_proof_op_text(checker->program, placed->op).at);
  return text;
}

// Reports that |left| and |right| share bytes; |why| ends the message.
static gmem_status_t report_shared(const checker_t *checker,
                                   const placed_t *left, const placed_t *right,
                                   const char *why) {
  const placed_t *both[] = {left, right};
  gmem_note_t notes[2];
  for (int i = 0; i < 2; ++i)
    notes[i] = gmem_proof_note(
        location_of(checker, both[i]), "%s has %s",
        text_of(checker, both[i]).at,
        gmem_proof_bytes_text(checker->program, both[i]->bytes).at);
  return gmem_error(
      checker->diag, GMEM_ERR_OVERLAP, location_of(checker, right), notes, 2,
      "%s and %s share %s: %s", text_of(checker, left).at,
      text_of(checker, right).at,
      gmem_proof_bytes_text(checker->program,
                            gmem_proof_common(left->bytes, right->bytes))
          .at,
      why);
}

static gmem_status_t report_value(const checker_t *checker, uint32_t value,
                                  const char *why) {
  const gmem_proof_value_t *entry = value_at(checker, value);
  return gmem_error_at(checker->diag, GMEM_ERR_CORRUPT,
                       mlirValueGetLocation(entry->value), "%s %s; plan again",
                       gmem_proof_value_text(checker->program, entry).at, why);
}

static int compare(const void *left, const void *right) {
  const placed_t *a = left, *b = right;
  if (a->bytes.begin != b->bytes.begin)
    return a->bytes.begin < b->bytes.begin ? -1 : 1;
  if (a->bytes.end != b->bytes.end)
    return a->bytes.end < b->bytes.end ? -1 : 1;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  return 0;
}

//===--- lists ------------------------------------------------------------===//

static void keep_first(MlirStringRef name, void *user) {
  MlirStringRef *first = user;
  if (!first->length)
    *first = name;
}

// The constant global that |op| names and that has contents, or functions that
// make them; else null.
static MlirOperation constant_global(const checker_t *checker,
                                     MlirOperation op) {
  MlirStringRef name = {NULL, 0};
  MlirOperation none = {NULL}, global = none;
  gmem_for_each_symbol(op, keep_first, &name);
  if (name.length && !mlirSymbolTableIsNull(checker->symbols))
    global = mlirSymbolTableLookup(checker->symbols, name);
  return mlirOperationIsNull(global) ||
                 mlirAttributeIsNull(gmem_op_attribute(global, "constant")) ||
                 (!gmem_attribute_is(gmem_op_attribute(global, "initial_value"),
                                     mlirAttributeIsAElements) &&
                  mlirAttributeIsNull(
                      gmem_op_annotation(global, GMEM_ATTR_TRANSFORM)))
             ? none
             : global;
}

// Whether both globals have the same known contents, or the same functions make
// them of the same source.
static bool have_same_contents(MlirOperation one, MlirOperation other) {
  MlirOperation both[] = {one, other};
  MlirAttribute chains[2], sources[2];
  for (int i = 0; i < 2; ++i) {
    chains[i] = gmem_op_annotation(both[i], GMEM_ATTR_TRANSFORM);
    sources[i] = gmem_op_annotation(both[i], GMEM_ATTR_SOURCE);
    if (mlirAttributeIsNull(chains[i]) || mlirAttributeIsNull(sources[i]))
      sources[i] = gmem_op_attribute(both[i], "initial_value");
  }
  return gmem_attribute_is(sources[0], mlirAttributeIsAElements) &&
         mlirAttributeEqual(chains[0], chains[1]) &&
         mlirAttributeEqual(sources[0], sources[1]);
}

// The global that |op| names if the function that it names in gmem.init
// computes it, and that function's name; else null.
static MlirOperation computed_global(const checker_t *checker, MlirOperation op,
                                     MlirStringRef *out_function) {
  MlirStringRef name = {NULL, 0};
  MlirOperation none = {NULL}, global, function;
  gmem_for_each_symbol(op, keep_first, &name);
  if (!name.length || mlirSymbolTableIsNull(checker->symbols))
    return none;
  global = mlirSymbolTableLookup(checker->symbols, name);
  MlirAttribute init = mlirOperationIsNull(global)
                           ? mlirAttributeGetNull()
                           : gmem_op_annotation(global, GMEM_ATTR_INIT);
  if (!gmem_attribute_is(init, mlirAttributeIsAString) ||
      gmem_attribute_is(gmem_op_attribute(global, "initial_value"),
                        mlirAttributeIsAElements))
    return none;
  *out_function = mlirStringAttrGetValue(init);
  function = mlirSymbolTableLookup(checker->symbols, *out_function);
  return !mlirOperationIsNull(function) &&
                 gmem_attribute_is(gmem_op_annotation(function, GMEM_ATTR_INIT),
                                   mlirAttributeIsAUnit)
             ? global
             : none;
}

static bool is_weight_argument(const checker_t *checker, uint32_t value) {
  const gmem_proof_value_t *entry = value_at(checker, value);
  const gmem_proof_function_t *function =
      &checker->program->functions.at[entry->function];
  MlirAttribute all = gmem_argument_attributes(function->op, entry->number);
  return function->mentions == 0 && !mlirAttributeIsNull(all) &&
         (!mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
              all, gmem_attr_name(GMEM_ATTR_WEIGHT))) ||
          gmem_op_models_is_weight(checker->program->models, all));
}

typedef struct mutables_s {
  MlirSymbolTable symbols;
  bool has_any;
} mutables_t;

static void look_up_mutable(MlirStringRef name, void *user) {
  mutables_t *mutables = user;
  MlirOperation named = mlirSymbolTableLookup(mutables->symbols, name);
  mutables->has_any |=
      !mlirOperationIsNull(named) &&
      !mlirAttributeIsNull(gmem_op_attribute(named, "is_mutable"));
}

// Whether |op| may load a variable, which it names, or which the op that makes
// its operand names.
static bool may_load_variable(const checker_t *checker, MlirOperation op) {
  mutables_t mutables = {checker->symbols, false};
  if (mlirSymbolTableIsNull(checker->symbols))
    return false;
  gmem_for_each_symbol(op, look_up_mutable, &mutables);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand))
      gmem_for_each_symbol(mlirOpResultGetOwner(operand), look_up_mutable,
                           &mutables);
    else
      mutables.has_any |= gmem_is_handle_type(checker->program->models,
                                              mlirValueGetType(operand));
  }
  return mutables.has_any;
}

// A constant, or a name for what another op or the caller has in a constant
// pool: the walk finds whether that is so, where the op would write it.
static gmem_status_t add_constant(checker_t *checker, uint32_t value) {
  const gmem_proof_value_t *entry = value_at(checker, value);
  const gmem_proof_op_t *op = op_of(checker, value);
  gmem_op_kind_t kind = op ? op->model->kind : GMEM_OP_COMPUTE;
  bool is_own = kind == GMEM_OP_WEIGHT || kind == GMEM_OP_GLOBAL;
  MlirStringRef ignored;
  if (kind == GMEM_OP_GLOBAL &&
      mlirOperationIsNull(constant_global(checker, op->op)) &&
      mlirOperationIsNull(computed_global(checker, op->op, &ignored)))
    return GMEM_OK; // it is not planned any more, whatever its attributes say
  if (kind == GMEM_OP_WEIGHT && may_load_variable(checker, op->op))
    return report_value(checker, value,
                        "is in a constant pool, but may be that of a variable");
  if (gmem_proof_is_argument(checker->program, entry)) {
    const gmem_proof_function_t *function =
        &checker->program->functions.at[entry->function];
    is_own = is_weight_argument(checker, value);
    if (!is_own && (function->mentions == 0 || function->has_other_calls ||
                    function->may_run_any_time))
      return report_value(checker, value,
                          "is in a constant pool, but is not a constant");
  }
  if (kind == GMEM_OP_RESHAPE || kind == GMEM_OP_VIEW) {
    uint32_t from = op->operand_count ? op->operands[0] : GMEM_NO_INDEX;
    if (from == GMEM_NO_INDEX || !value_at(checker, from)->is_constant ||
        entry->bytes.begin < value_at(checker, from)->bytes.begin ||
        entry->bytes.end > value_at(checker, from)->bytes.end)
      return report_value(checker, value,
                          "is in a constant pool, but is not a part of a "
                          "constant");
  }
  if (kind == GMEM_OP_EMPTY || kind == GMEM_OP_ALLOC || kind == GMEM_OP_NONE ||
      kind == GMEM_OP_INPUT)
    return report_value(checker, value,
                        "is in a constant pool, but is not a constant");
  if (is_own)
    GMEM_APPEND(checker->arena, &checker->constants,
                (placed_t){.bytes = entry->buffer,
                           .value = value,
                           .function = entry->function});
  return GMEM_OK;
}

static void sort(placed_t *all, size_t count) {
  gmem_sort(all, count, sizeof *all, compare);
}

// Whether no op writes |value| in a run: it is there all the time.
static bool is_never_made(const checker_t *checker, uint32_t value) {
  const gmem_proof_op_t *op = op_of(checker, value);
  if (!op)
    return gmem_proof_is_argument(checker->program, value_at(checker, value)) &&
           is_weight_argument(checker, value);
  return op->model->kind == GMEM_OP_GLOBAL ||
         (op->model->kind == GMEM_OP_WEIGHT &&
          !may_load_variable(checker, op->op)) ||
         (op->parent != GMEM_NO_INDEX &&
          checker->program->ops.at[op->parent].is_opaque);
}

// Whether what is placed may have others beside it: several instances of it,
// functions that run at any time, or what is returned to an op that is no call.
static bool may_run_beside(const gmem_proof_program_t *program) {
  bool may = program->has_parallel;
  for (size_t i = 0; i < program->functions.count; ++i) {
    const gmem_proof_function_t *function = &program->functions.at[i];
    may |= function->may_run_any_time || function->is_recursive ||
           function->may_run_with_self || function->has_other_calls;
  }
  return may;
}

static gmem_status_t list(checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  bool lists_others = may_run_beside(program);
  for (uint32_t i = 0; i < program->values.count; ++i) {
    const gmem_proof_value_t *value = value_at(checker, i);
    if (value->is_placed && value->is_constant)
      GMEM_TRY(add_constant(checker, i));
    else if (value->is_placed && is_never_made(checker, i))
      return report_value(checker, i,
                          "is a constant, but is not in a constant pool");
    else if (lists_others && value->is_placed &&
             value->buffer.begin < value->buffer.end)
      GMEM_APPEND(checker->arena, &checker->others,
                  (placed_t){.bytes = value->buffer,
                             .value = i,
                             .function = value->function});
  }
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->planned->workbuffer_count && lists_others; ++k)
      GMEM_APPEND(checker->arena, &checker->others,
                  (placed_t){op->planned->workbuffers[k], GMEM_NO_INDEX,
                             op->function, i});
    for (uint32_t k = 0; k < op->planned->immutable_count; ++k)
      GMEM_APPEND(checker->arena, &checker->constants,
                  (placed_t){op->planned->immutables[k], GMEM_NO_INDEX,
                             op->function, i});
  }
  sort(checker->constants.at, checker->constants.count);
  return gmem_bump_status(checker->arena, checker->diag);
}

//===--- constants --------------------------------------------------------===//

// Whether the contents of a constant do not depend on |attribute|: one of
// gmem's, but those that say how they are made.
static bool is_own_attribute(MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  return name.length > 5 && memcmp(name.data, "gmem.", 5) == 0 &&
         !mlirStringRefEqual(name, gmem_string("gmem.transform")) &&
         !mlirStringRefEqual(name, gmem_string("gmem.source"));
}

// Whether the attributes |right| have those of |left| other than gmem's, and
// these hold contents or name them. Sets |*out_count| to their number.
static bool has_attributes_of(MlirAttribute left, MlirAttribute right,
                              intptr_t *out_count) {
  bool has_contents = false;
  *out_count = 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(left); ++i) {
    MlirNamedAttribute one = mlirDictionaryAttrGetElement(left, i);
    if (is_own_attribute(one))
      continue;
    has_contents |= mlirAttributeIsAElements(one.attribute) ||
                    mlirAttributeIsAFlatSymbolRef(one.attribute);
    if (!mlirAttributeEqual(one.attribute,
                            mlirDictionaryAttrGetElementByName(
                                right, mlirIdentifierStr(one.name))))
      return false;
    ++*out_count;
  }
  return has_contents;
}

// gmem.constant of an op or argument; null when it has none.
static MlirAttribute number_of(const checker_t *checker, uint32_t value) {
  const gmem_proof_value_t *entry = value_at(checker, value);
  const gmem_proof_op_t *op = op_of(checker, value);
  if (op)
    return gmem_op_annotation(op->op, GMEM_ATTR_CONSTANT);
  MlirAttribute all = gmem_argument_attributes(
      checker->program->functions.at[entry->function].op, entry->number);
  return mlirAttributeIsNull(all)
             ? all
             : mlirDictionaryAttrGetElementByName(
                   all, gmem_attr_name(GMEM_ATTR_CONSTANT));
}

// The contents of the constant |op|, or of the global that it names, if the IR
// has them; else null.
static MlirAttribute contents_of(const checker_t *checker,
                                 const gmem_proof_op_t *op) {
  MlirOperation global = op && op->model->kind == GMEM_OP_GLOBAL
                             ? constant_global(checker, op->op)
                             : (MlirOperation){NULL};
  if (!mlirOperationIsNull(global))
    return mlirAttributeIsNull(gmem_op_annotation(global, GMEM_ATTR_TRANSFORM))
               ? gmem_op_attribute(global, "initial_value")
               : mlirAttributeGetNull();
  if (!op)
    return mlirAttributeGetNull();
  MlirAttribute all = gmem_all_attributes(op->op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i) {
    MlirNamedAttribute one = mlirDictionaryAttrGetElement(all, i);
    if (!is_own_attribute(one) && mlirAttributeIsAElements(one.attribute))
      return one.attribute;
  }
  return mlirAttributeGetNull();
}

// Whether both are stated to be one constant: by a number, or because one
// function computes it. Contents that both have say more than a number.
static bool are_stated_equal(const checker_t *checker, const placed_t *left,
                             const placed_t *right) {
  const gmem_proof_value_t *a = value_at(checker, left->value);
  const gmem_proof_value_t *b = value_at(checker, right->value);
  const gmem_proof_op_t *from = op_of(checker, left->value);
  const gmem_proof_op_t *to = op_of(checker, right->value);
  MlirAttribute number = number_of(checker, left->value);
  MlirStringRef ignored;
  if (a->bytes.begin != b->bytes.begin || a->bytes.end != b->bytes.end)
    return false;
  if (!mlirAttributeIsNull(number) &&
      mlirAttributeEqual(number, number_of(checker, right->value))) {
    MlirAttribute one = contents_of(checker, from);
    MlirAttribute other = contents_of(checker, to);
    return mlirAttributeIsNull(one) || mlirAttributeIsNull(other) ||
           mlirAttributeEqual(one, other);
  }
  if (!from || !to || from->model->kind != GMEM_OP_GLOBAL ||
      to->model->kind != GMEM_OP_GLOBAL)
    return false;
  MlirOperation global = computed_global(checker, from->op, &ignored);
  return !mlirOperationIsNull(global) &&
         mlirOperationEqual(global, computed_global(checker, to->op, &ignored));
}

static bool is_same_constant(const checker_t *checker, const placed_t *left,
                             const placed_t *right) {
  if (left->value == GMEM_NO_INDEX || right->value == GMEM_NO_INDEX)
    return false;
  if (are_stated_equal(checker, left, right))
    return true;
  const gmem_proof_value_t *a = value_at(checker, left->value);
  const gmem_proof_value_t *b = value_at(checker, right->value);
  const gmem_proof_op_t *from = op_of(checker, left->value);
  const gmem_proof_op_t *to = op_of(checker, right->value);
  intptr_t count, ignored;
  if (!from || !to || from == to || from->results.count != 1 ||
      to->results.count != 1 || from->operand_count || to->operand_count ||
      mlirOperationGetNumRegions(from->op) ||
      mlirOperationGetNumRegions(to->op) || a->bytes.begin != b->bytes.begin ||
      !mlirTypeEqual(mlirValueGetType(a->value), mlirValueGetType(b->value)) ||
      !mlirIdentifierEqual(mlirOperationGetName(from->op),
                           mlirOperationGetName(to->op)))
    return false;
  if (from->model->kind == GMEM_OP_GLOBAL) {
    MlirOperation one = constant_global(checker, from->op);
    MlirOperation other = constant_global(checker, to->op);
    return !mlirOperationIsNull(one) && !mlirOperationIsNull(other) &&
           (mlirOperationEqual(one, other) || have_same_contents(one, other));
  }
  MlirAttribute one = gmem_all_attributes(from->op);
  MlirAttribute other = gmem_all_attributes(to->op);
  return has_attributes_of(one, other, &count) &&
         has_attributes_of(other, one, &ignored) && count == ignored;
}

static gmem_status_t check_constants(const checker_t *checker) {
  const placed_t *widest = NULL;
  for (size_t i = 0; i < checker->constants.count; ++i) {
    const placed_t *placed = &checker->constants.at[i];
    if (placed->bytes.begin == placed->bytes.end)
      continue;
    if (widest && widest->bytes.end > placed->bytes.begin &&
        !is_same_constant(checker, widest, placed))
      return report_shared(checker, widest, placed,
                           "they are different constants");
    if (!widest || placed->bytes.end > widest->bytes.end)
      widest = placed;
  }
  return GMEM_OK;
}

// Only the function that computes a constant writes it.
static gmem_status_t check_initialised(const checker_t *checker,
                                       const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = checker->program;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    const gmem_proof_op_t *from = op->operands[i] == GMEM_NO_INDEX
                                      ? NULL
                                      : op_of(checker, op->operands[i]);
    MlirStringRef function, name = program->functions.at[op->function].name;
    if (!from || from->model->kind != GMEM_OP_GLOBAL ||
        !value_at(checker, op->operands[i])->is_constant ||
        gmem_proof_only_reads(op, i) || !gmem_is_registered(op->op) ||
        op->model->kind == GMEM_OP_VIEW || op->model->kind == GMEM_OP_RESHAPE ||
        mlirOperationIsNull(computed_global(checker, from->op, &function)) ||
        mlirStringRefEqual(function, name) ||
        !gmem_may_write_operand(op->op, i))
      continue;
    return gmem_op_error(checker->diag, GMEM_ERR_OVERLAP, op->op,
                         "writes operand #%u, a constant that only @%.*s may "
                         "write",
                         i, (int)function.length, function.data);
  }
  return GMEM_OK;
}

// An op that changes its operand does not change a constant, which others read
// in the next run, too.
static gmem_status_t check_changed(const checker_t *checker,
                                   const gmem_proof_op_t *op) {
  for (uint32_t i = 0; op->model->writes && i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        value_at(checker, op->operands[i])->is_constant &&
        gmem_op_model_writes(op->model, op->op, i))
      return gmem_op_error(
          checker->diag, GMEM_ERR_OVERLAP, op->op,
          "writes operand #%u, a constant: what is changed from run to run is "
          "an argument with gmem.state",
          i);
  return GMEM_OK;
}

static gmem_status_t check_writes(const checker_t *checker) {
  for (uint32_t i = 0;
       i < checker->program->ops.count && checker->constants.count; ++i) {
    GMEM_TRY(check_initialised(checker, &checker->program->ops.at[i]));
    GMEM_TRY(check_changed(checker, &checker->program->ops.at[i]));
  }
  return GMEM_OK;
}

//===--- functions --------------------------------------------------------===//

static bool has_any_time(const gmem_proof_program_t *program) {
  for (size_t i = 0; i < program->functions.count; ++i)
    if (program->functions.at[i].may_run_any_time)
      return true;
  return false;
}

static gmem_status_t check_any_time(checker_t *checker) {
  const gmem_proof_function_t *functions = checker->program->functions.at;
  // The widest so far: of all, of those of another function than that one, and
  // of functions that may run at any time.
  const placed_t *first = NULL, *second = NULL, *any = NULL;
  if (!has_any_time(checker->program))
    return GMEM_OK;
  sort(checker->others.at, checker->others.count);
  for (size_t i = 0; i < checker->others.count; ++i) {
    const placed_t *placed = &checker->others.at[i];
    bool is_any = functions[placed->function].may_run_any_time;
    const placed_t *other = !is_any ? any
                            : first && first->function != placed->function
                                ? first
                                : second;
    if (other && other->bytes.end > placed->bytes.begin)
      return report_shared(checker, other, placed,
                           "the function of one may run at any time");
    if (is_any && (!any || placed->bytes.end > any->bytes.end))
      any = placed;
    if (first && first->function != placed->function &&
        placed->bytes.end > first->bytes.end)
      second = first;
    else if (first && first->function != placed->function &&
             (!second || placed->bytes.end > second->bytes.end))
      second = placed;
    if (!first || placed->bytes.end > first->bytes.end)
      first = placed;
  }
  return GMEM_OK;
}

// Several threads may run different functions of those that they run at once:
// the workbuffers of their ops are apart.
static gmem_status_t check_threads(checker_t *checker) {
  const gmem_proof_function_t *functions = checker->program->functions.at;
  const placed_t *last = NULL;
  sort(checker->others.at, checker->others.count);
  for (size_t i = 0; i < checker->others.count; ++i) {
    const placed_t *placed = &checker->others.at[i];
    if (placed->value != GMEM_NO_INDEX ||
        !functions[placed->function].may_run_with_self)
      continue;
    if (last && last->bytes.end > placed->bytes.begin)
      return report_shared(checker, last, placed,
                           "several threads may run them at once");
    last = placed;
  }
  return GMEM_OK;
}

// gmem.same_as at return |op|.
static gmem_status_t check_return(const checker_t *checker,
                                  const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = checker->program;
  const gmem_proof_function_t *function = &program->functions.at[op->function];
  gmem_proof_row_t arguments = gmem_proof_arguments(program, function->region);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    MlirAttribute number =
        gmem_function_result_annotation(function->op, i, GMEM_ATTR_SAME_AS);
    int64_t argument;
    if (mlirAttributeIsNull(number))
      continue;
    if (!gmem_i64_get(number, &argument) || argument < 0 ||
        argument >= arguments.count)
      return gmem_op_error(checker->diag, GMEM_ERR_CORRUPT, function->op,
                           "gmem.same_as of result #%u names no argument", i);
    const gmem_proof_value_t *to =
        value_at(checker, arguments.first + (uint32_t)argument);
    const gmem_proof_value_t *from = op->operands[i] == GMEM_NO_INDEX
                                         ? NULL
                                         : value_at(checker, op->operands[i]);
    if (!from || !from->is_placed || !to->is_placed ||
        from->bytes.begin != to->bytes.begin ||
        from->bytes.end != to->bytes.end)
      return gmem_op_error(checker->diag, GMEM_ERR_CORRUPT, op->op,
                           "result #%u is not returned in the memory of "
                           "argument #%lld, as gmem.same_as says; plan again",
                           i, (long long)argument);
  }
  return GMEM_OK;
}

static gmem_status_t check_returns(const checker_t *checker) {
  for (uint32_t i = 0; i < checker->program->blocks.count; ++i) {
    const gmem_proof_op_t *op = gmem_proof_exit(checker->program, i);
    if (op && op->parent == GMEM_NO_INDEX && op->results.count == 0)
      GMEM_TRY(check_return(checker, op));
  }
  return GMEM_OK;
}

//===--- records ----------------------------------------------------------===//

// Whether control flow has the edge that |copy| of |op| is made on.
static bool has_edge(const gmem_proof_program_t *program,
                     const gmem_proof_op_t *op, const gmem_proof_copy_t *copy) {
  bool is_loop = op->flow == GMEM_PROOF_FOR || op->flow == GMEM_PROOF_WHILE;
  const gmem_proof_op_t *around =
      op->parent == GMEM_NO_INDEX ? NULL : &program->ops.at[op->parent];
  bool is_first =
      around && program->blocks.at[op->block].region == around->first_region;
  switch (copy->edge) {
  case GMEM_EDGE_CALLEE:
  case GMEM_EDGE_RESULTS:
    return op->is_direct || (is_loop && copy->edge == GMEM_EDGE_RESULTS);
  case GMEM_EDGE_REGION:
    return op->flow == GMEM_PROOF_BRANCH ? copy->number < op->region_count
                                         : is_loop && copy->number == 0;
  case GMEM_EDGE_SUCCESSOR:
    return copy->number < mlirOperationGetNumSuccessors(op->op);
  case GMEM_EDGE_PARENT:
    return op->is_end && around && around->flow == GMEM_PROOF_BRANCH;
  case GMEM_EDGE_NEXT:
    return op->is_end && around &&
           (around->flow == GMEM_PROOF_FOR ||
            around->flow == GMEM_PROOF_WHILE) &&
           copy->number == (around->flow == GMEM_PROOF_WHILE && is_first);
  default:
    return op->is_end && !around;
  }
}

static gmem_status_t check_records(const checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  for (uint32_t i = 0; i < program->ops.count && program->has_copies; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->planned->copy_count; ++k)
      if (!has_edge(program, op, &op->planned->copies[k]))
        return gmem_op_error(checker->diag, GMEM_ERR_CORRUPT, op->op,
                             "gmem.copies #%u is on an edge that the op does "
                             "not have; plan again",
                             k);
  }
  return GMEM_OK;
}

//===--- instances --------------------------------------------------------===//

static bool has_instances(const checker_t *checker, uint32_t value) {
  const gmem_proof_program_t *program = checker->program;
  const gmem_proof_value_t *entry = value_at(checker, value);
  const gmem_proof_function_t *function =
      &program->functions.at[entry->function];
  uint32_t owner =
      program->regions.at[program->blocks.at[entry->block].region].owner;
  const gmem_proof_op_t *op = op_of(checker, value);
  bool is_alloc = op && op->model->kind == GMEM_OP_ALLOC;
  return (owner != GMEM_NO_INDEX && program->ops.at[owner].is_parallel) ||
         gmem_proof_has_instances(function) ||
         (is_alloc && function->may_run_any_time);
}

// Several instances of what concurrent or recursive code makes exist at once.
// Reports the lowest.
static gmem_status_t check_instances(const checker_t *checker) {
  const placed_t *lowest = NULL;
  for (size_t i = 0; i < checker->others.count; ++i) {
    const placed_t *placed = &checker->others.at[i];
    if (placed->value != GMEM_NO_INDEX &&
        has_instances(checker, placed->value) &&
        (!lowest || compare(placed, lowest) < 0))
      lowest = placed;
  }
  return lowest ? report_value(checker, lowest->value,
                               "has a place, but several instances of it may "
                               "exist at once")
                : GMEM_OK;
}

// The placed value that operand |number| of the op denotes or is a view of, if
// that may be made several times; GMEM_NO_INDEX: there is none.
static uint32_t find_repeated(const checker_t *checker,
                              const gmem_proof_op_t *op, uint32_t number) {
  const gmem_proof_program_t *program = checker->program;
  if (op->operands[number] == GMEM_NO_INDEX)
    return GMEM_NO_INDEX;
  gmem_proof_set_t sites = checker->memory->sites[op->operands[number]];
  for (uint32_t i = 0; i < sites.count; ++i) {
    if (sites.at[i] >= program->values.count) // memory from outside
      continue;
    const gmem_proof_value_t *site = value_at(checker, sites.at[i]);
    if (site->is_placed && !site->is_constant &&
        gmem_proof_may_repeat(program, site->block))
      return sites.at[i];
  }
  return GMEM_NO_INDEX;
}

// Deferred code may still use a value from outside when that is made again.
// Values of the code itself: check_instances.
static gmem_status_t check_deferred(const checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  for (uint32_t i = 0; i < program->ops.count && program->has_deferred; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0;
         k < op->read_count && op->is_deferred && op->is_parallel; ++k) {
      uint32_t value = find_repeated(checker, op, k);
      if (value != GMEM_NO_INDEX)
        return report_value(checker, value,
                            "has a place, but deferred code may use it when it "
                            "is made again");
    }
  }
  return GMEM_OK;
}

// Whether control flow may come to |block| again while its function runs once:
// it does not to what is inside of a branch.
static bool may_come_again(const gmem_proof_program_t *program,
                           uint32_t block) {
  for (;;) {
    uint32_t region = program->blocks.at[block].region;
    uint32_t owner = program->regions.at[region].owner;
    if (owner == GMEM_NO_INDEX || block != gmem_proof_entry(program, region) ||
        program->ops.at[owner].flow != GMEM_PROOF_BRANCH)
      return gmem_proof_may_repeat(program, block);
    block = program->ops.at[owner].block;
  }
}

// Whether |function| may run again while it or a caller of it goes on.
static bool may_run_again(const gmem_proof_program_t *program,
                          uint32_t function) {
  const gmem_proof_function_t *functions = program->functions.at;
  while (functions[function].mentions == 1 &&
         !functions[function].is_recursive) {
    const gmem_proof_op_t *op = &program->ops.at[functions[function].caller];
    if (may_come_again(program, op->block) || functions[function].in_table ||
        gmem_yields_function(op->op))
      return true;
    function = op->function;
  }
  return functions[function].mentions != 0 ||
         functions[function].may_run_any_time;
}

// Whether |function| runs only while |outer| does, by direct calls: the walk of
// that sees what it writes.
static bool runs_inside(const gmem_proof_program_t *program, uint32_t function,
                        uint32_t outer) {
  const gmem_proof_function_t *functions = program->functions.at;
  while (function != outer) {
    if (functions[function].mentions != 1 || functions[function].is_recursive ||
        functions[function].may_run_any_time ||
        functions[function].has_other_calls)
      return false;
    function = program->ops.at[functions[function].caller].function;
  }
  return true;
}

// |value|, of which |function| returns a list, may be used when other functions
// run.
static gmem_status_t check_lasting(const checker_t *checker, uint32_t value,
                                   uint32_t function) {
  const gmem_proof_value_t *entry = value_at(checker, value);
  placed_t own = {entry->buffer, value, entry->function, 0};
  if (may_run_again(checker->program, function) ||
      may_run_again(checker->program, own.function))
    return report_value(checker, value,
                        "has a place, but its function may run again when what "
                        "it has returned still stands for it");
  for (size_t i = 0; i < checker->others.count; ++i) {
    const placed_t *other = &checker->others.at[i];
    if (gmem_proof_do_meet(other->bytes, own.bytes) &&
        !runs_inside(checker->program, other->function, own.function) &&
        !runs_inside(checker->program, other->function, function))
      return report_shared(checker, &own, other,
                           "a list may still stand for one");
  }
  return GMEM_OK;
}

// Checks the lists and handles that return |op| returns.
static gmem_status_t check_returned(const checker_t *checker,
                                    const gmem_proof_op_t *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t returned = op->operands[i];
    if (returned == GMEM_NO_INDEX || !value_at(checker, returned)->is_memref)
      continue;
    gmem_proof_set_t sites = checker->memory->sites[returned];
    for (uint32_t k = 0; k < sites.count; ++k)
      if (sites.at[k] < checker->program->values.count &&
          value_at(checker, sites.at[k])->is_placed &&
          !value_at(checker, sites.at[k])->is_constant)
        GMEM_TRY(check_lasting(checker, sites.at[k], op->function));
  }
  return GMEM_OK;
}

// The walk does not know what a function returns that runs at any time, or that
// an op runs which is no call: lists of what it makes are checked here.
static gmem_status_t check_listed(const checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  for (uint32_t b = 0; b < program->blocks.count && checker->others.count;
       ++b) {
    const gmem_proof_op_t *op = gmem_proof_exit(program, b);
    if (!op || op->parent != GMEM_NO_INDEX || op->results.count)
      continue;
    const gmem_proof_function_t *function =
        &program->functions.at[op->function];
    if (function->may_run_any_time || function->has_other_calls)
      GMEM_TRY(check_returned(checker, op));
  }
  return GMEM_OK;
}

static gmem_status_t check_all(checker_t *checker) {
  GMEM_TRY(list(checker));
  GMEM_TRY(check_constants(checker));
  GMEM_TRY(check_writes(checker));
  GMEM_TRY(check_any_time(checker));
  GMEM_TRY(check_threads(checker));
  GMEM_TRY(check_returns(checker));
  GMEM_TRY(check_records(checker));
  GMEM_TRY(check_instances(checker));
  GMEM_TRY(check_deferred(checker));
  GMEM_TRY(check_listed(checker));
  return gmem_proof_escapes_check(checker->program, checker->memory,
                                  checker->symbols, checker->arena,
                                  checker->diag);
}

gmem_status_t gmem_proof_rules_check(const gmem_proof_program_t *program,
                                     const gmem_proof_memory_t *memory,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  checker_t checker = {.program = program,
                       .memory = memory,
                       .symbols = mlirSymbolTableCreate(program->scope),
                       .arena = arena,
                       .diag = diag};
  gmem_status_t status = check_all(&checker);
  if (!mlirSymbolTableIsNull(checker.symbols))
    mlirSymbolTableDestroy(checker.symbols);
  return status;
}
