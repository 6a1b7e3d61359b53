// SPDX-License-Identifier: BSD-3-Clause
// sim validate measured and sim fit with outputs of benchmarks as users save them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Json = nlohmann::ordered_json;

namespace {

std::string corpus(const std::string& name) {
  return std::string(TUTTI_SOURCE_DIR) + "/tests/fuzz/corpus/saved_outputs/" + name;
}

// `words` are separated by blanks.
Ended sim(const std::string& words) {
  std::vector<std::string> arguments;
  for (auto& word : tests::split(words, ' '))
    if (!word.empty()) arguments.push_back(std::move(word));
  return run_sim(arguments);
}

bool has_words(const std::string& text, std::string part) {
  std::string words = text;  // messages are wrapped
  for (auto* each : {&words, &part}) {
    std::string joined;
    for (const char c : *each)
      if (c != '\n' && c != ' ') joined += c;
    *each = joined;
  }
  return words.find(part) != std::string::npos;
}

// The output of an OSU benchmark on a simulated machine, which prints neither processes nor
// algorithm, between other lines.
std::string simulated_osu(const std::string& collective, const std::string& title,
                          const std::string& options) {
  const auto run = sim(fmt::format(
      "run {} --platform crill --benchmark osu --message-size 64,4KiB,1MiB --format osu {}",
      collective, options));
  REQUIRE_MESSAGE(run.exit_code == 0, run.err);
  std::string rows = fmt::format(
      "srun: job 7 started\n# OSU MPI {} Latency Test v7.4\n"
      "# Size       Avg Latency(us)\n",
      title);
  for (const auto& line : tests::split(run.out, '\n'))
    if (!line.empty() && line[0] != '#') rows += line + '\n';
  return rows + "\nreal\t0m3.1s\n";
}

// The largest error of the points of a comparison, by collective.
std::map<std::string, double> largest_errors(const Ended& ended) {
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const Json report = Json::parse(ended.out);
  std::map<std::string, double> largest;
  for (const auto& point : report["points"]) {
    auto& error = largest[point["collective"].get<std::string>()];
    error = std::max(error, std::abs(point["relative_error"].get<double>()));
  }
  return largest;
}

}  // namespace

TEST_CASE("collectives of OSU are simulated as they were measured, with what the options add") {
  const TemporaryFolder folder;
  const std::string job = "--procs 16 --ppn 4 --map round-robin";
  const auto bcast =
      folder.write("bcast.txt", simulated_osu("bcast", "Broadcast", job + " --algorithm binomial"));
  const auto allreduce =
      folder.write("allreduce.txt", simulated_osu("allreduce", "Allreduce", job));
  const std::string compare = "validate measured --platform crill --format json ";
  const auto one = sim(compare + bcast + " " + job + " --algorithm binomial");
  CHECK(largest_errors(one)["bcast"] < 0.005);  // two decimals
  CHECK(has_words(one.err, "bcast.txt: skipped 2 lines outside of tables (the first is line 1)"));
  const auto both = largest_errors(sim(compare + bcast + " " + allreduce + " " + job));
  CHECK(both.size() == 2);
  CHECK(both.at("allreduce") < 0.005);
  const auto block = sim(compare + allreduce + " --procs 16 --ppn 4");
  CHECK(largest_errors(block)["allreduce"] > 0.02);
  const std::string check = "fit platform --platform crill --format json --check ";
  const auto checked = sim(check + allreduce + " " + job);
  CHECK(largest_errors(checked)["allreduce"] < 0.005);
  const auto first = checked.err.find("skipped 2");
  CHECK(first != std::string::npos);
  CHECK(checked.err.find("skipped 2", first + 1) == std::string::npos);
}

TEST_CASE("what a saved output lacks is named, with its line and the option that adds it") {
  const std::string compare = "validate measured --platform crill ";
  const auto without = sim(compare + corpus("full.txt"));
  CHECK(without.exit_code == 2);
  CHECK(has_words(without.err, "full.txt:5: error: missing number of processes"));
  CHECK(has_words(without.err, "add --procs N --ppn N"));
  const auto unknown = sim(compare + corpus("full.txt") + " --procs 16 --ppn 4 --algorithm rign");
  CHECK(unknown.exit_code == 2);
  CHECK(has_words(unknown.err, "unknown allreduce algorithm 'rign'"));
  CHECK(has_words(unknown.err, "did you mean 'ring'?"));
  const auto several = sim(compare + corpus("slurm.txt") + " " + corpus("full.txt") +
                           " --procs 16 --ppn 4 --algorithm auto:ompi-4.1 --format csv");
  CHECK_MESSAGE(several.exit_code == 0, several.err);
  CHECK(several.out.find("bcast") != std::string::npos);
  CHECK(several.out.find("allreduce") != std::string::npos);
  const auto zero = sim(compare + corpus("imb_collectives.txt") + " --ppn 2 --format csv");
  CHECK_MESSAGE(zero.exit_code == 0, zero.err);
  CHECK(has_words(zero.err, "3 of 16 rows are skipped: a call of 0 bytes sends nothing"));
}

TEST_CASE("streams of several pairs need the latency of one message") {
  const TemporaryFolder folder;
  const std::string fit = "fit platform -o " + folder.file("m.xml") + " ";
  const auto many = sim(fit + corpus("mbw_mr.txt"));
  CHECK(many.exit_code == 2);
  CHECK(has_words(many.err, "no times of single messages, only of several pairs at once"));
  CHECK(has_words(many.err, "add the output of osu_latency"));
  const auto both = sim(fit + corpus("tagged.txt") + " " + corpus("mbw_mr_one_pair.txt"));
  CHECK_MESSAGE(both.exit_code == 0, both.err);
  CHECK(has_words(both.err, "tagged.txt: skipped 1 line outside of tables"));
  CHECK(sim(fit + corpus("error_nan.txt")).err.find("error_nan.txt:6:28: ") != std::string::npos);
}
