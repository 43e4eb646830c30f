// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a module: every failure is one clear message and the right exit code,
// whatever the program does.

// 1. No such file, no MLIR, no such function, one without a body.
// RUN: not gmem-run %t.missing --entry f 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: gmem-run: error: {{.*}}missing: cannot be opened: No such file or directory
// RUN: echo 'module {' > %t.bad
// RUN: not gmem-run %t.bad --entry f 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: bad:{{[0-9]+:[0-9]+}}: error:
// RUN: not gmem-run %s --entry nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: gmem-run: error: the module has no function @nobody: it has @{{.*}}, @{{.*}}
// RUN: echo 'func.func private @f()' > %t.none.mlir
// RUN: not gmem-run %t.none.mlir --entry nobody 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: gmem-run: error: the module has no function @nobody: it has no public function with a body
// RUN: not gmem-run %s --entry declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: gmem-run: error: the function @declared has no body

// 2. Types that cannot be handed over.
// RUN: not gmem-run %s --entry unranked --unplanned 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: gmem-run: error: argument 0 of @unranked has the unsupported type memref<*xf32>: only scalars and ranked, strided memrefs of scalars are supported
// RUN: not gmem-run %s --entry vector --unplanned 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: gmem-run: error: argument 0 of @vector has the unsupported type vector<4xf32>: only

// 3. Shapes and numbers that do not fit.
// RUN: not gmem-run %s --entry dynamic --unplanned 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: gmem-run: error: argument 0 has the dynamic type f32 ?x3: set its shape with --shape 0=... or --input 0=...
// RUN: not gmem-run %s --entry dynamic --unplanned --shape 0=2x4 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: gmem-run: error: --shape 0=2x4: the argument has type f32 ?x3
// RUN: not gmem-run %s --entry dynamic --unplanned --shape 0=2x 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: gmem-run: error: --shape 0=2x: not a shape such as 2x3
// RUN: not gmem-run %s --entry dynamic --unplanned --shape 1=2x3 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: gmem-run: error: --shape 1=2x3: the function has 1 arguments
// RUN: not gmem-run %s --entry dynamic --unplanned --shape 0=999999999999999999x3 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: gmem-run: error: {{the size of argument 0 overflows|out of memory for argument 0}}
// RUN: not gmem-run %s --entry number --unplanned --input 0=x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: gmem-run: error: --input 0=x: not a number of the argument's type index

// 4. Passes: no such one, one that fails.
// RUN: not gmem-run %s --entry number --unplanned --pipeline 'cse,nonsense' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: gmem-run: error: invalid pipeline 'cse,nonsense': {{.*}}nonsense
// PIPELINE-NEXT: gmem-run: error: cannot lower the program
// RUN: not gmem-run %s --entry number --unplanned --pipeline cse 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: run-errors.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'func.func' is not lowered
// LOWERED-NEXT: gmem-run: error: cannot compile the lowered program: 'func.func' is not lowered by the passes of --pipeline
// RUN: not gmem-run %s --entry number --plan-options 'algorithm=best' 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: gmem-plan: algorithm='best' is not one of:

// 5. Functions and libraries that nobody has.
// RUN: not gmem-run %S/Inputs/calls.mlir --entry calls --unplanned 2>&1 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: declared
// SYMBOL: gmem-run: error: cannot compile the program: it calls undefined functions (provide them with --library)
// RUN: not gmem-run %s --entry number --unplanned --library %t.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: gmem-run: error: {{.*}}.so: cannot read the library

// 6. Programs that go wrong: they are stopped, each for itself.
// RUN: not gmem-run %s --entry asserts --unplanned --input 0=0 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: gmem-run: error: request 0: the unplanned program failed: it called abort: it must not be 0
// RUN: gmem-run %s --entry asserts --unplanned --input 0=1
// RUN: not gmem-run %s --entry frees --unplanned 2>&1 | FileCheck %s --check-prefix=FREES
// FREES: gmem-run: error: request 0: the unplanned program failed: free of a block that it did not allocate
// RUN: not gmem-run %s --entry stray --unplanned --input 1=1000000000000 2>&1 | FileCheck %s --check-prefix=STRAY
// STRAY: gmem-run: error: request 0: the unplanned program failed: invalid memory access (SIGSEGV)
// RUN: not gmem-run %s --entry divides --unplanned --input 0=0 2>&1 | FileCheck %s --check-prefix=DIVIDES
// DIVIDES: gmem-run: error: request 0: the unplanned program failed: arithmetic error, such as division by zero (SIGFPE)
// RUN: not env ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1 gmem-run %s --entry hungry --unplanned --input 0=100000000000000000 2>&1 | FileCheck %s --check-prefix=HUNGRY
// HUNGRY: gmem-run: error: request 0: the unplanned program failed: allocation of 400000000000000000 bytes failed
// RUN: not gmem-run %s --entry endless --unplanned 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: gmem-run: error: request 0: the unplanned program failed: invalid memory access (SIGSEGV)

// 7. A check that cannot fail is an error: nothing here is planned.
// RUN: not gmem-run %s --entry number --check=broken-plan 2>&1 | FileCheck %s --check-prefix=CHECK
// CHECK: gmem-run: error: broken-plan: nothing to test, since no two planned buffers are live at the same time

// 8. What is materialised already has lost its plan.
// RUN: gmem-opt --gmem-plan --gmem-materialize %s -o %t.arenas 2>/dev/null
// RUN: not gmem-run %t.arenas --entry number 2>&1 | FileCheck %s --check-prefix=ARENAS
// ARENAS: gmem-run: error: {{.*}}: the module is already materialized: use the module from before gmem-materialize

// 9. Output that cannot be written; files that cannot be.
// RUN: not gmem-run %s --entry number --unplanned 2>&1 > /dev/full | FileCheck %s --check-prefix=FULL
// FULL: gmem-run: error: <stdout>: cannot be written
// RUN: not gmem-run %s --entry dynamic --shape 0=1x3 --unplanned --save /proc/none/x 2>&1 | FileCheck %s --check-prefix=SAVE
// SAVE: gmem-run: error: request 0: the unplanned program failed: {{.*}}No such file or directory

// 10. A wrong command line exits with 2.
// RUN: sh -c 'gmem-run %s --entry number --threads 0; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --opt-level 4; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --arena-mode heap; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --input x; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --check=all; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --compare --unplanned; test $? = 2'
// RUN: sh -c 'gmem-run %s --entry number --arena-mode global --threads 2; test $? = 2'

func.func private @declared(memref<4xf32>)
func.func @unranked(%x: memref<*xf32>) { return }
func.func @vector(%x: vector<4xf32>) { return }
func.func @dynamic(%x: memref<?x3xf32>) -> memref<?x3xf32> {
  return %x : memref<?x3xf32>
}
func.func @number(%i: index) -> index { return %i : index }
func.func @asserts(%i: index) {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi ne, %i, %c0 : index
  cf.assert %c, "it must not be 0"
  return
}
func.func @frees(%x: memref<4xf32>) {
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @stray(%x: memref<4xf32>, %i: index) -> f32 {
  %v = memref.load %x[%i] : memref<4xf32>
  return %v : f32
}
func.func @divides(%i: i32) -> i32 {
  %c = arith.constant 7 : i32
  %v = arith.divui %c, %i : i32
  return %v : i32
}
func.func @hungry(%i: index) -> memref<?xf32> {
  %m = memref.alloc(%i) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func private @deeper(%x: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4096xf32>
  %b = memref.alloca() : memref<4xf32>
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4096xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  %r = call @deeper(%b) : (memref<4xf32>) -> f32
  %w = memref.load %a[%c0] : memref<4096xf32>
  %s = arith.addf %r, %w : f32
  return %s : f32
}
func.func @endless(%x: memref<4xf32>) -> f32 {
  %r = call @deeper(%x) : (memref<4xf32>) -> f32
  return %r : f32
}
