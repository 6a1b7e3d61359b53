// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a simulation that can be set: their names, and which values they take.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

// What a name of a parameter, ours or Open MPI's, is in a simulation.

struct KnownParameter {
  std::string option;          // of `sim run` or --set: "algorithm", "mpi/eager_limit"
  std::string workload;        // that alone: "bcast" of "bcast/algorithm"; empty: all that have it
  std::string without_effect;  // why the simulation has no such parameter; then `option` is empty

  // As conditions and sets of parameters name it.
  std::string full_name() const { return workload.empty() ? option : workload + '/' + option; }
};

// "bcast/segment_size", "coll_tuned_bcast_algorithm_segmentsize", "btl_openib_rdma_num" (Table 3.1
// of the dissertation; "btl_openib_eager_rdma_num" in full). Any other name is taken for an option
// of `sim run`, or a key of --set.
KnownParameter known_parameter(const std::string& name);

// A value of Open MPI's parameter as ours: the name of an algorithm's number, "block" of "slot".
// Other values stay. An error: Open MPI's value has no meaning here.
Result<std::string> our_value(const std::string& mca_name, const std::string& value);

// A value of ours as the number that Open MPI's parameter of that name has: 6 of "binomial".
// Nothing where it has none.
std::optional<double> mca_number(const std::string& mca_name, const Cell& value);

// What part of a job a parameter belongs to.

// Its messages, its collectives, its collective I/O, where its processes run.
enum class Category : unsigned char { network, collective, io, placement };

// "network", "collective", "io", "placement".
std::vector<std::string> category_names();
std::string_view category_name(Category category);
std::optional<Category> category_named(std::string_view name);

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
