// A plan that does not fit is reported: by how much each pool is over, and what
// is live when most is. Nothing else is written, and the exit status says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: not gmem-opt --gmem-report='capacity=1K alignment=64' %s -o %t.out 2> %t.err
// RUN: not test -e %t.out
// RUN: FileCheck %s --match-full-lines --strict-whitespace < %t.err
//
//      CHECK:over capacity: pool tensors needs 1,088 bytes, has 1,024: over by 64
// CHECK-NEXT:pool tensors: 1,088 bytes, equal to the lower bound, capacity 1,024
// CHECK-NEXT:  4 buffers, 1,600 bytes in total; reuse 1.47; alignment 64
// CHECK-NEXT:  peak liveness at step 1, tosa.transpose (over-capacity.mlir:[[#@LINE+40]]:8): 1,088 bytes in 3 buffers
// CHECK-NEXT:    512  main/%arg0  argument (over-capacity.mlir:[[#@LINE+38]]:17)
// CHECK-NEXT:    512  main/%0     tosa.transpose (over-capacity.mlir:[[#@LINE+38]]:8)
// CHECK-NEXT:     64  main/%arg1  argument (over-capacity.mlir:[[#@LINE+36]]:39)
//
// The file is whole, in JSON, too: beside it stands nothing.
// RUN: rm -rf %t.d && mkdir %t.d && printf 'precious' > %t.d/r.json
// RUN: not gmem-opt --gmem-report='capacity=1K alignment=64 format=json output=%t.d/r.json' %s -o %t.out 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: over-capacity.mlir:{{.*}}: error: pool 'tensors' needs 1088 bytes, has 1024: over by 64
// RUN: ls -A %t.d | count 1
// RUN: python3 -c 'import json,sys; p = json.load(open(sys.argv[1]))["pools"][1]; print(p["size"], p["capacity"], p["over"], p["peak"]["buffers"])' %t.d/r.json | FileCheck %s --check-prefix=JSON
// JSON: 1088 1024 64 ['main/%arg0', 'main/%arg1', 'main/%0']
//
// As remarks, too.
// RUN: not gmem-opt --gmem-report='capacity=1K alignment=64 format=remarks' %s -o %t.out 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: pool=tensors: size=1088 bytes
// REMARK: error: pool 'tensors' needs 1088 bytes, has 1024: over by 64
//
// A plan that is there is compared with the capacity of the report.
// RUN: gmem-opt --gmem-plan=alignment=64 %s -o %t.planned
// RUN: not gmem-opt --gmem-report=capacity=1087 %t.planned -o %t.out 2>&1 | FileCheck %s --check-prefix=PLANNED
// PLANNED: over capacity: pool tensors needs 1,088 bytes, has 1,087: over by 1
// RUN: not gmem-opt --gmem-report=space-capacity=tensors=1087 %t.planned -o %t.out 2>&1 | FileCheck %s --check-prefix=PLANNED
//
// One byte more is enough.
// RUN: gmem-opt --gmem-report='capacity=1088 alignment=64 output=%t.fits' %s -o /dev/null 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=FITS < %t.fits
// FITS-NOT: over capacity
// FITS: pool tensors: 1,088 bytes, equal to the lower bound, capacity 1,088
// FITS-NOT: over capacity
//
// gmem-plan says it in a note, and so does every pipeline with it.
// RUN: not gmem-opt --gmem-plan='capacity=1K alignment=64' %s -o %t.out 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not gmem-opt --gmem-bufferize-and-plan=space-capacity=memory=256 %s -o %t.out 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PLAN: error: {{.*}}the tensors cannot be placed: {{.*}}; every plan needs at least 1088 bytes there
// PLAN: note: pool 'tensors' needs 1088 bytes, has 1024: over by 64
// PIPELINE: error: {{.*}}the tensors cannot be placed: {{.*}}; every plan needs at least 512 bytes there
// PIPELINE: note: pool 'memory' needs 512 bytes, has 256: over by 256
// RUN: not test -e %t.out
func.func @main(%x: tensor<8x16xf32>, %y: tensor<16x1xf32>) -> tensor<16x8xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = tosa.add %0, %y : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
