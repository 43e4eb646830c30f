# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian packages that `./dev packages` makes of what is installed. Libraries and
# what is built against them are packages of one minor version, as is the name of the
# shared libraries; those without MLIR do not ask for it.

set(gmem_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same_version "(= ${PROJECT_VERSION})")
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_CONTACT "The gmem authors")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_COMPONENTS_ALL)

# gmem_package(tools gmem-tools utils "summary" DEPENDS ... ) is the package of a
# component, LINKED if it contains programs or shared libraries.
function(gmem_package component name section summary)
  cmake_parse_arguments(PARSE_ARGV 4 arg "LINKED;SHARED" "TEXT"
    "DEPENDS;RECOMMENDS;SUGGESTS")
  string(TOUPPER CPACK_DEBIAN_${component} variable)
  set(${variable}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(${variable}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(${variable}_DESCRIPTION "${summary}\n${arg_TEXT}" PARENT_SCOPE)
  foreach(kind DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN arg_${kind} ", " others)
    set(${variable}_PACKAGE_${kind} "${others}" PARENT_SCOPE)
  endforeach()
  set(${variable}_PACKAGE_SHLIBDEPS ${arg_LINKED} PARENT_SCOPE)
  set(${variable}_PACKAGE_GENERATE_SHLIBS ${arg_SHARED} PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  # Debian's names of two files that every package has.
  install(FILES LICENSE COMPONENT ${component} EXCLUDE_FROM_ALL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright)
  install(FILES CHANGELOG.md COMPONENT ${component} EXCLUDE_FROM_ALL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME changelog)
endfunction()

if(CMAKE_SIZEOF_VOID_P EQUAL 8)
  gmem_package(libraries libgmem${gmem_abi} libs
    "static memory planning for accelerators, shared libraries"
    TEXT "The planner, the operator order and the runtime of planned networks."
    LINKED SHARED)
  gmem_package(development libgmem-dev libdevel
    "static memory planning for accelerators, for development"
    TEXT "Headers, static libraries, find_package and pkg-config, and examples."
    DEPENDS "libgmem${gmem_abi} ${same_version}"
    SUGGESTS gmem-tools libgmem-passes-dev)
  # Headers do not depend on the architecture: one package has them.
  set(CPACK_COMPONENT_HEADERS_GROUP development)
  set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
  list(APPEND CPACK_COMPONENTS_ALL headers)
else()
  gmem_package(development lib32gmem-dev libdevel
    "runtime of planned networks, static 32-bit libraries"
    TEXT "For programs that are compiled with -m32."
    DEPENDS "libgmem-dev ${same_version}" gcc-multilib)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
endif()

if(GMEM_ENABLE_MLIR)
  set(mlir ${LLVM_VERSION_MAJOR})
  gmem_package(passes_libraries libgmem-passes${gmem_abi} libs
    "static memory planning as MLIR passes, shared library"
    TEXT "The passes that plan the memory of a module, to be called from C."
    LINKED SHARED DEPENDS "libgmem${gmem_abi} ${same_version}")
  gmem_package(passes_development libgmem-passes-dev libdevel
    "static memory planning as MLIR passes, for development"
    TEXT "The static library, find_package and pkg-config."
    DEPENDS "libgmem-passes${gmem_abi} ${same_version}"
      "libgmem-dev ${same_version}" libmlir-${mlir}-dev llvm-${mlir}-dev
      "libstdc++-12-dev | libstdc++-dev"
    SUGGESTS gmem-tools)
  gmem_package(tools gmem-tools devel
    "static memory planning for accelerators, tools"
    TEXT "gmem-opt, gmem-translate, gmem-run, gmem-solve, gmem-link and gmem-diff."
    LINKED SUGGESTS gmem-mlir-plugin libgmem-dev)
  gmem_package(plugin gmem-mlir-plugin devel
    "static memory planning as a plugin of mlir-opt"
    TEXT "mlir-opt-${mlir} --load-pass-plugin=gmem-plugin.so"
    LINKED RECOMMENDS mlir-${mlir}-tools)
  gmem_package(python python3-gmem python
    "static memory planning for accelerators, Python module"
    TEXT "Planner problems, and passes on MLIR text."
    LINKED DEPENDS "libgmem${gmem_abi} ${same_version}" "python3 (>= 3.9)")
elseif(GMEM_ENABLE_PLANNER)
  gmem_package(tools gmem-tools devel
    "static memory planning for accelerators, tools"
    TEXT "gmem-solve and gmem-run, without MLIR."
    LINKED SUGGESTS libgmem-dev)
endif()

include(CPack)
