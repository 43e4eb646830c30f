// run_simulated.c - runs simulated requests to a plan image and the checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_simulated.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_kernel.h"
#include "interrupt.h"
#include "load_report.h"
#include "run_load.h"
#include "run_messages.h"

//===--- imports ----------------------------------------------------------===//

static bool is_importable(const gmem_plan_t *plan, gmem_buffer_t id) {
  gmem_buffer_info_t info;
  return gmem_plan_buffer(plan, id, &info) == GMEM_OK &&
         (info.flags & GMEM_BUFFER_IMPORTABLE) && info.parent == GMEM_NONE &&
         info.size > 0;
}

static bool is_listed(const gmem_stress_t *stress, const gmem_buffer_t *imports,
                      gmem_buffer_t id) {
  for (uint32_t i = 0; i < stress->import_count; ++i)
    if (imports[i] == id)
      return true;
  return false;
}

static int add_import(gmem_stress_t *stress, gmem_buffer_t *imports,
                      const char *name) {
  uint32_t before = stress->import_count;
  bool is_all = strcmp(name, "all") == 0;
  gmem_buffer_t target =
      is_all ? GMEM_NONE : gmem_plan_find(stress->plan, name);
  if (!is_all && target == GMEM_NONE)
    return gmem_run_error("%s: unknown buffer '%s'", stress->options->path,
                          name);
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(stress->plan); ++i)
    if ((is_all || i == target) && is_importable(stress->plan, i)) {
      if (is_listed(stress, imports, i))
        return 0;
      imports[stress->import_count++] = i;
    }
  if (stress->import_count > before)
    return 0;
  return is_all ? gmem_run_error("%s: the plan has no importable buffer",
                                 stress->options->path)
                : gmem_run_error("%s: buffer '%s' is not importable",
                                 stress->options->path, name);
}

static int find_imports(gmem_stress_t *stress, gmem_buffer_t **out_imports) {
  *out_imports = calloc(gmem_plan_buffer_count(stress->plan) + (size_t)1,
                        sizeof **out_imports);
  if (!*out_imports)
    return gmem_run_error("out of memory");
  stress->imports = *out_imports;
  int code = 0;
  for (uint32_t i = 0; i < stress->options->import_count && code == 0; ++i)
    code = add_import(stress, *out_imports, stress->options->imports[i]);
  return code;
}

//===--- checks -----------------------------------------------------------===//

static int check_requests(const gmem_stress_t *stress,
                          const gmem_stress_result_t *result) {
  uint32_t requested = stress->options->requests;
  if (result->failed == 0 && result->begun == requested)
    return 0;
  if (result->failed == 0)
    return gmem_run_error("%s: interrupted after %" PRIu32 " of %" PRIu32
                          " requests",
                          stress->options->path, result->begun, requested);
  return gmem_run_error(
      "%s: %" PRIu64 " requests failed, the first is request %" PRIu32 ": %s",
      stress->options->path, result->failed, result->problem_request,
      result->problem);
}

static int compare_sums(const gmem_stress_t *stress,
                        const gmem_stress_result_t *a,
                        const gmem_stress_result_t *b) {
  if (a->total == b->total)
    return 0;
  for (uint32_t i = 0; i < a->kept_count; ++i)
    if (a->kept[i].end == GMEM_REQUEST_DONE &&
        b->kept[i].end == GMEM_REQUEST_DONE && a->kept[i].sum != b->kept[i].sum)
      return gmem_run_error("%s: the result of request %" PRIu32
                            " differs if no buffers share bytes",
                            stress->options->path, i);
  return gmem_run_error("%s: the results differ if no buffers share bytes",
                        stress->options->path);
}

// The first interrupt stops the requests; the report is printed all the same.
static int run_stress(const gmem_stress_t *stress, uint32_t flags,
                      gmem_stress_result_t *result) {
  gmem_interrupt_catch();
  int code = gmem_stress_run(stress, flags, result);
  gmem_interrupt_release();
  return code;
}

// Repeats all requests with every buffer in separate memory.
static int check_unshared(const gmem_stress_t *stress,
                          const gmem_stress_result_t *shared) {
  gmem_stress_result_t *unshared = calloc(1, sizeof *unshared);
  if (!unshared)
    return gmem_run_error("out of memory");
  int code = run_stress(stress, GMEM_POOL_UNSHARED, unshared);
  if (code == 0)
    code = check_requests(stress, unshared);
  if (code == 0)
    code = compare_sums(stress, shared, unshared);
  if (code == 0 && !stress->options->json)
    printf("unshared: the results are the same\n");
  gmem_stress_result_free(unshared);
  free(unshared);
  return code;
}

// Fails if the weights of the plan cannot be verified: they need digests, and
// their bytes must be in the image.
static int find_weights(const gmem_stress_t *stress) {
  gmem_weight_info_t weight;
  gmem_buffer_info_t info;
  uint32_t known = 0, unknown = 0;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(stress->plan); ++i) {
    if (gmem_plan_buffer(stress->plan, i, &info) != GMEM_OK)
      continue;
    if (gmem_plan_weight(stress->plan, i, &weight) != GMEM_OK) {
      unknown += info.space == GMEM_SPACE_WEIGHT;
      continue;
    }
    ++known;
    if (!gmem_plan_has_content(stress->plan, info.region))
      return gmem_run_error(
          "%s: the image does not contain the bytes of weight '%s'",
          stress->options->path, info.name);
  }
  return known || !unknown
             ? 0
             : gmem_run_error(
                   "%s: the image does not contain digests of its weights",
                   stress->options->path);
}

static int check_weights(const gmem_stress_t *stress) {
  gmem_diag_t diag = {0};
  gmem_buffer_t bad;
  uint32_t known = 0;
  gmem_weight_info_t info;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(stress->plan); ++i)
    known += gmem_plan_weight(stress->plan, i, &info) == GMEM_OK;
  gmem_status_t status = gmem_model_verify(stress->model, &bad, &diag);
  if (status != GMEM_OK)
    return gmem_run_error("%s: %s", stress->options->path,
                          diag.text[0] ? diag.text : gmem_status_name(status));
  if (!stress->options->json)
    printf("weights: %" PRIu32 " digests verified\n", known);
  return 0;
}

//===--- the run ----------------------------------------------------------===//

static gmem_status_t open_model(gmem_stress_t *stress, gmem_diag_t *diag) {
  gmem_model_sources_t sources = {.struct_size = sizeof sources};
  gmem_mmap_options_t memory = GMEM_MMAP_OPTIONS_INIT;
  memory.guard_pages = stress->options->checks & GMEM_RUN_CHECK_UNSHARED;
  if (stress->options->checks & GMEM_RUN_CHECK_WEIGHTS)
    sources.flags |= GMEM_MODEL_VERIFY;
  GMEM_TRY(gmem_provider_mmap(&memory, NULL, &stress->provider));
  return gmem_model_create(stress->plan, &stress->provider, &sources, NULL,
                           &stress->model, diag);
}

static int run_checked(const gmem_stress_t *stress,
                       gmem_stress_result_t *result) {
  uint32_t checks = stress->options->checks, flags = 0;
  if (checks & GMEM_RUN_CHECK_LIFE)
    flags |= GMEM_POOL_CHECK;
  if (checks & GMEM_RUN_CHECK_ZERO)
    flags |= GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE;
  int code = run_stress(stress, flags, result);
  if (code)
    return code;
  int problem = check_requests(stress, result);
  code = gmem_stress_report(stress, result, problem == 0);
  if (code == 0)
    code = problem;
  if (code == 0 && (checks & GMEM_RUN_CHECK_UNSHARED))
    code = check_unshared(stress, result);
  if (code == 0 && (checks & GMEM_RUN_CHECK_WEIGHTS))
    code = check_weights(stress);
  if (code == 0 && (checks & GMEM_RUN_CHECK_BROKEN_KERNEL))
    code = gmem_broken_kernel_run(stress);
  return code;
}

// Waits until standard input ends, for example to inspect the process or to
// start a second one.
static void hold(void) {
  char line[256];
  fflush(stdout);
  while (fread(line, 1, sizeof line, stdin) > 0)
    ;
}

static int run(gmem_stress_t *stress) {
  gmem_diag_t diag = {0};
  gmem_buffer_t *imports = NULL;
  gmem_stress_result_t *result = calloc(1, sizeof *result);
  if (!result)
    return gmem_run_error("out of memory");
  int code = stress->options->checks & GMEM_RUN_CHECK_WEIGHTS
                 ? find_weights(stress)
                 : 0;
  gmem_status_t status = code ? GMEM_OK : open_model(stress, &diag);
  if (status != GMEM_OK)
    code = gmem_run_error("%s: %s", stress->options->path,
                          diag.text[0] ? diag.text : gmem_status_name(status));
  else if (code == 0 &&
           !gmem_simulation_create(stress->plan, &stress->simulation))
    code = gmem_run_error("out of memory");
  if (code == 0)
    code = find_imports(stress, &imports);
  if (code == 0)
    code = run_checked(stress, result);
  if (code == 0 && stress->options->hold)
    hold();
  free(imports);
  gmem_stress_result_free(result);
  free(result);
  return code;
}

int gmem_run_simulated(const gmem_run_options_t *options, gmem_plan_t *plan) {
  gmem_stress_t stress = {.options = options, .plan = plan};
  int code = run(&stress);
  gmem_simulation_destroy(&stress.simulation);
  gmem_model_release(stress.model);
  gmem_provider_destroy(&stress.provider);
  return code;
}
