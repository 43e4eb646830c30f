// gmem.irdl.mlir - the gmem dialect, as IRDL text: it is parsed and loaded into
// a context at run time, so no dialect has to be compiled against MLIR's C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations on other dialects' ops are plain discardable attributes
// (dialect/vocabulary.h) and need nothing from here: stock tools read them.

irdl.dialect @gmem {
  // What ops of one name mean to memory planning; dialect/models/ holds them.
  //
  //   "gmem.op_model"() {op = "tosa.reshape", kind = "reshape"} : () -> ()
  //
  // compute      reads its operands, writes its results (the default)
  // weight       every result is a constant and goes to a constant pool
  // layer_group  regions compute in local memory: only the operands, captured
  //              values and results of the op are global
  // scalar_body  regions are element-wise code of the op (reducers, combiners):
  //              their values live in registers
  // parallel     regions run several times at once: nothing inside has one
  //              address
  // reshape      result 0 is operand 0 under another shape: same bytes
  // input        the operands are host memory, the results network inputs
  // none         the results never need memory
  // empty        the contents of the results do not matter: they need memory
  //              only where an op reads them
  // branch       at most one of the regions runs, once; what its terminator is
  //              given are the results; arguments of regions are the last
  //              operands
  // for          the region runs any number of times; its last arguments, one
  //              per result, are first the last operands, then what the
  //              terminator was given, and at last the results
  // while        region 0 takes the operands; what its terminator is given
  //              behind the condition are the results, or the arguments of
  //              region 1, whose terminator is given the next of region 0
  // loop         region 0 is a condition and hands nothing on, region 1 is the
  //              body; both take the operands, then what the terminator of
  //              region 1 was given, which are the results at last
  // alloc        result 0 is a memref of new memory, which ends when it is
  //              freed, or is read and written for the last time
  // dealloc      the memory of operand 0, a memref, ends
  // view         results that are memrefs show operand 0; its contents are
  //              neither read nor written
  // global       result 0 is the memory of a global that an attribute names
  //
  // The other attributes, all optional:
  //
  // inplace = "all" | "map" | array<i64: ...>
  //              result 0 may be written over these operands, element by
  //              element in the same order ("map": over those whose
  //              indexing map is that of the result, where it names every
  //              loop)
  // unread = array<i64: ...>
  //              operands whose contents do not matter (shapes, for example)
  // writes = array<i64: ...>
  //              operands whose contents the op changes where they are, for all
  //              who read them afterwards; not one that is the destination of a
  //              result. An input of the network that is changed keeps its
  //              memory, in which the caller finds what is new
  // destination = "trailing" | N
  //              the operands in whose memory the results are written: the
  //              last ones, one per result, or operand N for result 0
  // slice = {operand = N, begin = L, size = L | end = L, step = L, axes = L}
  //              result 0 is a box of operand N (0 if not said); L is the name
  //              of an attribute, or the number of an operand that is a
  //              constant
  //              (a single integer is a list of one); with neither size nor
  //              end it is as large as the result
  // insert = {operand = N, begin = L, size = L, step = L, axes = L}
  //              operand N becomes a box of result 0, the rest of which is the
  //              destination operand
  // concat = {axis = "name", first = N}
  //              result 0 is the tensors among the operands from N (0) on, one
  //              behind the other along the axis
  // tuple        result 0 is the tuple of the operands
  // tuple_element = "name"
  //              result 0 is one element of operand 0, by its number
  // stack        what an op of kind "alloc" makes is on the stack
  // escapes      what the op takes may be kept where nobody sees it: its
  //              address is told, or the op goes on after it has returned
  // unless = "all" | [N or "name", ...]
  //              the model does not hold of ops with a tensor for one of these
  //              operands, or with one of these attributes (but for false)
  irdl.operation @op_model {
    %op = irdl.base "#builtin.string"
    irdl.attributes {"op" = %op}
  }

  // Which function arguments are constants of the network: those that have this
  // attribute, when what MLIR prints for it contains the text. They need no
  // memory among the tensors but in a constant pool.
  //
  //   "gmem.argument_model"() {attribute = "ttcore.argument_type",
  //     contains = "parameter", kind = "weight"} : () -> ()
  irdl.operation @argument_model {
    // One value for all three would mean that they are equal.
    %attribute = irdl.base "#builtin.string"
    %contains = irdl.base "#builtin.string"
    %kind = irdl.base "#builtin.string"
    irdl.attributes {
      "attribute" = %attribute, "contains" = %contains, "kind" = %kind
    }
  }
}
