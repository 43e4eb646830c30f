// step_names.c - see step_names.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "step_names.h"

#include <assert.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scopes.h"
#include "text.h"
#include "text_map.h"

// The attributes in which frontends name ops and arguments, in the order in
// which a dictionary has them.
static const char *const name_keys[] = {"layer_name", "name",
                                        "node_name",  "onnx_node_name",
                                        "op_name",    "tensor_name"};
enum { NAME_KEYS = sizeof name_keys / sizeof *name_keys };

typedef struct namer_s {
  const gmem_analysis_t *analysis;
  const gmem_value_place_t *places;
  MlirContext context;
  MlirIdentifier keys[NAME_KEYS];
  gmem_name_set_t known_keys;
  GMEM_LIST(uint32_t) named; // ops that have or may get a name
  gmem_text_map_t taken;     // keys of names
  uint32_t *next;            // by index of |taken|: number to try
  uint32_t count;
  gmem_text_t key;   // the one that is looked for
  gmem_text_t tried; // the name that is looked for
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} namer_t;

static const gmem_program_t *program_of(const namer_t *namer) {
  return &namer->analysis->program;
}

//===--- where names come from --------------------------------------------===//

static bool ends_with(MlirStringRef text, const char *end) {
  size_t length = strlen(end);
  return text.length >= length &&
         memcmp(text.data + (text.length - length), end, length) == 0;
}

static bool is_name_of_argument(MlirStringRef key) {
  if (ends_with(key, ".name"))
    return true;
  for (size_t i = 0; i < NAME_KEYS; ++i)
    if (gmem_string_is(key, name_keys[i]))
      return true;
  return false;
}

static void use_attribute(MlirAttribute attribute, MlirStringRef *name) {
  MlirStringRef found;
  if (!name->length && gmem_string_get(attribute, &found))
    *name = found;
}

// The name that the frontend gave the op, empty when there is none. Asks for
// each name: a list of all attributes would have to be made first.
static MlirStringRef name_of_op(namer_t *namer, MlirOperation op) {
  MlirStringRef name =
      gmem_location_name(mlirOperationGetLocation(op), namer->arena);
  uint64_t keys = gmem_may_have_attributes(op, &namer->known_keys);
  for (size_t i = 0; i < NAME_KEYS && !name.length; ++i)
    if (keys >> i & 1)
      use_attribute(
          mlirOperationGetAttributeByName(op, gmem_string(name_keys[i])),
          &name);
  return name;
}

static MlirStringRef name_of_argument(const namer_t *namer, MlirValue argument,
                                      MlirAttribute attributes) {
  MlirStringRef name =
      gmem_location_name(mlirValueGetLocation(argument), namer->arena);
  bool has_any = gmem_attribute_is(attributes, mlirAttributeIsADictionary);
  intptr_t count = has_any ? mlirDictionaryAttrGetNumElements(attributes) : 0;
  for (intptr_t i = 0; i < count && !name.length; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(attributes, i);
    if (is_name_of_argument(mlirIdentifierStr(entry.name)))
      use_attribute(entry.attribute, &name);
  }
  return name;
}

//===--- unique names -----------------------------------------------------===//

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char capital(char c) {
  return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_part(char c) {
  return is_digit(c) || (capital(c) >= 'A' && capital(c) <= 'Z');
}

// Whether generated C can use |name|.
static bool has_part(MlirStringRef name) {
  for (size_t i = 0; i < name.length; ++i)
    if (is_part(name.data[i]))
      return true;
  return false;
}

static MlirStringRef text_ref(const gmem_text_t *text) {
  return text->out_of_memory ? (MlirStringRef){NULL, 0}
                             : mlirStringRefCreate(text->bytes, text->length);
}

// An entry of |taken| for |name| and |number|, the result of an op: the letters
// and digits as generated C has them in macros. Names of one key would be one
// identifier there. Valid until the next call; null when memory is out.
static MlirStringRef key_of(namer_t *namer, MlirStringRef name,
                            intptr_t number) {
  gmem_text_t *text = &namer->key;
  bool is_gap = true;
  text->length = 0;
  for (size_t i = 0; i < name.length; ++i) {
    char c = capital(name.data[i]);
    if (is_part(c) && is_gap)
      gmem_text_append(text, "_N", text->length == 0 && is_digit(c) ? 2 : 1);
    if (is_part(c))
      gmem_text_append(text, &c, 1);
    is_gap = !is_part(c);
  }
  if (number)
    gmem_text_print(text, "_%td", number);
  if (text->length == 0)
    gmem_text_append(text, "_", 1); // so that there is a text
  return text_ref(text);
}

// The entry of |taken| that stands in the way of |name| for something with
// |count| results, or GMEM_NO_INDEX.
static uint32_t find_taken(namer_t *namer, MlirStringRef name, intptr_t count) {
  uint32_t found = GMEM_NO_INDEX;
  for (intptr_t i = 0; i < count && found == GMEM_NO_INDEX; ++i) {
    MlirStringRef key = key_of(namer, name, i);
    if (key.data)
      found = gmem_text_map_find(&namer->taken, key);
  }
  return found;
}

static void take(namer_t *namer, MlirStringRef name, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef key = key_of(namer, name, i);
    if (!key.data || gmem_text_map_find(&namer->taken, key) != GMEM_NO_INDEX)
      continue;
    key.data = gmem_bump_string(namer->arena, key.data, key.length);
    if (!key.data)
      return; // gmem_bump_status says so
    namer->next[namer->count] = 1;
    gmem_text_map_add(&namer->taken, key, namer->count++);
  }
}

// |name| as an attribute, with a number behind it if it is taken; null when
// memory is out.
static MlirAttribute unique(namer_t *namer, MlirStringRef name,
                            intptr_t count) {
  uint32_t first = find_taken(namer, name, count);
  MlirStringRef tried = name;
  for (uint32_t other = first; other != GMEM_NO_INDEX;
       other = find_taken(namer, tried, count)) {
    namer->tried.length = 0;
    gmem_text_piece(name, &namer->tried);
    gmem_text_print(&namer->tried, ".%u", namer->next[first]++);
    tried = text_ref(&namer->tried);
    if (!tried.data)
      return mlirAttributeGetNull();
  }
  take(namer, tried, count);
  return mlirStringAttrGet(namer->context, tried);
}

//===--- ops --------------------------------------------------------------===//

// Whether the op has a place, of a result or of a workbuffer.
static bool has_place(const namer_t *namer, const gmem_program_op_t *op) {
  bool has = op->own >> GMEM_ATTR_WORKBUFFERS & 1;
  for (intptr_t i = 0; !has && i < mlirOperationGetNumResults(op->op); ++i) {
    uint32_t value = gmem_result_value(program_of(namer), op->op, i);
    has = value != GMEM_NO_INDEX && gmem_has_place(&namer->places[value]);
  }
  return has;
}

// The number of names of an op: one for each result, and the first one for its
// workbuffers.
static intptr_t count_names(MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op);
  return results ? results : 1;
}

static bool states_name(const gmem_program_op_t *op) {
  return op->own >> GMEM_ATTR_NAME & 1;
}

// Whether the op has a name, or gets one.
static bool may_be_named(namer_t *namer, const gmem_program_op_t *op) {
  return states_name(op) ||
         (has_place(namer, op) && has_part(name_of_op(namer, op->op)));
}

static gmem_status_t name_op(namer_t *namer, const gmem_program_op_t *step) {
  MlirOperation op = step->op;
  if (!states_name(step))
    gmem_op_annotate(op, GMEM_ATTR_NAME,
                     unique(namer, name_of_op(namer, op), count_names(op)));
  return gmem_bump_status(namer->arena, namer->diag);
}

static gmem_status_t name_arguments(namer_t *namer, MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirAttribute *names;
  if (!gmem_has_argument_attributes(function))
    return GMEM_OK;
  GMEM_TRY_ALLOC(names, namer->arena, (size_t)count, namer->diag);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    uint32_t value = gmem_program_find(program_of(namer), argument);
    MlirAttribute attributes = gmem_argument_attributes(function, i);
    names[i] = gmem_argument_annotation(function, i, GMEM_ATTR_NAME);
    if (!mlirAttributeIsNull(names[i]) || value == GMEM_NO_INDEX ||
        !gmem_has_place(&namer->places[value]))
      continue;
    MlirStringRef name = name_of_argument(namer, argument, attributes);
    if (has_part(name))
      names[i] = unique(namer, name, 1);
  }
  return gmem_arguments_annotate(function, GMEM_ATTR_NAME, names, namer->arena,
                                 namer->diag);
}

//===--- scopes -----------------------------------------------------------===//

// Takes the names that are there already.
static void take_stated(namer_t *namer) {
  const gmem_program_t *program = program_of(namer);
  MlirStringRef name;
  for (size_t i = 0; i < namer->named.count; ++i) {
    const gmem_program_op_t *op = &program->ops[namer->named.at[i]];
    if (gmem_string_get(gmem_own_attribute(op, GMEM_ATTR_NAME), &name))
      take(namer, name, count_names(op->op));
  }
  for (size_t i = 0; i < program->function_count; ++i) {
    MlirOperation function = program->functions[i].op;
    intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(function));
    for (intptr_t k = 0; k < count; ++k)
      if (gmem_string_get(gmem_argument_annotation(function, k, GMEM_ATTR_NAME),
                          &name))
        take(namer, name, 1);
  }
}

gmem_status_t gmem_step_names_write(const gmem_analysis_t *analysis,
                                    const gmem_value_place_t *places,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  namer_t namer = {.analysis = analysis,
                   .places = places,
                   .context = mlirOperationGetContext(program->scope),
                   .key = {.arena = arena},
                   .tried = {.arena = arena},
                   .arena = arena,
                   .diag = diag};
  size_t most = 0;
  for (size_t i = 0; i < NAME_KEYS; ++i)
    namer.keys[i] = mlirIdentifierGet(namer.context, gmem_string(name_keys[i]));
  namer.known_keys = (gmem_name_set_t){.names = namer.keys, .count = NAME_KEYS};
  for (uint32_t i = 0; i < program->op_count; ++i)
    if (may_be_named(&namer, &program->ops[i])) {
      GMEM_APPEND(arena, &namer.named, i);
      most += (size_t)count_names(program->ops[i].op);
    }
  for (size_t i = 0; i < program->function_count; ++i)
    most += (size_t)mlirBlockGetNumArguments(
        gmem_entry_block(program->functions[i].op));
  GMEM_TRY(gmem_text_map_make(&namer.taken, most, arena, diag));
  GMEM_TRY_ALLOC(namer.next, arena, most, diag);
  take_stated(&namer);
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(name_arguments(&namer, program->functions[i].op));
  for (size_t i = 0; i < namer.named.count; ++i)
    GMEM_TRY(name_op(&namer, &program->ops[namer.named.at[i]]));
  assert(namer.count <= most);
  return GMEM_OK;
}
