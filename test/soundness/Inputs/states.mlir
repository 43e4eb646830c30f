// states.mlir - plans by hand of functions with states: a sound one, one in which
// a result is computed over a state that no result follows, and one in which
// another function writes over a state.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pools = [{kind = "workspace", name = "tensors"}]
#t = ["tensors"]
module {
module @sound attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    %0 = "a.op"(%s) {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
  func.func @other() {
    %0 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}
module @overwritten attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    %0 = "a.make"() {gmem.offset = array<i64: 8>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}
module @other attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
  func.func @other() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}
// Two functions share a state; a third one, which does not, writes over it in the
// second module, and in the third one it is at two places.
module @shared attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
  func.func @fills(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> (tensor<16xi8> {gmem.same_as = 0 : i64}) {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return %0 : tensor<16xi8>
  }
  func.func @other() {
    %0 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}
module @shared_overwritten attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
  func.func @fills(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> (tensor<16xi8> {gmem.same_as = 0 : i64}) {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return %0 : tensor<16xi8>
  }
  func.func @other() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}
module @shared_moved attributes {gmem.pool_table = #pools} {
  func.func @keeps(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
  func.func @reads(%s: tensor<16xi8> {gmem.state = "one", gmem.offset = 16 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
}
}
