// link_check.h - verifies the result of gmem-link from link.json and the plans
// of the modules, independently of the code that placed them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_CHECK_H_
#define GMEM_TOOLS_LINK_CHECK_H_

#include <jansson.h>

#include "link_models.h"

// Verifies that the blocks in |link| match the plans of the models and that
// blocks that must not overlap do not.
GMEM_MUST_USE gmem_status_t gmem_link_check(const json_t *link,
                                            const gmem_link_models_t *models);

#endif // GMEM_TOOLS_LINK_CHECK_H_
