// patch_stream.c - writes the addresses of a lease into the command streams of
// an image, and prints them as pools and offsets. Usage: patch_stream IMAGE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gmem/runtime.h"

#define STREAM_SIZE 48

static void need(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "%s\n", diag->text);
  exit(1);
}

static uint64_t word_at(const uint8_t *stream, const gmem_reloc_t *reloc) {
  uint64_t word = 0;
  for (size_t i = reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4; i-- > 0;)
    word = word << 8 | stream[reloc->where + i];
  return word;
}

int main(int argc, char **argv) {
  gmem_plan_t *plan;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *lease;
  gmem_provider_t provider;
  gmem_diag_t diag = {0};
  const gmem_pool_options_t options = {sizeof options, .initial_slots = 1};
  if (argc != 2)
    return 2;
  need(gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag), &diag);
  need(gmem_provider_mmap(NULL, NULL, &provider), &diag);
  need(gmem_model_create(plan, &provider, NULL, NULL, &model, &diag), &diag);
  need(gmem_pool_create(model, &provider, &options, NULL, &pool, &diag), &diag);
  need(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease), &diag);
  for (uint16_t number = 0; number < 3; ++number) {
    uint8_t stream[STREAM_SIZE] = {0}, planned[STREAM_SIZE] = {0};
    const gmem_reloc_t *relocs = NULL;
    uint32_t count = gmem_plan_relocs(plan, number, &relocs);
    need(
        gmem_lease_relocate(lease, relocs, count, stream, sizeof stream, &diag),
        &diag);
    for (uint32_t i = 0; i < count; ++i) {
      gmem_buffer_info_t info;
      uint64_t device, word = word_at(stream, &relocs[i]);
      if (gmem_plan_buffer(plan, relocs[i].buffer, &info) != GMEM_OK ||
          gmem_lease_device(lease, relocs[i].buffer, &device) != GMEM_OK)
        return 1;
      device += relocs[i].addend;
      uint64_t half = relocs[i].kind == GMEM_RELOC_HI32   ? device >> 32
                      : relocs[i].kind == GMEM_RELOC_LO32 ? device & UINT32_MAX
                                                          : device;
      printf("stream %u, byte %" PRIu64 ": %s + %" PRIu64 ", kind %u%s\n",
             number, relocs[i].where, info.name, relocs[i].addend,
             relocs[i].kind, word == half ? "" : ": another address");
    }
    // A stream of zeros does not hold the planned addresses.
    if (count)
      printf("stream %u: %s\n", number,
             gmem_plan_check_stream(plan, relocs, count, planned,
                                    sizeof planned, &diag) == GMEM_OK
                 ? "planned"
                 : diag.text);
  }
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  return 0;
}
