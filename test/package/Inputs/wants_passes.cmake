# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A project that cannot do without the passes.
cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C)
find_package(gmem REQUIRED COMPONENTS passes)
