// SPDX-License-Identifier: BSD-3-Clause
// The same point gives the same bytes in any environment: memory addresses and previous memory
// contents, folder, locale, time zone, environment variables, number of concurrent points and their
// order. Excluded are values that differ by nature: wall time, memory and timestamps (omitted by
// --no-cost, and by comparing the export instead of the store), and the identifier of an OTF2
// archive.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

// Commands that run in order; "@" represents the folder in which they may also write files.
struct Work {
  const char* name;
  std::vector<const char*> commands;
  bool takes_jobs = false;  // accepts -j
};

const std::vector<Work>& works() {
  static const std::vector<Work> all{
      {"noise",
       {"run allreduce --platform crill --procs 48 --ppn 4 --engine simgrid --repetitions 5 "
        "--skew exponential:20us:7 --noise multiplicative:0.1:5 --message-size 1KiB:64KiB:*8 "
        "--format csv --no-cost"}},
      {"all algorithms",
       {"run bcast --platform jupiter --procs 64 --ppn 4 --engine flow --algorithm all "
        "--message-size 1KiB,256KiB --format json --no-cost --traffic @/traffic.csv "
        "--links @/links.csv --histogram @/histogram.csv"}},
      {"inside",
       {"run alltoallv --platform crill --procs 24 --ppn 4 --counts random:11 --message-size 4KiB "
        "--format jsonl --no-cost --critical-path --trace @/trace.json --ranks @/ranks.csv"}},
      {"formats",
       {"run bcast --platform crill --procs 8 --no-cost",
        "run bcast --platform crill --procs 8 --no-cost --format md",
        "run bcast --platform crill --procs 8 --no-cost --format osu"}},
      {"write",
       {"run write --platform crill --procs 32 --ppn 8 --decomposition 2d --bytes-per-proc 1MiB "
        "--implementation generic,vulcan --aggregators 4 --buffer-size 4MiB "
        "--storage targets=4,bandwidth=500MBps --format csv --no-cost"}},
      {"messages",
       {"run pingpong --platform crill --no-cost -o @/times.csv",
        "run loggp --platform crill --format json --no-cost",
        "fit platform @/times.csv --like crill --nodes 4 -o @/mine.xml --report @/fit.json -q"}},
      {"study",
       {"sweep @/study.toml --store @/s.db -q", "export @/s.db --no-cost -o @/points.csv",
        "export @/s.db --no-cost --format jsonl", "report @/points.csv -o @/page.html",
        "plot @/points.csv -o @/picture.vg"},
       true},
      {"tune", {"tune @/tune.toml --format json -q --settings @/settings.toml"}, true},
      {"guidelines",
       {"guidelines check --platform jupiter --procs 8 --ppn 1 --collective gather --message-size "
        "1KiB,4KiB --noise multiplicative:5%:1 --format json -q"},
       true},
      {"models",
       {"fit models --platform grisou --collective bcast --algorithm binomial,chain --procs 8 "
        "--message-size 8KiB:64KiB --segment-size 2KiB,8KiB -o @/m.toml --report @/m.json -q",
        "select --models @/m.toml --platform grisou --procs 16 --format csv -q",
        "select models --models @/m.toml --platform grisou --procs 16 -q",
        "validate models --platform crill --procs 16 --collective allgather --message-size 1KiB "
        "--format json -q"},
       true},
      {"fireworks", {"fireworks --platform tachyon1 --format json -q"}, true},
      {"machine",
       {"platform draw crill -o @/crill.svg", "platform show juqueen --format json",
        "platform check crill -q"}},
      {"replay",
       {"replay @/trace/traces.otf2 --hypothesis @/h.toml --model loggp --loggp @/loggp.toml "
        "--write-trace "
        "@/new --ti @/ti --format json -q",
        "replay suggest @/trace/traces.otf2 --format csv -q"}},
      {"replay on a machine",
       {"replay @/trace/traces.otf2 --model platform --platform gros --ppn 2 --format csv -q"}},
  };
  return all;
}

constexpr const char* study = R"(
[base]
workload = "bcast"
platform = "crill"
ppn = 4
noise = "multiplicative:5%:3"
repetitions = 3
[matrix]
algorithm = ["chain", "binomial", "auto"]
procs = [8, 24]
message_size = ["1KiB", "64KiB"]
)";

constexpr const char* tuning = R"(
[base]
platform = "crill"
engine = "flow"
procs = 24
ppn = 4
[[objective]]
workload = "bcast"
message_size = "64KiB"
[[parameter]]
name = "algorithm"
values = ["binomial", "binary_tree", "chain"]
[[parameter]]
name = "segment_size"
values = [0, "4KiB", "16KiB"]
[search]
method = ["brute-force", "halving", "model"]
)";

void write_inputs(const TemporaryFolder& folder) {
  folder.write("study.toml", study);
  folder.write("tune.toml", tuning);
  folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  folder.write("loggp.toml", loggp_rule);
  write_trace(folder.file("trace"), {.program = SyntheticProgram::lbp2p});
}

const std::vector<std::string>& inputs() {
  static const std::vector<std::string> names{"h.toml", "loggp.toml", "study.toml", "trace",
                                              "tune.toml"};
  return names;
}

// The environment of a run.
struct Around {
  const char* name;
  Args wrapper = {};  // commands in front of sim
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string folder = {};
  int jobs = 1;
};

Args words_of(std::string text, const std::string& folder) {
  for (std::size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, folder);
  return split(text, ' ');
}

// Standard output and files by name.
using Reported = std::map<std::string, std::string>;

// Every file that is not an input.
Reported files_left(const TemporaryFolder& folder) {
  Reported files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const auto inside = fs::relative(entry.path(), folder.path());
    const bool is_input =
        std::find(inputs().begin(), inputs().end(), inside.begin()->string()) != inputs().end();
    if (!is_input && entry.is_regular_file() && inside.extension() != ".db")
      files[inside.string()] = read_file(entry.path().string());
  }
  return files;
}

void remove_what_is_left(const TemporaryFolder& folder) {
  for (const std::string& name : files_in(folder.path()))
    if (std::find(inputs().begin(), inputs().end(), name) == inputs().end())
      fs::remove_all(folder.file(name));
}

// Output of all commands of `work`.
Reported reported(const Work& work, const Around& around, const TemporaryFolder& folder) {
  remove_what_is_left(folder);
  std::string text;
  for (const char* command : work.commands) {
    Args args = around.wrapper;
    args.push_back(sim_path());
    const Args words = words_of(command, folder.path());
    args.insert(args.end(), words.begin(), words.end());
    const bool runs_points = words[0] != "export" && words[0] != "report" && words[0] != "plot";
    if (work.takes_jobs && runs_points) {
      args.emplace_back("-j");
      args.push_back(std::to_string(around.jobs));
    }
    const Ended ended = run({.args = args, .env = around.env, .folder = around.folder});
    CAPTURE(std::string(command));
    CAPTURE(ended.err);
    // 1: a guideline is violated.
    CHECK((ended.exit_code == 0 || (ended.exit_code == 1 && words[0] == "guidelines")));
    text += ended.out;
  }
  Reported all = files_left(folder);
  all["standard output"] = text;
  return all;
}

// The position where two texts differ.
std::string difference(const std::string& one, const std::string& other) {
  const auto at = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto begin = static_cast<std::size_t>(at.first - one.begin());
  const auto from = begin < 60 ? 0 : begin - 60;
  return one.substr(from, 120) + "\n--- but ---\n" +
         other.substr(std::min(from, other.size()), 120);
}

bool same_bytes(const std::string& name, const std::string& one, const std::string& other) {
  if (name != "new/traces.otf2") return one == other;
  // The OTF2 library draws the identifier.
  constexpr std::size_t identifier_bytes = sizeof(std::uint64_t);
  std::size_t different = 0;
  for (std::size_t at = 0; at < std::min(one.size(), other.size()); ++at)
    different += one[at] != other[at] ? 1 : 0;
  return one.size() == other.size() && different <= identifier_bytes;
}

void check_same_bytes(const Around& around) {
  const TemporaryFolder folder(folder_in_memory());
  write_inputs(folder);
  for (const Work& work : works()) {
    CAPTURE(std::string(work.name));
    const Reported plain = reported(work, {"plain"}, folder);
    const Reported here = reported(work, around, folder);
    CHECK(plain.size() == here.size());
    for (const auto& [name, text] : plain) {
      const auto other = here.find(name);
      REQUIRE_MESSAGE(other != here.end(), name);
      const bool is_same = same_bytes(name, text, other->second);
      CHECK_MESSAGE(is_same, name, ":\n", difference(text, other->second));
    }
  }
}

// A locale with a decimal comma, created in `folder`; empty if it cannot be created.
std::string german_locale(const TemporaryFolder& folder) {
  const Ended made = run(
      {.args = {"/usr/bin/localedef", "-i", "de_DE", "-f", "UTF-8", folder.file("de_DE.UTF-8")}});
  if (made.exit_code != 0) {
    MESSAGE("skipped: cannot create a locale (Debian's package locales): " << made.err);
    return "";
  }
  const Ended comma = run({.args = {"/usr/bin/locale", "decimal_point"},
                           .env = {{"LOCPATH", folder.path()}, {"LC_ALL", "de_DE.UTF-8"}}});
  REQUIRE(comma.out == ",\n");
  return folder.path();
}

std::vector<std::string> sorted_rows(const std::string& csv) {
  auto rows = data_lines(csv);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

TEST_CASE("a second run gives the same bytes") { check_same_bytes({"again"}); }

TEST_CASE("without address randomization the bytes are the same") {
  check_same_bytes({.name = "ASLR off", .wrapper = {"/usr/bin/setarch", "-R"}});
}

TEST_CASE("previous contents of memory do not change the bytes") {
  check_same_bytes({.name = "filled memory", .env = {{"MALLOC_PERTURB_", "165"}}});
}

TEST_CASE("several concurrent points give the same bytes") {
  check_same_bytes({.name = "-j 3", .jobs = 3});
}

TEST_CASE("another folder, time zone and environment give the same bytes") {
  const TemporaryFolder elsewhere;
  check_same_bytes({.name = "elsewhere",
                    .env = {{"TZ", "Asia/Kathmandu"},
                            {"HOME", "/no/such/home"},
                            {"COLUMNS", "40"},
                            {"PADDING", std::string(100000, 'x')}},
                    .folder = elsewhere.path()});
}

TEST_CASE("a locale with a decimal comma gives the same bytes") {
  const TemporaryFolder folder;
  const std::string locales = german_locale(folder);
  if (locales.empty()) return;
  check_same_bytes(
      {.name = "de_DE",
       .env = {{"LOCPATH", locales}, {"LC_ALL", "de_DE.UTF-8"}, {"LANG", "de_DE.UTF-8"}}});
}

TEST_CASE("the order of a study's values does not change its points") {
  const TemporaryFolder folder;
  const auto exported = [&](const std::string& name, const std::string& text) {
    const auto file = folder.write(name + ".toml", text);
    out_of({"sweep", file, "-q", "--store", folder.file(name + ".db")});
    return out_of({"export", folder.file(name + ".db"), "--no-cost"});
  };
  const std::string shuffled = R"(
[matrix]
message_size = ["64KiB", "1KiB"]
procs = [24, 8]
algorithm = ["auto", "chain", "binomial"]
[base]
repetitions = 3
noise = "multiplicative:5%:3"
ppn = 4
platform = "crill"
workload = "bcast"
)";
  const std::string in_order = exported("a", study);
  CHECK(data_lines(in_order).size() == 13);
  CHECK(sorted_rows(in_order) == sorted_rows(exported("b", shuffled)));
}

TEST_CASE("a point is the same alone and among others") {
  const auto rows = [](const std::string& sizes, const std::string& algorithms,
                       const std::string& engine) {
    return data_lines(
        out_of({"run",      "bcast",         "--platform", "crill",    "--procs",
                "24",       "--ppn",         "4",          "--noise",  "additive:1us:9",
                "--skew",   "uniform:5us:2", "--engine",   engine,     "--message-size",
                sizes,      "--algorithm",   algorithms,   "--format", "csv",
                "--no-cost"}));
  };
  for (const char* engine : {"simgrid", "flow"}) {
    CAPTURE(engine);
    const auto among = rows("64KiB,1KiB,4KiB", "chain,binomial,knomial", engine);
    const auto alone = rows("4KiB", "binomial", engine);
    REQUIRE(alone.size() == 2);
    CHECK(among.size() == 10);
    CHECK(std::find(among.begin(), among.end(), alone[1]) != among.end());
  }
}
