// Hard limits of several memories that cannot be met: which are too small
// together, and for what. Workbuffers count like tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan=alignment=1 %s
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=1 %s 2>/dev/null | count 0

// 1. Each has room for one of the three. What may go to a third memory is not
// named. One pool has to grow by as little as puts the others elsewhere.
// expected-note @+2 {{pool 'dram' needs 80 bytes, has 59: over by 21}}
// expected-note @+1 {{these 3 buffers, 120 bytes in total, do not fit in pools 'sram' and 'dram' of 119 bytes in total; if any one of them is removed, the others fit}}
module attributes {gmem.memories = [
    {name = "sram", capacity = 60 : i64, targets = ["a"]},
    {name = "dram", capacity = 59 : i64, targets = ["a", "b"]},
    {name = "far", targets = ["b"]}]} {
  func.func @together() {
    // expected-error @+2 {{does not fit in pool}}
    // expected-note @+1 {{result #0 of 'my.make' of 40 bytes is live at the peak}}
    %0 = "my.make"() {gmem.target = "a"} : () -> tensor<40xi8>
    %1 = "my.make"() {gmem.target = "b"} : () -> tensor<59xi8>
    // expected-note @+1 {{result #0 of 'my.other' of 40 bytes is live at the peak}}
    %2 = "my.other"() {gmem.target = "a"} : () -> tensor<40xi8>
    // expected-note @+1 {{workbuffer #0 of 'my.use' of 40 bytes is live at the peak}}
    "my.use"(%0, %2) {gmem.target = "a", gmem.workbuffers = [{size = 40 : i64}]} : (tensor<40xi8>, tensor<40xi8>) -> ()
    "my.use"(%1) {gmem.target = "b"} : (tensor<59xi8>) -> ()
    return
  }
}

// -----

// 2. A hint is lifted before anything is refused: what counts is the capacity.
// expected-note @+1 {{pool 'sram' needs 61 bytes, has 60: over by 1}}
module attributes {gmem.memories = [{name = "sram", size = 10 : i64, capacity = 60 : i64}]} {
  func.func @hint(%a: tensor<10xi8>) {
    // expected-error @+2 {{the tensors cannot be placed: buffer 'result #0 of 'my.make'' of 61 bytes does not fit in pool 'sram' of 60 bytes; every plan needs at least 61 bytes there}}
    // expected-note @+1 {{result #0 of 'my.make' of 61 bytes is live at the peak}}
    %0 = "my.make"() : () -> tensor<61xi8>
    return
  }
}
