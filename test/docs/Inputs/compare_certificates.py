# compare_certificates.py DOCUMENT PLAN.json FAILURE.json - whether the tables of
# the document have the keys of these two certificates, in their order.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as document:
    described = re.findall(r"^\| `((?:certificate\.|pools\[\]\.)\w+)` \|", document.read(), re.M)
written = []
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        certificate = json.load(file)["certificate"]
    written += [f"certificate.{key}" for key in certificate]
    written += [f"pools[].{key}" for pool in certificate.get("pools", []) for key in pool]
if described != written:
    sys.exit(f"described: {described}\nwritten: {written}")
