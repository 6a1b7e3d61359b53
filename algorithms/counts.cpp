// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/counts.hpp"

#include "algorithms/rank_blocks.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms {

Counts::Counts(const std::vector<Bytes>& bytes_of_rank) {
  offsets_.reserve(bytes_of_rank.size() + 1);
  offsets_.push_back(0);
  for (const Bytes bytes : bytes_of_rank) {
    TUTTI_CHECK(bytes >= 0, "a count is negative");
    Bytes sum = 0;
    TUTTI_CHECK(!__builtin_add_overflow(offsets_.back(), bytes, &sum),
                "the sum of counts exceeds 2^63 B");
    offsets_.push_back(sum);
    filled_ += bytes > 0;
  }
}

namespace {

std::shared_ptr<const Counts> table_of(const CollectiveArgs& args, int procs) {
  const RankBlocks blocks = RankBlocks::of_vector(args, procs);
  return shared_counts(std::tuple(args.message_bytes, args.element_bytes, procs), procs,
                       [&](int rank) { return blocks.bytes(rank); });
}

}  // namespace

Counts::Counts(std::shared_ptr<const PeerCounts> peers) : offsets_{0}, peers_(std::move(peers)) {
  for (const Counts& row : peers_->sent) {
    Bytes longest = 0;
    for (RankId to = 0; to < row.ranks(); ++to) longest = std::max(longest, row.bytes(to));
    offsets_.push_back(offsets_.back() + longest);
    filled_ += longest > 0;
  }
}

PeerCounts::PeerCounts(std::vector<Counts> rows) : sent(std::move(rows)) {
  std::vector<Bytes> column(sent.size());
  for (std::size_t to = 0; to < sent.size(); ++to) {
    for (std::size_t from = 0; from < sent.size(); ++from)
      column[from] = sent[from].bytes(static_cast<std::int64_t>(to));
    received.emplace_back(column);
  }
}

DealtCall dealt_call(const CollectiveArgs& args, int procs) {
  const Bytes total_bytes = RankBlocks::of_vector(args, procs).total();
  const std::int64_t elements = elements_in(total_bytes, args.element_bytes);
  DealtCall call{nullptr, selection::inner_args(args, elements / procs * args.element_bytes)};
  call.args.counts = args.counts;
  if (args.counts == nullptr && elements % procs != 0) {
    call.table = table_of(args, procs);
    call.args.counts = call.table.get();
  }
  return call;
}

}  // namespace tutti::algorithms
