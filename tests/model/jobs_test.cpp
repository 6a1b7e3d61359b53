// SPDX-License-Identifier: BSD-3-Clause
// Several jobs on one machine, and background traffic, with times calculated by hand: links of
// 1 GB/s, and broadcasts among two ranks, which are one message.
#include <doctest/doctest.h>

#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/job_file.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/run_in_child.hpp"

using namespace tutti;
using namespace tutti::tests;
using engines::EngineKind;
using jobs::JobTimes;

namespace {

constexpr double B = 1e9;
constexpr double m = 1e6;
constexpr Seconds rounding_s = 1e-15;

std::string machine_xml(const std::string& attributes) {
  return "<?xml version='1.0'?><platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" "
         "suffix=\"\" "
         "speed=\"1Gf\" core=\"4\" radical=\"0-3\" bw=\"1GBps\" lat=\"1us\" " +
         attributes + "/></platform>";
}
const std::string flat;
const std::string backbone = "bb_bw=\"1GBps\" bb_lat=\"1us\"";
// Two leaves with two nodes and one uplink each: 2:1.
const std::string fat_tree = "topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,1;1,1\"";

std::string job(const std::string& nodes, const std::string& more = "") {
  return "[[job]]\nrun = 'bcast'\nalgorithm = 'binomial'\nprocs = 2\nppn = 1\n"
         "message_size = '1MB'\n"
         "nodes = '" +
         nodes + "'\n" + more;
}

// A message of M bytes takes the latency of its path and M / B.
const std::vector<platforms::Override> without_overheads{{"mpi/eager_limit", "1GB"},
                                                         {"mpi/send_overhead", "0"},
                                                         {"mpi/recv_overhead", "0"},
                                                         {"mpi/copy_bandwidth", "none"}};

struct Simulated {
  std::vector<JobTimes> alone, together;

  double increase(std::size_t job) const { return together[job].mean_s() - alone[job].mean_s(); }
};

// The times of simgrid, in a child.
std::vector<JobTimes> simgrid_times(const jobs::JobMix& mix) {
  REQUIRE_FALSE(engines::load_simgrid());
  auto child = jobs::Forked::start([&]() -> Result<jobs::Answer> {
    const auto outcome = TUTTI_TRY(jobs::run_jobs(mix, EngineKind::simgrid));
    jobs::Answer answer;
    for (const auto& times : outcome.times)
      answer.end_s.insert(answer.end_s.end(), times.call_s.begin(), times.call_s.end());
    return answer;
  });
  REQUIRE(child);
  const auto answer = child->collect();
  REQUIRE(answer);
  std::vector<JobTimes> times;
  auto next = answer->end_s.begin();
  for (const auto& each : mix.jobs) {
    times.push_back({.call_s = {next, next + each.repeat}});
    next += each.repeat;
  }
  return times;
}

struct Background {
  std::string rates = {};  // rows of a CSV file
  std::string jobs = {};   // or a file of jobs
};

// By engine flow; simgrid must agree.
Simulated simulated(const std::string& attributes, const std::string& jobs,
                    const Background& background = {}) {
  const TemporaryFolder folder;
  options::MachineRequest request;
  request.platform = folder.write("m.xml", machine_xml(attributes));
  if (!background.rates.empty())
    request.overrides = {{"mpi/background", folder.write("b.csv", "source,destination,rate\n" +
                                                                      background.rates + "\n")}};
  if (!background.jobs.empty()) {
    request.overrides = without_overheads;
    request.overrides.push_back(
        {"mpi/background", "jobs:" + folder.write("b.toml", background.jobs)});
  }
  const auto mix = studies::read_jobs(jobs, "jobs.toml", request);
  REQUIRE_MESSAGE(mix, (mix ? "" : mix.error().message));
  Simulated found;
  const auto together = jobs::run_jobs(*mix, EngineKind::flow);
  REQUIRE(together);
  found.together = together->times;
  std::int64_t messages = 0;
  for (std::size_t i = 0; i < mix->jobs.size(); ++i) {
    const auto alone = jobs::run_jobs(*mix, EngineKind::flow, i);
    REQUIRE(alone);
    messages += alone->messages;
    found.alone.push_back(alone->times[i]);
  }
  CHECK(together->messages == messages);
  const auto reference = simgrid_times(*mix);
  for (std::size_t i = 0; i < mix->jobs.size(); ++i)
    CHECK(largest_difference(found.together[i].call_s, reference[i].call_s) <= 1e-9);
  const auto ideal = jobs::run_jobs(*mix, EngineKind::ideal);
  REQUIRE(ideal);
  CHECK(ideal->messages == messages);
  CHECK(ideal->times.front().call_s.empty());
  return found;
}

}  // namespace

TEST_CASE("two jobs that share a backbone have half of it each") {
  const auto found = simulated(backbone, job("0-1") + job("2-3"));
  for (const std::size_t i : {0u, 1u}) CHECK(found.increase(i) == exactly(m / B));
}

TEST_CASE("fat tree 2:1: two jobs share the uplink of a leaf") {
  const auto found = simulated(fat_tree, job("0,2") + job("1,3"));
  for (const std::size_t i : {0u, 1u}) CHECK(found.increase(i) == exactly(m / B));
}

TEST_CASE("jobs that do not meet are as fast as alone") {
  for (const auto& shape : {flat, fat_tree}) {
    const auto found =
        simulated(shape, job("0-1", "repeat = 3\n") + job("n[2,3]", "start='7us'\n"));
    for (const std::size_t i : {0u, 1u}) CHECK(found.together[i].call_s == found.alone[i].call_s);
  }
  const auto later = simulated(backbone, job("0-1") + job("2-3", "start = '3ms'\n"));
  for (const std::size_t i : {0u, 1u}) CHECK(later.together[i].call_s == later.alone[i].call_s);
}

TEST_CASE("jobs without nodes get the next ones that no other job names") {
  options::MachineRequest request;
  request.platform = "crill";
  const std::string plain = "[[job]]\nrun='bcast'\nprocs=2\nppn=1\nmessage_size=8\n";
  const auto mix = studies::read_jobs(plain + plain + plain + "nodes='1,4'\n", "j.toml", request);
  REQUIRE(mix);
  using Hosts = std::vector<platforms::HostId>;
  CHECK(mix->jobs[0].placement.host_of == Hosts{0, 2});
  CHECK(mix->jobs[1].placement.host_of == Hosts{3, 5});
  CHECK(mix->jobs[2].placement.host_of == Hosts{1, 4});
}

TEST_CASE("a job that starts later shares the backbone only while both send") {
  const auto found = simulated(backbone, job("0-1") + job("2-3", "start = '250us'\n"));
  for (const std::size_t i : {0u, 1u}) CHECK(found.increase(i) == exactly(m / B - 250e-6));
}

TEST_CASE("repeat: only the call that meets the other job is slower") {
  const auto found = simulated(backbone, job("0-1", "repeat = 3\n") + job("2-3"));
  REQUIRE(found.together[0].call_s.size() == 3);
  std::vector<Seconds> increase_s;
  for (const std::size_t call : {0u, 1u, 2u})
    increase_s.push_back(found.together[0].call_s[call] - found.alone[0].call_s[call]);
  CHECK(increase_s[0] == exactly(m / B));
  CHECK(std::abs(increase_s[1]) < rounding_s);
  CHECK(std::abs(increase_s[2]) < rounding_s);
}

TEST_CASE("a shared node: jobs share its links") {
  const auto found = simulated(flat, "share_nodes = true\n" + job("0,1") + job("0,2"));
  for (const std::size_t i : {0u, 1u}) CHECK(found.increase(i) == exactly(m / B));
}

TEST_CASE("background: a message gets what it leaves of each link") {
  const auto alone = simulated(flat, job("0-1"));
  const auto slower = simulated(flat, job("0-1"), {.rates = "n0,n1,400MBps"});
  CHECK(slower.alone[0].mean_s() - alone.alone[0].mean_s() == exactly(m / (0.6 * B) - m / B));
  const auto other = simulated(flat, job("0-1"), {.rates = "n1,n0,400MBps"});
  CHECK(std::abs(other.alone[0].mean_s() - alone.alone[0].mean_s()) < rounding_s);
  const auto tree = simulated(fat_tree, job("0,2"));
  const auto uplink = simulated(fat_tree, job("0,2"), {.rates = "1,3,250MBps"});
  CHECK(uplink.alone[0].mean_s() - tree.alone[0].mean_s() == exactly(m / (0.75 * B) - m / B));
}

TEST_CASE("bad files of background traffic: place and hint") {
  struct Bad {
    std::string text;
    int line;
    std::string message, hint;
  };
  const std::string head = "source,destination,rate\n";
  const TemporaryFolder folder;
  for (const Bad& bad : {Bad{"from,to,rate\n", 1, "not a table", "the first line must be"},
                         Bad{head + "0,1\n", 2, "2 values instead of 3", "expected source"},
                         Bad{head + "0,x99,1MBps\n", 2, "no node 'x99'", "nodes: n0 to n3"},
                         Bad{head + "1,1,1MBps\n", 2, "sends to itself", "name two nodes"},
                         Bad{head + "0,1,fast\n", 2, "fast", ""},
                         Bad{head + "0,1,2GBps\n", 0, "needs 2 GB/s", "nothing is left"}}) {
    CAPTURE(bad.text);
    const auto file = folder.write("b.csv", bad.text);
    const auto made = platforms::load_machine(folder.write("m.xml", machine_xml(flat)),
                                              {{"mpi/background", file}});
    REQUIRE(!made);
    CAPTURE(made.error().message);
    CHECK(made.error().place == (bad.line > 0 ? file : "--set"));
    CHECK(made.error().line == bad.line);
    CHECK(mentions(made.error().message, bad.message));
    CHECK(mentions(made.error().hint, bad.hint));
  }
}

namespace {

struct LoadedMachine {
  explicit LoadedMachine(const std::string& attributes, const std::string& jobs) {
    options::MachineRequest request{folder.write("m.xml", machine_xml(attributes)),
                                    without_overheads};
    request.overrides.push_back({"mpi/background", "jobs:" + folder.write("b.toml", jobs)});
    made = studies::load_machine(request);
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
  }

  // The loads of the links of a route, in order.
  std::vector<double> loads(platforms::HostId from, platforms::HostId to) const {
    std::vector<platforms::LinkId> links;
    made->topology->route(from, to, links);
    std::vector<double> found;
    for (const auto link : links) found.push_back(made->background_Bps->at(link));
    return found;
  }

  TemporaryFolder folder;
  Result<platforms::Machine> made = platforms::Machine();
};

std::string with_run(std::string text, const std::string& run, int procs,
                     const std::string& algorithm) {
  return "[[job]]\nrun = '" + run + "'\nalgorithm = '" + algorithm +
         "'\nprocs = " + std::to_string(procs) + "\nppn = 1\nmessage_size = '1MB'\n" +
         std::move(text);
}

}  // namespace

TEST_CASE("background of jobs: bytes of each link, divided by the time of the job") {
  const LoadedMachine message(flat, job("1-2", "repeat = 3\nstart = '5ms'\n"));
  // The root sends the messages of all three calls back to back.
  const double mean_Bps = 3 * m / (2e-6 + 3 * m / B);
  CHECK(message.loads(1, 2)[0] == exactly(mean_Bps));
  CHECK(message.loads(1, 2)[1] == exactly(mean_Bps));
  CHECK(message.loads(2, 1) == std::vector<double>{0, 0});
  CHECK(message.made->background_nodes == std::vector<platforms::HostId>{1, 2});

  // Each rank sends 2 (P - 1) times m / P to its right neighbor.
  const Seconds flat_s = 6 * (2e-6 + m / 4 / B);
  const LoadedMachine ring(flat, with_run("", "allreduce", 4, "ring"));
  for (const platforms::HostId node : {0u, 1u, 2u, 3u})
    for (const double load_Bps : ring.loads(node, (node + 1) % 4))
      CHECK(load_Bps == exactly(1.5 * m / flat_s));

  // Every other step of the slowest way around the ring goes through both levels.
  const Seconds tree_s = 6 * (m / 4 / B) + 3 * (2e-6 + 4e-6);
  const LoadedMachine tree(fat_tree, with_run("", "allreduce", 4, "ring"));
  REQUIRE(tree.loads(1, 2).size() == 4);
  for (const auto& loads : {tree.loads(0, 1), tree.loads(1, 2), tree.loads(3, 0)})
    for (const double load_Bps : loads) CHECK(load_Bps == exactly(1.5 * m / tree_s));
}

TEST_CASE("background of jobs: jobs slow each other down, and their rates are summed") {
  const std::string small = "message_size = '2KB'\n";
  const auto shrunk = [&](const std::string& nodes) {
    auto text = job(nodes);
    return text.replace(text.find("message_size"), std::string("message_size = '1MB'\n").size(),
                        small);
  };
  // Both send 2 KB at half of the backbone's rate, after three links of 1 us.
  const double each_Bps = 2000 / (3e-6 + 2000 / (B / 2));
  const LoadedMachine both(backbone, shrunk("0-1") + shrunk("2-3"));
  const auto loads = both.loads(0, 1);
  REQUIRE(loads.size() == 3);
  CHECK(loads.front() == exactly(each_Bps));
  CHECK(*std::ranges::max_element(loads) == exactly(2 * each_Bps));
}

TEST_CASE("background of jobs: a message gets what their mean traffic leaves") {
  auto message = job("1,3");
  message.replace(message.find("1MB"), 3, "4KB");
  const auto tree = simulated(fat_tree, job("0,2"));
  const auto slower = simulated(fat_tree, job("0,2"), {.jobs = message});
  // 4 KB over four links of 1 us take 8 us: the uplink has half of its bandwidth left.
  CHECK(slower.alone[0].mean_s() == exactly(4e-6 + m / (B / 2)));
  const auto same_leaf =
      simulated(fat_tree, job("0,1"), {.jobs = "[[job]]\nrun='barrier'\nprocs=4\n"});
  CHECK(same_leaf.alone[0].mean_s() == exactly(2e-6 + m / B));
}

TEST_CASE("background of jobs: the key of a platform file is applied, and shared nodes are named") {
  const TemporaryFolder folder;
  auto xml = machine_xml(flat);
  const std::string key =
      "<prop id=\"mpi/background\" value=\"jobs:" + folder.write("b.toml", job("2-3")) + "\"/>";
  xml.replace(xml.find("/></platform>"), std::string("/></platform>").size(),
              ">" + key + "</cluster></platform>");
  const auto made = studies::load_machine({folder.write("m.xml", xml), {}});
  REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
  CHECK(made->background_Bps);
  const std::vector<platforms::HostId> own{0, 1}, shared{0, 1, 2, 2};
  CHECK_FALSE(studies::shared_nodes_warning(*made, own));
  const auto warning = studies::shared_nodes_warning(*made, shared);
  REQUIRE(warning);
  CHECK(mentions(*warning, "m: 1 node of the job, from n2 on, also runs jobs"));
  const auto plain = platforms::load_machine(folder.write("m.xml", xml));
  REQUIRE(!plain);
  CHECK(plain.error().line == 1);
  CHECK(mentions(plain.error().message, "does not simulate the jobs"));
  CHECK(mentions(plain.error().hint, "--background jobs:FILE"));
}

TEST_CASE("bad backgrounds of jobs: place and hint") {
  struct Bad {
    std::string text;
    int line;  // of the file; 0: --set
    std::string message, hint;
  };
  const TemporaryFolder folder;
  const auto start = job("0-1");
  for (const Bad& bad :
       {Bad{"share_nodes = true\n", 1, "no jobs", "[[job]]"},
        Bad{job("0-9"), 7, "no node", "n0 to n3"}, Bad{start + "ppm = 1\n", 8, "'ppm'", "ppn"},
        Bad{start + "[[job]]\nrun = 'bcst'\n", 9, "unknown collective", "bcast"},
        Bad{start + job("1-2"), 14, "share node n1", "share_nodes = true"},
        Bad{"[[job\n", 1, "", ""},
        Bad{"share_nodes = true\n" + start + job("0-1", "start = '5ms'\n"), 0, "needs",
            "sim run jobs.toml"}}) {
    CAPTURE(bad.text);
    const auto file = folder.write("b.toml", bad.text);
    const auto made = studies::load_machine(
        {folder.write("m.xml", machine_xml(flat)), {{"mpi/background", "jobs:" + file}}});
    REQUIRE(!made);
    CAPTURE(made.error().message);
    CAPTURE(made.error().hint);
    CHECK(made.error().place == (bad.line > 0 ? file : "--set"));
    CHECK(made.error().line == bad.line);
    CHECK(mentions(made.error().message, bad.message));
    CHECK(mentions(made.error().hint, bad.hint));
  }
  const std::string xml = folder.write("m.xml", machine_xml(flat));
  const auto unnamed = studies::load_machine({xml, {{"mpi/background", "jobs:"}}});
  REQUIRE(!unnamed);
  CHECK(unnamed.error().place == "--set");
  CHECK(mentions(unnamed.error().hint, "jobs:jobs.toml"));
  const auto missing = studies::load_machine({xml, {{"mpi/background", "jobs:none.toml"}}});
  REQUIRE(!missing);
  CHECK(missing.error().place == "none.toml");
}

TEST_CASE("each job has the working set of its own call") {
  const auto rates =
      std::vector<platforms::Override>{{"mpi/combine_bandwidth", "0:4GBps;5000:1GBps"}};
  const auto small = [&](const std::string& others) {
    const TemporaryFolder folder;
    options::MachineRequest request{folder.write("m.xml", machine_xml(flat)), rates};
    auto text = with_run("nodes = '0-1'\n", "allreduce", 2, "recursive_doubling");
    text.replace(text.find("1MB"), 3, "1KB");
    const auto mix = studies::read_jobs(text + others, "j.toml", request);
    REQUIRE(mix);
    const auto ran = jobs::run_jobs(*mix, EngineKind::flow);
    REQUIRE(ran);
    return ran->times.front().mean_s();
  };
  const auto large = with_run("nodes = '2-3'\n", "allreduce", 2, "recursive_doubling");
  CHECK(small(large) == exactly(small("")));
}

TEST_CASE("bad files of jobs: place and hint") {
  struct Bad {
    std::string text;
    int line;
    std::string message, hint;
  };
  const std::string head = "platform = 'crill'\n";
  const std::string start = head + "[[job]]\nrun = 'bcast'\nprocs = 4\nmessage_size = 8\n";
  const std::string no_run = head + "[[job]]\nprocs = 4\n";
  for (const Bad& bad :
       {Bad{head, 1, "no jobs", "[[job]]"},
        Bad{"[[job]]\nrun = 'bcast'\n", 1, "missing platform", "--platform"},
        Bad{"platform = 'cril'\n[[job]]\nrun = 'bcast'\n", 1, "unknown platform", "crill"},
        Bad{no_run, 2, "missing run", "alltoall"},
        Bad{head + "jobs = 2\n", 2, "unknown key 'jobs'", "job"},
        Bad{head + "[[job]]\nrun = 'bcst'\nprocs = 4\n", 3, "unknown collective", "bcast"},
        Bad{head + "[[job]]\nrun = 'bcast'\nmessage_size = 8\n", 3, "procs: is required", ""},
        Bad{head + "[[job]]\nrun = 'bcast'\nprocs = 4\n", 3, "message_size: is required", "64KiB"},
        Bad{start + "algorithm = 'binomal'\n", 6, "algorithm: unknown", "binomial"},
        Bad{start + "algorithm = 'auto:best'\n", 6, "several algorithms", "name it"},
        Bad{start + "ppm = 2\n", 6, "unknown key 'ppm'", "ppn"},
        Bad{start + "ppn = [1, 2]\n", 6, "several values", "[[job]]"},
        Bad{start + "nodes = '0-99'\n", 6, "no node", ""},
        Bad{start + "repeat = 0\n", 6, "repeat must be", "repeat = 3"},
        Bad{start + "start = 'soon'\n", 6, "start: ", ""},
        Bad{start + "start = '-1s'\n", 6, "start", ""},
        Bad{start + "root = 4\n", 6, "root 4 is out of range", ""},
        Bad{start + "nodes = '0'\n[[job]]\nrun = 'barrier'\nprocs = 2\nnodes = '0'\n", 10,
            "share node", "share_nodes = true"},
        Bad{start + "name = 'a'\n[[job]]\nname = 'a'\nrun = 'barrier'\nprocs = 2\n", 9,
            "the name 'a'", "name of its own"}}) {
    CAPTURE(bad.text);
    options::MachineRequest request;
    const auto mix = studies::read_jobs(bad.text, "j.toml", request);
    REQUIRE(!mix);
    CAPTURE(mix.error().message);
    CAPTURE(mix.error().hint);
    CHECK(mix.error().place == "j.toml");
    CHECK(mix.error().line == bad.line);
    CHECK(mentions(mix.error().message, bad.message));
    CHECK(mentions(mix.error().hint, bad.hint));
  }
}
