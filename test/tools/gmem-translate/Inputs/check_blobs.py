# check_blobs.py [--strict] FILE - checks a list of blobs; prints the number of pools.
# --strict: buffers of one blob are never live together, because nothing is shared.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

pools = json.load(open(sys.argv[-1]))["pools"]
for pool in pools:
    blobs = pool["blobs"]
    assert pool["bytes"] == sum(blob["size"] for blob in blobs)
    assert pool["lower_bound"] <= pool["bytes"] <= sum(buffer["size"] for buffer in pool["buffers"]) + 64 * len(blobs)
    assert pool["optimal"] == (pool["lower_bound"] == pool["bytes"])
    members = [[] for _ in blobs]
    for buffer in pool["buffers"]:
        assert buffer["offset"] + buffer["size"] <= blobs[buffer["blob"]]["size"]
        members[buffer["blob"]].append(buffer)
    for blob, inside in zip(blobs, members):
        assert max(buffer["size"] for buffer in inside) > blob["size"] - blob["alignment"]
        ranges = sorted({tuple(r) for buffer in inside for r in buffer["ranges"]})  # of a view and its source: once
        if "--strict" in sys.argv:
            assert all(a[1] <= b[0] for a, b in zip(ranges, ranges[1:])), (blob, ranges)
print(f"{len(pools)} pools")
