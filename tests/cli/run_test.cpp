// SPDX-License-Identifier: BSD-3-Clause
// sim run of a collective, and its outputs.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

const Args small{"run",   "bcast", "--platform",     "crill",   "--procs",   "16",
                 "--ppn", "4",     "--message-size", "1,64KiB", "--no-cost", "--quiet"};

Args with(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

std::int64_t number(const std::string& cell) { return std::stoll(cell); }

}  // namespace

TEST_CASE("the default run prints a table of sizes from 1 B to 1 MiB") {
  const Ended ended = run_sim({"run", "bcast", "--platform", "crill.xml", "--procs", "576"});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  // On a slow machine, stderr may contain progress lines.
  for (const auto& line : split(ended.err, '\n'))
    CHECK(line.find(" so far: ") != std::string::npos);
  CHECK(ended.out.starts_with("# MPI_Bcast on crill: 576 processes on 12 nodes, 48 per node\n"));
  for (const auto& line : split(ended.out, '\n')) CHECK(line.size() <= 80);
  const auto rows = data_lines(ended.out);
  REQUIRE(rows.size() == 21);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i]);
    long size = 0;
    double max_us = 0, mean_us = 0, min_us = 0;
    char algorithm[64] = "";
    REQUIRE(std::sscanf(rows[i].c_str(), "%ld %lf %lf %lf %63s", &size, &max_us, &mean_us, &min_us,
                        algorithm) == 5);
    CHECK(size == 1L << i);
    CHECK(max_us >= mean_us);
    CHECK(mean_us >= min_us);
    CHECK(min_us > 0);
  }
}

TEST_CASE("all algorithms are in one table, and the fastest is marked") {
  const std::string text = out_of(with(small, {"--algorithm", "all"}));
  const auto rows = data_lines(text);
  CHECK(rows.size() == 20);
  std::size_t marked = 0;
  for (const auto& row : rows) marked += row.find(" *") != std::string::npos;
  CHECK(marked >= 2);
}

TEST_CASE("JSON contains the points with all documented columns") {
  const auto json =
      Json::parse(out_of(with(small, {"--algorithm", "binomial", "--segment-size", "8KiB",
                                      "--format", "json", "--set", "mpi/eager_limit=12KiB"})));
  CHECK(json["schema"] == "sim.result/1");
  CHECK(json["platform"]["name"] == "crill");
  CHECK(json["platform"]["hosts"] == 16);
  CHECK(json["platform"]["overrides"]["mpi/eager_limit"] == "12KiB");
  REQUIRE(json["points"].size() == 2);
  const auto& point = json["points"][1];
  for (const char* key :
       {"collective", "algorithm", "requested_algorithm", "engine", "model_hockney_set"})
    CHECK_MESSAGE(point[key].is_string(), key);
  for (const char* key :
       {"time_s", "time_mean_s", "time_min_s", "model_hockney_s", "model_loggp_s"})
    CHECK_MESSAGE(point[key].get<double>() > 0, key);
  CHECK(point["procs"] == 16);
  CHECK(point["nodes"] == 4);
  CHECK(point["ppn"] == 4);
  CHECK(point["segment_bytes"] == 8192);
  CHECK(point["messages"] == 15 * 8);
  CHECK(point["wire_bytes"] == 15 * 65536);
  CHECK(point["eager_messages"].get<int>() + point["detached_messages"].get<int>() +
            point["rendezvous_messages"].get<int>() ==
        15 * 8);
  CHECK(!point.contains("wall_s"));
}

TEST_CASE("--confidence reports the basis of intervals, and how sure the order of algorithms is") {
  const Args run{"run",       "bcast",       "--procs",        "16",           "--message-size",
                 "1KiB,1MiB", "--algorithm", "binomial,chain", "--confidence", "--no-cost",
                 "-q"};
  const auto text = out_of(with(run, {"-p", "jupiter", "--ppn", "1"}));
  CAPTURE(text);
  CHECK(text.find(" Slower ") != std::string::npos);
  CHECK(text.find("# jupiter: times of this collective were not measured") != std::string::npos);
  for (const auto& line : split(text, '\n')) CHECK(line.size() <= 80);
  for (const char* ppn : {"1", "4"}) {
    CAPTURE(ppn);
    const auto json =
        Json::parse(out_of(with(run, {"-p", "lumi,jupiter", "--ppn", ppn, "--format", "json"})));
    std::map<std::pair<std::string, std::int64_t>, std::vector<double>> chances;
    for (const auto& point : json["points"]) {
      const std::string platform = point["platform"];
      // LUMI's broadcasts were not measured, but other collectives.
      CHECK(point["confidence_basis"] == (platform == "lumi" ? "extrapolated" : "assumed"));
      auto& of_call = chances[{platform, point["message_bytes"].get<std::int64_t>()}];
      if (!point["slower_chance"].is_null())
        of_call.push_back(point["slower_chance"].get<double>());
    }
    CHECK(chances.size() == 4);
    for (const auto& [call, of_call] : chances) {
      REQUIRE(of_call.size() == 1);  // the fastest one is not compared with itself
      CHECK(of_call[0] >= 0.5);
      CHECK(of_call[0] <= 0.98);
    }
  }
  const auto alone =
      Json::parse(out_of({"run", "bcast", "-p", "lumi", "--procs", "16", "--ppn", "1",
                          "--message-size", "1KiB", "--confidence", "-q", "--format", "json"}));
  CHECK(alone["points"][0]["slower_chance"].is_null());
}

TEST_CASE("the cost of the simulation is reported unless --no-cost is given") {
  Args args = small;
  std::erase(args, "--no-cost");
  const auto json = Json::parse(out_of(with(args, {"--format", "json"})));
  CHECK(json["points"][0]["wall_s"].get<double>() > 0);
  CHECK(json["points"][0]["peak_rss_bytes"].get<double>() > 1e6);
}

TEST_CASE("all formats contain the same points") {
  const TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.csv", "a.json", "a.jsonl", "a.osu", "a.md"}) {
    CAPTURE(name);
    CHECK(out_of(with(small, {"-o", folder.file(name)})).empty());
    CHECK(read_file(folder.file(name)).find("65536") != std::string::npos);
  }
  const auto json = Json::parse(read_file(folder.file("a.json")));
  const auto csv = data_lines(read_file(folder.file("a.csv")));
  const auto jsonl = split(read_file(folder.file("a.jsonl")), '\n');
  REQUIRE(csv.size() == 3);
  REQUIRE(jsonl.size() == 3);
  CHECK(Json::parse(jsonl[2]) == json["points"][1]);
  const auto names = split(csv[0], ',');
  const auto cells = split(csv[2], ',');
  REQUIRE(names.size() == cells.size());
  CHECK(names[0] == "platform");
  CHECK(names[1] == "platform_hash");
  CHECK(names.size() == 2 + json["points"][1].size());
  for (std::size_t i = 2; i < names.size(); ++i) {
    const Json& value = json["points"][1][names[i]];
    CAPTURE(names[i]);
    if (value.is_string()) CHECK(cells[i] == value.get<std::string>());
    if (value.is_number()) CHECK(std::stod(cells[i]) == value.get<double>());
  }
  CHECK(data_lines(read_file(folder.file("a.osu"))).size() == 2);
}

TEST_CASE("the table shows which row belongs to which request") {
  const std::string text = out_of(with(small, {"--algorithm", "auto,auto:ompi-3.1,binomial"}));
  const auto rows = data_lines(text);
  REQUIRE(rows.size() == 6);
  for (const std::size_t group : {0, 3}) {
    CHECK(rows[group].find("  auto: ") != std::string::npos);
    CHECK(rows[group + 1].find("  auto:ompi-3.1: ") != std::string::npos);
    CHECK(rows[group + 2].find("  binomial") != std::string::npos);
    std::size_t marked = 0;
    for (const std::size_t row : {group, group + 1, group + 2})
      marked += rows[row].find(" *") != std::string::npos;
    CHECK(marked >= 1);
  }
}

TEST_CASE("catalog names and files are distinguished") {
  const TemporaryFolder folder;
  const auto platforms = Json::parse(out_of({"list", "platforms", "--format", "json"}));
  std::string path;
  for (const auto& each : platforms["platforms"])
    if (each["name"] == "crill") path = each["file"];
  const std::string mine = folder.write("crill.xml", read_file(path));
  const struct {
    std::string name;
    bool catalog;
  } cases[] = {{"crill", true}, {"crill.xml", true}, {mine, false}};
  for (const auto& [name, catalog] : cases) {
    CAPTURE(name);
    Args args = small;
    args[3] = name;
    const auto platform = Json::parse(out_of(with(args, {"--format", "json"})))["platform"];
    CHECK(platform["name"] == "crill");
    CHECK(platform["file"] == name);
    CHECK(platform["catalog"] == catalog);
    CHECK(out_of(args).find(catalog ? "# platform crill (catalog), hash " : " (" + mine) !=
          std::string::npos);
  }
}

TEST_CASE("-v prints all parameters of a point") {
  Args args = small;
  std::erase(args, "--quiet");
  const Ended ended =
      run_sim(with(args, {"-v", "--algorithm", "auto,chain", "--root", "3", "--engine", "ideal"}));
  CHECK(ended.exit_code == 0);
  const auto lines = split(ended.err, '\n');
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("sim: bcast auto: "));
  for (const auto& line : lines)
    CHECK_MESSAGE(line.find(", 16 processes, 4 per node, root 3: messages checked, untimed") !=
                      std::string::npos,
                  line);
  CHECK(lines[3].starts_with("sim: bcast chain, 64 KiB, fan-out 4, 16 processes, "));
  // Also without --ppn.
  const Ended timed = run_sim(
      {"run", "bcast", "--platform", "crill", "--procs", "96", "--message-size", "1", "-v"});
  CHECK(timed.err.find(", 96 processes, 48 per node, root 0: ") != std::string::npos);
}

TEST_CASE("no format has times with engine ideal") {
  const Args ideal = with(small, {"--engine", "ideal", "--algorithm", "binomial", "--format"});
  const std::string text = out_of(with(ideal, {"text"}));
  CHECK(text.find("# engine ideal (untimed)") != std::string::npos);
  for (const auto& row : data_lines(text)) {
    std::istringstream words(row);
    std::string size, max, mean, min;
    words >> size >> max >> mean >> min;
    CHECK(max + mean + min == "---");
  }
  CHECK(out_of(with(ideal, {"md"})).find("| 65536 | - | - | - | 15 |") != std::string::npos);
  const auto csv = data_lines(out_of(with(ideal, {"csv"})));
  REQUIRE(csv.size() == 3);
  const auto names = split(csv[0], ',');
  const auto cells = split(csv[1], ',');
  REQUIRE(names.size() == cells.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].starts_with("time_")) CHECK_MESSAGE(cells[i].empty(), names[i]);
  const auto jsonl = split(out_of(with(ideal, {"jsonl"})), '\n');
  for (const char* key : {"time_s", "time_mean_s", "time_min_s"})
    CHECK(Json::parse(jsonl.at(1)).at(key).is_null());
  CHECK(run_sim(with(ideal, {"osu"})).exit_code == 2);
  const TemporaryFolder folder;
  Args one = small;
  one[9] = "1";
  out_of(with(one, {"--engine", "ideal", "--ranks", folder.file("r.csv")}));
  CHECK(data_lines(read_file(folder.file("r.csv"))).back().ends_with(",,"));
}

TEST_CASE("engine ideal counts messages and leaves times empty") {
  const auto json = Json::parse(out_of(with(small, {"--engine", "ideal", "--format", "json"})));
  for (const auto& point : json["points"]) {
    CHECK(point["time_s"].is_null());
    CHECK(point["time_min_s"].is_null());
    CHECK(point["messages"].get<int>() >= 15);
  }
}

TEST_CASE("the traffic sums to the message counts") {
  const TemporaryFolder folder;
  const auto json = Json::parse(out_of(with(small, {"--algorithm", "binomial,chain", "--format",
                                                    "json", "--traffic", folder.file("t.csv")})));
  const auto rows = data_lines(read_file(folder.file("t.csv")));
  REQUIRE(rows.size() > 1);
  CHECK(rows[0] == "collective,alg_id,alg,procs,bytes,seg,fanout,root,src,dst,msgs,sum_bytes");
  std::map<std::pair<std::string, std::int64_t>, std::pair<std::int64_t, std::int64_t>> sums;
  std::pair<std::int64_t, std::int64_t> before{-1, -1};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto cells = split(rows[i], ',');
    REQUIRE(cells.size() == 12);
    CHECK(cells[0] == "bcast");
    CHECK(cells[1] == (cells[2] == "binomial" ? "6" : "2"));
    const std::pair pair{number(cells[8]), number(cells[9])};
    const bool new_point = split(rows[i - 1], ',')[4] != cells[4];
    if (!new_point && split(rows[i - 1], ',')[2] == cells[2]) CHECK(before < pair);
    before = pair;
    auto& [messages, bytes] = sums[{cells[2], number(cells[4])}];
    messages += number(cells[10]);
    bytes += number(cells[11]);
  }
  REQUIRE(json["points"].size() == 4);
  for (const auto& point : json["points"]) {
    const auto& [messages, bytes] = sums.at({point["algorithm"], point["message_bytes"]});
    CHECK(messages == point["messages"]);
    CHECK(bytes == point["wire_bytes"]);
  }
}

TEST_CASE("--ranks writes each rank's node and times") {
  const TemporaryFolder folder;
  Args args = small;
  args[9] = "64KiB";
  const auto json = Json::parse(out_of(
      with(args, {"--format", "json", "--map", "round-robin", "--ranks", folder.file("r.csv")})));
  const auto rows = data_lines(read_file(folder.file("r.csv")));
  REQUIRE(rows.size() == 17);
  CHECK(rows[0] == "rank,node,begin_s,end_s");
  double last = 0;
  for (int rank = 0; rank < 16; ++rank) {
    const auto cells = split(rows[rank + 1], ',');
    REQUIRE(cells.size() == 4);
    CHECK(cells[0] == std::to_string(rank));
    CHECK(cells[1] == "crill-" + std::to_string(rank % 4));
    CHECK(cells[2] == "0");
    last = std::max(last, std::stod(cells[3]));
  }
  CHECK(json["points"][0]["time_s"] == last);
}

TEST_CASE("a segment size without effect causes a warning, which -q suppresses") {
  const Args args{"run",         "bcast",        "--platform",     "crill", "--procs",        "4",
                  "--algorithm", "basic_linear", "--segment-size", "1K",    "--message-size", "4K"};
  const Ended loud = run_sim(args);
  CHECK(loud.exit_code == 0);
  CHECK(loud.err.find("warning: --segment-size has no effect on basic_linear") !=
        std::string::npos);
  CHECK(run_sim(with(args, {"-q"})).err.empty());
}

TEST_CASE("the output is the same on standard output and in a file") {
  const TemporaryFolder folder;
  const std::string printed = out_of(with(small, {"--format", "csv"}));
  out_of(with(small, {"-o", folder.file("a.csv")}));
  CHECK(read_file(folder.file("a.csv")) == printed);
}

TEST_CASE("a job with too many bytes is rejected with their number") {
  const struct {
    const char* collective;
    const char* size;
  } cases[] = {{"allreduce", "1PiB"},
               {"scan", "1PiB"},
               {"exscan", "1PiB"},
               {"reduce_scatter_block", "1TiB"}};
  for (const auto& [collective, size] : cases) {
    CAPTURE(collective);
    const Ended ended =
        run_sim({"run", collective, "--platform", "juqueen", "--procs", "1024", "--algorithm",
                 "recursive_doubling", "--message-size", size, "--engine", "flow", "-q"});
    CHECK(ended.exit_code == 1);
    CHECK_MESSAGE(
        ended.err.find("the total size of the job's messages exceeds 2^63 - 1 B (9.22e18 B)") !=
            std::string::npos,
        ended.err);
  }
}
