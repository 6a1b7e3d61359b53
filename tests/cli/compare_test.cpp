// SPDX-License-Identifier: BSD-3-Clause
// sim compare: compares two runs point by point.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

void simulate(const std::string& algorithm, const std::string& file) {
  out_of({"run", "bcast", "--platform", "crill", "--procs", "16", "--ppn", "4", "--message-size",
          "1KiB,1MiB", "--algorithm", algorithm, "-q", "-o", file});
}

Ended compare(Args args) {
  args.insert(args.begin(), "compare");
  return run_sim(args);
}

}  // namespace

TEST_CASE("two algorithms are compared, from any pair of formats") {
  const TemporaryFolder folder;
  simulate("chain", folder.file("chain.csv"));
  simulate("binomial", folder.file("binomial.json"));
  const Ended ended = compare({folder.file("chain.csv"), folder.file("binomial.json")});
  CAPTURE(ended.out);
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  CHECK(data_lines(ended.out).size() == 2);
  CHECK(mentions(ended.out, "faster than"));
  CHECK(mentions(ended.out, "(geometric mean of 2 points)"));
  for (const auto& line : split(ended.out, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("a run equals itself, in text and in data formats") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.jsonl");
  simulate("chain", file);
  CHECK(mentions(compare({file, file, "--fail-above", "0%"}).out, "B is as fast as A"));
  const auto json = nlohmann::json::parse(out_of({"compare", file, file, "--format", "json"}));
  CHECK(json["schema"] == "sim.compare/1");
  REQUIRE(json["points"].size() == 2);
  CHECK(json["points"][0]["ratio"] == 1.0);
  CHECK(json["points"][0]["message_bytes"] == 1024);
  const auto csv = data_lines(out_of({"compare", file, file, "--format", "csv"}));
  CHECK(csv.size() == 3);
  CHECK(csv[0].ends_with(",time_s_a,time_s_b,ratio"));
}

TEST_CASE("differences between two runs are printed") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& file, const Args& more) {
    Args args{"run",  "bcast", "--platform", "crill",          "--procs", "16", "--message-size",
              "8KiB", "-q",    "-o",         folder.file(file)};
    args.insert(args.end(), more.begin(), more.end());
    out_of(args);
  };
  run("a.csv", {"--set", "mpi/eager_limit=12KiB"});
  run("b.json", {"--set", "mpi/eager_limit=48KiB"});
  run("c.csv", {});
  run("d.csv", {"--set", "mpi/eager_limit=48KiB", "--algorithm", "chain"});
  const auto head = [&](const char* a, const char* b) {
    std::string text;
    for (const auto& line : split(compare({folder.file(a), folder.file(b)}).out, '\n'))
      if (line.starts_with("# A vs B: ")) text = line.substr(10);
    return text;
  };
  CHECK(head("a.csv", "b.json") == "mpi/eager_limit 12 KiB vs 48 KiB");
  CHECK(head("a.csv", "c.csv") == "mpi/eager_limit 12 KiB vs the platform's");
  CHECK(head("c.csv", "b.json") == "mpi/eager_limit the platform's vs 48 KiB");
  CHECK(head("a.csv", "d.csv") == "mpi/eager_limit 12 KiB vs 48 KiB; algorithm auto vs chain");
  CHECK(head("a.csv", "a.csv") == "");
  std::string sidecar = read_file(folder.file("c.csv.json"));
  const auto at = sidecar.find("\"version\": \"") + 12;
  folder.write("c.csv.json", sidecar.replace(at, sidecar.find('"', at) - at, "0.0.9"));
  CHECK(mentions(head("b.json", "c.csv"), "; Tutti "));
}

TEST_CASE("rows are selected and sorted, and the summary covers all points") {
  const TemporaryFolder folder;
  const auto a = folder.write("a.csv", "procs,time_s\n4,1\n8,1\n16,1\n32,1\n");
  const auto b = folder.write("b.csv", "procs,time_s\n4,1.001\n8,1.2\n16,0.5\n32,1.3\n");
  const auto procs = [&](const Args& more) {
    Args args{a, b, "--format", "csv"};
    args.insert(args.end(), more.begin(), more.end());
    std::string rows;
    const auto lines = data_lines(compare(args).out);
    for (std::size_t i = 1; i < lines.size(); ++i) rows += split(lines[i], ',')[0] + " ";
    return rows;
  };
  CHECK(procs({}) == "4 8 16 32 ");
  CHECK(procs({"--only-changed"}) == "8 16 32 ");
  CHECK(procs({"--only-changed", "--tolerance", "25%"}) == "16 32 ");
  CHECK(procs({"--sort", "ratio"}) == "32 8 4 16 ");
  CHECK(procs({"--sort", "procs", "--where", "procs > 4"}) == "8 16 32 ");
  const std::string text = compare({a, b, "--only-changed"}).out;
  CHECK(data_lines(text).size() == 3);
  CHECK(mentions(text, "(geometric mean of 4 points)"));
  CHECK(mentions(text, "3 of 4 points changed by more than 0.5 %"));
  CHECK(mentions(compare({a, a, "--only-changed"}).out, "0 of 4 points changed"));
  CHECK(compare({a, b, "--only-changed", "--fail-above", "25%"}).exit_code == 1);
  const auto rejected = [&](const Args& more, const char* message) {
    Args args{a, b};
    args.insert(args.end(), more.begin(), more.end());
    const Ended ended = compare(args);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, message), ended.err);
  };
  rejected({"--sort", "proc"}, "did you mean 'procs'?");
  rejected({"--where", "proc > 4"}, "unknown column 'proc' in");
  rejected({"--provenance", "foo"}, "--provenance");
  rejected({"--where", "procs > 64"}, "matches no point of ");
  rejected({"--tolerance", "5%"}, "has no effect without --only-changed");
}

TEST_CASE("a comparison is written in every format, and to a file") {
  const TemporaryFolder folder;
  const auto a = folder.write("a.csv", "procs,time_s\n4,1\n8,1\n");
  const auto b = folder.write("b.csv", "procs,time_s\n4,2\n8,4\n");
  const auto lines = split(compare({a, b, "--format", "jsonl"}).out, '\n');
  REQUIRE(lines.size() == 3);
  CHECK(nlohmann::json::parse(lines[0])["schema"] == "sim.compare/1");
  CHECK(nlohmann::json::parse(lines[2])["ratio"] == 4);
  CHECK(mentions(compare({a, b, "--format", "md"}).out, "| 8 | 1.00 s | 4.00 s | 4.000 |"));
  CHECK(compare({a, b, "-o", folder.file("r.csv")}).out.empty());
  CHECK(read_file(folder.file("r.csv")) == "procs,time_s_a,time_s_b,ratio\n4,1,2,2\n8,1,4,4\n");
  CHECK(mentions(read_file(folder.file("r.csv.json")), "sim compare "));
}

TEST_CASE("--fail-above fails if a point is slower") {
  const TemporaryFolder folder;
  const auto a = folder.write("a.csv", "procs,time_s\n4,1e-3\n8,1e-3\n");
  const auto b = folder.write("b.csv", "procs,time_s\n4,1.06e-3\n8,0.5e-3\n");
  CHECK(compare({a, b}).exit_code == 0);
  CHECK(compare({a, b, "--fail-above", "10%"}).exit_code == 0);
  CHECK(compare({a, b, "--fail-above", "0.1"}).exit_code == 0);
  const Ended slower = compare({a, b, "--fail-above", "5%"});
  CHECK(slower.exit_code == 1);
  CHECK(mentions(slower.err,
                 "1 of 2 points are more than 5 % above A; the worst is 1.06 times A at 4"));
  CHECK(data_lines(slower.out).size() == 2);
  const auto lost = folder.write("c.csv", "procs,time_s\n4,1e-3\n8,\n");
  const Ended failed = compare({a, lost, "--fail-above", "5%"});
  CHECK(failed.exit_code == 1);
  CHECK(mentions(failed.err, "1 points of A have no value in B"));
}

TEST_CASE("files that cannot be compared are rejected") {
  const TemporaryFolder folder;
  const auto a = folder.write("a.csv", "procs,time_s\n4,1e-3\n8,1e-3\n");
  const auto b = folder.write("b.csv", "procs,time_s\n5,1e-3\n9,1e-3\n");
  const auto rejected = [&](const Args& args, const std::string& message) {
    const Ended ended = compare(args);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(mentions(ended.err, message), ended.err);
    CHECK(ended.out.empty());
  };
  rejected({a}, "expected two files");
  rejected({a, a, a}, "expected two files");
  rejected({a, folder.file("none.csv")}, "cannot open the file");
  rejected({a, b}, "procs is 4, 8 in A, 5, 9 in B");
  rejected({a, a, "--fail-above", "5"}, "write 5%");
  rejected({a, a, "--fail-above", "x%"}, "invalid percentage 'x%'");
  rejected({a, a, "--y", "tine_s"}, "did you mean 'time_s'?");
  rejected({a, a, "--key", "proc"}, "did you mean 'procs'?");
  rejected({a, folder.write("broken.csv", "procs,time_s\n4\n")},
           "broken.csv:2:1: error: expected 2 fields, found 1");
}

TEST_CASE("points without a ratio are reported in every format, and fail if they grow") {
  const TemporaryFolder folder;
  const auto a = folder.write("a.csv", "procs,time_s\n4,0\n8,1\n16,\n");
  const auto b = folder.write("b.csv", "procs,time_s\n4,1\n8,1\n16,\n32,1\n");
  for (const char* format : {"csv", "json"}) {
    const Ended ended = compare({a, b, "--format", format});
    CHECK(ended.exit_code == 0);
    for (const char* part : {"1 point of B without a match in A: 32 processes",
                             "1 point without a value in A and in B",
                             "1 point without a ratio: A is 0 s, B is 1.00 s at 4 processes"})
      CHECK_MESSAGE(mentions(ended.err, part), ended.err);
    CHECK_FALSE(mentions(ended.out, "inf"));
  }
  const Ended slower = compare({a, b, "--fail-above", "5%"});
  CHECK(slower.exit_code == 1);
  CHECK(mentions(slower.err, "1 points without a ratio are above A"));
  for (const char* limit : {"nan", "nan%", "-5%", "-0", "inf%", "1e999%", "", "%"}) {
    CAPTURE(limit);
    CHECK(compare({a, b, std::string("--fail-above=") + limit}).exit_code == 2);
  }
}
