// SPDX-License-Identifier: BSD-3-Clause
// Placements of mpirun and srun: hostfiles, rankfiles, Slurm's distributions, random order, and the
// nodes of a job.
#include <doctest/doctest.h>

#include <string>

#include "platforms/placing/host_file.hpp"
#include "platforms/placing/map_words.hpp"
#include "platforms/placing/rank_file.hpp"
#include "platforms/reader.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

// Four nodes n1 to n4 of eight cores on two sockets.
Machine four_nodes() {
  auto machine = read_machine(
      R"(<platform version="4.1"><cluster id="c" prefix="n" radical="1-4" core="8" bw="1GBps"
         lat="1us"/></platform>)",
      "four.xml");
  REQUIRE(machine);
  machine->sockets.count = 2;
  return *std::move(machine);
}

// A placement as "n1:0 n1:1 n2:0": node and core of each rank.
std::string shown(const Result<Placement>& placement, const Machine& machine) {
  if (!placement) {
    const auto& error = placement.error();
    return fmt::format("{}{}: {}", error.place,
                       error.line > 0 ? fmt::format(":{}", error.line) : "", error.message);
  }
  std::string text;
  const auto cores = cores_of(*placement, machine);
  for (std::size_t rank = 0; rank < cores.size(); ++rank)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ",
                        machine.topology->host_name(placement->host_of[rank]), cores[rank]);
  return text;
}

struct Wanted {
  std::string map;
  std::string text = {};  // of the file
  int procs = 4;
  std::optional<int> ppn = {};
  bool oversubscribe = false;
  std::string nodes = {};
};

std::string placed(const Wanted& wanted) {
  const auto machine = four_nodes();
  auto request =
      with_map({.procs = wanted.procs, .ppn = wanted.ppn, .oversubscribe = wanted.oversubscribe},
               wanted.map)
          .value();
  if (!request.file.empty()) request.map_text = std::make_shared<const std::string>(wanted.text);
  if (!wanted.nodes.empty())
    request.allocation =
        std::make_shared<const Allocation>(named_nodes(wanted.nodes, std::nullopt).value());
  return shown(place(machine, request), machine);
}

std::string by_hosts(const std::string& text, int procs = 4) {
  return placed({.map = "hostfile:h", .text = text, .procs = procs});
}
std::string by_ranks(const std::string& text, int procs = 2) {
  return placed({.map = "rankfile:r", .text = text, .procs = procs});
}

}  // namespace

TEST_CASE("hostfiles of Open MPI, MPICH, PBS and Slurm") {
  const std::string filled = "n3:0 n3:1 n1:0 n1:1";
  CHECK(by_hosts("n3 slots=2 max_slots=4\nn1 slots = 2 # two\n") == filled);
  CHECK(by_hosts("user@n3 cpu=2\nn1 max-slots=8 count=3\n") == filled);
  CHECK(by_hosts("// Hydra\nn3:2\nn1:6\n") == filled);
  CHECK(by_hosts("n3\nn3\nn1\nn1\n") == filled);
  CHECK(by_hosts("n3\nn1\nn3\nn1\n") == filled);  // slots of a node are added
  CHECK(by_hosts("n3.cluster.example slots=2\n+n0 slots=2\n") == filled);
  CHECK(by_hosts("n[3-4]\n") == "n3:0 n3:1 n3:2 n3:3");  // all cores
  CHECK(placed({.map = "hostfile:h", .text = "n[3-4]\n", .ppn = 2}) == "n3:0 n3:1 n4:0 n4:1");
  CHECK(by_hosts("n3:2\nn1\nn2\n") == "n3:0 n3:1 n1:0 n2:0");
}

TEST_CASE("oversubscription uses slots up to max_slots, in turn") {
  const Wanted wanted{.map = "hostfile:h",
                      .text = "n1 slots=1 max_slots=2\nn2 slots=1\n",
                      .procs = 5,
                      .oversubscribe = true};
  CHECK(placed(wanted) == "n1:0 n1:1 n2:0 n2:1 n2:2");
  CHECK(by_hosts("n1 slots=1\nn2 slots=2\n") == "h: 4 processes, but 2 nodes with 3 slots");
  CHECK(by_hosts("n1 slots=9\n", 9) == "h: 9 ranks on one node, but a node of four has 8 core(s)");
}

// The slots of n1 and n2; "-": all cores.
std::string slots(const std::string& text) {
  const auto hosts = read_host_file(text, "h", four_nodes(), {});
  if (!hosts) return fmt::format("{}: {}", hosts.error().line, hosts.error().message);
  std::string found;
  for (const auto& each : *hosts)
    found += fmt::format("{}{}{}", found.empty() ? "" : " ",
                         each.slots ? fmt::format("{}", *each.slots) : "-",
                         each.most ? fmt::format("/{}", *each.most) : "");
  return found;
}

// As printed by mpirun 4.1.4, which takes 1 slot for a node without a number, and counts cores
// later.
TEST_CASE("slots of nodes with several lines are those of Open MPI") {
  CHECK(slots("n1 slots=2\nn1 slots=2\n") ==
        "2: a second number of slots for node n1, first in line 1");
  CHECK(slots("n1\nn1 slots=2\n") == "2: a second number of slots for node n1, first in line 1");
  CHECK(slots("n1 slots=2 cpu=3\n") == "1: a second number of slots for node n1, first in line 1");
  CHECK(slots("n1 slots=2\nn1.cluster.example slots=3\n").starts_with("2: a second number"));
  CHECK(slots("n1 slots=2\nn1\n") == "3");
  CHECK(slots("n1 slots=2\nn2\nn2\n") == "2 2");
  CHECK(slots("n1 slots=2\nn2\n") == "2 -");
  CHECK(slots("n1 max_slots=4\n") == "4/4");
  CHECK(slots("n1 max_slots=2 slots=4\n") == "4/4");
  CHECK(slots("n1 slots=4 max_slots=8 max_slots=6\n") == "4/6");
  CHECK(slots("n1 max_slots=4\nn1 max_slots=6\n") == "5/6");
  CHECK(slots("n1 slots=2 max_slots=4\nn1 max_slots=6\n") == "3/6");
  CHECK(slots("n1\nn1 max_slots=6\n") == "2/6");
  CHECK(slots("n1:2\nn2\nn1:3\nn1\n") == "6 1");  // Hydra adds
  CHECK(slots("n1\nn2\nn1\n") == "2 1");          // PBS
  CHECK(slots("n1\nn2\n") == "- -");
}

TEST_CASE("bad hostfiles have a line") {
  CHECK(by_hosts("n1\nn9 slots=2\n") == "h:2: the platform has no node 'n9'");
  CHECK(by_hosts("n1 slots=0\n") == "h:1: slots: invalid number of slots '0'");
  CHECK(by_hosts("n1 slots=2\nn2:2\n") == "h:2: node:N, but line 1 has the form slots=N");
  CHECK(by_hosts("n1 slot 2\n") == "h:1: unexpected 'slot'");
  CHECK(by_hosts("n1 slots=4 max_slots=2\n") == "h:1: max_slots=2 is below slots=4");
  CHECK(by_hosts("# none\n") == "h:1: the file has no nodes");
  CHECK(by_hosts("n[1-\n").starts_with("h:1: missing ']'"));
  CHECK(by_hosts("+n4\n") == "h:1: the job has no node '+n4'");
  const auto hint = read_host_file("n1 slotz=2\n", "h", four_nodes(), {}).error().hint;
  CHECK(hint.starts_with("did you mean 'slots"));
}

TEST_CASE("rankfiles of Open MPI") {
  CHECK(by_ranks("rank 1=n2 slot=3\nrank 0=n1 slot=0\n") == "n1:0 n2:3");
  CHECK(by_ranks("rank 0=n1 slot=1:2\nrank  1 = +n3  slots = \"0:1\"\n") == "n1:6 n4:1");
  // Ranks take the first free one of their cores.
  CHECK(by_ranks("rank 0=n1 slot=0-3\nrank 1=n1 slot=0-3\n") == "n1:0 n1:1");
  CHECK(by_ranks("rank 0=n1 slot=1:*\nrank 1=n1 slot=0:3,1:0-1\n") == "n1:4 n1:3");
  CHECK(placed({.map = "rankfile:r",
                .text = "rank 0=n1 slot=2\nrank 1=n1 slot=2\n",
                .procs = 2,
                .oversubscribe = true}) == "n1:2 n1:2");
  CHECK(
      placed({.map = "rankfile:r", .text = "rank 0=+n1 slot=2\n", .procs = 1, .nodes = "n4,n2"}) ==
      "n2:2");
}

TEST_CASE("bad rankfiles have a line") {
  CHECK(by_ranks("rank 0=n1 slot=0\n") == "r:1: rank 1 is not placed");
  CHECK(by_ranks("rank 0=n1 slot=0\nrank 0=n2 slot=0\n") ==
        "r:2: rank 0 is placed twice, first in line 1");
  CHECK(by_ranks("rank 0=n1 slot=0\nrank 1=n1 slot=0\n") == "r:2: rank 1 has the core of rank 0");
  CHECK(by_ranks("rank 2=n1 slot=0\n") == "r:1: rank 2 is out of range: the job has ranks 0 to 1");
  CHECK(by_ranks("rank 0=n1 slot=8\n") == "r:1: there is no core 8");
  CHECK(by_ranks("rank 0=n1 slot=2:0\n") == "r:1: there is no socket 2");
  CHECK(by_ranks("rank 0=n1 slot=3-1\n") == "r:1: the range '3-1' descends");
  CHECK(by_ranks("rank 0=n1 slot=x\n") == "r:1: invalid core 'x'");
  CHECK(by_ranks("rank 0=n7 slot=0\n") == "r:1: the platform has no node 'n7'");
  CHECK(by_ranks("rank 0 n1 slot=0\n") == "r:1: invalid line of a rankfile");
  CHECK(by_ranks("0=n1 slot=0\n") == "r:1: invalid line of a rankfile");
}

TEST_CASE("a rankfile, a map file and a hostfile are read back to the same placement") {
  const auto machine = four_nodes();
  const auto request = with_map({.procs = 13, .ppn = 5}, "random:7").value();
  const auto random = place(machine, request);
  REQUIRE(random);
  const auto text = rank_file_text(*random, machine);
  const auto read = read_rank_file(text, "r", machine, {}, 13, false);
  REQUIRE(read);
  CHECK(read->host_of == random->host_of);
  CHECK(read->core_of == random->core_of);
  CHECK(read_map(map_file_text(*random, machine), "m", machine, 13).value() == random->host_of);
  const auto block = place(machine, {.procs = 13, .ppn = 5});
  const auto hosts = host_file_text(*block, machine);
  CHECK(hosts == "n1 slots=5\nn2 slots=5\nn3 slots=3\n");
  CHECK(by_hosts(hosts, 13) == shown(block, machine));
}

TEST_CASE("a random placement is a permutation of block, by its seed") {
  const auto machine = four_nodes();
  const auto of_seed = [&](const char* map) {
    return place(machine, with_map({.procs = 20, .ppn = 6}, map).value()).value();
  };
  const auto one = of_seed("random:1"), other = of_seed("random:2");
  CHECK(one.host_of == of_seed("random:1").host_of);
  CHECK(one.host_of != other.host_of);
  CHECK(one.nodes == 4);
  CHECK(one.ppn == 6);
  std::set<std::pair<HostId, int>> slots;
  for (std::size_t rank = 0; rank < 20; ++rank) slots.emplace(one.host_of[rank], one.core_of[rank]);
  CHECK(slots.size() == 20);
  CHECK(slots.contains({3, 1}));
  CHECK_FALSE(slots.contains({3, 2}));
}

TEST_CASE("Slurm's distributions") {
  const auto by = [](const std::string& map, int procs, std::optional<int> ppn = {}) {
    return placed({.map = "slurm:" + map, .procs = procs, .ppn = ppn});
  };
  // Block uses the nodes evenly, unlike --map block.
  CHECK(by("block:block", 5, 4) == "n1:0 n1:1 n1:2 n2:0 n2:1");
  CHECK(by("block", 4) == "n1:0 n1:4 n1:1 n1:5");  // sockets in turn
  CHECK(by("block:fcyclic", 3) == by("block:cyclic", 3));
  CHECK(by("cyclic:block", 5, 2) == "n1:0 n2:0 n3:0 n1:1 n2:1");
  CHECK(by("plane=2:block", 8, 4) == "n1:0 n1:1 n2:0 n2:1 n1:2 n1:3 n2:2 n2:3");
  CHECK(placed({.map = "slurm:block:block", .procs = 4, .nodes = "n3,n1,n4"}) ==
        "n3:0 n3:1 n1:0 n4:0");
  CHECK(placed({.map = "slurm:block:block", .procs = 3, .nodes = "3,0-1"}) == "n4:0 n1:0 n2:0");
  CHECK(placed({.map = "slurm:arbitrary=f:block", .text = "n2\nn[1-2],n2\n"}) ==
        "n2:0 n1:0 n2:1 n2:2");
  CHECK(by("plane=6", 8, 4) == "--map: 6 ranks on one node, but --ppn allows 4");
  CHECK(placed({.map = "slurm:arbitrary=f", .text = "n2\n"}) ==
        "f: 4 processes, but the file has the nodes of 1");
}

TEST_CASE("values of --map have their form in errors, and are named as they are given") {
  const auto wrong = [](const char* map) { return with_map({}, map).error().message; };
  CHECK(wrong("random:x") == "invalid seed 'x'");
  CHECK(wrong("random:-1") == "invalid seed '-1'");
  CHECK(wrong("slurm:plane=0") == "invalid size of a plane 'plane=0'");
  CHECK(wrong("slurm:arbitrary").ends_with("needs the nodes of the ranks"));
  CHECK(wrong("slurm:blok") == "unknown distribution 'blok'");
  CHECK(wrong("hostfile:") == "the value of 'hostfile:' is missing");
  CHECK(with_map({}, "hostfil:x").error().hint == "did you mean 'hostfile:'?");
  CHECK(with_map({}, "blok").error().hint == "did you mean 'block'?");
  CHECK(with_map({}, "random").error().hint == "did you mean 'random:'?");
  for (const char* map : {"block", "round-robin", "random:3", "slurm:plane=2:block", "hostfile:a,b",
                          "rankfile:r", "file:m.csv", "slurm:arbitrary=f:cyclic"})
    CHECK(map_word_of(with_map({}, map).value()) == map);
}

TEST_CASE("the nodes of a job: lists and files of allocations") {
  const auto names = [](const std::string& value, const std::optional<std::string>& text) {
    const auto found = named_nodes(value, text);
    return found ? fmt::format("{}", fmt::join(found->nodes, " ")) : found.error().message;
  };
  CHECK(names("n[3-4],n1,n3", {}) == "n3 n4 n1");
  CHECK(file_of_nodes("@jobs.csv#7") == "jobs.csv");
  CHECK(file_of_nodes("@nodes") == "nodes");
  CHECK(file_of_nodes("n1").empty());
  CHECK(names("@f", "n2\nn1\nn2\n") == "n2 n1");  // a node per line
  CHECK(names("@f", "n[1-3]\n") == "n1 n2 n3");
  const std::string jobs = "job,node_list\n7,\"n[1-2]\"\n8,n4\n";
  CHECK(names("@f#7", jobs) == "n1 n2");
  CHECK(names("@f", jobs) == "'f' has 2 allocations");
  CHECK(names("@f#9", jobs) == "'f' has no allocation '9'");
  CHECK(names("n[1", {}).starts_with("missing ']'"));
  CHECK(names("@f", "# none\n") == "the file has no allocations");
  CHECK(placed({.map = "block", .ppn = 2, .nodes = "n4,n2"}) == "n4:0 n4:1 n2:0 n2:1");
  CHECK(placed({.map = "hostfile:h", .text = "n1:4\n", .nodes = "n4"}) ==
        "h: node 'n1' is not among the nodes of the job");
}

TEST_CASE("a fragmented allocation uses the first free nodes") {
  const auto machine = four_nodes();
  const auto wrong = [](const char* word) { return parse_fragmentation(word).error().message; };
  CHECK(wrong("fragment:0.5:1") == "unknown allocation 'fragment:0.5:1'");
  CHECK(wrong("fragmented:0.5") == "invalid allocation 'fragmented:0.5'");
  CHECK(wrong("fragmented:1.5:1") == "invalid probability '1.5'");
  CHECK(wrong("fragmented:0:1") == "invalid probability '0'");
  CHECK(wrong("fragmented:0.5:x") == "invalid seed 'x'");
  CHECK(wrong("fragmented:0.5:1:0") == "invalid number of nodes '0'");
  const auto half = parse_fragmentation("fragmented:0.5:3:2").value();
  int free = 0;
  for (HostId node = 0; node < 4000; ++node) {
    CHECK(is_free(half, node) == is_free(half, node / 2 * 2));  // units of two
    free += is_free(half, node) ? 1 : 0;
  }
  CHECK(free > 1800);
  CHECK(free < 2200);
  PlacementRequest request{.procs = 2, .ppn = 1};
  request.fragmentation = half;
  const bool lower = is_free(half, 0), upper = is_free(half, 2);
  const auto found = place(machine, request);
  if (lower || upper)
    CHECK(found.value().host_of == std::vector<HostId>{lower ? 0u : 2u, lower ? 1u : 3u});
  else
    CHECK(found.error().place == "--allocation");
  CHECK(map_word_of(request) == "block on fragmented:0.5:3:2");
}
