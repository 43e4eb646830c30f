// passes_memref_size_test.c - how many bytes an allocation of a memref takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no f6E2M3FN.
// RUN: %unit/passes_memref_size_test
//
// And against the real thing: the program prints a module that allocates
// COUNT elements of each type; lowered to LLVM, with the data layout of x86-64,
// its calls of malloc say how many bytes that takes.
// clang-format off
// RUN: %unit/passes_memref_size_test module > %t.mlir
// RUN: mlir-opt %t.mlir --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir > %t.ll
// RUN: opt %t.ll -O1 --data-layout=e-i64:64-i128:128-f80:128 -S | grep -oE "@malloc.i64 [0-9]+" | cut -d" " -f2 > %t.n
// RUN: %unit/passes_memref_size_test %t.n
// clang-format on

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "passes_program.h"
#include "type_size.h"

static gmem_type_kind_t size_of(MlirContext context, const char *text,
                                const gmem_type_bounds_t *bounds,
                                uint64_t *bytes) {
  MlirType type = mlirTypeParseGet(context, ref(text));
  CHECK(!mlirTypeIsNull(type));
  *bytes = 12345;
  return mlirTypeIsNull(type) ? GMEM_TYPE_TUPLE
                              : gmem_memref_size(type, bounds, bytes);
}

static void expect(MlirContext context, const char *text, uint64_t bytes) {
  uint64_t found;
  bool is_right =
      size_of(context, text, NULL, &found) == GMEM_TYPE_SIZED && found == bytes;
  if (!is_right)
    fprintf(stderr, "%s: %" PRIu64 " bytes\n", text, found);
  CHECK(is_right);
}

static void expect_kind(MlirContext context, const char *text,
                        gmem_type_kind_t kind) {
  uint64_t found;
  bool is_right = size_of(context, text, NULL, &found) == kind && found == 0;
  if (!is_right)
    fprintf(stderr, "%s: another kind, or a size\n", text);
  CHECK(is_right);
}

//===--- elements ---------------------------------------------------------===//

// What LLVM takes for one element. i65 and the like: on a target that aligns
// them to less than x86-64 it is less.
static const struct element_s {
  const char *type;
  uint64_t bytes;
  bool varies; // LLVM folds its size before it knows the target
} elements[] = {
    {"i1", 1, false},
    {"i4", 1, false},
    {"i7", 1, false},
    {"si8", 1, false},
    {"i16", 2, false},
    {"i17", 4, false},
    {"i24", 4, false},
    {"i33", 8, false},
    {"i48", 8, false},
    {"i65", 16, true},
    {"i100", 16, false},
    {"i128", 16, false},
    {"i129", 32, true},
    {"i257", 48, true},
    {"index", 8, false},
    {"f16", 2, false},
    {"bf16", 2, false},
    {"f32", 4, false},
    {"f64", 8, false},
    {"f80", 16, false},
    {"f128", 16, false},
    {"f8E4M3FN", 1, false},
    {"f6E2M3FN", 1, false},
    {"f4E2M1FN", 1, false},
    {"vector<f32>", 4, false},
    {"vector<3xf32>", 16, false},
    {"vector<2x3xf32>", 32, false},
    {"vector<5xindex>", 64, false},
    {"vector<3xi1>", 1, false},
    {"vector<12xi1>", 2, false},
    {"vector<2x2xi1>", 2, false},
    {"vector<100xi1>", 16, false},
    {"vector<17xi4>", 16, false},
    {"vector<3xi24>", 16, false},
    {"vector<3xf80>", 32, false},
    {"vector<3xf8E4M3FN>", 4, false},
    {"vector<3xi129>", 64, false},
    {"vector<9x3xf80>", 288, false},
    {"complex<f32>", 8, false},
    {"complex<bf16>", 4, false},
    {"complex<i1>", 2, false},
    {"complex<i4>", 2, false},
    {"complex<i24>", 8, false},
    {"complex<f80>", 32, false},
    {"memref<f32>", 24, false},
    {"memref<?x?xf32>", 56, false},
    {"memref<2xf32, strided<[?], offset: ?>>", 40, false},
    {"memref<*xf32>", 16, false},
    {"memref<2xmemref<3xf32>>", 40, false},
};

enum { ELEMENTS = sizeof elements / sizeof *elements, COUNT = 1000 };

static void test_elements(MlirContext context) {
  for (size_t i = 0; i < ELEMENTS; ++i) {
    char text[128];
    snprintf(text, sizeof text, "memref<%dx%s>", COUNT, elements[i].type);
    expect(context, text, COUNT * elements[i].bytes);
  }
  expect_kind(context, "memref<4xvector<[4]xf32>>", GMEM_TYPE_UNKNOWN_ELEMENT);
  expect_kind(context, "memref<4xtf32>", GMEM_TYPE_UNKNOWN_ELEMENT);
  expect_kind(context, "memref<4xcomplex<tf32>>", GMEM_TYPE_UNKNOWN_ELEMENT);
  expect_kind(context, "memref<4xi0>", GMEM_TYPE_UNKNOWN_ELEMENT);
}

static void print_module(void) {
  for (size_t i = 0; i < ELEMENTS; ++i)
    printf("func.func @f%zu() -> memref<%dx%s> {\n"
           "  %%0 = memref.alloc() : memref<%dx%s>\n"
           "  return %%0 : memref<%dx%s>\n}\n",
           i, COUNT, elements[i].type, COUNT, elements[i].type, COUNT,
           elements[i].type);
}

// An allocation may be some bytes longer, to be aligned, but not by COUNT.
static void compare(const char *path) {
  FILE *file = fopen(path, "r");
  uint64_t bytes;
  size_t count = 0;
  CHECK(file);
  while (file && count < ELEMENTS && fscanf(file, "%" SCNu64, &bytes) == 1) {
    const struct element_s *element = &elements[count++];
    bool is_right = element->varies ? bytes <= COUNT * element->bytes
                                    : bytes / COUNT == element->bytes;
    if (!is_right)
      fprintf(stderr, "%s: malloc of %" PRIu64 "\n", element->type, bytes);
    CHECK(is_right);
  }
  CHECK(count == ELEMENTS);
  if (file)
    fclose(file);
}

//===--- shapes and layouts -----------------------------------------------===//

static void test_layouts(MlirContext context) {
  // 1. Nothing, one, and empty whatever the others are.
  expect(context, "memref<f32>", 4);
  expect(context, "memref<0xf32>", 0);
  expect(context, "memref<9223372036854775807x9223372036854775807x0xf64>", 0);
  // 2. The last element counts, not the last row: no padding behind it.
  expect(context, "memref<3x4xf32, strided<[8, 1]>>", (2 * 8 + 3 + 1) * 4);
  expect(context, "memref<3x4xf32, strided<[8, 1], offset: 5>>",
         (5 + 2 * 8 + 3 + 1) * 4);
  expect(context, "memref<3x4xf32, strided<[1, 3]>>", 48);
  // 3. Strides of zero repeat elements, and overlapping rows share them.
  expect(context, "memref<1000x4xf32, strided<[0, 1]>>", 16);
  expect(context, "memref<3x4xf32, strided<[1, 1]>>", 6 * 4);
  expect(context,
         "memref<9223372036854775807x9223372036854775807xf32, "
         "strided<[0, 0]>>",
         4);
  // 4. An empty one takes nothing, also where it would begin far off.
  expect(context, "memref<0x4xf32, strided<[8, 1], offset: 5>>", 0);
  expect(context, "memref<0x4xf32, strided<[?, -1], offset: ?>>", 0);
  // 5. An affine map is its strides, if it has some: one with several results
  // has none to MLIR.
  expect_kind(context, "memref<3x4xf32, affine_map<(i, j) -> (j, i)>>",
              GMEM_TYPE_LAYOUT);
  expect(context, "memref<3x4xf32, affine_map<(i, j) -> (i * 8 + j + 2)>>",
         (2 + 2 * 8 + 3 + 1) * 4);
  expect_kind(context, "memref<8xf32, affine_map<(i) -> (i floordiv 4, i)>>",
              GMEM_TYPE_LAYOUT);
  expect_kind(context, "memref<8xf32, affine_map<(i) -> (i mod 4)>>",
              GMEM_TYPE_LAYOUT);
  // 6. Backwards, or not known: it cannot be said where it begins or ends. The
  // stride of one element does not matter.
  expect_kind(context, "memref<4xf32, strided<[-1], offset: 3>>",
              GMEM_TYPE_LAYOUT);
  expect_kind(context, "memref<4xf32, strided<[1], offset: -3>>",
              GMEM_TYPE_LAYOUT);
  expect_kind(context, "memref<4xf32, strided<[?]>>", GMEM_TYPE_LAYOUT);
  expect_kind(context, "memref<4xf32, strided<[1], offset: ?>>",
              GMEM_TYPE_LAYOUT);
  expect(context, "memref<1x4xf32, strided<[?, 1]>>", 16);
  // 7. Too large, each sum and product by itself.
  expect_kind(context, "memref<9223372036854775807x2xi8>", GMEM_TYPE_TOO_LARGE);
  expect_kind(context, "memref<9223372036854775807xi16>", GMEM_TYPE_TOO_LARGE);
  expect_kind(context,
              "memref<4611686018427387904x4611686018427387904xi8, "
              "strided<[1, 4611686018427387904]>>",
              GMEM_TYPE_TOO_LARGE);
  expect_kind(context,
              "memref<2xi8, strided<[1], offset: 9223372036854775807>>",
              GMEM_TYPE_TOO_LARGE);
  expect_kind(context,
              "memref<1xi8, strided<[1], offset: 9223372036854775807>>",
              GMEM_TYPE_TOO_LARGE);
  expect(context, "memref<1xi8, strided<[1], offset: 9223372036854775806>>",
         UINT64_C(9223372036854775807));
  // 8. What is no memref of known shape.
  expect_kind(context, "memref<*xf32>", GMEM_TYPE_DYNAMIC);
  expect_kind(context, "memref<4x?xf32>", GMEM_TYPE_DYNAMIC);
  expect_kind(context, "tensor<4xf32>", GMEM_TYPE_NO_MEMORY);
  expect_kind(context, "i32", GMEM_TYPE_NO_MEMORY);
}

static void test_bounds(MlirContext context) {
  static const int64_t dimensions[] = {4, -1};
  gmem_type_bounds_t one = {dimensions, 0}, both = {dimensions, 10};
  uint64_t bytes;
  CHECK(size_of(context, "memref<?x3xf32>", &one, &bytes) == GMEM_TYPE_SIZED &&
        bytes == 48);
  CHECK(size_of(context, "memref<?x?xf32>", &one, &bytes) == GMEM_TYPE_DYNAMIC);
  CHECK(size_of(context, "memref<?x?xf32>", &both, &bytes) == GMEM_TYPE_SIZED &&
        bytes == 160);
  CHECK(size_of(context, "memref<?x3xf32, strided<[7, 2], offset: 1>>", &one,
                &bytes) == GMEM_TYPE_SIZED &&
        bytes == (1 + 3 * 7 + 2 * 2 + 1) * 4);
  CHECK(size_of(context, "memref<?x?xf32, strided<[?, 1]>>", &both, &bytes) ==
        GMEM_TYPE_LAYOUT);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "module") == 0)
    return print_module(), 0;
  if (argc == 2)
    return compare(argv[1]), CHECK_RESULT();
  MlirContext context = program_context();
  test_elements(context);
  test_layouts(context);
  test_bounds(context);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
