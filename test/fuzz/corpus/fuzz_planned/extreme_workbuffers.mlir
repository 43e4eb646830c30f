// Sizes of workbuffers whose rounding and product are no numbers of 64 bits.
module attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 64 : i64, name = "tensors", size = 64 : i64}]} {
  func.func @f() {
    "any.first"() {gmem.workbuffer_offset = array<i64: 9223372036854775807>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{alignment = 64 : i64, size = 9223372036854775807 : i64, threads = 2 : i64}]} : () -> ()
    "any.second"() {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{alignment = 9223372036854775807 : i64, size = 9223372036854775806 : i64, threads = 9223372036854775807 : i64}]} : () -> ()
    "any.third"() {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{alignment = 2147483648 : i64, size = 4611686018427387904 : i64, threads = 2147483647 : i64}]} : () -> ()
    return
  }
}
