module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 96 : i64, optimal = true, peak = 96 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 96 : i64, name = "memory", size = 96 : i64}]} {
  func.func @entry(%arg0: memref<8xf32>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    call @middle(%alloc) : (memref<8xf32>) -> ()
    call @public_leaf(%alloc) : (memref<8xf32>) -> ()
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    return
  }
  func.func private @middle(%arg0: memref<8xf32> {a.note}) {
    call @public_leaf(%arg0) : (memref<8xf32>) -> ()
    call @public_leaf(%arg0) : (memref<8xf32>) -> ()
    return
  }
  func.func @public_leaf(%arg0: memref<8xf32> {b.note}) attributes {c.note} {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    return
  }
  func.func @other_entry(%arg0: memref<8xf32>) -> f32 {
    %0 = call @sum(%arg0) : (memref<8xf32>) -> f32
    return %0 : f32
  }
  func.func private @sum(%arg0: memref<8xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    %0 = memref.load %alloc[%c0] : memref<8xf32>
    return %0 : f32
  }
  func.func @recursive(%arg0: memref<8xf32>, %arg1: i1) {
    %false = arith.constant false
    scf.if %arg1 {
      func.call @recursive(%arg0, %false) : (memref<8xf32>, i1) -> ()
    }
    call @leaf_of_recursive(%arg0) : (memref<8xf32>) -> ()
    return
  }
  func.func private @leaf_of_recursive(%arg0: memref<8xf32>) {
    %alloc = memref.alloc() : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    return
  }
  func.func @promises(%arg0: memref<8xf32> {llvm.noalias}) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    call @promised(%alloc, %arg0) : (memref<8xf32>, memref<8xf32>) -> ()
    return
  }
  func.func private @promised(%arg0: memref<8xf32> {llvm.noalias}, %arg1: memref<8xf32> {llvm.noalias, llvm.nonnull}) {
    memref.copy %arg0, %arg1 : memref<8xf32> to memref<8xf32>
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg1, %alloc : memref<8xf32> to memref<8xf32>
    memref.copy %alloc, %arg1 : memref<8xf32> to memref<8xf32>
    return
  }
}

