// SPDX-License-Identifier: BSD-3-Clause
// The messages of the simulated cycles.
#pragma once

#include "io_models/legs.hpp"
#include "io_models/redistribution.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

class Schedule {
 public:
  // `cycles` are the simulated cycles in ascending order, which become the steps. `redistribution`
  // must outlive the object.
  Schedule(const Redistribution& redistribution, std::vector<std::int64_t> cycles);

  int steps() const { return static_cast<int>(cycles_.size()); }
  std::int64_t cycle(int step) const { return cycles_[step]; }
  const Legs& messages() const { return messages_; }
  const Redistribution& redistribution() const { return *redistribution_; }

 private:
  const Redistribution* redistribution_;
  std::vector<std::int64_t> cycles_;
  Legs messages_;
};

}  // namespace tutti::io_models
