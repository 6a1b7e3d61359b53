// SPDX-License-Identifier: BSD-3-Clause
// Whether a simulation takes long, told before it starts.
#pragma once

#include <optional>
#include <string>

#include "platforms/machine.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

// "4.3 billion messages; at about a million a second they take 1.2 hours".
std::string time_in_full(const Point& point);
// Of a point with more than two billion of them.
std::optional<std::string> told_if_long(const Point& point);

// Of a point that is simulated several times, as it may depend on its start (starts.hpp), where
// that is more than a million messages: how often, and how it is simulated once.
std::optional<std::string> said_of_starts(const Point& point, const platforms::Machine& machine);

}  // namespace tutti::studies
