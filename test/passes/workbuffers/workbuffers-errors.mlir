// What gmem.workbuffers must not say, with the op and the number of the one that
// is wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan %s

func.func @no_list() {
  // expected-error@+1 {{gmem.workbuffers must be an array of dictionaries}}
  "a.op"() {gmem.workbuffers = 64} : () -> ()
  return
}

// -----

func.func @no_dictionary() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #1 is not a dictionary}}
  "a.op"() {gmem.workbuffers = [{size = 1}, 64]} : () -> ()
  return
}

// -----

func.func @no_size() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has no size}}
  "a.op"() {gmem.workbuffers = [{kind = "mutable"}]} : () -> ()
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an invalid size: expected an i64 of at least 0}}
  "a.op"() {gmem.workbuffers = [{size = -1}]} : () -> ()
  return
}

// -----

func.func @narrow() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an invalid size: expected an i64 of at least 0}}
  "a.op"() {gmem.workbuffers = [{size = 1 : i32}]} : () -> ()
  return
}

// -----

func.func @kind() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an invalid kind: expected "mutable" or "immutable"}}
  "a.op"() {gmem.workbuffers = [{size = 1, kind = "shared"}]} : () -> ()
  return
}

// -----

func.func @no_threads() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has invalid threads: expected an i64 from 1 to 1024}}
  "a.op"() {gmem.workbuffers = [{size = 1, threads = 0}]} : () -> ()
  return
}

// -----

func.func @many_threads() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has invalid threads: expected an i64 from 1 to 1024}}
  "a.op"() {gmem.workbuffers = [{size = 1, threads = 1025}]} : () -> ()
  return
}

// -----

func.func @alignment() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an invalid alignment: expected an i64, a power of two up to 2^30}}
  "a.op"() {gmem.workbuffers = [{size = 1, alignment = 48}]} : () -> ()
  return
}

// -----

func.func @large_alignment() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an invalid alignment: expected an i64, a power of two up to 2^30}}
  "a.op"() {gmem.workbuffers = [{size = 1, alignment = 2147483648}]} : () -> ()
  return
}

// -----

func.func @pools() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has invalid pools: expected a non-empty array of names}}
  "a.op"() {gmem.workbuffers = [{size = 1, pools = []}]} : () -> ()
  return
}

// -----

func.func @unknown_pool() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 names a workspace pool that does not exist}}
  "a.op"() {gmem.workbuffers = [{size = 1, pools = ["sram"]}]} : () -> ()
  return
}

// -----

func.func @immutable_in_workspace() {
  // expected-error@+1 {{an immutable workbuffer of this op cannot be placed in pool 'tensors' of gmem.pools: it is a workspace pool}}
  "a.op"() {gmem.workbuffers = [{size = 1, kind = "immutable", pools = ["tensors"]}]} : () -> ()
  return
}

// -----

func.func @immutable_threads() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is immutable and cannot have threads: all threads share it}}
  "a.op"() {gmem.workbuffers = [{size = 1, kind = "immutable", threads = 2}]} : () -> ()
  return
}

// -----

func.func @unknown_entry() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 has an unknown entry: expected size, kind, threads, alignment or pools}}
  "a.op"() {gmem.workbuffers = [{size = 1, align = 2}]} : () -> ()
  return
}

// -----

func.func @too_large() {
  // expected-error@+1 {{gmem.workbuffers: the size of workbuffer #0 does not fit in 63 bits}}
  "a.op"() {gmem.workbuffers = [{size = 9223372036854775800, threads = 2}]} : () -> ()
  return
}

// -----

// expected-error@+1 {{gmem.workbuffers: only ops in functions have workbuffers}}
func.func @on_function() attributes {gmem.workbuffers = [{size = 1}]} {
  return
}

// -----

func.func @parallel() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its op may run concurrently with itself: set "threads" to the number of threads}}
    "a.op"() {gmem.workbuffers = [{size = 1}]} : () -> ()
  }
  return
}

// -----

// In the body of a layer group, too.
func.func @parallel_in_group() {
  "a.group"() ({
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its op may run concurrently with itself: set "threads" to the number of threads}}
      "a.op"() {gmem.workbuffers = [{size = 1}]} : () -> ()
    }
  }) {gmem.layer_group} : () -> ()
  return
}

// -----

// What a token stands for may still run when the op is long over.
func.func @late() {
  %token = async.execute {
    // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its op may run concurrently with itself: set "threads" to the number of threads}}
    "a.op"() {gmem.workbuffers = [{size = 1}]} : () -> ()
    async.yield
  }
  return
}

// -----

func.func @caller() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    func.call @callee() : () -> ()
  }
  return
}
func.func private @callee() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its function may run concurrently with itself: set "threads" to the number of threads}}
  "a.op"() {gmem.workbuffers = [{size = 1}]} : () -> ()
  return
}

// -----

func.func @recursive() {
  func.call @recursive() : () -> ()
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its function is recursive}}
  "a.op"() {gmem.workbuffers = [{size = 1, threads = 1}]} : () -> ()
  return
}
