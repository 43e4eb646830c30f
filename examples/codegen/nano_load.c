// nano_load.c IMAGE PROGRAM - the program on the device: puts the image into
// DDR, runs the instructions on an input, and prints the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "gmem/runtime.h"
#include "nano_machine.h"

static uint8_t ddr[NANO_DDR_SIZE] __attribute__((aligned(4096)));

static void begin_step(void *lease, uint64_t step) {
  gmem_lease_begin_op(lease, (gmem_op_t)step);
}

// The buffer with that flag, at its address for the CPU.
static int32_t *find(const gmem_plan_t *plan, const gmem_lease_t *lease,
                     uint32_t flag, uint64_t *count) {
  gmem_buffer_info_t info = {.flags = 0};
  void *host = NULL;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if (gmem_plan_buffer(plan, i, &info) == GMEM_OK && (info.flags & flag) &&
        gmem_lease_host(lease, i, &host) == GMEM_OK)
      break;
  *count = host ? info.payload / sizeof(int32_t) : 0;
  return host;
}

int main(int argc, char **argv) {
  static nano_instruction_t program[1024];
  gmem_provider_t provider = {0};
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_diag_t diag = {.text = "usage: load IMAGE PROGRAM"};
  uint64_t count;
  const gmem_model_sources_t sources = {sizeof sources,
                                        .flags = GMEM_MODEL_FIXED_DEVICE};
  const gmem_pool_options_t options = {.struct_size = sizeof options,
                                       .initial_slots = 1,
                                       .flags = GMEM_POOL_FIXED_DEVICE |
                                                GMEM_POOL_CHECK};
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file || gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag) ||
      gmem_provider_static(ddr, NANO_DDR_BASE, sizeof ddr, NULL, &provider) ||
      gmem_model_create(plan, &provider, &sources, NULL, &model, &diag) ||
      gmem_pool_create(model, &provider, &options, NULL, &pool, &diag) ||
      gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease))
    return fprintf(stderr, "load: error: %s\n", diag.text), 1;
  size_t length = fread(program, sizeof *program, 1024, file);
  int32_t *input = find(plan, lease, GMEM_BUFFER_INPUT, &count);
  for (uint64_t i = 0; i < count; ++i)
    input[i] = (int32_t)(i % 7) - 3;
  const nano_machine_t machine = {ddr, begin_step, lease};
  if (!nano_run(&machine, program, length) ||
      gmem_lease_check(lease, &diag) != GMEM_OK)
    return fprintf(stderr, "load: error: %s\n", diag.text), 1;
  const int32_t *output = find(plan, lease, GMEM_BUFFER_OUTPUT, &count);
  for (uint64_t i = 0; i < count; ++i)
    printf("%d%c", output[i], i % 16 == 15 ? '\n' : ' ');
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  return fclose(file) != 0;
}
