// SPDX-License-Identifier: BSD-3-Clause
// An error of the input or the surroundings, found where no Result can be returned: in a rank's
// coroutine, in an engine. `guarded` (sim/studies/child_process.hpp) and `main` report it.
#pragma once

#include <stdexcept>
#include <utility>

#include "sim/base/result.hpp"

namespace tutti {

struct ThrownError : std::runtime_error {
  explicit ThrownError(Error its_error)
      : runtime_error(its_error.message), error(std::move(its_error)) {}

  Error error;
};

}  // namespace tutti
