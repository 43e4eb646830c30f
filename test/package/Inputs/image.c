// image.c IMAGE - writes the plan image that serve.c reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "gmem/plan.h"

int main(int argc, char **argv) {
  gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0, 4096, 64};
  gmem_op_range_t range = {0, 1};
  gmem_buffer_info_t buffer = {.name = "x",
                               .offset = 64,
                               .size = 64,
                               .payload = 64,
                               .align = 64,
                               .space = GMEM_SPACE_IO,
                               .parent = GMEM_NONE,
                               .threads = 1,
                               .ranges = &range,
                               .range_count = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  void *image = NULL;
  size_t size = 0;
  FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
  if (!file || gmem_plan_write(&desc, NULL, &image, &size, NULL) != GMEM_OK)
    return 1;
  size_t written = fwrite(image, 1, size, file);
  gmem_plan_data_free(NULL, image, size);
  return fclose(file) != 0 || written != size;
}
