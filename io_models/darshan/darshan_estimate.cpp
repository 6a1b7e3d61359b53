// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/darshan/darshan_estimate.hpp"

namespace tutti::io_models {
namespace {

constexpr std::int64_t most_estimated_calls = std::int64_t{1} << 25;

// Adds a counter that may be unknown.
void add_known(std::int64_t& sum, std::int64_t value) {
  if (value >= 0) sum = bounded_sum(std::max<std::int64_t>(sum, 0), value);
}
void add_known(Seconds& sum, Seconds value) {
  if (value >= 0) sum = std::max(sum, 0.0) + value;
}

void add_operation(DarshanCounters::Operation& sum, const DarshanCounters::Operation& each) {
  add_known(sum.bytes, each.bytes);
  add_known(sum.calls, each.calls);
  add_known(sum.collective, each.collective);
  add_known(sum.split, each.split);
  add_known(sum.nonblocking, each.nonblocking);
  add_known(sum.consecutive, each.consecutive);
  add_known(sum.time_s, each.time_s);
  sum.last_byte = std::max(sum.last_byte, each.last_byte);
}

// Adds the counts of equal sizes; a fifth size is dropped.
void add_sizes(DarshanCounters& sum, const DarshanCounters& each) {
  for (const auto& size : each.common) {
    if (size.bytes <= 0 || size.count <= 0) continue;
    auto known = std::ranges::find_if(sum.common, [&](const auto& other) {
      return other.count <= 0 || other.bytes == size.bytes;
    });
    if (known == sum.common.end()) continue;
    known->bytes = size.bytes;
    add_known(known->count, size.count);
  }
}

struct CallSize {
  Bytes bytes = 0;
  bool is_only_one = true;
};

// The size that accounts for most of the bytes; the mean if the log has no common sizes.
CallSize call_size(const DarshanCounters& totals, bool writes) {
  const auto& operation = operation_of(totals, writes);
  CallSize size;
  double most = 0;
  int sizes = 0;
  for (const auto& each : totals.common) {
    if (each.count <= 0 || each.bytes <= 0 || each.bytes > operation.bytes) continue;
    ++sizes;
    const double bytes = static_cast<double>(each.bytes) * static_cast<double>(each.count);
    if (bytes > most) size.bytes = each.bytes;
    most = std::max(most, bytes);
  }
  size.is_only_one = sizes == 1;
  if (sizes > 0) return size;
  const std::int64_t calls =
      std::max<std::int64_t>(0, operation.calls) + std::max<std::int64_t>(0, operation.collective) +
      std::max<std::int64_t>(0, operation.split) + std::max<std::int64_t>(0, operation.nonblocking);
  size.bytes = calls > 0 ? (operation.bytes - 1) / calls + 1 : operation.bytes;
  return size;
}

// Bytes of rank `rank` of a record of all ranks: whole calls, distributed evenly, and the rest
// after the last one.
Bytes share_of(RankId rank, int procs, Bytes total, Bytes size) {
  const std::int64_t whole = total / size;
  const auto has_extra = [&](RankId each) { return each < whole % procs; };
  const Bytes rest = rank == whole % procs ? total % size : 0;
  return (whole / procs + (has_extra(rank) ? 1 : 0)) * size + rest;
}

void note_extent(const DarshanFile& file, DarshanCalls& calls, Bytes bytes) {
  const DarshanCounters posix = darshan_totals(file, DarshanLayer::posix);
  const Bytes last = operation_of(posix, calls.writes).last_byte;
  if (last >= 0 && last + 1 != bytes)
    calls.notes.push_back(
        fmt::format("the job accessed bytes up to {}, but the estimate places {} without holes or "
                    "repetition",
                    format_bytes(last + 1), format_bytes(bytes)));
}

}  // namespace

DarshanCounters darshan_totals(const DarshanFile& file, DarshanLayer layer) {
  DarshanCounters sum;
  sum.layer = layer;
  for (const DarshanCounters& each : file.counters) {
    if (each.layer != layer) continue;
    add_operation(sum.reads, each.reads);
    add_operation(sum.writes, each.writes);
    add_known(sum.opens, each.opens);
    add_known(sum.collective_opens, each.collective_opens);
    add_known(sum.hints, each.hints);
    add_known(sum.views, each.views);
    add_known(sum.meta_time_s, each.meta_time_s);
    add_sizes(sum, each);
  }
  return sum;
}

DarshanLayout darshan_layout(const DarshanFile& file, DarshanCalls& calls) {
  const auto chosen = [&](DarshanLayout layout, std::string_view reason) {
    calls.notes.push_back(fmt::format("{}, {}",
                                      layout == DarshanLayout::ranks_in_turn
                                          ? "offsets are estimated: call by call, ranks in turn"
                                          : "offsets are estimated: a contiguous block per rank",
                                      reason));
    return layout;
  };
  if (calls.collective)
    return chosen(DarshanLayout::ranks_in_turn, "since the calls are collective");
  const DarshanCounters posix = darshan_totals(file, DarshanLayer::posix);
  const auto& operation = operation_of(posix, calls.writes);
  if (operation.calls <= 0 || operation.consecutive < 0 || calls.layer == DarshanLayer::stdio)
    return chosen(DarshanLayout::rank_blocks, "since the log has no evidence of another layout");
  // The first call of a rank is never consecutive.
  std::int64_t ranks = 0;
  for (const DarshanCounters& each : file.counters)
    if (each.layer == DarshanLayer::posix && operation_of(each, calls.writes).calls > 0)
      ranks += each.rank == darshan_shared ? calls.procs : 1;
  const bool is_consecutive = 2 * operation.consecutive >= operation.calls - ranks;
  const auto reason = fmt::format("since {} of {} POSIX calls began where the previous one ended",
                                  operation.consecutive, operation.calls);
  return chosen(is_consecutive ? DarshanLayout::rank_blocks : DarshanLayout::ranks_in_turn, reason);
}

std::vector<std::vector<Extent>> placed(const std::vector<std::vector<Bytes>>& of_rank,
                                        DarshanLayout layout) {
  std::vector<std::vector<Extent>> extents(of_rank.size());
  Bytes offset = 0;
  const auto place = [&](std::size_t rank, std::size_t call) {
    extents[rank].push_back({offset, offset + of_rank[rank][call]});
    offset = extents[rank].back().end;
  };
  std::vector<std::size_t> active;  // ranks with further calls
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    extents[rank].reserve(of_rank[rank].size());
    if (layout == DarshanLayout::ranks_in_turn) active.push_back(rank);
    if (layout == DarshanLayout::rank_blocks)
      for (std::size_t call = 0; call < of_rank[rank].size(); ++call) place(rank, call);
  }
  for (std::size_t call = 0; !active.empty(); ++call) {
    std::erase_if(active, [&](std::size_t rank) { return of_rank[rank].size() <= call; });
    for (const std::size_t rank : active) place(rank, call);
  }
  return extents;
}

Result<std::vector<std::vector<Bytes>>> estimated_lengths(const DarshanLog& log,
                                                          const DarshanFile& file,
                                                          DarshanCalls& calls) {
  const DarshanCounters totals = darshan_totals(file, calls.layer);
  const Bytes total = operation_of(totals, calls.writes).bytes;
  const CallSize size = call_size(totals, calls.writes);
  if (total / size.bytes > most_estimated_calls)
    return make_error(
        ErrorKind::input, log.source,
        fmt::format("file {} was accessed in more than {} calls of {}", in_quotes(file.name),
                    most_estimated_calls, format_bytes(size.bytes)),
        "choose another file, or measure a shorter run");
  std::vector<Bytes> bytes(log.procs, 0);
  bool is_shared = false;
  for (const DarshanCounters& each : file.counters) {
    const Bytes own = operation_of(each, calls.writes).bytes;
    if (each.layer != calls.layer || own <= 0) continue;
    if (each.rank != darshan_shared) bytes[each.rank] += own;
    if (each.rank != darshan_shared) continue;
    is_shared = true;
    for (RankId rank = 0; rank < log.procs; ++rank)
      bytes[rank] += share_of(rank, log.procs, own, size.bytes);
  }
  std::vector<std::vector<Bytes>> lengths(log.procs);
  for (RankId rank = 0; rank < log.procs; ++rank) {
    lengths[rank].assign(bytes[rank] / size.bytes, size.bytes);
    if (bytes[rank] % size.bytes > 0) lengths[rank].push_back(bytes[rank] % size.bytes);
  }
  calls.notes.push_back(
      fmt::format("the log has no DXT data for this file: the calls are estimated from counters, "
                  "with {} in calls of {}{}",
                  format_bytes(total), format_bytes(size.bytes),
                  size.is_only_one ? "" : " (the log has several sizes)"));
  if (is_shared)
    calls.notes.push_back("the counters are sums over all ranks: the calls are distributed evenly");
  note_extent(file, calls, total);
  return lengths;
}

}  // namespace tutti::io_models
