// SPDX-License-Identifier: BSD-3-Clause
// Completions come from the tables that parse the command line.
#include "sim/commands/completion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/commands/job_request.hpp"
#include "tests/support/all_options.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using commands::complete_words;
using tests::for_each_option;

namespace {

std::vector<std::string> words_of(const commands::Candidates& found) {
  std::vector<std::string> words;
  for (const auto& each : found.words) words.push_back(each.word);
  return words;
}

std::vector<std::string> offered(const commands::Arguments& words) {
  return words_of(complete_words(words));
}

bool offers(const commands::Arguments& words, const std::string& what) {
  const auto all = offered(words);
  return std::ranges::find(all, what) != all.end();
}

}  // namespace

TEST_CASE("commands, subcommands and workloads are completed") {
  CHECK(offered({"pl"}) == std::vector<std::string>{"platform", "plot", "place"});
  CHECK(offered({"--v"}) == std::vector<std::string>{"--version"});
  CHECK(offered({"platform", "dr"}) == std::vector<std::string>{"draw"});
  CHECK(offered({"run", "reduce_scatter_"}) == std::vector<std::string>{"reduce_scatter_block"});
  CHECK(offers({"run", ""}, "write"));
  CHECK(offers({"help", "u"}, "units"));
  CHECK(offered({"completion", ""}) == std::vector<std::string>{"bash", "zsh"});
  CHECK(offered({"nonsense", ""}).empty());
  CHECK(offered({}).size() > 15);
  CHECK_FALSE(offers({""}, "complete"));
}

TEST_CASE("files of jobs are completed after run") {
  const tests::TemporaryFolder folder;
  const auto jobs = folder.write("jobs.toml", "");
  folder.write("jobs.csv", "");
  CHECK(offered({"run", folder.file("jo")}) == std::vector<std::string>{jobs});
  CHECK(complete_words({"run", folder.file("jo")}).folders);
  CHECK_FALSE(complete_words({"run", ""}).folders);
  CHECK(offers({"run", jobs, "--"}, "--background"));
  CHECK(offers({"run", "bcast", "--background", "j"}, "jobs:"));
  CHECK(complete_words({"run", "bcast", "--background", "jobs:" + folder.file("jo")}).files);
}

TEST_CASE("each command offers all of its options, each once") {
  for_each_option([](const commands::Arguments& path, const options::OptionSpec& spec) {
    commands::Arguments words = path;
    words.emplace_back("-");
    CAPTURE(path.back());
    for (const auto& name : spec.all_names()) {
      CAPTURE(name);
      CHECK(offers(words, name));
    }
    for (const auto& each : complete_words(words).words)
      CHECK_MESSAGE(each.about.find('\n') == std::string::npos, each.word);
    if (spec.repeats || !spec.value.empty()) return;
    words.insert(words.end() - 1, std::string(spec.name()));
    CHECK_FALSE(offers(words, std::string(spec.name())));
  });
}

TEST_CASE("an option with a fixed set of values offers them") {
  const std::set<std::string_view> of_few{"WHEN", "WHICH", "WHOSE", "FORMAT",
                                          "KIND", "AXES",  "WHAT",  "VERSION"};
  static const auto few = of_few;
  for_each_option([](const commands::Arguments& path, const options::OptionSpec& spec) {
    // The listed item determines the tables of a listing.
    static const std::set<std::string> listings{"list", "platform", "store"};
    const bool has_parts = spec.name() == "--part" && !listings.contains(path.front());
    if (!few.contains(spec.value) && !has_parts) return;
    CAPTURE(path.front());
    CAPTURE(path.back());
    CAPTURE(spec.names);
    CHECK(commands::complete_value(spec, path).words.size() >= (has_parts ? 1 : 2));
  });
}

TEST_CASE("values are those of the current command") {
  CHECK(offered({"run", "bcast", "--algorithm", "binom"}) ==
        std::vector<std::string>{"binomial", "binomial_mpich"});
  CHECK(offers({"run", "allgather", "--algorithm", ""}, "bruck"));
  CHECK_FALSE(offers({"run", "bcast", "--algorithm", ""}, "bruck"));
  CHECK(offers({"validate", "models", "--collective", "allgather", "--algorithm", "b"}, "bruck"));
  CHECK(offered({"run", "bcast", "--engine", ""}) ==
        std::vector<std::string>{"auto", "flow", "simgrid", "ideal"});
  CHECK(offered({"fireworks", "measure", "--engine", ""}) ==
        std::vector<std::string>{"flow", "simgrid"});
  CHECK(offers({"run", "write", "--implementation", "ro"}, "romio"));
  CHECK(offers({"run", "bcast", "--set", "mpi/eager_l"}, "mpi/eager_limit="));
  CHECK(offers({"params", "put", "--value", "mpi/eager_l"}, "mpi/eager_limit="));
}

TEST_CASE("arguments are completed according to the command") {
  CHECK(offers({"platform", "show", "cri"}, "crill"));
  CHECK(complete_words({"platform", "show", ""}).files);
  CHECK(offers({"platform", "new", "to"}, "torus"));
  CHECK_FALSE(complete_words({"list", ""}).files);
  CHECK(offers({"list", ""}, "study-schema"));
  CHECK(offered({"list", "mockups", "m"}).empty());
}

TEST_CASE("lists and values after = are completed at their end") {
  CHECK(offered({"run", "bcast", "--algorithm", "chain,binom"}) ==
        std::vector<std::string>{"chain,binomial", "chain,binomial_mpich"});
  CHECK(offered({"run", "bcast", "--algorithm=binom"}) ==
        std::vector<std::string>{"--algorithm=binomial", "--algorithm=binomial_mpich"});
  CHECK(offered({"run", "bcast", "--nonsense=x"}).empty());
}

TEST_CASE("file names are completed where a file is expected") {
  CHECK(complete_words({"run", "bcast", "-o", ""}).files);
  CHECK(complete_words({"run", "bcast", "--platform", ""}).files);
  CHECK(complete_words({"run", "bcast", "--map", "file:"}).files);
  CHECK(complete_words({"compare", "a.csv", ""}).files);
  CHECK(complete_words({"store", "info", ""}).files);
  CHECK(complete_words({"params", "exec", "--host", "h", "--", ""}).files);
  CHECK(complete_words({"guidelines", "tune", "-o", ""}).folders);
  CHECK_FALSE(complete_words({"run", "bcast", "--procs", ""}).files);
  CHECK_FALSE(complete_words({"platform", "routes", "crill", ""}).files);
}
