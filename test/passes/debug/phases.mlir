// The results of the phases as text: the option debug= of the passes that place
// tensors, and --gmem-debug= of gmem-opt for all passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --gmem-plan=debug=program -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROGRAM --strict-whitespace --implicit-check-not=alias
// RUN: gmem-opt %s --gmem-debug=liveness --gmem-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIVENESS --strict-whitespace --implicit-check-not=transfer
// RUN: gmem-opt %s --gmem-debug=sharing+liveness --gmem-plan -o /dev/null 2>&1 | FileCheck %s --check-prefixes=LIVENESS,SHARING --strict-whitespace
// RUN: gmem-opt %s --pass-pipeline='builtin.module(gmem-assign-weights,gmem-assign-tensors{debug=sharing})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARING
// RUN: gmem-opt %s --gmem-debug=plan --gmem-plan=alignment=64 -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN --strict-whitespace --implicit-check-not=alias
// RUN: not gmem-opt %s --gmem-debug=all --gmem-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not gmem-opt %s --gmem-plan=debug=sharing+lives -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIVES

// A plan is the same with and without.
// RUN: gmem-opt %s --gmem-debug=program+liveness+sharing+pools+problem+plan --gmem-plan -o %t.mlir 2>/dev/null
// RUN: gmem-opt %s --gmem-plan | diff - %t.mlir

// The steps of the callee follow those of its caller; on the timeline it runs
// between the two steps of the call.
// PROGRAM:      {{^}}== program{{$}}
// PROGRAM-NEXT: {{^}}@main: steps [0, 5), runs from 0{{$}}
// PROGRAM-NEXT: {{^}}  op 0: 'tosa.exp' [1, 2), block 0{{$}}
// PROGRAM-NEXT: {{^}}  op 1: 'func.call' [2, 4), block 0, call{{$}}
// PROGRAM-NEXT: {{^}}  op 2: 'func.return' [4, 5), block 0{{$}}
// PROGRAM-NEXT: {{^}}  value 0: argument #0 of @main, 256 bytes, used by 0{{$}}
// PROGRAM-NEXT: {{^}}  value 1: result #0 of 'tosa.exp', 256 bytes, used by 1{{$}}
// PROGRAM-NEXT: {{^}}  value 2: result #0 of 'func.call', 256 bytes, used by 2{{$}}
// PROGRAM-NEXT: {{^}}@twice: steps [5, 8), runs from 3{{$}}
// PROGRAM-NEXT: {{^}}  op 3: 'tosa.add' [6, 7), block 1{{$}}
// PROGRAM-NEXT: {{^}}  op 4: 'func.return' [7, 8), block 1{{$}}
// PROGRAM-NEXT: {{^}}  value 3: argument #0 of @twice, 256 bytes, used by 3 3{{$}}
// PROGRAM-NEXT: {{^}}  value 4: result #0 of 'tosa.add', 256 bytes, used by 4{{$}}
// PROGRAM-NEXT: {{^}}call of @twice at op 1, by reference{{$}}
// PROGRAM-NEXT: {{^}}transfer of value 1 to 3 at op 1, step 2{{$}}
// PROGRAM-NEXT: {{^}}transfer of value 4 to 2 at op 1, step 3{{$}}

// An argument and the operand that is passed for it are the same memory. Live
// ranges of values are in steps, those of alias sets on the timeline.
// LIVENESS:      {{^}}== liveness{{$}}
// LIVENESS-NEXT: {{^}}value 0: tensor, input, steps [0, 2){{$}}
// LIVENESS-NEXT: {{^}}value 1: tensor, steps [1, 3){{$}}
// LIVENESS-NEXT: {{^}}value 2: tensor, output, steps [3, 5){{$}}
// LIVENESS-NEXT: {{^}}value 3: tensor, same memory as 1, steps [2, 3) [5, 7){{$}}
// LIVENESS-NEXT: {{^}}value 4: tensor, same memory as 2, steps [3, 4) [6, 8){{$}}
// LIVENESS-NEXT: {{^}}alias set 0: value 0, 256 bytes, 2 uses, times [0, 2){{$}}
// LIVENESS-NEXT: {{^}}alias set 1: value 1, 256 bytes, 4 uses, times [1, 5){{$}}
// LIVENESS-NEXT: {{^}}alias set 2: value 2, 256 bytes, 3 uses, times [4, 8){{$}}

// SHARING:      {{^}}== sharing{{$}}
// SHARING-NEXT: {{^}}inplace at op 0: alias set 1 may be at byte 0 of alias set 0{{$}}
// SHARING-NEXT: {{^}}inplace at op 3: alias set 2 may be at byte 0 of alias set 1{{$}}

// All values use one address: each is written over its operand.
// PLAN:      {{^}}== plan{{$}}
// PLAN-NEXT: {{^}}pool 0: weights, constant, 0 bytes of at least 0, alignment 4096, base 0{{$}}
// PLAN-NEXT: {{^}}pool 1: tensors, workspace, 256 bytes of at least 256, alignment 64, base 0{{$}}
// PLAN-NEXT: {{^}}value 0: pool 1, bytes [0, 256){{$}}
// PLAN-NEXT: {{^}}value 1: pool 1, bytes [0, 256){{$}}
// PLAN-NEXT: {{^}}value 2: pool 1, bytes [0, 256){{$}}
// PLAN-NEXT: {{^}}value 3: pool 1, bytes [0, 256){{$}}
// PLAN-NEXT: {{^}}value 4: pool 1, bytes [0, 256){{$}}

// ALL: error: --gmem-debug='all' is not a '+'-separated list of: program, liveness, sharing, pools, problem, plan
// LIVES: error: gmem-plan: debug='sharing+lives' is not a '+'-separated list of: program, liveness, sharing, pools, problem, plan

func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "tosa.exp"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = func.call @twice(%0) : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
func.func private @twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = "tosa.add"(%x, %x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
