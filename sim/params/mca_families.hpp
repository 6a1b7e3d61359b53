// SPDX-License-Identifier: BSD-3-Clause
// The names of Open MPI's parameters, as far as they are known here, by component. Sources:
//   1.8  btl_openib_mca.c, btl_sm_component.c, btl_base_mca.c, coll_tuned_*.c, io_ompio_component.c
//        and fcoll_*_component.c of 1.8.4 and its trunk
//   4.1  `ompi_info --all --parsable` of Debian 12's 4.1.4 (a test asks it again)
//   5.0  opal/mca/btl/sm/btl_sm_component.c, btl_base_mca.c, io_ompio_component.c of its branch
#pragma once

#include <string_view>

#include "sim/params/category.hpp"

namespace tutti::studies::tuning {

enum Versions : unsigned { in_1_8 = 1, in_4_1 = 2, in_5_0 = 4 };

struct McaFamily {
  std::string_view prefix;
  unsigned versions;         // a set of Versions
  std::string_view endings;  // with blanks between them
};

// By framework: what stands before the first '_' of a name, or is all of it.
struct McaFramework {
  std::string_view name;
  Category category;
};
inline constexpr McaFramework mca_frameworks[] = {
    {"btl", Category::network}, {"pml", Category::network},     {"mtl", Category::network},
    {"mpi", Category::network}, {"coll", Category::collective}, {"io", Category::io},
    {"fcoll", Category::io},    {"fs", Category::io},           {"fbtl", Category::io},
    {"sharedfp", Category::io}, {"rmaps", Category::placement}};

inline constexpr unsigned everywhere = in_1_8 | in_4_1 | in_5_0;

inline constexpr McaFamily mca_families[] = {
    // Selections; the value names components.
    {"", everywhere, "btl pml coll io fcoll"},
    {"", in_1_8 | in_4_1, "rmaps_base_mapping_policy"},
    {"", everywhere, "mpi_leave_pinned mpi_leave_pinned_pipeline mpi_preconnect_all"},
    // What every point-to-point component has (btl_base_mca.c).
    {"btl_openib_", in_1_8 | in_4_1,
     "exclusivity flags rndv_eager_limit eager_limit max_send_size rdma_pipeline_send_length "
     "rdma_pipeline_frag_size min_rdma_pipeline_size latency bandwidth"},
    {"btl_tcp_", everywhere,
     "exclusivity flags rndv_eager_limit eager_limit max_send_size rdma_pipeline_send_length "
     "rdma_pipeline_frag_size min_rdma_pipeline_size latency bandwidth"},
    {"btl_sm_", in_1_8 | in_5_0,
     "exclusivity flags rndv_eager_limit eager_limit max_send_size latency bandwidth"},
    {"btl_sm_", in_5_0, "rdma_pipeline_send_length rdma_pipeline_frag_size min_rdma_pipeline_size"},
    {"btl_vader_", in_4_1,
     "exclusivity flags rndv_eager_limit eager_limit max_send_size rdma_pipeline_send_length "
     "rdma_pipeline_frag_size min_rdma_pipeline_size latency bandwidth"},
    {"btl_ofi_", in_4_1 | in_5_0, "exclusivity flags rndv_eager_limit eager_limit max_send_size"},
    // And their own.
    {"btl_openib_", in_1_8 | in_4_1,
     "free_list_num free_list_max free_list_inc use_eager_rdma eager_rdma_threshold max_eager_rdma "
     "eager_rdma_num use_message_coalescing receive_queues max_inline_data cq_size reg_mru_len "
     "ib_max_rdma_dst_ops btls_per_lid max_btls cq_poll_ratio eager_rdma_poll_ratio"},
    {"btl_tcp_", everywhere,
     "links free_list_num free_list_max free_list_inc sndbuf rcvbuf endpoint_cache"},
    {"btl_sm_", in_1_8,
     "free_list_num free_list_max free_list_inc max_procs fifo_size num_fifos fifo_lazy_free "
     "sm_extra_procs"},
    {"btl_vader_", in_4_1,
     "free_list_num free_list_max free_list_inc memcpy_limit segment_size max_inline_send "
     "fbox_threshold fbox_max fbox_size single_copy_mechanism"},
    {"btl_sm_", in_5_0,
     "free_list_num free_list_max free_list_inc memcpy_limit segment_size max_inline_send "
     "fbox_threshold fbox_max fbox_size"},
    {"pml_ob1_", everywhere,
     "send_pipeline_depth recv_pipeline_depth max_rdma_per_request max_send_per_range "
     "unexpected_limit use_all_rdma free_list_num free_list_max free_list_inc"},
    // Collectives.
    {"coll_tuned_", everywhere,
     "priority use_dynamic_rules dynamic_rules_filename init_tree_fanout init_chain_fanout "
     "alltoallv_algorithm barrier_algorithm"},
    {"coll_tuned_allreduce_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_alltoall_algorithm", everywhere,
     "= _segmentsize _tree_fanout _chain_fanout _max_requests"},
    {"coll_tuned_allgather_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_allgatherv_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_bcast_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_bcast_algorithm", in_4_1 | in_5_0, "_knomial_radix"},
    {"coll_tuned_reduce_algorithm", everywhere,
     "= _segmentsize _tree_fanout _chain_fanout _max_requests"},
    {"coll_tuned_reduce_scatter_algorithm", everywhere,
     "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_reduce_scatter_block_algorithm", in_4_1 | in_5_0, "= _segmentsize _tree_fanout"},
    {"coll_tuned_gather_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_scatter_algorithm", everywhere, "= _segmentsize _tree_fanout _chain_fanout"},
    {"coll_tuned_scatter_algorithm", in_4_1 | in_5_0, "_max_requests"},
    {"coll_tuned_scan_algorithm", in_4_1 | in_5_0, "="},
    {"coll_tuned_exscan_algorithm", in_4_1 | in_5_0, "="},
    // Collective I/O.
    {"io_ompio_", everywhere, "priority cycle_buffer_size bytes_per_agg"},
    {"io_ompio_", in_4_1 | in_5_0,
     "num_aggregators grouping_option max_aggregators_ratio aggregators_cutoff_threshold "
     "overwrite_amode"},
    {"fcoll_", everywhere, "dynamic_priority individual_priority"},
    {"fcoll_", in_1_8 | in_4_1, "two_phase_priority"},
    {"fcoll_", in_4_1 | in_5_0,
     "dynamic_gen2_priority dynamic_gen2_num_groups vulcan_priority vulcan_num_groups "
     "vulcan_async_io"},
    {"fcoll_", in_4_1, "vulcan_write_chunksize"},
    {"fcoll_", in_1_8, "static_priority ylib_priority"},
};

}  // namespace tutti::studies::tuning
