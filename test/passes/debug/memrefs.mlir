// Why an allocation is not planned, the pairs of buffers that streams leave
// unordered, and loops, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --gmem-debug=program+liveness --gmem-plan -o /dev/null 2>&1 | FileCheck %s

// CHECK:       op 0: 'memref.alloc' [1, 2), block 0
// CHECK:       op 2: 'a.write' [3, 4), block 0, stream 1
// CHECK:       op 3: 'a.write' [4, 5), block 0, stream 2
// CHECK:       allocation of value 0: it is planned, denoted by 1 values
// CHECK-NEXT:  allocation of value 1: it is planned, denoted by 1 values
// CHECK-NEXT:  alias set 0: value 0, 4 bytes, 2 uses, written, times [3, 4)
// CHECK-NEXT:  alias set 1: value 1, 4 bytes, 2 uses, written, times [4, 5)
// CHECK-NEXT:  unordered: buffers 0 and 1, at ops 2 and 3
func.func @streams() {
  %a = memref.alloc() : memref<1xi32>
  %b = memref.alloc() : memref<1xi32>
  "a.write"(%a) {gmem.stream = 1 : i64} : (memref<1xi32>) -> ()
  "a.write"(%b) {gmem.stream = 2 : i64} : (memref<1xi32>) -> ()
  return
}

// -----

// CHECK:       op 0: 'scf.for' [1, 6), block 0, for
// CHECK:       allocation of value {{[0-9]+}}: several instances of it may be live at once, denoted by 3 values
func.func @carried(%n: index, %a: memref<4xi8>) {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> memref<4xi8> {
    %b = memref.alloc() : memref<4xi8>
    "a.use"(%x, %b) : (memref<4xi8>, memref<4xi8>) -> ()
    scf.yield %b : memref<4xi8>
  }
  "a.read"(%r) : (memref<4xi8>) -> ()
  return
}
