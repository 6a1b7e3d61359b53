// SPDX-License-Identifier: BSD-3-Clause
// NVLink SHARP: the switch of a domain combines what GPUs read (multimem loads) and copies what one
// GPU writes to all of them (multicast).
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::nccl {

inline constexpr std::string_view nvls_prefix = "nccl_nvls";

// Whether the switch of a domain combines and copies for the algorithm.
inline bool uses_multicast(const Algorithm& algorithm) {
  return algorithm.device_protocol && algorithm.name.starts_with(nvls_prefix);
}

// Data of an allreduce's messages among `gpus` GPUs per byte that crosses their links. Messages of
// the program go to each GPU, 2 (n-1)/n of the vector from each; the links carry (n+1)/n of it in
// each direction: all that the switch reads and a multicast of the GPU's part, or all that it
// copies and the sum of the part. NCCL expects `efficiency` of the links' rate (nvlsEfficiency in
// src/graph/tuning.cc of NVIDIA/nccl 2.27: 0.85 on Hopper, 0.74 on Blackwell).
double data_per_multicast_byte(std::string_view architecture, int gpus);

}  // namespace tutti::algorithms::nccl
