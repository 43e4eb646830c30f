# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(gmem) and pkg-config for those who embed the libraries.

# The OpenMP library that the loops were compiled for: libomp of clang, libgomp of
# gcc.
set(gmem_openmp)
set(gmem_openmp_folder)
get_property(gmem_openmp_libraries GLOBAL PROPERTY gmem_openmp_libraries)
if(gmem_openmp_libraries)
  list(GET gmem_openmp_libraries 0 gmem_openmp_library)
  get_filename_component(gmem_openmp ${gmem_openmp_library} NAME_WE)
  get_filename_component(gmem_openmp_folder ${gmem_openmp_library} DIRECTORY)
  string(REGEX REPLACE "^lib" "" gmem_openmp ${gmem_openmp})
endif()

set(gmem_components)
# From the folder of the .pc files: also lib/x86_64-linux-gnu/pkgconfig.
file(RELATIVE_PATH gmem_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig
  /prefix)
string(REGEX REPLACE "/$" "" gmem_pc_prefix "${gmem_pc_prefix}")
# gmem_install_pc(manager "summary" REQUIRES runtime INTERNAL hash ...) writes
# gmem-manager.pc. What only a static library needs is private: the linker takes the
# shared one if there is one, and pkg-config --static names the rest.
function(gmem_install_pc name summary)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "CFLAGS;LIBS;PRIVATE" "REQUIRES;INTERNAL")
  list(TRANSFORM arg_REQUIRES REPLACE "(.+)" "gmem-\\1")
  list(TRANSFORM arg_INTERNAL REPLACE "(.+)" "-lgmem_\\1")
  list(JOIN arg_REQUIRES ", " requires)
  list(JOIN arg_INTERNAL " " internal)
  string(REPLACE "_" "-" dashed ${name})
  list(TRANSFORM requires REPLACE "_" "-")
  configure_file(cmake/gmem.pc.in ${CMAKE_BINARY_DIR}/gmem-${dashed}.pc @ONLY)
  set(part)
  if(name STREQUAL "passes")
    set(part passes_)
  endif()
  install(FILES ${CMAKE_BINARY_DIR}/gmem-${dashed}.pc
    COMPONENT ${part}development
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(gmem_components ${gmem_components} ${name})
  if(TARGET gmem_${name}_shared)
    list(APPEND gmem_components ${name}_shared)
  endif()
  set(gmem_components ${gmem_components} PARENT_SCOPE)
endfunction()

if(gmem_openmp)
  set(gmem_openmp_flags "-L${gmem_openmp_folder} -l${gmem_openmp}")
endif()
gmem_install_pc(runtime "runs planned networks" INTERNAL hash PRIVATE "-pthread")
gmem_install_pc(plan_writer "writes plan images" REQUIRES runtime INTERNAL hash)
gmem_install_pc(pool_cache "pools of many plans" REQUIRES runtime)
gmem_install_pc(dma_heap "memory of DMA heaps" REQUIRES runtime)
gmem_install_pc(layouts "strides, borders and valid regions of buffers" REQUIRES runtime)
gmem_install_pc(manager "memory that several plans share" REQUIRES runtime)
gmem_install_pc(transforms "weights made by named functions" REQUIRES runtime
  INTERNAL hash)
gmem_install_pc(parallel "loops on the threads of OpenMP or others"
  REQUIRES runtime PRIVATE "${gmem_openmp_flags}")
gmem_install_pc(context "the services of the runtime in one object"
  REQUIRES manager parallel pool_cache transforms)
if(GMEM_ENABLE_PLANNER)
  gmem_install_pc(planner "static memory planner" INTERNAL heap text hash)
  gmem_install_pc(order "orders of operators with the least memory"
    INTERNAL heap text)
  gmem_install_pc(recorder "plans of recorded lifetimes"
    REQUIRES runtime planner plan_writer)
endif()
if(GMEM_ENABLE_MLIR)
  list(TRANSFORM gmem_mlir_names REPLACE "(.+)" "-l\\1" OUTPUT_VARIABLE mlir)
  list(JOIN mlir " " mlir)
  gmem_install_pc(passes "static memory planning as MLIR passes"
    REQUIRES planner order INTERNAL dialect files text hash
    CFLAGS "-isystem ${gmem_llvm_prefix}/include"
    LIBS "-L${gmem_llvm_prefix}/lib -Wl,-rpath,${gmem_llvm_prefix}/lib ${mlir} -lstdc++ -lm"
    PRIVATE "${mlir}")
endif()

include(CMakePackageConfigHelpers)
set(gmem_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gmem)
install(EXPORT gmem_targets NAMESPACE gmem:: DESTINATION ${gmem_cmake_dir}
  FILE gmem-targets.cmake)
if(GMEM_ENABLE_MLIR)
  install(EXPORT gmem_passes_targets NAMESPACE gmem::
    DESTINATION ${gmem_cmake_dir} COMPONENT passes_development
    FILE gmem-passes-targets.cmake)
endif()

set(gmem_llvm_major ${LLVM_VERSION_MAJOR})
configure_package_config_file(cmake/gmem-config.cmake.in
  ${CMAKE_BINARY_DIR}/gmem-config.cmake INSTALL_DESTINATION ${gmem_cmake_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gmem-config-version.cmake
  COMPATIBILITY SameMinorVersion)
set(gmem_package_files ${CMAKE_BINARY_DIR}/gmem-config.cmake
  ${CMAKE_BINARY_DIR}/gmem-config-version.cmake)
if(GMEM_ENABLE_MLIR)
  configure_file(cmake/gmem-mlir.cmake.in ${CMAKE_BINARY_DIR}/gmem-mlir.cmake
    @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/gmem-mlir.cmake
    COMPONENT passes_development DESTINATION ${gmem_cmake_dir})
endif()
install(FILES ${gmem_package_files} DESTINATION ${gmem_cmake_dir})
