# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Loops over windows, on the OpenMP of the compiler that is used: LLVM's with
# clang, GCC's with gcc. Where there is none they run on one thread. The library
# is linked by its path, since who embeds this may use another compiler; threads
# come with the runtime.
find_package(OpenMP COMPONENTS C)
gmem_add_library(parallel parallel.c window.c)
target_link_libraries(gmem_parallel PUBLIC gmem_runtime)
if(OpenMP_C_FOUND)
  separate_arguments(gmem_openmp_flags UNIX_COMMAND "${OpenMP_C_FLAGS}")
  target_compile_options(gmem_parallel PRIVATE ${gmem_openmp_flags})
  list(FILTER OpenMP_C_LIBRARIES EXCLUDE REGEX pthread)
  target_link_libraries(gmem_parallel PRIVATE ${OpenMP_C_LIBRARIES})
endif()
