// A dialect that gmem does not know: what is said without models, with a model
// that is misspelt, with all models, and with strict=true.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>%t.none | FileCheck %s --check-prefix=GUESSED
// RUN: FileCheck %s --check-prefix=NONE --implicit-check-not=warning < %t.none
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%S/Inputs/own-typo.mlir' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 strict=true op-models=%S/Inputs/own-models.mlir' %s 2>%t.all | FileCheck %s --check-prefix=KNOWN
// RUN: count 0 < %t.all
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan='strict=true op-models=%S/Inputs/own-typo.mlir' %s 2>&1 | FileCheck %s --check-prefix=STRICT

// Of many names the first are listed, and the others counted: as names, not as ops.
// RUN: python3 -c "print('func.func @main() {'); [print(f'\x22many.op{10 + i // 2}\x22() : () -> tensor<4xi8>') for i in range(28)]; print('return }')" > %t.many
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %t.many -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: remark: no model for 28 ops (14 names)
// MANY: note: 2 more names, such as 'many.op22'

// The table is in the workspace, and both results have memory of their own.
// GUESSED: gmem.plan = {{.*}}peak = 32768 : i64
// GUESSED: "own.table"{{.*}}gmem.pool = ["tensors"]

// NONE: remark: no model for 5 ops (4 names): assumed to read all operands and to write new results
// NONE: note: 'own.table': 2 ops, 16384 bytes of results, no operands: a constant?
// NONE: note: 'own.mix': 1 op, 8192 bytes of results
// NONE: note: 'own.scale': 1 op, 8192 bytes of results
// NONE: note: 'own.print': 1 op, 0 bytes of results

// TYPO: own-dialect.mlir:[[@LINE+18]]:{{.*}}warning: the op model of 'own.tabel' matches no op: is 'own.table' meant, which has none?
// TYPO: remark: no model for 5 ops (4 names)

// KNOWN: gmem.plan = {{.*}}peak = 8192 : i64
// KNOWN: "own.table"{{.*}}gmem.pool = ["weights"]
// KNOWN: "own.scale"{{.*}}kind = "inplace"

// STRICT: warning: the op model of 'own.tabel' matches no op: is 'own.table' meant
// STRICT: warning: op models that match no op: own.other, their.table
// STRICT: error: no model for 5 ops (4 names)
// STRICT: note: 'own.table': 2 ops
module {
  func.func @main(%x: tensor<2048xf32>) -> tensor<2048xf32> {
    %m = "own.mix"(%x) : (tensor<2048xf32>) -> tensor<2048xf32>
    %s = call @scale(%m) : (tensor<2048xf32>) -> tensor<2048xf32>
    return %s : tensor<2048xf32>
  }
  func.func private @scale(%a: tensor<2048xf32>) -> tensor<2048xf32> {
    %w = "own.table"() : () -> tensor<2048xf32>
    %v = "own.table"() : () -> tensor<2048xf32>
    %s = "own.scale"(%a, %w, %v) : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    "own.print"(%s) : (tensor<2048xf32>) -> ()
    return %s : tensor<2048xf32>
  }
}
