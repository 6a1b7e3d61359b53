// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace tutti::tests {

// Sets an environment variable of this process, and restores it on destruction.
class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~EnvironmentVariable() {
    if (before_)
      ::setenv(name_.c_str(), before_->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace tutti::tests
