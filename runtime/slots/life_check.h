// life_check.h - detects writes and reads where no buffer is live
// (GMEM_POOL_CHECK).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LIFE_CHECK_H_
#define GMEM_RUNTIME_LIFE_CHECK_H_

#include "gmem/runtime.h"

// These functions apply to slots of pools with GMEM_POOL_CHECK, and are called
// by the slot's owner. Between leases, and after unmapping, |slot->memory| may
// be uninitialised.

// At the start of a lease: fills everything except STATE with the pattern, and
// poisons bytes that no buffer ever owns.
void gmem_life_begin(gmem_lease_t *slot);

// At the end of a lease: checks dead bytes, and counts a corrupt lease. All
// bytes are then writable, until gmem_life_close poisons everything except
// STATE.
void gmem_life_end(gmem_lease_t *slot);
void gmem_life_close(gmem_lease_t *slot);

// Unpoisons bytes that are returned to the provider.
void gmem_life_forget(const gmem_range_t *range);

#endif // GMEM_RUNTIME_LIFE_CHECK_H_
