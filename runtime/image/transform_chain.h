// transform_chain.h - the number of a chain of transforms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_TRANSFORM_CHAIN_H_
#define GMEM_RUNTIME_TRANSFORM_CHAIN_H_

#include "plan_image.h"

// The number of the chain of the entries [begin, end) of the transforms, not
// empty, whose names were verified: equal for equal names and sizes, so that it
// can be part of the key of a weight in a store. Not 0, and less than
// GMEM_TRANSFORM_COMPUTED. docs/plan-image.md has the formula.
uint64_t gmem_image_chain_number(const gmem_image_view_t *view, uint32_t begin,
                                 uint32_t end);

#endif // GMEM_RUNTIME_TRANSFORM_CHAIN_H_
