// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a module of memrefs: planned, materialised, compiled, with the same
// bits as the program has without a plan.

// 1. The outputs are those of the program: 2x, reversed and added. Inputs do
//    not depend on the machine.
// RUN: gmem-run %s --entry main --quiet 2>/dev/null | FileCheck %s --check-prefix=OUT
// OUT:     request 0 result 0 f32 16 {{[0-9a-f]+}} 5.44765 7.36072 5.65781 5.85094 6.29387 6.77829 ...
// OUT-NOT: {{.}}

// 2. The same in every mode, with weights in the image and without a plan.
// RUN: gmem-run %s --entry main --quiet 2>/dev/null > %t.out
// RUN: gmem-run %s --entry main --quiet --unplanned | cmp - %t.out
// RUN: gmem-run %s --entry main --quiet --arena-mode alloc 2>/dev/null | cmp - %t.out
// RUN: gmem-run %s --entry main --quiet --arena-mode global 2>/dev/null | cmp - %t.out
// RUN: gmem-run %s --entry main --quiet --weights image 2>/dev/null | cmp - %t.out
// RUN: gmem-run %s --entry main --quiet --opt-level 0 2>/dev/null | cmp - %t.out
// RUN: gmem-run %s --entry main --quiet --plan-options 'algorithm=none' 2>/dev/null | cmp - %t.out

// 3. A module that is planned already is run with that plan.
// RUN: gmem-opt --gmem-plan=algorithm=none %s -o %t.planned 2>/dev/null
// RUN: gmem-run %t.planned --entry main --json 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE: "arena_bytes": 160

// 4. Compared, with the figures of both; the returned buffer stays the
//    program's. A broken plan is noticed.
// RUN: gmem-run %s --entry main --opt-level 0 --compare --check=broken-plan 2>/dev/null | FileCheck %s --check-prefix=COMPARE
// COMPARE:      request 0 result 0
// COMPARE-NEXT: equal: the planned and unplanned outputs are bitwise equal
// COMPARE-NEXT: planned unplanned ratio
// COMPARE-NEXT: run ms
// COMPARE-NEXT: cpu ms
// COMPARE-NEXT: first run ms
// COMPARE-NEXT: lower s
// COMPARE-NEXT: compile s
// COMPARE-NEXT: page faults
// COMPARE-NEXT: malloc calls 1 3 0.33
// COMPARE-NEXT: malloc bytes 64 192 0.33
// COMPARE-NEXT: arena bytes 128 0
// COMPARE-NEXT: broken plan 1 of 1: moving buffer 1 onto buffer 0 (64 bytes) changes the outputs

// 5. Requests have inputs of their own, and the same outputs on any number of
//    threads; with the same inputs all are the same.
// RUN: gmem-run %s --entry main --quiet --requests 16 2>/dev/null > %t.one
// RUN: gmem-run %s --entry main --quiet --requests 16 --threads 4 2>/dev/null | cmp - %t.one
// RUN: awk '{ print $7 }' %t.one | sort -u | wc -l | grep -q '^16$'
// RUN: gmem-run %s --entry main --quiet --requests 16 --threads 4 --same-inputs 2>/dev/null | awk '{ print $7 }' | sort -u | wc -l | grep -q '^1$'
// RUN: gmem-run %s --entry main --quiet --seed 4 2>/dev/null | cut -d ' ' -f 3- > %t.seed
// RUN: grep '^request 3 ' %t.one | cut -d ' ' -f 3- | cmp - %t.seed
// RUN: gmem-run %s --entry main --quiet --requests 8 --threads 3 --compare 2>/dev/null | grep -q '^equal:'

// 6. JSON, of everything.
// RUN: gmem-run %s --entry main --json --compare 2>/dev/null | FileCheck %s --check-prefix=JSON
// JSON:     "entry": "main"
// JSON:     "name": "planned"
// JSON:     "malloc_calls": 1
// JSON:     "name": "unplanned"
// JSON:     "type": "f32 16"
// JSON:     "equal": true

// 7. Random weights change constants whose elements are equal, and nothing
//    else: not those with data, not single numbers.
// RUN: gmem-run %s --entry constants --quiet --unplanned | FileCheck %s --check-prefix=CONSTANTS
// CONSTANTS: result 0 f32 4 {{.*}} 3 3 3 3
// CONSTANTS: result 1 i8 4 {{.*}} 1 2 3 4
// CONSTANTS: result 2 i64 4 {{.*}} 7 7 7 7
// RUN: gmem-run %s --entry constants --quiet --random-weights --compare 2>/dev/null | FileCheck %s --check-prefix=RANDOM
// RANDOM: result 0 f32 4 {{.*}} {{[1-4]\.[0-9]+ [1-4]\.[0-9]+ [1-4]\.[0-9]+}}
// RANDOM: result 1 i8 4 {{.*}} 1 2 3 4
// RANDOM: result 2 i64 4 {{.*}} 7 7 7 7
// RANDOM: equal
// RUN: gmem-run %s --entry constants --quiet --random-weights=7 --unplanned > %t.seven
// RUN: gmem-run %s --entry constants --quiet --random-weights=8 --unplanned > %t.eight
// RUN: not cmp -s %t.seven %t.eight

// 8. Weights of an image are mapped from it: the program has the same numbers.
// RUN: gmem-run %s --entry constants --quiet --random-weights 2>/dev/null > %t.keep
// RUN: gmem-run %s --entry constants --quiet --random-weights --weights image 2>/dev/null | cmp - %t.keep

// 9. Numbers in and out, an argument that is written to, and nothing returned.
// RUN: gmem-run %s --entry numbers --quiet --unplanned --input 0=5 --input 1=0.5 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS:     result 0 i32 {{[0-9a-f]+}} 7
// NUMBERS:     result 1 index {{[0-9a-f]+}} 5
// NUMBERS:     argument 2 f32 2x2 {{[0-9a-f]+}} 0.5 0.5 0.5 0.5
// NUMBERS-NOT: {{.}}

// 10. Layouts with strides, and results that are a part of memory: elements in
//     their order, whatever lies between them.
// RUN: gmem-run %s --entry strided --quiet 2>/dev/null > %t.strided
// RUN: FileCheck %s --check-prefix=STRIDED < %t.strided
// STRIDED: result 0 i8 2x2 [[DIGEST:[0-9a-f]+]] [[VALUES:.*]]
// STRIDED: result 1 i8 2x2 [[DIGEST]] [[VALUES]]

// 11. A dynamic dimension needs a shape.
// RUN: gmem-run %s --entry dynamic --quiet --unplanned --shape 0=3 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: result 0 index {{[0-9a-f]+}} 3

memref.global "private" constant @splat : memref<4xf32> = dense<3.0>
memref.global "private" constant @data : memref<4xi8> = dense<[1, 2, 3, 4]>
memref.global "private" constant @wide : memref<4xi64> = dense<7>

func.func @main(%x: memref<16xf32>) -> memref<16xf32> {
  %c = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<16xf32>
    %w = arith.mulf %v, %c : f32
    affine.store %w, %a[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %a[15 - %i] : memref<16xf32>
    %w = arith.addf %v, %c : f32
    affine.store %w, %b[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %a[%i] : memref<16xf32>
    %u = affine.load %b[%i] : memref<16xf32>
    %w = arith.addf %v, %u : f32
    affine.store %w, %r[%i] : memref<16xf32>
  }
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %r : memref<16xf32>
}

func.func @constants() -> (memref<4xf32>, memref<4xi8>, memref<4xi64>) {
  %0 = memref.get_global @splat : memref<4xf32>
  %1 = memref.get_global @data : memref<4xi8>
  %2 = memref.get_global @wide : memref<4xi64>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xi8>
  %c = memref.alloc() : memref<4xi64>
  memref.copy %0, %a : memref<4xf32> to memref<4xf32>
  memref.copy %1, %b : memref<4xi8> to memref<4xi8>
  memref.copy %2, %c : memref<4xi64> to memref<4xi64>
  return %a, %b, %c : memref<4xf32>, memref<4xi8>, memref<4xi64>
}

func.func @numbers(%i: index, %f: f32, %m: memref<2x2xf32>) -> (i32, index) {
  linalg.fill ins(%f : f32) outs(%m : memref<2x2xf32>)
  %c2 = arith.constant 2 : i32
  %n = arith.index_cast %i : index to i32
  %r = arith.addi %n, %c2 : i32
  return %r, %i : i32, index
}

func.func @strided(%x: memref<2x2xi8, strided<[8, 2], offset: 3>>)
    -> (memref<2x2xi8, strided<[8, 2], offset: 3>>, memref<2x2xi8>) {
  %wide = memref.alloc() : memref<4x8xi8>
  %part = memref.subview %wide[1, 2] [2, 2] [2, 3]
      : memref<4x8xi8> to memref<2x2xi8, strided<[16, 3], offset: 10>>
  %r = memref.alloc() : memref<2x2xi8>
  memref.copy %x, %part : memref<2x2xi8, strided<[8, 2], offset: 3>>
      to memref<2x2xi8, strided<[16, 3], offset: 10>>
  memref.copy %part, %r : memref<2x2xi8, strided<[16, 3], offset: 10>>
      to memref<2x2xi8>
  memref.dealloc %wide : memref<4x8xi8>
  return %x, %r : memref<2x2xi8, strided<[8, 2], offset: 3>>, memref<2x2xi8>
}

func.func @dynamic(%x: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  return %d : index
}
