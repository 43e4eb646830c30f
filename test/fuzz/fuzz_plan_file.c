// fuzz_plan_file.c - reads any bytes as an earlier plan: plan JSON, or a plan
// image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_plan_file_replay %S/corpus/fuzz_plan_file

#define _GNU_SOURCE // memfd_create

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_text.h"
#include "plan_file.h"

static gmem_status_t take(void *user, const gmem_earlier_buffer_t *buffer,
                          gmem_diag_t *diag) {
  (void)diag;
  require(buffer->name && buffer->pool && buffer->offset <= INT64_MAX &&
          buffer->size <= INT64_MAX);
  *(size_t *)user += strlen(buffer->name) + strlen(buffer->pool);
  return GMEM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  gmem_diag_t diag = {.status = GMEM_OK};
  size_t read = 0;
  int file = memfd_create("plan", MFD_CLOEXEC);
  require(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  gmem_status_t status = gmem_plan_file_read(path, NULL, take, &read, &diag);
  require(status == GMEM_OK || status == GMEM_ERR_UNSUPPORTED ||
          (diag.status == status && diag.text[0]));
  close(file);
  return 0;
}
