// order_networks.h - larger graphs for the tests of orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_ORDER_NETWORKS_H_
#define GMEM_TEST_UNIT_ORDER_NETWORKS_H_

#include "check.h"
#include "gmem/order.h"

enum { MOST_NETWORK_OPS = 512, MOST_NETWORK_USERS = 16 };

// A graph before its tensors know their users.
typedef struct network_s {
  uint64_t bytes[MOST_NETWORK_OPS];
  uint32_t users[MOST_NETWORK_OPS][MOST_NETWORK_USERS];
  uint32_t user_count[MOST_NETWORK_OPS];
  uint32_t ops;
} network_t;

static void network_use(network_t *network, uint32_t producer, uint32_t user) {
  if (network->user_count[producer] < MOST_NETWORK_USERS)
    network->users[producer][network->user_count[producer]++] = user;
}

static gmem_order_graph_t *network_build(const network_t *network) {
  gmem_order_graph_t *graph = NULL;
  gmem_diag_t diag;
  uint32_t id;
  gmem_status_t status = gmem_order_graph_create(NULL, &graph, &diag);
  for (uint32_t op = 0; op < network->ops && status == GMEM_OK; ++op)
    status =
        gmem_order_add_op(graph, &(gmem_order_op_t){.name = "op"}, &id, &diag);
  for (uint32_t op = 0; op < network->ops && status == GMEM_OK; ++op)
    status = gmem_order_add_tensor(
        graph,
        &(gmem_order_tensor_t){.bytes = network->bytes[op],
                               .producer = op,
                               .users = network->users[op],
                               .user_count = network->user_count[op],
                               .is_kept = network->user_count[op] == 0,
                               .view_of = GMEM_ORDER_NONE},
        &id, &diag);
  CHECK(status == GMEM_OK);
  return graph;
}

static uint64_t network_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return *seed >> 33;
}

// |ops| ops in layers of |width|, each with one to three inputs from the layer
// before.
static gmem_order_graph_t *make_layers(uint32_t ops, uint32_t width,
                                       uint64_t seed) {
  network_t network = {.ops = ops};
  for (uint32_t op = 0; op < ops; ++op) {
    uint32_t layer = op / width, inputs = 1 + network_random(&seed) % 3;
    network.bytes[op] = 1 + network_random(&seed) % 64;
    for (uint32_t i = 0; layer > 0 && i < inputs; ++i)
      network_use(&network,
                  (layer - 1) * width + (uint32_t)network_random(&seed) % width,
                  op);
  }
  return network_build(&network);
}

// A fork, up to 16 branches of four ops with two hills each, and a join; all
// first ops are given first.
static gmem_order_graph_t *make_branches(uint32_t count) {
  static const uint64_t sizes[] = {30, 4, 40, 9};
  network_t network = {.ops = 1 + 4 * count + 1};
  network.bytes[0] = 16;
  network.bytes[network.ops - 1] = 1;
  for (uint32_t branch = 0; branch < count; ++branch)
    for (uint32_t i = 0; i < 4; ++i) {
      uint32_t op = 1 + i * count + branch;
      network.bytes[op] = sizes[i];
      network_use(&network, op, i == 3 ? network.ops - 1 : op + count);
    }
  for (uint32_t branch = 0; branch < count; ++branch)
    network_use(&network, 0, 1 + branch);
  return network_build(&network);
}

#endif // GMEM_TEST_UNIT_ORDER_NETWORKS_H_
