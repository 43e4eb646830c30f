// pass_options.c - parses pass options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attribute_codec.h"
#include "diag.h"
#include "diagnostics.h"
#include "gmem/memories.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "numbers.h"
#include "option_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// A word that stands for a value.
typedef struct word_s {
  const char *text; // NULL ends a list
  uint64_t value;
} word_t;

typedef struct option_s option_t;

// A value that is given for an option.
typedef struct setting_s {
  const option_t *option;
  const char *value;
  gmem_plan_options_t *options;
  gmem_diag_t *diag;
} setting_t;

// The value of an option is a text, by |set|, or else a number: a word, or what
// |parse| accepts.
struct option_s {
  const char *name;
  const char *usual;   // default value
  size_t offset, size; // of the member
  const word_t *words; // or NULL; the first of a value is its name
  bool (*parse)(const char *text, uint64_t *out_value); // or NULL
  // Sets the option; leaves |options| unchanged when it fails.
  gmem_status_t (*set)(const setting_t *setting);
  const char *problem; // "not a number of bytes"
};

static void *member_of(const option_t *option,
                       const gmem_plan_options_t *options) {
  return (char *)options + option->offset;
}

static uint64_t load(const option_t *option,
                     const gmem_plan_options_t *options) {
  return gmem_member_load(member_of(option, options), option->size);
}

//===--- words ------------------------------------------------------------===//

// An option given without a value is true.
static const word_t flag_words[] = {{"false", 0}, {"true", 1}, {"0", 0},
                                    {"1", 1},     {"", 1},     {NULL, 0}};
// In the order of their enums.
static const word_t io_words[] = {
    {"shared", 0}, {"separate", 1}, {"tagged", 2}, {NULL, 0}};
static const word_t format_words[] = {
    {"text", 0}, {"json", 1}, {"remarks", 2}, {NULL, 0}};
static const word_t order_words[] = {
    {"walk", 0}, {"name", 1}, {"first-use", 2}, {NULL, 0}};
// "allocate" is accepted because MLIR's own arena pass uses it.
static const word_t arena_words[] = {
    {"alloc", 0}, {"arg", 1}, {"global", 2}, {"allocate", 0}, {NULL, 0}};
static const word_t weights_words[] = {{"keep", 0}, {"image", 1}, {NULL, 0}};
static const word_t verify_words[] = {
    {"all", 0}, {"contents", 1}, {"placement", 2}, {NULL, 0}};
static const word_t figures_words[] = {{"remark", 0}, {"strict", 1}, {NULL, 0}};
static const word_t constants_words[] = {{"keep", 0}, {"hoist", 1}, {NULL, 0}};
static const word_t objective_words[] = {{"peak", GMEM_OBJECTIVE_PEAK},
                                         {"weighted", GMEM_OBJECTIVE_WEIGHTED},
                                         {"penalty", GMEM_OBJECTIVE_PENALTY},
                                         {NULL, 0}};
static const word_t order_mode_words[] = {{"given", 0}, {"best", 1}, {NULL, 0}};
static const word_t budget_words[] = {{"none", GMEM_UNLIMITED}, {NULL, 0}};
static const word_t index_words[] = {{"32", 32}, {"64", 64}, {NULL, 0}};
static const word_t base_words[] = {
    {"after-weights", GMEM_AFTER_WEIGHTS}, {"none", GMEM_NO_BASE}, {NULL, 0}};
static const word_t capacity_words[] = {{"unlimited", GMEM_UNLIMITED},
                                        {NULL, 0}};
static const word_t bound_words[] = {{"none", 0}, {NULL, 0}};
// Of sets: the empty one, for sharing also the full one, and the members.
static const word_t sharing_words[] = {
    {"none", 0}, {"all", GMEM_SHARE_ALL}, {NULL, 0}};
static const word_t sharing_kinds[] = {
    {"inplace", GMEM_SHARE_INPLACE},   {"destination", GMEM_SHARE_DESTINATION},
    {"slice", GMEM_SHARE_SLICE},       {"concat", GMEM_SHARE_CONCAT},
    {"transfer", GMEM_SHARE_TRANSFER}, {NULL, 0}};
static const word_t debug_words[] = {{"", 0}, {NULL, 0}};
static const word_t debug_phases[] = {{"program", GMEM_DEBUG_PROGRAM},
                                      {"liveness", GMEM_DEBUG_LIVENESS},
                                      {"sharing", GMEM_DEBUG_SHARING},
                                      {"pools", GMEM_DEBUG_POOLS},
                                      {"problem", GMEM_DEBUG_PROBLEM},
                                      {"plan", GMEM_DEBUG_PLAN},
                                      {NULL, 0}};

// Finds the word equal to the |length| bytes at |text|.
static bool find_word(const word_t *words, const char *text, size_t length,
                      uint64_t *out_value) {
  for (; words && words->text; ++words)
    if (strlen(words->text) == length && memcmp(words->text, text, length) == 0)
      return *out_value = words->value, true;
  return false;
}

static const char *name_of(const word_t *words, uint64_t value) {
  while (words->text && words->value != value)
    ++words;
  return words->text;
}

bool gmem_flag_find(const char *text, bool *out_flag) {
  uint64_t flag;
  bool is_flag = find_word(flag_words, text, strlen(text), &flag);
  if (is_flag)
    *out_flag = flag != 0;
  return is_flag;
}

const char *gmem_debug_name(gmem_debug_t phase) {
  return name_of(debug_phases, phase);
}

const char *gmem_sharing_name(gmem_sharing_t kind) {
  return name_of(sharing_kinds, kind);
}

const char *gmem_arena_mode_name(gmem_arena_mode_t mode) {
  return name_of(arena_words, mode);
}

//===--- numbers ----------------------------------------------------------===//

// Parses words, separated by '+' or ',', as a set.
static bool parse_set(const word_t *words, const char *text,
                      uint64_t *out_set) {
  *out_set = 0;
  for (size_t length;; text += length + 1) {
    uint64_t member;
    length = strcspn(text, "+,");
    if (!find_word(words, text, length, &member))
      return false;
    *out_set |= member;
    if (!text[length])
      return true;
  }
}

static bool parse_sharing(const char *text, uint64_t *out_set) {
  return parse_set(sharing_kinds, text, out_set);
}

static bool parse_debug(const char *text, uint64_t *out_set) {
  return parse_set(debug_phases, text, out_set);
}

static bool parse_alignment(const char *text, uint64_t *out_bytes) {
  static_assert(GMEM_MAX_ALIGNMENT == 1099511627776, "as the messages say");
  return gmem_parse_bytes(text, out_bytes) && *out_bytes &&
         !(*out_bytes & (*out_bytes - 1)) && *out_bytes <= GMEM_MAX_ALIGNMENT;
}

static bool parse_io_tags(const char *text, uint64_t *out_count) {
  return gmem_parse_count(text, 1, GMEM_MAX_IO_TAGS, out_count);
}

static bool parse_what_if(const char *text, uint64_t *out_number) {
  return gmem_parse_count(text, 0, GMEM_MOST_WHAT_IFS, out_number);
}

static bool parse_bound(const char *text, uint64_t *out_count) {
  return gmem_parse_count(text, 1, GMEM_MAX_ADDRESS, out_count);
}

static bool parse_effort(const char *text, uint64_t *out_effort) {
  gmem_effort_t effort = GMEM_EFFORT_NORMAL;
  bool is_effort = gmem_effort_find(text, &effort);
  *out_effort = effort;
  return is_effort;
}

static gmem_status_t refuse(const setting_t *setting) {
  return gmem_fail(setting->diag, GMEM_ERR_INVALID_ARGUMENT,
                   "%s='%.200s' is %s", setting->option->name, setting->value,
                   setting->option->problem);
}

static gmem_status_t set_number(const setting_t *setting) {
  const option_t *option = setting->option;
  const char *text = setting->value;
  uint64_t value;
  assert(option->words || option->parse);
  if (!find_word(option->words, text, strlen(text), &value) &&
      !(option->parse && option->parse(text, &value)))
    return refuse(setting);
  gmem_member_store(member_of(option, setting->options), option->size, value);
  return GMEM_OK;
}

//===--- texts ------------------------------------------------------------===//

// Copies a text that is shorter than the member.
static gmem_status_t set_text(const setting_t *setting) {
  const option_t *option = setting->option;
  size_t length = strlen(setting->value);
  assert(option->size >= 2);
  if (length >= option->size)
    return gmem_fail(setting->diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%s: the value is longer than %zu bytes%s", option->name,
                     option->size - 1, option->problem);
  memcpy(member_of(option, setting->options), setting->value, length + 1);
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

static gmem_status_t set_algorithm(const setting_t *setting) {
  char known[200] = "";
  const gmem_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = algorithm_at(setting->options, i)); ++i) {
    if (strcmp(algorithm->name, setting->value) == 0)
      return setting->options->algorithm = algorithm, GMEM_OK;
    size_t length = strlen(known);
    snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
             algorithm->name);
  }
  return gmem_fail(setting->diag, GMEM_ERR_INVALID_ARGUMENT,
                   "%s='%s' is not one of: %s", setting->option->name,
                   setting->value, known);
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

static gmem_status_t set_space_capacity(const setting_t *setting) {
  MlirStringRef name;
  uint64_t bytes;
  const char *value = setting->value;
  size_t length = strlen(value);
  bool is_good =
      length < setting->option->size && (!length || value[length - 1] != ',');
  for (const char *at = value; is_good && *at;)
    is_good = gmem_space_capacity_next(&at, &name, &bytes);
  return is_good ? set_text(setting) : refuse(setting);
}

bool gmem_ranks_next(const char **at, uint32_t *out_ranks) {
  size_t length = strcspn(*at, ",");
  char number[16];
  uint64_t ranks;
  if (length >= sizeof number)
    return false;
  memcpy(number, *at, length);
  number[length] = '\0';
  if (!gmem_parse_count(number, 1, GMEM_MAX_RANKS, &ranks))
    return false;
  *out_ranks = (uint32_t)ranks;
  *at += length + ((*at)[length] == ',' && (*at)[length + 1]);
  return true;
}

static gmem_status_t set_ranks(const setting_t *setting) {
  uint32_t ranks;
  const char *at = setting->value;
  while (*at)
    if (!gmem_ranks_next(&at, &ranks))
      return refuse(setting);
  return set_text(setting);
}

static gmem_status_t set_pools(const setting_t *setting) {
  gmem_memories_t memories;
  gmem_diag_t found;
  size_t length = strlen(setting->value);
  if (length >= setting->option->size)
    return set_text(setting);
  gmem_status_t status =
      gmem_memories_read(setting->value, length, NULL, &memories, &found);
  if (status != GMEM_OK)
    return gmem_fail(setting->diag, status, "pools: %.240s", found.text);
  gmem_memories_free(&memories, NULL);
  return set_text(setting);
}

//===--- the table --------------------------------------------------------===//

// The columns that the kinds of option_table.h stand for.
#define FLAG WORD(flag, "neither true nor false")
#define ALIGNMENT                                                              \
  .set = set_number, .parse = parse_alignment,                                 \
  .problem = "not a power of two of at most 1099511627776"
#define WORD(list, text)                                                       \
  .set = set_number, .words = list##_words, .problem = (text)
#define BYTES(text)                                                            \
  .set = set_number, .parse = gmem_parse_bytes, .problem = (text)
#define BYTES_OR(list, text) BYTES(text), .words = list##_words
#define NUMBER(form, text)                                                     \
  .set = set_number, .parse = parse_##form, .problem = (text)
#define NUMBER_OR(form, text) NUMBER(form, text), .words = form##_words
#define TEXT OTHER(text, "")
#define OTHER(form, text) .set = set_##form, .problem = (text)

#define ROW(option, default_value, kind, member, help)                         \
  {.name = (option),                                                           \
   .usual = (default_value),                                                   \
   GMEM_MEMBER(gmem_plan_options_t, member),                                   \
   kind},
static const option_t all_options[] = {
    GMEM_TENSOR_OPTIONS(ROW) GMEM_WEIGHT_OPTIONS(ROW) GMEM_CONSTANT_OPTIONS(ROW)
        GMEM_ORDER_OPTION(ROW) GMEM_CERTIFY_OPTION(ROW) GMEM_MEMORY_OPTIONS(ROW)
            GMEM_COMMON_OPTIONS(ROW) GMEM_REPORT_OPTIONS(ROW)
                GMEM_INDEX_OPTION(ROW) GMEM_SCOPE_OPTION(ROW)
                    GMEM_ARENA_OPTIONS(ROW) GMEM_VERIFY_OPTIONS(ROW)};

static gmem_status_t set(const option_t *option, const char *value,
                         gmem_plan_options_t *options, gmem_diag_t *diag) {
  return option->set(&(setting_t){option, value, options, diag});
}

gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                    const char *name, const char *value,
                                    gmem_diag_t *diag) {
  GMEM_NEED(options && name && value, diag);
  GMEM_TRY(gmem_plan_options_check(options, diag));
  for (size_t i = 0; i < COUNT(all_options); ++i)
    if (strcmp(name, all_options[i].name) == 0)
      return set(&all_options[i], value, options, diag);
  return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "unknown option '%s'", name);
}

void gmem_plan_options_init_sized(gmem_plan_options_t *options,
                                  size_t struct_size) {
  gmem_plan_options_t made = {.struct_size = (uint32_t)struct_size};
  for (const option_t *option = all_options;
       option < all_options + COUNT(all_options); ++option) {
    bool is_good =
        !*option->usual || set(option, option->usual, &made, NULL) == GMEM_OK;
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
  if (option->parse == parse_io_tags)
    return options->model.io == GMEM_IO_TAGGED;
  return option->offset == offsetof(gmem_plan_options_t, model.keep_inputs) ||
         load(option, options) != load(option, usual);
}

// Bytes for any text of a model option, with the NUL.
enum { MOST_TEXT = 64 };

// Whether gmem.plan has the option as text: a word or a set of words.
static bool is_text(const option_t *option) {
  return option->words && option->words != flag_words &&
         (!option->parse || option->parse == parse_sharing);
}

static void write_text(const option_t *option, uint64_t value, char *text,
                       size_t size) {
  const char *name = name_of(option->words, value);
  size_t length = (size_t)snprintf(text, size, "%s", name ? name : "");
  for (const word_t *kind = sharing_kinds; !name && kind->text; ++kind)
    if (value & kind->value && length < size)
      length += (size_t)snprintf(text + length, size - length, "%s%s",
                                 length ? "+" : "", kind->text);
}

static MlirAttribute as_attribute(MlirContext context, const option_t *option,
                                  const gmem_plan_options_t *options) {
  char text[MOST_TEXT];
  uint64_t value = load(option, options);
  if (option->words == flag_words)
    return mlirBoolAttrGet(context, value != 0);
  if (!is_text(option))
    return gmem_i64_attribute(context, (int64_t)value);
  write_text(option, value, text, sizeof text);
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
  char text[MOST_TEXT];
  MlirStringRef string;
  int64_t number;
  if (option->words == flag_words && mlirAttributeIsABool(value))
    snprintf(text, sizeof text, "%d", mlirBoolAttrGetValue(value));
  else if (is_text(option) && gmem_string_get(value, &string) &&
           string.length < sizeof text)
    snprintf(text, sizeof text, "%.*s", (int)string.length, string.data);
  else if (option->parse && option->parse != parse_sharing &&
           gmem_i64_get(value, &number))
    snprintf(text, sizeof text, "%" PRId64, number);
  else
    return false;
  return set(option, text, options, NULL) == GMEM_OK;
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
