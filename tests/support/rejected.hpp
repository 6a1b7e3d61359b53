// SPDX-License-Identifier: BSD-3-Clause
// What `sim` says of wrong input.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// Exit code 2, and no answer.
inline std::string rejected(const std::vector<std::string>& args) {
  const Ended ended = run_sim(args);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  return ended.err;
}

}  // namespace tutti::tests
