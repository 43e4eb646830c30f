# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How every target of gmem is compiled: C11 (or C++17), all warnings as errors.

add_library(gmem_options INTERFACE)
target_compile_options(gmem_options INTERFACE
  -Wall -Wextra -Werror -Wpedantic -Wunreachable-code
  $<$<COMPILE_LANGUAGE:C>:-Wshadow;-Wvla;-Wstrict-prototypes;-Wmissing-prototypes>
  # Asserts are cheap invariants of ours: they stay on in every build.
  -UNDEBUG)
target_compile_definitions(gmem_options INTERFACE _POSIX_C_SOURCE=200809L)
if(CMAKE_SIZEOF_VOID_P LESS 8) # files may be large nevertheless
  target_compile_definitions(gmem_options INTERFACE _FILE_OFFSET_BITS=64)
endif()
if(GMEM_SANITIZE)
  target_compile_options(gmem_options INTERFACE
    -fsanitize=${GMEM_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  target_link_options(gmem_options INTERFACE -fsanitize=${GMEM_SANITIZE})
endif()
if(GMEM_ENABLE_FUZZ) # the fuzzers steer by the coverage of all code
  target_compile_options(gmem_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# gmem_add_library(planner a.c b.c) makes the static library gmem_planner, with
# the alias gmem::planner that an installed package offers too.
function(gmem_add_library name)
  add_library(gmem_${name} STATIC ${ARGN})
  add_library(gmem::${name} ALIAS gmem_${name})
  set_target_properties(gmem_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(gmem_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(gmem_${name} PRIVATE $<BUILD_INTERFACE:gmem_options>)
  install(TARGETS gmem_${name} EXPORT gmem_targets)
endfunction()

# gmem_add_tool(gmem-solve gmem-solve.c) makes build/bin/gmem-solve.
function(gmem_add_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE gmem_options)
  install(TARGETS ${name})
endfunction()
