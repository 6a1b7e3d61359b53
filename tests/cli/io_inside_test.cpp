// SPDX-License-Identifier: BSD-3-Clause
// sim run write and sim run read with noise, and details of their runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"

using namespace tutti::tests;
using Json = nlohmann::json;
using Args = std::vector<std::string>;

namespace {

const Args with_storage{"--storage", "targets=2,bandwidth=500MBps"};

// A small job with additional or replaced options.
Ended io(const std::string& operation, const std::vector<Args>& more) {
  Args args{"run", operation, "--platform", "crill", "-q", "--no-cost"};
  for (const Args& each : more) args.insert(args.end(), each.begin(), each.end());
  for (const Args& usual : {Args{"--procs", "12"}, Args{"--ppn", "4"},
                            Args{"--bytes-per-proc", "1MiB"}, Args{"--buffer-size", "512KiB"}})
    if (std::ranges::find(args, usual.front()) == args.end() &&
        (usual.front() != "--bytes-per-proc" ||
         std::ranges::find(args, "--decomposition") == args.end()))
      args.insert(args.end(), usual.begin(), usual.end());
  return run_sim(args);
}

Json point(const Ended& ended) {
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  return Json::parse(ended.out)["points"][0];
}
double value(const Ended& ended, const std::string& name) { return point(ended)[name]; }

const Args json{"--format", "json"};

}  // namespace

TEST_CASE("the critical path, including target disks, sums to the time of the call") {
  for (const char* operation : {"write", "read"})
    for (const char* engine : {"simgrid", "flow"})
      for (const bool stores : {false, true}) {
        CAPTURE(operation);
        CAPTURE(engine);
        CAPTURE(stores);
        const auto ended =
            io(operation, {stores ? with_storage : Args{},
                           {"--engine", engine, "--critical-path", "--format", "json"}});
        const Json path = point(ended)["critical_path"];
        const double time_s = value(ended, "time_s");
        CHECK(path["end_s"].get<double>() == close_to(time_s, 1e-12));
        CHECK(path["rank"] < 12);
        double spent_s = 0;
        for (const auto& [key, part] : path["spent"].items()) spent_s += part.get<double>();
        CHECK(spent_s == close_to(time_s, 1e-9));
        CHECK(path["spent"].contains("disks_s") == stores);
        if (!stores) continue;
        CHECK(path["first_target"] == 12);
        CHECK(path["spent"]["disks_s"] > 0.3 * time_s);
        CHECK(path["spent"]["compute_s"] == 0);
      }
  const auto text = io("write", {with_storage, {"--critical-path"}});
  CHECK(mentions(text.out, "disks of the storage targets"));
  CHECK(mentions(text.out, "target 1: disk 100 %"));
  CHECK(mentions(text.out, "# Collective write on crill"));
}

TEST_CASE("a trace contains the requested ranks and the storage targets") {
  const TemporaryFolder folder;
  const auto file = folder.file("trace.json");
  const auto ended = io("write", {with_storage, {"--trace", file, "--trace-ranks", "0-2"}});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  std::set<std::string> threads;
  std::size_t slices = 0;
  const auto trace = Json::parse(read_file(file));
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") threads.insert(event["args"]["name"]);
    slices += event["ph"] == "X" ? 1U : 0U;
  }
  CHECK(threads == std::set<std::string>{"rank 0", "rank 1", "rank 2", "target 0", "target 1"});
  CHECK(slices > 50);
  CHECK(trace["otherData"]["procs"] == 12);
}

TEST_CASE("aggregator times agree with the report, for full jobs, repeated cycles and means") {
  for (const Args& more : {Args{}, Args{"--bytes-per-proc", "32MiB"},
                           Args{"--noise", "multiplicative:20%", "--repetitions", "3"},
                           Args{"--skew", "exponential:1ms:2"}}) {
    const TemporaryFolder folder;
    const auto file = folder.file("aggregators.csv");
    const auto ended =
        io("write", {{"--aggregators", "5", "--aggregator-times", file}, with_storage, json, more});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    Ended table = ended;
    table.out = read_file(file);
    const auto end = column(table, "end_s");
    REQUIRE(end.size() == 5);
    double least = 1e9, most = 0, sum = 0, shuffle = 0, storage = 0, waited = 0, all_storage = 0;
    for (std::size_t i = 0; i < end.size(); ++i) {
      const double end_s = std::stod(end[i]);
      least = std::min(least, end_s);
      most = std::max(most, end_s);
      sum += end_s;
      shuffle = std::max(shuffle, std::stod(column(table, "shuffle_s")[i]));
      storage = std::max(storage, std::stod(column(table, "storage_s")[i]));
      all_storage += std::stod(column(table, "storage_s")[i]);
      waited += std::stod(column(table, "waited_s")[i]);
      CHECK(column(table, "node")[i].starts_with("crill-"));
      CHECK(end_s <= value(ended, "time_s") * (more.empty() ? 1 + 1e-12 : 1.3));
    }
    CHECK(value(ended, "aggregator_min_s") == close_to(least, 1e-12));
    CHECK(value(ended, "aggregator_max_s") == close_to(most, 1e-12));
    CHECK(value(ended, "aggregator_mean_s") == close_to(sum / 5, 1e-12));
    CHECK(value(ended, "shuffle_s") == close_to(shuffle, 1e-12));
    CHECK(value(ended, "storage_s") == close_to(storage, 1e-12));
    CHECK(value(ended, "overlap_fraction") == close_to(1 - waited / all_storage, 1e-9));
  }
}

TEST_CASE("the parts of an aggregator's time are its open, set-up, shuffle and accesses") {
  const TemporaryFolder folder;
  const auto file = folder.file("aggregators.csv");
  const Args stores{"--storage", "targets=2,bandwidth=1GBps,stripe=1MiB,metadata=100us"};
  for (const auto& [operation, by] : std::vector<std::pair<const char*, const char*>>{
           {"write", "romio"}, {"read", "romio"}, {"write", "two_phase"}, {"read", "vulcan"}}) {
    const auto ended = io(operation, {{"--implementation", by, "--aggregators", "3",
                                       "--bytes-per-proc", "3MiB", "--aggregator-times", file},
                                      stores,
                                      json});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    Ended table = ended;
    table.out = read_file(file);
    double open = 0, setup = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto part = [&](const char* name) { return std::stod(column(table, name)[i]); };
      CHECK(
          part("end_s") ==
          close_to(part("open_s") + part("setup_s") + part("shuffle_s") + part("storage_s"), 1e-9));
      open = std::max(open, part("open_s"));
      setup = std::max(setup, part("setup_s"));
    }
    CHECK(open > 100e-6);
    CHECK(setup > 0);
    CHECK(value(ended, "open_s") == close_to(open, 1e-12));
    CHECK(value(ended, "setup_s") == close_to(setup, 1e-12));
  }
  const auto without = point(io("write", {{"--implementation", "vulcan", "--setup", "off"}, json}));
  CHECK(without["open_s"].is_null());
  CHECK(without["setup_s"].is_null());
}

TEST_CASE("noise and skew prolong a call equally in both engines, and all cycles are simulated") {
  const Args random{"--noise",       "multiplicative:50%:7", "--skew",
                    "uniform:1ms:3", "--repetitions",        "5"};
  for (const char* operation : {"write", "read"})
    for (const Args& stores : {Args{}, with_storage}) {
      const auto flow = io(operation, {stores, json, random, {"--engine", "flow"}});
      const auto simgrid = io(operation, {stores, json, random, {"--engine", "simgrid"}});
      for (const char* name : {"time_s", "repetition_min_s", "repetition_mean_s",
                               "repetition_max_s", "after_last_arrival_s", "aggregator_mean_s"})
        CHECK(value(flow, name) == close_to(value(simgrid, name), 1e-9));
      CHECK(value(flow, "repetitions") == 5);
      CHECK(value(flow, "repetition_min_s") < value(flow, "time_s"));
      CHECK(value(flow, "time_s") < value(flow, "repetition_max_s"));
      CHECK(value(flow, "after_last_arrival_s") < value(flow, "time_s"));
      CHECK(value(flow, "time_s") > value(io(operation, {stores, json}), "time_s"));
      CHECK(value(flow, "messages") == value(io(operation, {stores, json}), "messages"));
    }
  const Args large{"--bytes-per-proc", "64MiB", "--engine", "flow"};
  CHECK(point(io("write", {json, large}))["extrapolation"] == "repeated");
  CHECK(point(io("write", {json, large, {"--noise", "additive:1us"}}))["extrapolation"] == "none");
}

TEST_CASE("aggregators without data finish at once, even if they arrive late") {
  const TemporaryFolder folder;
  folder.write("one.csv", "rank,offset,length\n2,0,700000\n");
  std::string rows = "rank,seconds\n";
  for (int rank = 0; rank < 12; ++rank) rows += std::to_string(rank) + ",0.5\n";
  folder.write("skew.csv", rows);
  const Args job{"--decomposition", "file:" + folder.file("one.csv"), "--aggregators", "12"};
  const auto late =
      io("write", {job, {"--align", "1MiB", "--skew", "file:" + folder.file("skew.csv")}, json});
  CHECK(value(late, "aggregator_min_s") == 0);
  CHECK(value(late, "aggregator_max_s") > 0);
  CHECK(value(late, "aggregator_max_s") < 0.1);
}

TEST_CASE("with one aggregator the minimum, mean and maximum times are equal") {
  const auto one =
      io("write", {{"--aggregators", "1", "--noise", "multiplicative:20:3", "--repetitions", "7"},
                   with_storage,
                   json});
  CHECK(value(one, "aggregator_min_s") == value(one, "aggregator_max_s"));
  CHECK(value(one, "aggregator_min_s") == value(one, "aggregator_mean_s"));
}

TEST_CASE("late arrival of ranks does not increase link utilization") {
  const auto ended =
      io("write", {with_storage, {"--skew", "uniform:200ms:5", "--critical-path"}, json});
  const Json path = point(ended)["critical_path"];
  CHECK(path["end_s"].get<double>() > value(ended, "time_s"));
  for (const auto& link : path["links"]) CHECK(link["busy_share"].get<double>() <= 1 + 1e-9);
  for (const auto& step : path["steps"])
    if (step.contains("rank") && step["rank"] >= 12) CHECK(step["compute_s"] == 0);
}

TEST_CASE("zero noise changes nothing, nor do equal repetitions") {
  const auto plain = io("write", {with_storage, json});
  const auto still = io("write", {with_storage, json, {"--noise", "multiplicative:0"}});
  for (const char* name :
       {"time_s", "aggregator_min_s", "shuffle_s", "storage_s", "overlap_fraction"})
    CHECK(point(still)[name] == point(plain)[name]);
  const auto repeated = io("write", {with_storage, json, {"--repetitions", "9"}});
  CHECK(point(repeated) == point(plain));
}

TEST_CASE("a skew file delays single ranks") {
  const TemporaryFolder folder;
  std::string rows = "rank,seconds\n";
  for (int rank = 0; rank < 12; ++rank)
    rows += std::to_string(rank) + (rank == 5 ? ",1\n" : ",0\n");
  folder.write("skew.csv", rows);
  const auto late = io("write", {json, {"--skew", "file:" + folder.file("skew.csv")}});
  CHECK(value(late, "time_s") > 1);
  CHECK(value(late, "after_last_arrival_s") < 0.1);
  const auto short_of_ranks =
      io("write", {{"--skew", "file:" + folder.file("skew.csv"), "--procs", "8"}});
  CHECK(short_of_ranks.exit_code != 0);
}

TEST_CASE("unsupported requests for details of collective I/O are rejected with a reason") {
  const struct {
    Args more;
    const char* message;
  } cases[] = {
      {{"--critical-path", "--aggregators", "2,4"},
       "--critical-path: applies to a single point, but there"},
      {{"--trace", "x", "--buffer-size", "1MiB,2MiB"},
       "--trace: applies to a single point, but there are"},
      {{"--critical-path", "--format", "csv"}, "--critical-path: does not apply to this format"},
      {{"--trace-ranks", "0"}, "--trace-ranks: has no effect without --trace"},
      {{"--trace", "x", "--trace-ranks", "12"},
       "rank 12 is out of range: the job has 12 processes"},
      {{"--engine", "ideal", "--noise", "additive:1us"}, "--noise: needs times"},
      {{"--engine", "ideal", "--aggregator-times", "x"}, "--aggregator-times: needs times"},
      {{"--model-only", "--skew", "uniform:1ms"}, "--skew: has no effect with --model-only"},
      {{"--noise", "additive:1us", "--repetitions", "2", "--traffic", "x"},
       "--traffic: shows a single call, but 2 repetitions are run"},
      {{"--noise", "sometimes"}, "--noise: invalid noise specification 'sometimes'"},
      {{"--aggregator-times", "-"}, "--aggregator-times: cannot write to standard output"}};
  for (const auto& [more, message] : cases) {
    CAPTURE(message);
    const Ended ended = io("write", {more});
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.out.empty());
    CHECK(mentions(ended.err, message));
  }
}
