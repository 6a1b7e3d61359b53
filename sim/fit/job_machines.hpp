// SPDX-License-Identifier: BSD-3-Clause
// The machines of measured jobs: a torus has the dimensions of the job, where these are known.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

// Each is made once, when it is first asked for, and stays where it is.
class JobMachines {
 public:
  // The machine with a job's torus, "4x4x4"; empty: with its own.
  using Make = std::function<Result<platforms::Machine>(const std::string& torus)>;

  explicit JobMachines(Make make) : make_(std::move(make)) {}

  Result<const platforms::Machine*> of(const std::string& torus) {
    const auto known = made_.find(torus);
    if (known != made_.end()) return &known->second;
    return &made_.emplace(torus, TUTTI_TRY(make_(torus))).first->second;
  }

 private:
  Make make_;
  std::map<std::string, platforms::Machine> made_;
};

}  // namespace tutti::studies
