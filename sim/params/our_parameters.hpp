// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a simulation that can be set: their names, and which values they take.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_names.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

// As an algorithm: Open MPI's own rules choose, as its number 0 says.
inline constexpr std::string_view own_choice = "auto";

// Whether it is a name of Open MPI's by its form (ours have a '/' or are single words known here).
bool looks_like_mca(std::string_view name);

// Of a parameter by our name ("mpi/eager_limit", "bcast/algorithm", "segment_size", "aggregators")
// or Open MPI's ("btl_tcp_links"). Nothing: a framework of Open MPI that is not known here, or an
// option of `sim run` that is no parameter.
std::optional<Category> category_of(std::string_view parameter);

// Those parameters of a set that are of one of the categories.
std::vector<store::NamedText> of_categories(const std::vector<store::NamedText>& parameters,
                                            const std::vector<Category>& categories);

// "algorithm" and the like of a set that was found for one collective: "bcast/algorithm". Other
// names stay.
std::string full_name(std::string_view name, std::string_view collective);

// What is wrong with a parameter that is to be kept, ours or Open MPI's: no name, a value that is
// no line of Open MPI's files, or what check_parameter finds.
std::optional<Error> check_kept_parameter(const store::NamedText& parameter);

// What is wrong with a parameter of ours: an unknown name, a value that is none. Its place is the
// name.
std::optional<Error> check_parameter(const store::NamedText& parameter);

}  // namespace tutti::studies::tuning
