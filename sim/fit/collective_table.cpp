// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/collective_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "algorithms/collective.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/fit/names.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {
namespace {

class CollectiveTableReading {
 public:
  CollectiveTableReading(const Table& table, UnknownAlgorithms unknown)
      : table_(table), unknown_(unknown) {}

  Result<ReadRows<MeasuredCollective>> read() {
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read(table_.rows[row_]);
    if (!errors_.empty()) return errors_.errors();
    if (!read_.found.empty()) return std::move(read_);
    return nothing_found(table_, read_.left_out, "no times of collectives",
                         "columns collective, algorithm, procs, message_bytes, time_s "
                         "(or time_us)");
  }

 private:
  using Cells = std::vector<Cell>;

  Cell cell(const Cells& row, std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      const auto at = std::ranges::find(table_.columns, name);
      if (at == table_.columns.end()) continue;
      const Cell& found = row[static_cast<std::size_t>(at - table_.columns.begin())];
      if (!std::holds_alternative<std::monostate>(found)) return found;
    }
    return {};
  }

  std::optional<std::int64_t> integer(const Cells& row,
                                      std::initializer_list<std::string_view> names) const {
    constexpr double most = 1e15;
    const auto number = number_of(cell(row, names));
    if (!number || !(*number >= 0) || *number > most) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }

  void read(const Cells& row) {
    MeasuredCollective one;
    one.collective = collective_of_benchmark(to_text(cell(row, {"collective"})));
    if (one.collective.empty()) return;
    if (to_text(cell(row, {"gpu"})) == "yes") return read_.left_out.add(row_, "on accelerators");
    if (!read_time(row, one)) return;
    one.line = std::max(0, line_of(table_, row_));
    const auto procs = integer(row, {"procs", "nprocs"});
    if (!procs || *procs < 1) return wrong("a row has no number of processes", "column procs");
    one.procs = *procs;
    if (one.procs == 1) return read_.left_out.add(row_, "one process sends nothing");
    if (!read_ppn(row, one)) return;
    const auto* collective = algorithms::find_collective(one.collective);
    if (collective == nullptr && unknown_ != UnknownAlgorithms::are_errors)
      return read_.left_out.add(row_, fmt::format("Tutti has no {}", in_quotes(one.collective)));
    if (collective == nullptr)
      return wrong(fmt::format("unknown collective {}", in_quotes(one.collective)),
                   "`sim list algorithms` names them all");
    const auto message = integer(row, {"message_bytes"});
    const auto whole = integer(row, {"buffer_bytes"});
    if (!message && !whole && collective->has_message)
      return wrong("a row has no message size", "column message_bytes, or buffer_bytes");
    read_names(row, one);
    one.message_bytes = message ? *message : block_of(whole.value_or(0), *collective, one);
    one.segment_bytes = integer(row, {"segment_bytes"});
    if (const auto fanout = integer(row, {"fanout"}); fanout && *fanout > 0)
      one.fanout = static_cast<int>(std::min<std::int64_t>(*fanout, 1 << 20));
    one.gather_bytes = integer(row, {"gather_bytes"});
    if (read_algorithm(row, one)) read_.found.push_back(std::move(one));
  }

  // The first of these columns that the table has: in another one an empty time would be replaced
  // by another quantity.
  std::string_view time_column() const {
    for (const std::string_view name :
         {"time_s", "t_median_s", "median_s", "time_mean_s", "time_us", "t_median_us", "median_us",
          "time_mean_us", "latency_us"})
      if (std::ranges::find(table_.columns, name) != table_.columns.end()) return name;
    return {};
  }

  bool read_time(const Cells& row, MeasuredCollective& one) {
    const auto column = time_column();
    const std::string_view unit = column.ends_with("_us") ? "us" : "s";
    const Cell time = cell(row, {column});
    const bool is_missing = std::holds_alternative<std::monostate>(time);
    const auto number = number_of(time);
    one.time_s = number.value_or(0) * (unit == "us" ? 1e-6 : 1);
    if (number && is_measurable(one.time_s)) return true;
    read_.left_out.add(row_, is_missing ? "no time"
                                        : fmt::format("{} is no time of a collective, in {}",
                                                      in_quotes(to_text(time)), unit));
    return false;
  }

  bool read_ppn(const Cells& row, MeasuredCollective& one) {
    const Cell given = cell(row, {"ppn"});
    if (std::holds_alternative<std::monostate>(given)) return true;
    const auto ppn = integer(row, {"ppn"});
    if (ppn && *ppn >= 1) {
      one.ppn = *ppn;
      return true;
    }
    wrong(fmt::format("invalid number of processes per node {}", in_quotes(to_text(given))),
          "column ppn");
    return false;
  }

  void read_names(const Cells& row, MeasuredCollective& one) const {
    one.measured_as = to_text(cell(row, {"requested_algorithm", "algorithm"}));
    one.run = to_text(cell(row, {"run", "timestamp"}));
    one.harness = workloads::find_harness(to_text(cell(row, {"benchmark"})));
    const auto nodes = to_text(cell(row, {"nodes"}));
    if (nodes.find('x') != std::string::npos) one.torus = nodes;
    const auto element = integer(row, {"element_bytes"});
    if (element && *element > 0)
      one.element_bytes = *element;
    else if (is_name_of_pico(one.measured_as))
      one.element_bytes = pico_element_bytes;
  }

  // Of a whole vector, which is dealt out in elements.
  static Bytes block_of(Bytes whole, const algorithms::Collective& collective,
                        MeasuredCollective& one) {
    const std::int64_t blocks = collective.in_blocks ? one.procs : 1;
    if (whole % one.element_bytes != 0 || whole / one.element_bytes < blocks) one.element_bytes = 1;
    return whole / one.element_bytes / blocks * one.element_bytes;
  }

  bool read_algorithm(const Cells&, MeasuredCollective& one) {
    if (const auto found = algorithm_of_benchmark(one.collective, one.measured_as)) {
      one.algorithm = *found;
      return true;
    }
    if (unknown_ != UnknownAlgorithms::are_errors) {
      read_.left_out.add(
          row_, fmt::format("Tutti has no {} {}", one.collective, in_quotes(one.measured_as)));
      return unknown_ == UnknownAlgorithms::are_kept;
    }
    std::vector<std::string> names;
    for (const auto* each : algorithms::algorithms_of(one.collective))
      names.emplace_back(each->name);
    wrong(fmt::format("{} has no algorithm {}", one.collective, in_quotes(one.measured_as)),
          did_you_mean(one.measured_as, names, "leave its rows out by --only"));
    return false;
  }

  // Each thing once, not once a row.
  void wrong(const std::string& message, const std::string& hint) {
    if (std::ranges::find(told_, message) != told_.end()) return;
    told_.push_back(message);
    errors_.add(error_of_row(table_, row_, message, hint));
  }

  const Table& table_;
  UnknownAlgorithms unknown_;
  ReadRows<MeasuredCollective> read_;
  std::size_t row_ = 0;  // that is read
  std::vector<std::string> told_;
  ErrorList errors_;
};

}  // namespace

Result<ReadRows<MeasuredCollective>> measured_collectives(const Table& table,
                                                          UnknownAlgorithms unknown) {
  return CollectiveTableReading(table, unknown).read();
}

bool look_like_microseconds(const std::vector<MeasuredCollective>& rows) {
  constexpr Seconds longest_latency_s = 0.5;
  constexpr double least_Bps = 1e6, most = 0.9;
  const auto is_too_long = [](const MeasuredCollective& row) {
    const auto* collective = algorithms::find_collective(row.collective);
    const bool in_blocks = collective != nullptr && collective->in_blocks;
    const double bytes =
        static_cast<double>(row.message_bytes) * static_cast<double>(in_blocks ? row.procs : 1);
    return row.time_s > longest_latency_s + bytes / least_Bps;
  };
  const auto too_long = std::ranges::count_if(rows, is_too_long);
  return too_long > 0 && static_cast<double>(too_long) >= most * static_cast<double>(rows.size());
}

Result<Point> point_of(const MeasuredCollective& measured, const platforms::Machine& machine,
                       const platforms::PlacementRequest& placement) {
  Sweep sweep;
  sweep.collective = measured.collective;
  sweep.algorithms = {measured.algorithm};
  sweep.procs = {measured.procs};
  sweep.ppn = {measured.ppn};
  sweep.message_bytes = {measured.message_bytes};
  // Rules that choose an algorithm choose these, too.
  if (!workloads::is_automatic(measured.algorithm)) {
    if (measured.segment_bytes) sweep.segment_bytes = {*measured.segment_bytes};
    if (measured.fanout) sweep.fanouts = {*measured.fanout};
  }
  sweep.element_bytes = measured.element_bytes;
  sweep.common.placement = placement;
  sweep.common.engine = engines::EngineKind::flow;
  sweep.common.benchmark.harness = measured.harness;
  auto points = TUTTI_TRY(points_of(sweep, machine));
  return std::move(points.all.front());
}

Seconds printed_time(const Record& record, const workloads::Harness* harness) {
  const bool mean = harness != nullptr && harness->prints_mean;
  return (mean ? record.time_mean_s : record.time_s).value_or(0);
}

Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine) {
  if (measured.message) return message_time(*measured.message, machine);
  auto point = TUTTI_TRY(point_of(measured, machine));
  point.starts.runs = 0;  // the same start for all numbers that a fit tries
  const auto answer = TUTTI_TRY(run_point(point, machine));
  return printed_time(answer.record, measured.harness);
}

}  // namespace tutti::studies
