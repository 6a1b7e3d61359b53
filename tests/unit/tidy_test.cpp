// SPDX-License-Identifier: BSD-3-Clause
// Project rules that a program can check.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/commands/command_list.hpp"

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

const std::vector<SourceFile>& cpp_files() {
  static const auto files = files_with({".cpp", ".hpp"});
  return files;
}

// A search of one of these words, to ask a slow regular expression only where it may match.
bool has_any(const std::string& line, std::initializer_list<const char*> words) {
  return std::ranges::any_of(
      words, [&](const char* word) { return line.find(word) != std::string::npos; });
}

// The application folders under sim/, each above those that it may include.
const std::vector<std::string>& rooms() {
#define TUTTI_NAMED(name) #name,
  static const std::vector<std::string> names{TUTTI_APPLICATIONS(TUTTI_NAMED)};
#undef TUTTI_NAMED
  return names;
}

// The folders of the design, from the bottom up. A folder includes its own layer and those below.
// An application is on three layers: its study, report/ and command/.
std::vector<std::vector<std::string>> floors_from_the_ground() {
  std::vector<std::vector<std::string>> floors{{"sim/base/"},    {"platforms/"},  {"sim/runtime/"},
                                               {"sim/engines/"}, {"algorithms/"}, {"io_models/"},
                                               {"workloads/"},   {"sim/store/"},  {"sim/options/"},
                                               {"sim/jobs/"},    {"sim/studies/"}};
  for (const std::string& room : rooms()) floors.push_back({"sim/" + room + "/"});
  floors.push_back({"sim/reports/"});
  for (const std::string& room : rooms()) floors.push_back({"sim/" + room + "/report/"});
  floors.push_back({"sim/commands/"});
  for (const std::string& room : rooms()) floors.push_back({"sim/" + room + "/command/"});
  floors.push_back({"sim/main", "sim/all_", "sim/tutti"});
  floors.push_back({"tests/", "examples/"});
  return floors;
}

// The layer of the longest folder with which the path begins; -1 if there is none.
int floor_of(const std::string& path) {
  static const auto floors = floors_from_the_ground();
  int found = -1;
  std::size_t longest = 0;
  for (std::size_t floor = 0; floor < floors.size(); ++floor)
    for (const std::string& folder : floors[floor])
      if (path.starts_with(folder) && folder.size() > longest) {
        found = static_cast<int>(floor);
        longest = folder.size();
      }
  return found;
}

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The project's files that a file includes, as it names them.
std::vector<std::string> own_includes(const SourceFile& file) {
  static const std::regex include(R"re(^#include "([^"]+)")re");
  std::vector<std::string> names;
  for (const std::string& line : file.lines) {
    std::smatch match;
    if (line.starts_with("#include") && std::regex_search(line, match, include) &&
        floor_of(match[1]) >= 0)
      names.push_back(match[1]);
  }
  return names;
}

struct Block {
  std::size_t begin = 0;  // its head's first line
  std::size_t lines = 0;
};

// Blocks that end with a closing brace alone on its line, as formatted functions do. The head is
// the nearest line above with at most the same indentation. Types end with "};".
std::vector<Block> blocks_of(const SourceFile& file) {
  std::vector<Block> blocks;
  for (std::size_t end = 0; end < file.lines.size(); ++end) {
    const std::size_t indent = indent_of(file.lines[end]);
    if (file.lines[end].substr(indent) != "}") continue;
    std::size_t begin = end - 1;
    while (begin > 0 && (file.lines[begin].empty() || file.lines[begin].front() == '#' ||
                         indent_of(file.lines[begin]) > indent))
      --begin;
    blocks.push_back({.begin = begin, .lines = end - begin + 1});
  }
  return blocks;
}

// Follows includes depth first, and finds the path back to a file that is still being followed.
class IncludeWays {
 public:
  IncludeWays() {
    for (const SourceFile& file : cpp_files()) includes_[file.path] = own_includes(file);
  }
  // "a.hpp -> b.hpp -> a.hpp"; empty if there is no cycle.
  std::string cycle() {
    for (const auto& [path, names] : includes_)
      if (auto found = follow(path); !found.empty()) return found;
    return "";
  }

 private:
  std::string follow(const std::string& path) {
    if (std::find(way_.begin(), way_.end(), path) != way_.end()) return reported(path);
    if (!seen_.insert(path).second) return "";
    way_.push_back(path);
    for (const std::string& name : includes_[path])
      if (auto found = follow(name); !found.empty()) return found;
    way_.pop_back();
    return "";
  }
  std::string reported(const std::string& path) const {
    std::string text;
    for (const std::string& each : way_) text += each + " -> ";
    return text + path;
  }

  std::map<std::string, std::vector<std::string>> includes_;
  std::vector<std::string> way_;
  std::set<std::string> seen_;
};

}  // namespace

TEST_CASE("includes point only down the list of folders") {
  for (const SourceFile& file : cpp_files()) {
    REQUIRE_MESSAGE(floor_of(file.path) >= 0, file.path, " lies in no folder of the design");
    for (const std::string& name : own_includes(file)) {
      CHECK_MESSAGE(floor_of(name) <= floor_of(file.path), file.path, " includes ", name);
      CHECK_MESSAGE(!name.ends_with(".cpp"), file.path, " includes ", name);
    }
  }
}

TEST_CASE("there are no include cycles") { CHECK(IncludeWays().cycle() == ""); }

TEST_CASE("only few files include SimGrid") {
  const std::regex calls(R"(^#include <(simgrid|smpi|xbt)/|\bsimgrid::|\bsg4::|\bxbt_\w+\()");
  for (const SourceFile& file : cpp_files())
    for (const std::string& line : file.lines)
      if (!file.path.starts_with("sim/engines/simgrid/") &&
          has_any(line, {"simgrid", "smpi", "xbt", "sg4"}))
        CHECK_MESSAGE(!std::regex_search(line, calls), file.path, ": ", line);
}

TEST_CASE("functions are at most 60 lines long, those of tests 100") {
  for (const SourceFile& file : cpp_files())
    for (const Block& block : blocks_of(file)) {
      const std::size_t most = file.path.starts_with("tests/") ? 100 : 60;
      const std::string name = file.path + ": " + file.lines[block.begin];
      CHECK_MESSAGE(block.lines <= most, name, " is ", block.lines, " lines long");
    }
}

TEST_CASE("every header has a comment on its purpose") {
  for (const SourceFile& file : cpp_files()) {
    if (!file.path.ends_with(".hpp")) continue;
    const auto mentions = [](const std::string& line) {
      return line.substr(indent_of(line)).starts_with("// ");
    };
    CHECK_MESSAGE(std::any_of(file.lines.begin() + 1, file.lines.end(), mentions), file.path);
  }
}

TEST_CASE("only the commands and main print, and only main exits") {
  const std::regex prints(
      R"(std::cout|std::cerr|std::clog|\b(printf|puts|fputs|perror)\(|fmt::print|\bstd::exit\()");
  for (const SourceFile& file : cpp_files()) {
    if (file.path.starts_with("sim/commands/") || file.path.starts_with("sim/main") ||
        file.path.starts_with("tests/") || file.path.starts_with("examples/"))
      continue;
    for (const std::string& line : file.lines)
      if (has_any(line, {"std::c", "print", "puts", "perror", "exit"}))
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

TEST_CASE("every source file has a license, at most 500 lines and at most 100 columns") {
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

TEST_CASE("headers are included once, and there are no unfinished markers") {
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
      if (has_any(line, {"DO", "ME", "XX"}))
        CHECK_MESSAGE(!std::regex_search(line, unfinished), file.path, ": ", line);
  }
}

TEST_CASE("the top level contains only the agreed files") {
  const std::set<std::string> allowed{"CMakeLists.txt",  "CMakePresets.json",
                                      "README.md",       "CHANGELOG.md",
                                      "CONTRIBUTING.md", "LICENSE",
                                      "CITATION.cff",    "sim",
                                      "platforms",       "algorithms",
                                      "workloads",       "io_models",
                                      "tests",           "examples",
                                      "packaging",       "docs",
                                      "python",          "build"};
  for (const auto& entry : fs::directory_iterator(TUTTI_SOURCE_DIR)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(".")) CHECK_MESSAGE(allowed.contains(name), name);
  }
}
