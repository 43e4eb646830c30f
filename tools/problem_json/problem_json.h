// problem_json.h - the JSON format of problems and plans (docs/problem-
// json.md). Part of the tools, since the planner itself depends on libc
// only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_H_
#define GMEM_TOOLS_PROBLEM_JSON_H_

#include "gmem/planner.h"

#define GMEM_PROBLEM_JSON_FORMAT "gmem-problem"
#define GMEM_PROBLEM_JSON_VERSION 1

#endif // GMEM_TOOLS_PROBLEM_JSON_H_
