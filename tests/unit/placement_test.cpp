// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placement.hpp"

#include <doctest/doctest.h>

#include <string>

#include "platforms/reader.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

// Three nodes n-1, n-2, n-7 of four cores.
Machine small_machine() {
  auto machine = read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n-" radical="1-2,7" core="4" bw="1GBps"
         lat="1us"/></platform>)",
      "small.xml");
  REQUIRE(machine);
  return *std::move(machine);
}

PlacementRequest request(int procs) {
  PlacementRequest made;
  made.procs = procs;
  return made;
}

}  // namespace

TEST_CASE("block fills a node, then the next") {
  const auto machine = small_machine();
  const auto placed = place(machine, request(6));
  REQUIRE(placed);
  CHECK(placed->host_of == std::vector<HostId>{0, 0, 0, 0, 1, 1});
  CHECK(placed->nodes == 2);
  CHECK(placed->ppn == 4);
}

TEST_CASE("round robin distributes the ranks over the number of nodes of block") {
  const auto machine = small_machine();
  auto requested = request(5);
  requested.policy = MapPolicy::round_robin;
  auto placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->host_of == std::vector<HostId>{0, 1, 0, 1, 0});
  CHECK(placed->nodes == 2);
  CHECK(placed->ppn == 3);
  requested.ppn = 2;
  placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->host_of == std::vector<HostId>{0, 1, 2, 0, 1});
}

TEST_CASE("the platform's own number of processes per node takes precedence over all cores") {
  auto machine = small_machine();
  machine.default_ppn = 1;
  CHECK(place(machine, request(3))->host_of == std::vector<HostId>{0, 1, 2});
  const auto rejected = place(machine, request(4));
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().place == "--procs");
  CHECK(rejected.error().message == "4 processes, but 3 nodes x 1 processes per node = 3");
  CHECK(rejected.error().hint == "use --ppn 2");
  auto requested = request(4);
  requested.ppn = 2;
  CHECK(place(machine, requested)->nodes == 2);
}

TEST_CASE("oversubscribing spreads the ranks evenly") {
  const auto machine = small_machine();
  auto requested = request(20);
  requested.oversubscribe = true;
  auto placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->nodes == 3);
  CHECK(placed->ppn == 7);
  CHECK(placed->host_of.front() == 0);
  CHECK(placed->host_of.back() == 2);
  requested.ppn = 10;
  CHECK(place(machine, requested)->nodes == 2);
  requested.ppn = 2'000'000'000;
  CHECK(place(machine, requested)->nodes == 1);
  requested.ppn = 6;
  CHECK_FALSE(place(machine, requested));
  requested = request(3);
  requested.oversubscribe = true;
  CHECK(place(machine, requested)->ppn == 3);  // without a shortage nothing changes
}

TEST_CASE("impossible requests name the option") {
  const auto machine = small_machine();
  struct Case {
    int procs;
    std::optional<int> ppn;
    std::string place;
    std::string message;
  };
  const std::vector<Case> cases = {
      {0, {}, "--procs", "0 processes: must be at least 1"},
      {-3, {}, "--procs", "-3 processes: must be at least 1"},
      {13, {}, "--procs", "13 processes, but small has 12 cores (3 nodes x 4 cores)"},
      {2'000'000'000, {}, "--procs", "2000000000 processes: at most 16777216"},
      {4, 0, "--ppn", "0 processes per node: must be at least 1"},
      {4, 5, "--ppn", "5 processes per node, but a node of small has 4 core(s)"},
      {10, 2, "--procs", "10 processes, but 3 nodes x 2 processes per node = 6"}};
  for (const auto& c : cases) {
    CAPTURE(c.message);
    auto requested = request(c.procs);
    requested.ppn = c.ppn;
    const auto placed = place(machine, requested);
    REQUIRE_FALSE(placed);
    CHECK(placed.error().kind == ErrorKind::usage);
    CHECK(placed.error().place == c.place);
    CHECK(placed.error().message == c.message);
  }
  CHECK(place(machine, request(13)).error().hint.find("--oversubscribe") != std::string::npos);
}

TEST_CASE("a map file places ranks by host name or number") {
  const auto machine = small_machine();
  const auto hosts =
      read_map("# mine\n\nrank,node\r\n2,n-7\n0, 1\n# last\n1,n-1", "map.csv", machine, 3);
  REQUIRE(hosts);
  CHECK(*hosts == std::vector<HostId>{1, 0, 2});
}

TEST_CASE("fields of a map file may be quoted") {
  const auto hosts =
      read_map("\"rank\",\"node\"\n\"0\", \"n-7\"\n1,\"n-1\"\r\n", "map.csv", small_machine(), 2);
  REQUIRE(hosts);
  CHECK(*hosts == std::vector<HostId>{2, 0});
}

TEST_CASE("invalid map files are rejected with their line") {
  const auto machine = small_machine();
  struct Case {
    std::string text;
    int line;
    std::string message;
    std::string hint;
  };
  const std::vector<Case> cases = {
      {"", 1, "the file is empty", "rank,node"},
      {"# nothing\n", 1, "the file is empty", "rank,node"},
      {"0,n-1\n1,n-1\n", 1, "the header is '0,n-1', not rank,node", "rank,node"},
      {"rank,node\n0,n-1\n", 2, "rank 1 is not placed", "ranks 0 to 1"},
      {"rank,node\n0,n-1\n0,n-1\n1,n-2\n", 3, "rank 0 is placed twice", ""},
      {"rank,node\n0,n-1\n2,n-1\n", 3, "rank 2 is out of range: the job has ranks 0 to 1", ""},
      {"rank,node\n-1,n-1\n", 2, "rank -1 is out of range: the job has ranks 0 to 1", ""},
      {"rank,node\nx,n-1\n", 2, "rank: 'x' is not a whole number: only digits are allowed", ""},
      {"rank,node\n0,n-3\n1,n-1\n", 2, "the platform has no node 'n-3'", "did you mean 'n-1'?"},
      {"rank,node\n0,3\n1,n-1\n", 2, "the platform has no node '3'",
       "nodes: n-1 to n-7, or 0 to 2"},
      {"rank,node\n0,n-1,7\n1,n-1\n", 2, "'0,n-1,7' does not have two fields", "rank,node"},
      {"rank,node\n0,\"n-1\n1,n-1\n", 2, "quotes must enclose a whole field",
       "quotes and commas inside a field are not supported"},
      {"rank,node\n0,\"n,1\"\n1,n-1\n", 2, "quotes must enclose a whole field", ""},
      {"rank,node\n0,\"n\"\"1\"\n1,n-1\n", 2, "quotes must enclose a whole field", ""},
      {"rank,node\n0\n1,n-1\n", 2, "'0' does not have two fields", "rank,node"}};
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto hosts = read_map(c.text, "map.csv", machine, 2);
    REQUIRE_FALSE(hosts);
    CHECK(hosts.error().kind == ErrorKind::input);
    CHECK(hosts.error().place == "map.csv");
    CHECK(hosts.error().line == c.line);
    CHECK(hosts.error().message == c.message);
    CHECK(hosts.error().hint.find(c.hint) != std::string::npos);
  }
  CHECK(read_map("rank,node\n", "m", machine, 9).error().message ==
        "rank 0 is not placed (and 8 more)");
  std::string bad = "rank,node\n";
  for (int i = 0; i < 100; ++i) bad += "x,y\n";
  CHECK(read_map(bad, "m", machine, 9).errors().size() == 20);
}

TEST_CASE("a map file may not place more ranks on a node than it has cores") {
  const auto machine = small_machine();
  const tests::TemporaryFolder folder;
  const std::string map = folder.write("map.csv", "rank,node\n0,0\n1,0\n2,0\n3,0\n4,0\n5,2\n");
  auto requested = request(6);
  requested.policy = MapPolicy::file;
  requested.file = map;
  auto placed = place(machine, requested);
  REQUIRE_FALSE(placed);
  CHECK(placed.error().place == map);
  CHECK(placed.error().message == "5 ranks on one node, but a node of small has 4 core(s)");
  requested.oversubscribe = true;
  placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->nodes == 2);
  CHECK(placed->ppn == 5);
  requested.ppn = 2;
  CHECK(place(machine, requested).error().message == "5 ranks on one node, but --ppn allows 2");
  requested.file = "/nonexistent/map.csv";
  CHECK(place(machine, requested).error().place == "/nonexistent/map.csv");
}

TEST_CASE("a map is read only once") {
  const auto machine = small_machine();
  auto requested = request(2);
  requested.policy = MapPolicy::file;
  requested.file = "/nonexistent/pipe";
  requested.map_text = std::make_shared<const std::string>("rank,node\n0,2\n1,0\n");
  for (int times = 0; times < 2; ++times) {
    const auto placed = place(machine, requested);
    REQUIRE(placed);
    CHECK(placed->host_of == std::vector<HostId>{2, 0});
  }
  requested.map_text = std::make_shared<const std::string>("rank,node\n0,2\n");
  CHECK(place(machine, requested).error().place == "/nonexistent/pipe");
}

TEST_CASE("a map may come from a pipe, which is read once") {
  const tests::TemporaryFolder folder;
  const std::string map = folder.write("map.csv", "\xef\xbb\xbfrank,node\r\n0,1\r\n");
  const auto from_file = read_map_file(map);
  REQUIRE(from_file);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], from_file->data(), from_file->size()) ==
          static_cast<ssize_t>(from_file->size()));
  close(ends[1]);
  const auto path = "/dev/fd/" + std::to_string(ends[0]);
  const auto from_pipe = read_map_file(path);
  REQUIRE(from_pipe);
  CHECK(*from_pipe == *from_file);
  CHECK(read_map_file(path)->empty());
  close(ends[0]);
  const auto hosts = read_map(*from_pipe, path, small_machine(), 1);
  REQUIRE(hosts);
  CHECK(*hosts == std::vector<HostId>{1});
  CHECK(read_map_file("/nonexistent/map.csv").error().place == "/nonexistent/map.csv");
}

TEST_CASE("a line of a map file is printed without control characters") {
  const auto hosts = read_map("rank,node\n0,\x1b[31m\n", "m", small_machine(), 1);
  REQUIRE_FALSE(hosts);
  CHECK(hosts.error().source == "0, [31m");
  CHECK(hosts.error().message == "the platform has no node '\\x1b[31m'");
}

TEST_CASE("nodes may differ in cores, and no node gets more ranks than cores") {
  auto machine = small_machine();
  machine.host_cores = {2, 4, 1};
  auto requested = request(7);
  auto placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->host_of == std::vector<HostId>{0, 0, 1, 1, 1, 1, 2});
  CHECK(placed->ppn == 4);
  requested.policy = MapPolicy::round_robin;
  placed = place(machine, requested);
  REQUIRE(placed);
  CHECK(placed->host_of == std::vector<HostId>{0, 1, 2, 0, 1, 1, 1});
  requested.ppn = 2;
  placed = place(machine, requested);
  REQUIRE_FALSE(placed);
  CHECK(placed.error().message ==
        "7 processes, but 3 nodes of 1 to 4 cores with at most 2 per node fit only 5");
  CHECK(placed.error().hint == "the maximum is --ppn 4");
  placed = place(machine, request(8));
  REQUIRE_FALSE(placed);
  CHECK(placed.error().message == "8 processes, but small has 7 cores (3 nodes of 1 to 4 cores)");
  requested = request(8);
  requested.oversubscribe = true;
  CHECK(place(machine, requested));
}

TEST_CASE("a map file may not exceed the cores of a node that has fewer than others") {
  auto machine = small_machine();
  machine.host_cores = {2, 4, 1};
  auto requested = request(2);
  requested.policy = MapPolicy::file;
  requested.file = "map.csv";
  requested.map_text = std::make_shared<const std::string>("rank,node\n0,n-7\n1,n-7\n");
  const auto placed = place(machine, requested);
  REQUIRE_FALSE(placed);
  CHECK(placed.error().message == "2 ranks on one node, but n-7 has 1 core(s)");
}
