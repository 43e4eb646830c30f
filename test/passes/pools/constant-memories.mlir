// Constants in the memories that gmem.memories describes for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=16 weight-alignment=16' --gmem-verify-plan %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err

// 1. Two workspaces and two memories for constants, each with a hint on the
// faster one. What is read twice stays in itcm before what is larger; then comes
// the largest that fits (w2, not w0). The accelerator does not reach itcm. In
// each pool they lie in the order of the text, and flash has its address.
// CHECK-LABEL: module @u3
// CHECK-SAME:    {alignment = 16 : i64, kind = "constant", lower_bound = 0 : i64, name = "itcm", size = 4508 : i64, size_hint = 5000 : i64},
// CHECK-SAME:    {alignment = 16 : i64, base = 134217728 : i64, kind = "constant", lower_bound = 100 : i64, name = "flash", size = 4100 : i64},
// CHECK-SAME:    name = "dtcm", size = {{[0-9]+}} : i64, size_hint = 1000 : i64}
// CHECK:         gmem.offset = array<i64: 0>, gmem.op_model = {kind = "weight"}, gmem.pool = ["flash"], gmem.size = array<i64: 4000>
// CHECK:         gmem.offset = array<i64: 0>, gmem.op_model = {kind = "weight"}, gmem.pool = ["itcm"], gmem.size = array<i64: 3000>
// CHECK:         gmem.offset = array<i64: 3008>, gmem.op_model = {kind = "weight"}, gmem.pool = ["itcm"], gmem.size = array<i64: 1500>
// CHECK:         gmem.offset = array<i64: 4000>, gmem.op_model = {kind = "weight"}, gmem.pool = ["flash"], gmem.size = array<i64: 100>
module @u3 attributes {
    gmem.target = "c",
    gmem.memories = [
      {name = "dtcm", size = 1000 : i64, targets = ["c"]},
      {name = "sram", targets = ["c", "accel"]},
      {name = "itcm", kind = "constant", size = 5000 : i64, targets = ["c"]},
      {name = "flash", kind = "constant", base = 0x08000000 : i64, targets = ["c", "accel"]}]} {
  func.func @main(%x: tensor<256xi8>) -> tensor<256xi8> {
    %w0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<4000xi8>
    %w1 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<3000xi8>
    %w2 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<1500xi8>
    %w3 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<100xi8>
    %0 = "my.op"(%x, %w0) : (tensor<256xi8>, tensor<4000xi8>) -> tensor<256xi8>
    %1 = "my.op"(%0, %w1) : (tensor<256xi8>, tensor<3000xi8>) -> tensor<256xi8>
    %2 = "my.op"(%1, %w1) : (tensor<256xi8>, tensor<3000xi8>) -> tensor<256xi8>
    %3 = "my.op"(%2, %w2) : (tensor<256xi8>, tensor<1500xi8>) -> tensor<256xi8>
    %4 = "my.op"(%3, %w3) {gmem.target = "accel"} : (tensor<256xi8>, tensor<100xi8>) -> tensor<256xi8>
    return %4 : tensor<256xi8>
  }
}

// -----

// 2. A function that is called twice reads its constant twice, and one that is
// read by two functions is read by both.
// CHECK-LABEL: module @calls
// CHECK:         gmem.pool = ["slow"], gmem.size = array<i64: 64>, number = 0
// CHECK:         gmem.pool = ["fast"], gmem.size = array<i64: 64>, number = 1
module @calls attributes {gmem.memories = [
    {name = "slow", kind = "constant"},
    {name = "fast", kind = "constant", capacity = 64 : i64, speed = 2 : i64}]} {
  func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
    %w = "my.const"() {gmem.op_model = {kind = "weight"}, number = 0} : () -> tensor<64xi8>
    %0 = "my.op"(%x, %w) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %1 = call @twice(%0) : (tensor<64xi8>) -> tensor<64xi8>
    %2 = call @twice(%1) : (tensor<64xi8>) -> tensor<64xi8>
    return %2 : tensor<64xi8>
  }
  func.func private @twice(%x: tensor<64xi8>) -> tensor<64xi8> {
    %w = "my.const"() {gmem.op_model = {kind = "weight"}, number = 1} : () -> tensor<64xi8>
    %0 = "my.op"(%x, %w) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    return %0 : tensor<64xi8>
  }
}

// -----

// 3. gmem.pools has the last word on the order, and gmem.fixed is an offset in
// the first of its pools. A reshape reads nothing; its reader does.
// CHECK-LABEL: module @asked
// CHECK:         gmem.offset = array<i64: 0>, {{.*}}gmem.pool = ["slow"], {{.*}} number = 0
// CHECK:         gmem.offset = array<i64: 128>, {{.*}}gmem.pool = ["fast"], {{.*}} number = 1
// CHECK:         gmem.offset = array<i64: 64>, {{.*}}gmem.pool = ["slow"], {{.*}} number = 2
// CHECK:         tensor.expand_shape {{.*}}gmem.pool = ["slow"]
module @asked attributes {gmem.memories = [
    {name = "slow", kind = "constant", targets = ["a", "b"]},
    {name = "fast", kind = "constant", speed = 2 : i64, targets = ["a"]}]} {
  func.func @main() attributes {gmem.target = "a"} {
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.pools = ["slow", "fast"], number = 0} : () -> tensor<64xi8>
    %1 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.fixed = array<i64: 128>, number = 1} : () -> tensor<64xi8>
    %2 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 2} : () -> tensor<64xi8>
    %3 = "tensor.expand_shape"(%2) <{reassociation = [[0, 1]], static_output_shape = array<i64: 8, 8>}> : (tensor<64xi8>) -> tensor<8x8xi8>
    "my.read"(%3) {gmem.target = "b"} : (tensor<8x8xi8>) -> ()
    return
  }
}

// -----

// 4. One global is one piece of memory: it goes where all reach it who read it,
// whoever gets it; its alignment is that of all in its pool.
// CHECK-LABEL: module @globals
// CHECK-SAME:    {alignment = 16 : i64, kind = "constant", lower_bound = 0 : i64, name = "fast", size = 16 : i64}
// CHECK-SAME:    {alignment = 64 : i64, kind = "constant", lower_bound = 16 : i64, name = "slow", size = 16 : i64}
// CHECK:         memref.get_global @shared {{.*}}gmem.pool = ["slow"]
// CHECK:         memref.get_global @shared {{.*}}gmem.pool = ["slow"]
// CHECK:         memref.get_global @own {{.*}}gmem.pool = ["fast"]
module @globals attributes {gmem.memories = [
    {name = "fast", kind = "constant", targets = ["a"]},
    {name = "slow", kind = "constant"}]} {
  memref.global "private" constant @shared : memref<4xf32> = dense<1.0> {alignment = 64 : i64}
  memref.global "private" constant @own : memref<4xf32> = dense<2.0>
  func.func @main() attributes {gmem.target = "a"} {
    %0 = memref.get_global @shared : memref<4xf32>
    "my.read"(%0) : (memref<4xf32>) -> ()
    %1 = memref.get_global @shared : memref<4xf32>
    "my.read"(%1) {gmem.target = "b"} : (memref<4xf32>) -> ()
    %2 = memref.get_global @own : memref<4xf32>
    "my.read"(%2) : (memref<4xf32>) -> ()
    return
  }
}

// -----

// 5. A hint gives way where nothing else has room, with a remark; flash lies
// behind the bytes that are used of it.
// REMARK:        remark: pool 'rom' needs 96 bytes, more than its size hint of 64
// CHECK-LABEL: module @hint
// CHECK-SAME:    base = 4096 : i64, kind = "constant", lower_bound = 96 : i64, name = "rom", size = 96 : i64, size_hint = 64 : i64
// CHECK-SAME:    base = 4192 : i64, kind = "constant", lower_bound = 0 : i64, name = "behind", size = 0 : i64
module @hint attributes {gmem.memories = [
    {name = "rom", kind = "constant", base = 4096 : i64, size = 64 : i64},
    {name = "behind", kind = "constant", after = "rom", alignment = 32 : i64, targets = ["none"]}]} {
  func.func @main() attributes {gmem.target = "c"} {
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<48xi8>
    %1 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<48xi8>
    "my.read"(%0, %1) : (tensor<48xi8>, tensor<48xi8>) -> ()
    return
  }
}

// -----

// 6. Without memories for constants all is as usual: pools that gmem.pools names
// are made, several for one constant too.
// CHECK-LABEL: module @usual
// CHECK-SAME:    name = "weights", size = 16 : i64
// CHECK-SAME:    name = "flash", size = 16 : i64
// CHECK-SAME:    name = "ddr", size = 0 : i64
// CHECK-SAME:    name = "sram"
module @usual attributes {gmem.memories = [{name = "sram"}]} {
  func.func @main() {
    %0 = "my.const"() {gmem.op_model = {kind = "weight"}} : () -> tensor<16xi8>
    %1 = "my.const"() {gmem.op_model = {kind = "weight"}, gmem.pools = ["flash", "ddr"]} : () -> tensor<16xi8>
    "my.read"(%0, %1) : (tensor<16xi8>, tensor<16xi8>) -> ()
    return
  }
}

// -----

// 7. A constant that a call or a terminator copies was put where only those who
// read the copy reach it. On the accelerator it is copied from flash.
// CHECK-LABEL: module @copied
// CHECK:         gmem.pool = ["flash"], gmem.size = array<i64: 48>, number = 0
// CHECK:         gmem.pool = ["rom"], gmem.size = array<i64: 48>, number = 1
// CHECK:         gmem.pool = ["flash"], gmem.size = array<i64: 48>, number = 2
// CHECK:         gmem.pool = ["rom"], gmem.size = array<i64: 48>, number = 3
// CHECK:         gmem.pool = ["flash"], gmem.size = array<i64: 48>, number = 4
module @copied attributes {gmem.memories = [
    {name = "sram"},
    {name = "rom", kind = "constant", targets = ["c"], speed = 2 : i64},
    {name = "flash", kind = "constant"}]} {
  func.func @main(%flag: i1) -> tensor<48xi8> {
    %w0 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 0} : () -> tensor<48xi8>
    %w1 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 1} : () -> tensor<48xi8>
    %w2 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 2} : () -> tensor<48xi8>
    %w3 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 3} : () -> tensor<48xi8>
    %w4 = "my.const"() {gmem.op_model = {kind = "weight"}, number = 4} : () -> tensor<48xi8>
    %0 = call @twice(%w0) {gmem.target = "accel"} : (tensor<48xi8>) -> tensor<48xi8>
    %1 = call @twice(%w1) {gmem.target = "c"} : (tensor<48xi8>) -> tensor<48xi8>
    %2 = scf.if %flag -> tensor<48xi8> {
      scf.yield {gmem.target = "accel"} %w2 : tensor<48xi8>
    } else {
      scf.yield %w3 : tensor<48xi8>
    }
    cf.cond_br %flag, ^bb1(%w4 : tensor<48xi8>), ^bb1(%2 : tensor<48xi8>) {gmem.target = "accel"}
  ^bb1(%3: tensor<48xi8>):
    %4 = "my.op"(%0, %1, %3) : (tensor<48xi8>, tensor<48xi8>, tensor<48xi8>) -> tensor<48xi8>
    return %4 : tensor<48xi8>
  }
  func.func private @twice(%x: tensor<48xi8>) -> tensor<48xi8> {
    %0 = "my.op"(%x) : (tensor<48xi8>) -> tensor<48xi8>
    return %0 : tensor<48xi8>
  }
}
