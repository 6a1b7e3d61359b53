# SPDX-License-Identifier: BSD-3-Clause
# Reads a CUBE 4 file with Python's standard library alone, and prints it as JSON:
#   metrics  by unique name: parent, unit, type, and values by call path, a list by rank
#   roots, ranks, nodes (the node of each rank)
# Fails on anything that CUBE's own readers would not accept.
import json
import struct
import sys
import tarfile
import xml.etree.ElementTree as xml

tar = tarfile.open(sys.argv[1], "r:")
members = {each.name: each for each in tar.getmembers()}
assert all(each.isfile() and each.size % 512 != 0 for each in members.values())
assert next(iter(members)) == "anchor.xml"
content = {name: tar.extractfile(each).read() for name, each in members.items()}
anchor = content["anchor.xml"]
assert anchor.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
cube = xml.fromstring(anchor)
assert cube.get("version") == "4.4"
sections = [each.tag for each in cube if each.tag != "attr"]
assert sections == ["doc", "metrics", "program", "system"]

regions = {int(each.get("id")): each.findtext("name") for each in cube.iter("region")}
paths = []  # by id: nodes are numbered depth first


def visit(node, above):
    assert int(node.get("id")) == len(paths)
    path = above + [regions[int(node.get("calleeId"))]]
    paths.append("/".join(path))
    for child in node.findall("cnode"):
        visit(child, path)


roots = cube.find("program").findall("cnode")
for root in roots:
    visit(root, [])

machines = cube.find("system").findall("systemtreenode")
assert len(machines) == 1 and machines[0].findtext("class") == "machine"
node_of, ranks = {}, {}
for node in machines[0].findall("systemtreenode"):
    assert node.findtext("class") == "node"
    for process in node.findall("locationgroup"):
        assert process.findtext("type") == "process"
        threads = process.findall("location")
        assert [each.findtext("type") for each in threads] == ["thread"]
        rank = int(threads[0].get("Id"))
        assert rank == int(process.findtext("rank"))
        node_of[rank], ranks[rank] = node.findtext("name"), process.findtext("name")
count = len(ranks)
assert sorted(ranks) == list(range(count))


def rows_of(identifier, kind):
    if identifier + ".index" not in content:
        assert identifier + ".data" not in content
        return {}
    index, data = content[identifier + ".index"], content[identifier + ".data"]
    assert index[:11] == b"CUBEX.INDEX" and data[:10] == b"CUBEX.DATA"
    order = "<" if struct.unpack_from("<I", index, 11)[0] == 1 else ">"
    one, version, sparse, length = struct.unpack_from(order + "IHBI", index, 11)
    assert (one, version, sparse) == (1, 0, 1) and length > 0
    nodes = struct.unpack_from(order + str(length) + "I", index, 22)
    assert len(index) == 22 + 4 * length and len(data) == 10 + 8 * length * count
    assert list(nodes) == sorted(set(nodes))
    values = struct.unpack_from(order + str(length * count) + kind, data, 10)
    rows = {node: values[i * count:(i + 1) * count] for i, node in enumerate(nodes)}
    assert all(any(row) for row in rows.values())
    return {paths[node]: list(row) for node, row in rows.items()}


metrics = {}


def read(metric, parent):
    name = metric.findtext("uniq_name")
    assert name not in metrics and metric.findtext("disp_name") and metric.findtext("descr")
    kind = {"DOUBLE": "d", "UINT64": "Q"}[metric.findtext("dtype")]
    metrics[name] = {"parent": parent, "unit": metric.findtext("uom"), "type": metric.get("type"),
                     "values": rows_of(metric.get("id"), kind)}
    for child in metric.findall("metric"):
        read(child, name)


for metric in cube.find("metrics").findall("metric"):
    read(metric, "")
json.dump({"metrics": metrics, "roots": [paths[int(each.get("id"))] for each in roots],
           "ranks": [ranks[rank] for rank in range(count)],
           "nodes": [node_of[rank] for rank in range(count)], "paths": paths}, sys.stdout)
