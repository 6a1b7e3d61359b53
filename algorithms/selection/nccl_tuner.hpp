// SPDX-License-Identifier: BSD-3-Clause
// NCCL's choice of algorithm, protocol and channels for a collective: its published tuning model.
// NCCL predicts a time for each algorithm and protocol, latency + bytes / bandwidth, and runs the
// pair with the shortest. The facts are in nccl/VERSION.toml; this class applies them as
// src/graph/tuning.cc (predictions), search.cc and connect.cc (channels) and src/enqueue.cc
// (channels by size) of NVIDIA/nccl do.
//
// Terms: a `channel` is a ring, a pair of trees or a head of NVLS with threads of its own; a
// `node` is a domain of GPUs that NVLink connects. Its search for channels is reduced to machines
// whose GPUs are equal: it fills the links of a GPU and the NICs of a node. Assumed: each NIC
// reaches its GPU without crossing the processor (NCCL's PXB or P2C), processors are not AMD's,
// and CollNet is disabled (NCCL_COLLNET_ENABLE=0, the default), so that NVLS is for one node.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

enum class NcclAlgorithm : std::uint8_t {
  tree,
  ring,
  collnet_direct,
  collnet_chain,
  nvls,
  nvls_tree,
  pat
};
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::size_t nccl_algorithm_count = 7, nccl_protocol_count = 3;

// NCCL's names: "NVLSTree", "LL128".
std::string_view nccl_name(NcclAlgorithm algorithm);
std::string_view nccl_name(NcclProtocol protocol);
// NCCL's name of an algorithm written in any way ("nvls_tree"); nothing: there is none.
std::optional<std::string_view> nccl_word(std::string_view name);
// Whether the text is an algorithm or a protocol as NCCL's lists name it.
bool is_nccl_word(std::string_view text);
// Whether the model has the collective.
bool has_nccl(std::string_view collective);

// What NCCL sees of a job.
struct NcclJob {
  std::string architecture;  // "volta", "ampere", "hopper" or "blackwell"
  int nodes = 1;
  int ranks = 1;               // GPUs; as many on each node
  bool has_switch = false;     // whether NVLink connects the GPUs by switches
  bool has_multicast = false;  // whether these copy and combine data (NVLink SHARP), for NVLS
  double nvlink_Bps = 0;       // of all links of a GPU, in one direction; 0: PCIe only
  double nic_Bps = 0;          // of one NIC
  int nics = 1;                // of the job's GPUs of a node
};

// The variables NCCL_ALGO and NCCL_PROTO, which restrict the choice; empty: unset.
struct NcclLists {
  std::string algorithms{};
  std::string protocols{};
};

// The prediction for an algorithm with a protocol.
struct NcclCandidate {
  NcclAlgorithm algorithm = NcclAlgorithm::ring;
  NcclProtocol protocol = NcclProtocol::simple;
  Seconds time_s = 0;         // not set if it is disabled
  std::string disabled = {};  // why NCCL does not consider it; empty: it does
};

struct NcclPrediction {
  std::vector<NcclCandidate> candidates;  // in NCCL's order
  std::size_t chosen = 0;                 // index of a candidate
  int channels = 1;                       // that carry the call's bytes

  const NcclCandidate& choice() const { return candidates[chosen]; }
};

// A row of a tuner CSV that decides a call.
struct NcclRow {
  NcclAlgorithm algorithm = NcclAlgorithm::ring;
  NcclProtocol protocol = NcclProtocol::simple;
  int channels = 0;  // 0: NCCL's number
  int line = 0;      // in the file
};

// The channels that NCCL's search finds for an algorithm.
struct NcclGraph {
  int channels = 0;       // 0: none
  double intra_GBps = 0;  // of a channel inside a node
  double inter_GBps = 0;  // of a channel between nodes
};

class NcclTuning;

class NcclTuner {
 public:
  // Errors: an unknown architecture, an invalid list, nothing that can be chosen.
  static Result<NcclTuner> make(const NcclTuning& version, NcclJob job,
                                const NcclLists& lists = {});

  // `collective`: bcast, reduce, allgather, reduce_scatter or allreduce. `bytes`: the whole vector,
  // or the blocks of all ranks. Error: the lists leave nothing, at which NCCL's call fails.
  Result<NcclPrediction> predict(std::string_view collective, Bytes bytes) const;
  // Replaces the choice by that of a row. False if NCCL does not consider its pair: it ignores the
  // row.
  bool apply(const NcclRow& row, std::string_view collective, Bytes bytes,
             NcclPrediction& prediction) const;
  NcclGraph graph(NcclAlgorithm algorithm) const;
  int most_channels() const { return channels_; }  // of rings and trees

 private:
  struct Term {
    double latency_us = 0;
    double bandwidth_GBps = 0;
  };
  NcclTuner(const NcclTuning& tuning, NcclJob job) : tuning_(&tuning), job_(std::move(job)) {}
  void find_rings();
  void raise_trees();
  void find_nvls();
  int spread_channels(std::string_view collective, const NcclCandidate& chosen, Bytes bytes) const;
  std::string reason_against(std::string_view collective, NcclAlgorithm algorithm,
                             NcclProtocol protocol) const;
  Term predict_term(std::string_view collective, NcclAlgorithm algorithm,
                    NcclProtocol protocol) const;
  double bus_bandwidth(std::string_view collective, NcclAlgorithm algorithm,
                       NcclProtocol protocol) const;
  double latency(std::string_view collective, NcclAlgorithm algorithm, NcclProtocol protocol) const;
  Seconds time_of(std::string_view collective, const NcclCandidate& candidate, Bytes bytes) const;
  double ranks_per_node() const { return static_cast<double>(job_.ranks) / job_.nodes; }

  const NcclTuning* tuning_;
  NcclJob job_;
  std::size_t row_ = 0;  // of the architecture
  NcclGraph rings_, trees_, nvls_;
  int channels_ = 1;
  // By collective: what NCCL_ALGO and NCCL_PROTO exclude.
  struct Exclusions {
    std::array<bool, nccl_algorithm_count> algorithms{};
    std::array<bool, nccl_protocol_count> protocols{};
    bool has_protocols = false;  // NCCL_PROTO is set, and enables LL128 wherever it is named
  };
  std::map<std::string, Exclusions, std::less<>> excluded_;
};

}  // namespace tutti::algorithms::selection
