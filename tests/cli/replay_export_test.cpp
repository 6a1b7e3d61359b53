// SPDX-License-Identifier: BSD-3-Clause
// The files that sim replay writes for other tools, read by readers that share no code with it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;
using Json = nlohmann::json;
using P = SyntheticProgram;

namespace {

// What a reader in Python finds in a file; null without Python.
Json read_with(const std::string& reader, const std::string& path) {
  const auto program = std::string(TUTTI_SOURCE_DIR) + "/tests/support/" + reader;
  const Ended ended = run({.args = {"/usr/bin/env", "python3", program, path}});
  if (ended.exit_code == 127) {
    MESSAGE("skipped: python3 is not installed");
    return nullptr;
  }
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  return Json::parse(ended.out);
}

Json read_cube(const std::string& path) { return read_with("read_cube.py", path); }
Json read_perfetto(const std::string& path) { return read_with("read_perfetto.py", path); }

// Values of CUBE metrics and of the metrics that the report adds up to them.
const std::map<std::string, std::vector<std::string>>& reported_as() {
  static const std::map<std::string, std::vector<std::string>> names{
      {"time", {"time"}},
      {"visits", {"visits"}},
      {"mpi_latesender", {"late_sender"}},
      {"mpi_latesender_wo", {"wrong_order_same_source", "wrong_order_other_source"}},
      {"mpi_latereceiver", {"late_receiver"}},
      {"mpi_barrier_wait", {"wait_at_barrier"}},
      {"mpi_barrier_completion", {"barrier_completion"}},
      {"mpi_wait_nxn", {"wait_at_nxn"}},
      {"mpi_nxn_completion", {"nxn_completion"}},
      {"mpi_latebroadcast", {"late_broadcast"}},
      {"mpi_earlyreduce", {"early_reduce"}},
      {"blocked", {"blocked"}},
      {"critical_path", {"critical_path"}},
      {"delay", {"delay_direct", "delay_indirect"}}};
  return names;
}

// The sum over call paths, by rank. The report has no row for the time outside all regions.
std::vector<double> sums_in_cube(const Json& cube, const std::string& metric) {
  std::vector<double> sums(cube.at("ranks").size());
  for (const auto& [path, values] : cube.at("metrics").at(metric).at("values").items())
    for (std::size_t rank = 0; rank < sums.size() && path != "(program)"; ++rank)
      sums[rank] += values.at(rank).get<double>();
  return sums;
}

std::vector<double> sums_in_report(const Json& rows, const std::vector<std::string>& metrics,
                                   const std::string& side, std::size_t ranks) {
  std::vector<double> sums(ranks);
  for (const auto& row : rows) {
    if (std::find(metrics.begin(), metrics.end(), row.at("metric")) == metrics.end()) continue;
    const bool counts = row.at("metric") == "visits";
    sums[row.at("rank").get<std::size_t>()] +=
        row.at(side + (counts ? "_count" : "_s")).get<double>();
  }
  return sums;
}

void check_same(const Json& cube, const Json& rows, const std::string& side) {
  for (const auto& [metric, reported] : reported_as()) {
    const auto found = sums_in_cube(cube, metric);
    const auto expected = sums_in_report(rows, reported, side, found.size());
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      CAPTURE(metric);
      CAPTURE(rank);
      CHECK(found[rank] == close_to(expected[rank], 1e-12));
    }
  }
}

// Values of children are parts of their parent's, at each call path and rank.
void check_tree(const Json& cube) {
  const auto value = [&](const Json& metric, const std::string& path, std::size_t rank) {
    return metric.at("values").contains(path) ? metric.at("values").at(path).at(rank).get<double>()
                                              : 0.0;
  };
  const Json& metrics = cube.at("metrics");
  for (const auto& [name, metric] : metrics.items()) {
    CHECK(metric.at("type") == "EXCLUSIVE");
    CHECK(metric.at("unit") == (name == "visits" ? "occ" : "sec"));
    for (const auto& [path, values] : metric.at("values").items())
      for (std::size_t rank = 0; rank < values.size(); ++rank) {
        double children = 0;
        for (const auto& [child_name, child] : metrics.items())
          if (child.at("parent") == name) children += value(child, path, rank);
        CAPTURE(name);
        CAPTURE(path);
        CHECK(children <= value(metric, path, rank) * (1 + 1e-12));
      }
  }
}

Json report_of(std::vector<std::string> args) {
  args.insert(args.end(), {"--part", "points", "--format", "json"});
  return Json::parse(out_of(args)).at("points");
}

}  // namespace

TEST_CASE("CUBE profiles of both runs have the values of the report") {
  for (const P program : {P::lbp2p, P::lbcoll, P::rooted, P::halo, P::xns}) {
    const TemporaryFolder folder;
    const auto trace = write_trace(folder.file("t"), {.program = program});
    const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
    const auto after = folder.file("new.cubex"), before = folder.file("old.cubex");
    const Json rows = report_of({"replay", trace, "--hypothesis", hypothesis, "--causes", "--cube",
                                 after, "--cube-original", before});
    const Json replayed = read_cube(after);
    if (replayed.is_null()) return;
    const Json original = read_cube(before);
    check_same(replayed, rows, "after");
    check_same(original, rows, "before");
    check_tree(replayed);
    check_tree(original);
    CHECK(replayed.at("paths") == original.at("paths"));
    CHECK(replayed.at("roots") == Json{"main"});
    CHECK(replayed.at("metrics").at("mpi_latesender").at("parent") == "mpi_point2point");
    CHECK(replayed.at("ranks").size() == 4);
  }
}

TEST_CASE("a CUBE profile has the nodes of the trace, and one root if the trace has several") {
  const auto trace = shared_trace("real/pipit-ping-pong");
  if (trace.empty()) return;
  const TemporaryFolder folder;
  const auto path = folder.file("a.cubex");
  out_of({"replay", trace, "--cube", path});
  const Json cube = read_cube(path);
  if (cube.is_null()) return;
  CHECK(cube.at("roots") == Json{"(program)"});
  CHECK(cube.at("metrics").at("time").at("values").contains("(program)"));
  CHECK(cube.at("metrics").at("mpi_init_exit").at("values").size() == 2);
  CHECK(cube.at("nodes").at(0) != "unknown");
}

TEST_CASE("the same replay writes the same CUBE profile") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::halo});
  for (const char* name : {"a.cubex", "b.cubex"})
    out_of({"replay", trace, "--cube", folder.file(name)});
  CHECK(read_file(folder.file("a.cubex")).size() > 1000);
  CHECK(read_file(folder.file("a.cubex")) == read_file(folder.file("b.cubex")));
}

TEST_CASE("a CUBE profile needs its ending, a place of its own, and a folder") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::halo});
  CHECK(rejected({"replay", trace, "--cube", folder.file("a.tar")}).find("FILE.cubex") !=
        std::string::npos);
  const auto twice = folder.file("a.cubex");
  CHECK(rejected({"replay", trace, "--cube", twice, "--cube-original", twice})
            .find("--cube-original") != std::string::npos);
  CHECK(run_sim({"replay", trace, "--cube", folder.file("no/a.cubex")}).exit_code == 4);
}

namespace {

double sum_ns(const Json& slices, const std::string& name) {
  double ns = 0;
  if (slices.contains(name))
    for (const auto& [rank, of_rank] : slices.at(name).items()) ns += of_rank.get<double>();
  return ns;
}

// Durations of MPI calls are the times that the report has for them, by name.
void check_calls(const Json& slices, const Json& rows) {
  std::map<std::string, double> reported;
  for (const auto& row : rows) {
    const auto path = row.at("call_path").get<std::string>();
    const auto call = path.substr(path.rfind('/') + 1);
    if (row.at("metric") == "time" && call.starts_with("MPI_"))
      reported[call] += row.at("after_s").get<double>();
  }
  CHECK_FALSE(reported.empty());
  for (const auto& [call, expected_s] : reported) {
    CAPTURE(call);
    CHECK(sum_ns(slices, call) * 1e-9 == close_to(expected_s, 1e-9));
  }
}

double blocked_s(const Json& rows) {
  double sum_s = 0;
  for (const auto& row : rows)
    if (row.at("metric") == "blocked") sum_s += row.at("after_s").get<double>();
  return sum_s;
}

}  // namespace

TEST_CASE("a trace for Perfetto has the calls, waits and messages of the replayed run") {
  for (const P program : {P::lbp2p, P::lbcoll, P::rooted, P::halo, P::xns}) {
    const TemporaryFolder folder;
    const auto trace = write_trace(folder.file("t"), {.program = program});
    const auto hypothesis =
        folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n[[cut]]\nregion = \"bar\"\n");
    const auto path = folder.file("a.json");
    for (const std::string model : {"recorded", "platform"}) {
      std::vector<std::string> args{"replay",  trace, "--hypothesis", hypothesis,
                                    "--model", model, "--perfetto",   path};
      if (model == "platform") args.insert(args.end(), {"--platform", "gros"});
      const Json rows = report_of(args);
      const Json found = read_perfetto(path);
      if (found.is_null()) return;
      const Json& slices = found.at("inclusive");
      CHECK(found.at("ranks").size() == 4);
      CHECK_FALSE(slices.contains("bar"));
      check_calls(slices, rows);
      if (model == "recorded")
        CHECK(
            (sum_ns(slices, "waiting for a message") + sum_ns(slices, "waiting in a collective")) *
                1e-9 ==
            close_to(blocked_s(rows), 1e-9));
    }
  }
}

TEST_CASE("a trace for Perfetto has the waits of synchronous sends") {
  const TemporaryFolder folder;
  out_of({"run", "trace", "sweep3d", "--platform", "crill", "--procs", "16", "--iterations", "1",
          "--sends", "synchronous", "-o", folder.file("t")});
  const auto path = folder.file("a.json");
  const Json rows = report_of({"replay", folder.file("t/traces.otf2"), "--perfetto", path});
  const Json found = read_perfetto(path);
  if (found.is_null()) return;
  const Json& slices = found.at("inclusive");
  const auto for_receivers = sum_ns(slices, "waiting for a receiver");
  CHECK(for_receivers > 0);
  CHECK((for_receivers + sum_ns(slices, "waiting for a message") +
         sum_ns(slices, "waiting in a collective")) *
            1e-9 ==
        close_to(blocked_s(rows), 1e-9));
}

TEST_CASE("a trace for Perfetto can be limited to ranks and a part of the time") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder.file("t"), {.program = P::halo});
  const auto path = folder.file("a.json");
  out_of({"replay", trace, "--perfetto", path});
  const Json all = read_perfetto(path);
  if (all.is_null()) return;
  CHECK(all.at("messages") == 800);
  out_of(
      {"replay", trace, "--perfetto", path, "--timeline", "1-2", "--timeline-window", "10ms:20ms"});
  const Json part = read_perfetto(path);
  CHECK(part.at("ranks") == Json{"MPI Rank 1", "MPI Rank 2"});
  CHECK(part.at("messages").get<int>() < 100);
  CHECK(part.at("messages").get<int>() > 0);
  CHECK(sum_ns(part.at("inclusive"), "main") == 2 * 10'000'000);
  CHECK(rejected({"replay", trace, "--timeline", "0"}).find("--perfetto") != std::string::npos);
  CHECK(rejected({"replay", trace, "--perfetto", folder.file("a.pftrace")}).find("FILE.json") !=
        std::string::npos);
}

TEST_CASE("a trace of a real machine becomes a trace for Perfetto") {
  for (const char* name : {"real/pipit-ping-pong", "real/sst/traces.otf2"}) {
    const auto trace = shared_trace(name);
    if (trace.empty()) return;
    const TemporaryFolder folder;
    out_of({"replay", trace, "--perfetto", folder.file("a.json")});
    const Json found = read_perfetto(folder.file("a.json"));
    if (found.is_null()) return;
    CHECK(found.at("messages") > 0);
  }
}

TEST_CASE("a time-independent trace is written as OTF2 with the times of the model") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  const auto original = write_trace(folder.file("t"), {.program = P::halo});
  out_of({"replay", original, "--ti", folder.file("ti")});
  const auto costs = folder.write("loggp.toml", loggp_rule);
  for (const std::string model : {"loggp", "platform"}) {
    std::vector<std::string> args{"replay", folder.file("ti"), "--model",
                                  model,    "--write-trace",   folder.file(model)};
    if (model == "loggp") args.insert(args.end(), {"--loggp", costs});
    if (model == "platform") args.insert(args.end(), {"--platform", "gros"});
    args.insert(args.end(), {"--part", "summary", "--format", "json"});
    const Json predicted = Json::parse(out_of(args)).at("points");
    const auto written = folder.file(model + "/traces.otf2");
    CHECK(printed(written).events.find("MPI_ISEND") != std::string::npos);
    const Json read =
        Json::parse(out_of({"replay", written, "--part", "summary", "--format", "json"}))
            .at("points");
    for (const auto& row : predicted)
      for (const auto& again : read)
        if (row.at("what") == again.at("what")) {
          CAPTURE(row.at("what"));
          CHECK(again.at("before_s") == row.at("after_s"));
          CHECK(again.at("after_s") == row.at("after_s"));
        }
    CHECK(read.size() > 2);
  }
}
