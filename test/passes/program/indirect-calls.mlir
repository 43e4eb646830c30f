// A function that may run itself by what a table or a value holds is active several times
// at once: its tensors have no one place. A function that only passes such values on, or
// that nothing can run so, is planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=64 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not='may call itself' <%t.said

// By a table that names it.
// CHECK-LABEL: func.func @by_table
// CHECK-NOT: gmem.offset
"my.table"() {sym_name = "table", entries = [@by_table]} : () -> ()
// SAID: remark: @by_table may call itself through a table or a function value: its tensors are not planned
func.func @by_table(%x: tensor<64xi8>) -> tensor<64xi8> {
  %a = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  "my.calls"() {table = @table} : () -> ()
  %b = "my.compute"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  return %b : tensor<64xi8>
}

// -----

// By a table of a table, and by what stands in an initializer; @leaf runs nothing.
// CHECK-LABEL: func.func @by_tables
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func private @leaf
// CHECK: "my.compute"{{.*}}gmem.offset
"my.table"() {sym_name = "a", entries = [@b]} : () -> ()
"my.table"() ({
  "my.entry"() {function = @by_tables} : () -> ()
  "my.entry"() {function = @leaf} : () -> ()
}) {sym_name = "b"} : () -> ()
// SAID: remark: @by_tables may call itself
func.func @by_tables(%x: tensor<64xi8>) -> tensor<64xi8> {
  %a = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  "my.calls"() {table = @a} : () -> ()
  return %a : tensor<64xi8>
}
func.func private @leaf() {
  %a = "my.compute"() : () -> tensor<64xi8>
  return
}

// -----

// A table that no op uses runs nothing.
// CHECK-LABEL: func.func @unused
// CHECK: "my.compute"{{.*}}gmem.offset
"my.table"() {sym_name = "table", entries = [@unused]} : () -> ()
func.func @unused(%x: tensor<64xi8>) -> tensor<64xi8> {
  %a = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  return %a : tensor<64xi8>
}

// -----

// By a value: @f runs @again, which runs @f. @main runs only what it has made.
// CHECK-LABEL: func.func private @f
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func private @again
// CHECK-LABEL: func.func @main
// CHECK: "my.compute"{{.*}}gmem.offset
// SAID: remark: @f may call itself
func.func private @f(%x: tensor<64xi8>, %g: () -> ()) -> tensor<64xi8> {
  %a = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  func.call_indirect %g() : () -> ()
  %b = "my.compute"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  return %b : tensor<64xi8>
}
func.func private @leaf() { return }
// SAID: remark: @again may call itself
func.func private @again() {
  %g = func.constant @leaf : () -> ()
  %y = "my.compute"() : () -> tensor<64xi8>
  %r = func.call @f(%y, %g) : (tensor<64xi8>, () -> ()) -> tensor<64xi8>
  return
}
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %y = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %g = func.constant @again : () -> ()
  %r = func.call @f(%y, %g) : (tensor<64xi8>, () -> ()) -> tensor<64xi8>
  return %r : tensor<64xi8>
}

// -----

// By a pointer of another dialect, which a call returns; @choose only returns one.
// CHECK-LABEL: func.func private @by_pointer
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func private @choose
// CHECK: "my.compute"{{.*}}gmem.offset
// SAID: remark: @by_pointer may call itself
func.func private @by_pointer(%g: !llvm.ptr) {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.run"(%g) : (!llvm.ptr) -> ()
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func private @choose() -> !llvm.ptr {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  %g = "my.address"() {of = @by_pointer} : () -> !llvm.ptr
  return %g : !llvm.ptr
}
func.func @main() {
  %g = func.call @choose() : () -> !llvm.ptr
  func.call @by_pointer(%g) : (!llvm.ptr) -> ()
  return
}

// -----

// A list of tensors is no function, nor does a global lead to one; an op that names two
// functions may run @lists at any time.
// CHECK-LABEL: func.func private @lists
// CHECK: "my.compute"() {gmem.offset
// CHECK: "my.unlist"{{.*}}gmem.offset
"my.global"() {sym_name = "global"} : () -> ()
func.func private @lists() {
  %a = "my.compute"() : () -> tensor<64xi8>
  %l = "my.list"(%a) : (tensor<64xi8>) -> !my.list
  %b = "my.unlist"(%l) : (!my.list) -> tensor<64xi8>
  "my.store"(%b) {global = @global} : (tensor<64xi8>) -> ()
  return
}
func.func private @leaf() { return }
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %y = "my.run"(%x) {callees = [@lists, @leaf]} : (tensor<64xi8>) -> tensor<64xi8>
  return %y : tensor<64xi8>
}

// -----

// A function that uses a global variable, or is named by deferred code and awaits a token.
// CHECK-LABEL: func.func private @uses_global
// CHECK: "my.compute"{{.*}}gmem.offset
// CHECK-LABEL: func.func private @awaits
// CHECK: "my.compute"{{.*}}gmem.offset
// CHECK-LABEL: func.func @main
memref.global "private" constant @global : memref<64xi8> = dense<1>
func.func private @uses_global() {
  %m = memref.get_global @global : memref<64xi8>
  %a = "my.compute"(%m) : (memref<64xi8>) -> tensor<64xi8>
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func private @awaits() {
  %t = async.execute {
    async.yield
  }
  %a = "my.compute"() : () -> tensor<64xi8>
  async.await %t : !async.token
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %t = async.execute {
    func.call @awaits() : () -> ()
    async.yield
  }
  async.await %t : !async.token
  %g = func.constant @uses_global : () -> ()
  func.call_indirect %g() : () -> ()
  return
}

// -----

// By the last op of the function, which is no return, as it has a region.
// CHECK-LABEL: func.func private @by_last
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func @main
// SAID: remark: @by_last may call itself
func.func private @by_last(%g: !my.code) {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.end"(%g) ({
    "my.compute"(%a) : (tensor<64xi8>) -> ()
  }) : (!my.code) -> ()
}
func.func @main() {
  %g = "my.address"() {of = @by_last} : () -> !my.code
  "my.run"(%g) : (!my.code) -> ()
  return
}

// -----

// By what an op has made of a function, in two steps.
// CHECK-LABEL: func.func private @by_closure
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func @main
// SAID: remark: @by_closure may call itself
func.func private @by_closure(%c: !my.closure) {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.run"(%c) : (!my.closure) -> ()
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %g = func.constant @by_closure : (!my.closure) -> ()
  %b = "my.bound"(%g) : ((!my.closure) -> ()) -> !my.bound
  %c = "my.close"(%b) : (!my.bound) -> !my.closure
  func.call @by_closure(%c) : (!my.closure) -> ()
  return
}

// -----

// What code that runs beside other calls by a value may be what that calls, too: several
// instances of it run at once. Deferred code;
// CHECK-LABEL: func.func private @deferred
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func @main
// SAID: remark: this value of @deferred is not planned: it is in code that may run concurrently with itself
func.func private @deferred() {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %g = func.constant @deferred : () -> ()
  %t = async.execute {
    func.call_indirect %g() : () -> ()
    async.yield
  }
  func.call_indirect %g() : () -> ()
  async.await %t : !async.token
  return
}

// -----

// what a parallel op calls, by a table;
// CHECK-LABEL: func.func private @parallel
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func private @uses_table
// SAID: remark: this value of @parallel is not planned: it is in code that may run concurrently with itself
"my.table"() {sym_name = "table", entries = [@parallel]} : () -> ()
func.func private @parallel() {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func private @uses_table() {
  "my.calls"() {table = @table} : () -> ()
  return
}
func.func @main() {
  scf.forall (%i) in (8) {
    func.call @uses_table() : () -> ()
  }
  return
}

// -----

// and streams.
// CHECK-LABEL: func.func private @streamed
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func @main
// SAID: remark: this value of @streamed is not planned: it is in code that may run concurrently with itself
func.func private @streamed() {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %g = func.constant @streamed : () -> ()
  "my.run"(%g) {gmem.stream = 0 : i64} : (() -> ()) -> ()
  "my.run"(%g) {gmem.stream = 1 : i64} : (() -> ()) -> ()
  return
}

// -----

// What an indirect call returns may stand for work that goes on when the function is
// called again, or for tensors of it, a list.
// CHECK-LABEL: func.func private @starts
// CHECK-NOT: gmem.offset
// CHECK-LABEL: func.func private @lists
// CHECK-NEXT: "my.compute"(%arg0) : (
// CHECK-LABEL: func.func @main
// SAID: remark: this value of @starts is not planned: it is in code that may run concurrently with itself
func.func private @starts() -> !async.token {
  %a = "my.compute"() : () -> tensor<64xi8>
  %t = async.execute {
    "my.compute"(%a) : (tensor<64xi8>) -> ()
    async.yield
  }
  return %t : !async.token
}
func.func private @lists(%i: index) -> !my.list {
  %a = "my.compute"(%i) : (index) -> tensor<64xi8>
  %l = "my.list"(%a) : (tensor<64xi8>) -> !my.list
  return %l : !my.list
}
func.func @main(%i: index) {
  %g = func.constant @starts : () -> !async.token
  %t1 = func.call_indirect %g() : () -> !async.token
  %t2 = func.call_indirect %g() : () -> !async.token
  async.await %t1 : !async.token
  async.await %t2 : !async.token
  %h = func.constant @lists : (index) -> !my.list
  %l1 = func.call_indirect %h(%i) : (index) -> !my.list
  %l2 = func.call_indirect %h(%i) : (index) -> !my.list
  "my.unlist"(%l1, %l2) : (!my.list, !my.list) -> ()
  return
}

// -----

// What deferred code names is not taken: it runs once, also if it calls by a value.
// CHECK-LABEL: func.func private @named
// CHECK: "my.compute"() {gmem.offset
// CHECK-LABEL: func.func @main
func.func private @leaf() { return }
func.func private @named(%g: () -> ()) {
  %a = "my.compute"() : () -> tensor<64xi8>
  func.call_indirect %g() : () -> ()
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %g = func.constant @leaf : () -> ()
  %t = async.execute {
    func.call @named(%g) : (() -> ()) -> ()
    async.yield
  }
  async.await %t : !async.token
  return
}

// -----

// In a tuple of tuples.
// CHECK-LABEL: func.func private @in_tuple
// CHECK-NOT: gmem.offset
// SAID: remark: @in_tuple may call itself
func.func private @in_tuple(%p: tuple<index, tuple<!llvm.ptr>>) {
  %a = "my.compute"() : () -> tensor<64xi8>
  "my.run"(%p) : (tuple<index, tuple<!llvm.ptr>>) -> ()
  "my.compute"(%a) : (tensor<64xi8>) -> ()
  return
}
func.func @main() {
  %p = "my.pack"() {of = @in_tuple} : () -> tuple<index, tuple<!llvm.ptr>>
  func.call @in_tuple(%p) : (tuple<index, tuple<!llvm.ptr>>) -> ()
  return
}
