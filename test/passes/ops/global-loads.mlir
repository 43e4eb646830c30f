// Globals are constants, whether their load names them or takes their address;
// those that are mutable, or may be any, are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>/dev/null | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>/dev/null | gmem-opt --allow-unregistered-dialect --gmem-verify-plan -o /dev/null
//
// The check of contents finds by itself that a global is mutable.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>/dev/null | sed 's/sym_name = "w"/is_mutable, &/' > %t.changed
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.changed -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: error: result #0 of 'util.global.load.indirect' is in a constant pool, but may be that of a variable; plan again
"util.global"() {sym_name = "w", type = tensor<16xf32>} : () -> ()
"util.global"() {sym_name = "m", type = tensor<16xf32>, is_mutable} : () -> ()
"flow.variable"() {sym_name = "v", type = tensor<16xf32>} : () -> ()
// CHECK-LABEL: func.func @loads
func.func @loads(%any: !util.ptr<tensor<16xf32>>) {
  %pw = "util.global.address"() {global = @w} : () -> !util.ptr<tensor<16xf32>>
  %pm = "util.global.address"() {global = @m} : () -> !util.ptr<tensor<16xf32>>
  %pv = "flow.variable.address"() {variable = @v} : () -> !iree.ptr<tensor<16xf32>>
  // CHECK: "util.global.load.indirect"{{.*}}gmem.pool = ["weights"]
  %0 = "util.global.load.indirect"(%pw) : (!util.ptr<tensor<16xf32>>) -> tensor<16xf32>
  // CHECK: "util.global.load.indirect"{{.*}}gmem.pool = ["tensors"]
  %1 = "util.global.load.indirect"(%pm) : (!util.ptr<tensor<16xf32>>) -> tensor<16xf32>
  // CHECK: "util.global.load.indirect"{{.*}}gmem.pool = ["tensors"]
  %2 = "util.global.load.indirect"(%any) : (!util.ptr<tensor<16xf32>>) -> tensor<16xf32>
  // CHECK: "flow.variable.load.indirect"{{.*}}gmem.pool = ["weights"]
  %3 = "flow.variable.load.indirect"(%pv) : (!iree.ptr<tensor<16xf32>>) -> tensor<16xf32>
  // CHECK: "flow.variable.load"{{.*}}gmem.pool = ["weights"]
  %4 = "flow.variable.load"() {variable = @v} : () -> tensor<16xf32>
  "my.use"(%0, %1, %2, %3, %4) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> ()
  return
}
