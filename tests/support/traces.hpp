// SPDX-License-Identifier: BSD-3-Clause
// Traces next to the project, and a check of written traces. Tests that need them are skipped if
// they are not available.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// The path of a trace; empty, with a message, if it is not available.
inline std::string shared_trace(const std::string& name) {
  for (const char* above : {"../shared", "../../shared"}) {
    const auto path = std::filesystem::path(TUTTI_SOURCE_DIR) / above / "data/traces" / name;
    if (std::filesystem::exists(path)) return path.string();
  }
  MESSAGE("skipped: missing trace " << name);
  return "";
}

constexpr const char* otf2_print = "/usr/bin/otf2-print";

inline bool has_otf2_print() {
  if (std::filesystem::exists(otf2_print)) return true;
  MESSAGE("skipped: missing " << otf2_print);
  return false;
}

struct PrintedTrace {
  std::string definitions;
  std::string events;
};

// otf2-print gives no warnings.
inline void check_sound(const std::string& path) {
  const Ended checked = run({.args = {otf2_print, "--silent", "-Werror", path}});
  CHECK(checked.exit_code == 0);
  CHECK(checked.err == "");
}

// The archive as text. Requires that otf2-print gives no warnings.
inline PrintedTrace printed(const std::string& path, bool is_sound = true) {
  if (is_sound) check_sound(path);
  return {run({.args = {otf2_print, "-G", path}}).out, run({.args = {otf2_print, path}}).out};
}

}  // namespace tutti::tests
