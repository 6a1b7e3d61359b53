// SPDX-License-Identifier: BSD-3-Clause
// The parameters that formulas are fed with.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

struct ModelParameters {
  platforms::HockneyParameters hockney;
  platforms::LogGPParameters loggp;
};

// From the message protocol (platforms/parameters/models.hpp).
ModelParameters derived_parameters(const platforms::Machine& machine);

// `whose`: "platform", the sets of the machine's file; "protocol", derived; "measured", as `sim run
// loggp` measures them between the first two nodes. Of "hockney" and "loggp" only `models` must be
// measurable, the other is derived. Errors: what cannot be determined; their place is --parameters.
Result<ModelParameters> parameters_of(const std::string& whose, const platforms::Machine& machine,
                                      const std::vector<std::string>& models = {"hockney",
                                                                                "loggp"});

}  // namespace tutti::studies
