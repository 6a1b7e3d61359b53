// SPDX-License-Identifier: BSD-3-Clause
// Every command of the READMEs runs and prints what the README shows. In a ```console block a line
// "$ ..." is a command, the lines after it are its output; "..." stands for lines left out.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/subprocess.hpp"

namespace {

struct Shown {
  std::string command;
  std::vector<std::string> output;
};

std::vector<Shown> shown_in(const std::string& file) {
  std::vector<Shown> all;
  std::ifstream readme(TUTTI_SOURCE_DIR "/" + file);
  bool in_block = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("```")) {
      in_block = line == "```console";
    } else if (in_block && line.starts_with("$ ")) {
      all.push_back({line.substr(2), {}});
    } else if (in_block) {
      REQUIRE(!all.empty());
      all.back().output.push_back(line);
    }
  }
  return all;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream in(command);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word.starts_with("examples/") ? TUTTI_SOURCE_DIR "/" + word : word);
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The shown lines appear in this order; only "..." may stand for others.
void check_output(const Shown& shown, const std::vector<std::string>& real) {
  std::size_t at = 0;
  bool may_skip = false;
  for (const std::string& line : shown.output) {
    if (line == "...") {
      may_skip = true;
      continue;
    }
    while (may_skip && at < real.size() && real[at] != line) ++at;
    REQUIRE_MESSAGE(at < real.size(), "missing in the real output: ", line);
    CHECK(real[at] == line);
    ++at;
    may_skip = false;
  }
  if (!may_skip) CHECK(at == real.size());
}

void check_all(const std::vector<Shown>& all) {
  for (const Shown& shown : all) {
    CAPTURE(shown.command);
    auto words = words_of(shown.command);
    REQUIRE(words.front() == "sim");
    words.erase(words.begin());
    const auto result = tutti::tests::run_sim(words);
    REQUIRE(result.exit_code == 0);
    check_output(shown, lines_of(result.out));
  }
}

}  // namespace

TEST_CASE("the README's commands print what it shows") {
  const auto all = shown_in("README.md");
  REQUIRE(all.size() >= 3);
  check_all(all);
}

TEST_CASE("so do those of the improvement models' README") {
  const auto all = shown_in("examples/improvement/README.md");
  REQUIRE(all.size() >= 3);
  check_all(all);
}
