// SPDX-License-Identifier: BSD-3-Clause
// The replay examples of SimGrid 3.32 (examples/smpi/replay, replay_multiple_manual_deploy) and
// actions that they lack: the same actions and amounts take `sim replay` as long as SMPI.
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

constexpr const char* smpirun = "/usr/bin/smpirun";

// Hosts of different speeds in a wide-area network, of which four have those of SimGrid's examples.
constexpr const char* wide_area = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>CONFIG</config>
  <zone id="wide" routing="Full">
    <host id="w0" speed="98.095Mf"/>
    <host id="w1" speed="76.296Mf"/>
    <host id="w2" speed="200Gf,76.296Mf" pstate="1"/>
    <host id="w3" speed="48.492Mf"/>
    <link id="a" bandwidth="7.20975MBps" latency="1.461517ms"/>
    <link id="b" bandwidth="10.099625MBps" latency="479.78us"/>
    <link id="c" bandwidth="34.285625MBps" latency="514.433us"/>
    <link id="d" bandwidth="27.94625MBps" latency="278.066us"/>
    <link id="e" bandwidth="8.158MBps" latency="270.544us"/>
    <route src="w0" dst="w1"><link_ctn id="a"/></route>
    <route src="w0" dst="w2"><link_ctn id="b"/><link_ctn id="c"/><link_ctn id="e"/></route>
    <route src="w0" dst="w3"><link_ctn id="b"/><link_ctn id="c"/><link_ctn id="d"/></route>
    <route src="w1" dst="w2">
      <link_ctn id="a"/><link_ctn id="b"/><link_ctn id="c"/><link_ctn id="e"/>
    </route>
    <route src="w1" dst="w3">
      <link_ctn id="a"/><link_ctn id="b"/><link_ctn id="c"/><link_ctn id="d"/>
    </route>
    <route src="w2" dst="w3"><link_ctn id="e"/><link_ctn id="c"/><link_ctn id="d"/></route>
  </zone>
</platform>
)";

// 16 equal hosts.
constexpr const char* cluster = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>CONFIG</config>
  <cluster id="c" prefix="w" suffix="" radical="0-15" speed="100Mf" bw="125MBps" lat="50us"/>
</platform>
)";

std::string prop(const std::string& key, const std::string& value) {
  return fmt::format("<prop id=\"{}\" value=\"{}\"/>", key, value);
}
// Both directions of a link are independent.
const std::string no_cross_traffic = prop("network/crosstraffic", "no");
// All messages are eager, and cost latency and bandwidth alone.
const std::string plain_messages = no_cross_traffic + prop("smpi/lat-factor", "0:1") +
                                   prop("smpi/bw-factor", "0:1") +
                                   prop("smpi/async-small-thresh", "2000000000") +
                                   prop("smpi/send-is-detached-thresh", "2000000000");

struct Example {
  const char* name;
  const char* platform;
  int ranks;
  std::string actions;  // of all ranks
  double plain_s = 0;   // SMPI's time with plain_messages
  double smpi_s = 0;    // SMPI's time with its own parameters
  // SimGrid gives less bandwidth to flows of longer latency, with plain messages much less.
  bool is_uneven = false;
};

// The action of each rank.
std::string each(int ranks, const std::string& action) {
  std::string lines;
  for (int rank = 0; rank < ranks; ++rank) lines += fmt::format("{} {}\n", rank, action);
  return lines;
}

std::string whole(int ranks, const std::string& actions) {
  return each(ranks, "init") + actions + each(ranks, "finalize");
}

std::string counts(int ranks, const auto& count) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) text += fmt::format("{} ", count(rank));
  return text;
}

// 16 ranks send 1 MB each to rank 0.
std::string all_to_one() {
  std::string lines;
  for (int rank = 0; rank < 16; ++rank)
    lines += fmt::format("{} alltoallv 1000000 {}16000000 {}6 6\n", rank,
                         counts(16, [](int to) { return to == 0 ? 1000000 : 0; }),
                         counts(16, [&](int) { return rank == 0 ? 1000000 : 0; }));
  return lines;
}

// Each rank sends blocks of its own sizes.
std::string uneven_exchange(int ranks, int unit) {
  const auto size = [&](int from, int to) { return unit * ((from * 7 + to * 3) % 5); };
  std::string lines;
  for (int rank = 0; rank < ranks; ++rank)
    lines += fmt::format("{} alltoallv 9 {}9 {}6 6\n", rank,
                         counts(ranks, [&](int to) { return size(rank, to); }),
                         counts(ranks, [&](int from) { return size(from, rank); }));
  return lines;
}

std::string uneven_gathers(int ranks, int unit) {
  const auto size = [&](int rank) { return unit * (rank % 4); };
  const auto all = counts(ranks, size);
  std::string lines;
  for (int rank = 0; rank < ranks; ++rank) {
    lines += fmt::format("{} gatherv {} {}1 6 6\n", rank, size(rank), all);
    lines += fmt::format("{} scatterv {}{} 2 6 6\n", rank, all, size(rank));
    lines += fmt::format("{} allgatherv {} {}6 6\n", rank, size(rank), all);
  }
  return lines;
}

std::vector<Example> examples() {
  const auto bcasts = [](const char* first, const char* second, const char* reduce) {
    const std::string compute = "0 compute 5e8\n1 compute 2e8\n2 compute 5e8\n";
    return each(3, first) + compute + each(3, second) + compute + each(3, reduce);
  };
  const std::string allgatherv = each(3, "allgatherv 275427 275427 275427 275427 204020 0 0") +
                                 "3 allgatherv 204020 275427 275427 275427 204020 0 0\n";
  const std::string reducescatter =
      "0 reducescatter 275427 275427 275427 204020 11349173 0\n"
      "1 reducescatter 275427 275427 275427 204020 12396024 0\n"
      "2 reducescatter 275427 275427 275427 204020 12501522 0\n"
      "3 reducescatter 275427 275427 275427 204020 12403123 0\n";
  return {
      {"messages", wide_area, 2,
       "0 init\n0 send 1 0 1e6\n0 recv 1 1 1e6\n0 send 1 2 1e6\n0 finalize\n1 init\n"
       "1 recv 0 0 1e6\n1 compute 1e9\n1 isend 0 1 1e6\n1 irecv 0 2 1e6\n1 wait 0 1 2\n"
       "1 finalize\n",
       13.527341, 13.622360},
      {"bcast", wide_area, 3, whole(3, bcasts("bcast 5e4", "bcast 5e4", "reduce 5e4 5e8")),
       19.667666, 19.687544},
      {"bcast and reduce with types", wide_area, 3,
       each(3, "init 1") + bcasts("bcast 5e4 1 0", "bcast 5e4 0 3", "reduce 5e4 5e8 0 4") +
           each(3, "finalize"),
       19.772697, 19.930759},
      {"allreduce", wide_area, 3, whole(3, each(3, "allreduce 5e4 5e8") + each(3, "compute 5e8")),
       13.123645, 13.137919},
      {"alltoall", wide_area, 3, whole(3, each(3, "alltoall 500 500")), 0.002869, 0.005770},
      {"alltoallv", wide_area, 3,
       whole(3,
             "0 alltoallv 100 1 40 30 1000 1 80 100\n1 alltoallv 1000 80 1 40 1000 40 1 30\n"
             "2 alltoallv 1000 100 30 1 1000 30 40 1\n"),
       0.002740, 0.005511},
      {"allgatherv", wide_area, 4, whole(4, allgatherv), 1.782961, 2.006825, true},
      {"gather", wide_area, 4, whole(4, each(4, "gather 68 68 0 0 0")), 0.001539, 0.003096},
      {"reducescatter", wide_area, 4, whole(4, reducescatter), 2.296762, 2.539336, true},
      {"barrier", wide_area, 3,
       whole(3, "0 send 1 0 1e7\n1 recv 0 0 1e7\n" + each(3, "barrier") +
                    "0 compute 98095000\n1 compute 76296000\n2 compute 76296000\n"),
       2.391402, 2.571092},
      {"tests", wide_area, 3,
       whole(3,
             "0 compute 1e9\n0 send 1 0 1e6\n0 compute 1e9\n0 recv 2 2 1e6\n1 irecv 0 0 1e6\n"
             "1 compute 5e8\n1 test 0 1 0\n1 compute 5e8\n1 wait 0 1 0\n1 send 2 1 1e6\n"
             "2 compute 2e9\n2 irecv 1 1 1e6\n2 compute 2.5e8\n2 test 1 2 1\n"
             "2 compute 2.5e8\n2 wait 1 2 1\n2 isend 0 2 1e6\n2 compute 5e8\n"),
       39.320741, 39.320741},
      {"waitall", wide_area, 3,
       whole(3,
             "0 irecv 1 0 2000\n1 isend 0 0 2000\n2 irecv 1 1 3000\n0 irecv 2 2 3000\n"
             "1 isend 2 1 3000\n2 isend 0 2 3000\n" +
                 each(3, "waitall")),
       0.003145, 0.005113},
      {"computation", wide_area, 2, whole(2, each(2, "compute 1e10")), 131.068470, 131.068470},
      {"mixed", wide_area, 2,
       whole(2,
             "0 send 1 0 1e9\n0 recv 1 0 1e9\n0 compute 1e10\n0 send 1 0 1e9\n"
             "0 recv 1 0 1e9\n1 recv 0 0 1e9\n1 send 0 0 1e9\n1 compute 1e10\n"
             "1 recv 0 0 1e9\n1 send 0 0 1e9\n"),
       656.752108, 750.407504},
      {"collectives", wide_area, 2,
       whole(2, "0 compute 1e9\n" + each(2, "bcast 1 0 1") +
                    each(2, "alltoall 13421772 13421772 26 26") + each(2, "barrier") +
                    each(2, "reduce 16 0 0 26")),
       69.770283, 76.716745},
      {"allgatherv of equal latencies", cluster, 4, whole(4, allgatherv), 0.052982, 0.057381},
      {"reducescatter of equal latencies", cluster, 4, whole(4, reducescatter), 0.186083, 0.184725},
      // Not in SimGrid's examples:
      {"one receiver", cluster, 16, whole(16, all_to_one()), 0.120102, 0.128732},
      {"uneven alltoallv", cluster, 16, whole(16, uneven_exchange(16, 50000)), 0.013702, 0.015323},
      {"uneven v collectives", cluster, 16, whole(16, uneven_gathers(16, 100000)), 0.079406,
       0.076636},
      {"scatter, scan, exscan, allgather", cluster, 16,
       whole(16, each(16, "scatter 10000 10000 3 1 1") + each(16, "scan 50000 1e6 0") +
                     each(16, "exscan 1000 1e6 0") + each(16, "allgather 20000 20000 5 5")),
       0.098109, 0.091897},
      {"equal reducescatter", cluster, 16,
       whole(16, each(16, "reducescatter " + counts(16, [](int) { return 9000; }) + "1e6 1")),
       0.083644, 0.091186},
      {"short uneven reducescatter", cluster, 16,
       whole(16, each(16, "reducescatter " + counts(16, [](int rank) { return rank; }) + "0 1")),
       0.000415, 0.000825},
      {"alltoall by Bruck", cluster, 16, whole(16, each(16, "alltoall 100 100 6 6")), 0.000426,
       0.000856},
      {"long alltoall", cluster, 16, whole(16, each(16, "alltoall 200000 200000 6 6")), 0.024102,
       0.026679},
      {"sleep and sendRecv", cluster, 16,
       whole(
           16, each(16, "sleep 0.01") +
                   [] {
                     std::string lines;
                     for (int rank = 0; rank < 16; ++rank)
                       lines += fmt::format("{} sendRecv 100000 {} 100000 {} 6 6\n", rank,
                                            (rank + 1) % 16, (rank + 15) % 16);
                     return lines;
                   }()),
       0.010900, 0.012015},
  };
}

// A folder with a platform, hosts, and a trace.
struct Files {
  explicit Files(const Example& example, const std::string& config = plain_messages) {
    std::string text = example.platform;
    const std::string place = "CONFIG";
    text.replace(text.find(place), place.size(), config);
    platform = folder.write("p.xml", text);
    std::string names;
    for (int i = 0; i < example.ranks; ++i) names += fmt::format("w{}\n", i);
    hosts = folder.write("hosts", names);
    trace = folder.write("list.txt", folder.write("trace.txt", example.actions) + "\n");
  }
  TemporaryFolder folder;
  std::string platform, hosts, trace;
};

double smpi_time(const Files& files, int ranks) {
  const Ended ended =
      run({.args = {smpirun, "-no-privatize", "-np", std::to_string(ranks), "-platform",
                    files.platform, "-hostfile", files.hosts, "-replay", files.trace}});
  const std::string words = "Simulation time ";
  const auto at = ended.err.find(words);
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  REQUIRE(at != std::string::npos);
  return std::stod(ended.err.substr(at + words.size()));
}

std::vector<std::string> replay_args(const Files& files, std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"replay",     files.trace,    "--model",  "platform",
                                   "--platform", files.platform, "--ppn",    "1",
                                   "--part",     "summary",      "--format", "csv"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

double sim_time(const Files& files, const std::vector<std::string>& more = {}) {
  const auto text = run_sim(replay_args(files, more));
  REQUIRE_MESSAGE(text.exit_code == 0, text.err);
  const auto at = text.out.find("\nend,");
  REQUIRE(at != std::string::npos);
  return std::stod(text.out.substr(text.out.find(',', at + 5) + 1));
}

}  // namespace

TEST_CASE("SimGrid's replay examples take as long as in SMPI") {
  const bool has_smpi = std::filesystem::exists(smpirun);
  for (const auto& example : examples()) {
    if (example.is_uneven) continue;
    CAPTURE(example.name);
    const Files files(example);
    CHECK(sim_time(files) == close_to(example.plain_s, 0.01));
    if (has_smpi) CHECK(smpi_time(files, example.ranks) == close_to(example.plain_s, 1e-9));
  }
}

TEST_CASE("the placement of the ranks determines their speeds") {
  const Example example{"reversed", wide_area, 3, whole(3, each(3, "compute 1e9")), 20.621958};
  const Files files(example);
  const auto hosts = files.folder.write("hosts", "w3\nw1\nw0\n");
  CHECK(sim_time(files, {"--map", "hostfile:" + hosts}) == close_to(example.plain_s, 1e-6));
  if (std::filesystem::exists(smpirun))
    CHECK(smpi_time(files, example.ranks) == close_to(example.plain_s, 1e-6));
}

TEST_CASE("every selection uses the counts of v collectives") {
  const Files files({"", cluster, 16, whole(16, all_to_one())});
  for (const char* selection : {"smpi", "auto", "auto:mpich", "auto,alltoallv=pairwise"}) {
    CAPTURE(selection);
    CHECK(sim_time(files, {"--selection", selection}) == close_to(0.12, 0.05));
  }
}

TEST_CASE("the platform's keys choose the algorithms of time-independent traces") {
  const auto actions = whole(16, each(16, "bcast 100000") + each(16, "allreduce 1000 0") +
                                     each(16, "allgather 5000 5000") +
                                     each(16, "gather 3000 3000 1") + each(16, "barrier"));
  for (const auto& config :
       {prop("smpi/coll-selector", "ompi"), prop("smpi/allgather", "ompi_neighborexchange"),
        prop("smpi/gather", "ompi_binomial") + prop("smpi/barrier", "ompi_bruck"), std::string()}) {
    CAPTURE(config);
    const Files files({"", cluster, 16, actions}, plain_messages + config);
    if (std::filesystem::exists(smpirun))
      CHECK(sim_time(files) == close_to(smpi_time(files, 16), 0.01));
  }
  const Files files({"", cluster, 16, actions}, plain_messages + prop("smpi/bcast", "NTSL"));
  const auto error = rejected(replay_args(files));
  CHECK(mentions(error, "p.xml:4"));
  CHECK(mentions(error, "smpi/bcast: the algorithms of 'NTSL' in SMPI cannot be replayed"));
  CHECK(mentions(error, "--selection"));
  CHECK(sim_time(files, {"--selection", "auto"}) > 0);
}

TEST_CASE("the speed at which a time-independent trace computes is reported") {
  const auto actions = whole(2, each(2, "compute 1e9"));
  const auto reports = [](const Files& files, std::vector<std::string> more) {
    std::vector<std::string> args = {"replay", files.trace, "--model", "platform"};
    args.insert(args.end(), more.begin(), more.end());
    const auto ended = run_sim(args);
    CHECK(ended.exit_code == 0);
    return ended;
  };
  const Files slow({"", cluster, 2, actions});
  CHECK(sim_time(slow) == close_to(10, 1e-9));
  const auto given = reports(slow, {"-p", slow.platform, "--ppn", "1"});
  CHECK(mentions(unwrapped(given.out), "at 100 Mflop/s, the speed of the hosts of"));
  CHECK_FALSE(mentions(given.err, "flop/s"));
  CHECK(sim_time(slow, {"--flop-rate", "2Gf"}) == close_to(0.5, 1e-9));
  const auto shared = reports(slow, {"-p", slow.platform, "--ppn", "2", "--oversubscribe"});
  CHECK(mentions(shared.err, "at 50 Mflop/s"));
  CHECK(mentions(shared.err, "ranks share cores"));
  const auto catalog = reports(slow, {"-p", "crill", "--ppn", "1"});
  CHECK(mentions(catalog.err,
                 "at 8.4 Gflop/s: the catalog's speed of the hosts of crill is assumed"));
  const auto unknown = slow.folder.write(
      "q.xml",
      "<platform version='4.1'><cluster id='c' radical='0-1' bw='1GBps' lat='1us'/></platform>");
  CHECK(mentions(reports(slow, {"-p", unknown, "--ppn", "1"}).err,
                 "gives no speed of its hosts, and 1 Gflop/s is assumed"));
}

TEST_CASE("SimGrid's replay examples take as long as in SMPI with its own message parameters") {
  for (const auto& example : examples()) {
    CAPTURE(example.name);
    const Files files(example, example.platform == cluster ? no_cross_traffic : "");
    CHECK(sim_time(files) == close_to(example.smpi_s, example.is_uneven ? 0.02 : 0.01));
    if (std::filesystem::exists(smpirun))
      CHECK(smpi_time(files, example.ranks) == close_to(example.smpi_s, 1e-9));
  }
}
