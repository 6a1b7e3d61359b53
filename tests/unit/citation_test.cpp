// SPDX-License-Identifier: BSD-3-Clause
// CITATION.cff: the subset of YAML that it uses, its required keys, the project's version. Python
// checks that it is valid YAML, if it has a YAML reader.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <string>

#include "sim/reports/version.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

const std::string file = TUTTI_SOURCE_DIR "/CITATION.cff";

// "key: value" of the outermost level; a key without a value contains the indented text below it.
std::map<std::string, std::string> keys_of(const std::string& text) {
  static const std::regex key("([a-z-]+):( .*)?");
  std::map<std::string, std::string> keys;
  std::string* open = nullptr;
  for (const auto& line : split(text, '\n')) {
    if (line.empty() || line.starts_with("#")) continue;
    std::smatch match;
    if (line.starts_with(" ")) {
      REQUIRE_MESSAGE(open != nullptr, "indented without a key: ", line);
      *open += line + '\n';
      continue;
    }
    REQUIRE_MESSAGE(std::regex_match(line, match, key), "neither a key nor below one: ", line);
    CHECK_MESSAGE(!keys.contains(match[1]), "twice: ", match[1].str());
    const std::string value = match[2].matched ? match[2].str().substr(1) : "";
    open = &(keys[match[1]] = value);
  }
  return keys;
}

}  // namespace

TEST_CASE("the citation has the required keys and the project's version") {
  const std::string text = read_file(file);
  CHECK(text.find('\t') == std::string::npos);
  const auto keys = keys_of(text);
  for (const char* required : {"cff-version", "message", "title", "authors"}) {
    CAPTURE(required);
    REQUIRE(keys.contains(required));
    CHECK(!keys.at(required).empty());
  }
  CHECK(keys.at("cff-version") == "1.2.0");
  CHECK(keys.at("version") == tutti::reports::version());
  CHECK(keys.at("license") == "BSD-3-Clause");
}

TEST_CASE("the citation is valid YAML") {
  const Ended has_reader = run({.args = {"/usr/bin/env", "python3", "-c", "import yaml"}});
  if (has_reader.exit_code != 0) {
    MESSAGE("skipped: Python has no yaml here");
    return;
  }
  const Ended read = run({.args = {"/usr/bin/env", "python3", "-c",
                                   "import sys, yaml\n"
                                   "cff = yaml.safe_load(open(sys.argv[1]))\n"
                                   "print(cff['version'], cff['authors'][0]['name'])",
                                   file}});
  CAPTURE(read.err);
  CHECK(read.exit_code == 0);
  CHECK(read.out == std::string(tutti::reports::version()) + " The Tutti authors\n");
}
