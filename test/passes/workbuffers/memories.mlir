// Workbuffers in described memories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64' --gmem-verify-plan %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64' %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan -o /dev/null

// 1. They go where the target of their op reaches, the fastest first.
// CHECK-LABEL: func.func @targets
module attributes {gmem.memories = [{name = "sram"}, {name = "dtcm", speed = 9, targets = ["cpu"]}]} {
  func.func @targets() {
    // CHECK: gmem.workbuffer_pool = ["dtcm"]
    "a.op"() {gmem.target = "cpu", gmem.workbuffers = [{size = 64}]} : () -> ()
    // CHECK: gmem.workbuffer_pool = ["sram"]
    "a.op"() {gmem.target = "npu", gmem.workbuffers = [{size = 64}]} : () -> ()
    return
  }
}

// -----

// 2. One that asks for memories gets one of these, the first with room.
// CHECK-LABEL: func.func @asked
module attributes {gmem.memories = [{name = "sram"}, {name = "fast", capacity = 64}, {name = "dram"}]} {
  func.func @asked() {
    // CHECK: gmem.workbuffer_pool = ["fast", "dram"]
    "a.op"() {gmem.workbuffers = [{size = 64, pools = ["fast", "dram"]}, {size = 128, pools = ["fast", "dram"]}]} : () -> ()
    return
  }
}

// -----

// 3. What it asks for of alignment is kept wherever it goes: also the start of
//    the memory has it.
// CHECK: {alignment = 512 : i64{{.*}}name = "sram"
// CHECK-LABEL: func.func @aligned
module attributes {gmem.memories = [{name = "sram"}]} {
  func.func @aligned(%a: tensor<16xf32>) {
    // CHECK: gmem.workbuffer_offset = array<i64: {{0|512|1024}}>
    "a.op"(%a) {gmem.workbuffers = [{size = 64, alignment = 512}]} : (tensor<16xf32>) -> ()
    return
  }
}
