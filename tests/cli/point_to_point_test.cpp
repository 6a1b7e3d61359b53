// SPDX-License-Identifier: BSD-3-Clause
// sim run pingpong and sim run loggp as a user calls them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/study_runs.hpp"

using namespace tutti::tests;

namespace {

Ended on_crill(const std::string& workload, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", workload, "--platform", "crill", "--no-cost"});
  return run_sim(options);
}

void check_rejected(const std::string& workload, const std::vector<std::string>& options,
                    const std::string& message) {
  const Ended ended = on_crill(workload, options);
  CAPTURE(message);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  CHECK(mentions(ended.err, message));
}

constexpr const char* one_node = R"(<?xml version='1.0'?>
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-0" speed="1Gf" core="CORES" bw="1GBps" lat="1us"
    loopback_bw="4GBps" loopback_lat="0.2us"/>
</platform>
)";

std::string one_node_with(const char* cores) {
  std::string text = one_node;
  return text.replace(text.find("CORES"), 5, cores);
}

}  // namespace

TEST_CASE("a ping-pong of crill prints OSU's columns with NetPIPE's times, in 80 columns") {
  const Ended ended = on_crill("pingpong", {"--message-size", "0,64KiB"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "# crill-0 -> crill-1, latency 800 ns, at most 1.942 GB/s"));
  CHECK(mentions(ended.out, "# Size (B)  Latency (us)  Bandwidth (MB/s)  Protocol"));
  const auto lines = data_lines(ended.out);
  REQUIRE(lines.size() == 2);
  CHECK(mentions(lines[0], "         0         1.600                 -  eager"));
  CHECK(mentions(lines[1], "     65536         68.50            956.74  rendezvous"));
  for (const auto& line : split(ended.out, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("the default sizes are 1 B to 1 MiB, and both engines give the same times") {
  const auto flow = on_crill("pingpong", {"--format", "csv"});
  const auto simgrid = on_crill("pingpong", {"--format", "csv", "--engine", "simgrid"});
  CHECK(column(flow, "message_bytes").size() == 21);
  CHECK(column(simgrid, "engine").front() == "simgrid");
  const auto a = column(flow, "time_s"), b = column(simgrid, "time_s");
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(std::abs(std::stod(a[i]) - std::stod(b[i])) <= 1e-9 * std::stod(a[i]));
}

TEST_CASE("patterns, paths and windows are axes of the result") {
  const auto ended = on_crill("pingpong", {"--pattern", "all", "--path", "inter,intra", "--window",
                                           "1,64", "--message-size", "1KiB", "--format", "json"});
  REQUIRE(ended.exit_code == 0);
  const auto points = nlohmann::json::parse(ended.out)["points"];
  REQUIRE(points.size() == 8);
  for (const auto& point : points) {
    const bool is_stream = point["pattern"] == "stream";
    const bool is_intra = point["path"] == "intra";
    CHECK(point["window"].is_null() != is_stream);
    CHECK(point["to_node"] == (is_intra ? "crill-0" : "crill-1"));
    CHECK(point["model_loggp_s"].is_null() == is_intra);
    const double moved = point["pattern"] == "bidirectional" ? 2048 : 1024;
    CHECK(point["bandwidth_Bps"].get<double>() * point["time_s"].get<double>() == exactly(moved));
  }
}

TEST_CASE("credits slow down a stream, and shared memory has a best fragment size") {
  const auto time_of = [](std::vector<std::string> options, const std::string& parameter) {
    options.insert(options.end(), {"--format", "csv", "--set", parameter});
    const auto ended = on_crill("pingpong", options);
    REQUIRE(ended.exit_code == 0);
    return std::stod(column(ended, "time_s").front());
  };
  const std::vector<std::string> stream{"--pattern", "stream", "--message-size", "1KiB"};
  CHECK(time_of(stream, "mpi/eager_credits=1") > time_of(stream, "mpi/eager_credits=4"));
  CHECK(time_of(stream, "mpi/eager_credits=64") == time_of(stream, "mpi/eager_credits=none"));
  const std::vector<std::string> inside{"--path", "intra", "--message-size", "1MiB"};
  const double best_s = time_of(inside, "mpi/intra_fragment_size=32KiB");
  CHECK(best_s < time_of(inside, "mpi/intra_fragment_size=4KiB"));
  CHECK(best_s < time_of(inside, "mpi/intra_fragment_size=1MiB"));
}

TEST_CASE("NetPIPE's perturbation adds sizes below and above") {
  const auto sizes = column(
      on_crill("pingpong", {"--message-size", "1,64,67", "--perturbation", "3", "--format", "csv"}),
      "message_bytes");
  CHECK(sizes == std::vector<std::string>{"1", "4", "61", "64", "67", "70"});
}

TEST_CASE("a pair may be any two nodes, or one node twice") {
  const auto nodes = [](const std::string& between, const char* name) {
    return column(on_crill("pingpong",
                           {"--between", between, "--message-size", "8", "--format", "csv"}),
                  name)
        .front();
  };
  CHECK(nodes("3,crill-15", "from_node") == "crill-3");
  CHECK(nodes("3,crill-15", "to_node") == "crill-15");
  CHECK(nodes("3,crill-15", "path") == "inter");
  CHECK(nodes("5,5", "path") == "intra");
}

TEST_CASE("OSU's format has a table per pattern") {
  const auto ended = on_crill(
      "pingpong", {"--pattern", "pingpong,stream", "--message-size", "8", "--format", "osu"});
  CHECK(mentions(ended.out, "# Size            Latency (us)\n8                         1.61\n"));
  CHECK(mentions(ended.out, "# Size        Bandwidth (MB/s)\n8                        17.87\n"));
}

TEST_CASE("invalid requests are rejected with an explanation") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> both{
      {{"--between", "0,99"}, "--between: the platform has no node '99'"},
      {{"--between", "0,crill-x"}, "did you mean 'crill-0'?"},
      {{"--between", "0"}, "--between: invalid node pair '0'"},
      {{"--between", "0,0", "--path", "inter"},
       "--path: inter, but --between names one node twice"},
      {{"--between", "0,1", "--path", "intra"}, "--path: intra, but --between names two nodes"},
      {{"--path", "outer"}, "--path: unknown name 'outer'"},
      {{"--message-size", "1:z"}, "'z' is not a size"},
      {{"--message-size", "-1"}, "it is negative"},
      {{"--engine", "ideal"}, "--engine: engine ideal is untimed"},
      {{"--procs", "2"}, "unknown option '--procs'"},
      {{"more"}, "unexpected argument 'more'"}};
  for (const auto& [options, message] : both)
    for (const char* workload : {"pingpong", "loggp"}) check_rejected(workload, options, message);
  check_rejected("pingpong", {"--pattern", "ping"},
                 "expected one of: pingpong, bidirectional, stream");
  check_rejected("pingpong", {"--window", "3"}, "--window: applies to pattern stream only");
  check_rejected("pingpong", {"--pattern", "stream", "--window", "0"}, "out of range");
  check_rejected("pingpong",
                 {"--pattern", "stream", "--window", "1000000", "--message-size", "1024T"},
                 "--window: the messages of a window have too many bytes");
  check_rejected("pingpong", {"--perturbation", "1,2"}, "--perturbation: takes one value");
  check_rejected("loggp", {"--path", "inter,intra"}, "--path: expected a single value");
  check_rejected("loggp", {"--format", "osu"},
                 "--format: format osu is not available for this report");
  const Ended late = run_sim({"run", "-q", "pingpong", "--platform", "crill"});
  CHECK(late.exit_code == 2);
  CHECK(mentions(late.err, "put it before all options: sim run pingpong"));
}

TEST_CASE("a machine with one node has intra-node messages if it has two cores") {
  const TemporaryFolder folder;
  const auto two_cores = folder.write("two.xml", one_node_with("2"));
  const auto one_core = folder.write("one.xml", one_node_with("1"));
  for (const char* workload : {"pingpong", "loggp"}) {
    const auto run = [&](const std::string& platform, const char* path) {
      return run_sim({"run", workload, "--platform", platform, "-q", "--path", path});
    };
    const Ended apart = run(two_cores, "inter");
    CHECK(apart.exit_code == 2);
    CHECK(mentions(apart.err, "inter requires two nodes, but the platform has one"));
    CHECK(run(two_cores, "intra").exit_code == 0);
    const Ended bundled = run(one_core, "intra");
    CHECK(bundled.exit_code == 2);
    CHECK(mentions(bundled.err, "two processes need two cores, but node n0 has one"));
  }
}

TEST_CASE("a ping-pong is a workload of studies") {
  const TemporaryFolder folder;
  const auto study = folder.write("s.toml", R"([base]
workload = "pingpong"
platform = "crill"
[matrix]
pattern = ["pingpong", "bidirectional"]
message_size = "1KiB:64KiB"
"mpi/eager_limit" = ["4KiB", "64KiB"]
)");
  CHECK(mentions(out_of({"sweep", study}), "s: 28 points, 28 run, 0 failed"));
  CHECK(mentions(out_of({"sweep", study, "--list", "--where", "message_size = 1KiB"}),
                 "pingpong, bidirectional, 1 KiB, inter, mpi/eager_limit 4KiB"));
  const Ended all = run_sim({"export", folder.file("s.db")});
  CHECK(column(all, "time_s").size() == 28);
  for (const auto& command : column(all, "command")) CHECK(mentions(command, "sim run pingpong"));
  CHECK(run_sim({"plot", folder.file("s.db"), "-o", folder.file("s.svg")}).exit_code == 0);
  const auto no_points =
      folder.write("l.toml", "[base]\nworkload = \"loggp\"\nplatform = \"crill\"\n");
  const Ended rejected = run_sim({"sweep", no_points});
  CHECK(rejected.exit_code == 2);
  CHECK(mentions(rejected.err, "l.toml:2:12: error: loggp measures a set of parameters"));
}

TEST_CASE("the LogGP parameters of crill are those of its protocol, in 80 columns") {
  const Ended ended = on_crill("loggp", {});
  CHECK(ended.exit_code == 0);
  CHECK(
      mentions(ended.out, "# L 0.800 us, o 0.400 us (o_s 0.400 us, o_r 0.400 us), G 0.5151 ns/B"));
  CHECK(mentions(ended.out, "# g is not determined: hidden by o_r, at most 0.400 us"));
  CHECK(mentions(ended.out, "# eager up to 12288 B\n"));
  CHECK(mentions(ended.out, "# rendezvous from 12289 B, G 0.5151 ns/B"));
  CHECK(mentions(ended.out, "# Hockney: l 1.600 us, b 1.941 GB/s"));
  for (const auto& line : split(ended.out, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("times are printed with enough digits to differ") {
  const Ended ended = run_sim({"run", "loggp", "--platform", "fugaku", "--message-size", "1:4KiB",
                               "--no-cost", "--set", "link/latency=0.1us", "--set",
                               "mpi/send_overhead=1.2us", "--set", "mpi/recv_overhead=1.2us",
                               "--set", "mpi/copy_bandwidth=none", "--set", "mpi/extra_latency=0"});
  CHECK(mentions(ended.out, "  0.100  1.200"));
  CHECK(!mentions(ended.out, " 0.1 "));
}

TEST_CASE("a gap above the overheads is reported, and so are undetermined parameters") {
  const auto with_gap =
      on_crill("loggp", {"--set", "mpi/gap=2us", "--set", "mpi/copy_bandwidth=none"});
  CHECK(mentions(with_gap.out, "# g 2.000 us, "));
  const auto small = on_crill("loggp", {"--message-size", "100"});
  CHECK(small.exit_code == 0);
  CHECK(mentions(small.out, "# L is not determined: too few sizes"));
  CHECK(mentions(small.out, "# G is not determined: no three sizes of one protocol"));
  const auto waits = on_crill("loggp", {"--set", "mpi/eager_limit=none"});
  CHECK(mentions(waits.out, "# L is not determined: even the smallest message waits"));
  const auto no_set = on_crill("loggp", {"--message-size", "1,2", "--format", "props"});
  CHECK(no_set.exit_code == 1);
  CHECK(mentions(no_set.err, "L is not determined by these sizes"));
}

TEST_CASE("machine formats have a row per size, and JSON also has the parameter set") {
  const auto csv = on_crill("loggp", {"--format", "csv", "--message-size", "1:64KiB"});
  CHECK(column(csv, "message_bytes").size() == 17);
  CHECK(column(csv, "interval_of").front() == "o_recv");
  CHECK(column(csv, "g_s").front().empty());
  CHECK(column(csv, "L_s").back().empty());
  const auto json = nlohmann::json::parse(on_crill("loggp", {"--format", "json"}).out);
  CHECK(json["points"].size() == 21);
  CHECK(json["loggp"]["g_is"] == "o_recv");
  CHECK(json["protocols"][0]["last_bytes"] == 12288);
  CHECK(json["protocols"][1]["first_bytes"] == 12289);
  CHECK(data_lines(on_crill("loggp", {"--format", "jsonl"}).out).size() == 22);
}

TEST_CASE("the measured set is input to the formulas of collectives") {
  const TemporaryFolder folder;
  const std::string props = on_crill("loggp", {"--format", "props"}).out;
  const auto platform = folder.write("m.xml", R"(<?xml version='1.0'?>
<platform version="4.1">
<cluster id="m" prefix="n" suffix="" radical="0-3" speed="1Gf" core="2" bw="1GBps" lat="1us">
)" + props + "</cluster>\n</platform>\n");
  const auto bcast = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "bcast", "--procs", "2", "--message-size", "1", "-q",
                                     "--algorithm", "basic_linear", "--format", "json"});
    const Ended ended = run_sim(options);
    REQUIRE(ended.exit_code == 0);
    return nlohmann::json::parse(ended.out)["points"][0];
  };
  const auto of_file = bcast({"--platform", platform});
  CHECK(of_file["model_loggp_set"] == "m:loggp/measured");
  CHECK(of_file["model_loggp_s"].get<double>() == close_to(1.601e-6, 1e-3));

  std::vector<std::string> options{"--platform", "crill", "--ppn", "1"};
  for (const auto& line : split(on_crill("loggp", {"--format", "options"}).out, '\n')) {
    if (line.empty()) continue;
    REQUIRE(mentions(line, "--set '"));
    options.insert(options.end(), {"--set", line.substr(7, line.size() - 8)});
  }
  const auto of_options = bcast(options);
  CHECK(of_options["model_loggp_set"] == "crill:loggp/measured");
  CHECK(of_options["model_loggp_s"] == of_file["model_loggp_s"]);
}
