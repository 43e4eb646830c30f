// address_passes.h - the passes gmem-import-addresses and
// gmem-encode-addresses; their contracts are at the top of their source files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ADDRESS_PASSES_H_
#define GMEM_PASSES_ADDRESS_PASSES_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_import_addresses, gmem_encode_addresses;

#endif // GMEM_PASSES_ADDRESS_PASSES_H_
