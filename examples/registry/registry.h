// registry.h - the list of the models of a firmware, which its build writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef REGISTRY_H_
#define REGISTRY_H_

#include "gmem/model_desc.h"

extern const gmem_model_desc_t *const registry[];
extern const size_t registry_count;

#endif // REGISTRY_H_
