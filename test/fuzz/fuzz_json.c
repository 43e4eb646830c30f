// fuzz_json.c - reads any bytes as a JSON problem; what can be read is checked,
// written and read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_json_replay %S/corpus/fuzz_json

#include "fuzz_text.h"
#include "problem_json.h"

enum { MOST_BYTES = 1 << 16 };

static gmem_status_t read_json(const char *text, size_t length,
                               gmem_problem_t **problem,
                               gmem_placement_t **plan) {
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status =
      gmem_problem_json_read(text, length, NULL, problem, plan, &diag);
  require(status == GMEM_OK || (diag.status == status && diag.text[0]));
  require((status == GMEM_OK) == (*problem != NULL));
  return status;
}

static void write_and_read_again(const gmem_problem_t *problem,
                                 const gmem_placement_t *plan) {
  text_t first = {NULL, 0, 0}, second = {NULL, 0, 0};
  gmem_problem_t *again = NULL;
  gmem_placement_t *plan_again = NULL;
  require(gmem_problem_json_write(problem, plan, NULL, append, &first, NULL) ==
          GMEM_OK);
  require(read_json(first.bytes, first.length, &again, &plan_again) == GMEM_OK);
  require(gmem_problem_json_write(again, plan_again, NULL, append, &second,
                                  NULL) == GMEM_OK);
  require(same_text(&first, &second));
  gmem_plan_free(again, plan_again);
  gmem_problem_destroy(again);
  free(first.bytes);
  free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  if (size > MOST_BYTES ||
      read_json((const char *)data, size, &problem, &plan) != GMEM_OK)
    return 0;
  uint8_t digest[32];
  require(gmem_problem_digest(problem, digest, NULL) == GMEM_OK);
  if (plan)
    (void)!gmem_check(problem, plan, NULL, NULL); // any offsets
  write_and_read_again(problem, plan);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
  return 0;
}
