// SPDX-License-Identifier: BSD-3-Clause
// sim run of any collective: which algorithm it chooses, what it measures, what it rejects.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

Ended run(const std::string& collective, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", collective, "--platform", "crill"});
  return run_sim(options);
}

}  // namespace

TEST_CASE("every collective runs with the choice of Open MPI's rules") {
  for (const char* collective :
       {"bcast", "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier",
        "gather", "gatherv", "scatter", "scatterv", "reduce", "reduce_scatter",
        "reduce_scatter_block", "scan", "exscan"}) {
    CAPTURE(collective);
    std::vector<std::string> options{"--procs", "24", "--format", "csv", "-q"};
    if (collective != std::string("barrier"))
      options.insert(options.end(), {"--message-size", "1000"});
    CHECK(column(run(collective, options), "collective") == std::vector<std::string>{collective});
  }
}

TEST_CASE("auto:best is as fast as the fastest of all algorithms") {
  const Ended all = run("allreduce", {"--procs", "24", "--message-size", "8KiB", "--algorithm",
                                      "all", "--format", "csv", "-q"});
  double least_s = 1;
  for (const auto& cell : column(all, "time_s")) least_s = std::min(least_s, std::stod(cell));
  const Ended best = run("allreduce", {"--procs", "24", "--message-size", "8KiB", "--algorithm",
                                       "auto:best", "--format", "csv", "-q"});
  REQUIRE(column(best, "time_s").size() == 1);
  CHECK(std::stod(column(best, "time_s")[0]) <= least_s * (1 + 1e-9));
  CHECK(column(best, "requested_algorithm")[0] == "auto:best");
  CHECK(column(best, "engine")[0] == "flow");
}

TEST_CASE("auto:best is at least as fast as any segment size or fan-out that rules may choose") {
  const std::vector<std::string> job{"--procs",        "16",   "--ppn",      "1",
                                     "--message-size", "1MiB", "--engine",   "flow",
                                     "--format",       "csv",  "--algorithm"};
  const auto run_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), job.begin(), job.end());
    return run("bcast", more);
  };
  const Ended best = run_with({"auto:best"});
  CHECK(mentions(best.err, "auto:best: "));
  CHECK(mentions(best.err, "on engine flow for speed"));
  const double best_s = std::stod(column(best, "time_s")[0]);
  const Ended all =
      run_with({"all", "--segment-size", "0,1KiB,4KiB,16KiB,64KiB", "--fanout", "2,4,8", "-q"});
  double whole_s = 1;
  for (std::size_t row = 0; row < column(all, "time_s").size(); ++row) {
    const double time_s = std::stod(column(all, "time_s")[row]);
    CHECK(best_s <= time_s * (1 + 1e-9));
    if (column(all, "segment_bytes")[row] == "0") whole_s = std::min(whole_s, time_s);
  }
  CHECK(best_s < 0.9 * whole_s);
}

TEST_CASE("segments combine with the rules' choice, and are marked as not from the rules") {
  const Ended ended =
      run("bcast", {"--procs", "24", "--message-size", "64KiB", "--algorithm", "auto,pipeline",
                    "--segment-size", "4KiB,8KiB", "--format", "csv"});
  CHECK(column(ended, "requested_algorithm") ==
        std::vector<std::string>{"auto", "pipeline", "pipeline"});
  CHECK(mentions(ended.err, "--segment-size has no effect on auto, for which rules decide it"));
  CHECK(run("bcast", {"--procs", "24", "--segment-size", "4KiB"}).exit_code == 2);
}

TEST_CASE("list members that cannot run are skipped with a count") {
  const Ended ended = run("bcast", {"--procs", "4,24,100000", "--root", "0,8", "--message-size",
                                    "1KiB", "--format", "csv"});
  CHECK(ended.exit_code == 0);
  CHECK(column(ended, "procs") == std::vector<std::string>{"4", "24", "24"});
  CHECK(mentions(ended.err, "3 combinations cannot run and are skipped"));
  CHECK(mentions(ended.err, "--root: root 8 is out of range"));
  const Ended none = run("bcast", {"--procs", "100000", "--message-size", "1KiB"});
  CHECK(none.exit_code == 2);
  CHECK(mentions(none.err, "--procs"));
}

TEST_CASE("a fallback to another algorithm is reported") {
  const Ended ended = run("allgather", {"--procs", "24", "--message-size", "64", "--algorithm",
                                        "recursive_doubling", "--format", "csv", "-q"});
  CHECK(column(ended, "runs_as") == std::vector<std::string>{"bruck"});
  const Ended text = run(
      "allgather", {"--procs", "24", "--message-size", "64", "--algorithm", "recursive_doubling"});
  CHECK(mentions(text.out, "\n# recursive_doubling runs bruck\n"));
}

TEST_CASE("a rules file is applied, and rules that Open MPI ignores are reported") {
  const TemporaryFolder folder;
  const auto good = folder.write("good.txt", "1 7 1 1 1 0 3 0 512");
  const Ended applied = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--algorithm",
                                      "auto:rules=" + good, "--format", "csv"});
  CHECK(column(applied, "algorithm") == std::vector<std::string>{"pipeline"});
  CHECK(column(applied, "segment_bytes") == std::vector<std::string>{"512"});
  const auto bad = folder.write("bad.txt", "1 7 1 1 1 8 3 0 512");
  const Ended ignored = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--algorithm",
                                      "auto:rules=" + bad, "--format", "csv"});
  const Ended fixed = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--format", "csv"});
  CHECK(column(ignored, "algorithm") == column(fixed, "algorithm"));
  CHECK(column(ignored, "algorithm") != column(applied, "algorithm"));
  CHECK(mentions(ignored.err, "bad.txt:1:11: the first message size is 8, not 0"));
}

TEST_CASE("skew and noise are measured over several repetitions") {
  const std::vector<std::string> options{"--procs",
                                         "24",
                                         "--message-size",
                                         "4KiB",
                                         "--repetitions",
                                         "5",
                                         "--skew",
                                         "uniform:10us:1",
                                         "--noise",
                                         "additive:1us:2",
                                         "--format",
                                         "csv",
                                         "-q",
                                         "--no-cost"};
  const Ended ended = run("allreduce", options);
  CHECK(column(ended, "repetitions") == std::vector<std::string>{"5"});
  CHECK(column(ended, "skew") == std::vector<std::string>{"uniform:10us:1"});
  CHECK(column(ended, "noise") == std::vector<std::string>{"additive:1us:2"});
  CHECK(std::stod(column(ended, "repetition_min_s")[0]) <
        std::stod(column(ended, "repetition_max_s")[0]));
  CHECK(run("allreduce", options).out == ended.out);
}

TEST_CASE("calls that Open MPI rejects are rejected with the reason") {
  const Ended two = run("alltoall", {"--procs", "3", "--algorithm", "two_proc"});
  CHECK(two.exit_code == 2);
  CHECK(mentions(two.err, "two_proc cannot run alltoall with 3 processes: it requires"));
  const Ended order =
      run("reduce", {"--procs", "6", "--algorithm", "binomial", "--non-commutative"});
  CHECK(order.exit_code == 2);
  CHECK(mentions(order.err, "it requires a commutative operation"));
  const Ended hardware = run("barrier", {"--procs", "6", "--algorithm", "hardware"});
  CHECK(hardware.exit_code == 2);
  CHECK(mentions(hardware.err, "the network of crill has no hardware barrier"));
  const Ended sized = run("barrier", {"--procs", "6", "--message-size", "8"});
  CHECK(sized.exit_code == 2);
  CHECK(mentions(sized.err, "--message-size: does not apply to barrier"));
}

TEST_CASE("all omits algorithms that cannot run") {
  const Ended ended = run("alltoall", {"--procs", "3", "--message-size", "8", "--algorithm", "all",
                                       "--format", "csv", "-q"});
  for (const auto& name : column(ended, "algorithm")) CHECK(name != "two_proc");
}

TEST_CASE("commas separate algorithms as well as the parameters of one algorithm") {
  const Ended ended =
      run("bcast",
          {"--procs", "96", "--message-size", "8", "--algorithm",
           "binomial,hierarchical:inter=chain,group=4,hierarchical:intra=binomial,knomial", "-q"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "hierarchical:inter=chain,group=4"));
  CHECK(mentions(ended.out, "hierarchical:intra=binomial"));
  CHECK(mentions(ended.out, "knomial"));
}

TEST_CASE("uneven counts change the bytes sent") {
  const Ended linear = run("gatherv", {"--procs", "5", "--message-size", "100", "--counts",
                                       "linear", "--format", "csv", "-q"});
  CHECK(column(linear, "wire_bytes") == std::vector<std::string>{"500"});  // rank 0 has no data
  CHECK(column(linear, "counts") == std::vector<std::string>{"linear"});
  const Ended equal =
      run("gatherv", {"--procs", "5", "--message-size", "100", "--format", "csv", "-q"});
  CHECK(column(equal, "wire_bytes") == std::vector<std::string>{"400"});
}

TEST_CASE("hardware is not an algorithm of a level") {
  const Ended ended =
      run_sim({"run", "bcast", "--platform", "juqueen", "--procs", "64", "--algorithm",
               "hierarchical:inter=hardware,group=1", "--message-size", "8"});
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, "inter=hardware: hardware collectives require all ranks of the job"));
  const Ended barrier = run("barrier", {"--procs", "8", "--algorithm", "hierarchical:up=bruck"});
  CHECK(barrier.exit_code == 2);
  CHECK(mentions(barrier.err, "expected one of auto, linear, tree"));
}

TEST_CASE("a counts file without effect keeps the message sizes") {
  const TemporaryFolder folder;
  const auto file = folder.write("c.csv", "rank,bytes\n0,1\n1,2\n");
  const Ended ended = run("bcast", {"--procs", "2", "--counts", "file:" + file, "--format", "csv"});
  CHECK(column(ended, "message_bytes").size() == 21);
  CHECK(mentions(ended.err, "--counts has no effect on bcast"));
  const Ended sized = run("bcast", {"--procs", "2", "--counts", "file:" + file, "--message-size",
                                    "8,16", "--format", "csv"});
  CHECK(column(sized, "message_bytes") == std::vector<std::string>{"8", "16"});
}

TEST_CASE("uneven counts keep the requested message size") {
  for (const char* collective : {"reduce_scatter", "allgatherv", "alltoallv", "gatherv"})
    for (const char* counts : {"linear", "random:3"}) {
      const Ended ended =
          run(collective, {"--procs", "100", "--message-size", "8,192,4KiB", "--element-bytes", "8",
                           "--counts", counts, "--format", "csv", "-q"});
      CHECK(column(ended, "message_bytes") == std::vector<std::string>{"8", "192", "4096"});
    }
}

TEST_CASE("repetitions count one call each, and options that show a single call reject more") {
  const std::vector<std::string> one{"--procs", "24", "--ppn",    "4",  "--message-size",
                                     "8",       "-q", "--format", "csv"};
  auto several = one;
  several.insert(several.end(), {"--repetitions", "5", "--noise", "additive:1us"});
  for (const char* name : {"messages", "wire_bytes", "eager_messages", "intra_node_messages"})
    CHECK(column(run("bcast", several), name) == column(run("bcast", one), name));
  const TemporaryFolder folder;
  for (const char* option : {"--traffic", "--histogram", "--links", "--ranks", "--trace"}) {
    auto options = several;
    options.insert(options.end(), {option, folder.file("x")});
    const Ended ended = run("bcast", options);
    CHECK(ended.exit_code == 2);
    CHECK(mentions(ended.err,
                   std::string(option) + ": shows a single call, but 5 repetitions are run"));
  }
  auto shown = one;  // one repetition with noise is one call
  shown.insert(shown.end(), {"--noise", "additive:1us", "--traffic", folder.file("y")});
  CHECK(run("bcast", shown).exit_code == 0);
}

TEST_CASE("records and reports mark a rules file that decides nothing") {
  const TemporaryFolder folder;
  const auto other = folder.write("other.txt", "1 3 1 1 1 0 1 0 0");
  const std::vector<std::string> options{"--procs", "24",          "--message-size",
                                         "8",       "--algorithm", "auto:rules=" + other};
  CHECK(mentions(run("bcast", options).out,
                 "the rules file decided none of these rows: the fixed rules ompi-4.1 did"));
  CHECK_FALSE(mentions(run("alltoall", options).out, "rules file decided"));
  auto csv = options;
  csv.insert(csv.end(), {"--format", "csv"});
  CHECK(column(run("bcast", csv), "decided_by") == std::vector<std::string>{"ompi-4.1"});
  CHECK(column(run("alltoall", csv), "decided_by") == std::vector<std::string>{"rules file"});
  const auto two = folder.write("two.txt", "1\n3 1 1 1\n0 5 0 0");
  const Ended rejected =
      run("alltoall", {"--procs", "24", "--message-size", "8", "--algorithm", "auto:rules=" + two});
  CHECK(rejected.exit_code == 2);
  CHECK(mentions(rejected.err, "two.txt:3: error: two_proc cannot run"));
  const auto down = folder.write("down.txt", "1\n7 1 1 2\n0 1 0 0\n0 6 0 0");
  CHECK(mentions(
      run("bcast", {"--procs", "24", "--message-size", "8", "--algorithm", "auto:rules=" + down})
          .err,
      "down.txt:4:1: message size 0 follows 0"));
}

TEST_CASE("all-to-all messages are rejected where memory is too small") {
  const std::vector<std::string> options{"run",         "alltoall", "--platform",     "juqueen",
                                         "--procs",     "65536",    "--message-size", "8",
                                         "--algorithm", "linear"};
  const Ended ended = run_sim(options);
  CHECK(ended.exit_code == 2);
  CHECK(mentions(ended.err, "65536 processes with 4294901760 messages in flight need about"));
}

TEST_CASE("a request limit is an axis, and a limit without effect is reported") {
  const Ended ended = run("alltoall", {"--procs", "5", "--message-size", "8", "--algorithm",
                                       "linear_sync", "--max-requests", "1,2"});
  CHECK(mentions(ended.out, "Size (B)  Requests"));
  CHECK_FALSE(mentions(ended.out, "at most 1 request"));
  CHECK(mentions(run("alltoall", {"--procs", "5", "--message-size", "8", "--algorithm",
                                  "linear_sync", "--max-requests", "1"})
                     .out,
                 "at most 1 request\n"));
  CHECK(mentions(run("alltoall", {"--procs", "5", "--message-size", "8", "--algorithm", "linear",
                                  "--max-requests", "1"})
                     .err,
                 "--max-requests has no effect on linear"));
  CHECK(mentions(run("bcast", {"--procs", "5", "--message-size", "8", "--max-requests", "1"}).err,
                 "--max-requests has no effect on bcast"));
}

TEST_CASE("files of a comparison contain the winner, and options for one point require a name") {
  const TemporaryFolder folder;
  const auto file = folder.file("traffic.csv");
  const Ended ended = run("alltoall", {"--procs", "5", "--message-size", "8", "--algorithm",
                                       "auto:best", "--traffic", file, "--format", "csv", "-q"});
  const auto lines = data_lines(read_file(file));
  CHECK(lines.size() == 21);
  for (std::size_t i = 1; i < lines.size(); ++i)
    CHECK(split(lines[i], ',')[2] == column(ended, "algorithm")[0]);
  const Ended ranks = run("alltoall", {"--procs", "5", "--message-size", "8", "--algorithm",
                                       "auto:best", "--ranks", folder.file("r.csv")});
  CHECK(ranks.exit_code == 2);
  CHECK(mentions(ranks.err, "choose one algorithm"));
}

TEST_CASE("all and auto:best report what they omit") {
  for (const char* name : {"all", "auto:best"}) {
    const Ended ended =
        run("alltoall", {"--procs", "3", "--message-size", "8", "--algorithm", name, "-v"});
    CHECK(mentions(ended.out, "omitted: two_proc (needs P = 2)"));
    CHECK(mentions(ended.err, "skipped: two_proc (needs P = 2)"));
  }
}

TEST_CASE("values that a collective or algorithm does not have are empty, never 0") {
  const auto cells = [](const std::string& collective, std::vector<std::string> options) {
    options.insert(options.end(), {"--procs", "4", "--format", "csv", "-q"});
    const Ended ended = run(collective, options);
    std::vector<std::string> found;
    for (const char* name : {"fanout", "root", "max_requests", "commutative"})
      found.push_back(column(ended, name)[0]);
    return found;
  };
  using Cells = std::vector<std::string>;
  CHECK(cells("barrier", {}) == Cells{"", "", "", ""});
  CHECK(cells("bcast", {"--message-size", "8", "--algorithm", "chain"}) == Cells{"4", "0", "", ""});
  CHECK(cells("reduce", {"--message-size", "8", "--algorithm", "in-order_binary",
                         "--non-commutative"}) == Cells{"", "0", "0", "false"});
  CHECK(cells("allreduce", {"--message-size", "8", "--algorithm", "ring"}) ==
        Cells{"", "", "", "true"});
  CHECK(mentions(run("reduce", {"--procs", "4", "--message-size", "8", "--format", "json"}).out,
                 "\"commutative\": true"));
}

TEST_CASE("noise has no effect on the hardware collective, which sim platform show describes") {
  const Ended ended = run_sim({"run", "barrier", "--platform", "juqueen", "--procs", "64",
                               "--algorithm", "hardware", "--noise", "additive:1us"});
  CHECK(mentions(ended.err, "--noise has no effect on hardware"));
  const Ended shown = run_sim({"platform", "show", "juqueen"});
  CHECK(mentions(shown.out,
                 "hardware    bcast, reduce, allreduce, barrier over all ranks in network"));
}
