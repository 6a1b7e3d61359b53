// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "sim/base/line_reader.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/units.hpp"

namespace tutti::studies::guidelines {
namespace {

using algorithms::guidelines::all_mockups;
using algorithms::guidelines::find_mockup;
using algorithms::guidelines::mockups_of;

constexpr std::string_view title = "# pgtune profile";
// The library keeps sizes and counts in an int.
constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
// More than any profile has entries.
constexpr std::int64_t most_entries = 100'000;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trim(line)).empty()) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::string collective_of(std::string_view mpi) {
  for (const auto& collective : algorithms::all_collectives())
    if (mpi_name(collective.name) == mpi && !mockups_of(collective.name).empty())
      return std::string(collective.name);
  return {};
}

std::vector<std::string> known_collectives() {
  std::vector<std::string> names;
  for (const auto* mockup : all_mockups())
    if (auto name = mpi_name(mockup->algorithm.collective);
        std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  return names;
}

std::vector<std::string> known_mockups(const std::string& collective) {
  std::vector<std::string> names;
  for (const auto* mockup : mockups_of(collective)) names.emplace_back(mockup->algorithm.name);
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), lines_(text, file) {}

  Result<Profile> read() {
    look_at_lines();
    if (read_head() && read_mockups() && read_ranges() && lines_.next())
      lines_.refuse(fmt::format("more than {} ranges: the library leaves it out", ranges_),
                    "correct the number of ranges");
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return std::move(profile_);
  }

 private:
  // What LineReader passes over.
  void look_at_lines() {
    int number = 0;
    std::string_view rest = text_;
    for (const auto line : split(rest, '\n')) {
      ++number;
      const bool is_end = line.empty() && line.data() == text_.data() + text_.size();
      if (!is_end && trim(line).empty())
        lines_.refuse_line(number, "is blank: the library takes it for the next entry",
                           "delete it, or begin it with #");
      if (!line.starts_with('#') && trim(line).starts_with('#'))
        lines_.refuse_line(number, "a comment that the library takes for an entry",
                           "nothing stands before the #");
      if (line.starts_with('#') && trim(line) != title)
        profile_.notes.emplace_back(trim(line.substr(1)));
    }
  }

  // The words of the next entry, at least so many.
  std::vector<std::string_view> entry(std::size_t words, std::string_view what) {
    const auto line = lines_.next();
    if (!line) {
      lines_.refuse(fmt::format("ends where {} should stand", what), "is it cut?");
      return {};
    }
    auto found = words_of(*line);
    if (found.size() >= words) return found;
    lines_.refuse(fmt::format("{} should stand here", what));
    return {};
  }

  std::optional<std::int64_t> number(std::string_view word, std::string_view what,
                                     std::int64_t least, std::int64_t most) {
    const auto value = parse_integer(word);
    if (value && *value >= least && *value <= most) return *value;
    lines_.refuse(fmt::format("{} is no {}", in_quotes(word), what),
                  fmt::format("a number from {} to {}", least, most));
    return std::nullopt;
  }

  std::optional<std::int64_t> count(std::string_view what, std::int64_t most) {
    const auto words = entry(1, fmt::format("the {}", what));
    if (words.empty()) return std::nullopt;
    return number(words[0], what, 1, most);
  }

  bool read_head() {
    const auto words = entry(1, "the collective's name");
    if (words.empty()) return false;
    profile_.collective = collective_of(words[0]);
    if (profile_.collective.empty()) {
      lines_.refuse(fmt::format("the library tunes no {}", in_quotes(words[0])),
                    did_you_mean(words[0], known_collectives(), "as in MPI_Scatter"));
      return false;
    }
    const auto procs = count("number of processes", largest);
    profile_.procs = static_cast<int>(procs.value_or(0));
    return procs.has_value();
  }

  bool read_mockups() {
    const auto mockups = count("number of mock-ups", most_entries);
    for (std::int64_t i = 0; mockups && i < *mockups; ++i)
      if (!read_mockup()) return false;
    return mockups.has_value();
  }

  bool read_mockup() {
    const auto words = entry(2, "the number and the name of a mock-up");
    if (words.empty()) return false;
    const auto id = number(words[0], "number of a mock-up", 0, largest);
    if (!id) return false;
    const auto* mockup = find_mockup(profile_.collective, words[1]);
    if (mockup == nullptr) {
      lines_.refuse(fmt::format("{} has no mock-up {}: the library ends the program",
                                mpi_name(profile_.collective), in_quotes(words[1])),
                    did_you_mean(words[1], known_mockups(profile_.collective),
                                 "`sim list mockups` names them"));
    }
    if (find(static_cast<int>(*id)) != nullptr)
      lines_.refuse(fmt::format("there is a mock-up number {} already", *id));
    profile_.mockups.push_back({static_cast<int>(*id), mockup});
    return true;
  }

  bool read_ranges() {
    const auto ranges = count("number of ranges", most_entries);
    ranges_ = ranges.value_or(0);
    for (std::int64_t i = 0; i < ranges_; ++i)
      if (!read_range()) return false;
    return ranges.has_value();
  }

  bool read_range() {
    const auto words = entry(3, "the begin, the end and the mock-up of a range");
    if (words.empty()) return false;
    const auto begin = number(words[0], "number of bytes", 0, largest);
    const auto end = number(words[1], "number of bytes", 0, largest);
    const auto id = number(words[2], "number of a mock-up", 0, largest);
    if (!begin || !end || !id) return true;
    if (*begin > *end)
      lines_.refuse("the range ends before it begins: the library ends the program",
                    "its begin comes first");
    if (find(static_cast<int>(*id)) == nullptr)
      lines_.refuse(fmt::format("no mock-up above has number {}", *id));
    profile_.ranges.push_back({*begin, *end, static_cast<int>(*id)});
    return true;
  }

  const Profile::Listed* find(int id) const {
    const auto found = std::ranges::find(profile_.mockups, id, &Profile::Listed::id);
    return found == profile_.mockups.end() ? nullptr : &*found;
  }

  std::string_view text_;
  LineReader lines_;
  std::int64_t ranges_ = 0;
  Profile profile_;
};

}  // namespace

std::string mpi_name(std::string_view collective) {
  std::string name = "MPI_" + std::string(collective);
  name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
  return name;
}

Result<Profile> read_profile(std::string_view text, std::string_view file) {
  return Reader(text, file).read();
}

std::string profile_text(const Profile& profile) {
  std::string text = fmt::format("{}\n", title);
  for (const auto& note : profile.notes) text += fmt::format("# {}\n", note);
  text += fmt::format("{}\n{} # nb. of processes\n{} # nb. of mock-up impl.\n",
                      mpi_name(profile.collective), profile.procs, profile.mockups.size());
  for (const auto& [id, mockup] : profile.mockups)
    text += fmt::format("{} {}\n", id, mockup->algorithm.name);
  text += fmt::format("{} # nb. of ranges\n", profile.ranges.size());
  for (const auto& range : profile.ranges)
    text += fmt::format(
        "{} {} {}{}\n", range.begin_bytes, range.end_bytes, range.id,
        &range == profile.ranges.data() ? " # byte_range_start byte_range_end alg_id" : "");
  return text;
}

const algorithms::guidelines::Mockup* replacement(const Profile& profile, Bytes message_bytes) {
  if (message_bytes == 0) return nullptr;
  for (const auto& range : profile.ranges) {
    if (message_bytes < range.begin_bytes || message_bytes > range.end_bytes) continue;
    return std::ranges::find(profile.mockups, range.id, &Profile::Listed::id)->mockup;
  }
  return nullptr;
}

}  // namespace tutti::studies::guidelines
