# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gmem_add_unit_test(runtime_allocation_failure_test gmem_runtime)
gmem_add_unit_test(runtime_arena_test gmem_runtime)
gmem_add_unit_test(hash_sha256_test gmem_hash)
gmem_add_unit_test(runtime_hash_test gmem_runtime)
gmem_add_unit_test(runtime_hostile_image_test gmem_runtime)
gmem_add_unit_test(runtime_model_test gmem_runtime)
gmem_add_unit_test(runtime_order_test gmem_runtime)
gmem_add_unit_test(runtime_parallel_test gmem_parallel)
gmem_add_unit_test(runtime_plan_test gmem_runtime)
gmem_add_unit_test(runtime_weight_processes_test gmem_runtime)
gmem_add_unit_test(runtime_weights_test gmem_runtime)
gmem_add_unit_test(runtime_window_test gmem_runtime)

# Programs that are no tests themselves: the maker of the images that the tests
# of gmem-run read, and the stop-watch.
foreach(helper make_image runtime_speed)
  add_executable(${helper} ${helper}.c)
  target_link_libraries(${helper} PRIVATE gmem_options gmem_runtime)
  set_target_properties(${helper} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
endforeach()
