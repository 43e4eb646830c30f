// proof_solver.c - see proof_solver.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_solver.h"

#include "type_size.h"

// Sets of more are looked up in a table.
enum { FEW = 16 };

//===--- names ------------------------------------------------------------===//

// The number by which the value of a name flows: a site, or an argument.
static uint32_t key_of(const gmem_proof_memory_t *memory, uint32_t id) {
  const gmem_proof_name_t *name = gmem_proof_name_at(memory, id);
  if (!name)
    return id;
  return name->argument == GMEM_NO_INDEX ? name->site
                                         : GMEM_PROOF_ARGUMENT + name->argument;
}

// The current edge binds |value|, if |id| is a name of it.
static void bind_name(gmem_proof_solver_t *solver, uint32_t value,
                      uint32_t id) {
  gmem_proof_memory_t *memory = solver->bound;
  const gmem_proof_name_t *name = gmem_proof_name_at(memory, id);
  uint32_t index = id - memory->value_count;
  if (!name || name->value != value)
    return;
  memory->names.at[index].edges |= solver->edge;
  GMEM_APPEND(solver->scratch, &solver->sources,
              (gmem_csr_pair_t){index, (uint32_t)memory->sources.count});
  GMEM_APPEND(
      solver->arena, &memory->sources,
      (gmem_proof_source_t){solver->from, solver->number, solver->edge});
}

void gmem_proof_bind(gmem_proof_solver_t *solver, uint32_t value,
                     uint32_t number) {
  gmem_proof_memory_t *memory = solver->bound;
  gmem_proof_set_t names = gmem_proof_bound_names(memory, value);
  uint32_t low = 0, high = names.count, end = high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (key_of(memory, names.at[middle]) < number)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < end && key_of(memory, names.at[low]) == number; ++low)
    bind_name(solver, value, names.at[low]);
  // An argument may be that site, too. Its names are behind the others.
  for (; end && key_of(memory, names.at[end - 1]) >= GMEM_PROOF_ARGUMENT; --end)
    if (gmem_proof_site(memory, names.at[end - 1]) == number)
      bind_name(solver, value, names.at[end - 1]);
}

//===--- what flows -------------------------------------------------------===//

void gmem_proof_enqueue(gmem_proof_solver_t *solver, uint32_t value) {
  size_t count = solver->program->values.count;
  if (solver->is_queued[value])
    return;
  solver->is_queued[value] = true;
  solver->queue[(solver->head + solver->queued++) % count] = value;
}

// The slot of a pair, or the free slot for it.
static size_t slot_of(const gmem_proof_solver_t *solver, uint64_t pair) {
  size_t slot = (size_t)(pair * UINT64_C(0x9E3779B97F4A7C15) >> 32);
  while (solver->held[slot & solver->mask] &&
         solver->held[slot & solver->mask] != pair)
    ++slot;
  return slot & solver->mask;
}

static void hold(gmem_proof_solver_t *solver, uint32_t value, uint32_t number) {
  uint64_t pair = ((uint64_t)value + 1) << 32 | number;
  if (2 * solver->held_count >= solver->mask) {
    gmem_proof_solver_t old = *solver;
    size_t size = old.held_count ? 2 * (old.mask + 1) : 1024;
    uint64_t *larger = gmem_bump_alloc(solver->scratch, size, sizeof *larger);
    if (!larger)
      return;
    solver->held = larger;
    solver->mask = size - 1;
    for (size_t i = 0; old.held_count && i <= old.mask; ++i)
      if (old.held[i])
        larger[slot_of(solver, old.held[i])] = old.held[i];
  }
  solver->held[slot_of(solver, pair)] = pair;
  ++solver->held_count;
}

static bool holds(const gmem_proof_solver_t *solver, uint32_t value,
                  uint32_t number) {
  gmem_proof_set_t set = solver->of[value];
  uint64_t pair = ((uint64_t)value + 1) << 32 | number;
  for (uint32_t i = 0; i < set.count && set.count <= FEW; ++i)
    if (set.at[i] == number)
      return true;
  return set.count > FEW && solver->held &&
         solver->held[slot_of(solver, pair)] == pair;
}

void gmem_proof_denote(gmem_proof_solver_t *solver, uint32_t value,
                       uint32_t number) {
  gmem_proof_set_t *set = &solver->of[value];
  if (holds(solver, value, number))
    return;
  if ((set->count & (set->count - 1)) == 0) {
    uint32_t *larger =
        set->count ? gmem_bump_alloc(solver->arena, 2 * (size_t)set->count,
                                     sizeof *larger)
                   : &solver->firsts[value];
    if (!larger)
      return;
    for (uint32_t i = 0; i < set->count; ++i)
      larger[i] = set->at[i];
    set->at = larger;
  }
  ((uint32_t *)set->at)[set->count++] = number;
  for (uint32_t i = 0; i < set->count && set->count == FEW + 1; ++i)
    hold(solver, value, set->at[i]);
  if (set->count > FEW + 1)
    hold(solver, value, number);
  gmem_proof_enqueue(solver, value);
}

void gmem_proof_mark_unplaced(gmem_proof_solver_t *solver, uint32_t value,
                              uint8_t what) {
  const gmem_proof_value_t *entry = gmem_proof_value_at(solver->program, value);
  if (solver->bound || !(what & ~solver->unplaced[value]) ||
      !gmem_is_memref_type(mlirValueGetType(entry->value)))
    return;
  solver->unplaced[value] |= what;
  gmem_proof_enqueue(solver, value);
}

static void add_link(gmem_proof_solver_t *solver, uint32_t from,
                     gmem_proof_link_t link) {
  link.next = solver->first[from];
  GMEM_APPEND(solver->scratch, &solver->links, link);
  solver->first[from] = (uint32_t)solver->links.count;
}

// What a value that may denote |unplaced| passes on by a link. A call returns
// what the function is given by that call, by links of its own.
static uint8_t unplaced_by(gmem_proof_link_kind_t kind, uint8_t unplaced) {
  if (kind == GMEM_LINK_GIVEN && unplaced)
    return GMEM_UNPLACED_GIVEN;
  return kind == GMEM_LINK_RETURNED ? unplaced & GMEM_UNPLACED_MADE : unplaced;
}

// Whether |number| is memory that need not be followed to the value of |link|,
// an argument of a block.
static bool is_left_out(const gmem_proof_solver_t *solver,
                        const gmem_proof_link_t *link, uint32_t number) {
  const gmem_proof_program_t *program = solver->program;
  return number < program->values.count && solver->is_untracked[number] &&
         program->values.at[link->to].op == GMEM_NO_INDEX;
}

// Adds what |number|, denoted by one value, is for the value of |link|; or
// binds that to it.
static void pass(gmem_proof_solver_t *solver, const gmem_proof_link_t *link,
                 uint32_t number) {
  const gmem_proof_program_t *program = solver->program;
  if (link->kind == GMEM_LINK_GIVEN || is_left_out(solver, link, number))
    return;
  if (link->kind == GMEM_LINK_RETURNED && number >= GMEM_PROOF_ARGUMENT) {
    const gmem_proof_op_t *call = &program->ops.at[link->op];
    uint32_t from = call->operands[number & ~GMEM_PROOF_ARGUMENT];
    gmem_proof_link_t given = {link->to, link->op, 0, GMEM_LINK_ALL};
    if (from == GMEM_NO_INDEX)
      return;
    if (!solver->bound) {
      add_link(solver, from, given);
      gmem_proof_mark_unplaced(solver, link->to, solver->unplaced[from]);
    }
    for (uint32_t i = 0; i < solver->of[from].count; ++i)
      pass(solver, &given, solver->of[from].at[i]);
  } else if (solver->bound) {
    gmem_proof_bind(solver, link->to, number);
  } else {
    gmem_proof_denote(solver, link->to, number);
  }
}

void gmem_proof_link(gmem_proof_solver_t *solver, uint32_t from,
                     gmem_proof_link_t link) {
  if (from == GMEM_NO_INDEX) {
    gmem_proof_mark_unplaced(solver, link.to, GMEM_UNPLACED_MADE);
    return;
  }
  if (!solver->bound)
    add_link(solver, from, link);
  solver->from = link.kind == GMEM_LINK_RETURNED ? GMEM_NO_INDEX : from;
  for (uint32_t i = 0; i < solver->of[from].count && solver->bound; ++i) {
    solver->number = solver->of[from].at[i];
    if (gmem_proof_is_private(solver->bound, solver->number))
      continue; // it has no names
    pass(solver, &link, solver->number);
  }
}

void gmem_proof_flow_on(gmem_proof_solver_t *solver) {
  size_t count = solver->program->values.count;
  while (solver->queued && !solver->scratch->out_of_memory &&
         !solver->arena->out_of_memory) {
    uint32_t value = solver->queue[solver->head];
    uint32_t first = solver->passed[value], end = solver->of[value].count;
    solver->head = (solver->head + 1) % count;
    --solver->queued;
    solver->is_queued[value] = false;
    solver->passed[value] = end;
    for (uint32_t f = solver->first[value]; f;
         f = solver->links.at[f - 1].next) {
      gmem_proof_link_t link = solver->links.at[f - 1];
      gmem_proof_mark_unplaced(solver, link.to,
                               unplaced_by(link.kind, solver->unplaced[value]));
      for (uint32_t i = first; i < end; ++i)
        pass(solver, &link, solver->of[value].at[i]);
    }
  }
}
