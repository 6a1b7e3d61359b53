// SPDX-License-Identifier: BSD-3-Clause
// House rules that a program can check.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct SourceFile {
  std::string path;  // relative to the project
  std::vector<std::string> lines;
};

bool is_hidden_or_built(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with(".") || name == "build";
}

std::vector<SourceFile> files_with(const std::set<std::string>& extensions) {
  std::vector<SourceFile> files;
  const fs::path root = TUTTI_SOURCE_DIR;
  auto walk = fs::recursive_directory_iterator(root);
  for (auto entry = fs::begin(walk); entry != fs::end(walk); ++entry) {
    if (is_hidden_or_built(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file() || !extensions.contains(entry->path().extension())) continue;
    SourceFile file{fs::relative(entry->path(), root), {}};
    std::ifstream in(entry->path());
    for (std::string line; std::getline(in, line);) file.lines.push_back(line);
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<SourceFile> cpp_files() { return files_with({".cpp", ".hpp"}); }

// The folders of the design, from the ground up. A folder includes its own floor and those below.
int floor_of(const std::string& path) {
  static const std::vector<std::vector<std::string>> floors{
      {"sim/base/"},
      {"platforms/"},
      {"sim/runtime/"},
      {"sim/engines/"},
      {"algorithms/"},
      {"io_models/"},
      {"workloads/"},
      {"sim/store/"},
      {"sim/studies/"},
      {"sim/reports/"},
      {"sim/commands/", "sim/main"},
      {"tests/"}};
  for (std::size_t floor = 0; floor < floors.size(); ++floor)
    for (const std::string& folder : floors[floor])
      if (path.starts_with(folder)) return static_cast<int>(floor);
  return -1;
}

}  // namespace

TEST_CASE("includes point only down the list of folders") {
  const std::regex include(R"re(^#include "([^"]+)")re");
  for (const SourceFile& file : cpp_files()) {
    REQUIRE_MESSAGE(floor_of(file.path) >= 0, file.path, " lies in no folder of the design");
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, include) || floor_of(match[1]) < 0) continue;
      CHECK_MESSAGE(floor_of(match[1]) <= floor_of(file.path), file.path, " includes ",
                    match[1].str());
    }
  }
}

TEST_CASE("only few files know SimGrid") {
  for (const SourceFile& file : cpp_files())
    for (const std::string& line : file.lines)
      if (line.starts_with("#include <simgrid/"))
        CHECK_MESSAGE(file.path.starts_with("sim/engines/simgrid/"), file.path);
}

TEST_CASE("only the commands and main print, and only main exits") {
  const std::regex prints(R"(std::cout|std::cerr|\bprintf\(|fmt::print\(|std::exit\()");
  for (const SourceFile& file : cpp_files()) {
    if (file.path.starts_with("sim/commands/") || file.path.starts_with("sim/main") ||
        file.path.starts_with("tests/"))
      continue;
    for (const std::string& line : file.lines)
      CHECK_MESSAGE(!std::regex_search(line, prints), file.path, ": ", line);
  }
}

// Approx's scale of 1 makes all times of microseconds equal.
TEST_CASE("tests compare numbers with a relative tolerance") {
  const std::string absolute =
      "doctest::Appr"
      "ox";
  for (const SourceFile& file : cpp_files())
    for (const std::string& line : file.lines)
      if (file.path != "tests/support/close_to.hpp")
        CHECK_MESSAGE(line.find(absolute) == std::string::npos, file.path, ": ", line);
}

TEST_CASE("every source file says its licence, is at most 500 lines long and 100 columns wide") {
  for (const SourceFile& file : files_with({".cpp", ".hpp", ".c", ".sh"})) {
    CAPTURE(file.path);
    REQUIRE(!file.lines.empty());
    const std::size_t first = file.lines[0].starts_with("#!") ? 1 : 0;
    CHECK(file.lines[first].find("SPDX-License-Identifier: BSD-3-Clause") != std::string::npos);
    CHECK(file.lines.size() <= 500);
    for (const std::string& line : file.lines)
      CHECK_MESSAGE(line.size() <= 100, file.path, ": ", line);
  }
}

TEST_CASE("headers are included once, and nothing is left unfinished") {
  const std::regex unfinished(
      "\\b(TO"
      "DO|FIX"
      "ME|X"
      "XX)\\b");
  for (const SourceFile& file : cpp_files()) {
    CAPTURE(file.path);
    if (file.path.ends_with(".hpp"))
      CHECK(std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end());
    for (const std::string& line : file.lines)
      CHECK_MESSAGE(!std::regex_search(line, unfinished), file.path, ": ", line);
  }
}

TEST_CASE("the top level holds what was agreed") {
  const std::set<std::string> allowed{"CMakeLists.txt",
                                      "CMakePresets.json",
                                      "README.md",
                                      "CHANGELOG.md",
                                      "LICENSE",
                                      "CITATION.cff",
                                      "sim",
                                      "platforms",
                                      "algorithms",
                                      "workloads",
                                      "io_models",
                                      "tests",
                                      "examples",
                                      "packaging",
                                      "build"};
  for (const auto& entry : fs::directory_iterator(TUTTI_SOURCE_DIR)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(".")) CHECK_MESSAGE(allowed.contains(name), name);
  }
}
