// What buffers are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --mlir-print-debuginfo --gmem-plan=alignment=64 %s -o %t
// RUN: gmem-translate --gmem-to-json %t -o %t.json
// RUN: FileCheck %s < %t.json
// The names outlast the printing without locations.
// RUN: gmem-opt --gmem-plan=alignment=64 %s -o %t.bare
// RUN: gmem-translate --gmem-to-json %t.bare -o %t.bare.json
// RUN: sh -c 'grep "\"name\":" %t.json > %t.names; grep "\"name\":" %t.bare.json | diff %t.names -'
// RUN: gmem-translate --gmem-to-image %t.bare -o %t.bare.gmem
// RUN: gmem-run --find=conv1/relu %t.bare.gmem | FileCheck %s --check-prefix=IMAGE
// All of them can go to all kinds of files.
// RUN: gmem-translate --gmem-to-csv %t -o %t.csv
// RUN: FileCheck %s --check-prefix=CSV < %t.csv
// CSV: image,
// CSV: conv1/relu,
// RUN: gmem-translate --gmem-to-image %t -o %t.gmem
// RUN: gmem-run --find=conv1/relu %t.gmem | FileCheck %s --check-prefix=IMAGE
// IMAGE: conv1/relu

// CHECK: "buffers":
// The name of the location, where there is one.
// CHECK: "name": "image"
func.func @main(%x: tensor<8xf32> loc("image"), %c: i1) -> tensor<8xf32> {
  // CHECK: "name": "conv1/relu"
  %a = tosa.exp %x : (tensor<8xf32>) -> tensor<8xf32> loc("conv1/relu")
  // CHECK: "name": "named"
  %b = tosa.exp %a : (tensor<8xf32>) -> tensor<8xf32> loc("named"("model.py":1:2))
  // A name that is given twice gets a number.
  // CHECK: "name": "twice"
  // CHECK: "name": "twice.1"
  %d = tosa.exp %b : (tensor<8xf32>) -> tensor<8xf32> loc("twice")
  %e = tosa.exp %d : (tensor<8xf32>) -> tensor<8xf32> loc("twice")
  // The function and the SSA name stand for names that not every file can hold:
  // beyond ASCII, and too long.
  // CHECK: "name": "main/%4"
  // CHECK: "location": "loc(\"gr\\C3\\B6\\C3\\9Fe\")"
  %f = tosa.exp %e : (tensor<8xf32>) -> tensor<8xf32> loc("größe")
  // CHECK: "name": "main/%5"
  %g = tosa.exp %f : (tensor<8xf32>) -> tensor<8xf32> loc("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789")
  // And names that look like SSA names, files and lines, and the empty name.
  // CHECK: "name": "main/%6"
  // CHECK: "name": "main/%7"
  // CHECK: "name": "main/%8"
  %h = tosa.exp %g : (tensor<8xf32>) -> tensor<8xf32> loc("main/%2")
  %i = tosa.exp %h : (tensor<8xf32>) -> tensor<8xf32> loc("model.py":3:4)
  %j = tosa.exp %i : (tensor<8xf32>) -> tensor<8xf32> loc("")
  // Two branches use one SSA name each on its own: those are numbered.
  // CHECK: "name": "main/%9"
  // CHECK: "name": "%11"
  // CHECK: "name": "%12"
  %r = scf.if %c -> tensor<8xf32> {
    %s = tosa.exp %j : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    %s = tosa.tanh %j : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
