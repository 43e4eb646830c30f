// plan.h - memory plans: loading, querying and writing plan images. C11 and
// C++17. Independent of MLIR, the planner and memory providers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_plan_t *plan = NULL;
//   gmem_diag_t diag;
//   if (gmem_plan_load_file("net.gmem", 0, NULL, &plan, &diag) != GMEM_OK)
//     fprintf(stderr, "%s\n", diag.text);
//   gmem_buffer_t id = gmem_plan_find(plan, "conv1");
//   gmem_buffer_info_t info;
//   if (gmem_plan_buffer(plan, id, &info) == GMEM_OK)
//     printf("%" PRIu64 "\n", info.offset);
//   gmem_plan_release(plan);
//
// A plan assigns each buffer an offset in a region and a set of live steps.
// Loading verifies it: two buffers that are live at the same step share no byte
// (aliases excepted), and every buffer lies inside its region and is aligned. A
// buffer is *live* at the steps where it owns its bytes: when the planner lets
// live values share bytes, exactly one of them owns the bytes at each step. The
// result of an in-place op becomes live one step after the op; a *view*, such
// as a slice of a tensor, is never live. A plan is immutable after loading, so
// any number of threads may query it without locking. docs/plan-image.md
// specifies the image format.

#ifndef GMEM_PLAN_H_
#define GMEM_PLAN_H_

#include <stdbool.h>

#include "gmem/copy_edge.h"
#include "gmem/status.h"

GMEM_BEGIN_C

// The name of the enumerator, for example "GMEM_ERR_BUSY", or
// "GMEM_ERR_UNKNOWN" for any other value; never NULL. Any thread.
const char *gmem_status_name(gmem_status_t status);

// Version of the library: (major << 16) | (minor << 8) | patch. Any thread.
uint32_t gmem_version(void);

//===--- vocabulary -------------------------------------------------------===//

typedef struct gmem_plan_s gmem_plan_t; // counted, immutable
typedef uint32_t gmem_buffer_t;         // dense ids, 0-based
typedef uint32_t gmem_region_t;         // dense ids, 0-based
typedef uint32_t gmem_op_t;             // a step of the program, 0-based
typedef uint32_t gmem_group_t;          // dense ids, 0-based
#define GMEM_NONE UINT32_MAX

// Limits of an image; loading and writing fail beyond them.
#define GMEM_PLAN_MAX_REGIONS UINT32_C(64)
#define GMEM_PLAN_MAX_BUFFERS (UINT32_C(1) << 24)
#define GMEM_PLAN_MAX_RANGES (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_OPS (UINT32_C(1) << 24)
#define GMEM_PLAN_MAX_GROUPS (UINT32_C(1) << 16)
#define GMEM_PLAN_MAX_MEMBERS (UINT32_C(1) << 26) // of all groups together
#define GMEM_PLAN_MAX_WORKBUFFERS (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_RELOCS (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_COPIES (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_SPANS (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_TRANSFORMS (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_DIMENSIONS (UINT32_C(1) << 26)
#define GMEM_PLAN_MAX_RANK 16            // dimensions of a buffer
#define GMEM_PLAN_MAX_NAME UINT32_C(255) // bytes
#define GMEM_PLAN_MAX_THREADS UINT32_C(1024)
#define GMEM_PLAN_MAX_ALIGNMENT (UINT32_C(1) << 30)
#define GMEM_PLAN_MAX_FILE (UINT64_C(1) << 40) // bytes
#define GMEM_PLAN_MAX_ADDRESS ((uint64_t)INT64_MAX)
#define GMEM_PLAN_DIGEST_SIZE 32

// The use of a buffer, which determines how long its bytes must be preserved.
// WEIGHT, SHARED_WORK and STATE buffers hold a value at every step, so their
// bytes are never shared, whatever their live ranges are. WEIGHT and
// SHARED_WORK values are shared by all requests. STATE is zero when a lease
// begins and keeps its contents through all steps, however often they run,
// until the lease ends.
typedef enum gmem_space_e {
  GMEM_SPACE_WEIGHT = 0,      // read-only after load, shared by all requests
  GMEM_SPACE_SHARED_WORK = 1, // immutable workbuffers, initialised at load
  GMEM_SPACE_ACTIVATION = 2,  // mutable, one copy per slot
  GMEM_SPACE_IO = 3,          // per slot: inputs and outputs of a request
  GMEM_SPACE_STATE = 4,       // per slot, mutable, kept across steps
} gmem_space_t;

enum {
  GMEM_BUFFER_INPUT = 1u << 0,
  GMEM_BUFFER_OUTPUT = 1u << 1,
  GMEM_BUFFER_IMPORTABLE = 1u << 2, // may use the caller's memory
  GMEM_BUFFER_SENSITIVE = 1u << 3,  // zeroed before its slot is used again
};

// Half-open interval [begin, end) of steps, begin < end.
typedef struct gmem_op_range_s {
  gmem_op_t begin;
  gmem_op_t end;
} gmem_op_range_t;

// A contiguous range of memory, mapped as a whole. A region whose space is
// WEIGHT or SHARED_WORK exists once per model and holds only buffers of these
// two spaces; any other region exists once per slot and holds the rest.
typedef struct gmem_region_info_s {
  const char *name;   // unique among the regions, not empty
  gmem_space_t space; // main use; see above
  uint64_t base;      // planned address of offset 0; a multiple of |align|
  uint64_t size;      // bytes
  uint64_t align;     // power of two, at most GMEM_PLAN_MAX_ALIGNMENT
} gmem_region_info_t;

typedef struct gmem_buffer_info_s {
  const char *name;     // unique among the buffers, not empty
  uint64_t offset;      // bytes from the start of its region
  uint64_t size;        // bytes, padding included; may be 0
  uint64_t payload;     // bytes without padding, from |payload_offset| on
  uint64_t align;       // power of two; of region base + offset
  gmem_region_t region; // index of the region in the plan
  gmem_space_t space;   // use of the buffer
  gmem_op_t first_op;   // hull of |ranges|, inclusive; both are GMEM_NONE
  gmem_op_t last_op;    //   if there are no ranges. Ignored on writing
  const gmem_op_range_t *ranges; // live ranges: sorted, disjoint
  uint32_t range_count;          // 0 for WEIGHT, SHARED_WORK and STATE: their
                                 //   live ranges are not recorded; 0 for
                                 //   any other space: a view of other buffers
  gmem_buffer_t parent;    // GMEM_NONE, or the buffer that this one aliases,
                           //   which is not an alias and covers this buffer's
                           //   bytes and live ranges
  uint32_t threads;        // |size| is per_thread_size * threads; at least 1
  uint32_t flags;          // GMEM_BUFFER_*
  uint64_t payload_offset; // bytes from the start of the buffer to its payload;
                           //   0 for WEIGHT
} gmem_buffer_info_t;

// A memory group: a named subset of the buffers. A lease of a group provides
// the addresses of these buffers only. All groups share the layout of the slot.
typedef struct gmem_group_info_s {
  const char *name;             // unique among the groups, not empty
  const gmem_buffer_t *members; // ascending; owned by the plan
  uint32_t member_count;
} gmem_group_info_t;

// |buffer| is a workbuffer of step |op|: either mutable (ACTIVATION or STATE,
// live at |op|) or immutable (SHARED_WORK). At most one entry per step and
// buffer.
typedef struct gmem_workbuffer_s {
  gmem_op_t op;
  gmem_buffer_t buffer;
} gmem_workbuffer_t;

// Identifies the bytes of a weight independently of their origin; or those of
// shared work that is always the same, with a transform that is not 0: its
// digest is that of what computes it and of all that this reads.
typedef struct gmem_weight_info_s {
  gmem_buffer_t buffer; // of space WEIGHT or SHARED_WORK, not an alias, not
                        //   empty
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE]; // SHA-256 of the source bytes
  uint64_t source_size; // bytes of the source; the payload's if not transformed
  uint64_t transform;   // 0: the source is the payload; else the id of the
                        //   transform that computes the payload from the source
                        //   when a model is created. Of a weight with named
                        //   transforms, the number of its chain: the writer
                        //   computes it
} gmem_weight_info_t;

// One step of the chain of named transforms that computes the payload of a
// weight from its source: a function that the program which creates the model
// registers under |name| (gmem/transforms.h). The first one reads the source,
// each other one the result of the one before; the last one writes the payload.
typedef struct gmem_plan_transform_s {
  const char *name;     // not empty
  gmem_buffer_t buffer; // a weight with a digest
  uint64_t size;        // bytes of the result, at least 1
} gmem_plan_transform_t;

// What the kernels of the program put around the elements of a buffer.
typedef enum gmem_plan_border_e {
  GMEM_PLAN_BORDER_UNDEFINED, // nothing that may be read
  GMEM_PLAN_BORDER_CONSTANT,  // a constant, for example zero
  GMEM_PLAN_BORDER_REPLICATE, // the nearest element
  GMEM_PLAN_BORDERS,
} gmem_plan_border_t;

// One dimension of a buffer whose elements are not contiguous, or not all
// valid, in elements of |element| bytes: at most GMEM_PLAN_MAX_RANK per buffer,
// the outermost first. Element 0 of each is at the start of the payload, which
// ends with the last one. Read by gmem_layouts_read (gmem/layouts.h).
typedef struct gmem_plan_dimension_s {
  gmem_buffer_t buffer;
  uint16_t border;      // gmem_plan_border_t; equal for all dimensions
  uint16_t reserved;    // 0
  uint64_t element;     // bytes, at least 1; equal for all dimensions
  uint64_t size;        // at least 1
  uint64_t stride;      // from one element to the next, at least 1
  uint64_t before;      // elements of the border in front of the first one
  uint64_t after;       // and behind the last one
  uint64_t valid_begin; // the first valid element
  uint64_t valid_end;   // and the one behind the last, at most |size|
} gmem_plan_dimension_t;

// The initial contents of a non-empty shared region: |size| bytes of the region
// in the planned layout. The payload of an untransformed weight must match its
// digest; all other bytes are zero.
typedef struct gmem_content_s {
  gmem_region_t region;
  const void *bytes;
} gmem_content_t;

// One address in a command stream. The compiled stream holds the planned
// address: region base + buffer offset + addend. Relocations of a stream do not
// overlap.
typedef struct gmem_reloc_s {
  uint64_t where;  // byte offset in the stream, any alignment
  uint64_t addend; // byte offset inside the buffer, at most its size
  gmem_buffer_t buffer;
  uint16_t kind;   // GMEM_RELOC_*
  uint16_t stream; // number of the stream
} gmem_reloc_t;

// Encoding of an address in a stream: little-endian, all 64 bits or one half.
enum { GMEM_RELOC_ABS64 = 0, GMEM_RELOC_LO32 = 1, GMEM_RELOC_HI32 = 2 };

// A copy that control flow makes at step |op|: the first |size| bytes of the
// payload of |from| to those of |to|. The copies of one step, edge and number
// are made together: they can be made one after the other as they are listed,
// each as by memmove, except those with GMEM_COPY_CYCLE, all of which read
// before any of them writes.
typedef struct gmem_plan_copy_s {
  gmem_op_t op;
  gmem_buffer_t from;
  gmem_buffer_t to;  // of a space that is not shared, and elsewhere
  uint32_t number;   // of the region, successor or return; else 0
  uint64_t size;     // bytes, at least 1, at most of both payloads
  uint16_t edge;     // gmem_copy_edge_t
  uint16_t flags;    // 0 or GMEM_COPY_CYCLE
  uint32_t reserved; // 0
} gmem_plan_copy_t;

enum { GMEM_COPY_CYCLE = 1u << 0 };

// When an op of the program runs: at the steps [begin, end). An op with regions
// and a function span what they contain, and have their results at end - 1; the
// ops in a layer group have the steps of the group. A function that is called
// several times has spans for each call.
typedef struct gmem_op_span_s {
  const char *name; // unique among the spans, not empty
  gmem_op_t begin;
  gmem_op_t end; // greater than |begin|
} gmem_op_span_t;

//===--- loading ----------------------------------------------------------===//

enum {
  GMEM_LOAD_BORROW = 1u << 1, // |data| outlives the plan: do not copy it
};

// Loads and verifies an image of |size| bytes at |data| (any alignment). The
// bytes are untrusted: no input causes undefined behaviour, and time and memory
// are at most proportional to size * log(size). |flags| is 0 or
// GMEM_LOAD_BORROW; borrowed bytes must not change during the lifetime of the
// plan. |allocator| is copied (NULL: libc); the object that its |user| points
// to must outlive the plan. Fails with INVALID_ARGUMENT (NULL, unknown flag),
// CORRUPT (size, checksum, structure, names), VERSION (major version, unknown
// mandatory section), OUT_OF_RANGE (an id, size or sum), ALIGNMENT, OVERLAP
// (the text names both buffers) or OUT_OF_MEMORY. |diag| (may be NULL) then
// holds the byte offset of the error. *out_plan is NULL on failure. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_plan_load_memory(const void *data, size_t size, uint32_t flags,
                      const gmem_allocator_t *allocator, gmem_plan_t **out_plan,
                      gmem_diag_t *diag);

// As gmem_plan_load_memory, for a regular file. The file is read, not mapped,
// and may change or disappear afterwards; only the contents of regions stay in
// the file, which is kept open until a model maps or reads them. |flags| must
// be 0. Also fails with IO (os_error set). Any thread.
GMEM_MUST_USE gmem_status_t gmem_plan_load_file(
    const char *path, uint32_t flags, const gmem_allocator_t *allocator,
    gmem_plan_t **out_plan, gmem_diag_t *diag);

// Adds a reference. Any thread.
void gmem_plan_retain(gmem_plan_t *plan);

// Drops a reference; the last one frees the plan. NULL is allowed. Any thread.
void gmem_plan_release(gmem_plan_t *plan);

//===--- queries (any thread, no lock, no allocation) ---------------------===//

uint32_t gmem_plan_region_count(const gmem_plan_t *plan);
uint32_t gmem_plan_buffer_count(const gmem_plan_t *plan);
uint32_t gmem_plan_op_count(const gmem_plan_t *plan);

// Describe one region or buffer; names and ranges are owned by the plan. Fail
// with OUT_OF_RANGE if the id does not exist; *out_info is then untouched.
GMEM_MUST_USE gmem_status_t gmem_plan_region(const gmem_plan_t *plan,
                                             gmem_region_t id,
                                             gmem_region_info_t *out_info);
GMEM_MUST_USE gmem_status_t gmem_plan_buffer(const gmem_plan_t *plan,
                                             gmem_buffer_t id,
                                             gmem_buffer_info_t *out_info);

// The name of a step, owned by the plan; else that of the outermost op that
// begins there; "" if there is none or |op| is not a step of the plan.
const char *gmem_plan_op_name(const gmem_plan_t *plan, gmem_op_t op);

// The ops of the program by ascending step, an op before those in it. Plans
// that have no compiler, or whose images are older than 1.4, have none.
uint32_t gmem_plan_span_count(const gmem_plan_t *plan);
// Describes one; fails as gmem_plan_buffer does.
GMEM_MUST_USE gmem_status_t gmem_plan_span(const gmem_plan_t *plan, uint32_t id,
                                           gmem_op_span_t *out_span);

// The step of the op of that name, for gmem_lease_begin_op; or GMEM_NONE.
// O(log n) comparisons.
gmem_op_t gmem_plan_find_op(const gmem_plan_t *plan, const char *name);

// The end of the outermost op that begins at step |op|: the step after its last
// one; or GMEM_NONE if none begins there. O(log n).
gmem_op_t gmem_plan_op_end(const gmem_plan_t *plan, gmem_op_t op);

// The buffer of that name, or GMEM_NONE. O(log n) comparisons.
gmem_buffer_t gmem_plan_find(const gmem_plan_t *plan, const char *name);

uint32_t gmem_plan_group_count(const gmem_plan_t *plan);

// Describes a group; fails as gmem_plan_buffer does.
GMEM_MUST_USE gmem_status_t gmem_plan_group(const gmem_plan_t *plan,
                                            gmem_group_t id,
                                            gmem_group_info_t *out_info);

// The group of that name, or GMEM_NONE. O(number of groups).
gmem_group_t gmem_plan_find_group(const gmem_plan_t *plan, const char *name);

// The workbuffers of step |op| in the order that the op requires, owned by the
// plan. Returns their number; 0 also if |op| is not a step. *out_first is set
// only if the number is not 0; |out_first| may be NULL. O(log n).
uint32_t gmem_plan_workbuffers(const gmem_plan_t *plan, gmem_op_t op,
                               const gmem_workbuffer_t **out_first);

// The copies of step |op| by edge and number, owned by the plan. An executor
// makes those of the edge that control flow takes. Returns their number; 0 also
// if |op| is not a step. *out_first is set only if the number is not 0;
// |out_first| may be NULL. O(log n).
uint32_t gmem_plan_copies(const gmem_plan_t *plan, gmem_op_t op,
                          const gmem_plan_copy_t **out_first);

// The digest and the transform of a weight. Fails with NOT_FOUND if the plan
// has none for |buffer|, or |buffer| is not a weight; *out_info is then
// untouched. O(log n).
GMEM_MUST_USE gmem_status_t gmem_plan_weight(const gmem_plan_t *plan,
                                             gmem_buffer_t buffer,
                                             gmem_weight_info_t *out_info);

// Describes step |index| of the chain of transforms of weight |buffer|; the
// name is owned by the plan. Fails with OUT_OF_RANGE if there is none;
// *out_transform is then untouched. O(log n).
GMEM_MUST_USE gmem_status_t
gmem_plan_transform(const gmem_plan_t *plan, gmem_buffer_t buffer,
                    uint32_t index, gmem_plan_transform_t *out_transform);

// Whether the image contains the bytes of |region|.
bool gmem_plan_has_content(const gmem_plan_t *plan, gmem_region_t region);

// The relocations of one stream, sorted by |where|, owned by the plan. Returns
// their number; *out_first is set only if the number is not 0, and |out_first|
// may be NULL. O(log n).
uint32_t gmem_plan_relocs(const gmem_plan_t *plan, uint16_t stream,
                          const gmem_reloc_t **out_first);

// The size of one slot, and of the regions shared by all slots (weights and
// shared work), before the memory provider rounds each region up to its
// granularity.
uint64_t gmem_plan_slot_size(const gmem_plan_t *plan);
uint64_t gmem_plan_shared_size(const gmem_plan_t *plan);

// The SHA-256 in the image's header: 32 bytes, owned by the plan, that identify
// the plan including the digests of its weights.
const uint8_t *gmem_plan_digest(const gmem_plan_t *plan);

//===--- writing ----------------------------------------------------------===//

// In the library gmem_plan_writer, which programs that only run plans do not
// need.

// Contents of an image. Zero-initialise: later versions append members.
typedef struct gmem_plan_desc_s {
  const gmem_region_info_t *regions;
  uint32_t region_count;
  const gmem_buffer_info_t *buffers;
  uint32_t buffer_count;
  uint32_t op_count;           // steps of the program
  const char *const *op_names; // NULL, or one per step; each may be NULL or ""

  // Optional; an image with none of them has format 1.0.
  const gmem_group_info_t *groups;
  uint32_t group_count;
  const gmem_workbuffer_t *workbuffers; // by ascending op
  uint32_t workbuffer_count;
  const gmem_weight_info_t *weights; // by ascending buffer
  uint32_t weight_count;
  const gmem_content_t *contents; // by ascending region
  uint32_t content_count;
  const gmem_reloc_t *relocs; // by ascending stream and |where|
  uint32_t reloc_count;
  const gmem_plan_copy_t *copies; // by ascending op, edge and number
  uint32_t copy_count;
  const gmem_op_span_t *spans; // by ascending begin, outer ones first
  uint32_t span_count;
  const gmem_plan_transform_t *transforms; // by ascending buffer
  uint32_t transform_count;
  const gmem_plan_dimension_t *dimensions; // by ascending buffer
  uint32_t dimension_count;
} gmem_plan_desc_t;

// Creates the image of |desc|: equal descriptions give equal bytes on every
// machine. The image has passed the verification of gmem_plan_load_memory.
// *out_data is freed with gmem_plan_data_free and the same allocator (NULL:
// libc). Fails with INVALID_ARGUMENT (NULL, a name that is empty, too long, not
// unique, not UTF-8 or contains control characters, ...), OUT_OF_RANGE,
// ALIGNMENT, OVERLAP, CORRUPT (contents with nonzero bytes that no digest
// covers) or OUT_OF_MEMORY; *out_data is then NULL, *out_size 0. Names: 1 to
// 255 bytes of UTF-8 without control characters. Any thread.
GMEM_MUST_USE gmem_status_t gmem_plan_write(const gmem_plan_desc_t *desc,
                                            const gmem_allocator_t *allocator,
                                            void **out_data, size_t *out_size,
                                            gmem_diag_t *diag);

// Receives the next |size| bytes of an image. A status other than GMEM_OK
// aborts the writing. |diag| may be NULL.
typedef gmem_status_t (*gmem_plan_sink_fn)(void *user, const void *bytes,
                                           size_t size, gmem_diag_t *diag);

// As gmem_plan_write, but passes the image to |sink| piece by piece, so that
// large contents are not copied in memory. |desc| is checked before the first
// piece. Fails as gmem_plan_write does, or with the status that |sink| returns.
// Any thread.
GMEM_MUST_USE gmem_status_t gmem_plan_write_to(
    const gmem_plan_desc_t *desc, const gmem_allocator_t *allocator,
    gmem_plan_sink_fn sink, void *user, gmem_diag_t *diag);

// Frees the data that gmem_plan_write returned. NULL |data| is allowed. Any
// thread.
void gmem_plan_data_free(const gmem_allocator_t *allocator, void *data,
                         size_t size);

GMEM_END_C
#endif // GMEM_PLAN_H_
