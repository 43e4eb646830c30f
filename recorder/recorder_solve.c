// recorder_solve.c - from recorded lifetimes to a loaded plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of the groups follow each other, so that objects of different
// groups never live at the same time. The plan passes through an image in
// memory: loading proves it, as it proves every other plan.

#include "recorder_object.h"

#include "gmem/planner/placements.h"
#include "runtime_support.h"

// One planning run.
typedef struct solve_job_s {
  const gmem_allocator_t *allocator;
  uint32_t group_count, buffer_count, op_count;
  uint64_t align; // largest of all objects
  gmem_problem_t *problem;
  gmem_placement_t *placements;
  gmem_buffer_info_t *buffers;
  gmem_op_range_t *ranges;
  gmem_buffer_t *members; // 0, 1, ...: each group has a part of it
  gmem_group_info_t *groups;
} solve_job_t;

// Numbers groups, buffers and steps.
static gmem_status_t count_all(solve_job_t *job, gmem_memory_group_t *groups,
                               gmem_diag_t *diag) {
  uint64_t buffers = 0, ops = 0;
  job->align = 1;
  for (gmem_memory_group_t *group = groups; group; group = group->next) {
    group->id = job->group_count++;
    group->first = (gmem_buffer_t)buffers;
    buffers += group->count;
    ops += group->count > 0 ? (uint64_t)group->step + 1 : 0;
    if (buffers > GMEM_PLAN_MAX_BUFFERS || ops > GMEM_PLAN_MAX_OPS ||
        job->group_count > GMEM_PLAN_MAX_GROUPS)
      return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                          "the recorder has more groups, objects or steps than "
                          "a plan can have");
    for (uint32_t i = 0; i < group->count; ++i)
      if (job->align < group->objects[i].align)
        job->align = group->objects[i].align;
  }
  job->buffer_count = (uint32_t)buffers;
  job->op_count = (uint32_t)ops;
  return GMEM_OK;
}

static gmem_status_t add_object(solve_job_t *job, const gmem_recorded_t *object,
                                gmem_op_t base, gmem_buffer_t id,
                                gmem_diag_t *diag) {
  uint32_t added = 0;
  gmem_live_range_t live = {(int64_t)base + object->begin,
                            (int64_t)base + object->end};
  gmem_buffer_spec_t spec = {.name = object->name,
                             .size = object->size,
                             .alignment = object->align,
                             .ranges = &live,
                             .range_count = 1};
  GMEM_ASSERT(object->begin < object->end);
  GMEM_TRY(gmem_problem_add_buffer(job->problem, &spec, &added, diag));
  GMEM_ASSERT(added == id);
  job->members[id] = id;
  job->ranges[id] = (gmem_op_range_t){base + object->begin, base + object->end};
  job->buffers[id] = (gmem_buffer_info_t){.name = object->name,
                                          .size = object->size,
                                          .payload = object->size,
                                          .align = object->align,
                                          .space = GMEM_SPACE_ACTIVATION,
                                          .ranges = &job->ranges[id],
                                          .range_count = 1,
                                          .parent = GMEM_NONE,
                                          .threads = 1,
                                          .flags = object->flags};
  return GMEM_OK;
}

static gmem_status_t add_groups(solve_job_t *job,
                                const gmem_memory_group_t *groups,
                                gmem_diag_t *diag) {
  gmem_op_t base = 0;
  for (const gmem_memory_group_t *group = groups; group; group = group->next) {
    job->groups[group->id] = (gmem_group_info_t){
        group->name, &job->members[group->first], group->count};
    for (uint32_t i = 0; i < group->count; ++i)
      GMEM_TRY(
          add_object(job, &group->objects[i], base, group->first + i, diag));
    base += group->count > 0 ? group->step + 1 : 0;
  }
  return GMEM_OK;
}

static gmem_status_t load_image(const gmem_plan_desc_t *desc,
                                const gmem_allocator_t *allocator,
                                gmem_plan_t **out_plan, gmem_diag_t *diag) {
  void *data = NULL;
  size_t size = 0;
  GMEM_TRY(gmem_plan_write(desc, allocator, &data, &size, diag));
  gmem_status_t status =
      gmem_plan_load_memory(data, size, 0, allocator, out_plan, diag);
  gmem_plan_data_free(allocator, data, size);
  return status;
}

// All steps that can fail; the caller frees the arrays and the problem.
static gmem_status_t solve(solve_job_t *job, const gmem_memory_group_t *groups,
                           const gmem_solve_options_t *options,
                           gmem_plan_t **out_plan, gmem_diag_t *diag) {
  uint32_t pool = 0;
  gmem_plan_figures_t figures = {0};
  gmem_pool_spec_t spec = {
      .name = "slot", .capacity = GMEM_UNLIMITED, .alignment = 1};
  GMEM_RT_ALLOC(job->placements, job->allocator, job->buffer_count, diag);
  GMEM_RT_ALLOC(job->buffers, job->allocator, job->buffer_count, diag);
  GMEM_RT_ALLOC(job->ranges, job->allocator, job->buffer_count, diag);
  GMEM_RT_ALLOC(job->members, job->allocator, job->buffer_count, diag);
  GMEM_RT_ALLOC(job->groups, job->allocator, job->group_count, diag);
  GMEM_TRY(gmem_problem_create(job->allocator, &job->problem, diag));
  GMEM_TRY(gmem_problem_add_pool(job->problem, &spec, &pool, diag));
  GMEM_TRY(add_groups(job, groups, diag));
  GMEM_TRY(gmem_solve(job->problem, options, job->placements, &figures, diag));
  for (uint32_t i = 0; i < job->buffer_count; ++i)
    job->buffers[i].offset = job->placements[i].offset;
  gmem_region_info_t region = {.name = "slot",
                               .space = GMEM_SPACE_ACTIVATION,
                               .size = figures.peak,
                               .align = job->align};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = job->buffers,
                           .buffer_count = job->buffer_count,
                           .op_count = job->op_count,
                           .groups = job->groups,
                           .group_count = job->group_count};
  return load_image(&desc, job->allocator, out_plan, diag);
}

gmem_status_t gmem_recorder_solve(gmem_memory_group_t *groups,
                                  const gmem_allocator_t *allocator,
                                  const gmem_solve_options_t *options,
                                  gmem_plan_t **out_plan, gmem_diag_t *diag) {
  solve_job_t job = {.allocator = allocator};
  *out_plan = NULL;
  GMEM_TRY(count_all(&job, groups, diag));
  gmem_status_t status = solve(&job, groups, options, out_plan, diag);
  gmem_problem_destroy(job.problem);
  GMEM_RT_FREE(allocator, job.placements, job.buffer_count);
  GMEM_RT_FREE(allocator, job.buffers, job.buffer_count);
  GMEM_RT_FREE(allocator, job.ranges, job.buffer_count);
  GMEM_RT_FREE(allocator, job.members, job.buffer_count);
  GMEM_RT_FREE(allocator, job.groups, job.group_count);
  return status;
}
