// machine_run.h - one run of a program on the memory that its plan lays out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two worlds are kept: what every value *should* be, which follows from what
// the ops do (frame_t.known), and what is in memory, which follows from where
// the plan puts things. Every read compares the two. Nothing here knows how
// long a value lives.

#ifndef GMEM_MACHINE_RUN_H_
#define GMEM_MACHINE_RUN_H_

#include <setjmp.h>

#include "machine_program.h"

enum { MESSAGE_SIZE = 1024 };

// Who made the bytes of a tag.
typedef struct origin_s {
  uint32_t value; // NONE: a workbuffer
  bool garbage;   // nothing but a place was known of them: written any time
} origin_t;

typedef struct machine_s {
  program_t *program;
  machine_arena_t arena; // of this run
  content_t *preloaded;  // by value: weights
  machine_arena_t weight_arena;
  origin_t *weight_origins;
  size_t weight_origin_count;
  uint32_t entry;    // function
  origin_t *origins; // by tag - TAG_FIRST
  size_t origin_count, origin_room;
  uint64_t random;
  bool used_random; // another seed may go another way
  size_t steps, step_limit;
  size_t calls;
  uint32_t *active;   // per function: how many of its frames there are
  bool in_background; // runs what may run at any time
  jmp_buf stop;
  char *message; // MESSAGE_SIZE: what is wrong
} machine_t;

// A tensor that a list stands for: what it is, or has been when it was made
// anew.
typedef struct shown_s {
  uint32_t value;
  content_t content;
} shown_t;

// What a value that is no tensor stands for.
typedef struct list_s {
  shown_t **at;
  size_t count, room;
} list_t;

// A tensor that is intact until it is made again.
typedef struct held_s {
  uint32_t value;
  shown_t *shown; // by a list; NULL: the value itself
} held_t;

// One call of one function.
typedef struct frame_s {
  const function_t *function;
  content_t *known; // by value, from the function's first on
  bool *is_known;
  shown_t **shown; // by value: of lists, or NULL
  list_t *lists;   // by value
  list_t *loose;   // by op: what nobody knows which of its results stand for
  held_t *held;    // machine_held.c
  size_t held_count, held_room;
  uint32_t *written; // values that ops changed where they are
  size_t written_count, written_room;
  uint32_t group; // flat layer group that has begun, + 1; 0: none
  uint32_t *late; // ops whose regions may run until then
  size_t late_count, late_room;
} frame_t;

// Runs entry function |function| once, by a way that |seed| decides. Whether
// the plan bears it; if not, why is in machine->message.
bool machine_run(machine_t *machine, uint32_t function, uint64_t seed);

// Loads the weights. As machine_run.
bool machine_start(machine_t *machine, program_t *program, char *message);
void machine_end(machine_t *machine);

//===--- for the parts of the machine -------------------------------------===//

// The states of the function of |frame| that no result follows are as they
// were.
void machine_check_states(machine_t *machine, frame_t *frame, uint32_t end);
// Fills the states of the other entry functions before |function| runs; by
// value. They must be there when it has run.
content_t *machine_put_states(machine_t *machine, uint32_t function);
void machine_expect_states(machine_t *machine, const content_t *states);

// 0 ... count - 1.
uint32_t machine_choose(machine_t *machine, uint32_t count);
// Ends the run without a verdict.
_Noreturn void machine_give_up(machine_t *machine);
// Ends the run: the plan is wrong at |op| (NONE: at the end of a function).
_Noreturn void machine_fail(machine_t *machine, uint32_t op, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

content_t machine_fresh(machine_t *machine, uint32_t value);
content_t machine_garbage(machine_t *machine, uint32_t value);

content_t frame_known(machine_t *machine, const frame_t *frame, uint32_t value);
void frame_learn(machine_t *machine, frame_t *frame, uint32_t value,
                 content_t content);

// The same for a value that was changed where it is, under all its shapes. A
// network's state is looked at when it has run.
void frame_learn_written(machine_t *machine, frame_t *frame, uint32_t value,
                         content_t content);

// Reads bytes [begin, begin + size) of |value| at |op|, or fails. |what| says
// what it is there: "operand", "result".
void machine_check_part(machine_t *machine, frame_t *frame, uint32_t op,
                        const char *what, uint32_t value, uint64_t begin,
                        uint64_t size);
// The whole of it.
void machine_check(machine_t *machine, frame_t *frame, uint32_t op,
                   const char *what, uint32_t value);
// The operands, but for those in |skip|, and what is captured.
void machine_check_operands(machine_t *machine, frame_t *frame, uint32_t op,
                            const char *what, uint64_t skip);

// Puts |content| in the place of |value|, if it has one.
void machine_write(machine_t *machine, uint32_t op, uint32_t value,
                   content_t content);
// Writes garbage around |value|, where its place has room for that.
void machine_scribble(machine_t *machine, uint32_t value);
// The same around |count| values.
void machine_scribble_all(machine_t *machine, const uint32_t *values,
                          size_t count);

// Fills the workbuffers of |op| (gmem.workbuffers) with bytes of their own. The
// op may do that at any time until it is done. *first_tag is that of the first.
void machine_fill_workbuffers(machine_t *machine, uint32_t op,
                              uint64_t *first_tag);
// What lies in the workbuffers of |op| is still what they were filled with.
void machine_check_workbuffers(machine_t *machine, uint32_t op,
                               uint64_t first_tag);

// A value on its way: what it should be, and what was in memory where it came
// from. A copy is no reading: that it copied the wrong bytes is an error when
// somebody looks at them.
typedef struct parcel_s {
  content_t meant, found;
  list_t list;
  bool in_memory; // it was found at
  uint32_t pool;  // this place
  uint64_t offset;
} parcel_t;

// The way that parcels go: the records of which copies are made.
typedef struct hop_s {
  uint32_t op; // NONE: nobody knows how they go, but they do
  edge_t edge;
  uint64_t number;
} hop_t;

// Makes the copies of |hop|, as they are recorded: machine_copies.c.
void machine_copy(machine_t *machine, const hop_t *hop);

//===--- lists: machine_lists.c -------------------------------------------===//

list_t *frame_list(const frame_t *frame, uint32_t value);
// What the operands of |op| are or stand for, and what has been gathered for it
// before.
list_t *machine_gather(machine_t *machine, frame_t *frame, uint32_t op);
// The same, when it begins.
list_t *machine_gather_anew(machine_t *machine, frame_t *frame, uint32_t op);
// As machine_gather, and what |parcels| stand for.
void machine_gather_parcels(machine_t *machine, frame_t *frame, uint32_t op,
                            const parcel_t *parcels, size_t count);
// Reads all that |value| stands for.
void machine_check_list(machine_t *machine, const frame_t *frame, uint32_t op,
                        const char *what, uint32_t value);
// Reads one of these.
void machine_check_shown(machine_t *machine, const frame_t *frame, uint32_t op,
                         const char *what, const shown_t *shown);
// Reads |content| where |value|, which has a place, is.
void machine_check_content(machine_t *machine, uint32_t op, const char *what,
                           uint32_t value, content_t content);

//===--- gmem.hold: machine_held.c ----------------------------------------===//

// What |value| is or stands for must be intact until it is made again, and
// when the function returns.
void frame_hold(machine_t *machine, frame_t *frame, uint32_t value);
// Op |op| makes |count| values from |first| on again.
void machine_end_holds(machine_t *machine, frame_t *frame, uint32_t op,
                       uint32_t first, size_t count);
// The function of the frame returns at |end|.
void machine_check_held(machine_t *machine, frame_t *frame, uint32_t end);

//===--- what is passed on ------------------------------------------------===//

// Takes |value| from its place.
parcel_t machine_take(machine_t *machine, frame_t *frame, uint32_t op,
                      uint32_t value);
// Lets the frame know that |values| are what |count| parcels should be, and
// puts those that were found nowhere, and with |is_known| false all, into them.
// What was found in memory elsewhere gets there by machine_copy, or not at all.
void machine_hand_over(machine_t *machine, frame_t *frame, uint32_t op,
                       const uint32_t *values, const parcel_t *parcels,
                       size_t count, bool is_known);

// The value whose place holds |value|: itself, or what it is a view of.
uint32_t machine_seen(const machine_t *machine, uint32_t value);
// Bytes from the first element of |shape| to element |number| in row-major
// order.
uint64_t element_at(const shape_t *shape, uint64_t number);

// Whether two values lie at the same bytes / have any bytes in common.
bool is_same_place(const value_t *a, const value_t *b);
bool is_overlapping(const value_t *a, const value_t *b);

// machine_data.c: whether operand |operand| of |op| and its result are a part
// with gaps and its tensor; whether the part is in its place there.
bool machine_find_gaps(const machine_t *machine, const op_t *op,
                       uint32_t operand, bool *is_there);
// Ops that compute.
void run_data_op(machine_t *machine, frame_t *frame, uint32_t op);
// machine_flow.c: runs |function| on contents that come from anywhere.
void run_on_anything(machine_t *machine, uint32_t function);

#endif // GMEM_MACHINE_RUN_H_
