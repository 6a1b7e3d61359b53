// SPDX-License-Identifier: BSD-3-Clause
// The tunable parameters of the message protocol and their names in Open MPI. All other message
// parameters describe the machine.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

struct Tunable {
  std::string_view key;  // of --set
  std::string_view unit;
  std::string_view otherwise;  // the default if neither the file nor --set sets it
  std::string_view effect;
};

inline constexpr Tunable tunables[] = {
    {"mpi/eager_limit", "size", "64KiB",
     "largest message between nodes that is sent before its receive is posted"},
    {"mpi/eager_credits", "count", "none",
     "eager buffers that a receiver keeps for one sender; while all are full, further messages "
     "wait at the sender"},
    {"mpi/fragment_size", "size", "none",
     "size of the fragments in which a rendezvous message is registered and sent; small fragments "
     "add overhead, large ones overlap little"},
    {"mpi/pipeline_depth", "count", "none",
     "fragments of one rendezvous message that are registered or in flight at once"},
    {"mpi/intra_eager_limit", "size", "mpi/eager_limit", "the same inside a node"},
    {"mpi/intra_eager_credits", "count", "none", "the same inside a node"},
    {"mpi/intra_fragment_size", "size", "none",
     "size of the fragments in which a rendezvous message is copied into and out of shared memory"},
    {"mpi/intra_pipeline_depth", "count", "none",
     "fragments of one rendezvous message in flight at once"},
};

struct OpenMpiParameter {
  std::string_view name;
  std::string_view first;   // release
  std::string_view last;    // release
  std::string_view key;     // of `tunables`; empty: no effect in the simulation
  std::string_view reason;  // why it has no effect
};

// The parameters in Table 3.1 of Jha's dissertation (openib and sm of Open MPI 1.8.1; the table
// prints btl_openib_eager_rdma_num and _threshold without "eager_") and their successors. btl/vader
// is called sm from 5.0 on.
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
     "the first messages to a peer cost the same as later ones"},
    {"btl_openib_use_eager_rdma", "1.8", "4.1", "",
     "an eager message costs the same by send/receive and by RDMA"},
    {"btl_openib_use_message_coalescing", "1.8", "4.1", "",
     "messages that wait for a credit are sent one by one"},
    {"btl_openib_free_list_num", "1.8", "4.1", "", "memory of the library is not modelled"},
    {"btl_openib_free_list_inc", "1.8", "4.1", "", "memory of the library is not modelled"},
    {"btl_sm_fifo_size", "1.8", "1.8", "", "full queues are not modelled"},
    {"btl_sm_num_fifos", "1.8", "1.8", "", "senders do not wait for each other's queue entries"},
    {"btl_sm_free_list_num", "1.8", "1.8", "", "memory of the library is not modelled"},
};

}  // namespace tutti::platforms
