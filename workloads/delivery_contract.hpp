// SPDX-License-Identifier: BSD-3-Clause
// The contract of each collective: the ranks' buffers before and after a call, as the MPI standard
// specifies. Input is in `send_buffer`, the result in `recv_buffer`; bcast works in place.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/ideal/ideal.hpp"

namespace tutti::workloads {

// `args` must outlive the call only.
engines::DataCheck delivery_contract(std::string_view collective, int procs,
                                     const algorithms::CollectiveArgs& args);

// Size of the contract in contributions of one rank to the contents of another: P for a broadcast,
// P^2 for an alltoall, 0 for a barrier.
std::int64_t contract_size(std::string_view collective, int procs);

}  // namespace tutti::workloads
