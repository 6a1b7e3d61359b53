// SPDX-License-Identifier: BSD-3-Clause
// sim fit models --times: models fitted to measured collectives.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "sim/base/text.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

// `words` are separated by blanks.
Ended sim_of(const std::string& words) {
  std::vector<std::string> arguments;
  for (auto& word : split(words, ' '))
    if (!word.empty()) arguments.emplace_back(word);
  return run_sim(arguments);
}

// A column of the report's parameters, sorted.
std::vector<double> column_of(const std::string& file, std::string_view name) {
  const auto table = reports::read_result_file(file).value().table;
  const auto at =
      static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
  REQUIRE(at < table.columns.size());
  std::vector<double> values;
  for (const auto& row : table.rows) values.push_back(number_of(row[at]).value_or(-1));
  std::ranges::sort(values);
  return values;
}

}  // namespace

TEST_CASE("measured times give the same models as equal simulated times") {
  const TemporaryFolder folder;
  const auto times = folder.file("t.csv"), models = folder.file("m.toml");
  const auto simulated = folder.file("a.csv"), measured = folder.file("b.csv");
  const std::string calls =
      " --platform crill --algorithm binomial,pipeline --ppn 1 --procs 8,16 --segment-size "
      "0,4KiB,16KiB --message-size 32KiB:512KiB -q ";
  REQUIRE(sim_of("run bcast --engine flow" + calls + "-o " + times).exit_code == 0);
  REQUIRE(sim_of("fit models --collective bcast" + calls + "-o " + folder.file("x.toml") +
                 " --report " + simulated)
              .exit_code == 0);
  const auto fit = sim_of("fit models --platform crill --times " + times + " -o " + models +
                          " --report " + measured);
  REQUIRE_MESSAGE(fit.exit_code == 0, fit.err);
  CHECK(fit.err.find("gamma is simulated") != std::string::npos);
  CHECK(fit.out.find("fitted to measured times") != std::string::npos);
  for (const char* column : {"time_s", "predicted_s"}) {
    const auto of_simulated = column_of(simulated, column), found = column_of(measured, column);
    REQUIRE(found.size() == of_simulated.size());
    CHECK(found.size() == 60);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == close_to(of_simulated[i], 1e-6));
  }
  const auto used = sim_of(
      "select models --platform crill --procs 12 --message-size 48KiB -q "
      "--segment-size 4KiB --models " +
      models);
  CHECK_MESSAGE(used.exit_code == 0, used.err);
}

TEST_CASE("repetitions of ReproMPI are averaged, and its parameters identify the call") {
  const TemporaryFolder folder;
  const auto file_of = [&](const std::string& name, const std::string& parameters, double slope) {
    const auto path = folder.file(name);
    std::ofstream file(path);
    file << "#MPI calls:\n#@datatype_extent_bytes=1\n#@nprocs=4\n"
         << parameters << "test nrep count runtime_sec\n";
    for (int size = 8192; size <= 1 << 20; size *= 2)
      for (int i = 0; i < 5; ++i)
        file << fmt::format("MPI_Bcast {} {} {:.10f}\n", i, size,
                            (20e-6 + slope * size) * (1 + 0.01 * (i - 2)));
    return path;
  };
  const auto named = file_of("a.txt", "#@algorithm=binomial\n#@segment_bytes=0\n", 3e-9);
  const auto other = file_of("b.txt", "", 1e-9);
  const auto report = folder.file("r.csv");
  const auto fit = sim_of("fit models --platform crill --times " + named + "," + other + " -o " +
                          folder.file("m.toml") + " --report " + report);
  REQUIRE_MESSAGE(fit.exit_code == 0, fit.err);
  CHECK(fit.err.find("skipped: 40 rows without a named algorithm") != std::string::npos);
  const auto repetitions = column_of(report, "repetitions");
  CHECK(repetitions == std::vector<double>(8, 5));
  const auto times = column_of(report, "time_s"), predicted = column_of(report, "predicted_s");
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i] == close_to(20e-6 + 3e-9 * static_cast<double>(8192 << i), 1e-4));
    CHECK(predicted[i] == close_to(times[i], 1e-3));
  }
}

TEST_CASE("invalid measured times are rejected") {
  const TemporaryFolder folder;
  const auto file = folder.file("t.csv");
  std::ofstream(file) << "collective,algorithm,procs,ppn,message_bytes,time_s\n"
                         "bcast,binomial,4,1,1024,1e-5\nbcast,binomial,4,2,1024,1e-5\n";
  const auto fails = [](const std::string& words, const std::string& message) {
    const auto ended = sim_of(words);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.err.find(message) != std::string::npos);
  };
  const std::string fit = "fit models --platform crill --times " + file;
  fails(fit, "rows with 1 and with 2 processes per node");
  fails(fit + " --nodes 0-3", "has no effect with --times");
  fails(fit + " --only ppn=1 --algorithm chain", "no times of named algorithms");
  fails("fit models --platform crill --collective bcast --only ppn=1", "without --times");
  fails("fit models --platform crill --times " + folder.file("none.csv"), "cannot open");
}
