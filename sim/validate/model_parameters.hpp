// SPDX-License-Identifier: BSD-3-Clause
// The parameters of the formulas.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

struct ModelParameters {
  platforms::HockneyParameters hockney;
  platforms::LogGPParameters loggp;
};

// Parameters derived from the message protocol (platforms/parameters/models.hpp).
ModelParameters derived_parameters(const platforms::Machine& machine);

// `whose` is "platform" (the sets of the machine's file), "protocol" (derived) or "measured" (as by
// `sim run loggp` between the first two nodes). Only the models in `models` ("hockney", "loggp")
// must be measurable, others are derived. Errors: parameters that cannot be determined; their place
// is --parameters.
Result<ModelParameters> find_parameters(const std::string& whose, const platforms::Machine& machine,
                                        const std::vector<std::string>& models = {"hockney",
                                                                                  "loggp"});

}  // namespace tutti::studies
