// SPDX-License-Identifier: BSD-3-Clause
// Details of a run: --links, --histogram, --trace, --critical-path.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

// 15 messages; those of 64 KiB use rendezvous.
Args job(const std::string& size, const Args& more) {
  Args args{"run",   "bcast", "--platform",  "crill",    "--procs",        "16", "--ppn", "4",
            "--map", "block", "--algorithm", "binomial", "--message-size", size, "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("the links file lists the traffic of each link, the busiest first") {
  const TemporaryFolder folder;
  for (const char* engine : {"simgrid", "flow"}) {
    CAPTURE(engine);
    out_of(job("1KiB,64KiB", {"--engine", engine, "--links", folder.file("l.csv")}));
    const std::string text = read_file(folder.file("l.csv"));
    CHECK(mentions(read_file(folder.file("l.csv.json")),
                   "54 of 64 links carried no traffic and are omitted (bcast binomial, 1024 bytes, "
                   "16 procs)"));
    const auto rows = data_lines(text);
    REQUIRE(rows.size() == 21);
    CHECK(rows[0] ==
          "collective,alg_id,alg,procs,bytes,seg,fanout,root,link,bandwidth_Bps,link_bytes,"
          "utilization,busy_share,peak_flows");
    double before = 2;
    for (std::size_t i = 11; i < rows.size(); ++i) {
      const auto cells = split(rows[i], ',');
      REQUIRE(cells.size() == 14);
      CHECK(cells[4] == "65536");
      const double use = std::stod(cells[11]);
      const double busy = std::stod(cells[12]);
      CHECK(use <= before);
      CHECK(use <= busy * (1 + 1e-9));
      CHECK(busy <= 1);
      before = use;
    }
    // Rank 0 and its neighbours on node 0 send two blocks each to the three other nodes.
    const auto first = split(rows[11], ',');
    CHECK(first[8] == "crill_link_0_UP");
    CHECK(first[10] == "524288");
  }
}

TEST_CASE("the histogram sums to the message counts in every engine") {
  const TemporaryFolder folder;
  for (const char* engine : {"simgrid", "flow", "ideal"}) {
    const auto json = Json::parse(out_of(job("1KiB,64KiB", {"--engine", engine, "--format", "json",
                                                            "--histogram", folder.file("h.csv")})));
    const auto rows = data_lines(read_file(folder.file("h.csv")));
    REQUIRE(rows.size() == 5);
    CHECK(rows[0] ==
          "collective,alg_id,alg,procs,bytes,seg,fanout,root,size_bytes,path,protocol,msgs,"
          "sum_bytes");
    CHECK(rows[1] == "bcast,6,binomial,16,1024,0,0,0,1024,between_nodes,eager,12,12288");
    CHECK(rows[2] == "bcast,6,binomial,16,1024,0,0,0,1024,inside_node,eager,3,3072");
    CHECK(rows[3] == "bcast,6,binomial,16,65536,0,0,0,65536,between_nodes,rendezvous,12,786432");
    CHECK(json["points"][1]["messages"] == 15);
    CHECK(json["points"][1]["intra_node_messages"] == 3);
  }
}

TEST_CASE("the trace conforms to the trace event format") {
  const TemporaryFolder folder;
  out_of(job("64KiB", {"--trace", folder.file("t.json")}));
  const auto trace = Json::parse(read_file(folder.file("t.json")));
  CHECK(trace["otherData"]["ranks_shown"] == "0-15");
  CHECK(trace["otherData"]["cut"] == false);
  CHECK(trace["otherData"]["provenance"].size() >= 3);
  std::map<std::string, int> phases;
  std::map<int, double> track_end;                         // by rank
  std::map<std::string, std::set<std::int64_t>> open_ids;  // by category
  std::map<int, std::set<double>> begins;                  // begin of slices by rank
  for (const auto& event : trace["traceEvents"]) {
    const std::string phase = event["ph"];
    ++phases[phase];
    CHECK(event["name"].is_string());
    const int tid = event["tid"];
    CHECK(event["pid"] == tid / 4 + 1);
    if (phase == "M") continue;
    CHECK(event["ts"].is_number());
    CHECK(event["cat"].is_string());
    if (phase == "X") {
      CHECK(event["dur"] > 0);
      CHECK(event["ts"].get<double>() >= track_end[tid] - 1e-9);  // no overlap
      track_end[tid] = event["ts"].get<double>() + event["dur"].get<double>();
      begins[tid].insert(event["ts"].get<double>());
      continue;
    }
    auto& open = open_ids[event["cat"].get<std::string>()];
    const auto id = event["id"].get<std::int64_t>();
    if (phase == "b" || phase == "s") CHECK(open.insert(id).second);
    if (phase == "e" || phase == "f") CHECK(open.erase(id) == 1);
    if (phase == "f") CHECK(event["bp"] == "e");
    // An arrow needs a slice at both ends.
    if (phase == "s" || phase == "f") CHECK(begins[tid].contains(event["ts"].get<double>()));
    if (phase == "b") CHECK(event["args"]["bytes"] == 65536);
    if (phase == "b") CHECK(event["args"]["protocol"] == "rendezvous");
  }
  for (const auto& [category, open] : open_ids) CHECK(open.empty());
  for (const char* phase : {"b", "e", "s", "f"}) CHECK(phases[phase] == 15);
  CHECK(phases["M"] == 4 + 2 * 16);
  CHECK(track_end.size() == 16);
}

TEST_CASE("the trace contains the requested ranks, the first 64 by default, and reports it") {
  const TemporaryFolder folder;
  out_of(job("64KiB", {"--trace", folder.file("t.json"), "--trace-ranks", "1,8-9"}));
  auto trace = Json::parse(read_file(folder.file("t.json")));
  CHECK(trace["otherData"]["ranks_shown"] == "1,8-9");
  std::set<int> tracks;
  for (const auto& event : trace["traceEvents"]) tracks.insert(event["tid"].get<int>());
  CHECK(tracks == std::set<int>{1, 8, 9});
  const Ended many = run_sim({"run", "bcast", "--platform", "crill", "--procs", "100", "--engine",
                              "flow", "--message-size", "1", "--trace", folder.file("t.json")});
  CHECK(many.exit_code == 0);
  CHECK(many.err.find("the trace shows ranks 0-63 of 100; --trace-ranks selects others") !=
        std::string::npos);
  trace = Json::parse(read_file(folder.file("t.json")));
  CHECK(trace["otherData"]["ranks_shown"] == "0-63");
  CHECK(trace["otherData"]["procs"] == 100);
}

TEST_CASE("the critical path follows the report, in 80 columns") {
  const std::string plain = out_of(job("64KiB", {"--no-cost"}));
  const std::string text = out_of(job("64KiB", {"--no-cost", "--critical-path"}));
  CHECK(text.starts_with(plain));
  CHECK(text.find("# Critical path of rank 15, the last to finish: 4 messages\n") !=
        std::string::npos);
  CHECK(text.find("# Busiest links on the path:\n") != std::string::npos);
  CHECK(text.find("crill_link_0_UP\n") != std::string::npos);
  for (const auto& line : split(text, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("the segments of the critical path in JSON sum to the time of the point") {
  for (const char* engine : {"simgrid", "flow"})
    for (const char* size : {"1", "64KiB"}) {
      const auto json = Json::parse(
          out_of(job(size, {"--engine", engine, "--format", "json", "--critical-path"})));
      const auto& point = json["points"][0];
      const auto& path = point["critical_path"];
      CHECK(path["end_s"] == point["time_s"]);
      double spent_s = 0;
      for (const auto& [key, value] : path["spent"].items()) {
        CHECK(key.ends_with("_s"));
        spent_s += value.get<double>();
      }
      CHECK(spent_s == close_to(point["time_s"], 1e-12));
      double at_s = 0;
      for (const auto& step : path["steps"]) {
        CHECK(step["begin_s"] == at_s);
        at_s = step["end_s"];
      }
      CHECK(path["end_s"] == at_s);
      CHECK(path["steps_omitted"] == 0);
      CHECK(path["links"].size() > 0);
    }
  const auto lines = split(out_of(job("1", {"--format", "jsonl", "--critical-path"})), '\n');
  CHECK(Json::parse(lines.at(1))["critical_path"]["messages"] > 0);
}

TEST_CASE("unsupported requests for details are rejected with a reason") {
  const struct {
    Args more;
    const char* message;
  } cases[] = {
      {{"--engine", "ideal", "--links", "x"}, "--links: needs times, but engine ideal is untimed"},
      {{"--engine", "ideal", "--trace", "x"}, "--trace: needs times, but engine ideal is untimed"},
      {{"--engine", "ideal", "--critical-path"}, "--critical-path: needs times"},
      {{"--critical-path", "--format", "csv"}, "--critical-path: does not apply to this format"},
      {{"--critical-path", "--segment-size", "0", "--root", "0,1"},
       "--critical-path: applies to a single point, but there are 2"},
      {{"--trace", "x", "--root", "0,1"}, "--trace: applies to a single point, but there are 2"},
      {{"--trace-ranks", "0"}, "--trace-ranks: has no effect without --trace"},
      {{"--trace", "x", "--trace-ranks", "3-1"}, "--trace-ranks: invalid range '3-1'"},
      {{"--trace", "x", "--trace-ranks", "0-16"},
       "rank 16 is out of range: the job has 16 processes"},
      {{"--links", "x", "--trace", "./x"}, "is written twice"},
      {{"--links", "/no/such/folder/x"}, "/no/such/folder/x: cannot be written"},
      {{"--histogram", "-"}, "--histogram: cannot write to standard output"}};
  for (const auto& [more, message] : cases) {
    CAPTURE(message);
    const Ended ended = run_sim(job("64KiB", more));
    CAPTURE(ended.err);
    CHECK((ended.exit_code == 2 || ended.exit_code == 4));
    CHECK(ended.out.empty());
    CHECK(ended.err.find(message) != std::string::npos);
  }
}
