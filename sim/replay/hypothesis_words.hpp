// SPDX-License-Identifier: BSD-3-Clause
// Words that files of hypotheses have in common, whatever their grammar.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/result.hpp"
#include "sim/replay/hypothesis.hpp"

namespace tutti::studies::replay {

// As Balance::Mode and Relation number them.
inline constexpr std::array<std::string_view, 4> balance_modes = {
    "global-instance", "process-local", "global", "scaled"};
inline constexpr std::array<std::string_view, 6> relations = {"==", "!=", "<", "<=", ">", ">="};

// The relation that a text begins with, equal if there is none, and the rest without blanks before.
std::pair<Relation, std::string_view> relation_before(std::string_view text);

// More than can be told apart in a replay. `path`: the place of the error.
std::optional<Error> too_many_parts(const Hypothesis& hypothesis, const std::string& path);

}  // namespace tutti::studies::replay
