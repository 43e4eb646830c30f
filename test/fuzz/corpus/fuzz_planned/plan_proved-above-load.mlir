module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 8192 : i64, optimal = false, peak = 12288 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "tensors", size = 12288 : i64}]} {
  func.func @main() {
    %0 = "a.first"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : () -> tensor<1024xi32>
    "a.launch"() {kernel = @callee} : () -> ()
    %1 = "a.next"(%0) {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>) -> tensor<1024xi32>
    %2 = "a.next"(%1) {gmem.offset = array<i64: 8192>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>) -> tensor<1024xi32>
    %3 = "a.next"(%2) {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>) -> tensor<1024xi32>
    %4 = "a.next"(%3) {gmem.offset = array<i64: 8192>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.launch"() {kernel = @callee} : () -> ()
    "a.last"(%4) : (tensor<1024xi32>) -> ()
    return
  }
  func.func private @callee() {
    "a.work"() : () -> ()
    return
  }
}

