// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/record.hpp"

#include <array>

namespace tutti::studies {
namespace {

template <auto member>
Cell get(const Record& record) {
  return get_member<Record, member>(record);
}

constexpr std::array table = {
    Column{"collective", get<&Record::collective>},
    Column{"algorithm", get<&Record::algorithm>},
    Column{"requested_algorithm", get<&Record::requested_algorithm>},
    Column{"decided_by", get<&Record::decided_by>},
    Column{"runs_as", get<&Record::runs_as>},
    Column{"procs", get<&Record::procs>},
    Column{"nodes", get<&Record::nodes>},
    Column{"ppn", get<&Record::ppn>},
    Column{"map", get<&Record::map>},
    Column{"message_bytes", get<&Record::message_bytes>},
    Column{"segment_bytes", get<&Record::segment_bytes>},
    Column{"fanout", get<&Record::fanout>},
    Column{"root", get<&Record::root>},
    Column{"element_bytes", get<&Record::element_bytes>},
    Column{"counts", get<&Record::counts>},
    Column{"max_requests", get<&Record::max_requests>},
    Column{"commutative", get<&Record::commutative>},
    Column{"repetitions", get<&Record::repetitions>},
    Column{"skew", get<&Record::skew>},
    Column{"noise", get<&Record::noise>},
    Column{"engine", get<&Record::engine>},
    Column{"contention", get<&Record::contention>},
    Column{"merge_window", get<&Record::merge_window>},
    Column{"time_s", get<&Record::time_s>},
    Column{"time_mean_s", get<&Record::time_mean_s>},
    Column{"time_min_s", get<&Record::time_min_s>},
    Column{"repetition_min_s", get<&Record::repetition_min_s>},
    Column{"repetition_mean_s", get<&Record::repetition_mean_s>},
    Column{"repetition_max_s", get<&Record::repetition_max_s>},
    Column{"after_last_arrival_s", get<&Record::after_last_arrival_s>},
    Column{"steps", get<&Record::steps>},
    Column{"simulated_steps", get<&Record::simulated_steps>},
    Column{"extrapolation", get<&Record::extrapolation>},
    Column{"extrapolation_error", get<&Record::extrapolation_error>},
    Column{"messages", get<&Record::messages>},
    Column{"wire_bytes", get<&Record::wire_bytes>},
    Column{"eager_messages", get<&Record::eager_messages>},
    Column{"detached_messages", get<&Record::detached_messages>},
    Column{"rendezvous_messages", get<&Record::rendezvous_messages>},
    Column{"intra_node_messages", get<&Record::intra_node_messages>},
    Column{"intra_node_bytes", get<&Record::intra_node_bytes>},
    Column{"model_hockney_s", get<&Record::model_hockney_s>},
    Column{"model_hockney_set", get<&Record::model_hockney_set>},
    Column{"model_loggp_s", get<&Record::model_loggp_s>},
    Column{"model_loggp_set", get<&Record::model_loggp_set>},
    Column{"wall_s", get<&Record::wall_s>, true},
    Column{"peak_rss_bytes", get<&Record::peak_rss_bytes>, true},
};

}  // namespace

std::span<const Column> columns() { return table; }

std::span<const Column> parameter_columns() { return columns_before<Record>(table, "time_s"); }

}  // namespace tutti::studies
