// Reshapes and casts of dialects that gmem knows move bytes where the result is not
// arranged as the operand is: dense tensors and tiles, or tiles of another shape.
// They were taken for the same bytes if only the sizes were equal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%S/Inputs/rearranged-models.mlir' %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sed '/@tile_types/,/^  }/d; /@own/,/^  }/d' %t.mlir > %t.known.mlir
// RUN: gmem-machine %t.known.mlir
//
// The checker refuses one place for both, too.
// RUN: sed 's/tensor<32x32xi32, #my.tiled>/tensor<32x32xi32>/g' %t.mlir > %t.dense.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.dense.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'builtin.unrealized_conversion_cast' still reads result #0 of 'my.make', but 'builtin.unrealized_conversion_cast' has overwritten bytes {{.0, 4096.}}

// CHECK-LABEL: func.func @to_tiles
func.func @to_tiles(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[DENSE:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<32x32xf32>
  // CHECK-NOT: unrealized_conversion_cast{{.*}}gmem.offset = array<i64: [[DENSE]]>
  %t = builtin.unrealized_conversion_cast %x : tensor<32x32xf32> to tensor<32x32xf32, #my.tiled>
  // CHECK: my.read
  %r = "my.read"(%t, %x) : (tensor<32x32xf32, #my.tiled>, tensor<32x32xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK-LABEL: func.func @other_shape
func.func @other_shape(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[TILES:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<32x32xf32, #my.tiled>
  // CHECK-NOT: stablehlo.reshape{{.*}}gmem.offset = array<i64: [[TILES]]>
  %t = "stablehlo.reshape"(%x) : (tensor<32x32xf32, #my.tiled>) -> tensor<4x256xf32, #my.tiled>
  // CHECK: my.read
  %r = "my.read"(%t, %x) : (tensor<4x256xf32, #my.tiled>, tensor<32x32xf32, #my.tiled>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK-LABEL: func.func @tile_types
func.func @tile_types(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[DENSE:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<32x32xf32>
  // CHECK-NOT: unrealized_conversion_cast{{.*}}gmem.offset = array<i64: [[DENSE]]>
  %t = builtin.unrealized_conversion_cast %x : tensor<32x32xf32> to !my.tile<32x32xf32>
  // CHECK: my.read
  %r = "my.read"(%t, %x) : (!my.tile<32x32xf32>, tensor<32x32xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// The same elements in the same arrangement: nothing moves.
// CHECK-LABEL: func.func @same_shape
func.func @same_shape(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[TILES:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<32x32xf32, #my.tiled>
  // CHECK: unrealized_conversion_cast{{.*}}gmem.offset = array<i64: [[TILES]]>
  %t = builtin.unrealized_conversion_cast %x : tensor<32x32xf32, #my.tiled> to tensor<32x32xi32, #my.tiled>
  %r = "my.read"(%t, %x) : (tensor<32x32xi32, #my.tiled>, tensor<32x32xf32, #my.tiled>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// Who states a model of his own knows his layouts.
// CHECK-LABEL: func.func @own
func.func @own(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[TILES:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<32x32xf32, #my.tiled>
  // CHECK: my.same{{.*}}gmem.offset = array<i64: [[TILES]]>
  %t = "my.same"(%x) : (tensor<32x32xf32, #my.tiled>) -> tensor<4x256xf32, #my.tiled>
  %r = "my.read"(%t, %x) : (tensor<4x256xf32, #my.tiled>, tensor<32x32xf32, #my.tiled>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// Elements of another scale are converted.
// CHECK-LABEL: func.func @scales
func.func @scales(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[X:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<4x32x!quant.uniform<i8:f32, 0.5>>
  // CHECK: tpu.Reshape{{.*}}gmem.offset = array<i64: [[X]]>
  %t = "tpu.Reshape"(%x) : (tensor<4x32x!quant.uniform<i8:f32, 0.5>>) -> tensor<128x!quant.uniform<i8:f32, 0.5>>
  // CHECK-NOT: tpu.Reshape{{.*}}gmem.offset = array<i64: [[X]]>
  %u = "tpu.Reshape"(%x) : (tensor<4x32x!quant.uniform<i8:f32, 0.5>>) -> tensor<128x!quant.uniform<i8:f32, 0.25>>
  // CHECK: my.read
  %r = "my.read"(%t, %u, %x) : (tensor<128x!quant.uniform<i8:f32, 0.5>>, tensor<128x!quant.uniform<i8:f32, 0.25>>, tensor<4x32x!quant.uniform<i8:f32, 0.5>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// So they are where the op needs a buffer for it.
// CHECK-LABEL: func.func @buffer
func.func @buffer(%i: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: my.make{{.*}}gmem.offset = array<i64: [[X:[0-9]+]]>
  %x = "my.make"(%i) : (tensor<1xf32>) -> tensor<4x32xi8>
  %b = "my.make"(%i) : (tensor<1xf32>) -> tensor<4x32xi8>
  // CHECK-NOT: tpu.Reshape{{.*}}gmem.offset = array<i64: [[X]]>
  %t = "tpu.Reshape"(%x, %b) : (tensor<4x32xi8>, tensor<4x32xi8>) -> tensor<128xi8>
  // CHECK: my.read
  %r = "my.read"(%t, %x) : (tensor<128xi8>, tensor<4x32xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
