// run_inputs.c - the inputs of a request: user-supplied or pseudo-random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_elements.h"
#include "npy.h"
#include "run_messages.h"
#include "run_request.h"

// Returns the text of the last option for argument |number|, or NULL.
static const char *find_given(const gmem_run_argument_t *given, uint32_t count,
                              uint32_t number) {
  while (count-- > 0)
    if (given[count].argument == number)
      return given[count].text;
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
    text = *end == 'x' && end[1] ? end + 1 : end;
    if (*end && *end != 'x')
      return false;
    if (*end == 'x' && !end[1])
      return false;
  }
  return true;
}

// Whether |sizes| match the static sizes of |value|.
static bool fits(const gmem_entry_value_t *value, const int64_t *sizes,
                 uint32_t rank) {
  if (rank != value->rank)
    return false;
  for (uint32_t i = 0; i < rank; ++i)
    if (value->sizes[i] != GMEM_DYNAMIC && value->sizes[i] != sizes[i])
      return false;
  return true;
}

// Formats a type as "f32 1x?x3".
static void value_text(const gmem_entry_value_t *value, char *text,
                       size_t size) {
  int used = snprintf(text, size, "%s", value->element.name);
  for (uint32_t i = 0; i < value->rank && used > 0 && (size_t)used < size; ++i)
    used +=
        value->sizes[i] == GMEM_DYNAMIC
            ? snprintf(text + used, size - (size_t)used, "%s?", i ? "x" : " ")
            : snprintf(text + used, size - (size_t)used, "%s%" PRId64,
                       i ? "x" : " ", value->sizes[i]);
}

static int find_shape(const gmem_entry_value_t *value, uint32_t number,
                      const char *given, gmem_array_t *array) {
  char type[256];
  array->rank = value->rank;
  memcpy(array->sizes, value->sizes, sizeof array->sizes);
  value_text(value, type, sizeof type);
  if (given) {
    if (!parse_shape(given, array->sizes, &array->rank))
      return gmem_run_error("--shape %" PRIu32 "=%s: not a shape such as 2x3",
                            number, given);
    if (!fits(value, array->sizes, array->rank))
      return gmem_run_error("--shape %" PRIu32 "=%s: the argument has type %s",
                            number, given, type);
    return 0;
  }
  for (uint32_t i = 0; i < value->rank; ++i)
    if (value->sizes[i] == GMEM_DYNAMIC)
      return gmem_run_error(
          "argument %" PRIu32
          " has the dynamic type %s: set its shape with --shape %" PRIu32
          "=... or --input %" PRIu32 "=...",
          number, type, number, number);
  return 0;
}

//===--- one input --------------------------------------------------------===//

static int allocate(gmem_array_t *array, uint32_t number, void **out_block) {
  int64_t count;
  if (!gmem_array_count(array, &count))
    return gmem_run_error("the size of argument %" PRIu32 " overflows", number);
  *out_block = calloc((size_t)count + 1, array->element.size);
  if (!*out_block)
    return gmem_run_error("out of memory for argument %" PRIu32, number);
  array->first = *out_block;
  gmem_array_set_dense_strides(array);
  return 0;
}

static int read_npy(const gmem_entry_value_t *value, uint32_t number,
                    const char *path, gmem_array_t *array, void **out_block) {
  gmem_array_t file;
  gmem_diag_t diag;
  void *data;
  char expected[256], found[256];
  if (gmem_npy_read(path, &file, &data, &diag) != GMEM_OK)
    return gmem_run_error("%s: %s", path, diag.text);
  value_text(value, expected, sizeof expected);
  gmem_array_type_text(&file, found, sizeof found);
  int code = 0;
  if (!gmem_element_fits(&file.element, &value->element) ||
      !fits(value, file.sizes, file.rank))
    code =
        gmem_run_error("%s has type %s, but argument %" PRIu32 " has type %s",
                       path, found, number, expected);
  array->rank = file.rank;
  memcpy(array->sizes, file.sizes, sizeof array->sizes);
  if (code == 0)
    code = allocate(array, number, out_block);
  if (code == 0)
    gmem_array_copy(&file, array);
  free(data);
  return code;
}

static bool is_float(const gmem_element_t *element) {
  return element->kind == GMEM_ELEMENT_FLOAT ||
         element->kind == GMEM_ELEMENT_BFLOAT;
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
static int read_number(const gmem_array_t *array, uint32_t number,
                       const char *given) {
  char *end;
  bool fits_in = true;
  errno = 0;
  if (is_float(&array->element)) {
    gmem_element_set_float(&array->element, array->first, strtod(given, &end));
  } else {
    long long integer = strtoll(given, &end, 10);
    fits_in = is_in_range(&array->element, integer);
    gmem_element_set_int(&array->element, array->first, integer);
  }
  if (end == given || *end || errno || !fits_in)
    return gmem_run_error("--input %" PRIu32
                          "=%s: not a number of the argument's type %s",
                          number, given, array->element.name);
  return 0;
}

static int make_input(const gmem_entry_value_t *value, uint32_t number,
                      const gmem_run_arguments_t *given, gmem_random_t *random,
                      gmem_array_t *array, void **out_block) {
  const char *input = find_given(given->inputs, given->input_count, number);
  const char *shape = find_given(given->shapes, given->shape_count, number);
  array->element = value->element;
  if (input && value->is_memref)
    return read_npy(value, number, input, array, out_block);
  int code = find_shape(value, number, shape, array);
  if (code == 0)
    code = allocate(array, number, out_block);
  if (code == 0 && input)
    return read_number(array, number, input);
  // Arguments of rank 1 are usually biases, scales or variances; programs take
  // the square root of the latter, so these values are positive.
  if (code == 0)
    gmem_array_fill(array, value->is_memref && value->rank == 1, random);
  return code;
}

//===--- all inputs -------------------------------------------------------===//

static uint32_t count_inputs(const gmem_signature_t *signature) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    count += signature->arguments[i].pool == NULL;
  return count;
}

static int check_arguments(const gmem_run_argument_t *given, uint32_t count,
                           const char *option, uint32_t arguments) {
  for (uint32_t i = 0; i < count; ++i)
    if (given[i].argument >= arguments)
      return gmem_run_error(
          "%s %" PRIu32 "=%s: the function has %" PRIu32 " arguments", option,
          given[i].argument, given[i].text, arguments);
  return 0;
}

int gmem_inputs_create(const gmem_signature_t *signature,
                       const gmem_run_arguments_t *given, uint64_t seed,
                       gmem_inputs_t *out_inputs) {
  uint32_t count = count_inputs(signature);
  *out_inputs =
      (gmem_inputs_t){.count = count,
                      .arrays = calloc(count + 1u, sizeof *out_inputs->arrays),
                      .blocks = calloc(count + 1u, sizeof *out_inputs->blocks)};
  if (!out_inputs->arrays || !out_inputs->blocks)
    return gmem_run_error("out of memory");
  int code =
      check_arguments(given->inputs, given->input_count, "--input", count);
  if (code == 0)
    code = check_arguments(given->shapes, given->shape_count, "--shape", count);
  gmem_random_t random = {seed};
  uint32_t number = 0;
  for (uint32_t i = 0; i < signature->argument_count && code == 0; ++i) {
    if (signature->arguments[i].pool)
      continue;
    // Each input has its own generator, so it does not depend on the others.
    gmem_random_t own = {gmem_random_bits(&random)};
    code = make_input(&signature->arguments[i], number, given, &own,
                      &out_inputs->arrays[number], &out_inputs->blocks[number]);
    ++number;
  }
  return code;
}

void gmem_inputs_destroy(gmem_inputs_t *inputs) {
  for (uint32_t i = 0; i < inputs->count && inputs->blocks; ++i)
    free(inputs->blocks[i]);
  free(inputs->blocks);
  free(inputs->arrays);
  *inputs = (gmem_inputs_t){0};
}
