// SPDX-License-Identifier: BSD-3-Clause
// Measured collectives, and what a machine makes of them.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/record.hpp"

namespace tutti::studies {

// What was read from a table's rows, and which of them say nothing that could be read.

// A message or a collective; what is beyond was measured in another unit, or not at all.
inline constexpr Seconds least_measured_s = 1e-12;
inline constexpr Seconds most_measured_s = 1e6;
inline bool is_measurable(double time_s) {
  return time_s >= least_measured_s && time_s <= most_measured_s;
}

// Rows that should have been read, but could not be.
struct OmittedRows {
  std::size_t count = 0;
  std::size_t first = 0;  // of the table's rows
  std::string why;        // of the first

  void add(std::size_t row, std::string reason) {
    if (count++ > 0) return;
    first = row;
    why = std::move(reason);
  }
};

template <class T>
struct ReadRows {
  std::vector<T> found;
  OmittedRows omitted;
};

// The line of a row; 0: not known.
inline int line_of(const Table& table, std::size_t row) {
  return row < table.lines.size() ? table.lines[row] : 0;
}

inline Error error_of_row(const Table& table, std::size_t row, std::string message,
                          std::string hint = "") {
  auto error = make_error(ErrorKind::input, "", std::move(message), std::move(hint));
  error.line = line_of(table, row);
  if (error.line == 0) error.message = fmt::format("row {}: {}", row + 1, error.message);
  return error;
}

// Of a table in which nothing was found: what it lacks, or why its rows are none.
inline Error nothing_found(const Table& table, const OmittedRows& omitted,
                           const std::string& message, const std::string& hint) {
  if (omitted.count == 0) return make_error(ErrorKind::input, "", message, hint);
  return error_of_row(table, omitted.first, fmt::format("{}: {}", message, omitted.why), hint);
}

struct MeasuredCollective {
  std::string collective;
  std::string algorithm;  // as `sim run` names it, or "auto"
  std::int64_t procs = 0;
  std::int64_t ppn = 1;
  Bytes message_bytes = 0;                  // as `sim run` takes it
  std::optional<Bytes> segment_bytes = {};  // as the algorithm was asked for; none: not said
  std::optional<int> fanout = {};
  // A linear gather followed, and the root's clock counts (Nuriyev, Lastovetsky, section 4.2).
  std::optional<Bytes> gather_bytes = {};
  Seconds time_s = 0;
  Bytes element_bytes = 1;
  const workloads::Harness* harness = nullptr;  // that measured it; null: the bare call
  std::string torus = {};                       // the job's, "4x4x4"; empty: not known
  std::string measured_as = {};                 // as the file names the algorithm
  // The job that measured it: times of one run are compared with each other. Empty: not known.
  std::string run = {};
  std::string file = {};  // where it was read
  int line = 0;           // of it; 0: not known
  // A fit's row of a message between two nodes: no collective, but what was measured of it.
  std::optional<PairMeasurement> message = {};
};

// Columns: collective; algorithm or requested_algorithm (names of benchmarks are understood, see
// fitted_parameters.hpp); procs or nprocs; message_bytes, or buffer_bytes (the whole vector, of
// whatever collective); time_s, t_median_s, median_s or time_mean_s, or in microseconds time_us,
// t_median_us, median_us, time_mean_us or latency_us; maybe ppn, nodes (a torus: 4x4x4),
// segment_bytes, fanout, gather_bytes, element_bytes, benchmark, run or timestamp. Rows without a
// collective are none of these; others without a time, and those measured on accelerators (gpu:
// yes), are left out. Rows whose algorithm Tutti does not have are errors, or left out. Other
// errors: a column that is missing, no row left.
enum class UnknownAlgorithms : std::uint8_t {
  are_errors,
  are_omitted,
  are_kept  // without an algorithm, and counted as left out
};
Result<ReadRows<MeasuredCollective>> measured_collectives(
    const Table& table, UnknownAlgorithms unknown = UnknownAlgorithms::are_errors);

// Nine of ten times or more are longer than 0.5 s and what 1 MB/s a rank would take: no network is
// that slow, and microseconds that are taken for seconds are so.
bool look_like_microseconds(const std::vector<MeasuredCollective>& rows);

// What tells measured calls apart: rows of one key are simulated alike.
inline auto call_key(const MeasuredCollective& row) {
  return std::tuple(row.collective, row.algorithm, row.procs, row.message_bytes,
                    row.segment_bytes.value_or(0), row.fanout.value_or(0),
                    row.gather_bytes.value_or(-1), row.ppn, row.element_bytes, row.torus,
                    row.harness, row.message ? row.message->quantity : PairQuantity::one_way,
                    row.message ? row.message->window : 0);
}
using CallKey = decltype(call_key(MeasuredCollective{}));

// The point that simulates it, by engine `flow` and as its benchmark measures. `placement`: how
// ranks are mapped.
Result<Point> point_of(const MeasuredCollective& measured, const platforms::Machine& machine,
                       const platforms::PlacementRequest& placement = {});

// In this process. Of a message: between the first two nodes.
Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine);
// What its benchmark prints: the slowest rank's time, or the mean.
Seconds printed_time(const Record& record, const workloads::Harness* harness);

// Tables of measurements as the fit takes them.

// Columns that must have these texts: rows that do not are left out.
using OnlyRows = std::vector<std::pair<std::string, std::string>>;
// Errors: an unknown column, no row left.
Result<Table> rows_with(Table table, const OnlyRows& only);

// What a row says, by its columns: the size (message_bytes, bytes, mean_bytes, size), one-way times
// (one_way_s, half_rtt_median_s, rtt_s, or time_s, time_mean_s, t_median_s where `pattern` is
// pingpong or absent), intervals (interval_s, or a stream's time_s or bandwidth_Bps), o_send_s and
// o_recv_s; `path` intra is inside a node. Collectives and messages of many pairs are none of
// these; rows of unknown patterns, and others without a size or a time, are left out. Errors: no
// column of sizes, a number that is no time, nothing is left.
Result<ReadRows<PairMeasurement>> pair_measurements(const Table& table);

}  // namespace tutti::studies
