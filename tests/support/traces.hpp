// SPDX-License-Identifier: BSD-3-Clause
// Traces beside the project: tests of them pass where they are not.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

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

}  // namespace tutti::tests
