// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/diagnostics.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sim/base/quote.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view magenta = "\x1b[1;35m";
constexpr std::string_view cyan = "\x1b[36m";
constexpr std::string_view plain = "\x1b[0m";

std::string painted(std::string_view text, std::string_view paint, bool color) {
  return color ? fmt::format("{}{}{}", paint, text, plain) : std::string(text);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The source line and a caret under its column; tabs stay tabs, so that the caret stands right.
std::string pointed_source(const Error& error) {
  const std::string line = "    " + error.source + '\n';
  if (error.column == 0) return line;
  std::string caret;
  for (int i = 0; i + 1 < error.column && i < static_cast<int>(error.source.size()); ++i)
    caret += error.source[static_cast<std::size_t>(i)] == '\t' ? '\t' : ' ';
  return line + "    " + caret + "^\n";
}

std::string position_of(const Error& error) {
  if (error.line == 0) return "sim: ";
  const std::string place = printable(error.place);
  if (error.column == 0) return fmt::format("{}:{}: ", place, error.line);
  return fmt::format("{}:{}:{}: ", place, error.line, error.column);
}

// Of libraries: may have lines and tabs, and nothing else that moves a terminal's cursor.
std::string printable_lines(std::string_view text) {
  std::string lines;
  for (std::size_t at; (at = text.find_first_of("\n\t")) != std::string_view::npos;) {
    lines += printable(text.substr(0, at)) + text[at];
    text.remove_prefix(at + 1);
  }
  return lines + printable(text);
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

bool wants_color(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return std::string_view(std::getenv("FORCE_COLOR")) != "0";
  return ::isatty(STDERR_FILENO) == 1;
}

std::string describe(const Error& error, bool color) {
  const char* label = error.kind == ErrorKind::internal ? "internal error: " : "error: ";
  std::string text = position_of(error) + painted(label, red, color);
  if (error.line == 0 && !error.place.empty()) text += printable(error.place) + ": ";
  text += printable_lines(error.message) + '\n';
  if (error.line > 0 && !error.source.empty()) text += pointed_source(error);
  if (!error.hint.empty())
    text += painted("help: ", cyan, color) + printable_lines(error.hint) + '\n';
  return text;
}

std::string describe_all(const std::vector<Error>& errors, bool color) {
  std::string text;
  for (std::size_t i = 0; i < std::min(errors.size(), most_errors_told); ++i)
    text += describe(errors[i], color);
  if (errors.size() > most_errors_told)
    text += fmt::format("sim: ... and {} more errors\n", errors.size() - most_errors_told);
  return text;
}

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::input:
      return exit_usage;
    case ErrorKind::io:
      return exit_io;
    case ErrorKind::run:
      return exit_points_failed;
    case ErrorKind::internal:
      return exit_bug;
  }
  return exit_bug;
}

void Diagnostics::error(const Error& error) const { print(describe(error, color_)); }

void Diagnostics::warning(const std::string& message) const {
  if (!quiet_) print("sim: " + painted("warning: ", magenta, color_) + printable(message) + '\n');
}

void Diagnostics::note(const std::string& message) const {
  if (!quiet_) print("sim: " + printable_lines(message) + (message.ends_with('\n') ? "" : "\n"));
}

int Diagnostics::fail(const std::vector<Error>& errors) const {
  print(describe_all(errors, color_));
  return exit_code(errors.front().kind);
}

}  // namespace tutti::commands
