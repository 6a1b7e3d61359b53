// SPDX-License-Identifier: BSD-3-Clause
// A collective that another one calls: Open MPI's goes through its decision function as a user's
// call does, whatever algorithm was forced for the outer one; so a file of dynamic rules decides
// it, where the outer call came from one.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms::selection {

// What CollectiveArgs::selection, else Open MPI 4.1's fixed rules choose, with the segment size and
// fan-out that they choose. The collective's name must outlive the thread.
struct Decided {
  const Algorithm* algorithm = nullptr;
  CollectiveArgs args;
};
Decided decided(std::string_view collective, int procs, const CollectiveArgs& args);

runtime::Task run_decided(std::string_view collective, runtime::Rank& me,
                          const CollectiveArgs& args);
// Of the algorithm that really runs.
std::string name_of_decided(std::string_view collective, const ModelArgs& args);
std::int64_t messages_of_decided(std::string_view collective, const ModelArgs& args);
// No number where the algorithm has no formula (the hardware's).
Seconds cost_of_decided(std::string_view collective, const ModelArgs& args,
                        const models::MessageCost& cost);

}  // namespace tutti::algorithms::selection
