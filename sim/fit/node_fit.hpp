// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node share. Streams of several pairs of ranks at once (osu_mbw_mr, IMB
// Uniband), with one rank of each pair on either node, show the NIC: its bandwidth, the rate that a
// single rank reaches, and the bytes by which each message occupies it beyond its data (headers, or
// the time of the adapter). What no measurement shows has the values of typical nodes.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

struct NicFit {
  double bandwidth_Bps = 0;
  std::optional<double> rank_Bps = {};  // unset: one rank reaches the NIC's bandwidth
  Bytes message_bytes = 0;              // mpi/envelope
  bool half_duplex = false;             // streams in both directions are as fast as in one
  int pairs = 0;                        // most pairs at once
  std::vector<FittedParameter> parameters = {};
};

// Fits the NIC to streams of one pair and of several pairs. Unset without streams of several pairs
// of messages of at least 256 KiB.
std::optional<NicFit> fit_nic(const std::vector<PairMeasurement>& streams);

// Values of a node with two sockets, by number of cores, for what was not measured inside a node.
// Source: osu_allreduce, osu_alltoall and osu_allgather of 64 ranks on two nodes of 2 x 16 cores
// (stackhpc/hpc-tests f735aa2f: Open MPI 4 with UCX over InfiniBand and over RoCE).
struct TypicalNode {
  std::vector<platforms::GivenParameter> given;
  std::vector<FittedParameter> parameters;  // the same for reports, with their intervals
};
TypicalNode typical_node(int cores);

}  // namespace tutti::studies
