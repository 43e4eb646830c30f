// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"gmem.op_model"() {op = "own.tabel", kind = "weight"} : () -> ()
// No warning by default: of another dialect, and too far from all names.
"gmem.op_model"() {op = "their.table", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "own.other", kind = "weight"} : () -> ()
