// SPDX-License-Identifier: BSD-3-Clause
// A CSV consists of a header and rows; its provenance is in a sidecar file.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/reports/tables/result_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

Args bcast(const Args& more) {
  Args args{"run",      "bcast",   "--platform",
            "crill",    "--procs", "16",
            "-q",       "--set",   "mpi/eager_limit=48KiB",
            "--no-cost"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// Checks that every CSV reader accepts `text`: a header of names, and no comments.
void check_strict(const std::string& text) {
  const auto lines = split(text, '\n');
  REQUIRE(lines.size() >= 2);
  const auto names = split(lines[0], ',');
  CHECK(names.size() >= 2);
  for (const auto& name : names)
    CHECK_MESSAGE(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/-"
                                         "0123456789") == std::string::npos,
                  name);
  for (const auto& line : lines) CHECK_FALSE(line.starts_with('#'));
}

}  // namespace

TEST_CASE("the first line of every CSV is its header") {
  const TemporaryFolder folder;
  const std::string store = folder.file("s.db");
  const auto study = folder.write(
      "s.toml",
      "[study]\nname = \"s\"\n[base]\nworkload = \"bcast\"\nplatform = \"crill\"\nprocs = 4\n");
  out_of({"sweep", study, "--store", store, "-q"});
  const std::vector<Args> commands = {
      bcast({}),
      {"run", "write", "--platform", "crill", "--procs", "4", "--bytes-per-proc", "1MiB", "-q"},
      {"run", "pingpong", "--platform", "crill", "--message-size", "1KiB"},
      {"run", "loggp", "--platform", "crill", "--message-size", "1KiB"},
      {"export", store},
      {"compare", store, store},
      {"guidelines", "check", "--platform", "crill", "--procs", "4", "--collective", "bcast",
       "--message-size", "1KiB", "-q"},
      {"list", "platforms"},
      {"store", "info", store}};
  for (Args args : commands) {
    args.insert(args.end(), {"--format", "csv"});
    CAPTURE(args[0]);
    CAPTURE(args[1]);
    check_strict(run_sim(args).out);
  }
}

TEST_CASE("additional tables of a report begin with their headers and have provenance files") {
  const TemporaryFolder folder;
  Args args = bcast({"--message-size", "1KiB"});
  for (const char* option : {"traffic", "links", "histogram", "ranks"})
    args.insert(args.end(), {fmt::format("--{}", option), folder.file(option)});
  out_of(args);
  for (const char* option : {"traffic", "links", "histogram", "ranks"}) {
    CAPTURE(option);
    check_strict(read_file(folder.file(option)));
    const auto sidecar = Json::parse(read_file(folder.file(option) + ".json"));
    CHECK(sidecar["platform"]["name"] == "crill");
  }
}

TEST_CASE("a CSV file has a provenance file next to it") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  out_of(bcast({"-o", csv}));
  CHECK(files_in(folder.path()) == Args{"a.csv", "a.csv.json"});
  const auto sidecar = Json::parse(read_file(csv + ".json"));
  CHECK(sidecar["schema"] == "sim.provenance/1");
  CHECK(mentions(sidecar["tutti"]["command"], "sim run bcast --platform crill"));
  CHECK(sidecar["platform"]["overrides"]["mpi/eager_limit"] == "48KiB");
  CHECK(sidecar["csv"]["bytes"] == read_file(csv).size());
  CHECK(split(read_file(csv), '\n')[1].starts_with(
      "crill," + sidecar["platform"]["hash"].get<std::string>() + ",49152,bcast,"));
}

TEST_CASE("--provenance chooses where the provenance is written") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  out_of(bcast({"-o", csv, "--provenance", "none"}));
  CHECK(files_in(folder.path()) == Args{"a.csv"});
  const std::string rows = read_file(csv);
  out_of(bcast({"-o", csv, "--provenance", "comments"}));
  CHECK(files_in(folder.path()) == Args{"a.csv"});
  const std::string text = read_file(csv);
  CHECK(text.starts_with("# Tutti "));
  CHECK(mentions(text, "\n# platform crill (catalog), hash "));
  CHECK(text.ends_with(rows));
  CHECK(out_of(bcast({"--format", "csv", "--provenance", "comments"})) == text);
  CHECK(out_of(bcast({"--format", "csv"})) == rows);
  CHECK(run_sim(bcast({"--provenance", "sidecars"})).exit_code == 2);
}

TEST_CASE("provenance is read from comments or a sidecar, unless the sidecar is outdated") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  out_of(bcast({"-o", csv}));
  const auto with_sidecar = reports::read_result_file(csv).value();
  out_of(bcast({"-o", folder.file("b.csv"), "--provenance", "comments"}));
  const auto with_comments = reports::read_result_file(folder.file("b.csv")).value();
  REQUIRE(with_sidecar.provenance.size() == 3);
  CHECK(with_sidecar.provenance[0] == with_comments.provenance.at(0));
  CHECK(with_sidecar.provenance[1] == with_comments.provenance.at(1));
  CHECK(with_sidecar.table.columns == with_comments.table.columns);
  CHECK(with_sidecar.table.rows == with_comments.table.rows);
  folder.write("a.csv", "procs,time_s\n4,1\n");
  const auto changed = reports::read_result_file(csv).value();
  CHECK(changed.provenance ==
        Args{csv + ".json ignored: it describes another version of the file"});
}

TEST_CASE("a sidecar replaces only a sidecar") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  folder.write("a.csv.json", "{\"mine\": 1}");
  const Ended ended = run_sim(bcast({"-o", csv}));
  CHECK(ended.exit_code == 4);
  CHECK(mentions(ended.err, "a.csv.json: exists and was not written by sim"));
  CHECK(read_file(csv + ".json") == "{\"mine\": 1}");
  CHECK(run_sim(bcast({"-o", csv, "--trace", csv + ".json"})).exit_code == 2);
  std::filesystem::remove(csv + ".json");
  out_of(bcast({"-o", csv}));
  out_of(bcast({"-o", csv}));
  out_of(bcast({"--format", "csv", "-o", "/dev/null"}));
  CHECK_FALSE(std::filesystem::exists("/dev/null.json"));
}

TEST_CASE("Python's CSV reader accepts a CSV") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  out_of(bcast({"--message-size", "1KiB,64KiB", "-o", csv}));
  const std::string program =
      "import csv, sys\nrows = list(csv.DictReader(open(sys.argv[1])))\n"
      "print(len(rows), rows[1]['platform'], rows[1]['mpi/eager_limit'], "
      "rows[1]['message_bytes'], None in rows[0])\n";
  const Ended ended = run({.args = {"/usr/bin/env", "python3", "-c", program, csv}});
  if (ended.exit_code == 127) {
    MESSAGE("skipped: python3 is not installed");
    return;
  }
  CHECK_MESSAGE(ended.out == "2 crill 49152 65536 False\n", ended.err);
}

TEST_CASE("a damaged sidecar is ignored with a warning, and one of another program without") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("a.csv");
  out_of(bcast({"--message-size", "1KiB,64KiB", "-o", csv}));
  const std::string good = read_file(csv + ".json");
  const auto warning = [&](const std::string& sidecar) {
    folder.write("a.csv.json", sidecar);
    const Ended ended = run_sim({"compare", csv, csv});
    CHECK(ended.exit_code == 0);
    return ended.err;
  };
  CHECK(warning(good).empty());
  CHECK(warning("{\"points\": []}").empty());
  CHECK(warning("{\"schema\": \"sim.result/1\"}").empty());
  for (const auto& damaged :
       {std::string(), good.substr(0, 40), good.substr(0, good.size() / 2), good.substr(1),
        std::string("{\"schema\": \"sim.provenance/1\"}"), std::string(5, '\0')})
    CHECK(mentions(warning(damaged), "a.csv.json is damaged and ignored"));
  std::string flipped = good;
  flipped[flipped.find("hash\": \"", flipped.find("\"csv\"")) + 9] ^= 1;
  CHECK(mentions(warning(flipped), "a.csv.json ignored: it describes another version"));
  const Ended page = run_sim({"report", csv, "-o", folder.file("a.html")});
  CHECK(mentions(page.err, "a.csv.json ignored"));
}

TEST_CASE("results are read from a pipe under any name of it") {
  const TemporaryFolder folder;
  for (const char* format : {"csv", "json", "jsonl"}) {
    const std::string file = folder.file("x");
    out_of(bcast({"--message-size", "1KiB,64KiB", "--format", format, "-o", file}));
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}) {
      CAPTURE(name);
      const std::string page = folder.file("x.html");
      const Ended piped =
          run({.args = {"/bin/sh", "-c", "cat \"$1\" | \"$0\" report \"$2\" -o \"$3\"", sim_path(),
                        file, name, page}});
      CHECK_MESSAGE(piped.exit_code == 0, piped.err);
      CHECK(mentions(read_file(page), "bcast"));
      const Ended redirected =
          run({.args = {"/bin/sh", "-c", "\"$0\" report \"$2\" -o \"$3\" < \"$1\"", sim_path(),
                        file, name, page}});
      CHECK_MESSAGE(redirected.exit_code == 0, redirected.err);
    }
  }
}

TEST_CASE("--spreadsheet marks text that a spreadsheet would compute") {
  const TemporaryFolder folder;
  folder.write("s.toml",
               "[study]\nname = \"=1+1\"\n[base]\nworkload = \"bcast\"\nplatform = \"crill\"\n"
               "procs = 4\nmessage_size = 8\nalgorithm = \"binomial\"\n");
  const auto in_folder = [&](Args args) {
    args.insert(args.begin(), sim_path());
    const Ended ended = run({.args = args, .folder = folder.path()});
    CHECK_MESSAGE(ended.exit_code == 0, ended.err);
    return ended.out;
  };
  in_folder({"sweep", "s.toml", "-q"});
  const Args plain{"export", "s.db", "--no-cost"};
  const Args marked{"export", "s.db", "--no-cost", "--spreadsheet"};
  CHECK(in_folder(plain) == in_folder(marked));  // nothing to mark
  const std::string xml = read_file(std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml");
  folder.write("=cmd,|x.xml", xml);
  folder.write("+a.xml", xml);
  for (const std::string name : {"=cmd,|x.xml", "+a.xml"}) {
    const Args run_args{"run", "bcast",    "-p",  name, "-n", "4", "--message-size",
                        "8",   "--format", "csv", "-q"};
    Args safe = run_args;
    safe.emplace_back("--spreadsheet");
    const std::string stem = name.substr(0, name.size() - 4);
    CHECK(!mentions(in_folder(run_args), "'" + stem));
    CHECK(mentions(in_folder(safe), "'" + stem));
  }
}
