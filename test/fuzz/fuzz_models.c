// fuzz_models.c - reads any bytes as op models; a refusal says where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_models_replay %S/corpus/fuzz_models

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "op_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_bump_t arena;
  gmem_diag_t diag = {.status = GMEM_OK};
  const gmem_op_models_t *models;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status = gmem_op_models_parse(
      &arena, "text", mlirStringRefCreate((const char *)data, size), NULL,
      &models, &diag);
  require(status == GMEM_OK ||
          (status == GMEM_ERR_INVALID_ARGUMENT && diag.status == status &&
           strncmp(diag.text, "text:", 5) == 0));
  for (; status == GMEM_OK && models; models = models->outer)
    for (size_t i = 1; i < models->count; ++i)
      require(strcmp(models->models[i - 1].op, models->models[i].op) < 0);
  gmem_bump_destroy(&arena);
  return 0;
}
