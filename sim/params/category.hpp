// SPDX-License-Identifier: BSD-3-Clause
// What part of a job a parameter belongs to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::studies::tuning {

// Its messages, its collectives, its collective I/O, where its processes run.
enum class Category : unsigned char { network, collective, io, placement };

// "network", "collective", "io", "placement".
std::vector<std::string> category_names();
std::string_view category_name(Category category);
std::optional<Category> category_named(std::string_view name);

}  // namespace tutti::studies::tuning
