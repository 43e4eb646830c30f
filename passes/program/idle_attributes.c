// idle_attributes.c - see idle_attributes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "idle_attributes.h"

#include "annotations.h"
#include "attribute_names.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_models.h"
#include "scope_memories.h"
#include "scopes.h"
#include "type_models.h"

// The first place where something has no effect, and how many there are.
typedef struct idle_s {
  const char *reason;
  MlirLocation location;
  MlirOperation op;
  size_t count;
} idle_t;

typedef struct review_s {
  const gmem_program_t *program;
  bool has_targets; // a memory here lists the targets that reach it
  idle_t attributes[GMEM_ATTR_COUNT];
} review_t;

static const char no_memory[] = "nothing here needs memory";
static const char no_dynamic[] = "no dimension here is dynamic";
static const char in_group[] =
    "values in the regions of this op have no global memory";

static void add_idle(idle_t *idle, const char *reason, MlirOperation op) {
  if (idle->count++ == 0) {
    idle->reason = reason;
    idle->op = op;
    idle->location = mlirOperationGetLocation(op);
  }
}

//===--- places -----------------------------------------------------------===//

// Whether |list|, such as "op, function argument", has the word |place|.
static bool lists_place(const char *list, const char *place) {
  size_t length = strlen(place);
  for (const char *at = list; *at;) {
    size_t word = strcspn(at, ",");
    if (word == length && memcmp(at, place, length) == 0)
      return true;
    at += word;
    at += strspn(at, ", ");
  }
  return false;
}

static bool defines_function(MlirOperation op) {
  return !mlirAttributeIsNull(gmem_op_attribute(op, "function_type"));
}

static bool is_in_function(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op);
       op = mlirOperationGetParentOperation(op))
    if (defines_function(op))
      return true;
  return false;
}

// What the attribute is on, in the words of the vocabulary; NULL: anything may
// be there.
static const char *place_of(const review_t *review,
                            const gmem_own_attribute_t *own) {
  if (own->holder != GMEM_HOLDER_OP)
    return own->holder == GMEM_HOLDER_ARGUMENT ? "function argument"
                                               : "function result";
  if (mlirOperationEqual(own->op, review->program->scope))
    return "module";
  if (defines_function(own->op))
    return "function";
  return is_in_function(own->op) ? "op" : NULL;
}

//===--- ops --------------------------------------------------------------===//

static bool needs_memory(const gmem_program_t *program, MlirValue value) {
  uint64_t ignored;
  return gmem_value_size(program->models, value, NULL, &ignored) !=
         GMEM_TYPE_NO_MEMORY;
}

static bool is_dynamic(MlirType type) {
  return mlirTypeIsAShaped(type) &&
         (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasStaticShape(type));
}

// Whether a region around |op| is opaque, so that only its constants count.
static bool is_in_opaque(const gmem_program_t *program, MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(op) && !defines_function(op);
       op = mlirOperationGetParentOperation(op)) {
    gmem_op_kind_t kind = gmem_op_models_find(program->models, op)->kind;
    if (kind == GMEM_OP_LAYER_GROUP || kind == GMEM_OP_SCALAR_BODY ||
        gmem_attribute_is(gmem_op_annotation(op, GMEM_ATTR_LAYER_GROUP),
                          mlirAttributeIsAUnit))
      return true;
  }
  return false;
}

static const char *reason_of_group(const gmem_own_attribute_t *own) {
  if (mlirAttributeIsAUnit(own->value))
    return mlirOperationGetNumRegions(own->op)
               ? NULL
               : "an op without regions is no layer group (an integer says to "
                 "which one it belongs)";
  return gmem_ends_block(own->op) ? "a terminator is in no layer group" : NULL;
}

// Why an attribute about the results of the op has no effect, or NULL.
static const char *reason_of_results(const gmem_program_t *program,
                                     gmem_attr_t name, MlirOperation op) {
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    any |= name == GMEM_ATTR_UPPER_BOUND ? is_dynamic(mlirValueGetType(result))
                                         : needs_memory(program, result);
  }
  if (name == GMEM_ATTR_POOLS)
    any |= !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_WORKBUFFERS));
  return any ? NULL : name == GMEM_ATTR_UPPER_BOUND ? no_dynamic : no_memory;
}

static const char *reason_at_op(const gmem_program_t *program, gmem_attr_t name,
                                const gmem_own_attribute_t *own) {
  switch (name) {
  case GMEM_ATTR_LAYER_GROUP:
    return reason_of_group(own);
  case GMEM_ATTR_STREAM:
  case GMEM_ATTR_WAIT:
    return is_in_opaque(program, own->op) ? in_group : NULL;
  case GMEM_ATTR_TRANSFORM:
  case GMEM_ATTR_SOURCE:
    return is_in_opaque(program, own->op) &&
                   gmem_op_models_find(program->models, own->op)->kind !=
                       GMEM_OP_WEIGHT
               ? in_group
               : NULL;
  case GMEM_ATTR_HOLD:
  case GMEM_ATTR_PADDING:
  case GMEM_ATTR_UPPER_BOUND:
    if (is_in_opaque(program, own->op))
      return in_group;
    if (name == GMEM_ATTR_HOLD && gmem_yields_handle(program->models, own->op))
      return NULL; // it keeps what a list stands for
    return reason_of_results(program, name, own->op);
  case GMEM_ATTR_FIXED:
  case GMEM_ATTR_POOLS:
  case GMEM_ATTR_SENSITIVE:
  case GMEM_ATTR_TAG:
  case GMEM_ATTR_MEMORY_GROUP:
    return reason_of_results(program, name, own->op);
  default:
    return NULL;
  }
}

//===--- functions --------------------------------------------------------===//

static const char *reason_at_argument(const gmem_program_t *program,
                                      gmem_attr_t name,
                                      const gmem_own_attribute_t *own) {
  MlirBlock entry = mlirOperationGetNumRegions(own->op)
                        ? gmem_entry_block(own->op)
                        : (MlirBlock){NULL};
  bool has_body =
      !mlirBlockIsNull(entry) && own->number < mlirBlockGetNumArguments(entry);
  if (name == GMEM_ATTR_NO_CAPTURE)
    return has_body ? "the function is not a declaration: its body says it"
                    : NULL;
  if (!has_body || !gmem_has_argument_attributes(own->op))
    return "the function has no body that gmem plans";
  MlirValue argument = mlirBlockGetArgument(entry, own->number);
  uint32_t value = gmem_program_find(program, argument);
  if (name == GMEM_ATTR_UPPER_BOUND)
    return is_dynamic(mlirValueGetType(argument)) ? NULL : no_dynamic;
  if (value == GMEM_NO_INDEX)
    return no_memory;
  if (name == GMEM_ATTR_STATE && mlirTypeIsAMemRef(mlirValueGetType(argument)))
    return "the caller has the memory of a memref";
  return name == GMEM_ATTR_WEIGHT && !program->values[value].weight_argument
             ? "the function is called, so that what its calls pass decides"
             : NULL;
}

static gmem_status_t review_attribute(const gmem_own_attribute_t *own,
                                      void *user) {
  review_t *review = user;
  gmem_attr_t name = gmem_attribute_find(own->name);
  const char *place = place_of(review, own), *reason = NULL;
  if (name == GMEM_ATTR_COUNT || !place ||
      strcmp(gmem_vocabulary[name].side, "input") != 0)
    return GMEM_OK;
  if (!lists_place(gmem_vocabulary[name].on, place))
    reason = "";
  else if (name == GMEM_ATTR_TARGET && !review->has_targets)
    reason = "no memory here lists the targets that reach it";
  else if (own->holder == GMEM_HOLDER_ARGUMENT)
    reason = reason_at_argument(review->program, name, own);
  else if (strcmp(place, "op") == 0)
    reason = reason_at_op(review->program, name, own);
  if (reason)
    add_idle(&review->attributes[name], reason, own->op);
  return GMEM_OK;
}

static void report_attribute(gmem_attr_t name, const idle_t *idle) {
  char more[48] = "";
  if (idle->count > 1)
    snprintf(more, sizeof more, " (%zu more place%s)", idle->count - 1,
             idle->count > 2 ? "s" : "");
  if (idle->reason[0])
    gmem_warning(idle->location, "%s has no effect: %s%s",
                 gmem_vocabulary[name].name, idle->reason, more);
  else
    gmem_warning(idle->location,
                 "%s has no effect here: it is an attribute of: %s%s",
                 gmem_vocabulary[name].name, gmem_vocabulary[name].on, more);
}

//===--- kinds ------------------------------------------------------------===//

// Whether the model is the op's own or one of the scope, not built in.
static bool is_users(const gmem_program_t *program,
                     const gmem_program_op_t *op) {
  for (const gmem_op_models_t *models = program->models;
       models && models->outer; models = models->outer)
    if (op->model >= models->models &&
        op->model < models->models + models->count)
      return true;
  return !mlirAttributeIsNull(gmem_op_annotation(op->op, GMEM_ATTR_OP_MODEL));
}

static const char *reason_of_kind(const gmem_program_op_t *op) {
  switch (op->model->kind) {
  case GMEM_OP_LAYER_GROUP:
  case GMEM_OP_SCALAR_BODY:
  case GMEM_OP_PARALLEL:
  case GMEM_OP_BRANCH:
  case GMEM_OP_FOR:
  case GMEM_OP_WHILE:
  case GMEM_OP_LOOP:
    return mlirOperationGetNumRegions(op->op) ? NULL : "the op has no regions";
  case GMEM_OP_WEIGHT:
  case GMEM_OP_INPUT:
  case GMEM_OP_NONE:
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
  case GMEM_OP_GLOBAL:
    return mlirOperationGetNumResults(op->op) ? NULL : "the op has no results";
  case GMEM_OP_RESHAPE:
  case GMEM_OP_VIEW:
  case GMEM_OP_DEALLOC:
    return mlirOperationGetNumOperands(op->op) ? NULL
                                               : "the op has no operands";
  default:
    return NULL;
  }
}

// One warning for each kind.
static void report_kinds(const gmem_program_t *program) {
  idle_t kinds[GMEM_OP_GLOBAL + 1] = {{.count = 0}};
  for (size_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    const char *reason = reason_of_kind(op);
    if (reason && is_users(program, op))
      add_idle(&kinds[op->model->kind], reason, op->op);
  }
  for (int i = 0; i <= GMEM_OP_GLOBAL; ++i) {
    char more[48] = "";
    if (!kinds[i].count)
      continue;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(kinds[i].op));
    if (kinds[i].count > 1)
      snprintf(more, sizeof more, " (%zu more place%s)", kinds[i].count - 1,
               kinds[i].count > 2 ? "s" : "");
    gmem_warning(kinds[i].location,
                 "the op model's kind \"%s\" has no effect on '%.*s': %s%s",
                 gmem_op_kind_name((gmem_op_kind_t)i), (int)name.length,
                 name.data, kinds[i].reason, more);
  }
}

// True also if the memories cannot be read, which is an error elsewhere.
static bool has_targets(MlirOperation scope) {
  const gmem_memory_t *memories;
  size_t count;
  gmem_diag_t unread;
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  bool any = gmem_scope_memories_read(scope, &arena, &memories, &count,
                                      &unread) != GMEM_OK;
  for (size_t i = 0; i < count && !any; ++i)
    any = memories[i].target_count > 0;
  gmem_bump_destroy(&arena);
  return any;
}

void gmem_idle_attributes_report(const gmem_program_t *program) {
  review_t review = {.program = program,
                     .has_targets = has_targets(program->scope)};
  (void)gmem_for_each_own_attribute(program->scope, review_attribute, &review);
  for (int i = 0; i < GMEM_ATTR_COUNT; ++i)
    if (review.attributes[i].count)
      report_attribute((gmem_attr_t)i, &review.attributes[i]);
  report_kinds(program);
}
