// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// --weights: what an image has of constants beside their places.

// 1. The bytes of all constants, at the end of the file, as they lie in memory:
//    elements narrower than a byte are packed, those of i24 take four bytes, and
//    equal elements are there in full.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16' %s -o %t.mlir
// RUN: gmem-translate --gmem-to-image --weights=all %t.mlir -o %t.gmem
// RUN: tail -c 4096 %t.gmem | head -c 112 | od -A d -t x1 | FileCheck %s --check-prefix=BYTES
// BYTES:      0000000 01 00 02 00 03 00 04 00 00 00 00 00 00 00 00 00
// BYTES-NEXT: 0000016 07 00 00 00 07 00 00 00 07 00 00 00 00 00 00 00
// BYTES-NEXT: 0000032 0d 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BYTES-NEXT: 0000048 21 f3 05 00 00 00 00 00 00 00 00 00 00 00 00 00
// BYTES-NEXT: 0000064 ff ff ff 00 02 00 00 00 00 00 00 00 00 00 00 00
// BYTES-NEXT: 0000080 00 3c 00 c0 00 00 00 00 00 00 00 00 00 00 00 00
// BYTES-NEXT: 0000096 aa bb cc dd 00

// 2. They are found by the runtime, and their digests are right.
// RUN: gmem-run %t.gmem --check=weights | FileCheck %s --check-prefix=RIGHT
// RIGHT: weights: 7 digests verified

// 3. Digests alone: the same places, no bytes. None: not even these.
// RUN: gmem-translate --gmem-to-image --weights=digests %t.mlir -o %t.digests
// RUN: gmem-translate --gmem-to-image --weights=none %t.mlir -o %t.none
// RUN: gmem-translate --gmem-to-image %t.mlir | cmp - %t.none
// RUN: gmem-run %t.gmem > %t.table
// RUN: gmem-run %t.digests | cmp - %t.table
// RUN: gmem-run %t.none | cmp - %t.table
// RUN: for i in %t.gmem %t.digests %t.none; do wc -c < $i; done | sort -rnC

// 4. The same image every time; with other values another one.
// RUN: gmem-translate --gmem-to-image --weights=all < %t.mlir | cmp - %t.gmem
// RUN: sed 's/dense<7>/dense<8>/' %t.mlir | gmem-translate --gmem-to-image --weights=all -o %t.other
// RUN: gmem-run --digest %t.gmem > %t.one
// RUN: gmem-run --digest %t.other > %t.two
// RUN: not cmp -s %t.one %t.two

// 5. Random values where all are equal, by their seed.
// RUN: not gmem-translate --gmem-to-image --weights=all --random-weights=3 %root/examples/mobilenet_v2.mlir 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// UNPLANNED: there is no plan here
// RUN: gmem-opt --gmem-plan %root/examples/mobilenet_v2.mlir -o %t.net 2>/dev/null
// RUN: gmem-translate --gmem-to-image --weights=all --random-weights %t.net -o %t.random
// RUN: gmem-translate --gmem-to-image --weights=all --random-weights=1 %t.net | cmp - %t.random
// RUN: gmem-translate --gmem-to-image --weights=all --random-weights=2 %t.net -o %t.other
// RUN: not cmp -s %t.random %t.other

// 6. What the module does not hold: an error that names it, unless what is known
//    is enough.
// RUN: not gmem-translate --gmem-to-image --weights=all %S/Inputs/unknown-weights.mlir -o %t.no 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: test ! -e %t.no
// UNKNOWN: gmem-translate: error: {{.*}}unknown-weights.mlir: the contents of 'main/%arg0' (argument, loc({{.*}}unknown-weights.mlir":4:{{[0-9]+}})) are unknown: its op has no attribute with the elements
// RUN: sh -c 'echo "func.func @f() -> tensor<4xi8> { %%c = arith.constant dense_resource<__elided__> : tensor<4xi8> return %%c : tensor<4xi8> }" | gmem-opt --gmem-plan -o %t.elided'
// RUN: not gmem-translate --gmem-to-image --weights=all %t.elided -o %t.no 2>&1 | FileCheck %s --check-prefix=ELIDED
// ELIDED: the contents of 'f/%cst' (arith.constant, loc({{.*}}.elided":{{.*}})) are unknown: its elements are elided or not dense
// RUN: gmem-translate --gmem-to-image --weights=known %S/Inputs/unknown-weights.mlir -o %t.known 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: gmem-translate: remark: {{.*}}unknown-weights.mlir: the module does not contain the bytes of 3 constants
// RUN: gmem-translate --gmem-to-image --weights=digests %S/Inputs/unknown-weights.mlir 2>%t.remark | cmp - %t.known
// RUN: FileCheck %s --check-prefix=REMARK < %t.remark
// RUN: not gmem-run %t.known --check=weights 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: gmem-run: error: {{.*}}.known: the image does not contain the bytes of weight 'main/%cst'

// 7. Command lines.
// RUN: sh -c 'gmem-translate --gmem-to-image --weights=some %t.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=CHOICE
// CHOICE: gmem-translate: --weights: unknown value 'some'
// RUN: sh -c 'gmem-translate --gmem-to-json --weights=all %t.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: gmem-translate: --weights requires --gmem-to-image
// RUN: sh -c 'gmem-translate --gmem-to-image --random-weights=x %t.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: gmem-translate: --random-weights: 'x' is not a number

func.func @main() -> tensor<4xi16> {
  %dense = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi16>
  %splat = arith.constant dense<7> : tensor<3xi32>
  %bits = arith.constant dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>
  %nibbles = arith.constant dense<[1, 2, 3, -1, 5]> : tensor<5xi4>
  %odd = arith.constant dense<[-1, 2]> : tensor<2xi24>
  %half = "stablehlo.constant"() {value = dense<[1.0, -2.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %blob = arith.constant dense_resource<blob> : tensor<4xi8>
  "other.use"(%splat, %bits, %nibbles, %odd, %half, %blob) : (tensor<3xi32>, tensor<9xi1>, tensor<5xi4>, tensor<2xi24>, tensor<2xf16>, tensor<4xi8>) -> ()
  return %dense : tensor<4xi16>
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x01000000AABBCCDD"
    }
  }
#-}
