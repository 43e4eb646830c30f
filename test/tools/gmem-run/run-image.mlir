// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a module on slots and constants that come from elsewhere.

// RUN: gmem-opt --gmem-plan %s -o %t.planned 2>/dev/null
// RUN: gmem-translate --gmem-to-image --weights=all %t.planned -o %t.gmem
// RUN: gmem-run %t.planned --entry main --requests 8 --quiet > %t.out 2>/dev/null

// 1. Fewer slots than threads: some wait, the outputs are the same.
// RUN: gmem-run %t.planned --entry main --requests 8 --quiet --threads 4 --pool-slots 1 | cmp - %t.out
// RUN: gmem-run %t.planned --entry main --requests 8 --threads 4 --pool-slots 2 | FileCheck %s --check-prefix=POOL
// POOL: 8 requests on 4 threads in
// POOL-NEXT: 2 slots of 4096 bytes: 8 leases, {{[0-9]+}} waits, at most {{4096|8192}} bytes leased at once
// RUN: gmem-run %t.planned --entry main --requests 3 --json | FileCheck %s --check-prefix=JSON
// JSON:      "pool": {
// JSON-NEXT:   "slots": 1,
// JSON-NEXT:   "acquires": 3,
// JSON-NEXT:   "waits": 0,

// 2. Constants from the image that gmem-translate has written; also for the
//    program as it was before it was planned.
// RUN: gmem-run %t.planned --entry main --requests 8 --quiet --image %t.gmem | cmp - %t.out
// RUN: gmem-run %s --entry main --requests 8 --quiet --image %t.gmem 2>/dev/null | cmp - %t.out

// 3. An image of another plan, of other constants, without bytes, no image.
// RUN: gmem-opt --gmem-plan=weight-alignment=128 %s 2>/dev/null | gmem-translate --gmem-to-image --weights=all -o %t.other
// RUN: not gmem-run %t.planned --entry main --image %t.other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: gmem-run: error: {{.*}}.other: not a plan image of this program: the regions differ
// RUN: sed 's/dense<\[1.0/dense<[3.0/; s/dense<\[1\.0*e+00/dense<[3.0e+00/' %t.planned | gmem-translate --gmem-to-image --weights=all -o %t.changed
// RUN: not gmem-run %t.planned --entry main --image %t.changed 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: gmem-run: error: {{.*}}.changed: not a plan image of this program: the bytes of a constant differ ('main/%{{.*}}')
// RUN: python3 -c "import sys; b = open(sys.argv[1], 'rb').read(); i = b.rindex(bytes([0x80, 0x41])); open(sys.argv[2], 'wb').write(b[:i] + b'x' + b[i + 1:])" %t.gmem %t.damaged
// RUN: not gmem-run %t.planned --entry main --image %t.damaged 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: gmem-run: error: {{.*}}.damaged: not a plan image of this program: the bytes of weight "main/%{{.*}}" do not match its digest in the plan
// RUN: gmem-translate --gmem-to-image %t.planned -o %t.none
// RUN: not gmem-run %t.planned --entry main --image %t.none 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: gmem-run: error: {{.*}}.none: not a plan image of this program: it contains no constants
// RUN: not gmem-run %t.planned --entry main --image %s 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: gmem-run: error: {{.*}}run-image.mlir: not a plan image of this program:

// 4. Zeroed arenas change nothing, unless the program reads what it has not
//    written.
// RUN: gmem-run %t.planned --entry main --requests 8 --threads 2 --quiet --check=zero | FileCheck %s --check-prefix=ZERO
// ZERO: zero: zeroed arenas do not change the results
// RUN: not gmem-run %s --entry unwritten --requests 3 --quiet --check=zero 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: gmem-run: error: request {{[012]}}: the results differ if the arenas are zeroed: the program reads uninitialized memory

// 5. Command lines.
// RUN: sh -c 'gmem-run %t.planned --entry main --check=life; test $? = 2' 2>&1 | FileCheck %s --check-prefix=LIFE
// LIFE: gmem-run: --check: only broken-plan and zero apply to a module
// RUN: sh -c 'gmem-run %t.planned --entry main --import all; test $? = 2' 2>&1 | FileCheck %s --check-prefix=IMPORT
// IMPORT: gmem-run: --import applies to a plan image, not to a module
// RUN: sh -c 'gmem-run %t.planned --entry main --pool-slots 2 --arena-mode alloc; test $? = 2' 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: gmem-run: --pool-slots requires arenas mapped by gmem-run (--arena-mode=arg, without --unplanned)
// RUN: sh -c 'gmem-run %t.planned --entry main --image x --unplanned; test $? = 2' 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// UNPLANNED: gmem-run: --image cannot be combined with --unplanned

memref.global "private" constant @weights : memref<16xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]>

func.func @main(%input: memref<16xf32>, %output: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 16 : index
  %weights = memref.get_global @weights : memref<16xf32>
  %product = memref.alloc() : memref<16xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %input[%i] : memref<16xf32>
    %w = memref.load %weights[%i] : memref<16xf32>
    %y = arith.mulf %x, %w : f32
    memref.store %y, %product[%i] : memref<16xf32>
  }
  memref.copy %product, %output : memref<16xf32> to memref<16xf32>
  memref.dealloc %product : memref<16xf32>
  return
}

func.func @unwritten(%input: memref<16xf32>, %output: memref<16xf32>) {
  %old = memref.alloc() : memref<16xf32>
  memref.copy %old, %output : memref<16xf32> to memref<16xf32>
  memref.copy %input, %old : memref<16xf32> to memref<16xf32>
  memref.dealloc %old : memref<16xf32>
  return
}
