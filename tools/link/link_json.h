// link_json.h - reads and writes link.json (docs/link.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_JSON_H_
#define GMEM_TOOLS_LINK_JSON_H_

#include <jansson.h>

#include "link_pools.h"

// Returns the text of link.json, which the caller frees.
char *gmem_link_to_json(const gmem_link_models_t *models,
                        const gmem_link_pools_t *pools);

// Initialises |models| with the names, files and concurrency in |link|. Files
// are in |folder|, "" or with a trailing '/'. Call gmem_link_models_free in any
// case.
GMEM_MUST_USE gmem_status_t gmem_link_from_json(const json_t *link,
                                                const char *folder,
                                                gmem_link_models_t *models);

#endif // GMEM_TOOLS_LINK_JSON_H_
