// drive_ops.c - runs ops.mlir as its author would: knows the names of its ops
// and values, and nothing of steps. Usage: drive_ops IMAGE [late].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/runtime.h"

static gmem_plan_t *plan;
static gmem_lease_t *lease;

static void need(gmem_status_t status, const char *what,
                 const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "%s: %s\n", what, diag->text);
  exit(1);
}

static gmem_op_t step_of(const char *op) {
  gmem_op_t step = gmem_plan_find_op(plan, op);
  if (step == GMEM_NONE) {
    fprintf(stderr, "no op %s\n", op);
    exit(1);
  }
  return step;
}

static void begin(const char *op) { gmem_lease_begin_op(lease, step_of(op)); }

static void end(const char *op) {
  gmem_lease_begin_op(lease, gmem_plan_op_end(plan, step_of(op)) - 1);
}

static void put(const char *value, int byte) {
  gmem_buffer_info_t info;
  gmem_buffer_t id = gmem_plan_find(plan, value);
  void *host = NULL;
  gmem_diag_t none = {.text = "no such value"};
  need(gmem_plan_buffer(plan, id, &info), value, &none);
  need(gmem_lease_host(lease, id, &host), value, &none);
  memset(host, byte, (size_t)info.size);
}

static void run_layer(const char *call, const char *layer, const char *inner,
                      const char *last, const char *leave) {
  begin(call);
  begin(layer);
  put("layer/%arg0", 1);
  begin(inner);
  put("inner", 2);
  begin(last);
  put("layer/%1", 3);
  begin(leave);
  end(call);
}

static void run(int is_late) {
  begin("main");
  put("image", 4);
  begin("main/arith.constant#0");
  begin("main/arith.constant#1");
  begin("main/arith.constant#2");
  begin("conv1");
  put("conv1", 5);
  run_layer("conv1.1", "layer@0", "inner@0", "layer/tosa.exp#0@0",
            "layer/func.return#0@0");
  put("conv1.1", 6);
  run_layer("main/func.call#1", "layer@1", "inner@1", "layer/tosa.exp#0@1",
            "layer/func.return#0@1");
  put("main/%2", 7);
  begin("loop");
  for (int i = 0; i < 4; ++i) {
    begin("in loop");
    put("main/%arg2", 8);
    begin("main/scf.yield#0");
  }
  end("loop");
  put("loop", 9);
  begin("act"); // in the group
  put("group", 10);
  begin("main/func.return#0");
  if (is_late)
    put("loop", 11);
}

int main(int argc, char **argv) {
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_provider_t provider;
  gmem_diag_t diag = {0};
  gmem_pool_options_t options = {sizeof options, .initial_slots = 1,
                                 .flags = GMEM_POOL_CHECK};
  if (argc < 2)
    return 2;
  need(gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag), argv[1], &diag);
  need(gmem_provider_mmap(NULL, NULL, &provider), "provider", &diag);
  need(gmem_model_create(plan, &provider, NULL, NULL, &model, &diag), "model",
       &diag);
  need(gmem_pool_create(model, &provider, &options, NULL, &pool, &diag), "pool",
       &diag);
  need(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease), "lease", &diag);
  run(argc > 2);
  if (gmem_lease_check(lease, &diag) == GMEM_OK)
    printf("every write was in time\n");
  else
    printf("refused: %s\n", diag.text);
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  return 0;
}
