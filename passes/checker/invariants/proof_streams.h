// proof_streams.h - what is left to prove where ops run in streams: that any
// two ops which use a byte are ordered as they are in the text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over memory contents runs the ops in the order of the text. That is
// one order of many if ops are enqueued into streams (docs/memory-model.md,
// "Streams"). It stands for all of them if of any two ops that access a common
// byte, one of them writing, the later one happens after the earlier one, or
// writes what is there already.
//
// Happens-before is computed with vector clocks (Mattern, "Virtual Time and
// Global States of Distributed Systems", 1989): since a stream executes in
// order, the ops of a block that are complete when an op begins are one number
// per stream. Each block is proved by itself. An op that contains others, or
// calls functions, counts as one there, which makes all their accesses; those
// that nothing inside has waited for are still running when it ends. What a
// loop leaves running meets its next iteration.
//
// Only writes are checked, with the accesses before them. A read needs no check
// of its own: the walk finds that the bytes hold the value, in the order of the
// text, so that the last write that changes them is the one that the reader
// waits for by its operands, and that happens after all accesses before it.
//
// For the same reason, only the last access of each stream to a byte matters:
// if that is complete, so are all before it. A segment tree over addresses
// finds it, so that an access costs O(log n) per stream.

#ifndef GMEM_PASSES_PROOF_STREAMS_H_
#define GMEM_PASSES_PROOF_STREAMS_H_

#include "proof_contents.h"

// Checks |program|. Temporary data is allocated in |arena|. Fails with OVERLAP,
// reported at the later of two ops that nothing orders, INVALID_ARGUMENT,
// reported at an op whose streams are malformed, or OUT_OF_MEMORY.
gmem_status_t gmem_proof_streams_check(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       const gmem_proof_contents_t *contents,
                                       gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_STREAMS_H_
