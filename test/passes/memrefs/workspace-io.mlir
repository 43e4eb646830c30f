// Inputs and outputs of functions of memrefs as planned memory, which the caller
// accesses before the first op and behind the last one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t.d
// RUN: gmem-opt --gmem-workspace-io %t.d/good.mlir -o %t.io
// RUN: FileCheck %s --check-prefix=IO < %t.io

// The plan is that of other memrefs: an output takes the bytes of an input.
// RUN: gmem-opt --gmem-plan %t.io -o %t.plan
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan
// RUN: gmem-opt --gmem-materialize=arena-mode=arg %t.plan -o - 2> %t.remark | FileCheck %s --check-prefix=ARG
// RUN: not gmem-opt --gmem-materialize=arena-mode=alloc %t.plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLOC
// RUN: not gmem-opt --gmem-materialize=arena-mode=global %t.plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLOC
// ALLOC: error: the caller accesses memory of this function, so that it must provide it: use arena-mode=arg

// Negative controls: a buffer over an input that is still read, and over an
// output that the caller has yet to read. Both checkers find each.
// RUN: gmem-opt --gmem-plan='algorithm=none sharing=none' %t.io -o %t.apart
// RUN: sh -c 'sed "s/gmem.offset = array<i64: 512>/gmem.offset = array<i64: 0>/" %t.apart > %t.over-input'
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.over-input -o /dev/null 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not gmem-opt --gmem-verify-plan=only=placement %t.over-input -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: sh -c 'sed "s/gmem.offset = array<i64: 1024>/gmem.offset = array<i64: 256>/" %t.apart > %t.over-output'
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.over-output -o /dev/null 2>&1 | FileCheck %s --check-prefix=OUTPUT
// INPUT: error: 'linalg.transpose' still reads result #0 of 'memref.alloc', but 'linalg.transpose' has overwritten bytes [0, 256)
// OUTPUT: error: 'gmem.outputs' reads result #0 of 'memref.alloc', but 'linalg.transpose' has overwritten bytes [256, 512)
// OVER: error: {{.*}} share bytes [0, 256) of pool {{.*}} while both are live at this op

// RUN: not gmem-opt --gmem-workspace-io --split-input-file %t.d/bad.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

//--- good.mlir
// IO-LABEL: func.func @main() {
// IO-NEXT: %[[A:.*]] = memref.alloc() : memref<64xf32>
// IO-NEXT: %[[B:.*]] = memref.alloc() : memref<64xf32>
// IO-NEXT: "gmem.inputs"(%[[A]])
// IO-NEXT: %[[T:.*]] = memref.alloc
// IO:      "gmem.outputs"(%[[B]])
// IO-NEXT: return

// PLAN: peak = 768
// PLAN-LABEL: func.func @main
// PLAN-NEXT: memref.alloc() {gmem.offset = array<i64: [[AT:[0-9]+]]>
// PLAN-NEXT: memref.alloc() {gmem.offset = array<i64: [[AT]]>

// ARG-LABEL: func.func @main(%{{.*}}: memref<{{[0-9]+}}xi8>
// ARG: "gmem.inputs"(%[[VIEW:.*]]) : (memref<64xf32>)
func.func @main(%a: memref<64xf32>, %b: memref<64xf32> {bufferize.result}) {
  %t = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%t : memref<64xf32>) permutation = [0]
  linalg.add ins(%a, %t : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %u = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%t : memref<64xf32>) outs(%u : memref<64xf32>) permutation = [0]
  linalg.add ins(%b, %u : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %v = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%u : memref<64xf32>) outs(%v : memref<64xf32>) permutation = [0]
  return
}

// Memrefs of several types have an op each; they are live at one time all the
// same, also @types' first, which is not read.
// IO-LABEL: func.func @types() {
// IO: "gmem.inputs"(%[[X:.*]]) {gmem.layer_group = 0 : i64} : (memref<64xf32>) -> ()
// IO-NEXT: "gmem.inputs"(%[[Y:.*]]) {gmem.layer_group = 0 : i64} : (memref<32xf32>) -> ()
// IO: "gmem.outputs"(%{{.*}}) {gmem.layer_group = 1 : i64} : (memref<32xf32>) -> ()
// IO-NEXT: "gmem.outputs"(%{{.*}}) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
// PLAN-LABEL: func.func @types
// PLAN-NEXT: memref.alloc() {gmem.offset = array<i64: [[X:[0-9]+]]>
// PLAN-NOT: gmem.offset = array<i64: [[X]]>{{.*}}memref<32xf32>
// PLAN: "gmem.inputs"
func.func @types(%x: memref<64xf32>, %y: memref<32xf32>,
                 %r: memref<32xf32> {bufferize.result}, %s: memref<16xf32> {bufferize.result}) {
  %z = arith.constant 0.0 : f32
  linalg.exp ins(%y : memref<32xf32>) outs(%r : memref<32xf32>)
  linalg.fill ins(%z : f32) outs(%s : memref<16xf32>)
  return
}

// An input that is written is kept for the caller, also by a view; each return
// has its op.
// IO-LABEL: func.func @written() {
// IO: %[[IN:.*]] = memref.alloc() : memref<8xf32>
// IO: %[[VIEW:.*]] = memref.alloc() : memref<8xf32>
// IO: %[[READ:.*]] = memref.alloc() : memref<8xf32>
// IO: "gmem.inputs"(%[[IN]], %[[VIEW]], %[[READ]]) :
// IO: "gmem.outputs"(%[[IN]], %[[VIEW]]) :
// IO: "gmem.outputs"(%[[IN]], %[[VIEW]]) :
func.func @written(%in: memref<8xf32>, %view: memref<8xf32>, %read: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %read[%c0] : memref<8xf32>
  memref.store %x, %in[%c0] : memref<8xf32>
  %part = memref.subview %view[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.store %x, %part[%c0] : memref<4xf32, strided<[1], offset: 4>>
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf oeq, %x, %zero : f32
  cf.cond_br %c, ^one, ^two
^one:
  return
^two:
  return
}

// Not for callers: functions of the module alone, and those that compute
// constants.
// IO-LABEL: func.func private @inner(%{{.*}}: memref<8xf32>)
func.func private @inner(%a: memref<8xf32>) {
  return
}
// IO-LABEL: func.func @init(%{{.*}}: memref<8xf32>)
func.func @init(%a: memref<8xf32>) attributes {gmem.init} {
  return
}

//--- bad.mlir
// BAD: error: @results returns results, which are memory of their own: convert them to arguments (out-params=true)
func.func @results(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}

// -----

// BAD: error: argument #1 of @dynamic is not a memref of static shape, so that it cannot be in the workspace
func.func @dynamic(%a: memref<8xf32>, %b: memref<?xf32>) {
  return
}

// -----

// BAD: error: argument #0 of @layout has a layout, so that it cannot be in the workspace
func.func @layout(%a: memref<8xf32, strided<[2]>>) {
  return
}

// -----

// BAD: error: argument #0 of @state has gmem.state: the caller keeps the memory of states, so that it cannot be in the workspace
func.func @state(%a: memref<8xf32> {gmem.state}) {
  return
}

// -----

// BAD: error: @called is public and called by the module: its inputs are memory of the callers
func.func @called(%a: memref<8xf32>) {
  return
}
func.func private @caller(%a: memref<8xf32>) {
  call @called(%a) : (memref<8xf32>) -> ()
  return
}
