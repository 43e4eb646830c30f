# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests are C; the link needs libstdc++ for MLIR.
function(gmem_add_passes_test name)
  gmem_add_unit_test(${name} gmem_passes gmem_mlir)
  gmem_see_rooms(${name} passes/support passes/ops passes/program passes/entry)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

gmem_add_passes_test(passes_addresses_test)
gmem_add_passes_test(passes_embedding_test)
gmem_add_passes_test(passes_allocation_failure_test)
gmem_add_passes_test(passes_materialize_failure_test)
target_link_libraries(passes_materialize_failure_test PRIVATE gmem_mlir_everything)
gmem_add_passes_test(passes_scopes_failure_test)
target_link_libraries(passes_scopes_failure_test PRIVATE gmem_mlir_everything)
gmem_add_passes_test(passes_memref_size_test)
gmem_add_passes_test(passes_op_models_test)
target_link_libraries(passes_op_models_test PRIVATE gmem_mlir_everything)
gmem_add_passes_test(passes_memref_failure_test)
target_link_libraries(passes_memref_failure_test PRIVATE gmem_mlir_everything)
gmem_add_passes_test(passes_workbuffers_test)
target_sources(passes_workbuffers_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools/modules/planned_image.c)
gmem_see_rooms(passes_workbuffers_test tools/modules)
target_link_libraries(passes_workbuffers_test PRIVATE gmem_plan_writer
  Threads::Threads)
