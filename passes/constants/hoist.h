// hoist.h - moves ops that are computed from constants into a function that
// initialises them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   memref.global "private" @main_constant_0 : memref<512x1000xf32> =
//       uninitialized {gmem.init = "main_init"}
//   func.func @main_init() attributes {gmem.init} {
//     %w = arith.constant dense<...> : tensor<1000x512xf32>
//     %t = linalg.transpose ins(%w) ...
//     %g = memref.get_global @main_constant_0
//     bufferization.materialize_in_destination %t in restrict writable %g
//     return
//   }
//   func.func @main(%x) {
//     %g = memref.get_global @main_constant_0
//     %t = bufferization.to_tensor %g restrict
//
// A global keeps the interface of every function, can be read anywhere in the
// module, and upstream's bufferization computes straight into it. Arguments
// that are constants are arguments of the initialisation, too, in the order of
// the functions; gmem.constant says that both are one constant, and so does it
// of ops that make constants and are cloned.

#ifndef GMEM_PASSES_HOIST_H_
#define GMEM_PASSES_HOIST_H_

#include "choice.h"

// The dialects whose ops are created, NULL-terminated.
extern const char *const gmem_hoist_dialects[];

// Hoists what |choice| says, at least one op, out of the functions of its
// scope, and moves the ops that make values from scalars, which are not
// hoisted, to the first op in their block that uses them, so that these values
// are live no longer than necessary. |*out_name| becomes the name of the new
// function, in |arena|. Fails with OUT_OF_MEMORY; the IR is then as it was, but
// for attributes of gmem.
gmem_status_t gmem_hoist(const gmem_hoisting_t *choice, gmem_bump_t *arena,
                         const char **out_name, gmem_diag_t *diag);

#endif // GMEM_PASSES_HOIST_H_
