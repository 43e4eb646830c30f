// scope_loop.c - runs a pass's work on each planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scope_loop.h"

#include <assert.h>

#include "bump.h"
#include "diagnostics.h"
#include "gmem/status.h"
#include "op_model_text.h"
#include "op_models.h"
#include "scopes.h"

typedef struct scope_loop_s {
  const gmem_allocator_t *allocator;
  const gmem_op_models_t *built_in;
  gmem_scope_work_fn work;
  void *user;
  gmem_diag_t *diag;
} scope_loop_t;

static gmem_status_t work_on_scope(MlirOperation scope, void *user) {
  scope_loop_t *loop = user;
  assert(loop->built_in && loop->diag);
  gmem_bump_t arena;
  gmem_bump_init(&arena, loop->allocator);
  const gmem_op_models_t *models;
  gmem_status_t status = gmem_op_models_of_scope(scope, loop->built_in, &arena,
                                                 &models, loop->diag);
  if (status == GMEM_OK)
    status = loop->work(scope, models, &arena, loop->user, loop->diag);
  gmem_bump_destroy(&arena);
  return status;
}

gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag) {
  gmem_diag_t unread;
  scope_loop_t loop = {.allocator = allocator,
                       .work = work,
                       .user = user,
                       .diag = diag ? diag : &unread};
  gmem_status_t status = gmem_op_models_built_in(&loop.built_in, loop.diag);
  bool is_loaded = status == GMEM_OK;
  if (is_loaded)
    status = gmem_for_each_scope(top, work_on_scope, &loop);
  // All other errors were reported where they occurred.
  if (!is_loaded || status == GMEM_ERR_OUT_OF_MEMORY)
    gmem_op_error(NULL, status, top, "%s", loop.diag->text);
  return status;
}
