// run_inputs.c - the inputs of a request: user-supplied or pseudo-random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_inputs.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_elements.h"
#include "messages.h"
#include "npy.h"

// Returns the text of the last option for argument |number|, or NULL.
static const char *find_given(const gmem_run_arguments_t *given,
                              uint32_t number) {
  for (uint32_t i = given->count; i-- > 0;)
    if (given->at[i].number == number)
      return given->at[i].text;
  return NULL;
}

//===--- shapes -----------------------------------------------------------===//

// Parses "2x3" into |sizes|; the empty text is the shape of rank 0.
static bool parse_shape(const char *text, int64_t *sizes, uint32_t *out_rank) {
  *out_rank = 0;
  while (*text) {
    char *end;
    errno = 0;
    long long size = strtoll(text, &end, 10);
    if (*text < '0' || *text > '9' || errno || *out_rank == GMEM_ARRAY_MAX_RANK)
      return false;
    sizes[(*out_rank)++] = size;
    if (*end && (*end != 'x' || !end[1]))
      return false;
    text = *end ? end + 1 : end;
  }
  return true;
}

// Whether the shape of |array| matches the static sizes of |type|.
static bool fits(const gmem_array_t *type, const gmem_array_t *array) {
  if (array->rank != type->rank)
    return false;
  for (uint32_t i = 0; i < array->rank; ++i)
    if (type->sizes[i] != GMEM_DYNAMIC && type->sizes[i] != array->sizes[i])
      return false;
  return true;
}

// Sets the shape of |array|, which is that of the argument's type at first.
static gmem_status_t find_shape(const gmem_array_t *type, uint32_t number,
                                const char *given, gmem_array_t *array) {
  char text[256];
  gmem_array_type_text(type, text, sizeof text);
  if (given && !parse_shape(given, array->sizes, &array->rank))
    return gmem_tool_error("--shape %" PRIu32 "=%s: not a shape such as 2x3",
                           number, given);
  if (given)
    return fits(type, array) ? GMEM_OK
                             : gmem_tool_error("--shape %" PRIu32
                                               "=%s: the argument has type %s",
                                               number, given, text);
  for (uint32_t i = 0; i < type->rank; ++i)
    if (type->sizes[i] == GMEM_DYNAMIC)
      return gmem_tool_error(
          "argument %" PRIu32
          " has the dynamic type %s: set its shape with --shape %" PRIu32
          "=... or --input %" PRIu32 "=...",
          number, text, number, number);
  return GMEM_OK;
}

//===--- one input --------------------------------------------------------===//

static gmem_status_t allocate(gmem_input_t *input, uint32_t number) {
  int64_t count;
  if (!gmem_array_count(&input->array, &count))
    return gmem_tool_error("the size of argument %" PRIu32 " overflows",
                           number);
  input->block = calloc((size_t)count + 1, input->array.element.size);
  if (!input->block)
    return gmem_tool_error("out of memory for argument %" PRIu32, number);
  input->array.first = input->block;
  gmem_array_set_dense_strides(&input->array);
  return GMEM_OK;
}

// Copies the array of a file to |input|, whose array is the argument's type at
// first.
static gmem_status_t copy_file(const gmem_array_t *file, const char *path,
                               uint32_t number, gmem_input_t *input) {
  gmem_array_t *array = &input->array;
  char expected[256], found[256];
  gmem_array_type_text(array, expected, sizeof expected);
  gmem_array_type_text(file, found, sizeof found);
  if (!gmem_element_fits(&file->element, &array->element) || !fits(array, file))
    return gmem_tool_error("%s has type %s, but argument %" PRIu32
                           " has type %s",
                           path, found, number, expected);
  array->rank = file->rank;
  memcpy(array->sizes, file->sizes, sizeof array->sizes);
  GMEM_TRY(allocate(input, number));
  gmem_array_copy(file, array);
  return GMEM_OK;
}

static gmem_status_t read_npy(const char *path, uint32_t number,
                              gmem_input_t *input) {
  gmem_array_t file;
  gmem_diag_t diag;
  void *data;
  GMEM_TRY(gmem_tool_check(gmem_npy_read(path, &file, &data, &diag), &diag,
                           "%s", path));
  gmem_status_t status = copy_file(&file, path, number, input);
  free(data);
  return status;
}

// Whether the integer is in the signed or the unsigned range of the type, since
// most types have no signedness.
static bool is_in_range(const gmem_element_t *element, long long integer) {
  if (element->bits >= 64)
    return true;
  return integer >= -(1LL << (element->bits - 1)) &&
         integer < 1LL << element->bits;
}

// Parses a number of the command line for a scalar argument.
static gmem_status_t read_number(const gmem_array_t *array, uint32_t number,
                                 const char *given) {
  char *end;
  bool fits_in = true;
  errno = 0;
  if (gmem_element_is_float(&array->element)) {
    gmem_element_set_float(&array->element, array->first, strtod(given, &end));
  } else {
    long long integer = strtoll(given, &end, 10);
    fits_in = is_in_range(&array->element, integer);
    gmem_element_set_int(&array->element, array->first, integer);
  }
  if (end == given || *end || errno || !fits_in)
    return gmem_tool_error("--input %" PRIu32
                           "=%s: not a number of the argument's type %s",
                           number, given, array->element.name);
  return GMEM_OK;
}

static gmem_status_t make_input(const gmem_entry_value_t *value,
                                uint32_t number,
                                const gmem_run_program_options_t *options,
                                gmem_random_t *random, gmem_input_t *input) {
  const char *given = find_given(&options->inputs, number);
  const char *shape = find_given(&options->shapes, number);
  gmem_array_t *array = &input->array;
  *array = value->type;
  if (given && value->is_memref)
    return read_npy(given, number, input);
  GMEM_TRY(find_shape(&value->type, number, shape, array));
  GMEM_TRY(allocate(input, number));
  if (given)
    return read_number(array, number, given);
  // Arguments of rank 1 are usually biases, scales or variances; programs take
  // the square root of the latter, so these values are positive.
  gmem_array_fill(array, value->is_memref && array->rank == 1, random);
  return GMEM_OK;
}

//===--- all inputs -------------------------------------------------------===//

static gmem_status_t check_arguments(const gmem_run_arguments_t *given,
                                     const char *option, uint32_t arguments) {
  for (uint32_t i = 0; i < given->count; ++i)
    if (given->at[i].number >= arguments)
      return gmem_tool_error(
          "%s %" PRIu32 "=%s: the function has %" PRIu32 " arguments", option,
          given->at[i].number, given->at[i].text, arguments);
  return GMEM_OK;
}

bool gmem_inputs_allocate(gmem_inputs_t *inputs, uint32_t count) {
  *inputs = (gmem_inputs_t){calloc(count + 1u, sizeof *inputs->at), count};
  return inputs->at != NULL;
}

gmem_status_t gmem_inputs_create(const gmem_signature_t *signature,
                                 const gmem_run_program_options_t *options,
                                 uint64_t seed, gmem_inputs_t *out_inputs) {
  uint32_t count = 0, number = 0;
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    count += signature->arguments[i].pool == NULL;
  if (!gmem_inputs_allocate(out_inputs, count))
    return gmem_tool_error("out of memory");
  GMEM_TRY(check_arguments(&options->inputs, "--input", count));
  GMEM_TRY(check_arguments(&options->shapes, "--shape", count));
  gmem_random_t random = {seed};
  for (uint32_t i = 0; i < signature->argument_count; ++i) {
    if (signature->arguments[i].pool)
      continue;
    // Each input has its own generator, so it does not depend on the others.
    gmem_random_t own = {gmem_random_bits(&random)};
    GMEM_TRY(make_input(&signature->arguments[i], number, options, &own,
                        &out_inputs->at[number]));
    ++number;
  }
  assert(number == count);
  return GMEM_OK;
}

void gmem_inputs_destroy(gmem_inputs_t *inputs) {
  for (uint32_t i = 0; inputs->at && i < inputs->count; ++i)
    free(inputs->at[i].block);
  free(inputs->at);
  *inputs = (gmem_inputs_t){0};
}
