// SPDX-License-Identifier: BSD-3-Clause
// Node lists in Slurm's notation, files of allocations, and placement on them.
#include "platforms/node_list.hpp"

#include <doctest/doctest.h>

#include "platforms/placement.hpp"
#include "platforms/reader.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

std::string nodes_of(std::string_view list) {
  const auto nodes = read_node_list(list);
  return nodes ? fmt::format("{}", fmt::join(*nodes, " ")) : "error: " + nodes.error().message;
}

std::vector<Allocation> allocations(std::string_view text) {
  return read_allocations(text, "jobs.csv").value();
}

std::string text_of(const std::vector<Allocation>& all) {
  std::string text;
  for (const auto& each : all)
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : "; ", each.name, fmt::join(each.nodes, " "));
  return text;
}

}  // namespace

TEST_CASE("names, ranges, leading zeros and several brackets") {
  CHECK(nodes_of("login1") == "login1");
  CHECK(nodes_of("a1,b2") == "a1 b2");
  CHECK(nodes_of("lrdn[0007-0010,0100],x") == "lrdn0007 lrdn0008 lrdn0009 lrdn0010 lrdn0100 x");
  CHECK(nodes_of("n[9-11]") == "n9 n10 n11");
  CHECK(nodes_of("r[1-2]n[3,5]s") == "r1n3s r1n5s r2n3s r2n5s");
  CHECK(nodes_of(" a[1] , b ") == "a1 b");
}

TEST_CASE("invalid lists") {
  CHECK(nodes_of("") == "error: a name is missing in ''");
  CHECK(nodes_of("a,,b") == "error: a name is missing in 'a,,b'");
  CHECK(nodes_of("a[1-3") == "error: missing ']' in 'a[1-3'");
  CHECK(nodes_of("a1-3]") == "error: unexpected ']' in 'a1-3]'");
  CHECK(nodes_of("a[[1]]") == "error: unexpected '[' in 'a[[1]]'");
  CHECK(nodes_of("a[3-1]") == "error: the range '3-1' descends");
  CHECK(nodes_of("a[1-x]") == "error: expected a number or a range, found '1-x'");
  CHECK(nodes_of("a[]") == "error: expected a number or a range, found ''");
  CHECK(nodes_of("a[0-99999999]") == "error: more than 1048576 nodes");
  CHECK(nodes_of("a[1-2000]b[1-2000]") == "error: more than 1048576 nodes");
  CHECK(nodes_of("a[1-99999999999999999999]") ==
        "error: expected a number or a range, found '1-99999999999999999999'");
}

TEST_CASE("allocations of jobs, of ranks, and plain lists") {
  CHECK(text_of(allocations("job,nodes,node_list\n7,3,\"a[1-2],b\"\n8,1,c\n")) ==
        "job 7: a1 a2 b; job 8: c");
  CHECK(text_of(allocations("node_list\na[1-2]\n")).ends_with("line 2: a1 a2"));
  CHECK(text_of(allocations("system,timestamp,rank,node\n"
                            "x,noon,0,a\nx,noon,1,a\nx,one,0,c\nx,noon,2,b\n")) ==
        "x noon: a b; x one: c");
  CHECK(text_of(allocations("rank,node\n0,b\n1,a\n")) == "all rows: b a");
  CHECK(text_of(allocations("# two jobs\na[1-2]\n\nb,c,b\n")) == "line 2: a1 a2; line 4: b c");
}

TEST_CASE("errors in files of allocations have a line") {
  const auto wrong = [](std::string_view text) {
    const auto found = read_allocations(text, "jobs.csv");
    REQUIRE_FALSE(found);
    return fmt::format("{}:{}: {}", found.error().place, found.error().line, found.error().message);
  };
  CHECK(wrong("job,node_list\n7,\"a[1\"\n") == "jobs.csv:2: missing ']' in 'a[1'");
  CHECK(wrong("job,node_list\n7,a[1,2]\n") == "jobs.csv:2: expected 2 fields, found 3");
  CHECK(wrong("rank,node\n0,a\n1,\n") == "jobs.csv:3: the node is missing");
  CHECK(wrong("# nothing\n").ends_with("the file has no allocations"));
  CHECK(wrong("a,b\n[1-\n") == "jobs.csv:2: missing ']' in '[1-'");
}

TEST_CASE("ranks are placed on the nodes of an allocation, in its order") {
  const auto machine = load_machine("opuntia-10k", {}).value();
  const auto name = [&](HostId host) { return machine.topology->host_name(host); };
  const Allocation jobs{"job 1", {name(40), name(7), name(399)}};
  PlacementRequest request{.procs = 5, .ppn = 2};
  request.allocation = std::make_shared<const Allocation>(jobs);
  CHECK(place(machine, request)->host_of == std::vector<HostId>{40, 40, 7, 7, 399});
  request.policy = MapPolicy::round_robin;
  CHECK(place(machine, request)->host_of == std::vector<HostId>{40, 7, 399, 40, 7});
  CHECK(place(machine, request)->nodes == 3);
  request.procs = 7;
  CHECK(place(machine, request).error().message ==
        "7 processes, but the 3 nodes of job 1 fit only 6");
  request.procs = 2;
  request.allocation = std::make_shared<const Allocation>(Allocation{"job 2", {"nowhere"}});
  CHECK(place(machine, request).error().message == "the platform has no node 'nowhere'");
}
