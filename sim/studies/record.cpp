// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/record.hpp"

#include <array>

namespace tutti::studies {
namespace {

constexpr std::array record_table = {
    Column{"collective", get_member<&Record::collective>},
    Column{"algorithm", get_member<&Record::algorithm>},
    Column{"requested_algorithm", get_member<&Record::requested_algorithm>},
    Column{"decided_by", get_member<&Record::decided_by>},
    Column{"runs_as", get_member<&Record::runs_as>},
    Column{"procs", get_member<&Record::procs>},
    Column{"nodes", get_member<&Record::nodes>},
    Column{"ppn", get_member<&Record::ppn>},
    Column{"map", get_member<&Record::map>},
    Column{"message_bytes", get_member<&Record::message_bytes>},
    Column{"segment_bytes", get_member<&Record::segment_bytes>},
    Column{"fanout", get_member<&Record::fanout>},
    Column{"root", get_member<&Record::root>},
    Column{"element_bytes", get_member<&Record::element_bytes>},
    Column{"counts", get_member<&Record::counts>},
    Column{"max_requests", get_member<&Record::max_requests>},
    Column{"commutative", get_member<&Record::commutative>},
    Column{"benchmark", get_member<&Record::benchmark>},
    Column{"repetitions", get_member<&Record::repetitions>},
    Column{"skew", get_member<&Record::skew>},
    Column{"noise", get_member<&Record::noise>},
    Column{"engine", get_member<&Record::engine>},
    Column{"contention", get_member<&Record::contention>},
    Column{"merge_window", get_simulated<&Record::merge_window>},
    Column{"time_s", get_member<&Record::time_s>},
    Column{"time_mean_s", get_member<&Record::time_mean_s>},
    Column{"time_min_s", get_member<&Record::time_min_s>},
    Column{"repetition_min_s", get_member<&Record::repetition_min_s>},
    Column{"repetition_mean_s", get_member<&Record::repetition_mean_s>},
    Column{"repetition_max_s", get_member<&Record::repetition_max_s>},
    Column{"starts", get_member<&Record::starts>},
    Column{"start_spread", get_member<&Record::start_spread>},
    Column{"confidence_low_s", get_member<&Record::confidence_low_s>},
    Column{"confidence_high_s", get_member<&Record::confidence_high_s>},
    Column{"after_last_arrival_s", get_member<&Record::after_last_arrival_s>},
    Column{"steps", get_member<&Record::steps>},
    Column{"simulated_steps", get_member<&Record::simulated_steps>},
    Column{"extrapolation", get_member<&Record::extrapolation>},
    Column{"extrapolation_error", get_member<&Record::extrapolation_error>},
    Column{"messages", get_simulated<&Record::messages>},
    Column{"wire_bytes", get_simulated<&Record::wire_bytes>},
    Column{"eager_messages", get_simulated<&Record::eager_messages>},
    Column{"detached_messages", get_simulated<&Record::detached_messages>},
    Column{"rendezvous_messages", get_simulated<&Record::rendezvous_messages>},
    Column{"intra_node_messages", get_simulated<&Record::intra_node_messages>},
    Column{"intra_node_bytes", get_simulated<&Record::intra_node_bytes>},
    Column{"model_hockney_s", get_member<&Record::model_hockney_s>},
    Column{"model_hockney_set", get_member<&Record::model_hockney_set>},
    Column{"model_loggp_s", get_member<&Record::model_loggp_s>},
    Column{"model_loggp_set", get_member<&Record::model_loggp_set>},
    Column{"wall_s", get_member<&Record::wall_s>, true},
    Column{"peak_rss_bytes", get_member<&Record::peak_rss_bytes>, true},
};

}  // namespace

Seconds time_to_compare(const Record& record) {
  return record.time_s.value_or(0) * (1 + record.start_spread.value_or(0));
}

std::span<const Column> columns() { return record_table; }

std::span<const Column> parameter_columns() {
  return columns_before<Record>(record_table, "time_s");
}

}  // namespace tutti::studies
