// order_graph_test.c - what a graph may contain, what the checker refuses, and
// what the model counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/order_graph_test

#include <string.h>

#include "order_reference.h"

static gmem_order_graph_t *empty(uint32_t ops) {
  gmem_order_graph_t *graph = NULL;
  uint32_t id;
  CHECK(gmem_order_graph_create(NULL, &graph, NULL) == GMEM_OK);
  while (ops-- > 0)
    CHECK(gmem_order_add_op(graph, &(gmem_order_op_t){0}, &id, NULL) ==
          GMEM_OK);
  return graph;
}

static gmem_status_t add(gmem_order_graph_t *graph, uint64_t bytes,
                         uint32_t producer, uint32_t user, uint32_t view_of,
                         gmem_diag_t *diag) {
  uint32_t id, count = user != GMEM_ORDER_NONE;
  gmem_order_tensor_t tensor = {.bytes = bytes,
                                .producer = producer,
                                .users = &user,
                                .user_count = count,
                                .view_of = view_of};
  return gmem_order_add_tensor(graph, &tensor, &id, diag);
}

static void expect(gmem_status_t status, gmem_status_t wanted,
                   const gmem_diag_t *diag, const char *text) {
  CHECK(status == wanted);
  CHECK(strstr(diag->text, text) != NULL);
  if (!strstr(diag->text, text))
    fprintf(stderr, "'%s' has no '%s'\n", diag->text, text);
}

static void check_errors(void) {
  const uint32_t none = GMEM_ORDER_NONE;
  const gmem_status_t invalid = GMEM_ERR_INVALID_ARGUMENT;
  gmem_order_graph_t *graph = empty(3);
  gmem_diag_t diag = {0};
  expect(add(graph, 1, 3, none, none, &diag), invalid, &diag,
         "the producer 3 is not an op");
  expect(add(graph, 1, 0, 7, none, &diag), invalid, &diag,
         "the user 7 is not an op");
  expect(add(graph, 1, 1, 1, none, &diag), invalid, &diag,
         "not before it in the given order");
  expect(add(graph, 1, 1, 2, 0, &diag), invalid, &diag,
         "0 is not a tensor of the graph");
  CHECK(add(graph, 8, 0, 1, none, &diag) == GMEM_OK); // tensor 0
  expect(add(graph, 1, 2, none, 0, &diag), invalid, &diag,
         "does not use the tensor 0");
  expect(add(graph, GMEM_ORDER_MAX_BYTES, 1, 2, none, &diag),
         GMEM_ERR_OUT_OF_RANGE, &diag, "exceed");
  CHECK(gmem_order_tensor_count(graph) == 1);
  expect(gmem_order_add_edge(graph, 1, 1, &diag), invalid, &diag,
         "against the given order");
  expect(gmem_order_add_edge(graph, 1, 3, &diag), invalid, &diag,
         "3 is not an op");
  CHECK(add(graph, 8, 1, 2, none, &diag) == GMEM_OK);    // tensor 1
  CHECK(add(graph, 8, 1, 2, none, &diag) == GMEM_OK);    // tensor 2
  CHECK(add(graph, 8, 2, none, none, &diag) == GMEM_OK); // tensor 3
  gmem_order_reuse_t reuse = {.output = 1, .input = 1};
  expect(gmem_order_add_reuse(graph, &reuse, &diag), invalid, &diag,
         "is not a new output of an op that uses tensor 1");
  reuse = (gmem_order_reuse_t){.output = 1, .input = 9};
  expect(gmem_order_add_reuse(graph, &reuse, &diag), invalid, &diag,
         "9 is not a tensor");
  reuse = (gmem_order_reuse_t){.output = 1, .input = 0};
  CHECK(gmem_order_add_reuse(graph, &reuse, &diag) == GMEM_OK);
  reuse.output = 2;
  expect(gmem_order_add_reuse(graph, &reuse, &diag), invalid, &diag,
         "listed for several outputs of op 1");
  reuse = (gmem_order_reuse_t){.output = 3, .input = 1};
  CHECK(gmem_order_add_reuse(graph, &reuse, &diag) == GMEM_OK);
  reuse = (gmem_order_reuse_t){.output = 3, .input = 2, .is_part = true};
  expect(gmem_order_add_reuse(graph, &reuse, &diag), invalid, &diag,
         "has parts and inputs");
  reuse = (gmem_order_reuse_t){.output = 1, .input = 0};
  expect(gmem_order_add_reuse(graph, &reuse, &diag), invalid, &diag,
         "is added after one of op 2");
  gmem_order_graph_destroy(graph);
}

static void check_options(void) {
  gmem_order_graph_t *graph = empty(1);
  gmem_order_algorithm_t other = {"other", ""};
  gmem_diag_t diag = {0};
  uint32_t order[1];
  expect(gmem_order_solve(graph, &(gmem_order_options_t){.struct_size = 3},
                          order, NULL, &diag),
         GMEM_ERR_INVALID_ARGUMENT, &diag, "struct_size");
  expect(gmem_order_solve(graph, &(gmem_order_options_t){.algorithm = &other},
                          order, NULL, &diag),
         GMEM_ERR_INVALID_ARGUMENT, &diag, "options.algorithm");
  expect(gmem_order_solve(graph,
                          &(gmem_order_options_t){.effort = (gmem_effort_t)7},
                          order, NULL, &diag),
         GMEM_ERR_INVALID_ARGUMENT, &diag, "options.effort");
  CHECK(gmem_order_solve(graph, NULL, order, NULL, &diag) == GMEM_OK);
  gmem_order_graph_destroy(graph);
}

static void check_empty(void) {
  gmem_order_graph_t *graph = empty(0);
  gmem_order_figures_t figures;
  gmem_order_tensor_t input = {.bytes = 5,
                               .producer = GMEM_ORDER_NONE,
                               .is_kept = true,
                               .view_of = GMEM_ORDER_NONE};
  uint32_t order[1], id;
  CHECK(gmem_order_add_tensor(graph, &input, &id, NULL) == GMEM_OK);
  CHECK(gmem_order_solve(graph, NULL, order, &figures, NULL) == GMEM_OK);
  CHECK(figures.peak == 5 && figures.proved && figures.given_peak == 5);
  gmem_order_graph_destroy(graph);
}

// The checker against every single change of an order.
static void check_tampering(void) {
  uint64_t seed = 5;
  uint32_t refused = 0, accepted = 0;
  for (int round = 0; round < 200; ++round) {
    spec_t spec;
    gmem_order_graph_t *graph = NULL;
    gmem_diag_t diag;
    uint32_t order[SPEC_OPS];
    spec_of_edges(&spec, 8, spec_random(&seed) & ((1u << 28) - 1), &seed);
    spec_decorate(&spec, &seed);
    spec_check(spec_build(&spec, NULL, &graph, &diag), &diag);
    spec_check(gmem_order_solve(graph, NULL, order, NULL, &diag), &diag);
    reference_t r = reference_of(&spec);
    for (uint32_t a = 0; a < 8; ++a)
      for (uint32_t b = 0; b < a; ++b) {
        uint32_t swapped[SPEC_OPS], done = 0;
        uint64_t peak = 0;
        bool is_valid = true;
        memcpy(swapped, order, sizeof order);
        swapped[a] = order[b];
        swapped[b] = order[a];
        for (uint32_t p = 0; p < 8; ++p) {
          is_valid &= !(r.preds[swapped[p]] & ~done);
          done |= 1u << swapped[p];
        }
        gmem_status_t status = gmem_order_verify(graph, swapped, &peak, &diag);
        CHECK(status == (is_valid ? GMEM_OK : GMEM_ERR_INVALID_ARGUMENT));
        CHECK(!is_valid || peak == peak_of(&spec, swapped));
        refused += !is_valid;
        accepted += is_valid;
        swapped[a] = swapped[b]; // twice
        CHECK(gmem_order_verify(graph, swapped, &peak, &diag) ==
              GMEM_ERR_INVALID_ARGUMENT);
        swapped[a] = 8; // unknown
        CHECK(gmem_order_verify(graph, swapped, &peak, &diag) ==
              GMEM_ERR_INVALID_ARGUMENT);
      }
    gmem_order_graph_destroy(graph);
  }
  CHECK(refused > 100 && accepted > 100);
}

int main(void) {
  check_errors();
  check_options();
  check_empty();
  check_tampering();
  for (size_t i = 0; i < gmem_order_algorithm_count(); ++i)
    CHECK(gmem_order_algorithm_find(gmem_order_algorithm_at(i)->name) ==
          gmem_order_algorithm_at(i));
  CHECK(!gmem_order_algorithm_at(gmem_order_algorithm_count()));
  CHECK(!gmem_order_algorithm_find("best"));
  return CHECK_RESULT();
}
