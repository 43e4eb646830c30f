// pass_options.c - parses pass options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "gmem/memories.h"
#include "numbers.h"

void gmem_model_options_init(gmem_model_options_t *options) {
  *options = (gmem_model_options_t){.sharing = GMEM_SHARE_ALL,
                                    .view_alignment = 64,
                                    .io_tags = 5,
                                    .memref_alignment = 64,
                                    .memrefs = true};
}

void gmem_plan_options_init_sized(gmem_plan_options_t *options,
                                  size_t struct_size) {
  gmem_plan_options_t defaults = {.struct_size = (uint32_t)struct_size,
                                  .algorithm = gmem_algorithm_find("auto"),
                                  .effort = GMEM_EFFORT_NORMAL,
                                  .alignment = 4096,
                                  .weight_alignment = 4096,
                                  .weight_base = 0,
                                  .tensor_base = GMEM_AFTER_WEIGHTS,
                                  .capacity = GMEM_UNLIMITED,
                                  .weight_order = GMEM_WEIGHTS_BY_WALK,
                                  .arena_mode = GMEM_ARENA_ALLOC,
                                  .index_bits = 64,
                                  .report_format = GMEM_REPORT_TEXT,
                                  .report_output = "-"};
  gmem_model_options_init(&defaults.model);
  memcpy(options, &defaults,
         struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

gmem_status_t gmem_plan_options_check(const gmem_plan_options_t *options,
                                      gmem_diag_t *diag) {
  if (options->struct_size == sizeof *options)
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "options.struct_size is %u, not %zu: initialize the "
                   "options with gmem_plan_options_init",
                   (unsigned)options->struct_size, sizeof *options);
}

//===--- names ------------------------------------------------------------===//

static const char *const sharing_words[] = {"inplace", "destination", "slice",
                                            "concat", "transfer"};
static const char *const io_words[] = {"shared", "separate", "tagged"};
static const char *const format_words[] = {"text", "json", "remarks"};
static const char *const order_words[] = {"walk", "name", "first-use"};
static const char *const arena_words[] = {"alloc", "arg", "global"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// The index of the word equal to the |length| bytes at |text|, or -1.
static int find_word(const char *const *words, size_t count, const char *text,
                     size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
      return (int)i;
  return -1;
}

static bool is_text(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

bool gmem_sharing_find(const char *text, size_t length, uint32_t *out_sharing) {
  uint32_t sharing = 0;
  if (is_text(text, length, "all"))
    return *out_sharing = GMEM_SHARE_ALL, true;
  if (is_text(text, length, "none"))
    return *out_sharing = 0, true;
  for (size_t begin = 0, end; begin <= length; begin = end + 1) {
    for (end = begin; end < length && text[end] != '+' && text[end] != ',';)
      ++end;
    int word = find_word(sharing_words, COUNT(sharing_words), text + begin,
                         end - begin);
    if (word < 0)
      return false;
    sharing |= UINT32_C(1) << word;
  }
  *out_sharing = sharing;
  return true;
}

void gmem_sharing_write(uint32_t sharing, char *text, size_t size) {
  if (sharing == 0 || sharing == GMEM_SHARE_ALL) {
    snprintf(text, size, "%s", sharing ? "all" : "none");
    return;
  }
  size_t length = 0;
  for (size_t i = 0; i < COUNT(sharing_words) && length < size; ++i)
    if (sharing & UINT32_C(1) << i)
      length += (size_t)snprintf(text + length, size - length, "%s%s",
                                 length ? "+" : "", sharing_words[i]);
}

const char *gmem_sharing_name(gmem_sharing_t kind) {
  for (size_t i = 0; i < COUNT(sharing_words); ++i)
    if ((uint32_t)kind == UINT32_C(1) << i)
      return sharing_words[i];
  return NULL;
}

const char *gmem_arena_mode_name(gmem_arena_mode_t mode) {
  return arena_words[mode];
}

const char *gmem_io_name(gmem_io_t io) { return io_words[io]; }

bool gmem_io_find(const char *text, size_t length, gmem_io_t *out_io) {
  int word = find_word(io_words, COUNT(io_words), text, length);
  if (word >= 0)
    *out_io = (gmem_io_t)word;
  return word >= 0;
}

//===--- values -----------------------------------------------------------===//

static gmem_status_t set_alignment(uint64_t *field, const char *name,
                                   const char *value, gmem_diag_t *diag) {
  uint64_t number;
  if (!gmem_parse_bytes(value, &number) || !number || number & (number - 1) ||
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
  else if (!gmem_parse_bytes(value, &number))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s='%s' is not a number of bytes%s", name, value, others);
  *field = number;
  return GMEM_OK;
}

bool gmem_flag_find(const char *text, bool *out_flag) {
  // An option given without a value is true.
  bool yes = !*text || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
    return false;
  *out_flag = yes;
  return true;
}

static gmem_status_t set_bool(bool *field, const char *name, const char *value,
                              gmem_diag_t *diag) {
  return gmem_flag_find(value, field)
             ? GMEM_OK
             : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                         "%s='%s' is neither true nor false", name, value);
}

// The built-in algorithms, followed by those of |options|; NULL past the end.
static const gmem_algorithm_t *algorithm_at(const gmem_plan_options_t *options,
                                            size_t index) {
  size_t built_in = gmem_algorithm_count();
  if (index < built_in)
    return gmem_algorithm_at(index);
  size_t more = options->more ? options->more->count : 0;
  return index - built_in < more ? options->more->at[index - built_in] : NULL;
}

static gmem_status_t set_algorithm(gmem_plan_options_t *options,
                                   const char *value, gmem_diag_t *diag) {
  char known[200] = "";
  const gmem_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = algorithm_at(options, i)); ++i) {
    if (strcmp(algorithm->name, value) == 0) {
      options->algorithm = algorithm;
      return GMEM_OK;
    }
    size_t length = strlen(known);
    snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
             algorithm->name);
  }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "algorithm='%s' is not one of: %s", value, known);
}

static gmem_status_t set_effort(gmem_plan_options_t *options, const char *value,
                                gmem_diag_t *diag) {
  if (gmem_effort_find(value, &options->effort))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "effort='%s' is not one of: fast, normal, exhaustive",
                   value);
}

// Copies a path, or several, shorter than |size| bytes.
static gmem_status_t set_paths(char *field, size_t size, const char *name,
                               const char *value, gmem_diag_t *diag) {
  size_t length = strlen(value);
  if (length >= size)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s: the value is longer than %zu bytes", name, size - 1);
  memcpy(field, value, length + 1);
  return GMEM_OK;
}

static gmem_status_t set_report_format(gmem_plan_options_t *options,
                                       const char *value, gmem_diag_t *diag) {
  int word = find_word(format_words, COUNT(format_words), value, strlen(value));
  if (word < 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "format='%s' is not one of: text, json, remarks", value);
  options->report_format = (gmem_report_format_t)word;
  return GMEM_OK;
}

//===--- capacities of pools ----------------------------------------------===//

bool gmem_space_capacity_next(const char **at, MlirStringRef *out_name,
                              uint64_t *out_bytes) {
  const char *equals = strchr(*at, '=');
  size_t length = strcspn(*at, ","), name = equals ? (size_t)(equals - *at) : 0;
  char number[32];
  if (!name || name >= length || length - name > sizeof number)
    return false;
  memcpy(number, equals + 1, length - name - 1);
  number[length - name - 1] = '\0';
  *out_name = mlirStringRefCreate(*at, name);
  *at += length + ((*at)[length] == ',');
  return gmem_parse_bytes(number, out_bytes) && *out_bytes;
}

static gmem_status_t set_space_capacity(gmem_plan_options_t *options,
                                        const char *value, gmem_diag_t *diag) {
  MlirStringRef name;
  uint64_t bytes;
  size_t length = strlen(value);
  bool is_good = length < sizeof options->space_capacity &&
                 (!length || value[length - 1] != ',');
  for (const char *at = value; is_good && *at;)
    is_good = gmem_space_capacity_next(&at, &name, &bytes);
  if (!is_good)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "space-capacity='%.200s' is not a comma-separated list "
                     "of POOL=BYTES",
                     value);
  memcpy(options->space_capacity, value, length + 1);
  return GMEM_OK;
}

//===--- memories ---------------------------------------------------------===//

static gmem_status_t set_pools(gmem_plan_options_t *options, const char *value,
                               gmem_diag_t *diag) {
  size_t length = strlen(value);
  gmem_memories_t memories;
  gmem_diag_t found;
  if (length >= sizeof options->pools)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "pools: the value is longer than %zu bytes; use pool-file",
                     sizeof options->pools - 1);
  gmem_status_t status =
      gmem_memories_read(value, length, NULL, &memories, &found);
  if (status != GMEM_OK)
    return gmem_fail(diag, status, "pools: %.240s", found.text);
  gmem_memories_free(&memories, NULL);
  memcpy(options->pools, value, length + 1);
  return GMEM_OK;
}

//===--- model options ----------------------------------------------------===//

static gmem_status_t set_sharing(gmem_model_options_t *model, const char *value,
                                 gmem_diag_t *diag) {
  if (gmem_sharing_find(value, strlen(value), &model->sharing))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "sharing='%s' is not all, none or a '+'-separated list of: "
                   "inplace, destination, slice, concat, transfer",
                   value);
}

static gmem_status_t set_io(gmem_model_options_t *model, const char *value,
                            gmem_diag_t *diag) {
  if (gmem_io_find(value, strlen(value), &model->io))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "io='%s' is not one of: shared, separate, tagged", value);
}

static gmem_status_t set_io_tags(gmem_model_options_t *model, const char *value,
                                 gmem_diag_t *diag) {
  uint64_t number;
  if (!gmem_parse_count(value, 1, GMEM_MAX_IO_TAGS, &number))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "io-tags='%s' is not a number from 1 to %u", value,
                     GMEM_MAX_IO_TAGS);
  model->io_tags = (uint32_t)number;
  return GMEM_OK;
}

static gmem_status_t set_dynamic_bound(gmem_model_options_t *model,
                                       const char *value, gmem_diag_t *diag) {
  uint64_t number = 0;
  if (strcmp(value, "none") != 0 &&
      !gmem_parse_count(value, 1, GMEM_MAX_ADDRESS, &number))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "dynamic-bound='%s' is not a number of elements or none",
                     value);
  model->dynamic_bound = number;
  return GMEM_OK;
}

static gmem_status_t set_weight_order(gmem_plan_options_t *options,
                                      const char *value, gmem_diag_t *diag) {
  int word = find_word(order_words, COUNT(order_words), value, strlen(value));
  if (word < 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "weight-order='%s' is not one of: walk, name, first-use",
                     value);
  options->weight_order = (gmem_weight_order_t)word;
  return GMEM_OK;
}

// "allocate" is accepted because MLIR's own arena pass uses it.
static gmem_status_t set_arena_mode(gmem_plan_options_t *options,
                                    const char *value, gmem_diag_t *diag) {
  int word =
      strcmp(value, "allocate") == 0
          ? GMEM_ARENA_ALLOC
          : find_word(arena_words, COUNT(arena_words), value, strlen(value));
  if (word < 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "arena-mode='%s' is not one of: alloc, arg, global",
                     value);
  options->arena_mode = (gmem_arena_mode_t)word;
  return GMEM_OK;
}

static gmem_status_t set_weights(gmem_plan_options_t *options,
                                 const char *value, gmem_diag_t *diag) {
  bool is_image = strcmp(value, "image") == 0;
  if (!is_image && strcmp(value, "keep") != 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "weights='%s' is neither keep nor image", value);
  options->weight_image = is_image;
  return GMEM_OK;
}

static gmem_status_t set_index_bits(gmem_plan_options_t *options,
                                    const char *value, gmem_diag_t *diag) {
  bool is_32 = strcmp(value, "32") == 0;
  if (!is_32 && strcmp(value, "64") != 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "index-bitwidth='%s' is neither 32 nor 64", value);
  options->index_bits = is_32 ? 32 : 64;
  return GMEM_OK;
}

static gmem_status_t set_model(gmem_model_options_t *model, const char *name,
                               const char *value, gmem_diag_t *diag) {
  if (strcmp(name, "keep-inputs") == 0)
    return set_bool(&model->keep_inputs, name, value, diag);
  if (strcmp(name, "sharing") == 0)
    return set_sharing(model, value, diag);
  if (strcmp(name, "view-alignment") == 0)
    return set_alignment(&model->view_alignment, name, value, diag);
  if (strcmp(name, "io") == 0)
    return set_io(model, value, diag);
  if (strcmp(name, "io-tags") == 0)
    return set_io_tags(model, value, diag);
  if (strcmp(name, "dynamic-bound") == 0)
    return set_dynamic_bound(model, value, diag);
  if (strcmp(name, "memref-alignment") == 0)
    return set_alignment(&model->memref_alignment, name, value, diag);
  if (strcmp(name, "share-weights") == 0)
    return set_bool(&model->share_weights, name, value, diag);
  if (strcmp(name, "allocas") == 0)
    return set_bool(&model->allocas, name, value, diag);
  if (strcmp(name, "memrefs") == 0)
    return set_bool(&model->memrefs, name, value, diag);
  return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "unknown option '%s'", name);
}

gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                    const char *name, const char *value,
                                    gmem_diag_t *diag) {
  GMEM_TRY(gmem_plan_options_check(options, diag));
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
  if (strcmp(name, "space-capacity") == 0)
    return set_space_capacity(options, value, diag);
  if (strcmp(name, "pools") == 0)
    return set_pools(options, value, diag);
  if (strcmp(name, "pool-file") == 0)
    return set_paths(options->pool_file, sizeof options->pool_file, name, value,
                     diag);
  if (strcmp(name, "op-models") == 0)
    return set_paths(options->op_models, sizeof options->op_models, name, value,
                     diag);
  if (strcmp(name, "format") == 0)
    return set_report_format(options, value, diag);
  if (strcmp(name, "output") == 0)
    return set_paths(options->report_output, sizeof options->report_output,
                     name, value, diag);
  if (strcmp(name, "weight-order") == 0)
    return set_weight_order(options, value, diag);
  if (strcmp(name, "arena-mode") == 0)
    return set_arena_mode(options, value, diag);
  if (strcmp(name, "weights") == 0)
    return set_weights(options, value, diag);
  if (strcmp(name, "noalias-arguments") == 0)
    return set_bool(&options->noalias_arguments, name, value, diag);
  if (strcmp(name, "index-bitwidth") == 0)
    return set_index_bits(options, value, diag);
  return set_model(&options->model, name, value, diag);
}
