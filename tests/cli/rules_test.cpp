// SPDX-License-Identifier: BSD-3-Clause
// sim rules: reports, exit codes, conversions that run.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

std::string written(const TemporaryFolder& folder, const char* name, const char* text) {
  const std::string path = folder.file(name);
  std::ofstream(path) << text;
  return path;
}

}  // namespace

TEST_CASE("lint reports findings with line and remedy, and exits with 1 on errors") {
  const TemporaryFolder folder;
  const auto broken = written(folder, "b.rules", "1\n7 1\n2 2\n0 0 0 0\n64 99 0 0\n");
  const Ended run = run_sim({"rules", "lint", broken});
  CHECK(run.exit_code == 1);
  CHECK(run.err.find("check failed:") != std::string::npos);
  CHECK(run.out.find("bcast of Open MPI 4.1 has no algorithm number 99") != std::string::npos);
  CHECK(run.out.find("Fix: use 0 to 9") != std::string::npos);
  for (std::size_t at = 0; at < run.out.size();) {
    const auto end = run.out.find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
  const auto json =
      nlohmann::json::parse(run_sim({"rules", "lint", broken, "--format", "json"}).out);
  CHECK(json["schema"] == "sim.rules.lint/1");
  CHECK(run_sim({"rules", "lint", broken, "--format", "csv", "--part", "findings"})
            .out.starts_with("line,column,severity,message,fix\n5,4,error,"));

  const auto good = written(folder, "g.rules", "1\n7 1\n2 2\n0 0 0 0\n64 6 0 0\n");
  const Ended clean = run_sim({"rules", "lint", good});
  CHECK(clean.exit_code == 0);
  CHECK(clean.out.find("No findings") != std::string::npos);
  CHECK(run_sim({"rules", "lint", good, "--library", "ompi-3.1"}).exit_code == 0);
}

TEST_CASE("lint rejects files and options that it cannot use") {
  const TemporaryFolder folder;
  const auto words = written(folder, "words", "hello\n");
  CHECK(run_sim({"rules", "lint", words}).err.find("not a rules file of a known format") !=
        std::string::npos);
  CHECK(run_sim({"rules", "lint", words, "--file-format", "han"}).exit_code == 1);
  const auto good = written(folder, "g.rules", "1\n7 1\n2 1\n0 0 0 0\n");
  const Ended wrong = run_sim({"rules", "lint", good, "--library", "mpich-4"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("MPICH 4 does not read the format ompi-classic") != std::string::npos);
  CHECK(run_sim({"rules", "lint"}).exit_code == 2);
  CHECK(run_sim({"rules", "lint", folder.file("none")}).exit_code == 2);
}

TEST_CASE("converted rules run as the original ones") {
  const TemporaryFolder folder;
  const auto classic =
      written(folder, "c.rules", "1\n7 2\n2 1 0 0 0 0\n8 2\n0 6 0 0\n4096 3 0 1024\n");
  const auto json = folder.file("c.json");
  const Ended made = run_sim({"rules", "convert", classic, "--to", "ompi-json", "-o", json});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(made.out.find("2 rules written, 0 omitted") != std::string::npos);
  const auto times = [](const std::string& file) {
    const Ended run = run_sim({"run", "bcast", "--platform", "crill", "--procs", "16", "--ppn", "4",
                               "--message-size", "1KiB,64KiB", "--algorithm", "auto:rules=" + file,
                               "--format", "csv", "--no-cost", "--provenance", "none"});
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    std::string text = run.out;
    for (auto at = text.find(file); at != text.npos; at = text.find(file))
      text.replace(at, file.size(), "FILE");
    return text;
  };
  const std::string original = times(classic);
  CHECK(original.find("pipeline") != std::string::npos);
  // The line of the rule is a column.
  const auto without_lines = [](std::string text) {
    for (const char* line :
         {",FILE,4,", ",FILE,5,", ",FILE,9,", ",FILE,8,", ",FILE,7,", ",FILE,6,"})
      for (auto at = text.find(line); at != text.npos; at = text.find(line))
        text.replace(at, std::string(line).size(), ",FILE,");
    return text;
  };
  CHECK(without_lines(times(json)) == without_lines(original));
}

TEST_CASE("omissions of a conversion are warnings or a report") {
  const TemporaryFolder folder;
  const auto file = written(folder, "j.json",
                            "{\"collectives\": {\"alltoall\": [{\"rules\": [{\"alg\": "
                            "\"linear_sync\", \"reqs\": 8}]}]}}");
  const Ended printed = run_sim({"rules", "convert", file, "--to", "ompi-classic"});
  CHECK(printed.exit_code == 0);
  CHECK(printed.out.find("0 4 0 0") != std::string::npos);
  CHECK(printed.err.find("limit of 8 requests of alltoall is omitted") != std::string::npos);
  const Ended reported = run_sim({"rules", "convert", file, "--to", "ompi-classic", "-o",
                                  folder.file("out.rules"), "--format", "json"});
  CHECK(nlohmann::json::parse(reported.out)["schema"] == "sim.rules.convert/1");
  CHECK(run_sim({"rules", "convert", file}).err.find("--to: is required") != std::string::npos);
  const auto tree = written(folder, "m.json", "{\"collective=bcast\": {}}");
  CHECK(run_sim({"rules", "convert", tree, "--to", "han"}).exit_code == 2);
}
