// link_json.h - what gmem-link has done, as JSON (docs/link.md), and its proof.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_JSON_H_
#define GMEM_TOOLS_LINK_JSON_H_

#include <jansson.h>

#include "link_pools.h"

// The caller owns the result; NULL when memory is out.
json_t *gmem_link_to_json(const gmem_link_models_t *models,
                          const gmem_link_pools_t *pools);

// Names the models that |link| lists, and notes who runs with whom. Files are
// in |folder|, "" or with a '/' at its end; the paths that this makes belong to
// *out_paths, an array with NULL at its end, to be freed by
// gmem_link_paths_free. Returns false when what is wrong has been said.
bool gmem_link_from_json(const json_t *link, const char *folder,
                         gmem_link_models_t *models, char ***out_paths);
void gmem_link_paths_free(char **paths);

#endif // GMEM_TOOLS_LINK_JSON_H_
