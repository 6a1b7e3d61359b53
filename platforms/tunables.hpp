// SPDX-License-Identifier: BSD-3-Clause
// What of the message protocol one tunes, and what Open MPI calls it. The other parameters of
// messages describe a machine: nobody chooses a latency.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

struct Tunable {
  std::string_view key;  // of --set
  std::string_view unit;
  std::string_view otherwise;  // where neither the file nor --set gives it
  std::string_view effect;
};

inline constexpr Tunable tunables[] = {
    {"mpi/eager_limit", "size", "64KiB",
     "largest message between nodes that leaves before its receive is posted"},
    {"mpi/eager_credits", "count", "none",
     "eager messages from one rank to another that the receiver has not taken out of its buffers; "
     "the next ones wait at the sender"},
    {"mpi/fragment_size", "size", "none",
     "pieces in which a rendezvous message is registered and moves; small ones cost overheads, "
     "large ones overlap little"},
    {"mpi/pipeline_depth", "count", "none",
     "pieces of one such message that are registered or move at once"},
    {"mpi/intra_eager_limit", "size", "mpi/eager_limit", "the same inside a node"},
    {"mpi/intra_eager_credits", "count", "none", "the same inside a node"},
    {"mpi/intra_fragment_size", "size", "none",
     "pieces in which a rendezvous message is copied into and out of shared memory"},
    {"mpi/intra_pipeline_depth", "count", "none", "pieces of one such message at once"},
};

struct OpenMpiParameter {
  std::string_view name;
  std::string_view first;   // release
  std::string_view last;    // release
  std::string_view key;     // of `tunables`; empty: without effect here
  std::string_view reason;  // why it is without effect
};

// Those of the dissertation's Table 3.1 (openib and sm of Open MPI 1.8.1; it prints
// btl_openib_eager_rdma_num and _threshold without "eager_"), and their successors. btl/vader is
// called sm from 5.0 on.
inline constexpr OpenMpiParameter open_mpi_parameters[] = {
    {"btl_openib_eager_limit", "1.8", "4.1", "mpi/eager_limit", ""},
    {"btl_tcp_eager_limit", "1.8", "5.0", "mpi/eager_limit", ""},
    {"btl_openib_eager_rdma_num", "1.8", "4.1", "mpi/eager_credits", ""},
    {"btl_openib_rdma_pipeline_frag_size", "1.8", "4.1", "mpi/fragment_size", ""},
    {"btl_tcp_max_send_size", "1.8", "5.0", "mpi/fragment_size", ""},
    {"pml_ob1_recv_pipeline_depth", "1.8", "5.0", "mpi/pipeline_depth", ""},
    {"btl_sm_eager_limit", "1.8", "1.8", "mpi/intra_eager_limit", ""},
    {"btl_vader_eager_limit", "1.8", "4.1", "mpi/intra_eager_limit", ""},
    {"btl_sm_eager_limit", "5.0", "5.0", "mpi/intra_eager_limit", ""},
    {"btl_sm_max_send_size", "1.8", "1.8", "mpi/intra_fragment_size", ""},
    {"btl_vader_max_send_size", "1.8", "4.1", "mpi/intra_fragment_size", ""},
    {"btl_sm_max_send_size", "5.0", "5.0", "mpi/intra_fragment_size", ""},
    {"pml_ob1_send_pipeline_depth", "1.8", "5.0", "mpi/intra_pipeline_depth", ""},
    {"btl_openib_eager_rdma_threshold", "1.8", "4.1", "",
     "the first messages to a peer cost what the later ones do"},
    {"btl_openib_use_eager_rdma", "1.8", "4.1", "",
     "an eager message costs the same sent or written by RDMA"},
    {"btl_openib_use_message_coalescing", "1.8", "4.1", "",
     "messages that wait for a credit leave one by one"},
    {"btl_openib_free_list_num", "1.8", "4.1", "", "memory of the library, which is not modelled"},
    {"btl_openib_free_list_inc", "1.8", "4.1", "", "memory of the library, which is not modelled"},
    {"btl_sm_fifo_size", "1.8", "1.8", "", "a queue that is full is not modelled"},
    {"btl_sm_num_fifos", "1.8", "1.8", "", "senders do not wait for each other's entries"},
    {"btl_sm_free_list_num", "1.8", "1.8", "", "memory of the library, which is not modelled"},
};

}  // namespace tutti::platforms
