// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "sim/base/units.hpp"

namespace tutti::commands {
namespace {

constexpr std::size_t usual_width = 80;

std::optional<std::size_t> width_of_environment() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) return std::nullopt;
  const auto columns = parse_integer(text);
  if (!columns || *columns < 1) return std::nullopt;
  return static_cast<std::size_t>(*columns);
}

}  // namespace

std::optional<std::size_t> terminal_width(int fd) {
  if (::isatty(fd) != 1) return std::nullopt;
  if (const auto columns = width_of_environment()) return columns;
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return usual_width;
}

}  // namespace tutti::commands
