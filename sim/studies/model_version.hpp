// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tutti::studies {

// Of what decides a simulated number. Each change that CHANGELOG.md lists under "Changed results"
// raises it: points that an older version stored are then simulated again.
inline constexpr int model_version = 7;

}  // namespace tutti::studies
