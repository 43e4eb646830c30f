// What is wrong with described memories, targets and wishes is said where it
// stands, with the ops that are the reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan=sharing=none %s

// 1. No list, no dictionary, no name.
// expected-error @+1 {{gmem.memories must be an array of dictionaries}}
module attributes {gmem.memories = "sram"} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 1: no dictionary}}
module attributes {gmem.memories = [{name = "a"}, "b"]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: there is no name}}
module attributes {gmem.memories = [{size = 4 : i64}]} { func.func @f() { return } }

// -----

// 2. Keys and values.
// expected-error @+1 {{gmem.memories: entry 0: known are name, kind, capacity, size, alignment, base, after, speed, targets and spaces, not 'sizes'}}
module attributes {gmem.memories = [{name = "a", sizes = 4 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: no number of type i64 from 0 on: 'size'}}
module attributes {gmem.memories = [{name = "a", size = -1 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: no number of type i64 from 0 on: 'capacity'}}
module attributes {gmem.memories = [{name = "a", capacity = 4 : i32}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: kind is workspace or constant, not 'scratch'}}
module attributes {gmem.memories = [{name = "a", kind = "scratch"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: no text: 'after'}}
module attributes {gmem.memories = [{name = "a", after = 4 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: entry 0: no list of texts: 'targets'}}
module attributes {gmem.memories = [{name = "a", targets = "cpu"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a list of targets with a name that is none or is there twice}}
module attributes {gmem.memories = [{name = "a", targets = ["cpu", "cpu"]}]} { func.func @f() { return } }

// -----

// 3. What a memory cannot be by itself.
// expected-error @+1 {{gmem.memories: memory 'a b' has a name that is empty, too long or has characters that names do not have}}
module attributes {gmem.memories = [{name = "a b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has no room: its capacity is no number of bytes above 0}}
module attributes {gmem.memories = [{name = "a", capacity = 0 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a size above its capacity}}
module attributes {gmem.memories = [{name = "a", capacity = 8 : i64, size = 9 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has an alignment that is no power of two up to 1T}}
module attributes {gmem.memories = [{name = "a", alignment = 48 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a base that is no multiple of its alignment}}
module attributes {gmem.memories = [{name = "a", alignment = 64 : i64, base = 32 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has a speed that is no number of 32 bits}}
module attributes {gmem.memories = [{name = "a", speed = 4294967296 : i64}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'io.1' has the name of a pool of inputs and outputs}}
module attributes {gmem.memories = [{name = "io.1"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'weights' has the name of a constant pool and is a workspace}}
module attributes {gmem.memories = [{name = "weights"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'memory.1' has the name of a workspace and is constant}}
module attributes {gmem.memories = [{name = "memory.1", kind = "constant"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' is constant and takes memrefs of memory spaces}}
module attributes {gmem.memories = [{name = "a", kind = "constant", spaces = ["1"]}]} { func.func @f() { return } }

// -----

// 4. What memories cannot be together.
// expected-error @+1 {{gmem.memories: memory 'a' is there twice}}
module attributes {gmem.memories = [{name = "a"}, {name = "b"}, {name = "a"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' lies behind 'b', which there is not}}
module attributes {gmem.memories = [{name = "a", after = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' lies behind itself}}
module attributes {gmem.memories = [{name = "a", after = "b"}, {name = "b", after = "c"}, {name = "c", after = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' lies behind 'b', which has no address: give it a base}}
module attributes {gmem.memories = [{name = "a", after = "b"}, {name = "b"}]} { func.func @f() { return } }

// -----

// expected-error @+1 {{gmem.memories: memory 'a' has both a base and a pool that it lies behind}}
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
// expected-error @+1 {{gmem.memories: the base of memory 'a' is no multiple of 4096, to which what is in it is aligned}}
module attributes {gmem.memories = [{name = "a", base = 64 : i64}]} {
  func.func @f(%x: tensor<16xf32>) { return }
}

// -----

// 6. Two targets that have no memory in common.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b", targets = ["accel"]}]} {
  func.func @f() {
    // expected-error @+2 {{result #0 of 'my.a' can be in no memory: targets 'cpu' and 'accel' touch it, and reach none in common}}
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
  // expected-error @+2 {{argument #0 of @f can be in no memory: target 'dsp' touches it, and reaches none}}
  // expected-note @+1 {{'func.func' runs on target 'dsp', which reaches none}}
  func.func @f(%x: tensor<16xf32>) attributes {gmem.target = "dsp"} { return }
}

// -----

// What control flow copies is touched by who copies it.
module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b", targets = ["accel"]}]} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+2 {{result #0 of 'my.a' can be in no memory: targets 'cpu' and 'accel' touch it}}
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
    // expected-error @+1 {{gmem.pools: there is no workspace memory 'c'}}
    %0 = "my.a"() {gmem.pools = ["a", "c"]} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a"}]} {
  func.func @f() {
    // expected-error @+1 {{gmem.pools: this is there twice: 'a'}}
    %0 = "my.a"() {gmem.pools = ["a", "a"]} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a", targets = ["cpu"]}, {name = "b"}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 of 'my.a' cannot be in pool 'a', as gmem.pools asks: not all that touch it reach that}}
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
    // expected-error @+1 {{result #0 of 'memref.alloc' cannot be in pool 'a', as gmem.pools asks: that does not take its memory space}}
    %0 = memref.alloc() {gmem.pools = ["a"]} : memref<16xf32>
    memref.store %x, %0[%c] : memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "a"}, {name = "b"}]} {
  func.func @f() {
    %0 = "my.a"() {gmem.pools = ["a"]} : () -> tensor<16xf32>
    // expected-error @+1 {{result #0 of 'tensor.expand_shape' is one memory with result #0 of 'my.a', and their gmem.pools have none in common}}
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.pools = ["b"]} : tensor<16xf32> into tensor<4x4xf32>
    "my.use"(%1) : (tensor<4x4xf32>) -> ()
    return
  }
}

// -----

// 9. A pool of a memory space that no memory takes, under a name that one has.
// expected-error @+1 {{gmem.memories: memory 'memory.1' has the name of the pool of a memory space that no memory takes}}
module attributes {gmem.memories = [{name = "memory.1"}]} {
  func.func @f(%x: f32) {
    %c = arith.constant 0 : index
    %0 = memref.alloc() : memref<16xf32, 1>
    memref.store %x, %0[%c] : memref<16xf32, 1>
    return
  }
}
