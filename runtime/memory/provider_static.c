// provider_static.c - first-fit allocation in caller-provided memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of free and used blocks, sorted by address, covers the window;
// adjacent free blocks are always merged. Blocks are allocated before the lock
// is taken, so that release cannot fail.

#include <inttypes.h>
#include <string.h>

#include "provider_base.h"
#include "runtime_support.h"
#include "thread_safety.h"

typedef struct block_s {
  struct block_s *next; // by offset
  uint64_t offset;      // bytes from the start of the window
  uint64_t size;        // bytes, not 0
  bool used;
} block_t;

// The object that |user| of the provider points to.
typedef struct static_state_s {
  gmem_provider_base_t base;
  uint8_t *host; // of the window, or NULL
  uint64_t device;
  gmem_mutex_t lock; // also guards all blocks
  block_t *first GMEM_GUARDED_BY(&lock);
} static_state_t;

static void free_block(const static_state_t *state, block_t *block) {
  GMEM_RT_FREE(&state->base.allocator, block, 1);
}

#ifdef GMEM_RUNTIME_ASSERTS
// The blocks from |block| on follow each other without a gap, and no two free
// ones are adjacent.
static bool are_sorted(const block_t *block) {
  for (; block && block->next; block = block->next)
    if (block->size == 0 ||
        block->offset + block->size != block->next->offset ||
        (!block->used && !block->next->used))
      return false;
  return true;
}
#endif

// Sets *out_offset (bytes from the start of the window) to the first suitable
// position in |block|. Returns false if the range does not fit.
static bool fits(const static_state_t *state, const block_t *block,
                 const gmem_memory_request_t *request, uint64_t *out_offset) {
  uint64_t start = state->device + block->offset;
  uint64_t slack = (request->align - start % request->align) % request->align;
  if (request->fixed != GMEM_ANY_ADDRESS) {
    if (request->fixed < start)
      return false;
    slack = request->fixed - start;
  }
  *out_offset = block->offset + slack;
  return !block->used && slack <= block->size &&
         request->size <= block->size - slack;
}

// Splits |block| into a free, a used and a free block, using nodes of |spare|.
// Returns the used one.
static block_t *cut(block_t *block, uint64_t offset, uint64_t size,
                    block_t *spare[2]) {
  uint64_t head = offset - block->offset, tail = block->size - head - size;
  GMEM_ASSERT(head <= block->size && tail <= block->size);
  if (tail > 0) {
    *spare[0] = (block_t){block->next, offset + size, tail, false};
    block->next = spare[0];
    spare[0] = NULL;
  }
  if (head > 0) {
    *spare[1] = (block_t){block->next, offset, 0, false};
    block->size = head;
    block->next = spare[1];
    block = spare[1];
    spare[1] = NULL;
  }
  block->size = size;
  block->used = true;
  return block;
}

// Allocates the fitting range with the lowest address, or returns NULL.
static block_t *take(static_state_t *state,
                     const gmem_memory_request_t *request, block_t *spare[2]) {
  uint64_t offset = 0;
  block_t *taken = NULL;
  gmem_mutex_lock(&state->lock);
  for (block_t *block = state->first; block && !taken; block = block->next)
    if (fits(state, block, request, &offset))
      taken = cut(block, offset, request->size, spare);
  GMEM_ASSERT(are_sorted(state->first));
  gmem_mutex_unlock(&state->lock);
  return taken;
}

// Says why nothing fits: the fixed address is in no window of this size, or
// there is too little memory.
static gmem_status_t nothing_fits(static_state_t *state,
                                  const gmem_memory_request_t *request,
                                  gmem_diag_t *diag) {
  uint64_t all = 0, left = 0, largest = 0;
  gmem_mutex_lock(&state->lock);
  for (const block_t *block = state->first; block; block = block->next) {
    uint64_t unused = block->used ? 0 : block->size;
    all += block->size;
    left += unused;
    largest = unused > largest ? unused : largest;
  }
  gmem_mutex_unlock(&state->lock);
  // An address below the window is far above it as a distance.
  uint64_t distance = request->fixed - state->device;
  if (request->fixed != GMEM_ANY_ADDRESS &&
      (distance > all || request->size > all - distance))
    return gmem_rt_fail(diag, GMEM_ERR_UNSUPPORTED,
                        "%" PRIu64 " bytes at 0x%" PRIx64
                        " are not in the window of %" PRIu64
                        " bytes at 0x%" PRIx64,
                        request->size, request->fixed, all, state->device);
  return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_MEMORY,
                      "%" PRIu64 " bytes do not fit: %" PRIu64 " of %" PRIu64
                      " are left, %" PRIu64 " of them together",
                      request->size, left, all, largest);
}

static gmem_status_t static_acquire(void *user,
                                    const gmem_memory_request_t *request,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  static_state_t *state = user;
  uint64_t apart = (uint64_t)(uintptr_t)state->host - state->device;
  bool aligned = request->fixed == GMEM_ANY_ADDRESS ||
                 request->fixed % request->align == 0;
  if ((request->flags & GMEM_RANGE_SHAREABLE) || !aligned ||
      (state->host && apart % request->align != 0))
    return gmem_rt_unsupported(
        diag,
        "static memory cannot be shared, and does not support this alignment");
  const gmem_allocator_t *allocator = &state->base.allocator;
  block_t *spare[2] = {gmem_rt_alloc(allocator, 1, sizeof(block_t)),
                       gmem_rt_alloc(allocator, 1, sizeof(block_t))};
  bool has_spare = spare[0] && spare[1];
  block_t *taken = NULL;
  if (has_spare && request->size > 0)
    taken = take(state, request, spare);
  free_block(state, spare[0]);
  free_block(state, spare[1]);
  if (!taken)
    return has_spare ? nothing_fits(state, request, diag)
                     : gmem_rt_out_of_memory(diag);
  // The size and offset of a used block do not change.
  out_range->size = request->size;
  out_range->device = state->device + taken->offset;
  if (state->host)
    out_range->host =
        memset(state->host + taken->offset, 0, (size_t)request->size);
  return GMEM_OK;
}

// Merges |block| and its successor if both are free. Returns the removed node,
// or NULL.
static block_t *join(block_t *block) {
  block_t *next = block ? block->next : NULL;
  if (!next || block->used || next->used)
    return NULL;
  block->size += next->size;
  block->next = next->next;
  return next;
}

static void static_release(void *user, const gmem_range_t *range) {
  static_state_t *state = user;
  block_t *gone[2] = {NULL, NULL}, *before = NULL;
  gmem_mutex_lock(&state->lock);
  block_t *block = state->first;
  while (block && state->device + block->offset != range->device) {
    before = block;
    block = block->next;
  }
  if (block) {
    block->used = false;
    gone[0] = join(block);
    gone[1] = join(before);
  }
  GMEM_ASSERT(are_sorted(state->first));
  gmem_mutex_unlock(&state->lock);
  free_block(state, gone[0]);
  free_block(state, gone[1]);
}

// No lock is needed: no other thread uses the provider.
static void close_static(void *user) GMEM_UNCHECKED {
  static_state_t *state = user;
  for (block_t *block = state->first, *next; block; block = next) {
    next = block->next;
    free_block(state, block);
  }
  gmem_mutex_destroy(&state->lock);
}

gmem_status_t gmem_provider_static(void *host, uint64_t device, uint64_t size,
                                   const gmem_allocator_t *allocator,
                                   gmem_provider_t *out_provider)
    GMEM_UNCHECKED { // not yet shared with other threads
  if (!out_provider)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_provider = (gmem_provider_t){0};
  // Only the last byte must be addressable, not the one after it.
  if (size == 0 || device > UINT64_MAX - (size - 1) ||
      (host && (size > SIZE_MAX || (uintptr_t)host > UINTPTR_MAX - (size - 1))))
    return GMEM_ERR_INVALID_ARGUMENT;
  static_state_t *state = gmem_provider_state(allocator, sizeof *state);
  if (!state)
    return GMEM_ERR_OUT_OF_MEMORY;
  gmem_allocator_t own = state->base.allocator;
  block_t *all = gmem_rt_alloc(&own, 1, sizeof *all);
  if (!all || !gmem_mutex_init(&state->lock)) {
    GMEM_RT_FREE(&own, all, 1);
    GMEM_RT_FREE(&own, state, 1);
    return GMEM_ERR_OUT_OF_MEMORY;
  }
  *all = (block_t){NULL, 0, size, false};
  state->base.acquire = static_acquire;
  state->base.close = close_static;
  state->host = host;
  state->device = device;
  state->first = all;
  *out_provider = (gmem_provider_t){.user = state,
                                    .granularity = 1,
                                    .acquire = gmem_provider_acquire,
                                    .release = static_release};
  return GMEM_OK;
}
