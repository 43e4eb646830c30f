// tamper.h - changes a plan in one of the ways in which it could be wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_JUDGE_TAMPER_H_
#define GMEM_JUDGE_TAMPER_H_

#include "plan_paths.h"

enum { TAMPER_TEXT = 512 };

typedef enum spot_kind_e {
  SPOT_RESULT,
  SPOT_ARGUMENT,       // of a function
  SPOT_BLOCK_ARGUMENT, // gmem.block_args
  SPOT_WORKBUFFER,
  SPOT_KINDS
} spot_kind_t;

// Where a plan says where something is.
typedef struct plan_spot_s {
  spot_kind_t kind;
  MlirOperation function;
  plan_path_t pool, offset, size, payload; // a workbuffer has neither of the
                                           //   last two
} plan_spot_t;

// All that can be changed in the plan of a scope.
typedef struct tamper_s {
  MlirOperation scope;
  plan_spot_t *spots;
  size_t spot_count, spot_room;
  plan_path_t *records; // elements of gmem.copies
  size_t record_count, record_room;
  plan_path_t *claims; // elements of gmem.alias
  size_t claim_count, claim_room;
  MlirOperation *unplaced; // allocations without a place, of static size
  size_t unplaced_count, unplaced_room;
  bool gives_places; // rather than to change those that are there
  uint64_t random;
} tamper_t;

// Looks for what there is; tamper_free frees it. |gives_places|: where the
// planner has left an allocation without a place, the change is one.
void tamper_find(tamper_t *tamper, MlirOperation scope, bool gives_places);
void tamper_free(tamper_t *tamper);

// Makes one change that |seed| decides. |text| says which. False: there is
// nothing to change, or the change is none.
bool tamper_once(tamper_t *tamper, uint64_t seed, plan_changes_t *changes,
                 char text[TAMPER_TEXT]);

#endif // GMEM_JUDGE_TAMPER_H_
