// SPDX-License-Identifier: BSD-3-Clause
// Collects the errors of many rows: one for each cause, with their number.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// Errors have the same cause if they differ only in numbers and in quoted texts. The first one of
// each cause is kept, with the number of others in its message.
class ErrorCauses {
 public:
  // `noun` names the rows or jobs that have errors.
  explicit ErrorCauses(const char* noun) : noun_(noun) {}

  void add(const Error& error);

  bool empty() const { return causes_.empty(); }
  std::vector<Error> errors() const;

 private:
  struct Cause {
    std::string key;
    Error first;
    std::size_t count = 0;
  };
  const char* noun_;
  std::vector<Cause> causes_;
};

}  // namespace tutti::studies
