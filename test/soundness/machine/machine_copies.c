// machine_copies.c - the copies that control flow makes: read from gmem.copies,
// and made as they stand there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "machine_run.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

//===--- reading ----------------------------------------------------------===//

static MlirAttribute entry_of(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(name));
}

static bool read_number(MlirAttribute dictionary, const char *name,
                        uint64_t *out) {
  MlirAttribute entry = entry_of(dictionary, name);
  if (mlirAttributeIsNull(entry) || !mlirAttributeIsAInteger(entry) ||
      mlirIntegerAttrGetValueInt(entry) < 0)
    return false;
  *out = (uint64_t)mlirIntegerAttrGetValueInt(entry);
  return true;
}

static bool read_pool(const program_t *program, MlirAttribute dictionary,
                      const char *name, uint32_t *out) {
  MlirAttribute entry = entry_of(dictionary, name);
  if (mlirAttributeIsNull(entry) || !mlirAttributeIsAString(entry))
    return false;
  MlirStringRef wanted = mlirStringAttrGetValue(entry);
  for (*out = 0; *out < program->pool_count; ++*out)
    if (mlirStringRefEqual(
            wanted, mlirStringRefCreate(program->pools[*out].name,
                                        program->pools[*out].name_length)))
      return true;
  return false;
}

static bool read_edge(MlirAttribute dictionary, edge_t *out) {
  static const char *const words[EDGES] = {
      "callee", "region", "successor", "next", "parent", "caller", "results"};
  MlirAttribute entry = entry_of(dictionary, "edge");
  for (int i = 0; i < EDGES; ++i)
    if (!mlirAttributeIsNull(entry) && mlirAttributeIsAString(entry) &&
        mlirStringRefEqual(mlirStringAttrGetValue(entry),
                           mlirStringRefCreateFromCString(words[i]))) {
      *out = (edge_t)i;
      return true;
    }
  return false;
}

static bool read_record(const program_t *program, MlirAttribute entry,
                        record_t *record) {
  if (!mlirAttributeIsADictionary(entry))
    return false;
  record->cycle = !mlirAttributeIsNull(entry_of(entry, "cycle"));
  return read_edge(entry, &record->edge) &&
         read_number(entry, "number", &record->number) &&
         read_pool(program, entry, "from_pool", &record->from_pool) &&
         read_pool(program, entry, "to_pool", &record->to_pool) &&
         read_number(entry, "from", &record->from) &&
         read_number(entry, "to", &record->to) &&
         read_number(entry, "size", &record->size);
}

const char *copies_read(program_t *program) {
  // Plans by hand, which have no such attribute, leave them to the machine.
  program->has_copies = !mlirAttributeIsNull(
      attribute_of(program->scope, gmem_vocabulary[GMEM_ATTR_PLAN].name));
  for (size_t i = 0; i < program->op_count; ++i) {
    op_t *op = &program->ops[i];
    MlirAttribute list =
        attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_COPIES].name);
    if (mlirAttributeIsNull(list))
      continue;
    if (!mlirAttributeIsAArray(list))
      return "gmem.copies that are no list";
    op->record_count = (size_t)mlirArrayAttrGetNumElements(list);
    op->records =
        machine_alloc(program->arena, op->record_count, sizeof *op->records);
    for (size_t k = 0; k < op->record_count; ++k)
      if (!read_record(program, mlirArrayAttrGetElement(list, (intptr_t)k),
                       &op->records[k]))
        return "gmem.copies that cannot be read";
  }
  return NULL;
}

//===--- making -----------------------------------------------------------===//

static content_t read_source(machine_t *machine, const record_t *record) {
  return pool_read(&machine->program->pools[record->from_pool], &machine->arena,
                   record->from, record->size);
}

static void write_target(machine_t *machine, uint32_t op,
                         const record_t *record, content_t content) {
  pool_t *pool = &machine->program->pools[record->to_pool];
  if (pool->constant)
    machine_fail(machine, op, "copies to constant memory");
  pool_write(pool, record->to, content);
}

static bool is_of(const record_t *record, const hop_t *hop) {
  return record->edge == hop->edge && record->number == hop->number;
}

void machine_copy(machine_t *machine, const hop_t *hop) {
  const op_t *op = &machine->program->ops[hop->op];
  content_t *read =
      machine_alloc(&machine->arena, op->record_count, sizeof *read);
  for (size_t i = 0, end; i < op->record_count; i = end) {
    end = i + 1;
    if (!is_of(&op->records[i], hop))
      continue;
    // All of a cycle is read before any of it is written.
    while (op->records[i].cycle && end < op->record_count &&
           op->records[end].cycle && is_of(&op->records[end], hop))
      ++end;
    for (size_t k = i; k < end; ++k)
      read[k] = read_source(machine, &op->records[k]);
    for (size_t k = i; k < end; ++k)
      write_target(machine, hop->op, &op->records[k], read[k]);
  }
}
