// SPDX-License-Identifier: BSD-3-Clause
// Invariants, checked in every build. A broken invariant is a bug in Tutti, never invalid input.
#pragma once

#include <stdexcept>
#include <string>

namespace tutti {

// Thrown by TUTTI_CHECK; `main` turns it into exit code 70.
struct BrokenInvariant : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void broken_invariant(const char* condition, const char* file, int line,
                                   const std::string& message);

}  // namespace tutti

// `message` is evaluated only when `condition` is false.
#define TUTTI_CHECK(condition, message)                                     \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::tutti::broken_invariant(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
