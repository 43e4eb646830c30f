// life_check.h - finds what is written, or read, where no buffer lives
// (GMEM_POOL_CHECK).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LIFE_CHECK_H_
#define GMEM_RUNTIME_LIFE_CHECK_H_

#include "gmem/runtime.h"

// All of a checking pool's slots, by their owner. Between leases, and after
// unmapping, |slot->memory| need not be anything.

// At the start of a lease: all but STATE is filled with the pattern, and what
// no buffer ever uses is poisoned.
void gmem_life_begin(gmem_lease_t *slot);

// At the end: checks what is dead, and counts a corrupt lease. All bytes can
// then be written, until gmem_life_close poisons all but STATE.
void gmem_life_end(gmem_lease_t *slot);
void gmem_life_close(gmem_lease_t *slot);

// Makes bytes that go back to the provider ordinary ones.
void gmem_life_forget(const gmem_range_t *range);

#endif // GMEM_RUNTIME_LIFE_CHECK_H_
