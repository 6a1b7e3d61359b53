// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/sharing.hpp"

#include "sim/base/quantile.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies {
namespace {

using workloads::SharedPattern;

constexpr const char* columns_hint =
    "expected columns pattern (send, sendrecv_same, sendrecv_diff, alltoall), active_ranks, "
    "bytes_per_message, t_median_s";

std::optional<Error> rejection(const Table& table, std::size_t row, const SharedTime& one) {
  if (one.ranks < 2 || one.ranks % 2 != 0 || one.ranks > 1'000'000)
    return error_of_row(table, row, fmt::format("{} ranks do not form pairs", one.ranks),
                        "use an even number, at least 2");
  if (is_measurable(one.time_s) && one.message_bytes > 0) return std::nullopt;
  return error_of_row(
      table, row,
      fmt::format("invalid message time: {} s for {} bytes", one.time_s, one.message_bytes));
}

const SharedTime* find(const std::vector<SharedTime>& times, SharedPattern pattern,
                       const SharedTime& like) {
  for (const auto& time : times)
    if (time.pattern == pattern && time.ranks == like.ranks &&
        time.message_bytes == like.message_bytes)
      return &time;
  return nullptr;
}

std::vector<PatternRatio> two_way_ratios(const std::vector<SharedTime>& times) {
  std::vector<PatternRatio> ratios;
  for (const auto& time : times) {
    if (time.pattern == SharedPattern::send) continue;
    const auto* one_way = find(times, SharedPattern::send, time);
    if (one_way == nullptr) continue;
    const bool all = time.pattern == SharedPattern::alltoall;
    const double messages = all ? static_cast<double>(time.ranks - 1) : 1;
    ratios.push_back({time.pattern, time.ranks, time.time_s / messages / one_way->time_s});
  }
  return ratios;
}

// Whether more pairs take longer: compares the larger half of the numbers of ranks with the smaller
// half.
bool grows(std::vector<SharedTime> one_way) {
  constexpr double clearly = 1.2;
  std::ranges::sort(one_way, {}, &SharedTime::ranks);
  const std::size_t half = one_way.size() / 2;
  std::vector<double> few, many;
  for (std::size_t i = 0; i < half; ++i) {
    few.push_back(one_way[i].time_s);
    many.push_back(one_way[one_way.size() - 1 - i].time_s);
  }
  return half > 0 && median_of(many) > clearly * median_of(few);
}

double rate_Bps(const SharedTime& one_way) {
  return static_cast<double>(one_way.ranks / 2) * static_cast<double>(one_way.message_bytes) /
         one_way.time_s;
}

}  // namespace

Result<ReadRows<SharedTime>> shared_times(const Table& table) {
  ReadRows<SharedTime> read;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto cell = [&](std::initializer_list<std::string_view> columns) {
      const auto column = find_column(table, columns);
      return column ? row[*column] : Cell{};
    };
    const auto pattern = workloads::shared_pattern(to_text(cell({"pattern"})));
    const auto ranks = number_of(cell({"active_ranks", "ranks"}));
    const auto bytes = number_of(cell({"bytes_per_message", "message_bytes"}));
    const auto time_s = number_of(cell({"t_median_s", "time_s"}));
    if (!pattern) continue;
    if (!ranks || !bytes || !time_s) {
      read.omitted.add(i, fmt::format("missing {}", !ranks   ? "number of ranks"
                                                    : !bytes ? "message size"
                                                             : "time"));
      continue;
    }
    read.found.push_back({*pattern, std::llround(std::clamp(*ranks, 0.0, 1e15)),
                          std::llround(std::clamp(*bytes, 0.0, 1e15)), *time_s});
    if (const auto error = rejection(table, i, read.found.back())) return *error;
  }
  if (!read.found.empty()) return read;
  return nothing_found(table, read.omitted, "no times of messages of many pairs at once",
                       columns_hint);
}

Result<Seconds> simulated_time(const SharedTime& measured, const platforms::Machine& machine) {
  if (measured.ranks > static_cast<std::int64_t>(machine.host_count()))
    return make_error(ErrorKind::input, "",
                      fmt::format("{} ranks, one per node, need more than the machine's {} nodes",
                                  measured.ranks, machine.host_count()),
                      "use a machine with more nodes, or select rows with --only");
  if (measured.pattern == SharedPattern::alltoall) {
    const MeasuredCollective all{"alltoall", "auto", measured.ranks, 1, measured.message_bytes, 0};
    return simulated_time(all, machine);
  }
  const auto ranks = static_cast<int>(measured.ranks);
  platforms::Placement placement{.host_of = {}, .nodes = ranks, .ppn = 1};
  placement.host_of.resize(static_cast<std::size_t>(ranks));
  std::iota(placement.host_of.begin(), placement.host_of.end(), 0);
  Seconds time_s = 0;
  const auto outcome = engines::run(engines::EngineKind::flow,
                                    {.machine = machine,
                                     .placement = placement,
                                     .program = workloads::shared_messages_program(
                                         measured.pattern, measured.message_bytes, time_s)});
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  return time_s;
}

Result<Sharing> fit_sharing(const std::vector<SharedTime>& times) {
  constexpr double near = 0.25;
  Sharing sharing;
  std::vector<SharedTime> one_way;
  for (const auto& time : times)
    if (time.pattern == SharedPattern::send) one_way.push_back(time);
  sharing.two_way = two_way_ratios(times);
  if (one_way.empty() || sharing.two_way.empty())
    return make_error(ErrorKind::input, "",
                      "no pattern send with the same ranks and bytes as another pattern: the "
                      "sharing of NICs cannot be determined",
                      columns_hint);
  std::vector<double> ratios;
  for (const auto& ratio : sharing.two_way) ratios.push_back(ratio.ratio);
  sharing.two_way_factor = median_of(ratios);
  sharing.half_duplex = sharing.two_way_factor > std::sqrt(2.0);
  sharing.clear = sharing.two_way_factor < 1 + near || sharing.two_way_factor > 2 - near;
  const auto most = std::ranges::max_element(one_way, {}, rate_Bps);
  sharing.most_Bps = rate_Bps(*most);
  sharing.most_ranks = most->ranks;
  sharing.limited = grows(one_way);
  return sharing;
}

}  // namespace tutti::studies
