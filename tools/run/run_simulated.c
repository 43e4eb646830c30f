// run_simulated.c - puts a plan image under load, and checks what comes out.
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

//===--- what is imported -------------------------------------------------===//

static bool is_importable(const gmem_plan_t *plan, gmem_buffer_t id) {
  gmem_buffer_info_t info;
  return gmem_plan_buffer(plan, id, &info) == GMEM_OK &&
         (info.flags & GMEM_BUFFER_IMPORTABLE) && info.parent == GMEM_NONE &&
         info.size > 0;
}

static bool is_listed(const gmem_load_t *load, const gmem_buffer_t *imports,
                      gmem_buffer_t id) {
  for (uint32_t i = 0; i < load->import_count; ++i)
    if (imports[i] == id)
      return true;
  return false;
}

static int add_import(gmem_load_t *load, gmem_buffer_t *imports,
                      const char *name) {
  uint32_t before = load->import_count;
  bool is_all = strcmp(name, "all") == 0;
  gmem_buffer_t wanted = is_all ? GMEM_NONE : gmem_plan_find(load->plan, name);
  if (!is_all && wanted == GMEM_NONE)
    return gmem_run_error("%s: there is no buffer '%s'", load->options->path,
                          name);
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(load->plan); ++i)
    if ((is_all || i == wanted) && is_importable(load->plan, i)) {
      if (is_listed(load, imports, i))
        return 0;
      imports[load->import_count++] = i;
    }
  if (load->import_count > before)
    return 0;
  return is_all ? gmem_run_error("%s: no buffer of the plan may be imported",
                                 load->options->path)
                : gmem_run_error("%s: the buffer '%s' may not be imported",
                                 load->options->path, name);
}

static int find_imports(gmem_load_t *load, gmem_buffer_t **out_imports) {
  *out_imports = calloc(gmem_plan_buffer_count(load->plan) + (size_t)1,
                        sizeof **out_imports);
  if (!*out_imports)
    return gmem_run_error("out of memory");
  load->imports = *out_imports;
  int code = 0;
  for (uint32_t i = 0; i < load->options->import_count && code == 0; ++i)
    code = add_import(load, *out_imports, load->options->imports[i]);
  return code;
}

//===--- checks -----------------------------------------------------------===//

static int check_requests(const gmem_load_t *load,
                          const gmem_load_result_t *result) {
  uint32_t wanted = load->options->requests;
  if (result->failed == 0 && result->begun == wanted)
    return 0;
  if (result->failed == 0)
    return gmem_run_error("%s: interrupted after %" PRIu32 " of %" PRIu32
                          " requests",
                          load->options->path, result->begun, wanted);
  return gmem_run_error("%s: %" PRIu64 " requests failed, the first is %" PRIu32
                        ": %s",
                        load->options->path, result->failed,
                        result->problem_request, result->problem);
}

static int compare_sums(const gmem_load_t *load, const gmem_load_result_t *a,
                        const gmem_load_result_t *b) {
  if (a->total == b->total)
    return 0;
  for (uint32_t i = 0; i < a->kept_count; ++i)
    if (a->kept[i].end == GMEM_REQUEST_DONE &&
        b->kept[i].end == GMEM_REQUEST_DONE && a->kept[i].sum != b->kept[i].sum)
      return gmem_run_error("%s: request %" PRIu32
                            " comes out otherwise when no buffers share bytes",
                            load->options->path, i);
  return gmem_run_error(
      "%s: requests come out otherwise when no buffers share bytes",
      load->options->path);
}

// The first interrupt ends the requests, and what they have shown is printed.
static int run_load(const gmem_load_t *load, uint32_t flags,
                    gmem_load_result_t *result) {
  gmem_interrupt_catch();
  int code = gmem_load_run(load, flags, result);
  gmem_interrupt_release();
  return code;
}

// Runs all requests once more, with every buffer in memory of its own.
static int check_unshared(const gmem_load_t *load,
                          const gmem_load_result_t *shared) {
  gmem_load_result_t *unshared = calloc(1, sizeof *unshared);
  if (!unshared)
    return gmem_run_error("out of memory");
  int code = run_load(load, GMEM_POOL_UNSHARED, unshared);
  if (code == 0)
    code = check_requests(load, unshared);
  if (code == 0)
    code = compare_sums(load, shared, unshared);
  if (code == 0 && !load->options->json)
    printf("unshared: the same\n");
  gmem_load_result_free(unshared);
  free(unshared);
  return code;
}

// Whether the weights of the plan, if it has any, can be compared with
// something: they have digests, and their bytes are in the image.
static int find_weights(const gmem_load_t *load) {
  gmem_weight_info_t weight;
  gmem_buffer_info_t info;
  uint32_t known = 0, unknown = 0;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(load->plan); ++i) {
    if (gmem_plan_buffer(load->plan, i, &info) != GMEM_OK)
      continue;
    if (gmem_plan_weight(load->plan, i, &weight) != GMEM_OK) {
      unknown += info.space == GMEM_SPACE_WEIGHT;
      continue;
    }
    ++known;
    if (!gmem_plan_has_content(load->plan, info.region))
      return gmem_run_error("%s: the bytes of weight '%s' are not in the image",
                            load->options->path, info.name);
  }
  return known || !unknown
             ? 0
             : gmem_run_error("%s: the image has no digests of weights",
                              load->options->path);
}

static int check_weights(const gmem_load_t *load) {
  gmem_diag_t diag = {0};
  gmem_buffer_t bad;
  uint32_t known = 0;
  gmem_weight_info_t info;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(load->plan); ++i)
    known += gmem_plan_weight(load->plan, i, &info) == GMEM_OK;
  gmem_status_t status = gmem_model_verify(load->model, &bad, &diag);
  if (status != GMEM_OK)
    return gmem_run_error("%s: %s", load->options->path,
                          diag.text[0] ? diag.text : gmem_status_name(status));
  if (!load->options->json)
    printf("weights: the digests of %" PRIu32 " are right\n", known);
  return 0;
}

//===--- the run ----------------------------------------------------------===//

static gmem_status_t open_model(gmem_load_t *load, gmem_diag_t *diag) {
  gmem_model_sources_t sources = {.struct_size = sizeof sources};
  gmem_mmap_options_t memory = GMEM_MMAP_OPTIONS_INIT;
  memory.guard_pages = load->options->checks & GMEM_RUN_CHECK_UNSHARED;
  if (load->options->checks & GMEM_RUN_CHECK_WEIGHTS)
    sources.flags |= GMEM_MODEL_VERIFY;
  gmem_status_t status = gmem_provider_mmap(&memory, NULL, &load->provider);
  return status == GMEM_OK
             ? gmem_model_create(load->plan, &load->provider, &sources, NULL,
                                 &load->model, diag)
             : status;
}

static int run_checked(const gmem_load_t *load, gmem_load_result_t *result) {
  uint32_t checks = load->options->checks, flags = 0;
  if (checks & GMEM_RUN_CHECK_LIFE)
    flags |= GMEM_POOL_CHECK;
  if (checks & GMEM_RUN_CHECK_ZERO)
    flags |= GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE;
  int code = run_load(load, flags, result);
  if (code)
    return code;
  int problem = check_requests(load, result);
  code = gmem_load_report(load, result, problem == 0);
  if (code == 0)
    code = problem;
  if (code == 0 && (checks & GMEM_RUN_CHECK_UNSHARED))
    code = check_unshared(load, result);
  if (code == 0 && (checks & GMEM_RUN_CHECK_WEIGHTS))
    code = check_weights(load);
  if (code == 0 && (checks & GMEM_RUN_CHECK_BROKEN_KERNEL))
    code = gmem_broken_kernel_run(load);
  return code;
}

// So that somebody can look at the process, or start a second one.
static void hold(void) {
  char line[256];
  fflush(stdout);
  while (fread(line, 1, sizeof line, stdin) > 0)
    ;
}

static int run(gmem_load_t *load) {
  gmem_diag_t diag = {0};
  gmem_buffer_t *imports = NULL;
  gmem_load_result_t *result = calloc(1, sizeof *result);
  if (!result)
    return gmem_run_error("out of memory");
  int code =
      load->options->checks & GMEM_RUN_CHECK_WEIGHTS ? find_weights(load) : 0;
  gmem_status_t status = code ? GMEM_OK : open_model(load, &diag);
  if (status != GMEM_OK)
    code = gmem_run_error("%s: %s", load->options->path,
                          diag.text[0] ? diag.text : gmem_status_name(status));
  else if (code == 0 && !gmem_simulation_create(load->plan, &load->simulation))
    code = gmem_run_error("out of memory");
  if (code == 0)
    code = find_imports(load, &imports);
  if (code == 0)
    code = run_checked(load, result);
  if (code == 0 && load->options->hold)
    hold();
  free(imports);
  gmem_load_result_free(result);
  free(result);
  return code;
}

int gmem_run_simulated(const gmem_run_options_t *options, gmem_plan_t *plan) {
  gmem_load_t load = {.options = options, .plan = plan};
  int code = run(&load);
  gmem_simulation_destroy(&load.simulation);
  gmem_model_release(load.model);
  gmem_provider_destroy(&load.provider);
  return code;
}
