// link_check.h - the proof of what gmem-link has done: from its JSON and the
// plans of the modules, without what placed them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_CHECK_H_
#define GMEM_TOOLS_LINK_CHECK_H_

#include <jansson.h>

#include "link_models.h"

// Proves that the blocks in |link| are those of the plans of the models, and
// share no bytes where they must not. Nothing of what made them is used.
// Returns false when what is wrong has been said.
bool gmem_link_check(const json_t *link, const gmem_link_models_t *models);

#endif // GMEM_TOOLS_LINK_CHECK_H_
