# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How every target of gmem is compiled: C11 (or C++17), all warnings as errors.

add_library(gmem_options INTERFACE)
target_compile_options(gmem_options INTERFACE
  -Wall -Wextra -Werror -Wpedantic -Wunreachable-code
  $<$<COMPILE_LANGUAGE:C>:-Wshadow;-Wvla;-Wstrict-prototypes;-Wmissing-prototypes>
  # Public headers make what they declare visible; nothing else leaves a library.
  -fvisibility=hidden $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
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

# Installed files are divided into the components of cmake/packages.cmake. Targets
# that need MLIR have an export of their own, so that the rest installs without it.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
function(gmem_install_library name target)
  set(set gmem)
  set(prefix)
  if(name MATCHES "^(dialect|passes)$")
    set(set gmem_passes)
    set(prefix passes_)
  endif()
  install(TARGETS ${target} EXPORT ${set}_targets
    ARCHIVE COMPONENT ${prefix}development
    LIBRARY COMPONENT ${prefix}libraries
      NAMELINK_COMPONENT ${prefix}development)
endfunction()

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
  gmem_install_library(${name} gmem_${name})
endfunction()

# gmem_add_room(passes ops support) compiles the folder passes/ops, which sees
# itself and passes/support: its include path contains only these folders, so an
# include of any other does not compile. The arguments list every room that it
# sees; USES lists libraries outside of passes/, WITHOUT files of the folder that
# are not compiled. gmem_add_library_of makes a library of the objects,
# gmem_use_rooms links them into a program.
function(gmem_add_room library room)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "USES;WITHOUT")
  string(REPLACE / _ target gmem_${library}_${room})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${room})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c ${folder}/*.cpp)
  foreach(name ${arg_WITHOUT})
    list(REMOVE_ITEM sources ${folder}/${name})
  endforeach()
  add_library(${target} OBJECT ${sources})
  foreach(seen ${room} ${arg_UNPARSED_ARGUMENTS})
    target_include_directories(${target} PRIVATE
      ${CMAKE_CURRENT_SOURCE_DIR}/${seen})
  endforeach()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE gmem_options ${arg_USES})
endfunction()

# gmem_add_library_of(plan_writer runtime writer ...) makes the library
# gmem_plan_writer of rooms of the folder runtime/.
function(gmem_add_library_of library folder)
  list(TRANSFORM ARGN REPLACE / _)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:gmem_${folder}_\\1>"
    OUTPUT_VARIABLE objects)
  gmem_add_library(${library} ${objects})
  set_target_properties(gmem_${library} PROPERTIES LINKER_LANGUAGE C
    GMEM_OBJECTS "${objects}")
endfunction()

# gmem_add_shared(manager USES runtime HIDDEN gmem_runtime LIBRARIES ...) makes the
# shared library of gmem_manager, gmem::manager_shared, from the same objects. It is
# linked with the shared libraries of gmem after USES and with LIBRARIES; what it
# needs of the static libraries after HIDDEN is copied into it and not visible; the
# public functions of those after WITH are its own.
# Libraries share internals, so they fit together in one minor version only.
function(gmem_add_shared name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LANGUAGE"
    "USES;WITH;HIDDEN;LIBRARIES")
  if(GMEM_SANITIZE)
    return()
  endif()
  get_target_property(objects gmem_${name} GMEM_OBJECTS)
  if(NOT objects)
    set(objects $<TARGET_OBJECTS:gmem_${name}>)
  endif()
  foreach(other ${arg_WITH})
    list(APPEND objects $<TARGET_OBJECTS:${other}>)
  endforeach()
  if(NOT arg_LANGUAGE)
    set(arg_LANGUAGE C)
  endif()
  set(target gmem_${name}_shared)
  add_library(${target} SHARED ${objects})
  add_library(gmem::${name}_shared ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME gmem_${name}
    EXPORT_NAME ${name}_shared LINKER_LANGUAGE ${arg_LANGUAGE}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH $ORIGIN)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM arg_USES REPLACE "(.+)" "gmem_\\1_shared")
  target_link_libraries(${target} PUBLIC ${arg_USES})
  foreach(hidden ${arg_HIDDEN})
    add_dependencies(${target} ${hidden})
    target_link_libraries(${target} PRIVATE
      $<BUILD_INTERFACE:$<TARGET_FILE:${hidden}>>)
  endforeach()
  target_link_libraries(${target} PRIVATE
    $<BUILD_INTERFACE:${arg_LIBRARIES}>)
  target_link_options(${target} PRIVATE LINKER:--no-undefined
    LINKER:--exclude-libs,ALL)
  gmem_install_library(${name} ${target})
endfunction()

# gmem_see_rooms(TARGET passes/ops ...) lets tests and tools include the headers
# of rooms.
function(gmem_see_rooms target)
  foreach(room ${ARGN})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${room})
  endforeach()
endfunction()

# gmem_use_rooms(TARGET tools/common ...) links the objects of these rooms that a
# program refers to.
function(gmem_use_rooms target)
  gmem_see_rooms(${target} ${ARGN})
  foreach(room ${ARGN})
    string(REPLACE "/" "_" name gmem_${room})
    if(NOT TARGET ${name}_archive)
      add_library(${name}_archive STATIC $<TARGET_OBJECTS:${name}>)
      set_target_properties(${name}_archive PROPERTIES LINKER_LANGUAGE C)
    endif()
    target_link_libraries(${target} PRIVATE ${name}_archive)
  endforeach()
endfunction()

# gmem_add_tool(gmem-solve tools/solve tools/common) makes build/bin/gmem-solve of
# the first room, which defines main, and of the objects of the others that it uses.
function(gmem_add_tool name room)
  string(REPLACE "/" "_" objects gmem_${room})
  add_executable(${name} $<TARGET_OBJECTS:${objects}>)
  gmem_use_rooms(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE gmem_options)
endfunction()
