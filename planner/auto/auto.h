// auto.h - the default algorithm: all others in stages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_AUTO_H_
#define GMEM_PLANNER_AUTO_H_

#include "packing.h"

gmem_pack_t gmem_auto_pack;

#endif // GMEM_PLANNER_AUTO_H_
