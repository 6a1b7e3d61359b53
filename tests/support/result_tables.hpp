// SPDX-License-Identifier: BSD-3-Clause
// Hand-written result files.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "sim/reports/tables/result_file.hpp"

namespace tutti::tests {

inline reports::ResultFile results_of(const std::string& text) {
  auto file = reports::read_result_text(text, "test.csv");
  if (!file) FAIL(file.error().message);
  return *std::move(file);
}

// "line:column: message" of a text that must be rejected.
inline std::string rejection_of(const std::string& text) {
  const auto file = reports::read_result_text(text, "test.csv");
  REQUIRE_FALSE(file);
  const Error& error = file.error();
  CHECK(error.place == "test.csv");
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

}  // namespace tutti::tests
