// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/io_record.hpp"

#include <array>

namespace tutti::studies {
namespace {

using IoColumn = ColumnOf<IoRecord>;

constexpr std::array io_table = {
    IoColumn{"operation", get_member<&IoRecord::operation>},
    IoColumn{"implementation", get_member<&IoRecord::implementation>},
    IoColumn{"partitioning", get_member<&IoRecord::partitioning>},
    IoColumn{"decomposition", get_member<&IoRecord::decomposition>},
    IoColumn{"grid_rows", get_member<&IoRecord::grid_rows>},
    IoColumn{"grid_columns", get_member<&IoRecord::grid_columns>},
    IoColumn{"rows", get_member<&IoRecord::rows>},
    IoColumn{"columns", get_member<&IoRecord::columns>},
    IoColumn{"procs", get_member<&IoRecord::procs>},
    IoColumn{"nodes", get_member<&IoRecord::nodes>},
    IoColumn{"ppn", get_member<&IoRecord::ppn>},
    IoColumn{"map", get_member<&IoRecord::map>},
    IoColumn{"file_bytes", get_member<&IoRecord::file_bytes>},
    IoColumn{"bytes_per_proc", get_member<&IoRecord::bytes_per_proc>},
    IoColumn{"aggregators", get_member<&IoRecord::aggregators>},
    IoColumn{"aggregator_placement", get_member<&IoRecord::aggregator_placement>},
    IoColumn{"buffer_bytes", get_member<&IoRecord::buffer_bytes>},
    IoColumn{"stripe_bytes", get_member<&IoRecord::stripe_bytes>},
    IoColumn{"storage", get_member<&IoRecord::storage>},
    IoColumn{"setup", get_member<&IoRecord::setup>},
    IoColumn{"repetitions", get_member<&IoRecord::repetitions>},
    IoColumn{"skew", get_member<&IoRecord::skew>},
    IoColumn{"noise", get_member<&IoRecord::noise>},
    IoColumn{"engine", get_member<&IoRecord::engine>},
    IoColumn{"contention", get_member<&IoRecord::contention>},
    IoColumn{"merge_window", get_simulated<&IoRecord::merge_window>},
    IoColumn{"cycles", get_simulated<&IoRecord::cycles>},
    IoColumn{"simulated_cycles", get_simulated<&IoRecord::simulated_cycles>},
    IoColumn{"extrapolation", get_member<&IoRecord::extrapolation>},
    IoColumn{"sampling_error", get_member<&IoRecord::sampling_error>},
    IoColumn{"time_s", get_member<&IoRecord::time_s>},
    IoColumn{"repetition_min_s", get_member<&IoRecord::repetition_min_s>},
    IoColumn{"repetition_mean_s", get_member<&IoRecord::repetition_mean_s>},
    IoColumn{"repetition_max_s", get_member<&IoRecord::repetition_max_s>},
    IoColumn{"after_last_arrival_s", get_member<&IoRecord::after_last_arrival_s>},
    IoColumn{"shuffle_s", get_member<&IoRecord::shuffle_s>},
    IoColumn{"storage_s", get_member<&IoRecord::storage_s>},
    IoColumn{"hidden_part", get_member<&IoRecord::hidden_part>},
    IoColumn{"aggregator_min_s", get_member<&IoRecord::aggregator_min_s>},
    IoColumn{"aggregator_mean_s", get_member<&IoRecord::aggregator_mean_s>},
    IoColumn{"aggregator_max_s", get_member<&IoRecord::aggregator_max_s>},
    IoColumn{"messages", get_simulated<&IoRecord::messages>},
    IoColumn{"own_bytes", get_simulated<&IoRecord::own_bytes>},
    IoColumn{"intra_node_bytes", get_simulated<&IoRecord::intra_node_bytes>},
    IoColumn{"sending_nodes", get_simulated<&IoRecord::sending_nodes>},
    IoColumn{"receiving_nodes", get_simulated<&IoRecord::receiving_nodes>},
    IoColumn{"busiest_node", get_member<&IoRecord::busiest_node>},
    IoColumn{"busiest_node_in_bytes", get_member<&IoRecord::busiest_node_in_bytes>},
    IoColumn{"busiest_node_out_bytes", get_member<&IoRecord::busiest_node_out_bytes>},
    IoColumn{"busiest_link", get_member<&IoRecord::busiest_link>},
    IoColumn{"busiest_link_bytes", get_member<&IoRecord::busiest_link_bytes>},
    IoColumn{"busiest_link_busy_s", get_member<&IoRecord::busiest_link_busy_s>},
    IoColumn{"model_loggp_s", get_member<&IoRecord::model_loggp_s>},
    IoColumn{"model_send_s", get_member<&IoRecord::model_send_s>},
    IoColumn{"model_recv_s", get_member<&IoRecord::model_recv_s>},
    IoColumn{"model_total_s", get_member<&IoRecord::model_total_s>},
    IoColumn{"model_loggp_set", get_member<&IoRecord::model_loggp_set>},
    IoColumn{"n_s", get_member<&IoRecord::n_s>},
    IoColumn{"n_as", get_member<&IoRecord::n_as>},
    IoColumn{"n_r", get_member<&IoRecord::n_r>},
    IoColumn{"n_ar", get_member<&IoRecord::n_ar>},
    IoColumn{"m_s_bytes", get_member<&IoRecord::m_s_bytes>},
    IoColumn{"wall_s", get_member<&IoRecord::wall_s>, true},
    IoColumn{"peak_rss_bytes", get_member<&IoRecord::peak_rss_bytes>, true},
};

}  // namespace

std::span<const ColumnOf<IoRecord>> io_columns() { return io_table; }

std::span<const ColumnOf<IoRecord>> io_parameter_columns() {
  return columns_before<IoRecord>(io_table, "cycles");
}

}  // namespace tutti::studies
