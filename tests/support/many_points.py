# SPDX-License-Identifier: BSD-3-Clause
"""Writes a CSV of 10,000 points, some failed, with names that contain markup."""
import csv
import math
import sys

out = csv.writer(sys.stdout, lineterminator="\n")
names = ["binomial", "<script>window.broken=1</script>", "a&b \"quoted\" 'twice'", "</script><b>"]
out.writerow(["algorithm", "procs", "message_bytes", "time_s", "wall_s", "status", "error", "said"])
for procs in range(1, 126):
    for power in range(20):
        for i, name in enumerate(names):
            time_s = (i + 1) * 1e-6 * math.log2(procs + 1) + 2**power / (1 + i) / 1e9
            if procs == 7 and power == 3:
                row = [name, procs, 2**power, "", "", "failed", "<img src=x onerror=alert(1)>",
                       "said </pre><script>window.broken=2</script>"]
            else:
                row = [name, procs, 2**power, repr(time_s), 0.01, "done", "", ""]
            out.writerow(row)
