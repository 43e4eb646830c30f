# compare_headers.py INCLUDE - the numbers that the Python module repeats are those of
# the C headers in INCLUDE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

import gmem


def header(name):
    with open(f"{sys.argv[1]}/{name}", encoding="utf-8") as file:
        return file.read()


statuses = re.findall(r"^  GMEM_(?:ERR_)?(\w+) = (\d+),", header("status.h"), re.M)
assert [(one.name, str(one.value)) for one in gmem.Status] == statuses, statuses
version = re.search(r'GMEM_VERSION_STRING "(.*)"', header("version.h"))[1]
assert gmem.__version__ == version, version
print(f"{len(statuses)} statuses, version {version}")
