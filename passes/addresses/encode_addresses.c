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

#include <string.h>

#include "address_types.h"
#include "diagnostics.h"
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
  scope_attribute_t *attributes;
  size_t attribute_count, attribute_room;
} encoder_t;

// State of one scope.
typedef struct encoding_s {
  const gmem_scope_plan_t *plan;
  MlirType *types; // by value: the type with the address, or null
  gmem_diag_t *diag;
} encoding_t;

static gmem_status_t refuse_value(const encoding_t *encoding, uint32_t value,
                                  const char *what) {
  const gmem_program_t *program = &encoding->plan->analysis.program;
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  return gmem_error_at(encoding->diag, GMEM_ERR_INVALID_ARGUMENT,
                       gmem_value_location(program, value), "%s %s", name,
                       what);
}

static gmem_status_t encode_value(encoding_t *encoding, uint32_t value) {
  const gmem_value_place_t *place = &encoding->plan->places[value];
  MlirType type =
      mlirValueGetType(encoding->plan->analysis.program.values[value].value);
  if (!gmem_has_place(place))
    return GMEM_OK;
  if (!mlirTypeIsARankedTensor(type))
    return refuse_value(
        encoding, value,
        "is not a ranked tensor: its type cannot hold an address");
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return refuse_value(
        encoding, value,
        "has an encoding in its type already: it cannot hold an "
        "address");
  uint64_t base = encoding->plan->pools.entries[place->pool].base;
  if (base == GMEM_NO_BASE)
    return refuse_value(
        encoding, value,
        "is in a pool without a base address: plan with tensor-base");
  if ((uint64_t)place->payload > GMEM_MAX_ADDRESS - base)
    return refuse_value(encoding, value, "has an address of more than 63 bits");
  encoding->types[value] = gmem_type_with_address(
      type, base + (uint64_t)place->payload, encoding->plan->analysis.arena);
  return mlirTypeIsNull(encoding->types[value])
             ? gmem_out_of_memory(encoding->diag)
             : GMEM_OK;
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

static bool add_attribute(encoder_t *encoder, MlirOperation scope,
                          const char *name, uint64_t value) {
  if (!gmem_bump_grow(encoder->retyping.arena, &encoder->attributes,
                      encoder->attribute_count, &encoder->attribute_room,
                      sizeof *encoder->attributes))
    return false;
  encoder->attributes[encoder->attribute_count++] =
      (scope_attribute_t){scope, name, value};
  return true;
}

// Lists the attributes of the memory regions that correspond to |pool|. Sizes
// are rounded up to the alignment, as the compilers that read them expect.
static bool add_region(encoder_t *encoder, MlirOperation scope,
                       const gmem_pool_entry_t *pool) {
  uint64_t mask = pool->alignment - 1;
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i) {
    const gmem_region_names_t *names = &gmem_region_names[i];
    if (pool->base != GMEM_NO_BASE && gmem_string_is(pool->name, names->pool) &&
        (!add_attribute(encoder, scope, names->base, pool->base) ||
         !add_attribute(encoder, scope, names->size,
                        (pool->size + mask) & ~mask)))
      return false;
  }
  return true;
}

static void set_attribute(const scope_attribute_t *attribute) {
  MlirType i64 =
      mlirIntegerTypeGet(mlirOperationGetContext(attribute->scope), 64);
  mlirOperationSetDiscardableAttributeByName(
      attribute->scope, gmem_string(attribute->name),
      mlirIntegerAttrGet(i64, (int64_t)attribute->value));
}

//===--- the pass ---------------------------------------------------------===//

static gmem_status_t encode_scope(gmem_scope_plan_t *plan,
                                  const gmem_op_models_t *models, void *user,
                                  gmem_diag_t *diag) {
  (void)models;
  encoder_t *encoder = user;
  encoding_t encoding = {.plan = plan, .diag = diag};
  const gmem_program_t *program = &plan->analysis.program;
  GMEM_TRY_ALLOC(encoding.types, plan->analysis.arena, program->value_count,
                 diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    GMEM_TRY(encode_value(&encoding, i));
  GMEM_TRY(
      gmem_retype_scope(&encoder->retyping, program, encoding.types, diag));
  if (!has_module_attributes(program->scope))
    return GMEM_OK;
  for (uint32_t i = 0; i < plan->pools.count; ++i)
    if (!add_region(encoder, program->scope, &plan->pools.entries[i]))
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
  gmem_status_t status = gmem_for_each_plan_in(
      top, &(gmem_plan_visit_t){.use = encode_scope, .user = &encoder},
      allocator, diag);
  if (status == GMEM_OK)
    status = gmem_retype(&encoder.retyping, top, diag);
  for (size_t i = 0; i < encoder.attribute_count && status == GMEM_OK; ++i)
    set_attribute(&encoder.attributes[i]);
  gmem_bump_destroy(&arena);
  return status;
}
