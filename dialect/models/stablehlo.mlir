// stablehlo.mlir - op models: stablehlo and mhlo
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "stablehlo.constant", kind = "weight"} : () -> ()
"gmem.op_model"() {op = "mhlo.constant", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "stablehlo.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "mhlo.reshape", kind = "reshape"} : () -> ()

"gmem.op_model"() {op = "stablehlo.reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce_window", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.select_and_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.sort", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.map", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.all_reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "stablehlo.reduce_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce_window", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.select_and_scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.scatter", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.sort", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.map", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.all_reduce", kind = "scalar_body"} : () -> ()
"gmem.op_model"() {op = "mhlo.reduce_scatter", kind = "scalar_body"} : () -> ()
