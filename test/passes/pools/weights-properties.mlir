// Constants of dialects that are not registered have contents in properties, as
// the generic form of today prints them: with share-weights, equal ones are at
// one address, and only these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='weight-alignment=16 share-weights' %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t -o /dev/null
//
// Different ones at one address.
// RUN: sed '/scale = dense<1/s/array<i64: 0>\(.*value = dense<3\)/array<i64: 32>\1/' %t > %t.shared
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.shared -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: result #0 of 'my.constant' and result #0 of 'my.constant' share bytes [32, 48) of pool 'weights'{{.*}}: they are different constants

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: scale = dense<1{{.*}}value = dense<3{{.*}}offset = array<i64: 0>
  %a = "my.constant"() <{scale = dense<1.0> : tensor<4xf32>, value = dense<3.0> : tensor<4xf32>}> {gmem.op_model = {kind = "weight"}} : () -> tensor<4xf32>
  // CHECK: scale = dense<1{{.*}}value = dense<4{{.*}}offset = array<i64: 16>
  %b = "my.constant"() <{scale = dense<1.0> : tensor<4xf32>, value = dense<4.0> : tensor<4xf32>}> {gmem.op_model = {kind = "weight"}} : () -> tensor<4xf32>
  // Others than the properties are the same.
  // CHECK: scale = dense<2{{.*}}offset = array<i64: 32>{{.*}}value = dense<3
  %c = "my.constant"() <{scale = dense<2.0> : tensor<4xf32>}> {gmem.op_model = {kind = "weight"}, value = dense<3.0> : tensor<4xf32>} : () -> tensor<4xf32>
  // CHECK: scale = dense<1{{.*}}offset = array<i64: 0>{{.*}}value = dense<3
  %d = "my.constant"() <{scale = dense<1.0> : tensor<4xf32>}> {gmem.op_model = {kind = "weight"}, value = dense<3.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "my.op"(%a, %b, %c, %d, %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
