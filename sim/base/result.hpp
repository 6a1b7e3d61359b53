// SPDX-License-Identifier: BSD-3-Clause
// The result of a reader or a check: a value, or one or more errors with places and hints.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"

namespace tutti {

enum class ErrorKind {
  usage,     // wrong option or argument: exit code 2
  input,     // invalid content of a file: exit code 2
  store,     // a result store is damaged, locked, or of another version: exit code 3
  io,        // a file cannot be written, or the disk is full: exit code 4
  run,       // a simulation failed or found nothing: exit code 1
  check,     // a requested check or comparison failed: exit code 1
  internal,  // a bug in Tutti: exit code 70
};

// A problem to report. `place` is the path of a file, or an option ("--procs"). `line` and `column`
// count from 1; 0 means none. `source` is the offending line.
struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string place = {};
  int line = 0;
  int column = 0;
  std::string message = {};
  std::string hint = {};
  std::string source = {};
  // For options with values KEY=VALUE: the key, and whether the key itself is wrong. They determine
  // the position in a file, and are not shown.
  std::string subject = {};
  bool is_of_key = false;
};

// A value, or a non-empty list of errors. Not a std::variant: since each reader has a Result of its
// own type, those took a tenth of the time of compiling.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T held) : value_(std::in_place, std::move(held)) {}        // NOLINT: implicit on purpose
  Result(Error error) { errors_.push_back(std::move(error)); }      // NOLINT
  Result(std::vector<Error> errors) : errors_(std::move(errors)) {  // NOLINT
    TUTTI_CHECK(!errors_.empty(), "a failed Result needs an error");
  }

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T& value() {
    TUTTI_CHECK(value_.has_value(), "value() of a failed Result");
    return *value_;
  }
  const T& value() const {
    TUTTI_CHECK(value_.has_value(), "value() of a failed Result");
    return *value_;
  }
  const std::vector<Error>& errors() const {
    TUTTI_CHECK(!value_.has_value(), "errors() of a successful Result");
    return errors_;
  }
  const Error& error() const { return errors().front(); }

 private:
  std::optional<T> value_;
  std::vector<Error> errors_;
};

// The return value of a failed TUTTI_TRY; converts to a Result, to a list of errors, or to the
// first error.
struct Failed {
  std::vector<Error> errors;
  template <class T>
  operator Result<T>() && {  // NOLINT: implicit on purpose
    return std::move(errors);
  }
  operator std::vector<Error>() && { return std::move(errors); }            // NOLINT
  operator std::optional<Error>() && { return std::move(errors.front()); }  // NOLINT
};
}  // namespace tutti

// Evaluates to the value of a Result; if it failed, returns its errors from the enclosing function.
//   const auto machine = TUTTI_TRY(load_machine(name));
#define TUTTI_TRY(...)                                              \
  __extension__({                                                   \
    auto tutti_tried = (__VA_ARGS__);                               \
    if (!tutti_tried) return ::tutti::Failed{tutti_tried.errors()}; \
    *std::move(tutti_tried);                                        \
  })

namespace tutti {

// Creating errors, and collecting the errors of one input up to a readable number.

// An error without line and source.
inline Error make_error(ErrorKind kind, std::string place, std::string message,
                        std::string hint = "") {
  return {kind, std::move(place), 0, 0, std::move(message), std::move(hint)};
}

inline Error usage_error(std::string place, std::string message, std::string hint = "") {
  return make_error(ErrorKind::usage, std::move(place), std::move(message), std::move(hint));
}

// Sets message and hint of an error that already has a place.
inline Error reported(Error error, std::string message, std::string hint = "") {
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
  // Adds errors, except duplicates with the same place and message.
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

// An error of the input or the environment, thrown where no Result can be returned: in a rank's
// coroutine, or in an engine. `guarded` (sim/jobs/child_process.hpp) and `main` report it.

struct ThrownError : std::runtime_error {
  explicit ThrownError(Error its_error)
      : runtime_error(its_error.message), error(std::move(its_error)) {}

  Error error;
};

}  // namespace tutti
