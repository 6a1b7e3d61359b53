// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/message_rows.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/loggp_measurement.hpp"

namespace tutti::studies {
namespace {

// Whether all models of a stream agree on what separates its messages: overheads and gap, or the
// wire.
bool is_simple_stream(const PairMeasurement& one, Bytes smallest, Bytes largest) {
  constexpr Bytes small = 64, nearly = 16;
  return (one.bytes == smallest && one.bytes <= small) || one.bytes >= largest / nearly;
}

}  // namespace

std::vector<MeasuredCollective> message_rows(const std::vector<PairMeasurement>& measured) {
  std::map<std::tuple<PairQuantity, int, Bytes>, std::vector<double>> times;
  for (const auto& measurement : measured)
    times[{measurement.quantity, measurement.window, measurement.bytes}].push_back(
        measurement.time_s);
  std::vector<PairMeasurement> medians;
  Bytes smallest = std::numeric_limits<Bytes>::max(), largest = 0;
  for (const auto& [key, all] : times) {
    const auto& [quantity, window, bytes] = key;
    medians.push_back({quantity, bytes, median_of(all), false, window});
    if (window == 0) continue;
    smallest = std::min(smallest, bytes);
    largest = std::max(largest, bytes);
  }
  std::vector<MeasuredCollective> rows;
  for (const auto& measurement : medians) {
    if (measurement.window > 0 && !is_simple_stream(measurement, smallest, largest)) continue;
    MeasuredCollective row{.collective = "message", .algorithm = "between two nodes", .procs = 2};
    row.message_bytes = measurement.bytes;
    row.time_s = measurement.time_s;
    row.message = measurement;
    rows.push_back(std::move(row));
  }
  return rows;
}

PingPongSizes ping_pong_of(const PairMeasurement& measured) {
  PingPongSizes messages{.sizes = {measured.bytes}};
  if (measured.window > 0) {
    messages.pattern = workloads::PingPongPattern::stream;
    messages.window = measured.window;
  }
  return messages;
}

Result<Seconds> message_time(const PairMeasurement& measured, const platforms::Machine& machine) {
  constexpr Seconds least = 1e-12;
  if (machine.host_count() < 2)
    return make_error(ErrorKind::input, "", "messages between nodes need at least two nodes",
                      "give --nodes 2 or more");
  const PairJob job{.nodes = first_nodes(machine)};
  if (measured.quantity == PairQuantity::one_way || measured.window > 0) {
    const auto times = TUTTI_TRY(ping_pong_times(machine, job, ping_pong_of(measured)));
    return std::max(least, times.front());
  }
  const auto message = TUTTI_TRY(measure_message(machine, job, measured.bytes));
  return std::max(least, measured.quantity == PairQuantity::send_overhead   ? message.o_send_s
                         : measured.quantity == PairQuantity::recv_overhead ? message.o_recv_s
                                                                            : message.interval_s);
}

}  // namespace tutti::studies
