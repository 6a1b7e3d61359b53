// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups of PGMPITuneLib, with its names: a table per file.
#pragma once

#include "algorithms/guidelines/mockup.hpp"

namespace tutti::algorithms::guidelines {

std::vector<Mockup> moving_mockups();
std::vector<Mockup> reducing_mockups();
std::vector<Mockup> moving_lane_mockups();
std::vector<Mockup> reducing_lane_mockups();
std::vector<Mockup> circulant_mockups();

}  // namespace tutti::algorithms::guidelines
