// nano_compile.c NETWORK MODELS IMAGE PROGRAM - a compiler's back end: plans
// the network, writes its plan image with the weights, and the instructions of
// the accelerator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "gmem/planned_image.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/IR.h"
#include "nano.h"

typedef struct generator_s {
  const gmem_planned_t *planned;
  MlirSymbolTable symbols;
  FILE *program;
  int64_t step; // of the op before
} generator_t;

static MlirStringRef text(const char *chars) {
  return mlirStringRefCreateFromCString(chars);
}

static MlirBlock body(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

static bool is(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            text(name));
}

static void emit(generator_t *to, nano_instruction_t instruction) {
  fwrite(&instruction, sizeof instruction, 1, to->program);
}

// An instruction that takes no more than this.
static void emit_simple(generator_t *to, uint32_t opcode, uint64_t count,
                        uint64_t out, uint64_t a) {
  emit(to, (nano_instruction_t){opcode, .count = count, .out = out, .a = a});
}

static void emit_step(generator_t *to, int64_t step) {
  emit_simple(to, NANO_STEP, (uint64_t)step, 0, 0);
  to->step = step;
}

//===--- copies -----------------------------------------------------------===//

// The copies that control flow makes before the op, or when it ends. Copies in
// a cycle read all their sources before they write: by way of the local memory.
static void emit_copies(generator_t *to, MlirOperation op, bool is_end) {
  size_t count;
  const gmem_planned_flow_copy_t *at =
      gmem_planned_flow_copies_of(to->planned, op, is_end, &count);
  for (size_t i = 0; i < count; ++i)
    emit_simple(to, at[i].cycle ? NANO_PUSH : NANO_COPY, at[i].size,
                at[i].to_address, at[i].from_address);
  for (size_t i = count; i-- > 0;)
    if (at[i].cycle)
      emit_simple(to, NANO_POP, at[i].size, at[i].to_address, 0);
}

//===--- ops --------------------------------------------------------------===//

static gmem_planned_place_t place(const generator_t *to, MlirValue value) {
  return gmem_planned_value(to->planned, value);
}

// What is not in place already is copied.
static void emit_concat(generator_t *to, MlirOperation op) {
  uint64_t out = place(to, mlirOperationGetResult(op, 0)).address;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    gmem_planned_place_t part = place(to, mlirOperationGetOperand(op, i));
    if (part.address != out)
      emit_simple(to, NANO_COPY, part.size, out, part.address);
    out += part.size;
  }
}

static void emit_compute(generator_t *to, MlirOperation op, uint32_t opcode) {
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b =
      mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  MlirType type = mlirValueGetType(b);
  gmem_planned_place_t out = place(to, mlirOperationGetResult(op, 0));
  emit(to, (nano_instruction_t){
               .opcode = opcode,
               .inner = (uint32_t)mlirShapedTypeGetDimSize(type, 0),
               .columns = (uint32_t)mlirShapedTypeGetDimSize(type, 1),
               .count = out.size / sizeof(int32_t),
               .out = out.address,
               .a = place(to, a).address,
               .b = place(to, b).address});
}

static void emit_block(generator_t *to, MlirBlock block);

static void emit_op(generator_t *to, MlirOperation op) {
  const gmem_planned_span_t *span =
      gmem_planned_span_of(to->planned, op, to->step);
  emit_step(to, span->begin);
  emit_copies(to, op, false);
  if (is(op, "func.call")) {
    MlirAttribute name = mlirOperationGetAttributeByName(op, text("callee"));
    emit_block(to, body(mlirSymbolTableLookup(
                       to->symbols, mlirFlatSymbolRefAttrGetValue(name))));
  } else if (is(op, "nano.repeat")) {
    MlirAttribute count = mlirOperationGetAttributeByName(op, text("count"));
    uint64_t times = (uint64_t)mlirIntegerAttrGetValueInt(count);
    emit_simple(to, NANO_REPEAT, times, 0, 0);
    emit_block(to, body(op));
    emit_simple(to, NANO_END, 0, 0, 0);
  } else if (is(op, "nano.concat")) {
    emit_concat(to, op);
  } else if (is(op, "nano.matmul")) {
    emit_compute(to, op, NANO_MATMUL);
  } else if (is(op, "nano.add") || is(op, "nano.relu")) {
    emit_compute(to, op, is(op, "nano.add") ? NANO_ADD : NANO_RELU);
  }
  if (span->end - 1 > to->step)
    emit_step(to, span->end - 1);
  emit_copies(to, op, true);
}

static void emit_block(generator_t *to, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    emit_op(to, op);
}

//===--- files ------------------------------------------------------------===//

// Writes the instructions of @main, whose inputs are written at its first step.
static void write_program(const gmem_planned_t *planned, MlirOperation module,
                          FILE *file) {
  generator_t to = {planned, mlirSymbolTableCreate(module), file, 0};
  MlirOperation main = mlirSymbolTableLookup(to.symbols, text("main"));
  emit_step(&to, gmem_planned_span_of(planned, main, 0)->begin);
  emit_block(&to, body(main));
  mlirSymbolTableDestroy(to.symbols);
}

static gmem_status_t compile(MlirOperation module, const char *models,
                             FILE *image, FILE *program, gmem_diag_t *diag) {
  gmem_plan_options_t options;
  gmem_planned_t *planned;
  void *data;
  size_t size;
  gmem_plan_options_init(&options);
  options.weight_base = NANO_DDR_BASE; // tensors follow
  options.strict = true;
  GMEM_TRY(gmem_plan_options_set(&options, "op-models", models, diag));
  GMEM_TRY(gmem_plan_module(module, &options, NULL, diag));
  GMEM_TRY(gmem_planned_read_verified(module, NULL, &planned, diag));
  GMEM_TRY(gmem_planned_image_write(planned, NULL, &data, &size, diag));
  fwrite(data, 1, size, image); // the plan, and the bytes of the weights
  write_program(planned, module, program);
  gmem_plan_data_free(NULL, data, size);
  gmem_planned_destroy(planned);
  return GMEM_OK;
}

int main(int argc, char **argv) {
  gmem_diag_t diag = {.text = "a file cannot be read or written"};
  if (argc != 5)
    return fprintf(stderr, "usage: compile NETWORK MODELS IMAGE PROGRAM\n"), 2;
  MlirContext context = mlirContextCreate();
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  MlirModule module = mlirModuleCreateParseFromFile(context, text(argv[1]));
  FILE *image = fopen(argv[3], "wb"), *program = fopen(argv[4], "wb");
  if (!module.ptr || !image || !program ||
      compile(mlirModuleGetOperation(module), argv[2], image, program, &diag) ||
      ferror(image) || ferror(program) || fclose(image) || fclose(program))
    return fprintf(stderr, "compile: error: %s\n", diag.text), 1;
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
