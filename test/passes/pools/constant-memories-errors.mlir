// What memories for constants cannot do is said at the constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan=weight-alignment=1 %s

// 1. Too much for one memory: those that can go nowhere else are named.
// expected-note @+2 {{these 2 buffers, 120 bytes in total, do not fit in pool 'rom' of 100 bytes; if any one of them is removed, the others fit}}
// expected-note @+1 {{pool 'rom' needs 120 bytes, has 100: over by 20}}
module attributes {gmem.memories = [
    {name = "rom", kind = "constant", capacity = 100 : i64},
    {name = "other", kind = "constant", targets = ["b"]}]} {
  func.func @one() attributes {gmem.target = "a"} {
    // expected-note @+1 {{result #0 of 'my.const' of 70 bytes is live at the peak}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<70xi8>
    // expected-error @+2 {{the weights cannot be placed: buffer 'result #0 of 'my.const'' of 50 bytes does not fit in pool 'rom' of 100 bytes; every plan needs at least 120 bytes there}}
    // expected-note @+1 {{result #0 of 'my.const' of 50 bytes is live at the peak}}
    %1 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<50xi8>
    "my.read"(%0, %1) : (tensor<70xi8>, tensor<50xi8>) -> ()
    return
  }
}

// -----

// 2. Too much for both together, though any two have room: a hint does not help.
// expected-note @+2 {{these 3 buffers, 150 bytes in total, do not fit in pools 'fast' and 'slow' of 140 bytes in total; if any one of them is removed, the others fit}}
// expected-note @+1 {{pool 'slow' needs 90 bytes, has 80: over by 10}}
module attributes {gmem.memories = [
    {name = "fast", kind = "constant", capacity = 60 : i64, size = 50 : i64, speed = 3 : i64},
    {name = "slow", kind = "constant", capacity = 80 : i64}]} {
  func.func @both() {
    // expected-note @+1 {{result #0 of 'my.const' of 60 bytes is live at the peak}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<60xi8>
    // expected-note @+1 {{result #0 of 'my.const' of 50 bytes is live at the peak}}
    %1 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<50xi8>
    // expected-error @+2 {{the weights cannot be placed: buffer 'result #0 of 'my.const'' of 40 bytes does not fit in pool 'slow' of 80 bytes}}
    // expected-note @+1 {{result #0 of 'my.const' of 40 bytes is live at the peak}}
    %2 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<40xi8>
    "my.read"(%0, %1, %2) : (tensor<60xi8>, tensor<50xi8>, tensor<40xi8>) -> ()
    return
  }
}

// -----

// 3. Nobody may read it at all.
module attributes {gmem.memories = [
    {name = "fast", kind = "constant", targets = ["a"]},
    {name = "slow", kind = "constant", targets = ["b"]}]} {
  func.func @apart() {
    // expected-error @+1 {{result #0 of 'my.const' cannot be placed: no memory for constants can be reached by every op that reads it}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<4xi8>
    // expected-note @+1 {{'my.first' runs on target 'a', which reaches fast}}
    "my.first"(%0) {gmem.target = "a"} : (tensor<4xi8>) -> ()
    // expected-note @+1 {{'my.second' runs on target 'b', which reaches slow}}
    "my.second"(%0) {gmem.target = "b"} : (tensor<4xi8>) -> ()
    return
  }
}

// -----

// 4. A pool that is asked for and cannot be.
module attributes {gmem.memories = [
    {name = "fast", kind = "constant", targets = ["a"]},
    {name = "slow", kind = "constant"}]} {
  func.func @asked() {
    // expected-error @+1 {{result #0 of 'my.const' cannot be placed in pool 'fast' of gmem.pools: not every op that reads it can reach this memory}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.pools = ["fast", "slow"]} : () -> tensor<4xi8>
    // expected-note @+1 {{'my.read' runs on target 'b', which reaches slow}}
    "my.read"(%0) {gmem.target = "b"} : (tensor<4xi8>) -> ()
    return
  }
}

// -----

// 5. One that nobody describes is made only where none for constants is.
module attributes {gmem.memories = [{name = "rom", kind = "constant"}, {name = "ram"}]} {
  func.func @unknown() {
    // expected-error @+1 {{result #0 of 'my.const' cannot be placed in pool 'weights' of gmem.pools: gmem.memories has no memory of that name}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.pools = ["weights"]} : () -> tensor<4xi8>
    return
  }
}

// -----

module attributes {gmem.memories = [{name = "rom", kind = "constant"}, {name = "ram"}]} {
  func.func @workspace() {
    // expected-error @+1 {{result #0 of 'my.const' cannot be placed in pool 'ram' of gmem.pools: it is a workspace pool}}
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.pools = ["ram"]} : () -> tensor<4xi8>
    return
  }
}

// -----

// 6. A base that the alignment of what is in it does not allow.
// expected-error @+1 {{gmem.memories: the base of memory 'rom' is not a multiple of 64, the alignment of its pool}}
module attributes {gmem.memories = [{name = "rom", kind = "constant", base = 4128 : i64}]} {
  memref.global "private" constant @wide : memref<4xf32> = dense<1.0> {alignment = 64 : i64}
  func.func @base() {
    %0 = memref.get_global @wide : memref<4xf32>
    "my.read"(%0) : (memref<4xf32>) -> ()
    return
  }
}
