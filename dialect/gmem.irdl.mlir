// gmem.irdl.mlir - the gmem dialect in IRDL. It is loaded into a context at run
// time, so that no dialect is compiled against MLIR's C++ API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations on ops of other dialects are discardable attributes
// (dialect/vocabulary.h) that stock tools accept without this dialect.

irdl.dialect @gmem {
  // The memory semantics of the ops of one name; the built-in models are in
  // dialect/models/.
  //
  //   "gmem.op_model"() {op = "tosa.reshape", kind = "reshape"} : () -> ()
  //
  // compute      reads its operands, writes its results (the default)
  // weight       every result is a constant and placed in a constant pool
  // layer_group  the regions compute in local memory: only the operands,
  //              captured values and results of the op are global
  // scalar_body  the regions are scalar code of the op (reducers, combiners):
  //              their values are in registers
  // parallel     the regions run several times at once: values inside cannot
  //              have a fixed address
  // reshape      result 0 is operand 0 with another shape: the same bytes
  // input        the operands are host memory, the results network inputs
  // none         the results never need memory
  // empty        the results have undefined contents: they need memory only
  //              while an op reads them
  // branch       at most one of the regions runs, once; the operands of its
  //              terminator are the results; region arguments are the last
  //              operands
  // for          the region runs any number of times; its last arguments, one
  //              per result, are loop-carried: initially the last operands,
  //              then the operands of the terminator, finally the results
  // while        region 0 takes the operands; the operands of its terminator
  //              after the condition are the results, or the arguments of
  //              region 1, whose terminator has the next arguments of region 0
  // loop         region 0 is a condition that yields no values, region 1 is the
  //              body; both take the operands, then the operands of region 1's
  //              terminator, which finally are the results
  // alloc        result 0 is a memref of new memory, live until it is freed or
  //              last accessed
  // dealloc      frees the memory of operand 0, a memref
  // view         results that are memrefs alias operand 0; its contents are
  //              neither read nor written
  // global       result 0 is the memory of a global named by an attribute
  //
  // The other attributes, all optional:
  //
  // inplace = "all" | "map" | array<i64: ...>
  //              result 0 may overwrite these operands, element by element in
  //              the same order ("map": those whose indexing map is that of the
  //              result, provided that it names every loop)
  // unread = array<i64: ...>
  //              operands whose contents are not read (shapes, for example); a
  //              memref that is also the destination is written as a whole
  // strided_operands = array<i64: ...>, strided_results = array<i64: ...>
  //              operands and results that may be views with strides of a part
  //              of a tensor
  // valid_region = "full" | "same" | {operand = N, kernel = L | before = L,
  //                 after = L, step = L, block = L, axes = L}
  //              the elements of the results that are valid
  // writes = array<i64: ...>
  //              operands that the op modifies in place, visible to all later
  //              readers; not the destination of a result. A network input that
  //              is modified keeps its memory, in which the caller finds the
  //              new contents
  // destination = "trailing" | N
  //              the operands into whose memory the results are written: the
  //              last ones, one per result, or operand N for result 0
  // slice = {operand = N, begin = L, size = L | end = L, step = L, axes = L}
  //              result 0 is a box of operand N (default 0); L is the name of
  //              an attribute (a single integer is a list of one element),
  //              the number of a constant operand, or the list itself, an
  //              array<i64>; without size and end the box has the shape of the
  //              result
  // insert = {operand = N, begin = L, size = L, step = L, axes = L}
  //              operand N becomes a box of result 0, the rest of which is the
  //              destination operand
  // concat = {axis = "name", first = N}
  //              result 0 is the concatenation of the tensor operands from N
  //              (default 0) on, along the axis
  // tuple        result 0 is the tuple of the operands
  // tuple_element = "name"
  //              result 0 is the element of operand 0 with the number in this
  //              attribute
  // stack        an op of kind "alloc" allocates on the stack
  // escapes      the operands escape: their address may be stored, or the op
  //              continues asynchronously
  // unless = "all" | [N or "name", ...]
  //              the model does not apply to ops with a tensor or memref for
  //              one of these operands, or with one of these attributes (other
  //              than false)
  irdl.operation @op_model {
    %op = irdl.base "#builtin.string"
    irdl.attributes {"op" = %op}
  }

  // Ops without effects whose results depend on nothing but their operands and
  // attributes. What they compute from constants can be computed once. Ops of
  // registered dialects state it themselves.
  //
  //   "gmem.pure_ops"() {ops = ["stablehlo.abs"]} : () -> ()
  irdl.operation @pure_ops {
    %ops = irdl.base "#builtin.array"
    irdl.attributes {"ops" = %ops}
  }

  // Ops of one name that stand for many: this attribute, a string or a symbol,
  // says for which. The first of these names that has a model counts:
  // "my.call.my.add", "my.add", "my.call".
  //
  //   "gmem.op_name"() {op = "my.call", attribute = "kernel"} : () -> ()
  irdl.operation @op_name {
    %op = irdl.base "#builtin.string"
    %attribute = irdl.base "#builtin.string"
    irdl.attributes {"op" = %op, "attribute" = %attribute}
  }

  // Function arguments that are constants of the network: those whose attribute
  // of this name contains the text in its printed form. They are placed in a
  // constant pool instead of among the tensors.
  //
  //   "gmem.argument_model"() {attribute = "ttcore.argument_type",
  //     contains = "parameter", kind = "weight"} : () -> ()
  irdl.operation @argument_model {
    // A shared constraint variable would require the three to be equal.
    %attribute = irdl.base "#builtin.string"
    %contains = irdl.base "#builtin.string"
    %kind = irdl.base "#builtin.string"
    irdl.attributes {
      "attribute" = %attribute, "contains" = %contains, "kind" = %kind
    }
  }

  // How large values of a type are that MLIR cannot size: a type of another
  // dialect, whose parameters begin with a shape (16x64xi8 or [16,64],si8), or
  // a tensor with an encoding. |type| or |encoding| is the name, with
  // parameters or without.
  //
  //   "gmem.type_model"() {type = "!my.tensor", element_bits = 8 : i64,
  //     round = array<i64: 1, 32>} : () -> ()
  //   "gmem.type_model"() {encoding = "#my.layout<\"NC32\">",
  //     round = array<i64: 32>} : () -> ()
  //   "gmem.type_model"() {type = "!my.token", kind = "none"} : () -> ()
  //
  // element_bits  bits of an element (default: those of the element type)
  // round         the last dimensions are rounded up to multiples of these
  // kind = "none" values of the type need no memory
  irdl.operation @type_model {
  }

  // Where the caller of a function of memrefs accesses its memory itself
  // (gmem-workspace-io): it writes the inputs before the first op, and reads
  // the outputs behind the last one, at their planned places.
  //
  //   "gmem.inputs"(%image) : (memref<28x28xf32>) -> ()
  //   "gmem.outputs"(%scores) : (memref<10xf32>) -> ()
  //
  // The operands of one op have one type: memrefs of several types have an op
  // each, one behind the other in a flat layer group, which needs all of them at
  // one time.
  irdl.operation @inputs {
    %any = irdl.any
    irdl.operands(memrefs: variadic %any)
  }
  irdl.operation @outputs {
    %any = irdl.any
    irdl.operands(memrefs: variadic %any)
  }
}
