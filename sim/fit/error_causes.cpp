// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/error_causes.hpp"

namespace tutti::studies {
namespace {

// Message and hint, without numbers and quoted texts.
std::string cause_of(const Error& error) {
  std::string key;
  bool is_quoted = false;
  for (const char c : error.message + "\n" + error.hint) {
    if (c == '\'') is_quoted = !is_quoted;
    if (!is_quoted && !(c >= '0' && c <= '9')) key += c;
  }
  return key;
}

}  // namespace

void ErrorCauses::add(const Error& error) {
  auto key = cause_of(error);
  const auto known = std::ranges::find(causes_, key, &Cause::key);
  if (known != causes_.end())
    ++known->count;
  else if (causes_.size() < ErrorList::most)
    causes_.push_back({std::move(key), error, 1});
}

std::vector<Error> ErrorCauses::errors() const {
  std::vector<Error> errors;
  for (const auto& [key, first, count] : causes_) {
    errors.push_back(first);
    if (count > 1)
      errors.back().message +=
          fmt::format(" (and in {} other {}{})", count - 1, noun_, count > 2 ? "s" : "");
  }
  return errors;
}

}  // namespace tutti::studies
