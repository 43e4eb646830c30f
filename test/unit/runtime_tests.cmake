# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gmem_wrap(x mmap read) sends the calls of x to __wrap_mmap and __wrap_read. On
# 32-bit systems those that take sizes of files have another name.
function(gmem_wrap name)
  foreach(call ${ARGN})
    if(CMAKE_SIZEOF_VOID_P LESS 8 AND
       call MATCHES "^(fcntl|fstat|fstatfs|ftruncate|getrlimit|mmap|open|pread)$")
      target_compile_definitions(${name} PRIVATE
        __wrap_${call}=__wrap_${call}64 __real_${call}=__real_${call}64)
      string(APPEND call 64)
    endif()
    target_link_options(${name} PRIVATE -Wl,--wrap=${call})
  endforeach()
endfunction()

# gmem_add_fake_system_test(x) makes a test whose system calls are those of
# fake_system.h.
function(gmem_add_fake_system_test name)
  gmem_add_unit_test(${name} gmem_plan_writer)
  gmem_wrap(${name} access close fcntl fstat fstatfs ftruncate getrlimit ioctl madvise
      memfd_create mmap mprotect munmap open pread pthread_cond_init
      pthread_condattr_init pthread_condattr_setclock pthread_mutex_init read
      syscall sysconf)
endfunction()

gmem_add_unit_test(hash_sha256_test gmem_hash)
gmem_add_unit_test(runtime_allocation_failure_test gmem_plan_writer)
gmem_add_unit_test(runtime_arena_test gmem_plan_writer)
gmem_add_unit_test(runtime_behaviour_test gmem_plan_writer)
gmem_add_unit_test(runtime_cache_test gmem_plan_writer)
gmem_wrap(runtime_cache_test pthread_mutex_init pthread_cond_init)
gmem_add_unit_test(runtime_check_test gmem_plan_writer)
gmem_add_unit_test(runtime_corner_test gmem_plan_writer)
gmem_add_fake_system_test(runtime_dma_heap_test)
gmem_add_fake_system_test(runtime_every_failure_test)
target_link_libraries(runtime_every_failure_test PRIVATE gmem_parallel)
gmem_add_unit_test(runtime_hash_test gmem_plan_writer)
gmem_add_unit_test(runtime_hostile_image_test gmem_plan_writer)
gmem_add_unit_test(runtime_hot_path_test gmem_plan_writer)
gmem_wrap(runtime_hot_path_test malloc calloc realloc aligned_alloc
  posix_memalign free)
gmem_add_unit_test(runtime_image_file_test gmem_plan_writer)
gmem_wrap(runtime_image_file_test read fstat)
gmem_add_unit_test(runtime_import_test gmem_plan_writer)
gmem_add_unit_test(runtime_lease_test gmem_plan_writer)
gmem_add_unit_test(runtime_load_test gmem_plan_writer)
gmem_add_unit_test(runtime_mmap_test gmem_plan_writer)
gmem_add_unit_test(runtime_model_test gmem_plan_writer)
gmem_wrap(runtime_model_test pread fstat)
gmem_add_unit_test(runtime_order_test gmem_plan_writer)
gmem_add_unit_test(runtime_parallel_test gmem_parallel gmem_plan_writer)
gmem_add_unit_test(runtime_plan_test gmem_plan_writer)
gmem_add_unit_test(runtime_pool_test gmem_plan_writer)
gmem_wrap(runtime_pool_test pthread_mutex_init pthread_cond_init
  pthread_condattr_init)
gmem_add_unit_test(runtime_queue_explorer_test gmem_plan_writer)
gmem_add_unit_test(runtime_relocate_test gmem_plan_writer)
gmem_add_unit_test(runtime_sections_test gmem_plan_writer)
gmem_add_unit_test(runtime_static_test gmem_plan_writer)
gmem_add_fake_system_test(runtime_system_failure_test)
gmem_add_unit_test(runtime_unshared_test gmem_plan_writer)
gmem_add_unit_test(runtime_weight_processes_test gmem_plan_writer)
gmem_wrap(runtime_weight_processes_test fstat)
gmem_add_unit_test(runtime_window_test gmem_parallel)
gmem_add_unit_test(runtime_zero_test gmem_plan_writer)

# The pool with random yields at its locks.
gmem_add_unit_test(runtime_concurrency_test gmem_plan_writer)
target_sources(runtime_concurrency_test PRIVATE
  ${PROJECT_SOURCE_DIR}/runtime/slots/slot_pool.c)
target_compile_definitions(runtime_concurrency_test PRIVATE GMEM_TEST_YIELD)

# The store of weights, likewise.
gmem_add_unit_test(runtime_weights_test gmem_plan_writer)
target_sources(runtime_weights_test PRIVATE
  ${PROJECT_SOURCE_DIR}/runtime/weights/weight_store.c)
target_compile_definitions(runtime_weights_test PRIVATE GMEM_TEST_YIELD)
gmem_wrap(runtime_weights_test pthread_mutex_init pthread_cond_init)

# No test itself: the maker of the images that the tests of gmem-run read.
add_executable(make_image make_image.c)
target_link_libraries(make_image PRIVATE gmem_options gmem_plan_writer gmem_hash)
set_target_properties(make_image PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
