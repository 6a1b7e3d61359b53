// SPDX-License-Identifier: BSD-3-Clause
// The error output of `sim` for invalid input.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// Requires exit code 2 and empty standard output.
inline std::string rejected(const std::vector<std::string>& args) {
  const Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  return ended.err;
}

}  // namespace tutti::tests
