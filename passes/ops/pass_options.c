// pass_options.c - parses pass options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "gmem/memories.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "numbers.h"
#include "option_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// An option with a value in bytes: also a word that stands for a number.
typedef struct word_s {
  const char *text; // NULL ends a list
  uint64_t value;
} word_t;

typedef struct option_s option_t;
struct option_s {
  const char *name;
  const char *usual;   // default value
  size_t offset, size; // of the member
  // Sets the option; leaves |options| unchanged when it fails.
  gmem_status_t (*set)(const option_t *option, const char *value,
                       gmem_plan_options_t *options, gmem_diag_t *diag);
  const char *const *words; // NULL-terminated; the index is the value
  const word_t *numbers;    // accepted besides a number
  const char *wanted;       // "a number of bytes"
};

static void *member_of(const option_t *option,
                       const gmem_plan_options_t *options) {
  return (char *)options + option->offset;
}

static void store(const option_t *option, gmem_plan_options_t *options,
                  uint64_t value) {
  gmem_member_store(member_of(option, options), option->size, value);
}

static uint64_t load(const option_t *option,
                     const gmem_plan_options_t *options) {
  return gmem_member_load(member_of(option, options), option->size);
}

//===--- words ------------------------------------------------------------===//

static const char *const io_words[] = {"shared", "separate", "tagged", NULL};
static const char *const format_words[] = {"text", "json", "remarks", NULL};
static const char *const order_words[] = {"walk", "name", "first-use", NULL};
static const char *const arena_words[] = {"alloc", "arg", "global", NULL};
static const char *const weights_words[] = {"keep", "image", NULL};
static const char *const index_words[] = {"32", "64", NULL};
static const char *const sharing_words[] = {"inplace", "destination", "slice",
                                            "concat",  "transfer",    NULL};

static const char *const debug_words[] = {"program", "liveness", "sharing",
                                          "pools",   "problem",  NULL};

// The index of the word equal to the |length| bytes at |text|, or -1.
static int find_word(const char *const *words, const char *text,
                     size_t length) {
  for (int i = 0; words[i]; ++i)
    if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
      return i;
  return -1;
}

bool gmem_flag_find(const char *text, bool *out_flag) {
  // An option given without a value is true.
  static const char *const words[] = {"false", "true", "0", "1", "", NULL};
  int word = find_word(words, text, strlen(text));
  if (word >= 0)
    *out_flag = word % 2 != 0 || !*text;
  return word >= 0;
}

// Parses |words|, separated by '+' or ',', as a set of their indices.
static bool find_words(const char *const *words, const char *text,
                       size_t length, uint32_t *out_set) {
  uint32_t set = 0;
  for (size_t begin = 0, end; begin <= length; begin = end + 1) {
    for (end = begin; end < length && text[end] != '+' && text[end] != ',';)
      ++end;
    int word = find_word(words, text + begin, end - begin);
    if (word < 0)
      return false;
    set |= UINT32_C(1) << word;
  }
  *out_set = set;
  return true;
}

bool gmem_sharing_find(const char *text, size_t length, uint32_t *out_sharing) {
  static const char *const whole[] = {"none", "all", NULL};
  int word = find_word(whole, text, length);
  if (word >= 0)
    return *out_sharing = word ? GMEM_SHARE_ALL : 0, true;
  return find_words(sharing_words, text, length, out_sharing);
}

const char *gmem_debug_name(gmem_debug_t phase) {
  for (size_t i = 0; debug_words[i]; ++i)
    if ((uint32_t)phase == UINT32_C(1) << i)
      return debug_words[i];
  return NULL;
}

void gmem_sharing_write(uint32_t sharing, char *text, size_t size) {
  size_t length = 0;
  bool is_list = sharing && sharing != GMEM_SHARE_ALL;
  if (!is_list)
    snprintf(text, size, "%s", sharing ? "all" : "none");
  for (size_t i = 0; is_list && sharing_words[i] && length < size; ++i)
    if (sharing & UINT32_C(1) << i)
      length += (size_t)snprintf(text + length, size - length, "%s%s",
                                 length ? "+" : "", sharing_words[i]);
}

const char *gmem_sharing_name(gmem_sharing_t kind) {
  for (size_t i = 0; sharing_words[i]; ++i)
    if ((uint32_t)kind == UINT32_C(1) << i)
      return sharing_words[i];
  return NULL;
}

const char *gmem_arena_mode_name(gmem_arena_mode_t mode) {
  return arena_words[mode];
}

//===--- values -----------------------------------------------------------===//

static gmem_status_t refuse(const option_t *option, const char *value,
                            gmem_diag_t *diag) {
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s='%.200s' is not %s",
                   option->name, value, option->wanted);
}

static gmem_status_t set_flag(const option_t *option, const char *value,
                              gmem_plan_options_t *options, gmem_diag_t *diag) {
  return gmem_flag_find(value, member_of(option, options))
             ? GMEM_OK
             : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                         "%s='%s' is neither true nor false", option->name,
                         value);
}

static gmem_status_t set_word(const option_t *option, const char *value,
                              gmem_plan_options_t *options, gmem_diag_t *diag) {
  const char *const *words = option->words;
  assert(words && words[0] && words[1]);
  int word = find_word(words, value, strlen(value));
  if (word >= 0)
    return store(option, options, (uint64_t)word), GMEM_OK;
  return words[2] ? gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                              "%s='%s' is not one of: %s, %s, %s", option->name,
                              value, words[0], words[1], words[2])
                  : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                              "%s='%s' is neither %s nor %s", option->name,
                              value, words[0], words[1]);
}

// "allocate" is accepted because MLIR's own arena pass uses it.
static gmem_status_t set_arena_mode(const option_t *option, const char *value,
                                    gmem_plan_options_t *options,
                                    gmem_diag_t *diag) {
  bool is_alias = strcmp(value, "allocate") == 0;
  return set_word(option, is_alias ? "alloc" : value, options, diag);
}

static gmem_status_t set_index_bits(const option_t *option, const char *value,
                                    gmem_plan_options_t *options,
                                    gmem_diag_t *diag) {
  GMEM_TRY(set_word(option, value, options, diag));
  options->index_bits = options->index_bits ? 64 : 32;
  return GMEM_OK;
}

static gmem_status_t set_effort(const option_t *option, const char *value,
                                gmem_plan_options_t *options,
                                gmem_diag_t *diag) {
  return gmem_effort_find(value, &options->effort)
             ? GMEM_OK
             : refuse(option, value, diag);
}

static gmem_status_t set_sharing(const option_t *option, const char *value,
                                 gmem_plan_options_t *options,
                                 gmem_diag_t *diag) {
  return gmem_sharing_find(value, strlen(value), &options->model.sharing)
             ? GMEM_OK
             : refuse(option, value, diag);
}

// Bytes, or a word.
static gmem_status_t set_bytes(const option_t *option, const char *value,
                               gmem_plan_options_t *options,
                               gmem_diag_t *diag) {
  uint64_t number;
  const word_t *word = option->numbers;
  while (word && word->text && strcmp(word->text, value) != 0)
    ++word;
  if (word && word->text)
    number = word->value;
  else if (!gmem_parse_bytes(value, &number))
    return refuse(option, value, diag);
  return store(option, options, number), GMEM_OK;
}

static gmem_status_t set_alignment(const option_t *option, const char *value,
                                   gmem_plan_options_t *options,
                                   gmem_diag_t *diag) {
  uint64_t number;
  if (!gmem_parse_bytes(value, &number) || !number || number & (number - 1) ||
      number > GMEM_MAX_ALIGNMENT)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s='%s' is not a power of two of at most %" PRIu64,
                     option->name, value, GMEM_MAX_ALIGNMENT);
  return store(option, options, number), GMEM_OK;
}

static gmem_status_t set_io_tags(const option_t *option, const char *value,
                                 gmem_plan_options_t *options,
                                 gmem_diag_t *diag) {
  uint64_t number;
  if (!gmem_parse_count(value, 1, GMEM_MAX_IO_TAGS, &number))
    return refuse(option, value, diag);
  return store(option, options, number), GMEM_OK;
}

static gmem_status_t set_bound(const option_t *option, const char *value,
                               gmem_plan_options_t *options,
                               gmem_diag_t *diag) {
  uint64_t number = 0;
  if (strcmp(value, "none") != 0 &&
      !gmem_parse_count(value, 1, GMEM_MAX_ADDRESS, &number))
    return refuse(option, value, diag);
  return store(option, options, number), GMEM_OK;
}

// Copies a text that is shorter than the member.
static gmem_status_t set_text(const option_t *option, const char *value,
                              gmem_plan_options_t *options, gmem_diag_t *diag) {
  assert(option->size >= 2);
  size_t length = strlen(value);
  if (length >= option->size)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s: the value is longer than %zu bytes%s", option->name,
                     option->size - 1, option->wanted ? option->wanted : "");
  memcpy(member_of(option, options), value, length + 1);
  return GMEM_OK;
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

static gmem_status_t set_algorithm(const option_t *option, const char *value,
                                   gmem_plan_options_t *options,
                                   gmem_diag_t *diag) {
  char known[200] = "";
  const gmem_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = algorithm_at(options, i)); ++i) {
    if (strcmp(algorithm->name, value) == 0)
      return options->algorithm = algorithm, GMEM_OK;
    size_t length = strlen(known);
    snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
             algorithm->name);
  }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s='%s' is not one of: %s",
                   option->name, value, known);
}

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

static gmem_status_t set_debug(const option_t *option, const char *value,
                               gmem_plan_options_t *options,
                               gmem_diag_t *diag) {
  if (!*value)
    return options->debug = 0, GMEM_OK;
  return find_words(debug_words, value, strlen(value), &options->debug)
             ? GMEM_OK
             : refuse(option, value, diag);
}

static gmem_status_t set_space_capacity(const option_t *option,
                                        const char *value,
                                        gmem_plan_options_t *options,
                                        gmem_diag_t *diag) {
  MlirStringRef name;
  uint64_t bytes;
  size_t length = strlen(value);
  bool is_good = length < option->size && (!length || value[length - 1] != ',');
  for (const char *at = value; is_good && *at;)
    is_good = gmem_space_capacity_next(&at, &name, &bytes);
  return is_good ? set_text(option, value, options, diag)
                 : refuse(option, value, diag);
}

static gmem_status_t set_pools(const option_t *option, const char *value,
                               gmem_plan_options_t *options,
                               gmem_diag_t *diag) {
  gmem_memories_t memories;
  gmem_diag_t found;
  if (strlen(value) >= option->size)
    return set_text(option, value, options, diag);
  gmem_status_t status =
      gmem_memories_read(value, strlen(value), NULL, &memories, &found);
  if (status != GMEM_OK)
    return gmem_fail(diag, status, "pools: %.240s", found.text);
  gmem_memories_free(&memories, NULL);
  return set_text(option, value, options, diag);
}

//===--- the table --------------------------------------------------------===//

static const word_t base_words[] = {
    {"after-weights", GMEM_AFTER_WEIGHTS}, {"none", GMEM_NO_BASE}, {NULL, 0}};
static const word_t capacity_words[] = {{"unlimited", GMEM_UNLIMITED},
                                        {NULL, 0}};

// The columns that the kinds of option_table.h stand for.
#define FLAG .set = set_flag
#define ALIGNMENT .set = set_alignment
#define TEXT .set = set_text
#define WORD_BY(form, list) .set = set_##form, .words = list##_words
#define WORD(list) WORD_BY(word, list)
#define BYTES(what) .set = set_bytes, .wanted = (what)
#define BYTES_OR(list, what) BYTES(what), .numbers = list##_words
#define OTHER(form, what) .set = set_##form, .wanted = (what)

#define ROW(option, default_value, kind, member, help)                         \
  {.name = (option),                                                           \
   .usual = (default_value),                                                   \
   GMEM_MEMBER(gmem_plan_options_t, member),                                   \
   kind},
static const option_t all_options[] = {
    GMEM_TENSOR_OPTIONS(ROW) GMEM_WEIGHT_OPTIONS(ROW) GMEM_MEMORY_OPTIONS(ROW)
        GMEM_COMMON_OPTIONS(ROW) GMEM_REPORT_OPTIONS(ROW) GMEM_INDEX_OPTION(ROW)
            GMEM_SCOPE_OPTION(ROW) GMEM_ARENA_OPTIONS(ROW)};

gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                    const char *name, const char *value,
                                    gmem_diag_t *diag) {
  GMEM_TRY(gmem_plan_options_check(options, diag));
  for (size_t i = 0; i < COUNT(all_options); ++i)
    if (strcmp(name, all_options[i].name) == 0)
      return all_options[i].set(&all_options[i], value, options, diag);
  return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "unknown option '%s'", name);
}

void gmem_plan_options_init_sized(gmem_plan_options_t *options,
                                  size_t struct_size) {
  gmem_plan_options_t made = {.struct_size = (uint32_t)struct_size};
  for (const option_t *option = all_options;
       option < all_options + COUNT(all_options); ++option) {
    bool is_good = !*option->usual ||
                   option->set(option, option->usual, &made, NULL) == GMEM_OK;
    assert(is_good);
    (void)is_good;
  }
  memcpy(options, &made, struct_size < sizeof made ? struct_size : sizeof made);
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

//===--- gmem.plan --------------------------------------------------------===//

static bool is_model_option(const option_t *option) {
  return option->offset >= offsetof(gmem_plan_options_t, model) &&
         option->offset < offsetof(gmem_plan_options_t, model) +
                              sizeof(gmem_model_options_t);
}

// Writes the key of an option in gmem.plan: "keep_inputs" of "keep-inputs".
static void write_key(const option_t *option, char *key, size_t size) {
  snprintf(key, size, "%s", option->name);
  for (char *c = key; (c = strchr(c, '-'));)
    *c = '_';
}

// Options with default values are omitted to keep plans short, except for
// keep_inputs.
static bool is_recorded(const option_t *option,
                        const gmem_plan_options_t *options,
                        const gmem_plan_options_t *usual) {
  if (!is_model_option(option))
    return false;
  if (option->set == set_io_tags)
    return options->model.io == GMEM_IO_TAGGED;
  return option->offset == offsetof(gmem_plan_options_t, model.keep_inputs) ||
         load(option, options) != load(option, usual);
}

static MlirAttribute as_attribute(MlirContext context, const option_t *option,
                                  const gmem_plan_options_t *options) {
  char text[GMEM_SHARING_TEXT_SIZE];
  uint64_t value = load(option, options);
  if (option->set == set_flag)
    return mlirBoolAttrGet(context, value != 0);
  if (option->words)
    return gmem_text_attribute(context, option->words[value]);
  if (option->set != set_sharing)
    return gmem_i64_attribute(context, (int64_t)value);
  gmem_sharing_write((uint32_t)value, text, sizeof text);
  return gmem_text_attribute(context, text);
}

size_t gmem_model_options_write(
    const gmem_model_options_t *model, MlirContext context,
    MlirNamedAttribute out_entries[GMEM_MAX_MODEL_OPTIONS]) {
  gmem_plan_options_t options = {.model = *model}, usual;
  gmem_plan_options_init(&usual);
  size_t count = 0;
  for (size_t i = 0; i < COUNT(all_options); ++i) {
    char key[32];
    if (!is_recorded(&all_options[i], &options, &usual))
      continue;
    assert(count < GMEM_MAX_MODEL_OPTIONS);
    write_key(&all_options[i], key, sizeof key);
    out_entries[count++] =
        gmem_named(key, as_attribute(context, &all_options[i], &options));
  }
  return count;
}

// Sets an option from its attribute; false for an invalid one.
static bool set_from(const option_t *option, MlirAttribute value,
                     gmem_plan_options_t *options) {
  char text[GMEM_SHARING_TEXT_SIZE];
  MlirStringRef string;
  int64_t number;
  bool is_text = option->words || option->set == set_sharing;
  if (option->set == set_flag)
    return mlirAttributeIsABool(value) &&
           (store(option, options, mlirBoolAttrGetValue(value)), true);
  if (is_text && gmem_string_get(value, &string) && string.length < sizeof text)
    snprintf(text, sizeof text, "%.*s", (int)string.length, string.data);
  else if (!is_text && gmem_i64_get(value, &number))
    snprintf(text, sizeof text, "%" PRId64, number);
  else
    return false;
  return option->set(option, text, options, NULL) == GMEM_OK;
}

bool gmem_model_options_read(MlirAttribute dictionary,
                             gmem_model_options_t *out_model) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  for (size_t i = 0; i < COUNT(all_options); ++i) {
    char key[32];
    write_key(&all_options[i], key, sizeof key);
    MlirAttribute value =
        mlirDictionaryAttrGetElementByName(dictionary, gmem_string(key));
    if (is_model_option(&all_options[i]) && !mlirAttributeIsNull(value) &&
        !set_from(&all_options[i], value, &options))
      return false;
  }
  *out_model = options.model;
  return true;
}
