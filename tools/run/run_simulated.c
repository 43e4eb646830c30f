// run_simulated.c - runs simulated requests to a plan image and the checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_kernel.h"
#include "interrupt.h"
#include "load_report.h"
#include "messages.h"
#include "run_load.h"

//===--- imports ----------------------------------------------------------===//

static bool is_importable(const gmem_plan_t *plan, gmem_buffer_t id) {
  gmem_buffer_info_t info = gmem_plan_buffer_at(plan, id);
  return (info.flags & GMEM_BUFFER_IMPORTABLE) && info.parent == GMEM_NONE &&
         info.size > 0;
}

static bool is_listed(const gmem_stress_t *stress, gmem_buffer_t id) {
  for (uint32_t i = 0; i < stress->import_count; ++i)
    if (stress->imports[i] == id)
      return true;
  return false;
}

static gmem_status_t add_import(gmem_stress_t *stress, const char *name) {
  const gmem_plan_t *plan = stress->memory->plan;
  const char *path = stress->options->path;
  bool is_all = strcmp(name, "all") == 0, is_found = false;
  gmem_buffer_t target = GMEM_NONE;
  if (!is_all)
    GMEM_TRY(gmem_plan_buffer_named(plan, path, name, &target));
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if ((is_all || i == target) && is_importable(plan, i)) {
      is_found = true;
      if (is_listed(stress, i))
        continue;
      assert(stress->import_count < gmem_plan_buffer_count(plan));
      stress->imports[stress->import_count++] = i;
    }
  if (is_found)
    return GMEM_OK;
  return is_all
             ? gmem_tool_error("%s: the plan has no importable buffer", path)
             : gmem_tool_error("%s: buffer '%s' is not importable", path, name);
}

static gmem_status_t find_imports(gmem_stress_t *stress) {
  const gmem_text_list_t *names = &stress->options->image.imports;
  stress->imports = calloc(gmem_plan_buffer_count(stress->memory->plan) + 1u,
                           sizeof *stress->imports);
  if (!stress->imports)
    return gmem_tool_error("out of memory");
  for (uint32_t i = 0; i < names->count; ++i)
    GMEM_TRY(add_import(stress, names->at[i]));
  return GMEM_OK;
}

//===--- checks -----------------------------------------------------------===//

static gmem_status_t check_requests(const gmem_stress_t *stress,
                                    const gmem_stress_result_t *result) {
  uint32_t requested = stress->options->requests;
  if (result->ended[GMEM_REQUEST_FAILED] == 0 && result->begun == requested)
    return GMEM_OK;
  if (result->ended[GMEM_REQUEST_FAILED] == 0)
    return gmem_tool_error("%s: interrupted after %" PRIu32 " of %" PRIu32
                           " requests",
                           stress->options->path, result->begun, requested);
  return gmem_tool_error(
      "%s: %" PRIu64 " requests failed, the first is request %" PRIu32 ": %s",
      stress->options->path, result->ended[GMEM_REQUEST_FAILED],
      result->problem_request, result->problem);
}

static gmem_status_t compare_sums(const gmem_stress_t *stress,
                                  const gmem_stress_result_t *a,
                                  const gmem_stress_result_t *b) {
  if (a->total == b->total)
    return GMEM_OK;
  for (uint32_t i = 0; i < a->kept_count; ++i)
    if (a->kept[i].end == GMEM_REQUEST_DONE &&
        b->kept[i].end == GMEM_REQUEST_DONE && a->kept[i].sum != b->kept[i].sum)
      return gmem_tool_error("%s: the result of request %" PRIu32
                             " differs if no buffers share bytes",
                             stress->options->path, i);
  return gmem_tool_error("%s: the results differ if no buffers share bytes",
                         stress->options->path);
}

// The first interrupt stops the requests; the report is printed all the same.
static gmem_status_t run_stress(const gmem_stress_t *stress, uint32_t flags,
                                gmem_stress_result_t *result) {
  gmem_interrupt_catch();
  gmem_status_t status = gmem_stress_run(stress, flags, result);
  gmem_interrupt_release();
  return status;
}

// Repeats all requests with every buffer in separate memory.
static gmem_status_t check_unshared(const gmem_stress_t *stress,
                                    const gmem_stress_result_t *shared,
                                    gmem_stress_result_t *unshared) {
  GMEM_TRY(run_stress(stress, GMEM_POOL_UNSHARED, unshared));
  GMEM_TRY(check_requests(stress, unshared));
  GMEM_TRY(compare_sums(stress, shared, unshared));
  if (!stress->options->json)
    printf("unshared: the results are the same\n");
  return GMEM_OK;
}

// Counts the weights with a digest. Fails if the weights of the plan cannot be
// verified: they need digests, and their bytes must be in the image.
static gmem_status_t find_digests(gmem_stress_t *stress) {
  const gmem_plan_t *plan = stress->memory->plan;
  uint32_t unknown = 0;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, i);
    gmem_weight_info_t weight;
    if (gmem_plan_weight(plan, i, &weight) != GMEM_OK) {
      unknown += info.space == GMEM_SPACE_WEIGHT;
      continue;
    }
    if (info.space == GMEM_SPACE_SHARED_WORK || weight.transform)
      continue; // its digest is not that of its bytes
    ++stress->digest_count;
    if (!gmem_plan_has_content(plan, info.region))
      return gmem_tool_error(
          "%s: the image does not contain the bytes of weight '%s'",
          stress->options->path, info.name);
  }
  if (stress->digest_count || !unknown)
    return GMEM_OK;
  return gmem_tool_error(
      "%s: the image does not contain digests of its weights",
      stress->options->path);
}

static gmem_status_t check_weights(const gmem_stress_t *stress) {
  gmem_diag_t diag = {0};
  gmem_buffer_t bad;
  GMEM_TRY(
      gmem_tool_check(gmem_model_verify(stress->memory->model, &bad, &diag),
                      &diag, "%s", stress->options->path));
  if (!stress->options->json)
    printf("weights: %" PRIu32 " digests verified\n", stress->digest_count);
  return GMEM_OK;
}

//===--- the run ----------------------------------------------------------===//

static gmem_status_t open_model(const gmem_stress_t *stress) {
  uint32_t checks = stress->options->checks;
  gmem_model_sources_t sources = {.struct_size = sizeof sources};
  gmem_mmap_options_t memory = GMEM_MMAP_OPTIONS_INIT;
  gmem_diag_t diag = {0};
  memory.guard_pages = checks & GMEM_RUN_CHECK_UNSHARED;
  if (checks & GMEM_RUN_CHECK_WEIGHTS)
    sources.flags |= GMEM_MODEL_VERIFY;
  return gmem_tool_check(
      gmem_mapped_plan_model(stress->memory, &memory, &sources, &diag), &diag,
      "%s", stress->options->path);
}

// |results|: of all requests, and of |check_unshared|.
static gmem_status_t run_checked(const gmem_stress_t *stress,
                                 gmem_stress_result_t results[2]) {
  uint32_t checks = stress->options->checks, flags = 0;
  if (checks & GMEM_RUN_CHECK_LIFE)
    flags |= GMEM_POOL_CHECK;
  if (checks & GMEM_RUN_CHECK_ZERO)
    flags |= GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE;
  GMEM_TRY(run_stress(stress, flags, &results[0]));
  gmem_status_t checked = check_requests(stress, &results[0]);
  GMEM_TRY(gmem_stress_report(stress, &results[0], checked == GMEM_OK));
  GMEM_TRY(checked);
  if (checks & GMEM_RUN_CHECK_UNSHARED)
    GMEM_TRY(check_unshared(stress, &results[0], &results[1]));
  if (checks & GMEM_RUN_CHECK_WEIGHTS)
    GMEM_TRY(check_weights(stress));
  if (checks & GMEM_RUN_CHECK_BROKEN_KERNEL)
    GMEM_TRY(gmem_broken_kernel_run(stress));
  return GMEM_OK;
}

// Waits until standard input ends, for example to inspect the process or to
// start a second one.
void gmem_run_hold(void) {
  char line[256];
  fflush(stdout);
  while (fread(line, 1, sizeof line, stdin) > 0)
    ;
}

static gmem_status_t run(gmem_stress_t *stress,
                         gmem_stress_result_t results[2]) {
  if (stress->options->checks & GMEM_RUN_CHECK_WEIGHTS)
    GMEM_TRY(find_digests(stress));
  GMEM_TRY(open_model(stress));
  if (!gmem_simulation_create(stress->memory->plan, &stress->simulation))
    return gmem_tool_error("out of memory");
  GMEM_TRY(find_imports(stress));
  GMEM_TRY(run_checked(stress, results));
  if (stress->options->hold)
    gmem_run_hold();
  return GMEM_OK;
}

gmem_status_t gmem_run_simulated(const gmem_run_options_t *options,
                                 gmem_mapped_plan_t *mapped) {
  gmem_stress_t stress = {.options = options, .memory = mapped};
  gmem_stress_result_t results[2] = {0};
  gmem_status_t status = run(&stress, results);
  gmem_stress_result_free(&results[0]);
  gmem_stress_result_free(&results[1]);
  free(stress.imports);
  gmem_simulation_destroy(&stress.simulation);
  return status;
}
