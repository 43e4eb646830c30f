// plan_paths.h - the numbers and names of a plan, wherever in nested attributes
// they are: reading, replacing and taking back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_JUDGE_PLAN_PATHS_H_
#define GMEM_JUDGE_PLAN_PATHS_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

enum { PATH_DEPTH = 3 };

// One element of an attribute: of a list the one of that number, of a
// dictionary the one of that key.
typedef struct path_step_s {
  const char *key; // or NULL: |number|
  intptr_t number;
} path_step_t;

typedef struct plan_path_s {
  MlirOperation op;
  const char *attribute;
  path_step_t steps[PATH_DEPTH];
  int depth;
} plan_path_t;

// What was there before a change.
typedef struct plan_change_s {
  MlirOperation op;
  const char *attribute;
  MlirAttribute before; // null: absent
} plan_change_t;

// The changes of a plan, in order.
typedef struct plan_changes_s {
  plan_change_t *at;
  size_t count, room;
} plan_changes_t;

// |path| and one step more.
plan_path_t path_element(plan_path_t path, intptr_t number);
plan_path_t path_entry(plan_path_t path, const char *key);

// What is there, an element of array<i64> as an integer of 64 bits; null when
// there is nothing.
MlirAttribute path_get(const plan_path_t *path);

// Replaces what is there by |value|, null: takes it out.
void path_set(const plan_path_t *path, MlirAttribute value,
              plan_changes_t *changes);

// Whether there is an integer, or a string.
bool path_number(const plan_path_t *path, int64_t *number);
bool path_string(const plan_path_t *path, MlirStringRef *string);
void path_set_number(const plan_path_t *path, int64_t number,
                     plan_changes_t *changes);

// Takes all changes back, the last one first.
void plan_changes_undo(plan_changes_t *changes);

#endif // GMEM_JUDGE_PLAN_PATHS_H_
