// A function that is given a list returns in two places: what either returns is there
// where the other one has run before. In an unsound plan what it returns is in the
// memory of what the list stands for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --gmem-plan=alignment=1 -o %t
// RUN: gmem-opt %t --allow-unregistered-dialect --gmem-verify-plan=only=contents | FileCheck %s
// RUN: sed -e '/ListUnpack/s/offset = array<i64: 64>/offset = array<i64: 96>/' -e 's/from = 64 /from = 96 /g' %t > %t.unsound
// RUN: not gmem-opt %t.unsound --allow-unregistered-dialect --gmem-verify-plan=only=contents -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNSOUND

func.func private @g(%l: !any.list, %c: i1) -> tensor<32xi8> {
  cf.cond_br %c, ^a, ^b
^a:
  %x = "torch.prim.ListUnpack"(%l) : (!any.list) -> tensor<32xi8>
  return %x : tensor<32xi8>
^b:
  %y = "any.compute"() : () -> tensor<32xi8>
  return %y : tensor<32xi8>
}
// CHECK: func.func @main(%{{.*}}: tensor<32xi8> {gmem.offset = 96
// CHECK: call @g{{.*}}from = 64 : i64
// UNSOUND: error: {{.*}} has overwritten bytes [96, 128)
func.func @main(%t: tensor<32xi8>, %c: i1) {
  %l = "torch.prim.ListConstruct"(%t) : (tensor<32xi8>) -> !any.list
  %r = call @g(%l, %c) : (!any.list, i1) -> tensor<32xi8>
  "any.use"(%r) : (tensor<32xi8>) -> ()
  %b = "any.compute"() : () -> tensor<96xi8>
  "any.use"(%b) : (tensor<96xi8>) -> ()
  %s = call @g(%l, %c) : (!any.list, i1) -> tensor<32xi8>
  "any.use"(%s) : (tensor<32xi8>) -> ()
  return
}
