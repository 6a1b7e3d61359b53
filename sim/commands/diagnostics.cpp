// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/diagnostics.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "sim/base/printable_text.hpp"
#include "sim/commands/progress.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view message_indent = "    ";
constexpr std::string_view dots = "...";
constexpr std::size_t least_width = 20;  // narrower terminals wrap the lines themselves
constexpr std::size_t longest_line = 200;

std::size_t text_width(std::size_t width) {
  return std::max(width, least_width) - message_indent.size();
}

// Byte offsets of the characters of `text`, and of its end.
std::vector<std::size_t> character_offsets(std::string_view text) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < text.size(); i += std::max<std::size_t>(1, utf8_length(text, i)))
    begins.push_back(i);
  begins.push_back(text.size());
  return begins;
}

// The range of characters of a line that is shown.
struct Window {
  std::size_t from = 0;
  std::size_t to = 0;
};

Window window_around(std::size_t caret, std::size_t characters, std::size_t columns) {
  if (characters <= columns) return {0, characters};
  const std::size_t shown = columns - 2 * dots.size();
  const std::size_t from = std::min(caret - std::min(caret, shown / 2), characters - shown);
  return {from, from + shown};
}

constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view magenta = "\x1b[1;35m";
constexpr std::string_view cyan = "\x1b[36m";
constexpr std::string_view no_paint = "\x1b[0m";

// Colors the first `word` of the text; wrapping may have moved it to another line.
std::string paint_word(std::string text, std::string_view word, std::string_view paint,
                       bool color) {
  const auto at = text.find(word);
  if (color && at != std::string::npos)
    text.replace(at, word.size(), fmt::format("{}{}{}", paint, word, no_paint));
  return text;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string position_text(const Error& error) {
  if (error.line == 0) return "sim: ";
  const std::string place = printable(error.place);
  if (error.column == 0) return fmt::format("{}:{}: ", place, error.line);
  return fmt::format("{}:{}:{}: ", place, error.line, error.column);
}

std::string_view error_label(ErrorKind kind) {
  if (kind == ErrorKind::internal) return "internal error:";
  return kind == ErrorKind::check ? "check failed:" : "error:";
}

Width width() { return terminal_width(STDERR_FILENO); }

void print_error(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

std::string fitted(std::string_view message, Width width) {
  if (message.ends_with('\n')) message.remove_suffix(1);
  std::string text;
  for (const auto& line : split(message, '\n')) {
    if (!width || count_characters(line) <= std::max(*width, least_width)) {
      text += std::string(line) + '\n';
      continue;
    }
    std::string_view start;
    for (const auto& part : reports::wrap(line, text_width(*width))) {
      text += std::string(start) + part + '\n';
      start = message_indent;
    }
  }
  return text;
}

std::string pointed_line(std::string_view line, int column, Width width) {
  const auto begins = character_offsets(line);
  const std::size_t characters = begins.size() - 1;
  const auto byte = static_cast<std::size_t>(std::max(column, 1) - 1);
  const auto caret = static_cast<std::size_t>(
      std::lower_bound(begins.begin(), begins.end() - 1, byte) - begins.begin());
  const std::size_t columns = width ? std::min(text_width(*width), longest_line) : longest_line;
  const auto [from, to] = window_around(caret, characters, columns);
  const std::string_view start = from > 0 ? dots : "";
  std::string text(message_indent);
  text += start;
  text += line.substr(begins[from], begins[to] - begins[from]);
  text += to < characters ? dots : "";
  if (column == 0) return text + '\n';
  std::string under(message_indent.size() + start.size(), ' ');
  for (std::size_t i = from; i < caret; ++i) under += line[begins[i]] == '\t' ? '\t' : ' ';
  return text + '\n' + under + "^\n";
}

bool wants_color(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return std::string_view(std::getenv("FORCE_COLOR")) != "0";
  return ::isatty(STDERR_FILENO) == 1;
}

std::string describe(const Error& error, bool color, Width width) {
  const std::string_view label = error_label(error.kind);
  std::string message = position_text(error) + std::string(label) + ' ';
  if (error.line == 0 && !error.place.empty()) message += printable(error.place) + ": ";
  message += printable_lines(error.message);
  std::string text = paint_word(fitted(message, width), label, red, color);
  const std::string source = source_line(error.source);
  if (error.line > 0 && !source.empty()) text += pointed_line(source, error.column, width);
  if (!error.hint.empty())
    text += paint_word(fitted("help: " + printable_lines(error.hint), width), "help:", cyan, color);
  return text;
}

std::string describe_all(const std::vector<Error>& errors, bool color, Width width) {
  std::string text;
  for (std::size_t i = 0; i < std::min(errors.size(), most_errors_reported); ++i)
    text += describe(errors[i], color, width);
  if (errors.size() > most_errors_reported)
    text += fmt::format("sim: ... and {} more errors\n", errors.size() - most_errors_reported);
  return text;
}

std::string describe_warning(const std::string& message, bool color, Width width) {
  return paint_word(fitted("sim: warning: " + printable(message), width), "warning:", magenta,
                    color);
}

ExitCode exit_code(ErrorKind kind) {
  constexpr ExitCode codes[] = {exit_usage,         exit_usage,         exit_store, exit_io,
                                exit_points_failed, exit_points_failed, exit_bug};  // by kind
  return codes[static_cast<std::size_t>(kind)];
}

void Diagnostics::error(const Error& error) const { print_error(describe(error, color_, width())); }

void Diagnostics::warning(const std::string& message) const {
  if (!quiet_) print_error(describe_warning(message, color_, width()));
}

void Diagnostics::note(const std::string& message) const {
  if (!quiet_) print_error(fitted("sim: " + printable_lines(message), width()));
}

int Diagnostics::fail(const std::vector<Error>& errors) const {
  print_error(describe_all(errors, color_, width()));
  return exit_code(errors.front().kind);
}

}  // namespace tutti::commands
