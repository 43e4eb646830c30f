// encode_addresses.c - gmem-encode-addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a plan that gmem-verify-plan proves, whose pools have addresses;
//           tensor types without encodings; dialects whose ops do not demand
//           equal types of values at different addresses.
// produces: the address of every value that has memory, base of its pool plus
//           offset, as the i64 encoding of its type: on the value, in
//           signatures and in what layer groups hand out; where the scope has
//           other attributes named module.*, those that say where the weights
//           and the tensors lie. The gmem attributes stay.
// fails:    when the plan is wrong, when a type has another encoding, or when
//           an op does not allow its new types; nothing has changed then.

#include "encode_addresses.h"

#include <string.h>

#include "address_types.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plan_attributes.h"
#include "pool_table.h"
#include "scope_loop.h"
#include "scope_plan.h"

// An attribute that a scope is to have.
typedef struct statement_s {
  MlirOperation scope;
  const char *name;
  uint64_t value;
} statement_t;

// What is to be done to all scopes, when all of them can be encoded.
typedef struct encoder_s {
  gmem_retyping_t retyping;
  statement_t *statements;
  size_t statement_count, statement_room;
} encoder_t;

// One scope at work.
typedef struct encoding_s {
  gmem_scope_plan_t plan;
  MlirType *types; // by value: with its address, or null
  gmem_diag_t *diag;
} encoding_t;

static gmem_status_t refuse(const encoding_t *encoding, uint32_t value,
                            const char *what) {
  const gmem_program_t *program = &encoding->plan.analysis.program;
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  return gmem_error(encoding->diag, GMEM_ERR_INVALID_ARGUMENT,
                    gmem_value_location(program, value), NULL, 0, "%s %s", name,
                    what);
}

// The plan has been proved: the pool is there.
static uint64_t base_of(const encoding_t *encoding, MlirStringRef pool) {
  for (size_t i = 0; i < encoding->plan.pool_count; ++i)
    if (mlirStringRefEqual(encoding->plan.pools[i].name, pool))
      return encoding->plan.pools[i].base;
  return GMEM_NO_BASE;
}

static gmem_status_t encode_value(encoding_t *encoding, uint32_t value) {
  const gmem_value_place_t *place = &encoding->plan.places[value];
  MlirType type =
      mlirValueGetType(encoding->plan.analysis.program.values[value].value);
  if (!place->pool.length)
    return GMEM_OK;
  if (!mlirTypeIsARankedTensor(type))
    return refuse(encoding, value,
                  "is no ranked tensor: its type cannot state an address");
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return refuse(encoding, value,
                  "has an encoding in its type: there is no room for an "
                  "address");
  uint64_t base = base_of(encoding, place->pool);
  if (base == GMEM_NO_BASE)
    return refuse(encoding, value,
                  "is in a pool without an address: plan with a tensor-base");
  if ((uint64_t)place->payload > GMEM_MAX_ADDRESS - base)
    return refuse(encoding, value, "has an address beyond 63 bits");
  encoding->types[value] = gmem_type_with_address(
      type, base + (uint64_t)place->payload, encoding->plan.analysis.arena);
  return mlirTypeIsNull(encoding->types[value])
             ? gmem_out_of_memory(encoding->diag)
             : GMEM_OK;
}

static gmem_status_t read_plan(encoding_t *encoding, MlirOperation scope,
                               const gmem_op_models_t *models,
                               gmem_bump_t *arena) {
  gmem_status_t status = gmem_scope_plan_read(scope, models, arena,
                                              &encoding->plan, encoding->diag);
  if (status != GMEM_OK)
    return status;
  encoding->types =
      gmem_bump_alloc(arena, encoding->plan.analysis.program.value_count,
                      sizeof *encoding->types);
  return encoding->types ? GMEM_OK : gmem_out_of_memory(encoding->diag);
}

//===--- regions of memory ------------------------------------------------===//

static bool has_module_attributes(MlirOperation scope) {
  static const char prefix[] = "module.";
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(scope);
       ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(scope, i).name);
    if (name.length >= sizeof prefix &&
        memcmp(name.data, prefix, sizeof prefix - 1) == 0)
      return true;
  }
  return false;
}

static bool add_statement(encoder_t *encoder, MlirOperation scope,
                          const char *name, uint64_t value) {
  if (!gmem_bump_grow(encoder->retyping.arena, &encoder->statements,
                      encoder->statement_count, &encoder->statement_room,
                      sizeof *encoder->statements))
    return false;
  encoder->statements[encoder->statement_count++] =
      (statement_t){scope, name, value};
  return true;
}

// Lists what is to be said of the regions that |pool| is one of. Sizes are in
// whole units of the alignment, as compilers that read this say them.
static bool add_region(encoder_t *encoder, MlirOperation scope,
                       const gmem_pool_entry_t *pool) {
  uint64_t mask = pool->alignment - 1;
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i) {
    const gmem_region_names_t *names = &gmem_region_names[i];
    if (pool->base != GMEM_NO_BASE &&
        mlirStringRefEqual(pool->name, gmem_string(names->pool)) &&
        (!add_statement(encoder, scope, names->base, pool->base) ||
         !add_statement(encoder, scope, names->size,
                        (pool->size + mask) & ~mask)))
      return false;
  }
  return true;
}

static void say(const statement_t *statement) {
  MlirType i64 =
      mlirIntegerTypeGet(mlirOperationGetContext(statement->scope), 64);
  mlirOperationSetDiscardableAttributeByName(
      statement->scope, gmem_string(statement->name),
      mlirIntegerAttrGet(i64, (int64_t)statement->value));
}

//===--- the pass ---------------------------------------------------------===//

static gmem_status_t encode_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  encoder_t *encoder = user;
  encoding_t encoding = {.diag = diag};
  gmem_status_t status = read_plan(&encoding, scope, models, arena);
  uint32_t count = (uint32_t)encoding.plan.analysis.program.value_count;
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i)
    status = encode_value(&encoding, i);
  if (status == GMEM_OK)
    status =
        gmem_retype_scope(&encoder->retyping, &encoding.plan.analysis.program,
                          encoding.types, diag);
  if (status != GMEM_OK || !has_module_attributes(scope))
    return status;
  for (size_t i = 0; i < encoding.plan.pool_count; ++i)
    if (!add_region(encoder, scope, &encoding.plan.pools[i]))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}

gmem_status_t gmem_encode_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  (void)options;
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  encoder_t encoder = {.retyping = {.arena = &arena}};
  gmem_status_t status = gmem_verify_module(top, allocator, diag);
  if (status == GMEM_OK)
    status =
        gmem_for_each_scope_in(top, allocator, encode_scope, &encoder, diag);
  if (status == GMEM_OK)
    status = gmem_retype(&encoder.retyping, top, diag);
  for (size_t i = 0; i < encoder.statement_count && status == GMEM_OK; ++i)
    say(&encoder.statements[i]);
  gmem_bump_destroy(&arena);
  return status;
}
