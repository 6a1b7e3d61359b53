// SPDX-License-Identifier: BSD-3-Clause
// NCCL's choice for a call on the GPUs of a machine:
// `--algorithm auto:nccl-2.28[:NCCL_ALGO=LISTS][:NCCL_PROTO=LISTS]`.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/selection/dynamic_rules.hpp"
#include "platforms/placement.hpp"

namespace tutti::workloads {

// The versions of NCCL's tuning model: "nccl-2.28", the newest first.
std::vector<std::string> nccl_rules();
// Whether `algorithm` requests NCCL's choice: "auto:nccl", "auto:nccl-2.28:NCCL_ALGO=ring".
bool is_nccl_choice(std::string_view algorithm);
// Whether the part of a list of algorithms after a comma belongs to NCCL's list before it, as
// "tree" in "auto:nccl:NCCL_ALGO=ring,tree".
bool continues_nccl_list(std::string_view before, std::string_view part);

struct NcclChoice {
  const algorithms::Algorithm* algorithm = nullptr;
  int channels = 1;
  std::string version;  // "nccl-2.28"
  int line = 0;         // of the row that decided, in a tuner CSV; 0: none
  // Null for alltoall, gather and scatter, which NCCL sends as grouped messages.
  std::shared_ptr<const algorithms::selection::NcclPrediction> prediction = {};
};

struct NcclCall {
  std::string_view collective;
  Bytes message_bytes = 0;                                     // as in CollectiveArgs
  const algorithms::selection::DynamicRules* rules = nullptr;  // a tuner CSV; null: none
};

// Errors name --algorithm: an unknown version, invalid lists, a machine whose GPUs are not
// described, a collective that NCCL does not have, a choice that Tutti does not simulate.
Result<NcclChoice> choose_as_nccl(std::string_view algorithm, const NcclCall& call,
                                  const platforms::Machine& machine,
                                  const platforms::Placement& placed);

// "Ring/LL, 24 channels": NCCL's names of what runs; empty for algorithms of processors.
std::string nccl_names(const algorithms::Algorithm& algorithm, int channels);
// The same of a prediction: "NVLS/Simple".
std::string nccl_names(const algorithms::selection::NcclCandidate& candidate);

}  // namespace tutti::workloads
