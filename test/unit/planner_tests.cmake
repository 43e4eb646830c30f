# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gmem_add_unit_test(planner_problem_test gmem_planner)
gmem_add_unit_test(planner_algorithms_test gmem_planner)
gmem_add_unit_test(planner_check_test gmem_planner)
gmem_add_unit_test(planner_optimum_test gmem_planner)
gmem_add_unit_test(planner_limits_test gmem_planner)
find_package(Threads REQUIRED)
gmem_add_unit_test(planner_determinism_test gmem_planner Threads::Threads)
gmem_add_unit_test(planner_bound_test gmem_planner)
gmem_add_unit_test(planner_csv_test gmem_planner)
gmem_add_unit_test(planner_memories_test gmem_planner)
gmem_add_unit_test(planner_cache_test gmem_planner gmem_hash)
gmem_add_unit_test(planner_relations_test gmem_planner)
gmem_add_unit_test(planner_pools_test gmem_planner)
gmem_add_unit_test(planner_worth_test gmem_planner)
target_sources(planner_worth_test PRIVATE
  ${PROJECT_SOURCE_DIR}/examples/algorithm/by_size.c)
gmem_add_unit_test(planner_pieces_test gmem_planner)
target_sources(planner_pieces_test PRIVATE
  ${PROJECT_SOURCE_DIR}/examples/algorithm/by_size.c)
gmem_add_unit_test(planner_certificate_test gmem_planner)
gmem_add_unit_test(planner_allocation_failure_test gmem_planner)
if(TARGET gmem_tools_problem_json)
  gmem_add_unit_test(tools_problem_json_test gmem_planner gmem_jansson)
  gmem_use_rooms(tools_problem_json_test tools/problem_json)
endif()
# Engines are tested on packings, which are not public.
foreach(name planner_fit_test planner_climb_test planner_fold_test
        planner_slices_test planner_choices_test planner_sweep_test)
  gmem_add_unit_test(${name} gmem_planner)
  gmem_see_rooms(${name} planner/support planner/problem planner/packing
    planner/algorithms planner/pools planner/aliases planner/solve)
endforeach()
