// Plans by hand, sound and broken ones: gmem-machine has to find the broken ones
// and no others. Whoever breaks the machine sees it here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: sh -c 'gmem-machine --runs=40 %s; test $? = 1' | FileCheck %s --implicit-check-not=reads --implicit-check-not=claims --implicit-check-not=which

#t = ["tensors"]
#w = ["weights"]
#pools = [{kind = "constant", name = "weights"}, {kind = "workspace", name = "tensors"}]

#copy = {edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 16 : i64, to = 16 : i64, to_pool = "tensors"}
#next = {edge = "successor", from = 16 : i64, from_pool = "tensors", number = 0 : i64, size = 16 : i64, to = 32 : i64, to_pool = "tensors"}

module {
// 1. A chain of two places.
module @sound attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.op"(%0) {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    %2 = "a.op"(%1) {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%2) : (tensor<16xi8>) -> ()
    return
  }
}

// 2. %0 is read after %1 has been put on it.
// CHECK: "overwritten": @f: 'a.use' reads operand result #0 of 'a.make' at {{.*}}, finds at its byte 0 byte 0 of result #0 of 'a.make' at
module @overwritten attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}

// 3. The last four bytes alone are gone.
// CHECK: "in_part": @f: 'a.use' reads operand result #0 of 'a.make' at {{.*}}, finds at its byte 12 byte 0 of result #0 of 'a.make' at
module @in_part attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 12>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}

// 4. An op of which nothing is known reads while it writes.
// CHECK: "while_writing": @f: 'a.op' has result #0 in memory of operand #0, which gmem.alias does not say
// CHECK: "while_writing": @f: 'a.op' reads while it writes, operand result #0 of 'a.make' at
module @while_writing attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.op"(%0) {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 5. Two results of one op in one place.
// CHECK: "two_results": @f: 'a.make' reads after it has written, its own result #0 of 'a.make' at
module @two_results attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0:2 = "a.make"() {gmem.offset = array<i64: 0, 8>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 16, 16>} : () -> (tensor<16xi8>, tensor<16xi8>)
    return
  }
}

// 6. A value that an op reads has no place.
// CHECK: "nowhere": @f: 'a.use' reads operand #0, which has no place
module @nowhere attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}

// 7. What a function returns is there when it returns.
// CHECK: "returned": @f: 'func.return' reads operand result #0 of 'a.make' at
module @returned attributes {gmem.pool_table = #pools} {
  func.func @f() -> tensor<16xi8> {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return %0 : tensor<16xi8>
  }
}

// 8. keep_inputs: an input is there up to the end.
// CHECK: "kept": @f: 'func.return' reads kept input argument #0 at
module @kept attributes {gmem.plan = {keep_inputs = true}, gmem.pool_table = #pools} {
  func.func @f(%a: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return
  }
}

// 9. gmem.hold: so is this.
// CHECK: "held": @f: 'func.return' reads held result #0 of 'a.make' at
module @held attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>, gmem.hold} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return
  }
}

// 10. Two different constants in one place.
// CHECK: "weights": @f: 'arith.constant' reads its own result #0 of 'arith.constant' at {{.*}}, finds at its byte 8 byte 0 of
module @weights attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = #w, gmem.size = array<i64: 16>} dense<1> : tensor<16xi8>
    %1 = arith.constant {gmem.offset = array<i64: 8>, gmem.pool = #w, gmem.size = array<i64: 16>} dense<2> : tensor<16xi8>
    return
  }
}

// 11. Equal ones may be one.
module @equal_weights attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = #w, gmem.size = array<i64: 16>} dense<1> : tensor<16xi8>
    %1 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = #w, gmem.size = array<i64: 16>} dense<1> : tensor<16xi8>
    "a.use"(%0, %1) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// 12. Constant memory is not written.
// CHECK: "into_weights": @f: 'a.make' writes value #0 to constant memory
module @into_weights attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = #w, gmem.size = array<i64: 16>} dense<1> : tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #w, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return
  }
}

// A value without bytes writes none, wherever it is.
module @nothing_into_weights attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #w, gmem.size = array<i64: 0>} : () -> tensor<0xi8>
    "a.use"(%0) : (tensor<0xi8>) -> ()
    return
  }
}

// 13. A reshape moves nothing.
// CHECK: "view": @f: 'tensor.expand_shape' reads as a view its result #0 of 'tensor.expand_shape' at {{.*}}, finds at its byte 0 what was never written
module @view attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<16xi8> into tensor<4x4xi8>
    return
  }
}

// 14. Element by element over a dying operand: claimed, and right.
module @elementwise attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = arith.addi %0, %0 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 15. One byte beside it is not that.
// CHECK: "shifted": @f: 'arith.addi' reads while it writes, operand result #0 of 'a.make' at {{.*}}, finds at its byte 1 byte 0 of result #0 of 'arith.addi'
module @shifted attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = arith.addi %0, %0 {gmem.offset = array<i64: 1>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 16. Code generation is not told.
// CHECK: "unclaimed": @f: 'arith.addi' has result #0 in memory of operand #0, which gmem.alias does not say
module @unclaimed attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = arith.addi %0, %0 {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 17. It is told something else than is so.
// CHECK: "false_claim": @f: 'arith.addi' claims an alias (inplace, operand #0, result #0) that is not so
module @false_claim attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = arith.addi %0, %0 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 18. The operand is read in another order than the result is written.
// CHECK: "transposed": @f: 'linalg.generic' claims an alias (inplace, operand #0, result #0) over an operand that is not read element by element
// CHECK: "transposed": @f: 'linalg.generic' reads while it writes, operand result #0 of 'a.make' at
module @transposed attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<4x4xi8>
    %e = tensor.empty() : tensor<4x4xi8>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) attrs = {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} {
    ^bb0(%x: i8, %y: i8):
      linalg.yield %x : i8
    } -> tensor<4x4xi8>
    return
  }
}

// 19. A slice in its place is no copy; %0 may be overwritten beside it.
module @slice attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %1 = tensor.extract_slice %0[8] [16] [1] {gmem.alias = [{kind = "slice", offset = 8 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 8>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<32xi8> to tensor<16xi8>
    %2 = "a.make"() {gmem.offset = array<i64: 24>, gmem.pool = #t, gmem.size = array<i64: 8>} : () -> tensor<8xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 20. But not in it.
// CHECK: "slice_overwritten": @f: 'a.use' reads operand result #0 of 'tensor.extract_slice' at {{.*}}, finds at its byte 0 byte 8 of result #0 of 'a.make' at {{.*}}, not byte 8 of result #0 of 'a.make'
module @slice_overwritten attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %1 = tensor.extract_slice %0[8] [16] [1] {gmem.alias = [{kind = "slice", offset = 8 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 8>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<32xi8> to tensor<16xi8>
    %2 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 21. A copy that overlaps what it copies.
// CHECK: "slice_onto_itself": @f: 'tensor.extract_slice' reads while it copies, operand result #0 of 'a.make' at
module @slice_onto_itself attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %1 = tensor.extract_slice %0[8] [16] [1] {gmem.offset = array<i64: 4>, gmem.pool = #t, gmem.size = array<i64: 16>} : tensor<32xi8> to tensor<16xi8>
    return
  }
}

// 22. The first part is there already, the second is copied.
module @concat attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 64>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2 = tensor.concat dim(0) %0, %1 {gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : (tensor<16xi8>, tensor<16xi8>) -> tensor<32xi8>
    "a.use"(%2) : (tensor<32xi8>) -> ()
    return
  }
}

// 23. The copy of the first part destroys the second.
// CHECK: "concat_overwritten": @f: 'tensor.concat' reads while it copies, operand result #0 of 'a.make' at
module @concat_overwritten attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 64>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 8>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2 = tensor.concat dim(0) %0, %1 {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : (tensor<16xi8>, tensor<16xi8>) -> tensor<32xi8>
    return
  }
}

// 24. What is inserted lies there already, and the rest of the old tensor as well.
module @insert attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2 = tensor.insert_slice %1 into %0[16] [16] [1] {gmem.alias = [{kind = "concat", offset = 16 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : tensor<16xi8> into tensor<32xi8>
    "a.use"(%2) : (tensor<32xi8>) -> ()
    return
  }
}

// 25. It has destroyed what stays of the old tensor.
// CHECK: "insert_overwritten": @f: 'tensor.insert_slice' reads destination result #0 of 'a.make' at {{.*}}, finds at its byte 12
module @insert_overwritten attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 12>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2 = tensor.insert_slice %1 into %0[16] [16] [1] {gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 32>} : tensor<16xi8> into tensor<32xi8>
    return
  }
}

// 26. A layer group reads what it captures up to its end.
// CHECK: "captured": @f: 'a.group' reads captured result #0 of 'a.make' at
module @captured attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.group"() ({
      "a.read"(%0) : (tensor<16xi8>) -> ()
    }) {gmem.layer_group, gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 27. The result of its last op may be written before its first op reads.
// CHECK: "flat_group": @f: 'a.op' reads operand result #0 of 'a.make' at {{.*}}, finds at its byte 0 byte 0 of whatever is written to result #0 of 'a.op'
module @flat_group attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.op"(%0) {gmem.layer_group = 1} : (tensor<16xi8>) -> tensor<16xi8>
    %2 = "a.op"(%1) {gmem.layer_group = 1, gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%2) : (tensor<16xi8>) -> ()
    return
  }
}

// 28. A value of a layer group that is read outside of it has no place.
// CHECK: "not_local": @f: 'a.op' reads operand #0, which has no place
module @not_local attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %1 = "a.op"() {gmem.layer_group = 1} : () -> tensor<16xi8>
    %2 = "a.op"(%1) {gmem.layer_group = 1, gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 29. %0 is wanted in the next round, too.
// CHECK: "loop": @f: 'a.use' reads operand result #0 of 'a.make' at
module @loop attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.for"() ({
      "a.use"(%0) : (tensor<16xi8>) -> ()
      %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
      "a.yield"() : () -> ()
    }) {test.does = "for"} : () -> ()
    return
  }
}

// 30. Carried values that change places are read before they are written.
module @swapped attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2:2 = "a.for"(%0, %1) ({
    ^bb0(%a: tensor<16xi8>, %b: tensor<16xi8>):
      "a.use"(%a, %b) : (tensor<16xi8>, tensor<16xi8>) -> ()
      "a.yield"(%b, %a) : (tensor<16xi8>, tensor<16xi8>) -> ()
    }) {test.does = "for", gmem.offset = array<i64: 0, 16>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 16, 16>, gmem.block_args = [{block = 0 : i64, offset = array<i64: 0, 16>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 16, 16>}]} : (tensor<16xi8>, tensor<16xi8>) -> (tensor<16xi8>, tensor<16xi8>)
    "a.use"(%2#0, %2#1) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// 31. The first carried value is put where the second is.
// CHECK: "carried_over": @f: 'a.for' reads after it has handed on, its argument #0 at
module @carried_over attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %2:2 = "a.for"(%0, %1) ({
    ^bb0(%a: tensor<16xi8>, %b: tensor<16xi8>):
      "a.use"(%a, %b) : (tensor<16xi8>, tensor<16xi8>) -> ()
      "a.yield"(%b, %a) : (tensor<16xi8>, tensor<16xi8>) -> ()
    }) {test.does = "for", gmem.offset = array<i64: 0, 16>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 16, 16>, gmem.block_args = [{block = 0 : i64, offset = array<i64: 16, 16>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 16, 16>}]} : (tensor<16xi8>, tensor<16xi8>) -> (tensor<16xi8>, tensor<16xi8>)
    "a.use"(%2#0, %2#1) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// 32. Beside a branch, both ways are taken: one of them overwrites %0.
// CHECK: "branch": @f: 'a.use' reads operand result #0 of 'a.make' at
module @branch attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %c = "a.flag"() : () -> i1
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "scf.if"(%c) ({
      %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
      scf.yield
    }, {
      scf.yield
    }) : (i1) -> ()
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}

// 33. What lives across a call is not overwritten in it.
// CHECK: "call": @f: 'a.use' reads operand result #0 of 'a.make' at
module @call attributes {gmem.pool_table = #pools} {
  func.func @g() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return
  }
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    call @g() : () -> ()
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
}

// 34. An argument that lies elsewhere is a copy: %0 is there when it is read again.
module @passed attributes {gmem.pool_table = #pools} {
  func.func @g(%a: tensor<16xi8> {gmem.offset = 32 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<16xi8> {
    %0 = "a.op"(%a) {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    return %0 : tensor<16xi8>
  }
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = call @g(%0) {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "a.use"(%0, %1) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// 35. A region that runs up to the function's end reads %0 after it is gone.
// CHECK: "late": @f: 'a.op' reads operand result #0 of 'a.make' at
module @late attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %t = "a.start"() ({
      %2 = "a.op"(%0) {gmem.offset = array<i64: 32>, gmem.pool = #t, gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
      "a.yield"() : () -> ()
    }) : () -> !a.token
    %1 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%1) : (tensor<16xi8>) -> ()
    return
  }
}

// 36. A place has fewer bytes than its value.
// CHECK: "too_small": the plan has a place smaller than its value
module @too_small attributes {gmem.pool_table = #pools} {
  func.func @f() {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 8>} : () -> tensor<16xi8>
    return
  }
}

// 37. A state that is changed in a function is the network's, and lies there when
// that has run.
// CHECK: "state": @f: 'func.return' reads held argument #0 at {{.*}}, finds at its byte 0 byte 0 of result #0 of 'a.make' at
module @state attributes {gmem.pool_table = #pools} {
  func.func @f(%s: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    func.call @g(%s) : (tensor<16xi8>) -> ()
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    "a.use"(%0) : (tensor<16xi8>) -> ()
    return
  }
  func.func @g(%s: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.update"(%s) {test.writes = array<i64: 0>} : (tensor<16xi8>) -> ()
    return
  }
}

// 38. The same state, with nothing put on it: its reader finds what is new.
module @new_state attributes {gmem.pool_table = #pools} {
  func.func @f(%s: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    func.call @g(%s) : (tensor<16xi8>) -> ()
    "a.use"(%s) : (tensor<16xi8>) -> ()
    return
  }
  func.func @g(%s: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    "a.update"(%s) {test.writes = array<i64: 0>} : (tensor<16xi8>) -> ()
    return
  }
}

// 39. Without the record of the copy, the block's argument is not what it is given.
// CHECK: "no_record": @f: 'a.use' reads operand argument #0 at {{.*}}, finds at its byte 0 what was never written, not byte 0 of result #0 of 'a.make' at
module @no_record attributes {gmem.plan = {}, gmem.pool_table = #pools} {
  func.func @f() attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 16>, pool = #t, region = 0 : i64, size = array<i64: 16>}]} {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    cf.br ^bb1(%0 : tensor<16xi8>)
  ^bb1(%x: tensor<16xi8>):
    "a.use"(%x) : (tensor<16xi8>) -> ()
    return
  }
}

// 40. With it, it is. 41. Two copies in the wrong order: the second one reads what
// the first one has written.
// CHECK: "wrong_order": @f: 'a.use' reads operand argument #1 at {{.*}}, finds at its byte 0 byte 0 of result #0 of 'a.make' at
module @records attributes {gmem.plan = {}, gmem.pool_table = #pools} {
  func.func @f() attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 16, 32>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 16, 16>}]} {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    cf.br ^bb1(%0, %1 : tensor<16xi8>, tensor<16xi8>) {gmem.copies = [#next, #copy]}
  ^bb1(%x: tensor<16xi8>, %y: tensor<16xi8>):
    "a.use"(%x, %y) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}
module @wrong_order attributes {gmem.plan = {}, gmem.pool_table = #pools} {
  func.func @f() attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 16, 32>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 16, 16>}]} {
    %0 = "a.make"() {gmem.offset = array<i64: 0>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %1 = "a.make"() {gmem.offset = array<i64: 16>, gmem.pool = #t, gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    cf.br ^bb1(%0, %1 : tensor<16xi8>, tensor<16xi8>) {gmem.copies = [#copy, #next]}
  ^bb1(%x: tensor<16xi8>, %y: tensor<16xi8>):
    "a.use"(%x, %y) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// CHECK: 42 scopes, {{.*}} 33 violations
}
