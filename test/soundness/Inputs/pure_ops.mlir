// Ops of the random programs that may be in another order. The others of their
// dialect may have effects; of those with regions, what is in them counts, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.pure_ops"() {ops = ["any.bits", "any.choose", "any.compute", "any.concat", "any.elementwise", "any.for", "any.index", "any.insert", "any.into", "any.op", "any.over", "any.regions", "any.reshape", "any.shape", "any.slice", "any.update", "any.yield"]} : () -> ()
