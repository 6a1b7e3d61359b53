// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/io_record.hpp"

#include <array>

namespace tutti::studies {
namespace {

using Column = ColumnOf<IoRecord>;

template <auto member>
Cell get(const IoRecord& record) {
  return get_member<IoRecord, member>(record);
}

constexpr std::array table = {
    Column{"operation", get<&IoRecord::operation>},
    Column{"implementation", get<&IoRecord::implementation>},
    Column{"partitioning", get<&IoRecord::partitioning>},
    Column{"decomposition", get<&IoRecord::decomposition>},
    Column{"grid_rows", get<&IoRecord::grid_rows>},
    Column{"grid_columns", get<&IoRecord::grid_columns>},
    Column{"rows", get<&IoRecord::rows>},
    Column{"columns", get<&IoRecord::columns>},
    Column{"procs", get<&IoRecord::procs>},
    Column{"nodes", get<&IoRecord::nodes>},
    Column{"ppn", get<&IoRecord::ppn>},
    Column{"map", get<&IoRecord::map>},
    Column{"file_bytes", get<&IoRecord::file_bytes>},
    Column{"bytes_per_proc", get<&IoRecord::bytes_per_proc>},
    Column{"aggregators", get<&IoRecord::aggregators>},
    Column{"aggregator_placement", get<&IoRecord::aggregator_placement>},
    Column{"buffer_bytes", get<&IoRecord::buffer_bytes>},
    Column{"stripe_bytes", get<&IoRecord::stripe_bytes>},
    Column{"storage", get<&IoRecord::storage>},
    Column{"setup", get<&IoRecord::setup>},
    Column{"engine", get<&IoRecord::engine>},
    Column{"contention", get<&IoRecord::contention>},
    Column{"cycles", get<&IoRecord::cycles>},
    Column{"simulated_cycles", get<&IoRecord::simulated_cycles>},
    Column{"extrapolation", get<&IoRecord::extrapolation>},
    Column{"sampling_spread", get<&IoRecord::sampling_spread>},
    Column{"time_s", get<&IoRecord::time_s>},
    Column{"shuffle_s", get<&IoRecord::shuffle_s>},
    Column{"storage_s", get<&IoRecord::storage_s>},
    Column{"hidden_part", get<&IoRecord::hidden_part>},
    Column{"aggregator_min_s", get<&IoRecord::aggregator_min_s>},
    Column{"aggregator_mean_s", get<&IoRecord::aggregator_mean_s>},
    Column{"aggregator_max_s", get<&IoRecord::aggregator_max_s>},
    Column{"messages", get<&IoRecord::messages>},
    Column{"own_bytes", get<&IoRecord::own_bytes>},
    Column{"intra_node_bytes", get<&IoRecord::intra_node_bytes>},
    Column{"sending_nodes", get<&IoRecord::sending_nodes>},
    Column{"receiving_nodes", get<&IoRecord::receiving_nodes>},
    Column{"busiest_node", get<&IoRecord::busiest_node>},
    Column{"busiest_node_in_bytes", get<&IoRecord::busiest_node_in_bytes>},
    Column{"busiest_node_out_bytes", get<&IoRecord::busiest_node_out_bytes>},
    Column{"busiest_link", get<&IoRecord::busiest_link>},
    Column{"busiest_link_bytes", get<&IoRecord::busiest_link_bytes>},
    Column{"busiest_link_busy_s", get<&IoRecord::busiest_link_busy_s>},
    Column{"model_loggp_s", get<&IoRecord::model_loggp_s>},
    Column{"model_send_s", get<&IoRecord::model_send_s>},
    Column{"model_recv_s", get<&IoRecord::model_recv_s>},
    Column{"model_total_s", get<&IoRecord::model_total_s>},
    Column{"model_loggp_set", get<&IoRecord::model_loggp_set>},
    Column{"n_s", get<&IoRecord::n_s>},
    Column{"n_as", get<&IoRecord::n_as>},
    Column{"n_r", get<&IoRecord::n_r>},
    Column{"n_ar", get<&IoRecord::n_ar>},
    Column{"m_s_bytes", get<&IoRecord::m_s_bytes>},
    Column{"wall_s", get<&IoRecord::wall_s>, true},
    Column{"peak_rss_bytes", get<&IoRecord::peak_rss_bytes>, true},
};

}  // namespace

std::span<const ColumnOf<IoRecord>> io_columns() { return table; }

std::span<const ColumnOf<IoRecord>> io_parameter_columns() {
  return columns_before<IoRecord>(table, "cycles");
}

}  // namespace tutti::studies
