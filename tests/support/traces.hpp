// SPDX-License-Identifier: BSD-3-Clause
// Traces beside the project, and a judge of what is written: tests with them are skipped where they
// are not.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// The path of a trace; empty, and told, where there is none.
inline std::string shared_trace(const std::string& name) {
  for (const char* above : {"../shared", "../../shared"}) {
    const auto path = std::filesystem::path(TUTTI_SOURCE_DIR) / above / "data/traces" / name;
    if (std::filesystem::exists(path)) return path.string();
  }
  MESSAGE("skipped: there is no trace " << name);
  return "";
}

constexpr const char* otf2_print = "/usr/bin/otf2-print";

inline bool has_otf2_print() {
  if (std::filesystem::exists(otf2_print)) return true;
  MESSAGE("skipped: there is no " << otf2_print);
  return false;
}

struct PrintedTrace {
  std::string definitions;
  std::string events;
};

// As text. The archive is free of what otf2-print warns of.
inline PrintedTrace printed(const std::string& path, bool is_sound = true) {
  if (is_sound) {
    const Ended checked = run({.args = {otf2_print, "--silent", "-Werror", path}});
    CHECK(checked.exit_code == 0);
    CHECK(checked.err == "");
  }
  return {run({.args = {otf2_print, "-G", path}}).out, run({.args = {otf2_print, path}}).out};
}

}  // namespace tutti::tests
