// run_inputs.c - the arguments of a request: given, or pseudo-random.
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

// What the command line says of argument |number|; the last word counts.
static const char *find_given(const gmem_run_given_t *givens, uint32_t count,
                              uint32_t number) {
  while (count-- > 0)
    if (givens[count].argument == number)
      return givens[count].text;
  return NULL;
}

//===--- shapes -----------------------------------------------------------===//

// "2x3" into |sizes|; an empty text is a shape without dimensions.
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

// Whether |sizes| are those of |value|, as far as these are static.
static bool fits(const gmem_entry_value_t *value, const int64_t *sizes,
                 uint32_t rank) {
  if (rank != value->rank)
    return false;
  for (uint32_t i = 0; i < rank; ++i)
    if (value->sizes[i] != GMEM_DYNAMIC && value->sizes[i] != sizes[i])
      return false;
  return true;
}

// "f32 1x?x3".
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
      return gmem_run_error("--shape %" PRIu32 "=%s: not a shape like 2x3",
                            number, given);
    if (!fits(value, array->sizes, array->rank))
      return gmem_run_error("--shape %" PRIu32 "=%s: the argument is %s",
                            number, given, type);
    return 0;
  }
  for (uint32_t i = 0; i < value->rank; ++i)
    if (value->sizes[i] == GMEM_DYNAMIC)
      return gmem_run_error(
          "argument %" PRIu32 " is %s: say with --shape %" PRIu32
          "=... or --input %" PRIu32 "=... how large it is to be",
          number, type, number, number);
  return 0;
}

//===--- one input --------------------------------------------------------===//

static int allocate(gmem_array_t *array, uint32_t number, void **out_block) {
  int64_t count;
  if (!gmem_array_count(array, &count))
    return gmem_run_error("argument %" PRIu32 " is too large for any memory",
                          number);
  *out_block = calloc((size_t)count + 1, array->element.size);
  if (!*out_block)
    return gmem_run_error("there is no memory for argument %" PRIu32, number);
  array->first = *out_block;
  gmem_array_set_dense_strides(array);
  return 0;
}

static int read_npy(const gmem_entry_value_t *value, uint32_t number,
                    const char *path, gmem_array_t *array, void **out_block) {
  gmem_array_t file;
  gmem_diag_t diag;
  void *data;
  char wanted[256], found[256];
  if (gmem_npy_read(path, &file, &data, &diag) != GMEM_OK)
    return gmem_run_error("%s: %s", path, diag.text);
  value_text(value, wanted, sizeof wanted);
  gmem_array_type_text(&file, found, sizeof found);
  int code = 0;
  if (!gmem_element_fits(&file.element, &value->element) ||
      !fits(value, file.sizes, file.rank))
    code = gmem_run_error("%s is %s, but argument %" PRIu32 " is %s", path,
                          found, number, wanted);
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

// Whether the integer fits, as a signed or as an unsigned one: few types say
// which of both they are.
static bool is_in_range(const gmem_element_t *element, long long integer) {
  if (element->bits >= 64)
    return true;
  return integer >= -(1LL << (element->bits - 1)) &&
         integer < 1LL << element->bits;
}

// A number of the command line, for an argument that is one.
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
    return gmem_run_error("--input %" PRIu32 "=%s: the argument is %s: not a "
                          "number of that type",
                          number, given, array->element.name);
  return 0;
}

static int make_input(const gmem_entry_value_t *value, uint32_t number,
                      const gmem_givens_t *givens, gmem_random_t *random,
                      gmem_array_t *array, void **out_block) {
  const char *input = find_given(givens->inputs, givens->input_count, number);
  const char *shape = find_given(givens->shapes, givens->shape_count, number);
  array->element = value->element;
  if (input && value->is_memref)
    return read_npy(value, number, input, array, out_block);
  int code = find_shape(value, number, shape, array);
  if (code == 0)
    code = allocate(array, number, out_block);
  if (code == 0 && input)
    return read_number(array, number, input);
  // What has one dimension is most often a bias, a scale or a variance, of
  // which programs take the root.
  if (code == 0)
    gmem_array_fill(array, value->is_memref && value->rank == 1, random);
  return code;
}

//===--- all of them ------------------------------------------------------===//

static uint32_t count_inputs(const gmem_signature_t *signature) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    count += signature->arguments[i].pool == NULL;
  return count;
}

static int check_givens(const gmem_run_given_t *givens, uint32_t count,
                        const char *option, uint32_t arguments) {
  for (uint32_t i = 0; i < count; ++i)
    if (givens[i].argument >= arguments)
      return gmem_run_error(
          "%s %" PRIu32 "=%s: the function has %" PRIu32 " arguments", option,
          givens[i].argument, givens[i].text, arguments);
  return 0;
}

int gmem_inputs_create(const gmem_signature_t *signature,
                       const gmem_givens_t *givens, uint64_t seed,
                       gmem_inputs_t *out_inputs) {
  uint32_t count = count_inputs(signature);
  *out_inputs =
      (gmem_inputs_t){.count = count,
                      .arrays = calloc(count + 1u, sizeof *out_inputs->arrays),
                      .blocks = calloc(count + 1u, sizeof *out_inputs->blocks)};
  if (!out_inputs->arrays || !out_inputs->blocks)
    return gmem_run_error("out of memory");
  int code =
      check_givens(givens->inputs, givens->input_count, "--input", count);
  if (code == 0)
    code = check_givens(givens->shapes, givens->shape_count, "--shape", count);
  gmem_random_t random = {seed};
  uint32_t number = 0;
  for (uint32_t i = 0; i < signature->argument_count && code == 0; ++i) {
    if (signature->arguments[i].pool)
      continue;
    // Each has numbers of its own, whatever the others are.
    gmem_random_t own = {gmem_random_bits(&random)};
    code = make_input(&signature->arguments[i], number, givens, &own,
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
