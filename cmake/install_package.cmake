# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(gmem) for those who embed the libraries.

include(CMakePackageConfigHelpers)
set(gmem_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gmem)
install(EXPORT gmem_targets NAMESPACE gmem:: DESTINATION ${gmem_cmake_dir}
  FILE gmem-targets.cmake)
configure_package_config_file(cmake/gmem-config.cmake.in
  ${CMAKE_BINARY_DIR}/gmem-config.cmake INSTALL_DESTINATION ${gmem_cmake_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gmem-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gmem-config.cmake
  ${CMAKE_BINARY_DIR}/gmem-config-version.cmake DESTINATION ${gmem_cmake_dir})
