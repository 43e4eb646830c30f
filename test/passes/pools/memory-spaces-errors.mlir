// What memory spaces cannot do is said with the pool, and with what fills it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan='space-capacity=memory=1000,memory.1=128' %s
// RUN: not gmem-opt --gmem-plan=space-capacity=memory=0 /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gmem-opt --gmem-plan=space-capacity=memory /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gmem-opt --gmem-plan=space-capacity=memory=1, /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gmem-opt --gmem-plan=space-capacity=,memory=1 /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gmem-opt --gmem-plan=space-capacity==1 /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gmem-opt --gmem-plan=space-capacity=memory=9223372036854775808 /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: gmem-plan: space-capacity='{{.*}}' is not a comma-separated list of POOL=BYTES
// RUN: not gmem-opt --gmem-plan=memref-alignment=48 /dev/null 2>&1 | FileCheck %s --check-prefix=POWER
// POWER: error: gmem-plan: memref-alignment='48' is not a power of two of at most 1099511627776

// 1. Too much in one space: the pool, what is needed, and the largest buffers of
// it that live together; those of other spaces and of other times are not named.
// expected-note @+2 {{these 2 buffers, 164 bytes in total, do not fit in pool 'memory.1' of 128 bytes; if any one of them is removed, the others fit}}
// expected-note @+1 {{pool 'memory.1' needs 164 bytes, has 128: over by 36}}
module {
  func.func @over(%x: f32) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<1000xf32, 2>
    // expected-note @+1 {{result #0 of 'memref.alloc' of 64 bytes is live at the peak}}
    %1 = memref.alloc() : memref<16xf32, 1>
    // expected-error @+2 {{the tensors cannot be placed: buffer 'result #0 of 'memref.alloc'' of 100 bytes does not fit in pool 'memory.1' of 128 bytes; every plan needs at least 164 bytes there}}
    // expected-note @+1 {{result #0 of 'memref.alloc' of 100 bytes is live at the peak}}
    %2 = memref.alloc() : memref<25xf32, 1>
    memref.store %x, %0[%c0] : memref<1000xf32, 2>
    memref.store %x, %1[%c0] : memref<16xf32, 1>
    memref.store %x, %2[%c0] : memref<25xf32, 1>
    memref.store %x, %1[%c0] : memref<16xf32, 1>
    memref.store %x, %0[%c0] : memref<1000xf32, 2>
    %3 = memref.alloc() : memref<20xf32, 1>
    memref.store %x, %3[%c0] : memref<20xf32, 1>
    return
  }
}

// -----

// 2. What it cannot be aligned to.
module {
  func.func @alignment(%x: f32) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'alignment' must be a power of two of at most 1099511627776}}
    %0 = memref.alloc() {alignment = 2199023255552 : i64} : memref<16xf32, 1>
    memref.store %x, %0[%c0] : memref<16xf32, 1>
    return
  }
}

// -----

// 3. A place that its alignment does not allow.
module {
  func.func @fixed(%x: f32) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{the tensors cannot be placed: }}
    %0 = memref.alloc() {alignment = 128 : i64, gmem.fixed = array<i64: 64>} : memref<4xf32, 1>
    memref.store %x, %0[%c0] : memref<4xf32, 1>
    return
  }
}

// -----

// 4. A pool that is not there. One of the names that are there by nature may be
// empty.
// expected-error @+1 {{space-capacity: unknown pool 'memory.1'}}
module {
  func.func @unknown(%x: f32) {
    return
  }
}

// -----

// 5. A constant pool cannot have the name of a space.
module {
  func.func @constant() -> tensor<4xf32> {
    // expected-error @+1 {{result #0 of 'top.Weight' cannot be placed in pool 'memory.1' of gmem.pools: it is a workspace pool}}
    %0 = "top.Weight"() {gmem.pools = ["memory.1"]} : () -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
