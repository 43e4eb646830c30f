// What is wrong with described memories, targets and wishes is said where it
// stands, with the ops that are the reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan=sharing=none %s

// 1. No list, no dictionary, no name.
// expected-error @+1 {{gmem.memories must be an array of dictionaries}}
module attributes {gmem.memories = "sram"} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 1: must be a dictionary}}
module attributes {gmem.memories = [{name = "a"}, "b"]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'name' is missing}}
module attributes {gmem.memories = [{size = 4 : i64}]} { func.func @f() { return } }

// -----

// 2. Keys and values.
// expected-error @+1 {{gmem.memories: entry 0: 'sizes' is not a key: expected name, kind, capacity, size, alignment, base, after, speed, targets or spaces}}
module attributes {gmem.memories = [{name = "a", sizes = 4 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'size' must be a non-negative i64}}
module attributes {gmem.memories = [{name = "a", size = -1 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'capacity' must be a non-negative i64}}
module attributes {gmem.memories = [{name = "a", capacity = 4 : i32}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'scratch' is not a kind: expected workspace or constant}}
module attributes {gmem.memories = [{name = "a", kind = "scratch"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'after' must be a string}}
module attributes {gmem.memories = [{name = "a", after = 4 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: 'targets' must be an array of strings}}
module attributes {gmem.memories = [{name = "a", targets = "cpu"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has an invalid or duplicate name in its list of targets}}
module attributes {gmem.memories = [{name = "a", targets = ["cpu", "cpu"]}]} { func.func @f() { return } }

// -----

// 3. What a memory cannot be by itself.
// expected-error @+1 {{gmem.memories: memory 'a b' has an invalid name: expected 1 to 96 printable characters other than space and :;,=+#"}}
module attributes {gmem.memories = [{name = "a b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has an invalid capacity: expected a number of bytes above 0}}
module attributes {gmem.memories = [{name = "a", capacity = 0 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a size that exceeds its capacity}}
module attributes {gmem.memories = [{name = "a", capacity = 8 : i64, size = 9 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has an invalid alignment: expected a power of two up to 1T}}
module attributes {gmem.memories = [{name = "a", alignment = 48 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a base that is not a multiple of its alignment}}
module attributes {gmem.memories = [{name = "a", alignment = 64 : i64, base = 32 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has an invalid speed: expected a number of at most 32 bits}}
module attributes {gmem.memories = [{name = "a", speed = 4294967296 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'io.1' has a name that is reserved for inputs and outputs}}
module attributes {gmem.memories = [{name = "io.1"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'weights' has a name that is reserved for a constant pool: set kind=constant}}
module attributes {gmem.memories = [{name = "weights"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'memory.1' has a name that is reserved for a workspace: set kind=workspace}}
module attributes {gmem.memories = [{name = "memory.1", kind = "constant"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' is constant and cannot have memory spaces}}
module attributes {gmem.memories = [{name = "a", kind = "constant", spaces = ["1"]}]} { func.func @f() { return } }

// -----

// 4. What memories cannot be together.
// expected-error @+1 {{gmem.memories: memory 'a' is listed twice}}
module attributes {gmem.memories = [{name = "a"}, {name = "b"}, {name = "a"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' follows unknown memory 'b' ('after')}}
module attributes {gmem.memories = [{name = "a", after = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' follows itself ('after')}}
module attributes {gmem.memories = [{name = "a", after = "b"}, {name = "b", after = "c"}, {name = "c", after = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' follows 'b', which has no address: set its base}}
module attributes {gmem.memories = [{name = "a", after = "b"}, {name = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has both a base and a pool that it follows ('after')}}
module attributes {gmem.memories = [{name = "a", after = "b", base = 0 : i64}, {name = "b", base = 0 : i64}]} { func.func @f() { return } }

// -----

// 5. Two memories at one address, if anything is there.
// expected-error @+1 {{pools 'a' and 'b' share addresses}}
module attributes {gmem.memories = [{name = "a", base = 0 : i64, alignment = 4 : i64}, {name = "b", base = 32 : i64, alignment = 4 : i64}]} {
  func.func @f() {
    %0 = "my.a"() {gmem.pools = ["a"]} : () -> tensor<16xf32>
    %1 = "my.a"() {gmem.pools = ["b"]} : () -> tensor<16xf32>
    "my.use"(%0, %1) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// A base that is less aligned than what may be there.
// expected-error @+1 {{gmem.memories: the base of memory 'a' is not a multiple of 4096, the alignment of its pool}}
module attributes {gmem.memories = [{name = "a", base = 64 : i64}]} {
  func.func @f(%x: tensor<16xf32>) { return }
}

// -----

// 6. Two targets that have no memory in common.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b", targets = ["accel"]}]} {
  func.func @f() {
    // expected-error @+2 {{result #0 of 'my.a' cannot be placed: targets 'cpu' and 'accel' access it, and no memory can be reached by both}}
    // expected-note @+1 {{'my.a' runs on target 'cpu', which reaches a}}
    %0 = "my.a"() {gmem.target = "cpu"} : () -> tensor<16xf32>
    // expected-note @+1 {{'my.use' runs on target 'accel', which reaches b}}
    "my.use"(%0) {gmem.target = "accel"} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// One that has none at all: the function, for its argument.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}]} {
  // expected-error @+2 {{argument #0 of @f cannot be placed: target 'dsp' accesses it and reaches no memory}}
  // expected-note @+1 {{'func.func' runs on target 'dsp', which reaches none}}
  func.func @f(%x: tensor<16xf32>) attributes {gmem.target = "dsp"} { return }
}

// -----

// What control flow copies is touched by who copies it.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b", targets = ["accel"]}]} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+2 {{result #0 of 'my.a' cannot be placed: targets 'cpu' and 'accel' access it}}
    // expected-note @+1 {{'my.a' runs on target 'cpu', which reaches a}}
    %0 = "my.a"() {gmem.target = "cpu"} : () -> tensor<16xf32>
    // expected-note @+1 {{'scf.for' runs on target 'accel', which reaches b}}
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> tensor<16xf32> {
      %2 = "my.b"(%x) {gmem.target = "cpu"} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield {gmem.target = "cpu"} %2 : tensor<16xf32>
    } {gmem.target = "accel"}
    "my.use"(%1) {gmem.target = "cpu"} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 7. A target that is none.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}]} {
  func.func @f() {
    // expected-error @+1 {{gmem.target must be the name of a target}}
    %0 = "my.a"() {gmem.target = 4 : i64} : () -> tensor<16xf32>
    return
  }
}

// -----

// 8. Wishes: malformed, unknown, twice, out of reach, in another memory space,
// against each other.
module attributes {gmem.memories = [{name = "a"}]} {
  func.func @f() {
    // expected-error @+1 {{gmem.pools must be an array of names of pools, or one such array per result}}
    %0 = "my.a"() {gmem.pools = [["a"], ["a"]]} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a"}]} {
  // expected-error @+1 {{gmem.pools must be an array of names of pools on an argument}}
  func.func @f(%x: tensor<16xf32> {gmem.pools = []}) { return }
}

// -----

module attributes {gmem.memories = [{name = "a"}, {name = "c", kind = "constant"}]} {
  func.func @f() {
    // expected-error @+1 {{gmem.pools lists 'c', which is not a workspace memory}}
    %0 = "my.a"() {gmem.pools = ["a", "c"]} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a"}]} {
  func.func @f() {
    // expected-error @+1 {{gmem.pools lists memory 'a' twice}}
    %0 = "my.a"() {gmem.pools = ["a", "a"]} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b"}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 of 'my.a' cannot be placed in pool 'a' of gmem.pools: not every op that accesses it can reach this memory}}
    %0 = "my.a"() {gmem.pools = ["b", "a"]} : () -> tensor<16xf32>
    // expected-note @+1 {{'my.use' runs on target 'accel', which reaches b}}
    "my.use"(%0) {gmem.target = "accel"} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a", spaces = ["1"]}, {name = "b"}]} {
  func.func @f(%x: f32) {
    %c = arith.constant 0 : index
    // expected-error @+1 {{result #0 of 'memref.alloc' cannot be placed in pool 'a' of gmem.pools: this memory does not accept its memory space}}
    %0 = memref.alloc() {gmem.pools = ["a"]} : memref<16xf32>
    memref.store %x, %0[%c] : memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a"}, {name = "b"}]} {
  func.func @f() {
    %0 = "my.a"() {gmem.pools = ["a"]} : () -> tensor<16xf32>
    // expected-error @+1 {{result #0 of 'tensor.expand_shape' shares memory with result #0 of 'my.a', but their gmem.pools have no pool in common}}
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.pools = ["b"]} : tensor<16xf32> into tensor<4x4xf32>
    "my.use"(%1) : (tensor<4x4xf32>) -> ()
    return
  }
}

// -----

// 9. A pool of a memory space that no memory takes, under a name that one has.
// expected-error @+1 {{gmem.memories: memory 'memory.1' has the name of a memory space that no memory accepts}}
module attributes {gmem.memories = [{name = "memory.1"}]} {
  func.func @f(%x: f32) {
    %c = arith.constant 0 : index
    %0 = memref.alloc() : memref<16xf32, 1>
    memref.store %x, %0[%c] : memref<16xf32, 1>
    return
  }
}
