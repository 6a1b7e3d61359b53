// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/log_text.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::reports {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view no_break_space = "\xc2\xa0";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// The end of the escape sequence at `at`.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  if (++at >= text.size()) return text.size();
  if (text[at] == '\n') return at;
  const char kind = text[at++];
  if (kind != '[' && kind != ']') return at;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const bool ends = kind == '[' ? text[at] >= '@' && text[at] <= '~' : text[at] == '\a';
    if (ends) return at + 1;
  }
  return at;
}

// Replaces escape sequences, and what a carriage return overwrites on a terminal, by blanks: all
// other characters keep their positions.
std::string without_controls(std::string_view text) {
  std::string plain(text);
  const auto blank = [&plain](std::size_t from, std::size_t to) {
    std::fill(plain.begin() + static_cast<std::ptrdiff_t>(from),
              plain.begin() + static_cast<std::ptrdiff_t>(to), ' ');
  };
  for (std::size_t i = plain.find(escape); i < plain.size(); i = plain.find(escape, i))
    blank(i, end_of_escape(plain, i));
  for (std::size_t i = plain.find(no_break_space); i < plain.size();
       i = plain.find(no_break_space, i))
    blank(i, i + no_break_space.size());
  for (std::size_t begin = 0; begin < plain.size();) {
    const auto end = std::min(plain.find('\n', begin), plain.size());
    const auto line = std::string_view(plain).substr(begin, end - begin);
    const auto last = line.find_last_not_of(" \t\r");
    const auto overwritten =
        last == std::string_view::npos ? last : line.substr(0, last).rfind('\r');
    if (overwritten != std::string_view::npos) blank(begin, begin + overwritten + 1);
    begin = end + 1;
  }
  return plain;
}

// Whether `line` begins with the pattern: 'A' is a letter, '0' a digit, '_' a digit or a blank.
bool matches(std::string_view line, std::string_view pattern) {
  if (line.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = line[i];
    const bool is_equal = pattern[i] == 'A'   ? is_letter(c)
                          : pattern[i] == '0' ? is_digit(c)
                          : pattern[i] == '_' ? is_digit(c) || c == ' '
                                              : c == pattern[i];
    if (!is_equal) return false;
  }
  return true;
}

// Fraction of a second and time zone: ".123", ",123", "Z", "+01:00", "-0800".
void skip_zone(std::string_view& line) {
  const auto skip_number = [&line] {
    line.remove_prefix(1);
    while (!line.empty() && (is_digit(line.front()) || line.front() == ':')) line.remove_prefix(1);
  };
  if (line.size() > 1 && (line.front() == '.' || line.front() == ',') && is_digit(line[1]))
    skip_number();
  if (line.starts_with('Z')) line.remove_prefix(1);
  if (matches(line, "+00") || matches(line, "-00")) skip_number();
}

bool skip_time(std::string_view& line) {
  auto rest = line;
  const bool in_brackets = rest.starts_with('[');
  if (in_brackets) rest.remove_prefix(1);
  for (const std::string_view pattern :
       {"AAA AAA _0 00:00:00 0000", "AAA _0 00:00:00", "0000-00-00T00:00:00", "0000-00-00 00:00:00",
        "0000/00/00 00:00:00", "00:00:00"}) {
    if (!matches(rest, pattern)) continue;
    rest.remove_prefix(pattern.size());
    skip_zone(rest);
    if (in_brackets && !rest.starts_with(']')) return false;
    if (in_brackets) rest.remove_prefix(1);
    if (!rest.empty() && std::string_view(" \t[<:").find(rest.front()) == std::string_view::npos)
      return false;
    line = rest;
    return true;
  }
  return false;
}

// "<stdout>:" or "<stdout rank="0">", of Open MPI.
bool skip_channel(std::string_view& line, std::string_view& rank) {
  constexpr std::string_view of_rank = " rank=\"";
  for (const std::string_view name : {"<stdout", "<stderr", "<stddiag"}) {
    if (!line.starts_with(name)) continue;
    auto rest = line.substr(name.size());
    if (rest.starts_with(">:")) {
      line = rest.substr(2);
      return true;
    }
    const auto end = rest.find("\">");
    if (!rest.starts_with(of_rank) || end == std::string_view::npos) return false;
    rank = rest.substr(of_rank.size(), end - of_rank.size());
    line = rest.substr(end + 2);
    line = line.substr(0, std::min(line.find("&#010;"), line.find("</")));
    return true;
  }
  return false;
}

// "[1,0]<stdout>:", "[prterun-a-1@1,0]<stdout>:" (Open MPI), "[0] " (MPICH), " 0: " (srun).
bool skip_label(std::string_view& line, std::string_view& rank) {
  if (skip_channel(line, rank)) return true;
  const auto end = line.find(line.starts_with('[') ? ']' : ':');
  if (end == std::string_view::npos) return false;
  auto rest = line.substr(end + 1);
  const bool ends_label = rest.empty() || rest.front() == ' ' || rest.front() == '\t';
  const auto inside = line.starts_with('[') ? line.substr(1, end - 1) : line.substr(0, end);
  const auto comma = inside.rfind(',');
  if (line.starts_with('[') && comma != std::string_view::npos &&
      are_digits(inside.substr(comma + 1)) && skip_channel(rest, rank)) {
    rank = inside.substr(comma + 1);
  } else if (are_digits(inside) && ends_label) {
    rank = inside;
  } else {
    return false;
  }
  line = rest;
  return true;
}

}  // namespace

LogText::LogText(std::string_view text) : text_(text) {
  const bool has_returns = text.find('\r') != std::string_view::npos;
  if (has_returns || text.find(escape) != std::string_view::npos ||
      text.find(no_break_space) != std::string_view::npos) {
    copy_ = without_controls(text);
    text_ = copy_;
  }
  rest_ = text_;
}

std::optional<LogLine> LogText::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = std::min(rest_.find('\n'), rest_.size());
  LogLine line{.number = ++number_, .content = trim(rest_.substr(0, end))};
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  while (line.content.starts_with("> ")) line.content = trim(line.content.substr(2));
  while (skip_time(line.content) || (line.rank.empty() && skip_label(line.content, line.rank)))
    line.content = trim(line.content);
  return line;
}

}  // namespace tutti::reports
