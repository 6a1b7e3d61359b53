// SPDX-License-Identifier: BSD-3-Clause
// Every command of every README and of every page in docs/ runs. Each file has its own folder, in
// which its blocks run in order, line by line, so that later blocks find the files of earlier ones:
//   ```console        "$ ..." is a command, the lines after it are its output; "..." represents
//                     omitted lines
//   ```sh             each line must exit with 0, or with N if it ends in "# exit code N"
//   ```sh walkthrough the same with the sim that includes the additions of the walk-through
//   ```toml FILE      a file; also xml, csv, txt
//   ```cpp FILE, ```diff FILE: extracted and compiled (support/extract_walkthrough.sh)
//   ```text           no commands
// Commands inside a line of text must use existing commands and options.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

namespace fs = std::filesystem;
using namespace tutti;
using namespace tutti::tests;

namespace {

struct Block {
  std::string kind;  // "console"
  std::string file;  // or "walkthrough"; may be empty
  std::vector<std::string> lines;
};

struct Readme {
  std::string path;  // relative to the project
  std::vector<Block> blocks;
  std::vector<std::string> inline_commands;  // without the leading "sim"
};

// Blocks that the suite cannot run, and why.
const std::map<std::string, std::string> exceptions{
    {"examples/quickstart.sh", "builds the program, as this test's build has"},
    {"tests/run.sh", "runs this test"},
    {"packaging/build-deb.sh", "builds, too; tests/conformance/debian_package.sh installs it"},
    {"packaging/build-python.sh", "tests/python/packages.sh runs it"},
    {"apt install ./build/packages/python3-tutti", "tests/python/packages.sh checks the package"},
};

std::vector<std::string> inline_commands_in(const std::string& line) {
  static const std::regex quoted("`(sim [a-z][^`]*)`");
  static const std::regex command("sim (([^&]|&[^&])*)");  // one of several, with && between
  std::vector<std::string> found;
  for (std::sregex_iterator at(line.begin(), line.end(), quoted), end; at != end; ++at) {
    const std::string commands = (*at)[1];
    for (std::sregex_iterator each(commands.begin(), commands.end(), command); each != end; ++each)
      found.push_back((*each)[1]);
  }
  return found;
}

Readme read_readme(const fs::path& path) {
  Readme readme{fs::relative(path, TUTTI_SOURCE_DIR), {}, {}};
  bool in_block = false;
  const auto take = [&](std::string& paragraph) {
    for (auto& each : inline_commands_in(paragraph)) readme.inline_commands.push_back(each);
    paragraph.clear();
  };
  std::string paragraph;  // a quoted command may continue on the next line
  for (const auto& line : split(read_file(path), '\n')) {
    if (line.starts_with("```")) {
      if (!in_block) {
        const auto words = split(line.substr(3), ' ');
        readme.blocks.push_back(
            {words.empty() ? "" : words[0], words.size() > 1 ? words[1] : "", {}});
      }
      in_block = !in_block;
    } else if (in_block) {
      readme.blocks.back().lines.push_back(line);
    } else {
      paragraph += line + ' ';
      if (!line.empty()) continue;
    }
    take(paragraph);
  }
  take(paragraph);
  return readme;
}

std::vector<Readme> all_readmes() {
  std::vector<Readme> readmes;
  auto walk = fs::recursive_directory_iterator(TUTTI_SOURCE_DIR);
  for (auto entry = fs::begin(walk); entry != fs::end(walk); ++entry) {
    const std::string name = entry->path().filename();
    if (name.starts_with(".") || name == "build") entry.disable_recursion_pending();
    const bool is_page =
        entry->path().parent_path() == TUTTI_SOURCE_DIR "/docs" && name.ends_with(".md");
    if (name == "README.md" || is_page) readmes.push_back(read_readme(entry->path()));
  }
  return readmes;
}

// A folder in which "sim" and the project's folders are found by name.
class Workplace {
 public:
  Workplace() {
    for (const auto& [folder, sim] : {std::pair<const char*, std::string>{"bin", sim_path()},
                                      {"walkthrough", TUTTI_WALKTHROUGH_SIM}}) {
      fs::create_directory(tools_.file(folder));
      fs::create_symlink(sim, tools_.file(folder) + "/sim");
    }
    for (const auto* name : {"examples", "tests", "platforms"})
      fs::create_directory_symlink(std::string(TUTTI_SOURCE_DIR "/") + name, place_.file(name));
  }

  Ended run(const std::string& line, const std::string& tools = "bin") const {
    const std::string path = tools_.file(tools) + ":" + ::getenv("PATH");
    return tests::run({.args = {"/bin/bash", "-c", line},
                       .env = {{"PATH", path},
                               {"HOME", place_.path()},
                               {"TUTTI_SIM", tools_.file(tools) + "/sim"}},
                       .folder = place_.path()});
  }
  void write(const Block& block) const {
    std::string text;
    for (const auto& line : block.lines) text += line + '\n';
    place_.write(block.file, text);
  }

 private:
  TemporaryFolder tools_;
  TemporaryFolder place_;
};

// The shown lines appear in this order; "..." represents any other lines.
void check_output(const std::vector<std::string>& shown, const std::vector<std::string>& real) {
  std::size_t at = 0;
  bool may_skip = false;
  for (const std::string& line : shown) {
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

int wanted_code(const std::string& line) {
  static const std::regex said("# exit code ([0-9]+)");
  std::smatch match;
  return std::regex_search(line, match, said) ? std::stoi(match[1]) : 0;
}

std::vector<std::string> output_lines(const std::string& text) {
  auto lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

void run_console(const Block& block, const Workplace& place) {
  for (std::size_t i = 0; i < block.lines.size();) {
    REQUIRE(block.lines[i].starts_with("$ "));
    const std::string command = block.lines[i].substr(2);
    std::vector<std::string> shown;
    for (++i; i < block.lines.size() && !block.lines[i].starts_with("$ "); ++i)
      shown.push_back(block.lines[i]);
    CAPTURE(command);
    const Ended ended = place.run(command);
    CAPTURE(ended.err);
    REQUIRE(ended.exit_code == wanted_code(command));
    check_output(shown, output_lines(ended.out));
  }
}

bool is_exception(const std::string& line) {
  for (const auto& [begin, reason] : exceptions)
    if (line.starts_with(begin)) return true;
  return false;
}

void run_lines(const Block& block, const Workplace& place) {
  std::string line;
  for (const auto& part : block.lines) {
    line += part;
    if (part.ends_with('\\')) {
      line.back() = ' ';
      continue;
    }
    CAPTURE(line);
    if (!line.empty() && !is_exception(line)) {
      const Ended ended = place.run(line, block.file.empty() ? "bin" : block.file);
      CAPTURE(ended.err);
      CHECK(ended.exit_code == wanted_code(line));
    }
    line.clear();
  }
}

void run_block(const Block& block, const Workplace& place) {
  static const std::set<std::string> files{"toml", "xml", "csv", "txt"};
  if (block.kind == "console") return run_console(block, place);
  if (block.kind == "sh") return run_lines(block, place);
  if (files.contains(block.kind)) {
    if (!block.file.empty()) place.write(block);
    return;
  }
  const bool compiled = (block.kind == "cpp" || block.kind == "diff") && !block.file.empty();
  const bool python = block.kind == "python";  // tests/python/test_readme.py runs it
  CHECK_MESSAGE((compiled || python || block.kind == "text"),
                "a block must have a kind: console, sh, text, ..., not ", block.kind);
}

// The options that may follow "sim WORD WORD"; empty if there is no such command.
std::vector<std::string> options_of(const std::vector<std::string>& words) {
  std::vector<std::string> names{"--help", "-h"};
  const auto add = [&](std::span<const options::OptionSpec> specs) {
    for (const auto& spec : specs)
      for (auto& name : spec.all_names()) names.push_back(std::move(name));
  };
  const auto command =
      std::ranges::find(commands::all_commands(), words[0], &commands::Command::name);
  if (command == commands::all_commands().end()) return {};
  add(command->specs());
  if (words[0] == "run") add(commands::specs_of_workload(words.size() > 1 ? words[1] : ""));
  for (const auto* each : command->subcommands)
    if (words.size() < 2 || each->name() == words[1]) add(each->specs);
  return names;
}

void check_inline(const std::string& command) {
  CAPTURE(command);
  auto words = split(command, ' ');
  std::erase(words, "");
  const auto known = options_of(words);
  CHECK_MESSAGE(!known.empty(), "there is no such command");
  static const std::regex option("--[a-z][a-z-]*");
  for (const auto& word : words) {
    if (word == "--") break;
    std::smatch match;
    if (std::regex_search(word, match, option) && match.position() == 0)
      CHECK_MESSAGE(std::ranges::find(known, match.str()) != known.end(), "no option ",
                    match.str());
  }
}

// A heading's anchor in GitHub's form.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

bool has_anchor(const fs::path& file, const std::string& anchor) {
  for (const auto& line : split(read_file(file), '\n'))
    if (line.starts_with("#") && anchor_of(line) == anchor) return true;
  return false;
}

}  // namespace

TEST_CASE("every command of every README runs, and prints what it shows") {
  const auto readmes = all_readmes();
  CHECK(readmes.size() >= 20);
  for (const Readme& readme : readmes) {
    SUBCASE(readme.path.c_str()) {
      const Workplace place;
      for (const Block& block : readme.blocks) run_block(block, place);
    }
  }
}

TEST_CASE("the build has a test for every README") {
  auto tested = split(std::string(TUTTI_READMES), ' ');
  std::vector<std::string> paths;
  for (const Readme& readme : all_readmes()) paths.push_back(readme.path);
  std::ranges::sort(tested);
  std::ranges::sort(paths);
  CHECK(tested == paths);
}

TEST_CASE("commands in the text of READMEs have the options that they name") {
  std::size_t checked = 0;
  for (const Readme& readme : all_readmes())
    for (const auto& command : readme.inline_commands) {
      CAPTURE(readme.path);
      check_inline(command);
      ++checked;
    }
  CHECK(checked > 50);
}

TEST_CASE("links between READMEs lead to existing files and headings") {
  static const std::regex link(R"re(\]\(([^)#:]*)(#([^)]*))?\))re");
  std::size_t checked = 0;
  for (const Readme& readme : all_readmes()) {
    const fs::path file = fs::path(TUTTI_SOURCE_DIR) / readme.path;
    const std::string text = read_file(file);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const fs::path target = (*at)[1].length() > 0 ? file.parent_path() / (*at)[1].str() : file;
      CAPTURE(readme.path);
      CHECK_MESSAGE(fs::exists(target), (*at)[1].str());
      if ((*at)[3].length() > 0) CHECK_MESSAGE(has_anchor(target, (*at)[3]), (*at)[0].str());
      ++checked;
    }
  }
  CHECK(checked > 50);
}

TEST_CASE("every exception is still needed") {
  std::set<std::string> used;
  for (const Readme& readme : all_readmes())
    for (const Block& block : readme.blocks)
      for (const auto& line : block.lines)
        for (const auto& [begin, reason] : exceptions)
          if (block.kind == "sh" && line.starts_with(begin)) used.insert(begin);
  CHECK(used.size() == exceptions.size());
}

TEST_CASE("READMEs do not indent commands instead of using a block") {
  for (const Readme& readme : all_readmes()) {
    CAPTURE(readme.path);
    CHECK(read_file(TUTTI_SOURCE_DIR "/" + readme.path).find("\n    sim ") == std::string::npos);
  }
}
