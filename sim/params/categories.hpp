// SPDX-License-Identifier: BSD-3-Clause
// Categories by name, and which one a parameter is of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/params/category.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

// "network", "collective", "io", "placement".
std::vector<std::string> category_names();
std::string_view category_name(Category category);
std::optional<Category> category_named(std::string_view name);

// Of a parameter by our name ("mpi/eager_limit", "bcast/algorithm", "segment_size", "aggregators")
// or Open MPI's ("btl_tcp_links"). Nothing: a framework of Open MPI that is not known here, or an
// option of `sim run` that is no parameter.
std::optional<Category> category_of(std::string_view parameter);

// Those parameters of a set that are of one of the categories.
std::vector<store::NamedText> of_categories(const std::vector<store::NamedText>& parameters,
                                            const std::vector<Category>& categories);

}  // namespace tutti::studies::tuning
