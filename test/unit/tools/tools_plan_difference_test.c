// tools_plan_difference_test.c - plans that differ in nothing but the layout of
// a buffer: gmem-run --image took them for equal.
// RUN: %unit/tools_plan_difference_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "check.h"
#include "image_tools.h"
#include "plan_difference.h"

// The plan of the sample with these |dimensions|.
static gmem_plan_t *plan_with(const gmem_plan_dimension_t dimensions[2],
                              uint32_t count) {
  full_sample_t parts;
  gmem_plan_desc_t desc = full_desc(&parts);
  void *data = NULL;
  size_t size = 0;
  gmem_plan_t *plan = NULL;
  desc.dimensions = dimensions;
  desc.dimension_count = count;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  CHECK(gmem_plan_load_memory(data, size, 0, NULL, &plan, NULL) == GMEM_OK);
  gmem_plan_data_free(NULL, data, size);
  return plan;
}

// Compares the sample with one with these |dimensions|. Expects |message|, or
// equal plans if it is NULL.
static void check(const gmem_plan_dimension_t dimensions[2], uint32_t count,
                  const char *message) {
  gmem_plan_t *plan = plan_with(sample_dimensions, 2);
  gmem_plan_t *other = plan_with(dimensions, count);
  for (int way = 0; way < 2; ++way) {
    gmem_diag_t diag = {.text = ""};
    gmem_status_t status =
        gmem_plan_compare(way ? other : plan, way ? plan : other, &diag);
    CHECK(status == (message ? GMEM_ERR_INVALID_ARGUMENT : GMEM_OK));
    CHECK(!message || strstr(diag.text, message));
  }
  gmem_plan_release(plan);
  gmem_plan_release(other);
}

int main(void) {
  const char *message = "the layout of a buffer differs ('";
  gmem_plan_dimension_t other[2];
  memcpy(other, sample_dimensions, sizeof other);
  check(other, 2, NULL);
  check(other, 0, message);
  other[0].border = other[1].border = GMEM_PLAN_BORDER_CONSTANT;
  check(other, 2, message);
  memcpy(other, sample_dimensions, sizeof other);
  other[1].after = 0; // the last row ends with the payload
  check(other, 2, message);
  return CHECK_RESULT();
}
