// A capacity that cannot be met is an error at what found no place. It lists the
// largest of those that are live when most bytes are, says how much the others
// are, names few buffers that are too much already, and says by how much a plan
// would exceed the capacity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan='capacity=1500 alignment=1' %s
//
// Nothing is written then, and the exit status says so.
// RUN: rm -f %t.out
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='capacity=1500 alignment=1' %s -o %t.out 2>/dev/null
// RUN: not test -e %t.out
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='capacity=1500 alignment=1' %s 2>/dev/null | count 0

// 1. Twelve inputs are live at once, of 64, 128, ... 768 bytes: eight are named
// and the rest is counted. Three are too much without the others.
// expected-note @+3 {{pool 'tensors' needs 4992 bytes, has 1500: over by 3492}}
// expected-note @+2 {{and 4 more, 640 bytes, are live at the peak}}
// expected-note @+1 {{3 buffers, 2112 bytes in total, do not fit in pool 'tensors' of 1500 bytes; if any one of them is removed, the others fit}}
module {
  // expected-note @+12 {{argument #11 of @many of 768 bytes is live at the peak}}
  // expected-note @+11 {{argument #10 of @many of 704 bytes is live at the peak}}
  // expected-note @+10 {{argument #9 of @many of 640 bytes is live at the peak}}
  // expected-note @+9 {{argument #8 of @many of 576 bytes is live at the peak}}
  // expected-note @+8 {{argument #7 of @many of 512 bytes is live at the peak}}
  // expected-note @+7 {{argument #6 of @many of 448 bytes is live at the peak}}
  // expected-note @+6 {{argument #5 of @many of 384 bytes is live at the peak}}
  // expected-note @+5 {{argument #4 of @many of 320 bytes is live at the peak}}
  // expected-note @+4 {{argument #11 of @many of 768 bytes is one of these buffers}}
  // expected-note @+3 {{argument #10 of @many of 704 bytes is one of these buffers}}
  // expected-note @+2 {{argument #9 of @many of 640 bytes is one of these buffers}}
  // expected-error @+1 {{the tensors cannot be placed: buffer 'argument #9 of @many' of 640 bytes does not fit in pool 'tensors' of 1500 bytes; every plan needs at least 4992 bytes there}}
  func.func @many(%a0: tensor<64xi8>, %a1: tensor<128xi8>, %a2: tensor<192xi8>, %a3: tensor<256xi8>, %a4: tensor<320xi8>, %a5: tensor<384xi8>, %a6: tensor<448xi8>, %a7: tensor<512xi8>, %a8: tensor<576xi8>, %a9: tensor<640xi8>, %a10: tensor<704xi8>, %a11: tensor<768xi8>) {
    "a.use"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11) : (tensor<64xi8>, tensor<128xi8>, tensor<192xi8>, tensor<256xi8>, tensor<320xi8>, tensor<384xi8>, tensor<448xi8>, tensor<512xi8>, tensor<576xi8>, tensor<640xi8>, tensor<704xi8>, tensor<768xi8>) -> ()
    return
  }
}

// -----

// 2. One is enough: the error names it, and the notes what else is there.
// expected-note @+1 {{pool 'tensors' needs 1509 bytes, has 1500: over by 9}}
module {
  // expected-note @+2 {{argument #0 of @one of 8 bytes is live at the peak}}
  // expected-error @+1 {{the tensors cannot be placed: buffer 'argument #1 of @one' of 1501 bytes does not fit in pool 'tensors' of 1500 bytes; every plan needs at least 1509 bytes there}}
  func.func @one(%a: tensor<8xi8>, %b: tensor<1501xi8>) {
    // expected-note @-1 {{argument #1 of @one of 1501 bytes is live at the peak}}
    "a.use"(%a, %b) : (tensor<8xi8>, tensor<1501xi8>) -> ()
    return
  }
}

// -----

// 3. What is fixed leaves no gap that is large enough, though the load fits.
// expected-note @+2 {{pool 'tensors' needs 1900 bytes, has 1500: over by 400}}
// expected-note @+1 {{these 2 buffers, 1300 bytes in total, do not fit in pool 'tensors' of 1500 bytes at any offsets; if any one of them is removed, the others fit}}
module {
  // expected-note @+2 {{argument #0 of @gaps of 300 bytes is live at the peak}}
  // expected-error @+1 {{the tensors cannot be placed: buffer 'argument #1 of @gaps' of 1000 bytes does not fit in pool 'tensors' of 1500 bytes; every plan needs at least 1900 bytes there}}
  func.func @gaps(%a: tensor<300xi8> {gmem.fixed = 600 : i64}, %b: tensor<1000xi8>) {
    // expected-note @-1 {{argument #1 of @gaps of 1000 bytes is live at the peak}}
    "a.use"(%a, %b) : (tensor<300xi8>, tensor<1000xi8>) -> ()
    return
  }
}
