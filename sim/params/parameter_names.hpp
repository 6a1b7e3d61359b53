// SPDX-License-Identifier: BSD-3-Clause
// What a name of a parameter, ours or Open MPI's, is in a simulation.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::tuning {

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

}  // namespace tutti::studies::tuning
