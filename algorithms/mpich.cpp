// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/mpich.hpp"

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/allgatherv.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoallv/alltoallv.hpp"
#include "algorithms/barrier/barrier.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/gatherv/gatherv.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/scan/scan.hpp"
#include "algorithms/scatterv/scatterv.hpp"

namespace tutti::algorithms::mpich {

std::span<const Algorithm> algorithms() {
  static const std::array table{
      bcast::binomial_mpich,
      bcast::scatter_recursive_doubling_allgather,
      bcast::scatter_ring_allgather,
      bcast::tree_kary,
      bcast::tree_knomial_1,
      bcast::tree_knomial_2,
      bcast::circ_graph,
      allgather::k_brucks,
      allgather::recexch_doubling,
      allgather::recexch_halving,
      allgather::circ_graph,
      allgatherv::recursive_doubling,
      allgatherv::ring_mpich,
      allgatherv::k_brucks,
      allgatherv::recexch_doubling,
      allgatherv::recexch_halving,
      allreduce::reduce_scatter_allgather_mpich,
      allreduce::recexch,
      allreduce::ring_mpich,
      allreduce::recursive_multiplying,
      allreduce::k_reduce_scatter_allgather,
      allreduce::tree_kary,
      allreduce::tree_knomial_1,
      allreduce::tree_knomial_2,
      allreduce::circ_graph,
      alltoall::scattered,
      alltoall::pairwise_mpich,
      alltoall::pairwise_sendrecv_replace,
      alltoall::k_brucks,
      alltoallv::scattered,
      alltoallv::pairwise_sendrecv_replace,
      barrier::k_dissemination,
      barrier::recexch,
      gatherv::linear_mpich,
      scatterv::linear_mpich,
      reduce::binomial_mpich,
      reduce::reduce_scatter_gather,
      reduce::circ_graph,
      reduce_scatter::recursive_doubling,
      reduce_scatter::noncommutative,
      reduce_scatter::pairwise,
      reduce_scatter::recexch,
      reduce_scatter_block::pairwise,
      reduce_scatter_block::recexch,
      scan::smp,
  };
  return table;
}

}  // namespace tutti::algorithms::mpich
