// SPDX-License-Identifier: BSD-3-Clause
// Measured collectives, and what a machine makes of them.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/fit/read_rows.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/record.hpp"

namespace tutti::studies {

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
// measured/names.hpp); procs or nprocs; message_bytes, or buffer_bytes (the whole vector, of
// whatever collective); time_s, t_median_s, median_s or time_mean_s, or in microseconds time_us,
// t_median_us, median_us, time_mean_us or latency_us; maybe ppn, nodes (a torus: 4x4x4),
// segment_bytes, fanout, gather_bytes, element_bytes, benchmark, run or timestamp. Rows without a
// collective are none of these; others without a time, and those measured on accelerators (gpu:
// yes), are left out. Rows whose algorithm Tutti does not have are errors, or left out. Other
// errors: a column that is missing, no row left.
enum class UnknownAlgorithms : std::uint8_t {
  are_errors,
  are_left_out,
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

}  // namespace tutti::studies
