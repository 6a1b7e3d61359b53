// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/message_pattern.hpp"

namespace tutti::runtime {

namespace {
enum Step : std::uint64_t { to_rank = 101, to_same_rank, from_rank, waited };
}

MessagePattern::MessagePattern(RankId procs, std::size_t most_messages)
    : procs_(procs), most_messages_(most_messages), last_to_(static_cast<std::size_t>(procs)) {
  const auto ranks = static_cast<std::size_t>(procs);
  shapes_.reserve(ranks);
  first_sends_.reserve(ranks + 1);
  first_receives_.reserve(ranks + 1);
}

void MessagePattern::begin_rank() {
  if (shapes_.size() == 1) reserve_like_first();
  shapes_.push_back(0);
  first_sends_.push_back(static_cast<std::uint32_t>(sends_.size()));
  first_receives_.push_back(static_cast<std::uint32_t>(receives_.size()));
  operations_ = 0;
}

// Most ranks have as many messages as the first one. Reserved memory is not used before it is
// written.
void MessagePattern::reserve_like_first() {
  const auto ranks = static_cast<std::size_t>(procs_);
  sends_.reserve(std::min(most_messages_, ranks * sends_.size()));
  receives_.reserve(std::min(most_messages_, ranks * receives_.size()));
}

Request MessagePattern::send(RankId to, std::int32_t tag, Bytes bytes, SendKind kind) {
  if (sends_.size() >= most_messages_ || to < 0 || to >= procs_ || bytes < 0) throw NotRecorded{};
  const auto rank = static_cast<RankId>(shapes_.size() - 1);
  const auto index = static_cast<std::uint32_t>(sends_.size());
  Last& last = last_to_[static_cast<std::size_t>(to)];
  add(to_rank + (static_cast<std::uint64_t>(kind) << 8), static_cast<std::uint64_t>(bytes));
  if (last.rank == rank) add(to_same_rank, index - last.message);
  last = {rank, index};
  sends_.push_back({to, {tag}});
  return {operations_++, 0};
}

Request MessagePattern::receive(RankId from, std::int32_t tag, Bytes bytes) {
  if (receives_.size() >= most_messages_ || from == any_source || tag == any_tag)
    throw NotRecorded{};
  add(from_rank, static_cast<std::uint64_t>(bytes));
  receives_.push_back({from, {tag}});
  return {operations_++, 0};
}

void MessagePattern::wait(std::span<const Request> requests) {
  add(waited, requests.size());
  for (const Request& request : requests) add(waited, request.index);
}

void MessagePattern::end() {
  first_sends_.push_back(static_cast<std::uint32_t>(sends_.size()));
  first_receives_.push_back(static_cast<std::uint32_t>(receives_.size()));
}

// The receive of a send of `rank`: often the one with the same number, else the first open one that
// accepts it.
std::uint32_t MessagePattern::find_receive(std::uint32_t send, RankId rank,
                                           std::size_t& most_looks) {
  const Send& sent = sends_[send];
  const auto to = static_cast<std::size_t>(sent.to);
  const auto accepts = [&](std::uint32_t at) {
    return receives_[at].from == rank && receives_[at].tag == sent.tag;
  };
  const std::uint32_t end = first_receives_[to + 1];
  const std::uint32_t same =
      first_receives_[to] + send - first_sends_[static_cast<std::size_t>(rank)];
  if (same < end && accepts(same)) return same;
  std::uint32_t at = open_[to];
  while (at < end && !accepts(at)) ++at;
  const std::size_t looks = at - open_[to];
  if (at == end || looks > most_looks) return none;
  most_looks -= looks;
  return at;
}

bool MessagePattern::match() {
  if (sends_.size() != receives_.size()) return false;
  constexpr std::size_t looks_per_message = 64, ahead = 8;
  std::size_t most_looks = looks_per_message * sends_.size() + 1024;
  open_.assign(first_receives_.begin(), first_receives_.end() - 1);
  last_to_.assign(static_cast<std::size_t>(procs_), {});
  for (RankId rank = 0; rank < procs_; ++rank)
    for (std::uint32_t i = first_sends_[rank]; i < first_sends_[rank + 1]; ++i) {
      if (i + ahead < sends_.size())
        __builtin_prefetch(receives_.data() +
                           open_[static_cast<std::size_t>(sends_[i + ahead].to)]);
      const auto to = static_cast<std::size_t>(sends_[i].to);
      const std::uint32_t at = find_receive(i, rank, most_looks);
      if (at == none) return false;
      Last& last = last_to_[to];  // messages between two ranks are received in the order of sends
      if (last.rank == rank && last.message > at) return false;
      last = {rank, at};
      receives_[at] = {is_matched, {.send = i}};
      sends_[i].receive = at;
      while (open_[to] < first_receives_[to + 1] && receives_[open_[to]].from == is_matched)
        ++open_[to];
    }
  return true;
}

RankId MessagePattern::sender_of(std::uint32_t send) const {
  const auto after = std::ranges::upper_bound(first_sends_, send);
  return static_cast<RankId>(after - first_sends_.begin()) - 1;
}

}  // namespace tutti::runtime
