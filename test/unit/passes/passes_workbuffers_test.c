// passes_workbuffers_test.c - workbuffers from what a toolchain knows of its
// operators to the pointers that each of them gets at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_workbuffers_test

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gmem/planned_image.h"
#include "gmem/runtime.h"
#include "passes_program.h"

// Two layers that call one function, and an op that asks for nothing.
static const char network[] =
    "module {\n"
    "  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
    "    %w = \"npu.weight\"() {value = dense<1> : tensor<8xi8>}"
    " : () -> tensor<8xi8>\n"
    "    %0 = \"npu.conv\"(%x, %w) : (tensor<64xf32>, tensor<8xi8>)"
    " -> tensor<64xf32> loc(\"conv\")\n"
    "    %1 = func.call @layer(%0) : (tensor<64xf32>) -> tensor<64xf32>\n"
    "    %2 = func.call @layer(%1) : (tensor<64xf32>) -> tensor<64xf32>\n"
    "    return %2 : tensor<64xf32>\n"
    "  }\n"
    "  func.func private @layer(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
    "    %0 = \"npu.pool\"(%x) : (tensor<64xf32>) -> tensor<64xf32>"
    " loc(\"pool\")\n"
    "    return %0 : tensor<64xf32>\n"
    "  }\n"
    "}\n";

static MlirModule parse(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(network));
  CHECK(!mlirModuleIsNull(module));
  return module;
}

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            ref(name));
}

//===--- what operators want ----------------------------------------------===//

static const gmem_workbuffer_request_t of_conv[] = {
    {.size = 100, .alignment = 256},
    {.size = 0},
    {.size = 40, .immutable = true},
    {.size = 24, .threads = 3},
};
static const gmem_workbuffer_request_t of_pool[] = {{.size = 700}};

typedef struct questions_s {
  size_t count;
  bool fails;
} questions_t;

static gmem_status_t answer(void *user, MlirOperation op,
                            const gmem_workbuffer_request_t **out_requests,
                            size_t *out_count, gmem_diag_t *diag) {
  questions_t *questions = user;
  ++questions->count;
  CHECK(*out_count == 0 && diag);
  if (is_op(op, "npu.conv")) {
    *out_requests = of_conv;
    *out_count = 4;
  } else if (is_op(op, "npu.pool")) {
    *out_requests = of_pool;
    *out_count = 1;
    return questions->fails ? GMEM_ERR_NOT_FOUND : GMEM_OK;
  }
  return GMEM_OK;
}

static MlirWalkResult find_op(MlirOperation op, void *user) {
  MlirOperation *found = user;
  if (is_op(op, "npu.conv"))
    *found = op;
  return MlirWalkResultAdvance;
}

static MlirOperation find_conv(MlirModule module) {
  MlirOperation found = {NULL};
  mlirOperationWalk(mlirModuleGetOperation(module), find_op, &found,
                    MlirWalkPreOrder);
  return found;
}

static bool says(MlirOperation op, const char *text) {
  char *printed = program_print(op);
  bool found = strstr(printed, text) != NULL;
  free(printed);
  return found;
}

// Every op in a function is asked about once, functions and modules are not.
static void test_every_op_is_asked(MlirContext context) {
  MlirModule module = parse(context);
  questions_t questions = {0};
  CHECK(gmem_workbuffers_query(mlirModuleGetOperation(module), answer,
                               &questions, NULL) == GMEM_OK);
  CHECK(questions.count == 7);
  MlirOperation conv = find_conv(module);
  CHECK(says(conv, "gmem.workbuffers = [{alignment = 256 : i64, size = 100 : "
                   "i64}, {size = 0 : i64}, {kind = \"immutable\", size = 40 : "
                   "i64}, {size = 24 : i64, threads = 3 : i64}]"));
  mlirModuleDestroy(module);
}

// An answer of nothing takes back what was said before.
static void test_nothing_takes_it_back(MlirContext context) {
  MlirModule module = parse(context);
  MlirOperation conv = find_conv(module);
  CHECK(gmem_workbuffers_set(conv, of_pool, 1, NULL) == GMEM_OK);
  CHECK(says(conv, "size = 700"));
  CHECK(gmem_workbuffers_set(conv, NULL, 0, NULL) == GMEM_OK);
  CHECK(!says(conv, "gmem.workbuffers"));
  mlirModuleDestroy(module);
}

static void test_pools_are_stated(MlirContext context) {
  static const char *const pools[] = {"dtcm", "sram"};
  MlirModule module = parse(context);
  MlirOperation conv = find_conv(module);
  gmem_workbuffer_request_t request = {
      .size = 8, .pools = pools, .pool_count = 2};
  CHECK(gmem_workbuffers_set(conv, &request, 1, NULL) == GMEM_OK);
  CHECK(says(conv, "pools = [\"dtcm\", \"sram\"]"));
  mlirModuleDestroy(module);
}

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return mlirLogicalResultSuccess();
}

// What gmem-plan would refuse is refused here, and nothing has changed.
static void test_bad_requests(MlirContext context) {
  static const gmem_workbuffer_request_t bad[] = {
      {.size = UINT64_MAX},
      {.size = 1, .alignment = 3},
      {.size = 1, .alignment = UINT64_C(1) << 31},
      {.size = 1, .threads = 1025},
      {.size = 1, .threads = 2, .immutable = true},
      {.size = UINT64_C(1) << 62, .threads = 4},
  };
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
  MlirModule module = parse(context);
  MlirOperation conv = find_conv(module);
  CHECK(gmem_workbuffers_set(conv, of_pool, 1, NULL) == GMEM_OK);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    gmem_diag_t diag = {.status = GMEM_OK};
    gmem_status_t status = gmem_workbuffers_set(conv, &bad[i], 1, &diag);
    CHECK(status != GMEM_OK && diag.status == status);
    CHECK(strstr(diag.text, "workbuffer #0"));
    CHECK(says(conv, "size = 700"));
  }
  mlirModuleDestroy(module);
  mlirContextDetachDiagnosticHandler(context, handler);
}

// What the toolchain's function returns ends the query.
static void test_a_question_fails(MlirContext context) {
  MlirModule module = parse(context);
  questions_t questions = {.fails = true};
  CHECK(gmem_workbuffers_query(mlirModuleGetOperation(module), answer,
                               &questions, NULL) == GMEM_ERR_NOT_FOUND);
  CHECK(questions.count == 6);
  mlirModuleDestroy(module);
}

//===--- the plan ---------------------------------------------------------===//

static gmem_planned_t *plan_network(MlirModule module) {
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  CHECK(gmem_plan_options_set(&options, "alignment", "64", NULL) == GMEM_OK);
  questions_t questions = {0};
  CHECK(gmem_workbuffers_query(top, answer, &questions, NULL) == GMEM_OK);
  CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  CHECK(gmem_planned_read(top, NULL, &planned, NULL) == GMEM_OK);
  return planned;
}

static const gmem_planned_buffer_t *buffer_of(const gmem_planned_t *planned,
                                              size_t workbuffer) {
  return gmem_planned_buffer(
      planned, gmem_planned_workbuffer(planned, workbuffer)->buffer);
}

// Where each of them is, how large, for how many threads, and when.
static void test_planned_workbuffers(MlirContext context) {
  MlirModule module = parse(context);
  gmem_planned_t *planned = plan_network(module);
  CHECK(gmem_planned_workbuffer_count(planned) == 5);
  for (size_t i = 0; i < 5; ++i) {
    const gmem_planned_workbuffer_t *entry =
        gmem_planned_workbuffer(planned, i);
    const gmem_planned_buffer_t *buffer = buffer_of(planned, i);
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
    CHECK(entry->number == i % 4);
    CHECK(buffer->flags & GMEM_PLANNED_WORKBUFFER);
    CHECK(pool->constant == (i == 2) && entry->immutable == (i == 2));
    CHECK(buffer->size == entry->threads * entry->thread_stride);
    CHECK(buffer->offset % buffer->alignment == 0);
    // The layer runs twice.
    CHECK(entry->step_count == (i == 4 ? 2 : 1));
    CHECK(buffer->range_count == entry->step_count);
  }
  CHECK(strcmp(buffer_of(planned, 0)->name, "conv#wb0") == 0);
  CHECK(buffer_of(planned, 0)->alignment == 256);
  CHECK(buffer_of(planned, 0)->size == 100 && buffer_of(planned, 1)->size == 0);
  const gmem_planned_workbuffer_t *threads =
      gmem_planned_workbuffer(planned, 3);
  CHECK(threads->threads == 3 && threads->thread_size == 24 &&
        threads->thread_stride == 64);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
}

//===--- at run time ------------------------------------------------------===//

typedef struct device_s {
  gmem_plan_t *plan;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_op_t conv, layers[2]; // steps
  unsigned fills;            // of immutable workbuffers
} device_t;

enum { TABLE = 0x5A };

static gmem_status_t fill_table(void *user, gmem_buffer_t id, void *dst,
                                uint64_t size, gmem_diag_t *diag) {
  (void)id;
  (void)diag;
  ++((device_t *)user)->fills;
  CHECK(size == 40);
  memset(dst, TABLE, (size_t)size);
  return GMEM_OK;
}

// The network as an image, mapped with room for two requests.
static void open_device(MlirContext context, device_t *device) {
  MlirModule module = parse(context);
  gmem_planned_t *planned = plan_network(module);
  void *image = NULL;
  size_t size = 0;
  gmem_diag_t diag = {.text = ""};
  *device = (device_t){.plan = NULL};
  device->conv = (gmem_op_t)gmem_planned_workbuffer(planned, 0)->steps[0];
  for (int i = 0; i < 2; ++i)
    device->layers[i] =
        (gmem_op_t)gmem_planned_workbuffer(planned, 4)->steps[i];
  const gmem_planned_image_options_t no_weights = {
      sizeof no_weights, GMEM_IMAGE_WEIGHTS_NONE, NULL};
  const gmem_planned_image_options_t of_another_size = {
      sizeof no_weights - 1, GMEM_IMAGE_WEIGHTS_NONE, NULL};
  CHECK(gmem_planned_image_write(planned, &of_another_size, &image, &size,
                                 &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(!image && size == 0 && strstr(diag.text, "struct_size"));
  CHECK(gmem_planned_image_write(planned, &no_weights, &image, &size, &diag) ==
        GMEM_OK);
  CHECK(gmem_plan_load_memory(image, size, 0, NULL, &device->plan, &diag) ==
        GMEM_OK);
  gmem_plan_data_free(NULL, image, size);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
  gmem_model_sources_t sources = {
      .struct_size = sizeof sources, .user = device, .work = fill_table};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 2};
  CHECK(gmem_provider_mmap(NULL, NULL, &device->provider) == GMEM_OK);
  CHECK(gmem_model_create(device->plan, &device->provider, &sources, NULL,
                          &device->model, &diag) == GMEM_OK);
  CHECK(gmem_pool_create(device->model, &device->provider, &options, NULL,
                         &device->pool, &diag) == GMEM_OK);
}

static void close_device(device_t *device) {
  gmem_pool_release(device->pool);
  gmem_model_release(device->model);
  gmem_provider_destroy(&device->provider);
  gmem_plan_release(device->plan);
}

static gmem_lease_t *begin(const device_t *device) {
  gmem_lease_t *lease = NULL;
  CHECK(gmem_lease_acquire(device->pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER,
                           &lease) == GMEM_OK);
  return lease;
}

// Every op gets its own pointers, as many as it asked for, in its order; one
// that asked for nothing gets none.
static void test_ops_get_their_pointers(MlirContext context) {
  device_t device;
  open_device(context, &device);
  gmem_lease_t *lease = begin(&device);
  void *pointers[8];
  uint32_t count = 0;
  CHECK(gmem_lease_workbuffers(lease, device.conv, 8, pointers, &count) ==
        GMEM_OK);
  CHECK(count == 4);
  CHECK((uintptr_t)pointers[0] % 256 == 0);
  CHECK((uintptr_t)pointers[3] % 64 == 0);
  CHECK(pointers[0] != pointers[3]);
  void *layer[2] = {NULL, NULL};
  for (int i = 0; i < 2; ++i)
    CHECK(gmem_lease_workbuffers(lease, device.layers[i], 1, &layer[i],
                                 &count) == GMEM_OK &&
          count == 1);
  CHECK(layer[0] == layer[1]); // one place, at both of its steps
  CHECK(gmem_lease_workbuffers(lease, 0, 8, pointers, &count) == GMEM_OK &&
        count == 0);
  gmem_lease_release(lease);
  close_device(&device);
}

// At the step of an op nothing else that is live has a byte of its workbuffers.
static void test_they_overlap_nothing_live(MlirContext context) {
  device_t device;
  open_device(context, &device);
  uint32_t buffers = gmem_plan_buffer_count(device.plan);
  gmem_buffer_t work = gmem_plan_find(device.plan, "conv#wb0");
  gmem_buffer_info_t own, other;
  CHECK(gmem_plan_buffer(device.plan, work, &own) == GMEM_OK);
  CHECK(own.first_op == device.conv && own.last_op == device.conv);
  for (gmem_buffer_t i = 0; i < buffers; ++i) {
    CHECK(gmem_plan_buffer(device.plan, i, &other) == GMEM_OK);
    bool is_live = other.range_count && other.region == own.region &&
                   other.first_op <= device.conv &&
                   device.conv <= other.last_op;
    CHECK(i == work || !is_live || other.offset >= own.offset + own.size ||
          own.offset >= other.offset + other.size);
  }
  close_device(&device);
}

// Thread i of an op has the bytes that were asked for, which no other thread
// has a cache line of.
static void test_threads_have_their_own(MlirContext context) {
  device_t device;
  open_device(context, &device);
  gmem_lease_t *lease = begin(&device);
  gmem_buffer_t work = gmem_plan_find(device.plan, "conv#wb3");
  uint8_t *last = NULL;
  for (uint32_t i = 0; i < 3; ++i) {
    void *part = NULL;
    uint64_t size = 0;
    CHECK(gmem_lease_thread_scratch(lease, work, i, &part, &size) == GMEM_OK);
    CHECK(size >= 24 && (uintptr_t)part % 64 == 0);
    CHECK(!last || (uint8_t *)part - last >= 64);
    memset(part, (int)i, 24);
    last = part;
  }
  void *part;
  uint64_t size;
  CHECK(gmem_lease_thread_scratch(lease, work, 3, &part, &size) ==
        GMEM_ERR_OUT_OF_RANGE);
  gmem_lease_release(lease);
  close_device(&device);
}

typedef struct request_s {
  const device_t *device;
  pthread_barrier_t *barrier;
  void *pointers[4];
  uint8_t mark;
} request_t;

// Writes its mark everywhere, and finds it when the other has written, too.
static void *run_request(void *user) {
  request_t *request = user;
  gmem_lease_t *lease = begin(request->device);
  uint32_t count = 0;
  CHECK(gmem_lease_workbuffers(lease, request->device->conv, 4,
                               request->pointers, &count) == GMEM_OK);
  memset(request->pointers[0], request->mark, 100);
  memset(request->pointers[3], request->mark, 3 * 64);
  pthread_barrier_wait(request->barrier);
  for (int i = 0; i < 100; ++i)
    CHECK(((uint8_t *)request->pointers[0])[i] == request->mark);
  for (int i = 0; i < 3 * 64; ++i)
    CHECK(((uint8_t *)request->pointers[3])[i] == request->mark);
  for (int i = 0; i < 40; ++i)
    CHECK(((uint8_t *)request->pointers[2])[i] == TABLE);
  pthread_barrier_wait(request->barrier);
  gmem_lease_release(lease);
  return NULL;
}

// Two requests at once: mutable ones are each request's own, immutable ones the
// same for both, and filled once, when the network was loaded.
static void test_requests_in_parallel(MlirContext context) {
  device_t device;
  open_device(context, &device);
  CHECK(device.fills == 1);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 2);
  request_t requests[2] = {{&device, &barrier, {NULL}, 1},
                           {&device, &barrier, {NULL}, 2}};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run_request, &requests[0]) == 0);
  run_request(&requests[1]);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&barrier);
  CHECK(requests[0].pointers[0] != requests[1].pointers[0]);
  CHECK(requests[0].pointers[3] != requests[1].pointers[3]);
  CHECK(requests[0].pointers[2] == requests[1].pointers[2]);
  CHECK(device.fills == 1);
  close_device(&device);
}

// What runs after the call that began it keeps the request's workbuffers until
// it is done itself.
static void test_kept_until_the_last_is_done(MlirContext context) {
  device_t device;
  open_device(context, &device);
  gmem_lease_t *lease = begin(&device);
  void *first[4], *other[4];
  uint32_t count;
  CHECK(gmem_lease_workbuffers(lease, device.conv, 4, first, &count) ==
        GMEM_OK);
  gmem_lease_retain(lease);  // a kernel in flight
  gmem_lease_release(lease); // who began it is done
  memset(first[0], 7, 100);
  gmem_lease_t *next = begin(&device);
  CHECK(gmem_lease_workbuffers(next, device.conv, 4, other, &count) == GMEM_OK);
  memset(other[0], 8, 100);
  CHECK(*(uint8_t *)first[0] == 7);
  gmem_lease_release(next);
  gmem_lease_release(lease);
  close_device(&device);
}

int main(void) {
  MlirContext context = program_context();
  test_every_op_is_asked(context);
  test_nothing_takes_it_back(context);
  test_pools_are_stated(context);
  test_bad_requests(context);
  test_a_question_fails(context);
  test_planned_workbuffers(context);
  test_ops_get_their_pointers(context);
  test_they_overlap_nothing_live(context);
  test_threads_have_their_own(context);
  test_requests_in_parallel(context);
  test_kept_until_the_last_is_done(context);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
