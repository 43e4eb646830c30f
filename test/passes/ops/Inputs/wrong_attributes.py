# wrong_attributes.py - gives every input attribute values of many types,
# lengths and sizes, at every place where it may stand, plans each program, and
# prints which values are accepted. Every other one must be refused with one
# error. Exits 1 if there are several, or a crash.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

VALUES = [
    "unit", "true", "1 : i32", "0 : i64", "-1 : i64", "9223372036854775807 : i64",
    "-9223372036854775808 : i64", "1 : index", "1.5 : f64", '"x"', '""', "@sym", "i32", "[]",
    "[1 : i64]", '["x"]', '[["x"]]', "[[]]", "[unit]", "{}", "{x = 1 : i64}", "array<i64>",
    "array<i64: 0>", "array<i64: -1>", "array<i64: -2>", "array<i64: 0, 0>",
    "array<i64: 9223372036854775807>", "array<i32: 0>", "[array<i64: 0>]", "[array<i64: 0, 0>]",
    "[array<i64: -1, 0>]", "[array<i64: 9223372036854775807, 9223372036854775807>]",
    "[array<i64: 0, 0>, array<i64: 0, 0>]", "dense<1> : tensor<1xi64>", "[{}]",
    "[{size = 8 : i64}]", "[{size = -8 : i64}]", "[{size = 8 : i32}]",
    "[{size = 9223372036854775807 : i64}]", "[{size = 4611686018427387904 : i64, threads = 8 : i64}]",
    "[{size = 8 : i64, other = 1 : i64}]", '[{name = "a"}]', '[{name = "a"}, {name = "a"}]',
    '[{name = "a", capacity = -1 : i64}]', '[{name = "a", alignment = 3 : i64}]',
    '[{name = "a", base = 9223372036854775807 : i64}]', '{kind = "view"}', '{kind = "nonsense"}',
    "{inplace = 99 : i64}",
]

PLACES = {
    "gmem.layer_group": ["op", "none"],
    "gmem.hold": ["op", "none"],
    "gmem.op_model": ["op", "none"],
    "gmem.op_models": ["module"],
    "gmem.weight": ["argument"],
    "gmem.fixed": ["op", "argument", "none"],
    "gmem.same_as": ["result"],
    "gmem.dynamic": ["function"],
    "gmem.memories": ["module"],
    "gmem.target": ["op", "function", "module"],
    "gmem.pools": ["op", "argument", "none"],
    "gmem.padding": ["op", "argument", "none"],
    "gmem.valid_region": ["argument"],
    "gmem.workbuffers": ["op", "none"],
    "gmem.stream": ["op", "none", "terminator"],
    "gmem.wait": ["op", "none", "terminator"],
    "gmem.no_capture": ["declaration"],
    "gmem.upper_bound": ["op", "argument", "none"],
}


def program(number, attribute, place, value):
    named = attribute if value == "unit" else f"{attribute} = {value}"
    at = {place: f" {{{named}}}"}
    of = {place: f" attributes {{{named}}}"}
    return f"""module{of.get("module", "")} {{
  func.func private @d(memref<16xf32>{at.get("declaration", "")})
  func.func @v{number}(%x: tensor<16xf32>{at.get("argument", "")}) -> (tensor<16xf32>{at.get("result", "")}){of.get("function", "")} {{
    %0 = "x.make"(%x){at.get("op", "")} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.make"(%0, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%1){at.get("none", "")} : (tensor<16xf32>) -> ()
    return{at.get("terminator", "")} %1 : tensor<16xf32>
  }}
}}
"""


def try_all(attribute, place):
    pieces = [program(i, attribute, place, value) for i, value in enumerate(VALUES)]
    run = subprocess.run(
        ["gmem-opt", "--allow-unregistered-dialect", "--split-input-file",
         "--gmem-plan=effort=fast alignment=16", "-"],
        input="// -----\n".join(pieces), capture_output=True, text=True, timeout=300)
    errors = re.findall(r"^<stdin>:(\d+):\d+: error: ", run.stderr, re.MULTILINE)
    lines = pieces[0].count("\n") + 1
    refused = [(int(line) - 1) // lines for line in errors]
    accepted = [value for i, value in enumerate(VALUES) if i not in refused]
    print(f"{attribute} {place}: " + ", ".join(accepted))
    if run.returncode not in (0, 1):
        print(f"  exits with {run.returncode}: {run.stderr[-200:]}")
    twice = {VALUES[i] for i in refused if refused.count(i) > 1}
    for value in sorted(twice):
        print(f"  {value}: several errors")
    return run.returncode in (0, 1) and not twice


good = [try_all(attribute, place) for attribute, places in PLACES.items() for place in places]
sys.exit(0 if all(good) else 1)
