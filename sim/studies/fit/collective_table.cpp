// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/collective_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "algorithms/collective.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {
namespace {

constexpr const char* automatic = "auto";

class CollectiveTableReading {
 public:
  explicit CollectiveTableReading(const Table& table) : table_(table) {}

  Result<ReadRows<MeasuredCollective>> read() {
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read(table_.rows[row_]);
    if (!errors_.empty()) return errors_.errors();
    if (!read_.found.empty()) return std::move(read_);
    return nothing_found(table_, read_.left_out, "no times of collectives",
                         "columns collective, algorithm, procs, message_bytes, time_s");
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
    one.collective = to_text(cell(row, {"collective"}));
    if (one.collective.empty()) return;
    const auto time = cell(row, {"time_s", "t_median_s", "median_s", "time_mean_s"});
    const auto time_s = number_of(time);
    if (!time_s || !is_measurable(*time_s))
      return read_.left_out.add(
          row_, std::holds_alternative<std::monostate>(time)
                    ? "no time"
                    : fmt::format("{} is no time of a collective, in s", in_quotes(to_text(time))));
    one.time_s = *time_s;
    const auto procs = integer(row, {"procs", "nprocs"});
    if (!procs || *procs < 1) return wrong("a row has no number of processes", "column procs");
    one.procs = *procs;
    if (one.procs == 1) return read_.left_out.add(row_, "one process sends nothing");
    one.ppn = std::max<std::int64_t>(1, integer(row, {"ppn"}).value_or(1));
    const auto* collective = algorithms::find_collective(one.collective);
    if (collective == nullptr)
      return wrong(fmt::format("unknown collective {}", in_quotes(one.collective)),
                   "`sim list algorithms` names them all");
    const auto message = integer(row, {"message_bytes"});
    const auto whole = integer(row, {"buffer_bytes"});
    if (!message && !whole && collective->has_message)
      return wrong("a row has no message size", "column message_bytes, or buffer_bytes");
    one.message_bytes =
        message ? *message : whole.value_or(0) / (collective->in_blocks ? one.procs : 1);
    one.segment_bytes = integer(row, {"segment_bytes"});
    if (const auto fanout = integer(row, {"fanout"}); fanout && *fanout > 0)
      one.fanout = static_cast<int>(std::min<std::int64_t>(*fanout, 1 << 20));
    one.gather_bytes = integer(row, {"gather_bytes"});
    if (read_algorithm(row, one)) read_.found.push_back(std::move(one));
  }

  bool read_algorithm(const Cells& row, MeasuredCollective& one) {
    one.algorithm = to_text(cell(row, {"requested_algorithm", "algorithm"}));
    constexpr std::string_view suffix = "_ompi";
    if (one.algorithm.ends_with(suffix)) one.algorithm.resize(one.algorithm.size() - suffix.size());
    if (one.algorithm.empty()) one.algorithm = automatic;
    if (one.algorithm == automatic) return true;
    for (const auto& name : {one.algorithm, "basic_" + one.algorithm})
      if (algorithms::find_algorithm(one.collective, name) != nullptr) {
        one.algorithm = name;
        return true;
      }
    std::vector<std::string> names;
    for (const auto* each : algorithms::algorithms_of(one.collective))
      names.emplace_back(each->name);
    wrong(fmt::format("{} has no algorithm {}", one.collective, in_quotes(one.algorithm)),
          did_you_mean(one.algorithm, names, "leave its rows out by --only"));
    return false;
  }

  // Each thing once, not once a row.
  void wrong(const std::string& message, const std::string& hint) {
    if (std::ranges::find(told_, message) != told_.end()) return;
    told_.push_back(message);
    errors_.add(error_of_row(table_, row_, message, hint));
  }

  const Table& table_;
  ReadRows<MeasuredCollective> read_;
  std::size_t row_ = 0;  // that is read
  std::vector<std::string> told_;
  ErrorList errors_;
};

}  // namespace

Result<ReadRows<MeasuredCollective>> measured_collectives(const Table& table) {
  return CollectiveTableReading(table).read();
}

Result<Seconds> simulated_time(const MeasuredCollective& measured,
                               const platforms::Machine& machine) {
  Sweep sweep;
  sweep.collective = measured.collective;
  sweep.algorithms = {measured.algorithm};
  sweep.procs = {measured.procs};
  sweep.ppn = {measured.ppn};
  sweep.message_bytes = {measured.message_bytes};
  sweep.common.engine = engines::EngineKind::flow;
  const auto points = points_of(sweep, machine);
  if (!points) return points.errors();
  const auto answer = run_point(points->all.front(), machine);
  if (!answer) return answer.errors();
  return answer->record.time_s.value_or(0);
}

}  // namespace tutti::studies
