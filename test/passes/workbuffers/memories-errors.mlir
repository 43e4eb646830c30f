// Workbuffers that no memory can take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan='alignment=64' %s

module attributes {gmem.memories = [{name = "sram"}]} {
  func.func @unknown() {
    // expected-error@+1 {{gmem.pools lists 'dram', which is not a workspace memory}}
    "a.op"() {gmem.workbuffers = [{size = 64, pools = ["dram"]}]} : () -> ()
    return
  }
}

// -----

// expected-note@+1 {{pool 'sram' needs 65 bytes, has 64: over by 1}}
module attributes {gmem.memories = [{name = "sram", capacity = 64}]} {
  func.func @too_large() {
    // expected-error@+2 {{the tensors cannot be placed: buffer 'workbuffer #0 of 'a.op'' of 65 bytes does not fit}}
    // expected-note@+1 {{workbuffer #0 of 'a.op' of 65 bytes is live at the peak}}
    "a.op"() {gmem.workbuffers = [{size = 65}]} : () -> ()
    return
  }
}
