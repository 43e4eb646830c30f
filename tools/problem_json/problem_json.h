// problem_json.h - problems and plans as JSON (docs/problem-json.md). For the
// tools: the planner itself depends on libc alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_H_
#define GMEM_TOOLS_PROBLEM_JSON_H_

#include "gmem/planner.h"

#define GMEM_PROBLEM_JSON_FORMAT "gmem-problem"
#define GMEM_PROBLEM_JSON_VERSION 1

#endif // GMEM_TOOLS_PROBLEM_JSON_H_
