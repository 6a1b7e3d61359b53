// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a simulation that can be set: their names and valid values.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

// The option of a simulation that the name of a Tutti or Open MPI parameter refers to.

struct KnownParameter {
  std::string option;          // of `sim run` or --set: "algorithm", "mpi/eager_limit"
  std::string workload;        // "bcast" of "bcast/algorithm"; empty: every workload that has it
  std::string without_effect;  // why the simulation does not model it; `option` is empty then

  // The name in conditions and parameter sets.
  std::string full_name() const { return workload.empty() ? option : workload + '/' + option; }
};

// Accepts "bcast/segment_size", "coll_tuned_bcast_algorithm_segmentsize", and abbreviations of
// Table 3.1 of Jha's dissertation ("btl_openib_rdma_num" for "btl_openib_eager_rdma_num"). Any
// other name is treated as an option of `sim run` or a key of --set.
KnownParameter known_parameter(const std::string& name);

// Translates a value of an Open MPI parameter into Tutti's: an algorithm's number into its name,
// "slot" into "block". Other values are unchanged. Fails if the number is not an algorithm.
Result<std::string> our_value(const std::string& mca_name, const std::string& value);

// The inverse: the number that Open MPI's parameter has for a value of Tutti's, 6 for "binomial".
// Nothing if there is no such number.
std::optional<double> mca_number(const std::string& mca_name, const Cell& value);

// The part of a job that a parameter affects: messages, collectives, collective I/O, placement of
// processes.
enum class Category : unsigned char { network, collective, io, placement };

// "network", "collective", "io", "placement".
std::vector<std::string> category_names();
std::string_view category_name(Category category);
std::optional<Category> parse_category(std::string_view name);

// The algorithm name for "Open MPI's decision rules choose", Open MPI's number 0.
inline constexpr std::string_view own_choice = "auto";

// Whether a name has the form of an Open MPI parameter. Tutti's names contain a '/' or are one of a
// few known words.
bool looks_like_mca(std::string_view name);

// The category of a parameter by Tutti's name ("mpi/eager_limit", "bcast/algorithm",
// "segment_size", "aggregators") or Open MPI's ("btl_tcp_links"). Nothing for an unknown framework
// of Open MPI, or an option of `sim run` that is not a parameter.
std::optional<Category> parameter_category(std::string_view parameter);

// Completes "algorithm", "segment_size", ... with the collective of its parameter set:
// "bcast/algorithm". Other names are unchanged.
std::string full_name(std::string_view name, std::string_view collective);

// Checks a Tutti or Open MPI parameter before it is stored: an invalid name, a value that cannot be
// a line of Open MPI's files, or an error of check_parameter.
std::optional<Error> check_kept_parameter(const store::NamedText& parameter);

// Checks name and value of one of Tutti's parameters. The place of the error is the name.
std::optional<Error> check_parameter(const store::NamedText& parameter);

}  // namespace tutti::studies::tuning
