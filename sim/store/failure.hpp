// SPDX-License-Identifier: BSD-3-Clause
// How this folder's own functions fail: they throw what the functions of Store catch and return.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sim/base/error_list.hpp"
#include "sim/store/file_kind.hpp"

namespace tutti::store {

struct Failure {
  Error error;
};

[[noreturn]] inline void fail(ErrorKind kind, const std::string& path, std::string message,
                              std::string hint = "") {
  throw Failure{make_error(kind, path, std::move(message), std::move(hint))};
}

// `what` says how it shows.
[[noreturn]] inline void fail_damaged(const FileKind& kind, const std::string& path,
                                      const std::string& what) {
  std::string hint(kind.salvages);
  if (const auto at = hint.find("{}"); at != std::string::npos) hint.replace(at, 2, path);
  fail(ErrorKind::store, path, "the " + std::string(kind.noun) + " is damaged: " + what, hint);
}

// Calls `run` and gives what it returns, or the error that it threw.
template <class T, class Run>
T caught(const Run& run) {
  try {
    return run();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

// Calls `run`; the error that it threw, or nothing.
template <class Run>
std::optional<Error> error_of(const Run& run) {
  return caught<std::optional<Error>>([&]() -> std::optional<Error> {
    run();
    return std::nullopt;
  });
}

}  // namespace tutti::store
