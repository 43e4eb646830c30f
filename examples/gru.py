# gru.py - a recurrent network on memrefs, f32, to be run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A gated recurrent unit (K. Cho et al.: Learning Phrase Representations using
RNN Encoder-Decoder for Statistical Machine Translation, 2014) over 24 frames of
8 numbers, then four classes. A memref program not prepared for planning: a loop
carries two states and swaps them, functions allocate scratch memory, and there
are no deallocations. Weights are pseudo-random."""

from mlir_text import Text
from random_weights import RandomWeights

SUMMARY = "a gated recurrent unit, 24 frames, f32, memrefs."
RUN = "gmem-run examples/gru.mlir --entry main --compare"

FRAMES, INPUTS, STATE, CLASSES = 24, 8, 16, 4

BODY = """\
// The unit's next state from what it hears and its state now.
func.func private @next_state(%x: {inputs}, %now: {state}, %next: {state}) {{
  %update = memref.alloc() : {state}
  %reset = memref.alloc() : {state}
  %kept = memref.alloc() : {state}
  %update_weight = memref.get_global @update_weight : {gate}
  %reset_weight = memref.get_global @reset_weight : {gate}
  %new_weight = memref.get_global @new_weight : {gate}
  call @gate(%update_weight, %x, %now, %update) : ({gate}, {inputs}, {state}, {state}) -> ()
  call @gate(%reset_weight, %x, %now, %reset) : ({gate}, {inputs}, {state}, {state}) -> ()
  linalg.mul ins(%reset, %now : {state}, {state}) outs(%kept : {state})
  call @dense(%new_weight, %x, %kept, %next) : ({gate}, {inputs}, {state}, {state}) -> ()
  linalg.map ins(%update, %now : {state}, {state}) outs(%next : {state})
    (%u: f32, %old: f32, %sum: f32) {{
      %new = math.tanh %sum : f32
      %change = arith.subf %new, %old : f32
      %part = arith.mulf %u, %change : f32
      %value = arith.addf %old, %part : f32
      linalg.yield %value : f32
    }}
  return
}}

// Numbers between 0 and 1 that say how much of something passes.
func.func private @gate(%weight: {gate}, %x: {inputs}, %state: {state}, %result: {state}) {{
  %one = arith.constant 1.0 : f32
  %sum = memref.alloc() : {state}
  call @dense(%weight, %x, %state, %sum) : ({gate}, {inputs}, {state}, {state}) -> ()
  linalg.map ins(%sum : {state}) outs(%result : {state})
    (%in: f32, %out: f32) {{
      %minus = arith.negf %in : f32
      %power = math.exp %minus : f32
      %below = arith.addf %one, %power : f32
      %value = arith.divf %one, %below : f32
      linalg.yield %value : f32
    }}
  return
}}

// The weights times inputs and state, one behind the other.
func.func private @dense(%weight: {gate}, %x: {inputs}, %state: {state}, %result: {state}) {{
  %zero = arith.constant 0.0 : f32
  %both = memref.alloc() : {both}
  %front = memref.subview %both[0] [{INPUTS}] [1] : {both} to memref<{INPUTS}xf32, strided<[1]>>
  %back = memref.subview %both[{INPUTS}] [{STATE}] [1] : {both} to memref<{STATE}xf32, strided<[1], offset: {INPUTS}>>
  memref.copy %x, %front : {inputs} to memref<{INPUTS}xf32, strided<[1]>>
  memref.copy %state, %back : {state} to memref<{STATE}xf32, strided<[1], offset: {INPUTS}>>
  linalg.fill ins(%zero : f32) outs(%result : {state})
  linalg.matvec ins(%weight, %both : {gate}, {both}) outs(%result : {state})
  return
}}

func.func @main(%frames: {frames}, %scores: {classes}) {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %count = arith.constant {FRAMES} : index
  %zero = arith.constant 0.0 : f32
  %start = memref.alloc() : {state}
  %other = memref.alloc() : {state}
  linalg.fill ins(%zero : f32) outs(%start : {state})
  %last:2 = scf.for %i = %first to %count step %step
      iter_args(%now = %start, %next = %other) -> ({state}, {state}) {{
    %x = memref.alloc() : {inputs}
    %frame = memref.subview %frames[%i, 0] [1, {INPUTS}] [1, 1]
      : {frames} to memref<{INPUTS}xf32, strided<[1], offset: ?>>
    memref.copy %frame, %x : memref<{INPUTS}xf32, strided<[1], offset: ?>> to {inputs}
    func.call @next_state(%x, %now, %next) : ({inputs}, {state}, {state}) -> ()
    scf.yield %next, %now : {state}, {state}
  }}
  %weight = memref.get_global @class_weight : {class_weight}
  linalg.fill ins(%zero : f32) outs(%scores : {classes})
  linalg.matvec ins(%weight, %last#0 : {class_weight}, {state}) outs(%scores : {classes})
  return
}}
"""


def memref(*shape):
    return f"memref<{'x'.join(map(str, shape))}xf32>"


def weights(net, random, name, rows, columns, uses):
    """A constant, scaled so that matrix-vector products stay small."""
    values = random.floats((rows, columns), (3 / columns)**0.5)
    net.line(f"memref.global \"private\" constant @{name} : "
             f"{memref(rows, columns)} = dense<{values}>")
    net.figures.weights += rows * columns
    net.figures.macs += rows * columns * uses


def build(header):
    net = Text()
    net.header(header)
    net.open("module @gru {")
    random = RandomWeights(1)
    for name in ("update_weight", "reset_weight", "new_weight"):
        weights(net, random, name, STATE, INPUTS + STATE, FRAMES)
    weights(net, random, "class_weight", CLASSES, STATE, 1)
    net.line("")
    text = BODY.format(
        inputs=memref(INPUTS), state=memref(STATE), classes=memref(CLASSES),
        both=memref(INPUTS + STATE), gate=memref(STATE, INPUTS + STATE),
        frames=memref(FRAMES, INPUTS), class_weight=memref(CLASSES, STATE),
        FRAMES=FRAMES, INPUTS=INPUTS, STATE=STATE)
    for line in text.splitlines():
        net.line(line)
    net.close()
    return net
