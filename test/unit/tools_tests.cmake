# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of the tools that no command line can show.
gmem_add_unit_test(tools_interrupt_test)
target_sources(tools_interrupt_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools/common/interrupt.c)
gmem_see_rooms(tools_interrupt_test tools/common)
gmem_add_unit_test(tools_array_test gmem_files gmem_hash m)
target_sources(tools_array_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools/arrays/array.c
  ${PROJECT_SOURCE_DIR}/tools/arrays/array_elements.c
  ${PROJECT_SOURCE_DIR}/tools/arrays/npy.c)
gmem_add_unit_test(tools_jit_heap_test)
target_sources(tools_jit_heap_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools/arrays/array_elements.c
  ${PROJECT_SOURCE_DIR}/tools/run/jit_guard.c
  ${PROJECT_SOURCE_DIR}/tools/run/jit_heap.c)
target_link_libraries(tools_jit_heap_test PRIVATE m)
foreach(test tools_array_test tools_jit_heap_test)
  gmem_see_rooms(${test} tools/arrays tools/run)
endforeach()
gmem_add_unit_test(tools_latency_test)
target_sources(tools_latency_test PRIVATE ${PROJECT_SOURCE_DIR}/tools/run/latency.c)
gmem_see_rooms(tools_latency_test tools/run)

# The tool itself, on a heap that fails. Not its JSON, whose heap is jansson's.
gmem_add_unit_test(tools_run_failure_test gmem_plan_writer Threads::Threads)
foreach(part broken_kernel latency load_report lost_file resident run_image
             run_load run_messages run_simulated simulate)
  target_sources(tools_run_failure_test PRIVATE
    ${PROJECT_SOURCE_DIR}/tools/run/${part}.c)
endforeach()
gmem_see_rooms(tools_run_failure_test tools/run)
gmem_use_rooms(tools_run_failure_test tools/common)
target_link_options(tools_run_failure_test PRIVATE
  LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc)
set_tests_properties(unit/tools_run_failure_test PROPERTIES
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
