// window.c - iteration windows and their parts. Pure arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// |steps| steps are split into |count| <= |steps| parts: each part has steps /
// count of them, and the first steps % count parts one more.
//
//   steps 0 1 2 3 4 5 6 7 8 9       10 steps in 4 parts: 3, 3, 2, 2
//         |-----|-----|---|---|
//
// No product overflows: each is at most end - begin.

#include "gmem/parallel.h"

static bool dimension_is_legal(const gmem_dimension_t *dimension) {
  return dimension->begin < dimension->end && dimension->step >= 1 &&
         (dimension->end - dimension->begin) % dimension->step == 0;
}

bool gmem_window_is_legal(const gmem_window_t *window) {
  if (!window || window->dimension_count < 1 ||
      window->dimension_count > GMEM_WINDOW_MAX_DIMENSIONS)
    return false;
  for (uint32_t i = 0; i < window->dimension_count; ++i)
    if (!dimension_is_legal(&window->dimensions[i]))
      return false;
  return true;
}

uint64_t gmem_window_steps(const gmem_window_t *window, uint32_t dimension) {
  if (!gmem_window_is_legal(window) || dimension >= window->dimension_count)
    return 0;
  const gmem_dimension_t *of = &window->dimensions[dimension];
  return (of->end - of->begin) / of->step;
}

uint32_t gmem_window_parts(const gmem_window_t *window, uint32_t dimension,
                           uint32_t parts) {
  uint64_t steps = gmem_window_steps(window, dimension);
  return steps < parts ? (uint32_t)steps : parts;
}

gmem_status_t gmem_window_split(const gmem_window_t *window, uint32_t dimension,
                                uint32_t parts, uint32_t index,
                                gmem_window_t *out_part) {
  uint64_t steps = gmem_window_steps(window, dimension);
  if (!out_part || parts == 0 || (steps == 0 && !gmem_window_is_legal(window)))
    return GMEM_ERR_INVALID_ARGUMENT;
  uint64_t count = steps < parts ? steps : parts;
  if (index >= count) // also if there is no such dimension
    return GMEM_ERR_OUT_OF_RANGE;
  uint64_t each = steps / count, longer = steps % count;
  uint64_t first = each * index + (index < longer ? index : longer);
  gmem_window_t part = *window; // |out_part| may be |window|
  gmem_dimension_t *of = &part.dimensions[dimension];
  of->begin += first * of->step;
  of->end = of->begin + (each + (index < longer)) * of->step;
  *out_part = part;
  return GMEM_OK;
}
