module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 96 : i64, optimal = true, peak = 96 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 96 : i64, name = "memory", size = 96 : i64}]} {
  func.func @loop(%arg0: memref<8xf32>, %arg1: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg1 step %c1 {
      %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
      memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
      memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
      memref.dealloc %alloc : memref<8xf32>
    }
    return
  }
  func.func @blocks(%arg0: memref<8xf32>, %arg1: i1) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    memref.dealloc %alloc : memref<8xf32>
    return
  ^bb2:  // pred: ^bb0
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %alloc, %alloc_0 : memref<8xf32> to memref<8xf32>
    memref.dealloc %alloc : memref<8xf32>
    memref.copy %alloc_0, %arg0 : memref<8xf32> to memref<8xf32>
    memref.dealloc %alloc_0 : memref<8xf32>
    return
  }
  func.func @guarded(%arg0: memref<8xf32>, %arg1: i1) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
    memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    scf.if %arg1 {
      memref.dealloc %alloc : memref<8xf32>
    }
    return
  }
  func.func @one_of_two(%arg0: memref<8xf32>, %arg1: i1) {
    %0 = scf.if %arg1 -> (memref<8xf32>) {
      %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
      scf.yield %alloc : memref<8xf32>
    } else {
      %alloc = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xf32>
      scf.yield %alloc : memref<8xf32>
    }
    memref.copy %arg0, %0 : memref<8xf32> to memref<8xf32>
    memref.copy %0, %arg0 : memref<8xf32> to memref<8xf32>
    memref.dealloc %0 : memref<8xf32>
    return
  }
}

