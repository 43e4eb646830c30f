// c_make.c - makes the content of the C files from a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // asprintf

#include "c_make.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_init_model.h"
#include "c_transforms_model.h"
#include "diag.h"

enum { IMAGE_DIGEST = 32 }; // offset of the SHA-256 digest in an image

//===--- names of pools and tensors ---------------------------------------===//

static const char *hint_for(const char *kind) {
  return strcmp(kind, "tensor") == 0 ? "; use --names=numbers to number tensors"
                                     : "";
}

static gmem_status_t make_identifier(const char *kind, const char *name,
                                     char out[GMEM_C_NAME], gmem_diag_t *diag) {
  if (gmem_c_identifier(name, out))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "%s '%.80s' has no valid name in C: it contains no letter "
                   "or digit, or more than %d characters%s",
                   kind, name, GMEM_C_NAME - 1, hint_for(kind));
}

static gmem_status_t check_free(const char *kind, const char *name,
                                const char *identifier, gmem_diag_t *diag) {
  if (!gmem_c_is_taken(identifier))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "%s '%.80s' would be named '%.80s' in C, which is reserved "
                   "by C, C++ or their headers%s",
                   kind, name, identifier, hint_for(kind));
}

// Appends a pool to those of the model.
static gmem_status_t add_pool(gmem_c_model_t *model,
                              const gmem_planned_pool_t *pool,
                              gmem_diag_t *diag) {
  gmem_c_pool_t *names = &model->pools[model->pool_count++];
  gmem_c_label_t *label = &names->label;
  names->plan = pool;
  GMEM_TRY(make_identifier("pool", pool->name, label->name, diag));
  GMEM_TRY(check_free("pool", pool->name, label->name, diag));
  gmem_c_capitals(label->name, names->capitals);
  snprintf(label->stem, sizeof label->stem, "%s_%s", names->capitals,
           pool->constant ? "PARAMETER" : "WORKSPACE");
  names->is_constant = pool->constant;
  names->is_init = pool->is_init;
  names->serves_run = pool->size > 0 && !pool->is_init;
  names->serves_init = pool->size > 0 && pool->is_init;
  return GMEM_OK;
}

static gmem_status_t add_pools(gmem_c_model_t *model, gmem_diag_t *diag) {
  const gmem_c_transforms_t *transforms = &model->transforms;
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    GMEM_TRY(add_pool(model, gmem_planned_pool(model->planned, i), diag));
  for (int i = 0; i < GMEM_C_TRANSFORM_POOLS; ++i)
    if (transforms->pools[i].size)
      GMEM_TRY(add_pool(model, &transforms->pools[i], diag));
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(model->planned, i);
    bool is_computed =
        buffer->flags & (GMEM_PLANNED_COMPUTED | GMEM_PLANNED_TRANSFORMED);
    model->pools[buffer->pool].is_computed |= is_computed && buffer->size > 0;
  }
  return GMEM_OK;
}

static gmem_status_t name_buffers(gmem_c_model_t *model, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    gmem_c_label_t *label = &model->buffers[i];
    if (model->options.names == GMEM_C_NAMES_NUMBERS)
      snprintf(label->name, sizeof label->name, "t%u", i);
    else
      GMEM_TRY(make_identifier("tensor",
                               gmem_planned_buffer(model->planned, i)->name,
                               label->name, diag));
    gmem_c_capitals(label->name, label->stem);
  }
  return GMEM_OK;
}

//===--- inputs and outputs -----------------------------------------------===//

static gmem_status_t add_member(gmem_c_ports_t *ports,
                                const gmem_c_port_t *port, gmem_diag_t *diag) {
  gmem_c_port_t *grown = realloc(ports->at, (ports->count + 1) * sizeof *grown);
  if (!grown)
    return gmem_out_of_memory(diag);
  ports->at = grown;
  ports->at[ports->count++] = *port;
  return GMEM_OK;
}

// Whether the buffer is a state, or what is returned in its place.
static bool is_state(const gmem_c_model_t *model,
                     const gmem_planned_buffer_t *buffer) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    const gmem_planned_buffer_t *state = gmem_planned_buffer(model->planned, i);
    if ((state->flags & GMEM_PLANNED_STATE) && state->pool == buffer->pool &&
        state->payload_offset == buffer->payload_offset &&
        state->payload_size == buffer->payload_size)
      return true;
  }
  return false;
}

static gmem_status_t add_port(gmem_c_model_t *model, gmem_c_struct_t which,
                              uint32_t buffer, gmem_diag_t *diag) {
  const gmem_planned_buffer_t *planned =
      gmem_planned_buffer(model->planned, buffer);
  const gmem_c_port_t port = {.label = model->buffers[buffer],
                              .buffer = buffer,
                              .size = planned->payload_size};
  gmem_c_ports_t *ports = &model->ports[which];
  if (is_state(model, planned))
    return GMEM_OK; // neither the caller's: it is kept where it is
  for (size_t i = 0; i < ports->count; ++i)
    if (ports->at[i].buffer == buffer)
      return GMEM_OK; // returned twice: one output
  GMEM_TRY(check_free("tensor", planned->name, port.label.name, diag));
  return add_member(ports, &port, diag);
}

// Makes the pools members of their structs, and decides which structs run
// takes.
static gmem_status_t add_pool_ports(gmem_c_model_t *model, gmem_diag_t *diag) {
  const gmem_c_options_t *options = &model->options;
  gmem_c_ports_t *ports = model->ports;
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    const gmem_c_pool_t *pool = &model->pools[i];
    const gmem_c_port_t port = {.label = pool->label,
                                .size = model->pools[i].plan->size,
                                .is_aligned = true,
                                .is_computed = pool->is_computed};
    if (gmem_c_pool_is_used(pool))
      GMEM_TRY(add_member(&ports[gmem_c_struct_of(pool)], &port, diag));
  }
  ports[GMEM_C_INPUTS].is_given = ports[GMEM_C_OUTPUTS].is_given =
      options->entry != GMEM_C_ENTRY_NONE && options->io == GMEM_C_IO_CALLER;
  ports[GMEM_C_WORKSPACES].is_given =
      options->workspaces == GMEM_C_WORKSPACES_GIVEN &&
      ports[GMEM_C_WORKSPACES].count;
  ports[GMEM_C_PARAMETERS].is_given =
      options->parameters == GMEM_C_PARAMETERS_GIVEN &&
      ports[GMEM_C_PARAMETERS].count;
  ports[GMEM_C_INIT_PARAMETERS].is_given =
      options->parameters == GMEM_C_PARAMETERS_GIVEN &&
      ports[GMEM_C_INIT_PARAMETERS].count;
  ports[GMEM_C_INIT_WORKSPACES].is_given = ports[GMEM_C_INIT_WORKSPACES].count;
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    model->is_any_given |= ports[i].is_given;
  return GMEM_OK;
}

// Returns the terminator of the function.
static const gmem_planned_op_t *return_of(const gmem_c_model_t *model,
                                          size_t function) {
  const gmem_planned_function_t *entry =
      gmem_planned_function(model->planned, function);
  assert(entry->first_op < entry->end_op);
  return gmem_planned_op(model->planned, entry->end_op - 1);
}

static gmem_status_t add_operator_ports(gmem_c_model_t *model,
                                        gmem_diag_t *diag) {
  const gmem_planned_function_t *entry =
      gmem_planned_function(model->planned, model->calls.function);
  const gmem_planned_op_t *end = return_of(model, model->calls.function);
  for (size_t i = 0; i < entry->input_count; ++i) {
    if (entry->inputs[i] == GMEM_NO_BUFFER)
      return gmem_fail(
          diag, GMEM_ERR_UNSUPPORTED,
          "input %zu of function '%.80s' has no memory in the plan", i,
          entry->name);
    GMEM_TRY(add_port(model, GMEM_C_INPUTS, entry->inputs[i], diag));
  }
  for (size_t i = 0; i < end->operand_count; ++i) {
    if (end->operands[i] == GMEM_NO_BUFFER)
      return gmem_fail(
          diag, GMEM_ERR_UNSUPPORTED,
          "result %zu of function '%.80s' has no memory in the plan", i,
          entry->name);
    GMEM_TRY(add_port(model, GMEM_C_OUTPUTS, end->operands[i], diag));
  }
  return GMEM_OK;
}

//===--- calling operators ------------------------------------------------===//

static gmem_status_t choose_function(gmem_c_model_t *model, gmem_diag_t *diag) {
  const char *name = model->options.function;
  const gmem_planned_function_t *found = NULL;
  for (size_t i = 0; i < gmem_planned_function_count(model->planned); ++i) {
    const gmem_planned_function_t *function =
        gmem_planned_function(model->planned, i);
    if (name ? found || strcmp(function->name, name)
             : !function->is_entry || function->is_init)
      continue;
    if (found)
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                       "functions '%.80s' and '%.80s' are both entry "
                       "functions: select one with --function",
                       found->name, function->name);
    found = function;
    model->calls.function = i;
  }
  if (!found && name)
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                     "the module has no function '%.80s'", name);
  if (!found)
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                     "the module has no entry function: every function is "
                     "called by another one");
  if (found->is_init)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "function '%.80s' computes constants (gmem.init): select "
                     "one that requests run",
                     name);
  if (!found->is_entry)
    return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                     "function '%.80s' is called by other functions of the "
                     "module, so it is not an entry function",
                     name);
  return GMEM_OK;
}

// A location may be longer than the text of a gmem_diag_t.
static gmem_status_t fail_op(gmem_c_model_t *model, const gmem_planned_op_t *op,
                             gmem_diag_t *diag) {
  if (asprintf(&model->message,
               "op '%s' (%s) cannot be an operator call: %s; use "
               "--entry=compiled or --entry=none",
               op->name, op->location, op->why) < 0) {
    model->message = NULL;
    return gmem_out_of_memory(diag);
  }
  return gmem_fail(diag, GMEM_ERR_UNSUPPORTED, "%s", model->message);
}

// Checks that the function is a sequence of operators, and lists them.
static gmem_status_t list_operators(gmem_c_model_t *model, size_t function,
                                    gmem_diag_t *diag) {
  const gmem_planned_function_t *entry =
      gmem_planned_function(model->planned, function);
  if (entry->why)
    return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                     "function '%.80s' is not a sequence of operators: %s; use "
                     "--entry=compiled or --entry=none",
                     entry->name, entry->why);
  if (entry->first_op == entry->end_op ||
      return_of(model, function)->work != GMEM_PLANNED_RETURN)
    return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                     "function '%.80s' does not end with a return",
                     entry->name);
  for (size_t i = entry->first_op; i < entry->end_op; ++i) {
    const gmem_planned_op_t *op = gmem_planned_op(model->planned, i);
    if (op->work == GMEM_PLANNED_OTHER)
      return fail_op(model, op, diag);
    assert(model->calls.operator_count < gmem_planned_op_count(model->planned));
    if (op->work == GMEM_PLANNED_RUN)
      model->calls.operators[model->calls.operator_count++] = op->name;
    model->calls.has_copies |= op->copy_count > 0;
  }
  return GMEM_OK;
}

static gmem_status_t find_operators(gmem_c_model_t *model, gmem_diag_t *diag) {
  GMEM_TRY(choose_function(model, diag));
  size_t count = gmem_planned_function_count(model->planned);
  model->calls.is_called = calloc(count, sizeof *model->calls.is_called);
  model->calls.operators = calloc(gmem_planned_op_count(model->planned) + 1,
                                  sizeof *model->calls.operators);
  if (!model->calls.is_called || !model->calls.operators)
    return gmem_out_of_memory(diag);
  GMEM_TRY(gmem_c_mark_called(model->planned, model->calls.function,
                              model->calls.is_called, diag));
  GMEM_TRY(gmem_c_init_find(model, diag));
  for (size_t i = 0; i < count; ++i)
    if (model->calls.is_called[i])
      GMEM_TRY(list_operators(model, i, diag));
  const char **names = model->calls.operators;
  model->calls.operator_count =
      gmem_c_sort_unique(names, model->calls.operator_count);
  char ignored[GMEM_C_NAME];
  for (size_t i = 0; i < model->calls.operator_count; ++i)
    GMEM_TRY(make_identifier("op", names[i], ignored, diag));
  return add_operator_ports(model, diag);
}

//===--- calling a compiled network ---------------------------------------===//

// Adds |port| with the name that its number gives it.
static gmem_status_t add_numbered(gmem_c_model_t *model, gmem_c_struct_t which,
                                  gmem_c_port_t port, gmem_diag_t *diag) {
  gmem_c_ports_t *ports = &model->ports[which];
  snprintf(port.label.name, sizeof port.label.name, "%s%zu",
           which == GMEM_C_OUTPUTS ? "output" : "input", ports->count);
  gmem_c_capitals(port.label.name, port.label.stem);
  return add_member(ports, &port, diag);
}

static gmem_status_t add_compiled_port(gmem_c_model_t *model,
                                       const gmem_c_argument_t *argument,
                                       gmem_diag_t *diag) {
  const gmem_c_port_t port = {.buffer = GMEM_NO_BUFFER,
                              .size = argument->bytes,
                              .alignment = argument->element,
                              .is_aligned = argument->element != 1};
  if (model->options.io == GMEM_C_IO_WORKSPACE)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "the compiled function takes inputs and outputs as "
                     "arguments: plan with workspace-io=true for "
                     "--io=workspace");
  return add_numbered(
      model, argument->is_output ? GMEM_C_OUTPUTS : GMEM_C_INPUTS, port, diag);
}

// The first op of this name in function |function| of the plan, or in any if
// that is NULL; as many as there are ops if there is none.
static size_t find_op(const gmem_planned_t *planned, const char *function,
                      const char *name) {
  for (size_t i = 0; i < gmem_planned_function_count(planned); ++i) {
    const gmem_planned_function_t *entry = gmem_planned_function(planned, i);
    bool is_it = !function || strcmp(entry->name, function) == 0;
    for (size_t k = entry->first_op; is_it && k < entry->end_op; ++k)
      if (strcmp(gmem_planned_op(planned, k)->name, name) == 0)
        return k;
  }
  return gmem_planned_op_count(planned);
}

static gmem_status_t add_place(gmem_c_model_t *model, gmem_c_struct_t which,
                               uint32_t operand, gmem_diag_t *diag) {
  assert(operand != GMEM_NO_BUFFER && "allocations are planned");
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(model->planned, operand);
  const gmem_c_port_t port = {.buffer = operand,
                              .size = buffer->payload_size,
                              .alignment = buffer->alignment};
  return add_numbered(model, which, port, diag);
}

// Adds the operands of gmem.inputs or gmem.outputs of the compiled function: of
// one op, or of several in a row. The next return has the same operands again.
static gmem_status_t add_places(gmem_c_model_t *model, gmem_c_struct_t which,
                                gmem_diag_t *diag) {
  const char *name = which == GMEM_C_INPUTS ? "gmem.inputs" : "gmem.outputs";
  size_t count = gmem_planned_op_count(model->planned);
  const gmem_planned_op_t *first = NULL;
  for (size_t k = find_op(model->planned, model->entry.name, name); k < count;
       ++k) {
    const gmem_planned_op_t *op = gmem_planned_op(model->planned, k);
    bool is_again = first && op->operand_count && first->operand_count &&
                    op->operands[0] == first->operands[0];
    if (strcmp(op->name, name) != 0 || is_again)
      break;
    first = first ? first : op;
    for (size_t i = 0; i < op->operand_count; ++i)
      GMEM_TRY(add_place(model, which, op->operands[i], diag));
  }
  return GMEM_OK;
}

static gmem_status_t find_compiled(gmem_c_model_t *model, MlirModule module,
                                   gmem_diag_t *diag) {
  bool is_caller = model->options.io == GMEM_C_IO_CALLER;
  int outputs = is_caller ? model->options.outputs : 0;
  if (is_caller &&
      find_op(model->planned, model->options.function, "gmem.inputs") <
          gmem_planned_op_count(model->planned))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "the plan has inputs and outputs in the workspace: use "
                     "--io=workspace");
  GMEM_TRY(gmem_c_entry_read(module, model->options.function, outputs,
                             &model->entry, diag));
  const gmem_c_entry_t *entry = &model->entry;
  GMEM_TRY(add_places(model, GMEM_C_INPUTS, diag));
  GMEM_TRY(add_places(model, GMEM_C_OUTPUTS, diag));
  // The caller provides only pools that are arguments.
  for (uint32_t i = 0; i < model->pool_count; ++i)
    model->pools[i].serves_run = model->pools[i].serves_init = false;
  for (size_t i = 0; i < entry->count; ++i)
    if (entry->arguments[i].pool)
      GMEM_TRY(gmem_c_match_arena(model, &entry->arguments[i], false, diag));
    else
      GMEM_TRY(add_compiled_port(model, &entry->arguments[i], diag));
  return gmem_c_init_find_compiled(model, module, diag);
}

//===--- name conflicts ---------------------------------------------------===//

// Names of every model, prefixed by its name or its name in capitals; each ends
// with a NUL.
static const char fixed[] =
    "call\0clear\0check_init_parameters\0check_init_workspaces\0check_inputs\0"
    "check_outputs\0check_parameters\0check_regions\0"
    "check_workspaces\0copy\0init\0init_parameters\0init_parameters_sizes\0"
    "init_workspaces\0init_workspaces_sizes\0input\0inputs\0inputs_sizes\0"
    "is_busy\0is_ready\0map_inputs\0map_"
    "outputs\0memory\0model\0model_clear\0model_init\0model_init_parameters\0"
    "model_init_workspaces\0model_inputs\0model_map\0model_outputs\0"
    "model_parameters\0model_reset\0model_run\0model_"
    "workspaces\0output\0outputs\0outputs_"
    "sizes\0"
    "parameters\0parameters_"
    "sizes\0region\0reset\0run\0status\0transform\0workbuffer\0"
    "workspaces\0workspaces_sizes\0zero\0";
static const char fixed_macros[] =
    "ALIGNAS\0BUSY\0CLEAR\0DIGEST\0ENTRY\0FORMAT\0H\0INDEX\0NULL\0OK\0OVERLAP\0"
    "TEST_AND_SET\0TOO_SMALL\0MISALIGNED\0UNINITIALISED\0";

static void add_words(gmem_c_names_t *names, const char *prefix,
                      const char *words) {
  for (const char *word = words; *word; word += strlen(word) + 1)
    gmem_c_names_add(names, "word", word, "%s_%s", prefix, word);
}

// Adds the macros of |stem| with each of |ends|, which end with NUL.
static void add_macros(gmem_c_names_t *names, const char *capitals,
                       const char *kind, const char *owner, const char *stem,
                       const char *ends) {
  for (const char *end = ends; *end; end += strlen(end) + 1)
    gmem_c_names_add(names, kind, owner, "%s_%s_%s", capitals, stem, end);
}

static void add_tensor(const gmem_c_model_t *model, const char *owner,
                       const char *stem, gmem_c_names_t *names) {
  add_macros(names, model->capitals, "tensor", owner, stem,
             "OFFSET\0SIZE\0ALIGNMENT\0");
}

// The same for a tensor with padding per dimension.
static void add_layout(const gmem_c_model_t *model, const char *owner,
                       const char *stem, gmem_c_names_t *names) {
  add_macros(names, model->capitals, "tensor", owner, stem,
             "STRIDES\0BEFORE\0AFTER\0VALID_BEGIN\0VALID_END\0");
}

// Adds the numbered functions and calls, and the operators, user-defined
// functions for every kind of op.
static void add_functions(const gmem_c_model_t *model, gmem_c_names_t *names) {
  const char *prefix = model->options.name;
  char identifier[GMEM_C_NAME];
  for (size_t f = 0; f < gmem_planned_function_count(model->planned); ++f) {
    const gmem_planned_function_t *function =
        gmem_planned_function(model->planned, f);
    gmem_c_names_add(names, "function", function->name, "%s_function_%zu",
                     prefix, f);
    for (size_t i = function->first_op; i < function->end_op; ++i)
      gmem_c_names_add(names, "op", gmem_planned_op(model->planned, i)->name,
                       "%s_call_%zu", prefix, i);
  }
  for (size_t i = 0; i < model->calls.operator_count; ++i) {
    (void)gmem_c_identifier(model->calls.operators[i], identifier); // checked
    gmem_c_names_add(names, "op", model->calls.operators[i], "%s_op_%s", prefix,
                     identifier);
  }
}

static gmem_status_t check_names(gmem_c_model_t *model, gmem_diag_t *diag) {
  gmem_c_names_t names = {0};
  add_words(&names, model->options.name, fixed);
  add_words(&names, model->capitals, fixed_macros);
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    const char *owner = model->pools[i].plan->name;
    const gmem_c_pool_t *pool = &model->pools[i];
    add_macros(&names, model->capitals, "pool", owner, pool->label.stem,
               "SIZE\0ALIGNMENT\0MAX\0ALIGNMENT_MAX\0");
    add_macros(&names, model->capitals, "pool", owner, pool->capitals,
               "BASE\0SECTION\0");
    gmem_c_names_add(&names, "pool", owner, "%s_%s_data", model->options.name,
                     pool->label.name);
  }
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(model->planned, i);
    add_tensor(model, buffer->name, model->buffers[i].stem, &names);
    if (buffer->layout)
      add_layout(model, buffer->name, model->buffers[i].stem, &names);
  }
  for (gmem_c_struct_t which = GMEM_C_INPUTS; which <= GMEM_C_OUTPUTS; ++which)
    for (size_t i = 0; i < model->ports[which].count; ++i) {
      const gmem_c_port_t *port = &model->ports[which].at[i];
      if (model->options.entry == GMEM_C_ENTRY_COMPILED)
        add_tensor(model, port->label.name, port->label.stem, &names);
    }
  if (model->calls.is_called) // operators are called
    add_functions(model, &names);
  for (size_t i = 0; i < model->transforms.name_count; ++i) {
    char identifier[GMEM_C_NAME];
    const char *name = model->transforms.names[i];
    GMEM_TRY(make_identifier("transform", name, identifier, diag));
    gmem_c_names_add(&names, "transform", name, "%s_transform_%s",
                     model->options.name, identifier);
  }
  for (uint32_t i = 0; i <= GMEM_C_MAX_RANK; ++i)
    gmem_c_names_add(&names, "word", "memref", "%s_memref_%u",
                     model->options.name, i);
  return gmem_c_names_check(&names, diag);
}

//===--- bytes ------------------------------------------------------------===//

// The first bytes of a plan image, which contain its digest.
typedef struct head_s {
  uint8_t bytes[IMAGE_DIGEST + 32];
  size_t count;
} head_t;

static gmem_status_t keep_head(void *user, const void *bytes, size_t size,
                               gmem_diag_t *diag) {
  (void)diag;
  head_t *head = user;
  assert(head->count <= sizeof head->bytes);
  size_t room = sizeof head->bytes - head->count;
  size_t taken = size < room ? size : room;
  memcpy(head->bytes + head->count, bytes, taken);
  head->count += taken;
  return GMEM_OK;
}

// Immutable workbuffers are filled at run time, so they cannot be const arrays.
static gmem_status_t check_immutables(const gmem_c_model_t *model,
                                      gmem_diag_t *diag) {
  if (model->options.parameters == GMEM_C_PARAMETERS_GIVEN ||
      model->options.entry == GMEM_C_ENTRY_NONE)
    return GMEM_OK;
  for (size_t i = 0; i < gmem_planned_workbuffer_count(model->planned); ++i) {
    const gmem_planned_workbuffer_t *work =
        gmem_planned_workbuffer(model->planned, i);
    if (work->immutable && work->thread_size)
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "workbuffer '%.80s' is immutable, so the caller must "
                       "provide and fill its pool (--parameters=given)",
                       gmem_planned_buffer(model->planned, work->buffer)->name);
  }
  return GMEM_OK;
}

// The file that defines the array of a pool.
static gmem_c_file_t choose_file(const gmem_c_options_t *options,
                                 const gmem_c_pool_t *pool) {
  bool is_static = options->workspaces == GMEM_C_WORKSPACES_STATIC;
  if (!gmem_c_pool_is_used(pool) ||
      !(pool->is_constant ? pool->bytes != NULL : is_static && !pool->is_init))
    return GMEM_C_NO_FILE;
  if (!pool->is_constant || options->parameters == GMEM_C_PARAMETERS_STATIC)
    return GMEM_C_SOURCE_FILE;
  return options->parameters == GMEM_C_PARAMETERS_GIVEN ? GMEM_C_DATA_FILE
                                                        : GMEM_C_NO_FILE;
}

// Sets the digest to that of |image|.
static gmem_status_t digest_image(gmem_c_model_t *model,
                                  const gmem_planned_image_t *image,
                                  gmem_diag_t *diag) {
  head_t head = {.count = 0};
  GMEM_TRY(gmem_plan_write_to(gmem_planned_image_desc(image), NULL, keep_head,
                              &head, diag));
  assert(head.count == sizeof head.bytes && "an image has a header");
  memcpy(model->digest, head.bytes + IMAGE_DIGEST, sizeof model->digest);
  return GMEM_OK;
}

// The image of a plan with an initialisation is that of its requests.
static gmem_status_t read_digest(gmem_c_model_t *model,
                                 const gmem_c_requests_t *requests,
                                 gmem_diag_t *diag) {
  const gmem_planned_image_options_t options = {
      .struct_size = sizeof options,
      .weights = GMEM_IMAGE_WEIGHTS_KNOWN,
      .computed_digest = requests->init};
  gmem_planned_image_t *image;
  if (!requests->planned)
    return digest_image(model, model->image, diag);
  GMEM_TRY(gmem_planned_image_create(requests->planned, &options, NULL, &image,
                                     diag));
  gmem_status_t status = digest_image(model, image, diag);
  gmem_planned_image_destroy(image);
  return status;
}

static gmem_status_t read_bytes(gmem_c_model_t *model,
                                const gmem_c_requests_t *requests,
                                gmem_diag_t *diag) {
  const gmem_c_options_t *options = &model->options;
  bool needs_all = options->parameters == GMEM_C_PARAMETERS_STATIC &&
                   (model->ports[GMEM_C_PARAMETERS].count ||
                    model->ports[GMEM_C_INIT_PARAMETERS].count) &&
                   options->entry != GMEM_C_ENTRY_NONE;
  const gmem_planned_image_options_t image = {
      .struct_size = sizeof image,
      .weights = needs_all ? GMEM_IMAGE_WEIGHTS_ALL : GMEM_IMAGE_WEIGHTS_KNOWN};
  GMEM_TRY(gmem_planned_image_create(model->planned, &image, NULL,
                                     &model->image, diag));
  GMEM_TRY(read_digest(model, requests, diag));
  const gmem_plan_desc_t *desc = gmem_planned_image_desc(model->image);
  for (uint32_t i = 0; i < desc->content_count; ++i)
    model->pools[desc->contents[i].region].bytes = desc->contents[i].bytes;
  if (model->transforms.pools[GMEM_C_SOURCES].size)
    model->pools[gmem_planned_pool_count(model->planned)].bytes =
        model->transforms.sources;
  for (uint32_t i = 0; i < model->pool_count; ++i)
    model->pools[i].file = choose_file(options, &model->pools[i]);
  return GMEM_OK;
}

//===--- the model --------------------------------------------------------===//

static gmem_status_t name_all(gmem_c_model_t *model, gmem_diag_t *diag) {
  const gmem_planned_t *planned = model->planned;
  if (!gmem_c_is_model_name(model->options.name))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "invalid model name '%.80s': expected a C identifier "
                     "without leading, trailing or double '_' that is not "
                     "reserved by C or C++ or the name of a standard header",
                     model->options.name);
  gmem_c_capitals(model->options.name, model->capitals);
  GMEM_TRY(gmem_c_transforms_read(planned, &model->transforms, diag));
  model->pools =
      calloc(gmem_planned_pool_count(planned) + (size_t)GMEM_C_TRANSFORM_POOLS,
             sizeof *model->pools);
  model->buffers =
      calloc(gmem_planned_buffer_count(planned) + 1u, sizeof *model->buffers);
  if (!model->pools || !model->buffers)
    return gmem_out_of_memory(diag);
  GMEM_TRY(add_pools(model, diag));
  return name_buffers(model, diag);
}

gmem_status_t gmem_c_model_make(const gmem_planned_t *planned,
                                const gmem_c_requests_t *requests,
                                const gmem_c_options_t *options,
                                MlirModule module, gmem_c_model_t *out_model,
                                gmem_diag_t *diag) {
  gmem_c_model_t *model = out_model;
  *model = (gmem_c_model_t){
      .planned = planned, .options = *options, .calls.function = SIZE_MAX};
  GMEM_TRY(name_all(model, diag));
  if (options->entry == GMEM_C_ENTRY_OPERATORS)
    GMEM_TRY(find_operators(model, diag));
  if (options->entry == GMEM_C_ENTRY_COMPILED)
    GMEM_TRY(find_compiled(model, module, diag));
  GMEM_TRY(gmem_c_transforms_mark(model, diag));
  GMEM_TRY(add_pool_ports(model, diag));
  GMEM_TRY(check_names(model, diag));
  GMEM_TRY(check_immutables(model, diag));
  GMEM_TRY(gmem_c_init_check(model, diag));
  return read_bytes(model, requests, diag);
}

void gmem_c_model_free(gmem_c_model_t *model) {
  gmem_planned_image_destroy(model->image);
  gmem_c_entry_free(&model->entry);
  gmem_c_init_free(&model->init);
  gmem_c_transforms_free(&model->transforms);
  free(model->calls.operators);
  free(model->calls.is_called);
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    free(model->ports[i].at);
  free(model->buffers);
  free(model->pools);
  *model = (gmem_c_model_t){0};
}
