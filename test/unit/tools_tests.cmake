# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of the tools that no command line can show.
gmem_add_unit_test(tools_interrupt_test)
target_sources(tools_interrupt_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools/interrupt.c)
target_include_directories(tools_interrupt_test PRIVATE
  ${PROJECT_SOURCE_DIR}/tools)
