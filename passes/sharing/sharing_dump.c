// sharing_dump.c - see sharing_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sharing_dump.h"

#include <inttypes.h>

void gmem_sharing_dump(const gmem_liveness_t *liveness,
                       const gmem_aliases_t *aliases, gmem_text_t *text) {
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    gmem_text_print(text,
                    "%s at op %u: alias set %u may be at byte %" PRIu64
                    " of alias set %u%s\n",
                    gmem_sharing_name(alias->kind), alias->op,
                    liveness->set_of[alias->child], alias->offset,
                    liveness->set_of[alias->parent],
                    alias->operand == GMEM_NO_INDEX &&
                            alias->kind != GMEM_SHARE_TRANSFER
                        ? ", implied"
                        : "");
  }
}
