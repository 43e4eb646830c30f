// Ops of the random programs that may be in another order. The others of their
// dialect may have effects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.pure_ops"() {ops = ["any.bits", "any.compute", "any.concat", "any.elementwise", "any.index", "any.insert", "any.into", "any.op", "any.over", "any.reshape", "any.shape", "any.slice", "any.update"]} : () -> ()
