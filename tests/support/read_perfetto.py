# SPDX-License-Identifier: BSD-3-Clause
# Reads a trace in Chrome's trace event format as its viewers do, and prints a summary as JSON:
#   ranks      names of the processes
#   inclusive  ns by name of slice and process: the sum of durations
#   messages   number of arrows
# Fails if slices of a process overlap without being nested, if an arrow has only one end, or if an
# end is in no slice.
import json
import sys
from decimal import Decimal

with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file, parse_float=Decimal)
events = trace["traceEvents"]
names, tracks, arrows = {}, {}, {}
for event in events:
    if event["ph"] == "M":
        if event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        continue
    event["ns"] = int(Decimal(event["ts"]) * 1000)
    assert event["ns"] == Decimal(event["ts"]) * 1000 and event["ns"] >= 0
    assert event["pid"] == event["tid"]
    tracks.setdefault(event["pid"], []).append(event)

inclusive = {}
for pid, track in tracks.items():
    assert pid in names
    track.sort(key=lambda each: each["ns"])  # stable, as in the viewers
    open_slices = []  # name, begin, end (None: ends with an E)

    def close(until):
        while open_slices and open_slices[-1][2] is not None and open_slices[-1][2] <= until:
            open_slices.pop()

    def count(name, ns):
        of_name = inclusive.setdefault(name, {})
        of_name[names[pid]] = of_name.get(names[pid], 0) + ns

    for event in track:
        now = event["ns"]
        close(now)
        if event["ph"] == "B":
            assert not open_slices or open_slices[-1][2] is None, event
            open_slices.append((event["name"], now, None))
        elif event["ph"] == "E":
            name, begin, end = open_slices.pop()
            assert end is None, event
            count(name, now - begin)
        elif event["ph"] == "X":
            end = now + int(Decimal(event["dur"]) * 1000)
            around = open_slices[-1][2] if open_slices else None
            assert around is None or end <= around, event
            open_slices.append((event["name"], now, end))
            count(event["name"], end - now)
        elif event["ph"] in "sf":
            assert open_slices, event
            arrows.setdefault(event["id"], []).append((event["ph"], now, open_slices[-1][0]))
    close(max(each["ns"] for each in track) + 10**18)
    assert not open_slices, open_slices
for ends_of_arrow in arrows.values():
    assert sorted(each[0] for each in ends_of_arrow) == ["f", "s"], ends_of_arrow
json.dump({"ranks": [names[pid] for pid in sorted(names)], "inclusive": inclusive,
           "messages": len(arrows), "events": len(events)}, sys.stdout)
