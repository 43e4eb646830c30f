// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose ops are in streams. Run on the host, it runs in the order of its
// text, which is one of those that its plan allows.
// RUN: gmem-run %s --entry main --quiet 2>/dev/null > %t.out
// RUN: gmem-run %s --entry main --quiet --unplanned | cmp - %t.out
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// OUT: request 0 result 0 {{ *}}f32 16

// The image of the plan holds: that buffers are further apart than the text
// demands is nothing to it.
// RUN: gmem-opt --gmem-plan %s | gmem-translate --gmem-to-image -o %t.gmem
// RUN: gmem-run %t.gmem | FileCheck %s --check-prefix=MAP
// MAP: REGION OFFSET SIZE LIFE ADDRESS NAME
// RUN: gmem-run %t.gmem --requests=8 --threads=2 >/dev/null
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = tosa.exp %x {gmem.stream = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %b = tosa.tanh %a {gmem.stream = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %c = tosa.sigmoid %x {gmem.stream = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %d = tosa.add %b, %c {gmem.stream = 2 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}
