// SPDX-License-Identifier: BSD-3-Clause
// Making errors, and collecting all of one input up to a number that a person still reads.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti {

// An error without line and source.
inline Error make_error(ErrorKind kind, std::string place, std::string message,
                        std::string hint = "") {
  return {kind, std::move(place), 0, 0, std::move(message), std::move(hint)};
}

inline Error usage_error(std::string place, std::string message, std::string hint = "") {
  return make_error(ErrorKind::usage, std::move(place), std::move(message), std::move(hint));
}

// `error` with its message and hint: for one that has a place already.
inline Error told(Error error, std::string message, std::string hint = "") {
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

class ErrorList {
 public:
  static constexpr std::size_t most = 20;

  void add(Error error) {
    if (errors_.size() < most) errors_.push_back(std::move(error));
  }
  void add(const std::vector<Error>& errors) {
    for (const Error& error : errors) add(error);
  }
  // Those that are not there yet, at the same place with the same message.
  void add_new(const std::vector<Error>& errors) {
    for (const Error& error : errors)
      if (std::ranges::none_of(errors_, [&](const Error& known) {
            return known.place == error.place && known.line == error.line &&
                   known.column == error.column && known.message == error.message;
          }))
        add(error);
  }
  bool empty() const { return errors_.empty(); }
  bool full() const { return errors_.size() == most; }
  const std::vector<Error>& errors() const { return errors_; }

 private:
  std::vector<Error> errors_;
};

}  // namespace tutti
