// An op that names a kernel of a library, a symbol that is nowhere, is an unknown
// function; if it has a model, that says what the kernel does. A function of that
// name still is one, whatever the model says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=strict=true %s -o %t.mlir 2>%t.err
// RUN: FileCheck %s <%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: <%t.err
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null
//
// The checker reads the same of the models:
// RUN: sed 's/op = \\22dev.run\\22/op = \\22dev.other\\22/' %t.mlir >%t.unknown.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.unknown.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: 'dev.run' passes to unknown code result #0 of 'memref.alloc'

// CHECK: peak = 768 : i64
// CHECK-LABEL: func.func @library
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: memref.alloc() {gmem.offset = array<i64: {{[0-9]+}}>
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A]]>
// CHECK-LABEL: func.func @declared
// CHECK: memref.alloc() : memref<64xf32>
// REMARK: remark: this memref of @declared is not planned: it is passed to an unknown function
module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22dev.run\22} : () -> ()"} {
  func.func private @outside(memref<64xf32>, memref<64xf32>)
  func.func @library(%x: memref<64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    "byre.compute"(%x, %a) {callee = @Exp} : (memref<64xf32>, memref<64xf32>) -> ()
    %m = memref.alloc() : memref<512xi8>
    %b = "byre.alias"(%m) {offset = 256 : i64} : (memref<512xi8>) -> memref<64xf32>
    "byre.compute"(%a, %b) {callee = @Exp} : (memref<64xf32>, memref<64xf32>) -> ()
    %c = memref.alloc() : memref<64xf32>
    "dev.run"(%b, %c) {kernel = @exp} : (memref<64xf32>, memref<64xf32>) -> ()
    "byre.copy"(%c, %y) {callee = @Copy} : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }
  func.func @declared(%x: memref<64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    "dev.run"(%x, %a) {kernel = @outside} : (memref<64xf32>, memref<64xf32>) -> ()
    "dev.run"(%a, %y) {kernel = @exp} : (memref<64xf32>, memref<64xf32>) -> ()
    return
  }
}
