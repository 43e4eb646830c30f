// pass_options.c - pass options from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "gmem/passes.h"

void gmem_plan_options_init(gmem_plan_options_t *options) {
  *options = (gmem_plan_options_t){
      .algorithm = gmem_algorithm_find("auto"),
      .effort = GMEM_EFFORT_NORMAL,
      .alignment = 4096,
      .weight_alignment = 4096,
      .weight_base = 0,
      .tensor_base = GMEM_AFTER_WEIGHTS,
      .capacity = GMEM_UNLIMITED,
      .model = {.sharing = GMEM_SHARE_ALL, .view_alignment = 64}};
}

// Decimal or 0x..., at most GMEM_MAX_ADDRESS.
static bool parse_number(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  unsigned long long value = strtoull(text, &end, base);
  if (text[0] < '0' || text[0] > '9' || *end || errno ||
      value > GMEM_MAX_ADDRESS)
    return false;
  *out = value;
  return true;
}

static gmem_status_t set_alignment(uint64_t *field, const char *name,
                                   const char *value, gmem_diag_t *diag) {
  uint64_t number;
  if (!parse_number(value, &number) || !number || number & (number - 1) ||
      number > GMEM_MAX_ALIGNMENT)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s='%s' is not a power of two of at most %" PRIu64, name,
                     value, GMEM_MAX_ALIGNMENT);
  *field = number;
  return GMEM_OK;
}

static gmem_status_t set_number(uint64_t *field, const char *name,
                                const char *value, const char *word,
                                uint64_t meaning, const char *others,
                                gmem_diag_t *diag) {
  uint64_t number;
  if (word && strcmp(value, word) == 0)
    number = meaning;
  else if (!parse_number(value, &number))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s='%s' is not a number of bytes%s", name, value, others);
  *field = number;
  return GMEM_OK;
}

static gmem_status_t set_bool(bool *field, const char *name, const char *value,
                              gmem_diag_t *diag) {
  // A flag that is named without a value is set.
  bool yes = !*value || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
  if (!yes && strcmp(value, "false") != 0 && strcmp(value, "0") != 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s='%s' is neither true nor false", name, value);
  *field = yes;
  return GMEM_OK;
}

static gmem_status_t set_algorithm(gmem_plan_options_t *options,
                                   const char *value, gmem_diag_t *diag) {
  const gmem_algorithm_t *algorithm = gmem_algorithm_find(value);
  if (algorithm) {
    options->algorithm = algorithm;
    return GMEM_OK;
  }
  char known[160] = "";
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    size_t length = strlen(known);
    snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
             gmem_algorithm_at(i)->name);
  }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "algorithm='%s' is none of: %s", value, known);
}

static gmem_status_t set_effort(gmem_plan_options_t *options, const char *value,
                                gmem_diag_t *diag) {
  if (gmem_effort_find(value, &options->effort))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "effort='%s' is none of: fast, normal, exhaustive", value);
}

static gmem_status_t set_op_models(gmem_plan_options_t *options,
                                   const char *value, gmem_diag_t *diag) {
  size_t length = strlen(value);
  if (length >= sizeof options->op_models)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "op-models: the paths have more than %d bytes",
                     GMEM_MAX_OP_MODELS_PATHS - 1);
  memcpy(options->op_models, value, length + 1);
  return GMEM_OK;
}

gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                    const char *name, const char *value,
                                    gmem_diag_t *diag) {
  if (strcmp(name, "algorithm") == 0)
    return set_algorithm(options, value, diag);
  if (strcmp(name, "effort") == 0)
    return set_effort(options, value, diag);
  if (strcmp(name, "alignment") == 0)
    return set_alignment(&options->alignment, name, value, diag);
  if (strcmp(name, "weight-alignment") == 0)
    return set_alignment(&options->weight_alignment, name, value, diag);
  if (strcmp(name, "weight-base") == 0)
    return set_number(&options->weight_base, name, value, NULL, 0, "", diag);
  if (strcmp(name, "tensor-base") == 0) {
    if (strcmp(value, "none") == 0)
      return options->tensor_base = GMEM_NO_BASE, GMEM_OK;
    return set_number(&options->tensor_base, name, value, "after-weights",
                      GMEM_AFTER_WEIGHTS, ", after-weights or none", diag);
  }
  if (strcmp(name, "capacity") == 0)
    return set_number(&options->capacity, name, value, "unlimited",
                      GMEM_UNLIMITED, " or unlimited", diag);
  if (strcmp(name, "op-models") == 0)
    return set_op_models(options, value, diag);
  if (strcmp(name, "keep-inputs") == 0)
    return set_bool(&options->model.keep_inputs, name, value, diag);
  return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no option '%s'", name);
}
