// encode_addresses.c - gmem-encode-addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a valid plan (gmem-verify-plan) whose pools have addresses; tensor
//           types without encodings; ops that do not require equal types of
//           values at different addresses.
// produces: the address of every planned value, base of its pool plus offset,
//           as the i64 encoding of its type: on the value, in signatures and
//           in the terminators of layer groups. If the scope has attributes
//           named module.*, also those with the addresses and sizes of the
//           weights and the tensors. The gmem attributes stay.
// fails:    when the plan is invalid, when a type has an encoding already, or
//           when an op does not allow its new types; the IR is then unchanged.

#include "address_passes.h"

#include <assert.h>
#include <string.h>

#include "address_types.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan.h"

// An attribute to be set on a scope.
typedef struct scope_attribute_s {
  MlirOperation scope;
  const char *name;
  uint64_t value;
} scope_attribute_t;

// The changes to all scopes, applied only if all of them can be encoded.
typedef struct encoder_s {
  gmem_retyping_t retyping;
  GMEM_LIST(scope_attribute_t) attributes;
} encoder_t;

// Sets *out to the type of a planned value with its address.
static gmem_status_t encode_value(const gmem_scope_plan_t *plan, uint32_t value,
                                  MlirType *out, gmem_diag_t *diag) {
  const gmem_program_t *program = &plan->analysis.program;
  const gmem_value_place_t *place = &plan->places[value];
  MlirType type = mlirValueGetType(program->values[value].value);
  const char *why = NULL;
  if (!gmem_has_place(place))
    return GMEM_OK;
  assert(place->pool < plan->pools.count);
  uint64_t base = plan->pools.entries[place->pool].base;
  if (!mlirTypeIsARankedTensor(type))
    why = "is not a ranked tensor: its type cannot hold an address";
  else if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    why = "has an encoding in its type already: it cannot hold an address";
  else if (base == GMEM_NO_BASE)
    why = "is in a pool without a base address: plan with tensor-base";
  else if ((uint64_t)place->payload > GMEM_MAX_ADDRESS - base)
    why = "has an address of more than 63 bits";
  if (why)
    return gmem_value_error(program, value, GMEM_ERR_INVALID_ARGUMENT, why,
                            diag);
  *out = gmem_type_with_address(type, base + (uint64_t)place->payload,
                                plan->analysis.arena);
  return gmem_bump_status(plan->analysis.arena, diag);
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

// Lists the attributes of the memory regions that correspond to |pool|. Sizes
// are rounded up to the alignment, as the compilers that read them expect.
static void add_region(encoder_t *encoder, MlirOperation scope,
                       const gmem_pool_entry_t *pool) {
  gmem_bump_t *arena = encoder->retyping.arena;
  uint64_t mask = pool->alignment - 1, size = (pool->size + mask) & ~mask;
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i) {
    const gmem_region_names_t *names = &gmem_region_names[i];
    if (pool->base == GMEM_NO_BASE || !gmem_string_is(pool->name, names->pool))
      continue;
    GMEM_APPEND(arena, &encoder->attributes,
                (scope_attribute_t){scope, names->base, pool->base});
    GMEM_APPEND(arena, &encoder->attributes,
                (scope_attribute_t){scope, names->size, size});
  }
}

//===--- the pass ---------------------------------------------------------===//

static gmem_status_t encode_scope(gmem_scope_plan_t *plan,
                                  const gmem_op_models_t *models, void *user,
                                  gmem_diag_t *diag) {
  (void)models;
  encoder_t *encoder = user;
  const gmem_program_t *program = &plan->analysis.program;
  MlirType *types; // by value, or null
  GMEM_TRY_ALLOC(types, plan->analysis.arena, program->value_count, diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    GMEM_TRY(encode_value(plan, i, &types[i], diag));
  GMEM_TRY(gmem_retype_scope(&encoder->retyping, program, types, diag));
  if (has_module_attributes(program->scope))
    for (uint32_t i = 0; i < plan->pools.count; ++i)
      add_region(encoder, program->scope, &plan->pools.entries[i]);
  return gmem_bump_status(encoder->retyping.arena, diag);
}

static gmem_status_t encode_all(MlirOperation top, encoder_t *encoder,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  const gmem_plan_visit_t visit = {.use = encode_scope, .user = encoder};
  GMEM_TRY(gmem_for_each_plan_in(top, &visit, allocator, diag));
  GMEM_TRY(gmem_retype(&encoder->retyping, top, diag));
  for (size_t i = 0; i < encoder->attributes.count; ++i) {
    const scope_attribute_t *set = &encoder->attributes.at[i];
    mlirOperationSetDiscardableAttributeByName(
        set->scope, gmem_string(set->name),
        gmem_i64_attribute(mlirOperationGetContext(top), (int64_t)set->value));
  }
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
  gmem_status_t status = encode_all(top, &encoder, allocator, diag);
  gmem_bump_destroy(&arena);
  return status;
}
