// SPDX-License-Identifier: BSD-3-Clause
// sim store and sim export: output, files and errors.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Args = std::vector<std::string>;
using store::Status;
using store::Store;

namespace {

// A store with ten points of the study "s", two of them failed, and two points without a study.
std::string make_store(const TemporaryFolder& folder, const std::string& name = "study.db") {
  const std::string path = folder.file(name);
  Store store = opened(path);
  auto points = sample_points(12);
  std::vector<std::string> keys;
  for (auto& point : points) {
    for (NamedCell cell : {NamedCell{"platform", std::string("crill")},
                           {"wall_s", 0.25},
                           {"peak_rss_bytes", std::int64_t{12'345'678}},
                           {"model_version", std::string("1")}})
      point.values.push_back(cell);
    put(store, point);
    if (keys.size() < 10) keys.push_back(point.key);
  }
  keys.push_back(key_of(5000));  // to come
  set_members(store, "s", keys);
  return path;
}

void damage(const std::string& path) {
  std::string bytes = read_file(path);
  const auto at = bytes.find("chain");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'C';
  std::ofstream(path, std::ios::binary) << bytes;
}

void check_rejected(const Args& args, int exit_code, const std::vector<std::string>& parts) {
  std::string line = "sim";
  for (const auto& arg : args) line += " " + arg;
  CAPTURE(line);
  const Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == exit_code);
  CHECK(ended.out.empty());
  CHECK(mentions(ended.err, "error: "));
  for (const auto& part : parts) CHECK_MESSAGE(mentions(ended.err, part), part);
  for (const char* sign : {"terminate", "what()", "internal error"})
    CHECK_FALSE(mentions(ended.err, sign));
}

}  // namespace

TEST_CASE("check reports that a store is intact, and its size") {
  const TemporaryFolder folder;
  const std::string path = make_store(folder);
  CHECK(out_of({"store", "check", path}) == path + ": intact, 12 points of 1 study\n");
  CHECK(files_in(folder.path()) == Args{"study.db"});
}

TEST_CASE("check finds a damaged store among others, and suggests a fix") {
  const TemporaryFolder folder;
  const std::string good = make_store(folder, "good.db");
  const std::string bad = make_store(folder, "bad.db");
  damage(bad);
  const Ended ended = run_sim({"store", "check", bad, good});
  CHECK(ended.exit_code == 3);
  CHECK(ended.out == good + ": intact, 12 points of 1 study\n");
  CHECK(mentions(ended.err, bad + ": the store is damaged"));
  CHECK(mentions(ended.err, "--salvage"));
  const std::string saved = folder.file("saved.db");
  check_rejected({"store", "merge", "-o", saved, bad}, 3, {"damaged"});
  CHECK_FALSE(std::filesystem::exists(saved));
  const Ended salvaged = run_sim({"store", "merge", "-o", saved, "--salvage", bad});
  CHECK(salvaged.exit_code == 1);
  CHECK(mentions(salvaged.out, "11 points added"));
  CHECK(mentions(salvaged.err, "warning: 1 point could not be recovered"));
  CHECK(out_of({"store", "check", saved}) == saved + ": intact, 11 points of 1 study\n");
}

TEST_CASE("info prints studies, points, platforms and cost in 80 columns") {
  const TemporaryFolder folder;
  const std::string path = make_store(folder);
  const Ended ended =
      run({.args = {sim_path(), "store", "info", "study.db"}, .folder = folder.path()});
  CHECK(ended.exit_code == 0);
  for (const char* part :
       {"study.db: 12 points, ", "study  points  done  failed", "s          11     8       2",
        "    of a test\n", "    sim sweep s.toml\n", "2 points; `sim store gc` removes them",
        "crill         12", "3.00 s of compute time, at most 11.8 MiB per point"})
    CHECK_MESSAGE(mentions(ended.out, part), ended.out);
  for (const auto& line : split(ended.out, '\n')) CHECK(line.size() <= 80);
  const auto json = nlohmann::json::parse(out_of({"store", "info", path, "--format", "json"}));
  CHECK(json["schema"] == "sim.store/1");
  CHECK(json["points"] == 12);
  CHECK(json["studies"][0]["done"] == 8);
  CHECK(json["platforms"]["crill"] == 12);
}

TEST_CASE("gc removes points without a study, and --dry-run only counts them") {
  const TemporaryFolder folder;
  const std::string path = make_store(folder);
  const std::string before = read_file(path);
  CHECK(out_of({"store", "gc", path, "--dry-run"}) == path + ": 2 of 12 points to remove\n");
  CHECK(read_file(path) == before);
  CHECK(out_of({"store", "gc", path}).starts_with(path + ": 2 points removed; "));
  CHECK(out_of({"store", "check", path}) == path + ": intact, 10 points of 1 study\n");
}

TEST_CASE("merge combines stores, also into an existing one") {
  const TemporaryFolder folder;
  const std::string a = make_store(folder, "a.db");
  const std::string all = folder.file("all.db");
  CHECK(out_of({"store", "merge", "-o", all, a}) == all + ": 12 points added, 0 already stored\n");
  CHECK(out_of({"store", "merge", a, "--output", all}) ==
        all + ": 0 points added, 12 already stored\n");
  CHECK(out_of({"export", all}) == out_of({"export", a}));
}

TEST_CASE("export writes the format of the extension or of --format") {
  const TemporaryFolder folder;
  const std::string path = make_store(folder);
  const std::string csv = out_of({"export", path});
  const auto lines = split(csv, '\n');
  REQUIRE(lines.size() == 11);
  CHECK(lines[0].starts_with("key,status,platform,platform_hash,collective,algorithm,"));
  CHECK(mentions(lines[0], "wall_s"));
  CHECK_FALSE(mentions(out_of({"export", path, "--no-cost"}), "wall_s"));
  for (const char* name : {"o.csv", "o.json", "o.jsonl"}) {
    const std::string format = std::string(name).substr(2);
    const std::string file = folder.file(name);
    CHECK(out_of({"export", path, "-o", file}).empty());
    CHECK(read_file(file) == out_of({"export", path, "--format", format}));
    CHECK(read_file(file) == out_of({"export", path, "--format", format, "-o", "-"}));
  }
  CHECK(nlohmann::json::parse(read_file(folder.file("o.json")))["points"].size() == 10);
  CHECK(read_file(folder.file("o.csv")) == csv);
}

TEST_CASE("invalid arguments and files are rejected with their place and a hint") {
  const TemporaryFolder folder;
  const std::string path = make_store(folder);
  const std::string text = folder.write("text.db", "key,status\n");
  const std::string empty = folder.write("empty.db", "");
  const std::string missing = folder.file("missing.db");
  const struct {
    Args args;
    int exit_code;
    std::vector<std::string> parts;
  } cases[] = {
      {{"store"}, 2, {"store requires a subcommand", "check, info, merge, gc"}},
      {{"schemas"}, 2, {"sim schemas requires one folder"}},
      {{"store", "chek"}, 2, {"'chek'", "did you mean 'check'?"}},
      {{"store", "check"}, 2, {"expected one or more stores"}},
      {{"store", "check", missing}, 2, {missing, "No such file"}},
      {{"store", "check", text}, 3, {text, "is not a Tutti store"}},
      {{"store", "check", empty}, 3, {empty, "is empty"}},
      {{"store", "check", folder.path()}, 2, {"is a folder"}},
      {{"store", "check", "/dev/null"}, 2, {"is not a regular file"}},
      {{"store", "info"}, 2, {"expected one store"}},
      {{"store", "info", path, path}, 2, {"expected one store"}},
      {{"store", "info", ""}, 2, {"expected one store"}},
      {{"store", "info", path, "--format", "xml"}, 2, {"--format", "text, csv, json"}},
      {{"store", "info", missing}, 2, {missing}},
      {{"store", "gc", missing}, 2, {missing}},
      {{"store", "gc", path, "--dryrun"}, 2, {"did you mean '--dry-run'?"}},
      {{"store", "merge", path}, 2, {"--output: is required"}},
      {{"store", "merge", "-o", folder.file("x.db")}, 2, {"expected one or more stores to merge"}},
      {{"store", "merge", "-o", path, path}, 2, {"-o", "is an input, too"}},
      {{"store", "merge", "-o", folder.file("x.db"), missing}, 2, {missing}},
      {{"store", "merge", "-o", folder.file("x.db"), path, text}, 3, {text}},
      {{"store", "merge", "-o", folder.file("no/x.db"), path}, 4, {"no/x.db"}},
      {{"store", "merge", "-o", text, path}, 3, {text, "is not a Tutti store"}},
      {{"export"}, 2, {"expected one store"}},
      {{"export", path, "-o", "x.pdf"}, 2, {"-o", "'x.pdf'", ".csv .txt .json .jsonl .md"}},
      {{"export", path, "-o", "x.osu"}, 2, {"-o", "'x.osu'"}},
      {{"export", path, "--format", "jsn"}, 2, {"--format", "did you mean 'json'?"}},
      {{"export", path, "-o", path, "--format", "csv"}, 2, {"is an input, too"}},
      {{"export", missing}, 2, {missing}},
      {{"export", text}, 3, {text}},
      {{"export", path, "-o", folder.file("no/x.csv")}, 4, {"cannot be written"}},
  };
  for (const auto& each : cases) check_rejected(each.args, each.exit_code, each.parts);
  CHECK(files_in(folder.path()) == Args{"empty.db", "study.db", "text.db"});
  CHECK(out_of({"store", "check", path}) == path + ": intact, 12 points of 1 study\n");
}

TEST_CASE("help texts are at most 80 columns wide") {
  for (const Args& args :
       {Args{"store", "--help"}, Args{"store", "check", "--help"}, Args{"store", "info", "--help"},
        Args{"store", "merge", "--help"}, Args{"store", "gc", "--help"}, Args{"export", "--help"},
        Args{"help", "store"}, Args{"help", "export"}})
    for (const auto& line : split(out_of(args), '\n')) {
      CAPTURE(line);
      CHECK(line.size() <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
}
