// passes_proof_untracked_test.c - blocks that pass memrefs on to all others
// take sets of allocations that are linear together: they were quadratic. Where
// values of a graph lead, against a search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_proof_untracked_test

#include "check.h"
#include "mlir-c/RegisterEverything.h"
#include "passes_program.h"
#include "proof_memory.h"
#include "proof_places.h"
#include "proof_reach.h"

//===--- graphs -----------------------------------------------------------===//

enum { VALUES = 80, GRAPHS = 100 };

typedef struct graph_s {
  bool leads[VALUES][VALUES]; // by one link, then by any
  bool is_marked[VALUES];
  uint64_t random;
} graph_t;

static uint32_t draw(graph_t *graph, uint32_t below) {
  graph->random = graph->random * UINT64_C(6364136223846793005) + 1442695040;
  return (uint32_t)(graph->random >> 33) % below;
}

static void close_graph(graph_t *graph) {
  for (int via = 0; via < VALUES; ++via)
    for (int from = 0; from < VALUES; ++from)
      for (int to = 0; to < VALUES; ++to)
        graph->leads[from][to] |=
            graph->leads[from][via] && graph->leads[via][to];
}

// Whether |value| leads to the mark of another one.
static bool leads_to_mark(const graph_t *graph, int value) {
  for (int to = 0; to < VALUES; ++to)
    if (graph->leads[value][to] && graph->is_marked[to])
      return true;
  return graph->is_marked[value];
}

// Whether |reach| says that |from| leads to |to|, or is it.
static bool may_lead(const gmem_proof_reach_t *reach, int from, int to) {
  return reach->first[reach->rank[from] - 1][reach->path[to]] <=
         reach->place[to];
}

static void check_graph(const graph_t *graph, const gmem_proof_reach_t *reach,
                        const bool *is_marked) {
  for (int from = 0; from < VALUES; ++from) {
    int first = from - from % (VALUES / 2); // of its function
    CHECK(is_marked[from] == leads_to_mark(graph, from));
    for (int to = first; to < first + VALUES / 2 && reach->rank[from]; ++to)
      if (reach->rank[to] && reach->path[to] != GMEM_NO_INDEX)
        CHECK(may_lead(reach, from, to) ==
              (from == to || graph->leads[from][to]));
  }
}

typedef struct values_s {
  gmem_proof_value_t at[VALUES];
  gmem_proof_program_t program;
  gmem_csr_pairs_t links;
  gmem_proof_reach_t reach;
  bool is_marked[VALUES];
} values_t;

// The values of two functions.
static void begin_values(values_t *values) {
  *values = (values_t){0};
  for (int v = VALUES / 2; v < VALUES; ++v)
    values->at[v].function = 1;
  values->program.values.at = values->at;
  values->program.values.count = VALUES;
}

static void link(values_t *values, gmem_bump_t *arena, uint32_t from,
                 uint32_t to) {
  GMEM_APPEND(arena, &values->links, (gmem_csr_pair_t){from, to});
}

// Returns whether all is known.
static bool find_reach(values_t *values, gmem_bump_t *arena) {
  bool is_known = false;
  CHECK(gmem_proof_reach_find(&values->program, &values->links,
                              values->is_marked, arena, &values->reach,
                              &is_known, NULL) == GMEM_OK);
  return is_known;
}

// Graphs with up to |most| links of each value, and loops.
static void test_graphs(gmem_bump_t *arena, uint32_t most) {
  graph_t graph = {.random = most};
  values_t values;
  for (int i = 0; i < GRAPHS; ++i) {
    begin_values(&values);
    memset(graph.leads, 0, sizeof graph.leads);
    for (uint32_t v = 0; v < VALUES; ++v)
      for (uint32_t left = draw(&graph, most + 1); left > 0; --left) {
        uint32_t to = v - v % (VALUES / 2) + draw(&graph, VALUES / 2);
        link(&values, arena, v, to);
        graph.leads[v][to] = true;
      }
    for (uint32_t v = 0; v < VALUES; ++v)
      values.is_marked[v] = graph.is_marked[v] = draw(&graph, 16) == 0;
    close_graph(&graph);
    CHECK(find_reach(&values, arena));
    for (int v = 0; v < VALUES; ++v)
      graph.is_marked[v] |=
          values.reach.rank[v] && values.reach.path[v] == GMEM_NO_INDEX;
    check_graph(&graph, &values.reach, values.is_marked);
  }
}

// One value leads to more values than there are paths: to those without, too.
static void test_paths(gmem_bump_t *arena) {
  enum { COUNT = GMEM_PROOF_PATHS + 4 };
  values_t values;
  int marked = 0;
  begin_values(&values);
  for (uint32_t v = 1; v <= COUNT; ++v)
    link(&values, arena, 0, v);
  CHECK(find_reach(&values, arena));
  for (int v = 1; v <= COUNT; ++v)
    marked += values.is_marked[v];
  CHECK(marked == 4 && values.is_marked[0]);
}

// Loops that overlap, each of which leads |back| by so many values, from each
// value or from each other one: what leads back by single steps takes too many
// rounds.
static void test_rounds(gmem_bump_t *arena, uint32_t back, uint32_t step,
                        bool is_known) {
  values_t values;
  begin_values(&values);
  for (uint32_t v = 0; v < VALUES; ++v) {
    values.at[v].function = 0;
    if (v + 1 < VALUES)
      link(&values, arena, v, v + 1);
    if (v >= back && v % step == 0)
      link(&values, arena, v, v - back);
  }
  CHECK(find_reach(&values, arena) == is_known);
  for (int v = 0; v < VALUES && is_known; ++v)
    CHECK(may_lead(&values.reach, v, 0));
}

//===--- blocks -----------------------------------------------------------===//

static void append(program_text_t *text, const char *format, int a, int b,
                   int c) {
  char line[512];
  snprintf(line, sizeof line, format, a, b, c);
  program_append(ref(line), text);
}

// Each block passes the memref that it allocates, in bytes of its own, and one
// of its arguments to the next block, and back by five.
static char *make_blocks(int count) {
  program_text_t text = {NULL, 0};
  append(&text,
         "module attributes {gmem.plan = {keep_inputs = false}, "
         "gmem.pool_table = [{kind = \"workspace\", name = \"memory\", "
         "size = %d : i64}]} {\n"
         "func.func @net(%%a: memref<16xf32>, %%c: i1) {\n"
         "  cf.br ^b0(%%a, %%a : memref<16xf32>, memref<16xf32>)\n",
         64 * count, 0, 0);
  for (int i = 0; i < count; ++i) {
    int back = i < 5 ? 0 : i - 5;
    append(&text, "^b%d(%%x%d: memref<16xf32>, ", i, i, 0);
    append(&text,
           "%%y%d: memref<16xf32>):\n  %%z%d = memref.alloc() {gmem.offset = "
           "array<i64: %d>, gmem.pool = [\"memory\"], gmem.size = array<i64: "
           "64>} : memref<16xf32>\n",
           i, i, 64 * i);
    append(&text,
           "  memref.copy %%x%d, %%z%d : memref<16xf32> to memref<16xf32>\n"
           "  cf.cond_br %%c, ^b%d(",
           i, i, i + 1);
    append(&text, "%%y%d, %%z%d : memref<16xf32>, memref<16xf32>), ^b%d(", i, i,
           back);
    append(&text, "%%z%d, %%x%d : memref<16xf32>, memref<16xf32>)\n", i, i, 0);
  }
  append(&text,
         "^b%d(%%x: memref<16xf32>, %%y: memref<16xf32>):\n  return\n}\n}\n",
         count, 0, 0);
  return text.bytes;
}

// The first block passes its allocation to the last one, from which the
// argument gets back to the first one by steps that take too many rounds.
static char *make_steps(int count) {
  program_text_t text = {NULL, 0};
  append(&text,
         "module attributes {gmem.plan = {keep_inputs = false}, "
         "gmem.pool_table = [{kind = \"workspace\", name = \"memory\", "
         "size = %d : i64}]} {\n"
         "func.func @net(%%a: memref<16xf32>, %%c: i1) {\n"
         "  cf.br ^b0(%%a : memref<16xf32>)\n"
         "^b0(%%x0: memref<16xf32>):\n  %%z = memref.alloc() {gmem.offset = "
         "array<i64: 0>, gmem.pool = [\"memory\"], gmem.size = array<i64: "
         "64>} : memref<16xf32>\n  cf.cond_br %%c, ^b1(%%x0 : "
         "memref<16xf32>), ^b%d(%%z : memref<16xf32>)\n",
         64, count, 0);
  for (int i = 1; i < count; ++i) {
    append(&text, "^b%d(%%x%d: memref<16xf32>):\n  cf.cond_br %%c, ^b%d", i, i,
           i + 1);
    append(&text, "(%%x%d : memref<16xf32>), ^b%d(%%x%d : memref<16xf32>)\n", i,
           i < 3   ? 0
           : i % 2 ? i + 1
                   : i - 3,
           i);
  }
  append(&text,
         "^b%d(%%y: memref<16xf32>):\n  cf.br ^b%d(%%y : memref<16xf32>)\n}\n"
         "}\n",
         count, count - 1, 0);
  return text.bytes;
}

typedef struct counts_s {
  size_t untracked;
  size_t sets; // the sizes of all sets of sites and of names
} counts_t;

static counts_t count_sets(MlirContext context, char *text) {
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  const gmem_op_models_t *models;
  const gmem_model_options_t options = {.memrefs = true};
  gmem_proof_program_t program;
  gmem_proof_memory_t memory;
  gmem_bump_t arena;
  counts_t counts = {0, 0};
  free(text);
  gmem_bump_init(&arena, NULL);
  CHECK(!mlirModuleIsNull(module));
  MlirOperation scope = mlirModuleGetOperation(module);
  CHECK(gmem_op_models_of_scope(scope, &gmem_built_in_models, &arena, &models,
                                NULL) == GMEM_OK);
  CHECK(gmem_proof_program_read(scope, models, &arena, &program, NULL) ==
        GMEM_OK);
  CHECK(gmem_proof_places_read(&program, &options, &arena, NULL) == GMEM_OK);
  CHECK(gmem_proof_memory_find(&program, &arena, &memory, NULL) == GMEM_OK);
  for (size_t v = 0; v < program.values.count; ++v) {
    counts.untracked += memory.is_untracked[v];
    counts.sets += memory.sites[v].count + memory.of[v].count;
  }
  gmem_bump_destroy(&arena);
  mlirModuleDestroy(module);
  return counts;
}

static void test_blocks(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  // The allocations of the first two blocks get back there.
  counts_t few = count_sets(context, make_blocks(100));
  counts_t many = count_sets(context, make_blocks(400));
  CHECK(few.untracked == 98 && many.untracked == 398);
  CHECK(many.sets < 5 * few.sets);
  CHECK(count_sets(context, make_steps(80)).untracked == 0);
  mlirContextDestroy(context);
}

int main(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  test_graphs(&arena, 1);
  test_graphs(&arena, 2);
  test_graphs(&arena, 4);
  test_paths(&arena);
  test_rounds(&arena, 2, 1, true);
  test_rounds(&arena, 3, 2, false);
  gmem_bump_destroy(&arena);
  test_blocks();
  return CHECK_RESULT();
}
