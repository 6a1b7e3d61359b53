// SPDX-License-Identifier: BSD-3-Clause
// The text of the project (comments, messages, pages) avoids the words of
// tests/support/banned_words.txt, which also lists their replacements.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "tests/support/files.hpp"

namespace fs = std::filesystem;
using namespace tutti;

namespace {

struct Ban {
  std::vector<std::string> phrases;
  std::string instead;
  std::vector<std::string> allowed;  // phrases in which the words may occur
};

std::vector<std::string> phrases_in(std::string_view text) {
  std::vector<std::string> phrases;
  for (const auto part : split(text, ','))
    if (!trim(part).empty()) phrases.emplace_back(trim(part));
  return phrases;
}

std::vector<Ban> bans() {
  std::vector<Ban> all;
  const auto list = tests::read_file(TUTTI_SOURCE_DIR "/tests/support/banned_words.txt");
  for (const auto line : split(list, '\n')) {
    if (trim(line).empty() || line.starts_with("#")) continue;
    const auto arrow = line.find('>'), mark = line.find('!', arrow);
    REQUIRE_MESSAGE(arrow != std::string_view::npos, line);
    Ban ban{phrases_in(line.substr(0, arrow)), std::string(trim(line.substr(arrow + 1))), {}};
    if (mark != std::string_view::npos) {
      ban.instead = trim(line.substr(arrow + 1, mark - arrow - 1));
      ban.allowed = phrases_in(line.substr(mark + 1));
    }
    all.push_back(std::move(ban));
  }
  return all;
}

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

bool has_phrase(const std::string& text, const std::string& phrase) {
  for (auto at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + 1)) {
    const auto end = at + phrase.size();
    if ((at == 0 || !is_part_of_word(text[at - 1])) &&
        (end == text.size() || !is_part_of_word(text[end])))
      return true;
  }
  return false;
}

// The text of a line of C++: its comment, and its strings that are more than a name.
std::string text_of_cpp(std::string_view line) {
  std::string text;
  std::size_t start = std::string_view::npos;  // of a string
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (start != std::string_view::npos && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      const auto inside = start == std::string_view::npos ? "" : line.substr(start, i - start);
      if (inside.find(' ') != std::string_view::npos) text += std::string(inside) + " | ";
      start = start == std::string_view::npos ? i + 1 : std::string_view::npos;
    } else if (start == std::string_view::npos && line.substr(i).starts_with("//")) {
      return text + std::string(line.substr(i));
    }
  }
  return text;
}

std::vector<std::string> found_in(const std::string& path, const std::vector<Ban>& all) {
  const bool is_cpp = path.ends_with(".cpp") || path.ends_with(".hpp");
  const auto content = tests::read_file(fs::path(TUTTI_SOURCE_DIR) / path);
  std::vector<std::string> found;
  std::size_t number = 0;
  bool is_raw = false;  // in a raw string of several lines, all of which is text
  for (const auto line : split(content, '\n')) {
    ++number;
    const bool begins = is_cpp && line.find("R\"") != std::string_view::npos;
    const std::string text =
        lower_case(is_cpp && !is_raw && !begins ? text_of_cpp(line) : std::string(line));
    if (begins) is_raw = true;
    if (is_raw && line.find(")\"") != std::string_view::npos) is_raw = false;
    if (line.starts_with("#include")) continue;
    for (const Ban& ban : all)
      for (const auto& phrase : ban.phrases)
        if (has_phrase(text, phrase) && std::ranges::none_of(ban.allowed, [&](const auto& allowed) {
              return has_phrase(text, allowed);
            }))
          found.push_back(fmt::format("{}:{}: '{}': write {}", path, number, phrase, ban.instead));
  }
  return found;
}

std::vector<std::string> files_with_text() {
  std::vector<std::string> files;
  const fs::path root = TUTTI_SOURCE_DIR;
  auto walk = fs::recursive_directory_iterator(root);
  for (auto entry = fs::begin(walk); entry != fs::end(walk); ++entry) {
    const std::string name = entry->path().filename();
    const auto path = fs::relative(entry->path(), root).string();
    if (name.starts_with(".") || name == "build" || path == "tests/fuzz/corpus")
      entry.disable_recursion_pending();
    for (const char* end : {".cpp", ".hpp", ".md", ".1"})
      if (entry->is_regular_file() && name.ends_with(end) && name != "words_test.cpp")
        files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("phrases are found as whole words, in comments and messages") {
  CHECK(has_phrase("as it told us", "told"));
  CHECK_FALSE(has_phrase("untold", "told"));
  CHECK_FALSE(has_phrase("told_if", "told"));
  CHECK(text_of_cpp(R"(f("told", "was told");  // told)") == "was told | // told");
}

TEST_CASE("no text has a banned word") {
  const auto all = bans();
  REQUIRE(all.size() > 30);
  const auto files = files_with_text();
  REQUIRE(files.size() > 500);
  for (const auto& path : files)
    for (const auto& each : found_in(path, all)) FAIL_CHECK(each);
}
