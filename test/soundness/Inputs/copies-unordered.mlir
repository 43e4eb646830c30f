// Copies in deferred regions, in calls of them, in calls of a function whose
// address is taken, and in several calls of a function with several returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module {
  func.func @flow(%n: index, %c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %token, %future = async.execute -> !async.value<tensor<16xf32>> {
      %y = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
      %z = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y, %q = %z) -> (tensor<16xf32>, tensor<16xf32>) {
        "x.use"(%p) : (tensor<16xf32>) -> ()
        scf.yield %q, %p : tensor<16xf32>, tensor<16xf32>
      }
      %s = scf.if %c -> tensor<16xf32> {
        scf.yield %r#0 : tensor<16xf32>
      } else {
        scf.yield %r#1 : tensor<16xf32>
      }
      async.yield %s : tensor<16xf32>
    }
    %v = async.await %future : !async.value<tensor<16xf32>>
    return %v : tensor<16xf32>
  }
}
module {
  func.func private @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
  func.func @call(%x: tensor<16xf32>) {
    %token = async.execute {
      %y = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
      %z = func.call @f(%y) : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%z) : (tensor<16xf32>) -> ()
      async.yield
    }
    return
  }
}
module {
  func.func private @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
  func.func @taken(%x: tensor<16xf32>) -> tensor<16xf32> {
    %p = func.constant @f : (tensor<16xf32>) -> tensor<16xf32>
    "x.keep"(%p) : ((tensor<16xf32>) -> tensor<16xf32>) -> ()
    %y = func.call @f(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %z = func.call @f(%y) : (tensor<16xf32>) -> tensor<16xf32>
    return %z : tensor<16xf32>
  }
}
module {
  func.func private @f(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  ^b:
    return %x : tensor<16xf32>
  }
  func.func @several(%c: i1, %x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %z = func.call @f(%c, %x) : (i1, tensor<16xf32>) -> tensor<16xf32>
    %w = func.call @f(%c, %y) : (i1, tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return %z, %w : tensor<16xf32>, tensor<16xf32>
  }
}
