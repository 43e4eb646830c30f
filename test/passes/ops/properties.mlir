// Ops of dialects that are not registered have their symbols in properties, as
// the generic form of today prints them, or among the other attributes: it is
// one program. Ops may call the functions that they name; a global that is
// mutable is no constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t 2> %t.said
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t -o /dev/null
// RUN: sh -c 'sed "s/<{\(.*\)}>/{\1}/" %s > %t.older'
// RUN: not grep "callee = @f}[>]" %t.older
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %t.older 2> %t.older.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.older.said

// What @f computes is beside what is live around the op.
// CHECK-LABEL: module @calls
// CHECK-SAME: peak = 65536 : i64
module @calls {
  func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %k = "my.keep"(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = "my.mix"(%k, %k) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "my.call"(%y) <{callee = @f}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    return %m, %k : tensor<64x64xf32>, tensor<64x64xf32>
  }
  func.func private @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %y = "my.mix"(%x, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %z = "my.mix"(%y, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %z : tensor<64x64xf32>
  }
}

// Here it may run at any time, with arguments of its own.
// CHECK-LABEL: module @mentions
// CHECK-SAME: peak = 98304 : i64
module @mentions {
  func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %k = "my.keep"(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = "my.mix"(%k, %k) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = "my.run"(%y) <{how = {one = [@f]}}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    return %m, %k : tensor<64x64xf32>, tensor<64x64xf32>
  }
  func.func private @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %y = "my.mix"(%x, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %z = "my.mix"(%y, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %z : tensor<64x64xf32>
  }
}

// CHECK-LABEL: module @globals
// CHECK: "util.global.load"(){{.*}}@cache{{.*}}gmem.pool = ["tensors"]
// CHECK: "util.global.load"(){{.*}}@table{{.*}}gmem.pool = ["weights"]
module @globals {
  "util.global"() {is_mutable, sym_name = "cache", type = tensor<64xf32>} : () -> ()
  "util.global"() {sym_name = "table", type = tensor<64xf32>} : () -> ()
  func.func @main() -> tensor<64xf32> {
    %c = "util.global.load"() <{global = @cache}> : () -> tensor<64xf32>
    %t = "util.global.load"() <{global = @table}> : () -> tensor<64xf32>
    %s = "my.mix"(%c, %t) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "util.global.store"(%s) <{global = @cache}> : (tensor<64xf32>) -> ()
    return %s : tensor<64xf32>
  }
}

// Code that is not here may keep what it is given.
// SAID: remark: this memref of @escapes is not planned: it is passed to an unknown function
module {
  func.func @escapes() {
    %m = memref.alloc() : memref<64xf32>
    "my.give"(%m) <{to = @elsewhere}> : (memref<64xf32>) -> ()
    return
  }
}
