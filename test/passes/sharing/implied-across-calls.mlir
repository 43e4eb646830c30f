// A slice of an argument and a concatenation of it in a called function contain
// the same bytes, but do not share them: a caller knows of a callee only which
// bytes it writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='debug=sharing alignment=64 view-alignment=1' %s 2>&1 -o /dev/null | FileCheck %s --implicit-check-not='alias set'

// CHECK:      == sharing
// CHECK-NEXT: concat at op 0: alias set 0 may be at byte 0 of alias set 2
// CHECK-NEXT: concat at op 0: alias set 1 may be at byte 64 of alias set 2
// CHECK-NEXT: slice at op 3: alias set 3 may be at byte 16 of alias set 0
func.func private @join(%a: tensor<64xi8>, %b: tensor<64xi8>) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
  "any.use"(%0) : (tensor<128xi8>) -> ()
  return
}

func.func @main(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = tensor.extract_slice %a[16] [32] [1] : tensor<64xi8> to tensor<32xi8>
  call @join(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> ()
  %1 = "any.use"(%0, %a) : (tensor<32xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}

// -----

// In one function they do.
// CHECK:      == sharing
// CHECK-NEXT: slice at op 0: alias set 2 may be at byte 16 of alias set 0
// CHECK-NEXT: concat at op 1: alias set 0 may be at byte 0 of alias set 3
// CHECK-NEXT: concat at op 1: alias set 2 may be at byte 16 of alias set 3, implied
// CHECK-NEXT: concat at op 1: alias set 1 may be at byte 64 of alias set 3
func.func @main(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = tensor.extract_slice %a[16] [32] [1] : tensor<64xi8> to tensor<32xi8>
  %1 = tensor.concat dim(0) %a, %b : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
  "any.use"(%1) : (tensor<128xi8>) -> ()
  %2 = "any.use"(%0, %a) : (tensor<32xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %2 : tensor<64xi8>
}

// -----

// Neither do they share where a value is another's only because a function
// returns its argument,
// CHECK:      == sharing
// CHECK-NEXT: concat at op 3: alias set 0 may be at byte 0 of alias set 1
// CHECK-NEXT: slice at op 5: alias set 2 may be at byte 16 of alias set 0
func.func private @same(%a: tensor<64xi8>) -> tensor<64xi8> {
  "any.use"(%a) : (tensor<64xi8>) -> ()
  return %a : tensor<64xi8>
}

func.func @main(%a: tensor<64xi8>) -> tensor<32xi8> {
  %0 = call @same(%a) : (tensor<64xi8>) -> tensor<64xi8>
  %1 = tensor.concat dim(0) %0, %0 : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
  "any.use"(%1) : (tensor<128xi8>) -> ()
  %2 = tensor.extract_slice %a[16] [32] [1] : tensor<64xi8> to tensor<32xi8>
  %3 = "any.use"(%1, %2, %a) : (tensor<128xi8>, tensor<32xi8>, tensor<64xi8>) -> tensor<32xi8>
  return %3 : tensor<32xi8>
}

// -----

// or because a caller passes it twice.
// CHECK:      == sharing
// CHECK-NEXT: concat at op 0: alias set 0 may be at byte 0 of alias set 1
// CHECK-NEXT: slice at op 1: alias set 2 may be at byte 16 of alias set 0
func.func private @join(%a: tensor<64xi8>, %b: tensor<64xi8>) {
  %0 = tensor.concat dim(0) %a, %a : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
  %1 = tensor.extract_slice %b[16] [32] [1] : tensor<64xi8> to tensor<32xi8>
  "any.use"(%0, %1, %b) : (tensor<128xi8>, tensor<32xi8>, tensor<64xi8>) -> ()
  return
}

func.func @main(%a: tensor<64xi8>) {
  call @join(%a, %a) : (tensor<64xi8>, tensor<64xi8>) -> ()
  return
}
