// SPDX-License-Identifier: BSD-3-Clause
// SMPI's programs, with which tests compare simulated times.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>

namespace tutti::tests {

inline constexpr const char* smpirun = "/usr/bin/smpirun";
inline constexpr const char* smpicc = "/usr/bin/smpicc";

// False, with a message, if a test that needs both must be skipped.
inline bool has_smpi() {
  if (std::filesystem::exists(smpirun) && std::filesystem::exists(smpicc)) return true;
  MESSAGE("skipped: missing " << smpirun);
  return false;
}

}  // namespace tutti::tests
