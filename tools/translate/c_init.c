// c_init.c - the generated function that computes constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "c_write.h"

//===--- the comment ------------------------------------------------------===//

// Lists the structs that only init takes: "init_workspaces and init_parameters
// point".
static void list_own(const gmem_c_model_t *model, char *text, size_t size) {
  bool takes_workspaces = model->init.takes[GMEM_C_INIT_WORKSPACES];
  bool takes_parameters = model->init.takes[GMEM_C_INIT_PARAMETERS];
  snprintf(text, size, "%s%s%s point%s",
           takes_workspaces ? "|init_workspaces|" : "",
           takes_workspaces && takes_parameters ? " and " : "",
           takes_parameters ? "|init_parameters|" : "",
           takes_workspaces && takes_parameters ? "" : "s");
}

// How init makes constants.
static const char *work_of(const gmem_c_model_t *model) {
  return !model->transforms.count
             ? "Computes the constants that depend on nothing but other "
               "constants"
         : model->init.count
             ? "Makes constants with the transforms, and computes those that "
               "depend on nothing but other constants"
             : "Makes constants with the transforms";
}

static bool has_own(const gmem_c_model_t *model) {
  return model->init.takes[GMEM_C_INIT_WORKSPACES] ||
         model->init.takes[GMEM_C_INIT_PARAMETERS];
}

void gmem_c_document_init(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool has_flag = gmem_c_has_ready_flag(model);
  bool is_called = model->options.entry == GMEM_C_ENTRY_OPERATORS;
  char own[80] = "";
  if (!gmem_c_has_init(model))
    return;
  list_own(model, own, sizeof own);
  gmem_c_print(
      out,
      "\n^// %s, "
      "in the pool%s of constants, which run only reads. Call it once before "
      "the first run, and after a failure again before any run; no run may be "
      "in progress.%s%s%s Returns the statuses above%s%s.%s\n",
      work_of(model), model->ports[GMEM_C_PARAMETERS].count > 1 ? "s" : "",
      has_own(model) ? " What " : "", own + (has_own(model) ? 0 : strlen(own)),
      has_own(model) ? " to is not used any more when it has returned." : "",
      is_called && model->init.count ? ", or that of an operator" : "",
      !model->transforms.count         ? ""
      : is_called && model->init.count ? " or a transform"
                                       : ", or that of a transform",
      has_flag ? " Until it has succeeded, run returns UNINITIALISED." : "");
  gmem_c_head_of_run(model, true, ";", out);
}

//===--- the function -----------------------------------------------------===//

static void write_call(const gmem_c_model_t *model, size_t index,
                       gmem_c_text_t *out) {
  const gmem_c_init_t *init = &model->init;
  char symbol[GMEM_C_SYMBOL];
  if (init->functions) {
    gmem_c_print(out, index || model->transforms.count
                          ? "  if (status == $_OK)\n  "
                          : "");
    gmem_c_print(out, "  status = @_function_%zu(&memory, user);\n",
                 init->functions[index]);
    return;
  }
  gmem_c_init_symbol(index, symbol);
  bool may_fail = model->transforms.count > 0, is_block = init->count > 1;
  gmem_c_print(out, may_fail   ? "  if (status == $_OK) {\n"
                    : is_block ? "  {\n"
                               : "");
  gmem_c_write_compiled_call(model, &init->entries[index], symbol, out);
  gmem_c_print(out, may_fail || is_block ? "  }\n" : "");
}

void gmem_c_write_init(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool has_flag = gmem_c_has_ready_flag(model);
  if (!gmem_c_has_init(model))
    return;
  if (has_flag)
    gmem_c_print(out, "\n// Whether init has succeeded.\n"
                      "static unsigned char @_is_ready;\n");
  gmem_c_print(out, "\n");
  gmem_c_head_of_run(model, true, " {", out);
  gmem_c_write_begin(model, true, out);
  if (has_flag)
    gmem_c_print(out, "  @_is_ready = 0;\n");
  gmem_c_write_transforms(model, out);
  for (size_t i = 0; i < model->init.count; ++i)
    write_call(model, i, out);
  if (has_flag)
    gmem_c_print(out, "  @_is_ready = status == $_OK;\n");
  gmem_c_write_end(model, out);
}
