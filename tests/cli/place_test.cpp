// SPDX-License-Identifier: BSD-3-Clause
// Placements of launchers and schedulers: --map, --nodes, --allocation, `sim place`, and machines
// of Slurm's topology.
#include <doctest/doctest.h>

#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args run_with(const Args& more) {
  Args args{"run", "bcast",          "--platform", "crill", "--procs",  "8",  "--ppn",
            "4",   "--message-size", "1KiB",       "-q",    "--format", "csv"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Args place_with(const Args& more) {
  Args args{"place",          "allgather", "--platform",  "crill", "--procs",  "12", "--ppn", "4",
            "--message-size", "64KiB",     "--algorithm", "ring",  "--budget", "24", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("mappings and nodes are shown in the column map") {
  const auto map_of = [](const Args& more) { return column(run_sim(run_with(more)), "map"); };
  CHECK(map_of({"--map", "random:3"}) == Args{"random:3"});
  CHECK(map_of({"--map", "slurm:plane=2"}) == Args{"slurm:plane=2:cyclic"});
  CHECK(map_of({"--nodes", "crill-[5-6]"}) == Args{"block on crill-[5-6]"});
  CHECK(map_of({"--allocation", "fragmented:0.5:1"}) == Args{"block on fragmented:0.5:1"});
  // A ring of ranks in random order has more messages between nodes.
  const Args ring{"--algorithm", "chain", "--message-size", "1MiB"};
  const auto time_with = [&](Args more) {
    more.insert(more.end(), ring.begin(), ring.end());
    auto args = run_with({});
    args.erase(args.begin() + 8, args.begin() + 10);
    args.insert(args.end(), more.begin(), more.end());
    return std::stod(column(run_sim(args), "time_s")[0]);
  };
  CHECK(time_with({"--map", "random:3"}) > time_with({}));
}

TEST_CASE("files of --map and --nodes are read, and cannot be outputs") {
  const TemporaryFolder folder;
  const auto hosts = folder.write("hosts", "5 slots=3\n7:1\n");
  const auto wrong = run_sim(run_with({"--map", "hostfile:" + hosts}));
  CHECK(wrong.exit_code == 2);
  CHECK(mentions(wrong.err, hosts + ":2:"));
  CHECK(mentions(wrong.err, "node:N, but line 1 has the form slots=N"));
  const auto both = run_sim(run_with({"--map", "hostfile:" + hosts, "-o", hosts}));
  CHECK(mentions(both.err, "is an input, too"));
  const auto jobs = folder.write("jobs.csv", "job,node_list\n7,\"5,7\"\n8,9\n");
  const auto placed = run_sim(run_with({"--nodes", "@" + jobs + "#7"}));
  CHECK(column(placed, "map") == Args{"block on @" + jobs + "#7"});
  CHECK(mentions(run_sim(run_with({"--nodes", "@" + jobs})).err, "has 2 allocations"));
  CHECK(mentions(run_sim(run_with({"--nodes", "@" + jobs, "-o", jobs})).err, "is an input, too"));
  CHECK(mentions(run_sim(run_with({"--nodes", "n0"})).err, "the platform has no node 'n0'"));
  CHECK(mentions(run_sim(run_with({"--allocation", "full"})).err, "unknown allocation 'full'"));
  CHECK(mentions(run_sim(run_with({"--map", "random"})).err, "random:"));
}

TEST_CASE("the fastest placement is at least as fast as the others, and --map reads it back") {
  const TemporaryFolder folder;
  const auto ranks = folder.file("ranks");
  const auto report = folder.file("report.json");
  const auto made = run_sim(place_with({"--map", "random:4", "-o", ranks, "-j", "2"}));
  REQUIRE(made.exit_code == 0);
  const auto text = read_file(ranks);
  CHECK(mentions(text, "rank 11="));
  CHECK(mentions(made.out, "Placements, fastest first"));
  REQUIRE(run_sim(place_with({"--map", "random:4", "-o", report})).exit_code == 0);
  const auto page = read_file(report);
  CHECK(mentions(page, "\"schema\": \"sim.place/1\""));
  const auto first = page.find("\"map\": \"block\"");
  REQUIRE(first != std::string::npos);
  CHECK(first < page.find("\"map\": \"random:4\""));
  const auto time_with = [](const std::string& map) {
    return column(run_sim({"run", "allgather", "--platform", "crill", "--procs", "12", "--ppn", "4",
                           "--message-size", "64KiB", "--algorithm", "ring", "--map", map, "-q",
                           "--format", "csv"}),
                  "time_s");
  };
  CHECK(std::stod(time_with("rankfile:" + ranks)[0]) <= std::stod(time_with("block")[0]));
  CHECK(std::stod(time_with("random:4")[0]) > std::stod(time_with("block")[0]));
}

TEST_CASE(
    "the search is deterministic, whatever the number of jobs, and improves a bad placement") {
  const TemporaryFolder folder;
  const auto map = folder.write("m.csv", "rank,node\n0,0\n1,1\n2,2\n3,0\n4,1\n5,2\n");
  const auto search = [&](const char* jobs, const char* budget) {
    return run_sim({"place", "allgather", "--platform", "crill", "--procs", "6", "--map",
                    "file:" + map, "--message-size", "64KiB", "--algorithm", "neighbor", "--budget",
                    budget, "--random", "0", "-q", "-j", jobs});
  };
  const auto one = search("1", "40"), two = search("2", "40");
  REQUIRE(one.exit_code == 0);
  const auto tables = [](const std::string& text) { return text.substr(text.find("# Placement")); };
  CHECK(tables(one.out) == tables(two.out));
  CHECK(mentions(search("2", "0").out, "0 rounds of the search"));
  for (const auto& line : split(one.out, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("placements as hostfile and map file") {
  const TemporaryFolder folder;
  const auto file = folder.file("placement");
  const Args of_rules{"place",       "allgather", "--platform",     "crill",    "--procs",  "12",
                      "--ppn",       "4",         "--message-size", "64KiB",    "--budget", "0",
                      "--algorithm", "ring",      "--format",       "hostfile", "-o",       file,
                      "-q"};
  REQUIRE(run_sim(of_rules).exit_code == 0);
  CHECK(mentions(read_file(file), "slots=4\n"));
  REQUIRE(run_sim(place_with({"-o", file, "--format", "map"})).exit_code == 0);
  CHECK(read_file(file).starts_with("rank,node\n0,"));
  // The search finds a placement whose ranks do not fill one node after the other.
  CHECK(mentions(run_sim(place_with({"-o", file, "--format", "hostfile"})).err,
                 "a hostfile cannot express the fastest placement"));
  CHECK(run_sim(place_with({"--format", "rankfile"})).out.starts_with("rank 0="));
  const auto csv = run_sim(place_with({"--format", "csv", "--part", "calls"}));
  CHECK(column(csv, "collective").front() == "allgather");
}

TEST_CASE("sim place rejects what it does not compare") {
  const auto wrong = [](const Args& more) {
    const auto made = run_sim(place_with(more));
    CHECK(made.exit_code == 2);
    return made.err;
  };
  CHECK(mentions(wrong({"--engine", "ideal"}), "engine ideal is untimed"));
  CHECK(mentions(wrong({"--format", "osu"}), "expected one of"));
  const auto none = run_sim({"place", "--platform", "crill", "--procs", "4"});
  CHECK(none.exit_code == 2);
  CHECK(mentions(run_sim({"place", "bcst", "--platform", "crill", "--procs", "4"}).err,
                 "unknown collective 'bcst'"));
  CHECK(mentions(run_sim({"place", "bcast", "--platform", "crill", "--procs", "4,8"}).err,
                 "takes one value"));
}

TEST_CASE("a machine of Slurm's topology") {
  const TemporaryFolder folder;
  const auto conf = folder.write("topology.conf",
                                 "SwitchName=s1 Nodes=a[1-4]\nSwitchName=s2 Nodes=a[5-8]\n"
                                 "SwitchName=top Switches=s[1-2]\n");
  const auto machine = folder.file("m.xml");
  const auto make = [&](const Args& more) {
    Args args{"platform", "from-slurm", conf, "-o", machine, "-q"};
    args.insert(args.end(), more.begin(), more.end());
    return run_sim(args);
  };
  REQUIRE(make({"--like", "crill", "--oversubscription", "2"}).exit_code == 0);
  CHECK(mentions(read_file(machine), "topo_parameters=\"2;4,2;1,2;1,1\""));
  CHECK(mentions(read_file(machine), "prefix=\"a\" suffix=\"\" radical=\"1-8\""));
  REQUIRE(make({"--topology", "zones", "--like", "crill"}).exit_code == 0);
  CHECK(mentions(read_file(machine), "<host id=\"a5\""));
  CHECK(run_sim({"platform", "check", machine}).exit_code == 0);
  const auto run =
      run_sim({"run", "bcast", "--platform", machine, "--procs", "4", "--ppn", "1", "--nodes",
               "a[7-8,1-2]", "--message-size", "1KiB", "--format", "csv", "-q"});
  CHECK(run.exit_code == 0);
  folder.write("topology.conf", "SwitchName=s1 Nodes=a[01-04]\nSwitchName=t Switches=s[1-2]\n");
  const auto wrong = make({});
  CHECK(wrong.exit_code == 2);
  CHECK(mentions(wrong.err, conf + ":2: error: unknown switch 's2'"));
  folder.write("topology.conf", "SwitchName=s1 Nodes=a[01-04]\n");
  CHECK(mentions(make({"--topology", "fat-tree"}).err, "are not a regular tree"));
}
