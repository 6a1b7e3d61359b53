// SPDX-License-Identifier: BSD-3-Clause
// Tables of measured times of collectives and messages, and the simulation of their rows.
#pragma once

#include <initializer_list>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/record.hpp"

namespace tutti::studies {

// Range of plausible times of a message or a collective; times outside of it have another unit or
// were not measured.
inline constexpr Seconds least_measured_s = 1e-12;
inline constexpr Seconds most_measured_s = 1e6;
inline bool is_measurable(double time_s) {
  return time_s >= least_measured_s && time_s <= most_measured_s;
}

// Rows that are skipped because they cannot be read.
struct OmittedRows {
  struct Reason {
    std::string text;
    std::size_t count = 0;
  };
  std::size_t count = 0;
  std::size_t first = 0;        // index in the table's rows
  std::vector<Reason> reasons;  // in the order of their first rows

  void add(std::size_t row, std::string reason) {
    if (count++ == 0) first = row;
    const auto known = std::ranges::find(reasons, reason, &Reason::text);
    if (known != reasons.end())
      ++known->count;
    else
      reasons.push_back({std::move(reason), 1});
  }
  // Returns the reason of all rows, or a list of reasons with the number of rows of each.
  std::string why() const;
};

template <class T>
struct ReadRows {
  std::vector<T> found;
  OmittedRows omitted;
  std::vector<std::string> warnings = {};
};

// Returns the line of a row in its file; 0 if it is unknown.
inline int line_of(const Table& table, std::size_t row) {
  return row < table.lines.size() ? table.lines[row] : 0;
}

// Returns the index of the first of these columns that the table has; unset if there is none of
// them.
inline std::optional<std::size_t> find_column(const Table& table,
                                              std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto at = std::ranges::find(table.columns, name);
    if (at != table.columns.end()) return static_cast<std::size_t>(at - table.columns.begin());
  }
  return std::nullopt;
}

inline Error error_of_row(const Table& table, std::size_t row, std::string message,
                          std::string hint = "") {
  auto error = make_error(ErrorKind::input, "", std::move(message), std::move(hint));
  error.line = line_of(table, row);
  if (error.line == 0) error.message = fmt::format("row {}: {}", row + 1, error.message);
  return error;
}

// Returns the error for a table without usable rows. Its message ends with the reason why the first
// row was skipped.
inline Error nothing_found(const Table& table, const OmittedRows& omitted,
                           const std::string& message, const std::string& hint) {
  if (omitted.count == 0) return make_error(ErrorKind::input, "", message, hint);
  return error_of_row(table, omitted.first,
                      fmt::format("{}: {}", message, omitted.reasons.front().text), hint);
}

struct MeasuredCollective {
  std::string collective;
  std::string algorithm;  // name in `sim run`, or "auto"
  std::int64_t procs = 0;
  std::int64_t ppn = 1;
  Bytes message_bytes = 0;                  // as `sim run` defines it
  std::optional<Bytes> segment_bytes = {};  // as requested; unset: unknown
  std::optional<int> fanout = {};
  // Size of the linear gather that followed the call, after which the root's clock was read
  // (Nuriyev and Lastovetsky, section 4.2); unset if none followed.
  std::optional<Bytes> gather_bytes = {};
  Seconds time_s = 0;
  Bytes element_bytes = 1;
  const workloads::Harness* harness = nullptr;  // benchmark that measured it; null for a bare call
  std::string torus = {};                       // torus of the job, "4x4x4"; empty if unknown
  std::string measured_as = {};                 // name of the algorithm in the file
  // The job that measured it; only times of the same run are compared. Empty if unknown.
  std::string run = {};
  // The rules by which its library chooses algorithms ("auto:ompi-4.1"); empty if unknown.
  std::string rules = {};
  // The nodes on which it ran; null if unknown.
  std::shared_ptr<const platforms::Allocation> allocation = {};
  // The mapping of its ranks to nodes; null if unknown.
  std::shared_ptr<const platforms::PlacementRequest> mapping = {};
  std::string file = {};  // source file
  int line = 0;           // line in the file; 0 if unknown
  // Set for a row of a fit that represents a message between two nodes instead of a collective.
  std::optional<PairMeasurement> message = {};

  std::int64_t nodes() const { return (procs + ppn - 1) / std::max<std::int64_t>(1, ppn); }
};

// Values that apply to rows without them, as in the output of OSU.
struct MissingValues {
  std::optional<std::int64_t> procs = {};
  std::optional<std::int64_t> ppn = {};  // unset: 1
  std::string algorithm = {};            // empty: the library's choice
  std::shared_ptr<const platforms::PlacementRequest> mapping = {};
  // The benchmark that measured all rows; null if the rows name it or are bare calls.
  const workloads::Harness* harness = nullptr;
};

// Reads rows of collectives. Columns: collective; algorithm or requested_algorithm (names of
// benchmarks are translated, see fitted_parameters.hpp); procs or nprocs; message_bytes, or
// buffer_bytes (the whole vector, for any collective); time_s, t_median_s, median_s or time_mean_s
// (which comes first if the benchmark prints the mean), or in microseconds time_us, t_median_us,
// median_us, time_mean_us or latency_us; optional: ppn, nodes (a torus: 4x4x4), segment_bytes,
// fanout, gather_bytes, element_bytes, benchmark, run or timestamp, mpi. Rows without a collective
// are ignored; rows without a time, and rows measured on accelerators (gpu: yes), are skipped.
// `UnknownAlgorithms` determines what happens to rows with an unsupported algorithm. Other errors:
// a missing column or value, no row left.
enum class UnknownAlgorithms : std::uint8_t {
  are_errors,
  are_omitted,
  are_kept  // without an algorithm, and counted as skipped
};
Result<ReadRows<MeasuredCollective>> measured_collectives(
    const Table& table, UnknownAlgorithms unknown = UnknownAlgorithms::are_errors,
    const MissingValues& missing = {});

// True if at least 90 % of the times are longer than 0.5 s and longer than at 1 MB/s per rank: no
// network is that slow, so these are microseconds taken for seconds.
bool look_like_microseconds(const std::vector<MeasuredCollective>& rows);

// Identifies a measured call: rows with equal keys have equal simulated times.
inline auto call_key(const MeasuredCollective& row) {
  return std::tuple(row.collective, row.algorithm, row.procs, row.message_bytes,
                    row.segment_bytes.value_or(0), row.fanout.value_or(0),
                    row.gather_bytes.value_or(-1), row.ppn, row.element_bytes, row.torus,
                    row.harness, row.allocation, row.mapping,
                    row.message ? row.message->quantity : PairQuantity::one_way,
                    row.message ? row.message->window : 0);
}
using CallKey = decltype(call_key(MeasuredCollective{}));

// Returns the point that simulates the row with engine `flow`, as its benchmark measures. The
// placement maps the ranks of rows without a mapping of their own.
Result<Point> point_of(const MeasuredCollective& measured, const platforms::Machine& machine,
                       const platforms::PlacementRequest& placement = {});

// Simulates a row in this process. A message is sent between the first two nodes.
Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine);
// Returns the time that the benchmark prints: the slowest rank's, or the mean.
Seconds printed_time(const Record& record, const workloads::Harness* harness);

// Pairs of column and text; rows with other texts are dropped.
using OnlyRows = std::vector<std::pair<std::string, std::string>>;
// Returns the rows that match all pairs. Errors: an unknown column, no row left.
Result<Table> rows_with(Table table, const OnlyRows& only);

// Reads messages between two ranks from the columns: size (message_bytes, bytes, mean_bytes, size);
// one-way times (one_way_s, half_rtt_median_s, rtt_s, or time_s, time_mean_s, t_median_s where
// `pattern` is pingpong or absent); intervals (interval_s, or a stream's time_s or bandwidth_Bps);
// o_send_s and o_recv_s; `path` intra is inside a node. Rows of collectives and of messages of many
// pairs are ignored; rows with unknown patterns, without a size or without a time are skipped.
// Errors: no column of sizes, an invalid time, no row left.
Result<ReadRows<PairMeasurement>> pair_measurements(const Table& table);

}  // namespace tutti::studies
