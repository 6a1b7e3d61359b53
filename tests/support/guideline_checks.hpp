// SPDX-License-Identifier: BSD-3-Clause
// Checks of guidelines on a small machine.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/subprocess.hpp"

namespace tutti::tests {

inline std::vector<std::string> small_check(const std::vector<std::string>& more = {}) {
  std::vector<std::string> args{"guidelines",     "check",       "--platform", "jupiter",
                                "--procs",        "32",          "--ppn",      "1",
                                "--message-size", "64:1MiB:*32", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

inline nlohmann::json check_json(const std::vector<std::string>& args) {
  const Ended ended = run_sim(args);
  CHECK((ended.exit_code == 0 || ended.exit_code == 1));
  return nlohmann::json::parse(ended.out);
}

}  // namespace tutti::tests
