// SPDX-License-Identifier: BSD-3-Clause
// The fields of an IoRecord on their way from a child to its parent; a test holds that none is
// forgotten.
#pragma once

#include "sim/studies/wire.hpp"

namespace tutti::studies::wire {

// What is simulated.
template <class Archive, class Record>
void io_job_fields(Archive& archive, Record& record) {
  archive(record.operation);
  archive(record.implementation);
  archive(record.partitioning);
  archive(record.decomposition);
  archive(record.grid_rows);
  archive(record.grid_columns);
  archive(record.rows);
  archive(record.columns);
  archive(record.procs);
  archive(record.nodes);
  archive(record.ppn);
  archive(record.map);
  archive(record.file_bytes);
  archive(record.bytes_per_proc);
  archive(record.aggregators);
  archive(record.aggregator_placement);
  archive(record.buffer_bytes);
  archive(record.stripe_bytes);
  archive(record.storage);
  archive(record.setup);
  archive(record.repetitions);
  archive(record.skew);
  archive(record.noise);
  archive(record.engine);
  archive(record.contention);
  archive(record.merge_window);
}

template <class Archive, class Record>
void io_record_fields(Archive& archive, Record& record) {
  io_job_fields(archive, record);
  archive(record.cycles);
  archive(record.simulated_cycles);
  archive(record.extrapolation);
  archive(record.sampling_error);
  archive(record.time_s);
  archive(record.repetition_min_s);
  archive(record.repetition_mean_s);
  archive(record.repetition_max_s);
  archive(record.after_last_arrival_s);
  archive(record.shuffle_s);
  archive(record.storage_s);
  archive(record.hidden_part);
  archive(record.aggregator_min_s);
  archive(record.aggregator_mean_s);
  archive(record.aggregator_max_s);
  archive(record.messages);
  archive(record.own_bytes);
  archive(record.intra_node_bytes);
  archive(record.sending_nodes);
  archive(record.receiving_nodes);
  archive(record.busiest_node);
  archive(record.busiest_node_in_bytes);
  archive(record.busiest_node_out_bytes);
  archive(record.busiest_link);
  archive(record.busiest_link_bytes);
  archive(record.busiest_link_busy_s);
  archive(record.model_loggp_s);
  archive(record.model_send_s);
  archive(record.model_recv_s);
  archive(record.model_total_s);
  archive(record.model_loggp_set);
  archive(record.n_s);
  archive(record.n_as);
  archive(record.n_r);
  archive(record.n_ar);
  archive(record.m_s_bytes);
  archive(record.wall_s);
  archive(record.peak_rss_bytes);
  archive(record.aggregators_are_chosen);
  archive(record.engine_is_chosen);
}

}  // namespace tutti::studies::wire
