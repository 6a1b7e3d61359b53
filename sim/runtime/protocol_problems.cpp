// SPDX-License-Identifier: BSD-3-Clause
// Problems of a job that does not end, or ends with pending messages or requests.

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

namespace {

// Keeps `limit` sentences and counts the rest.
class Sentences {
 public:
  Sentences(std::size_t limit, std::string_view more) : limit_(limit), more_(more) {}
  template <class MakeText>
  void add(MakeText make_text) {
    if (++count_ <= limit_) kept_.push_back(make_text());
  }
  void move_to(std::vector<std::string>& all) {
    for (std::string& each : kept_) all.push_back(std::move(each));
    if (count_ > limit_) all.push_back(fmt::format("and {} more {}", count_ - limit_, more_));
  }

 private:
  std::size_t limit_;
  std::string_view more_;
  std::size_t count_ = 0;
  std::vector<std::string> kept_;
};

}  // namespace

std::string ProtocolCore::describe(const RequestRecord& request) const {
  if (request.is_hardware) return "the other ranks' part of a hardware collective";
  if (request.is_send)
    return fmt::format("rank {} to receive its {} bytes with tag {}", request.peer,
                       request.data.bytes, request.tag);
  const std::string from =
      request.peer == any_source ? "any rank" : fmt::format("rank {}", request.peer);
  if (request.tag == any_tag) return fmt::format("a message from {}, any tag", from);
  return fmt::format("a message from {}, tag {}", from, request.tag);
}

// The first request that keeps the rank waiting.
std::string ProtocolCore::wait_of(RankId rank) const {
  if (!exchanges_.empty() && exchanges_[rank].args != nullptr) {
    RequestRecord missing;
    missing.peer = first_missing_source(rank);
    return describe(missing);
  }
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    const RequestRecord& request = requests_[i];
    if (request.in_use && request.owner == rank && (request.waited || request.watched) &&
        !request.done)
      return describe(request);
  }
  return "nothing";
}

std::vector<ProtocolCore::Leftover> ProtocolCore::leftovers(std::size_t limit) const {
  std::vector<Leftover> found;
  for (RankId rank = 0; rank < size() && found.size() < limit; ++rank)
    for (const MessageId id : unexpected_.in_order(ranks_[rank].unexpected))
      if (const Message& message = messages_[id]; found.size() < limit)
        found.push_back({message.source, rank, message.tag, message.bytes});
  return found;
}

std::vector<std::string> ProtocolCore::problems(std::size_t limit) const {
  std::vector<std::string> all;
  Sentences truncated(limit, "truncated messages");
  for (const std::string& each : truncated_) truncated.add([&] { return each; });
  truncated.move_to(all);

  Sentences stuck(limit, "deadlocked ranks");
  Sentences unreceived(limit, "messages never received");
  Sentences unmatched(limit, "receives never matched");
  for (RankId rank = 0; rank < size(); ++rank) {
    const RankState& state = ranks_[rank];
    if (state.parked)
      stuck.add([&] { return fmt::format("deadlock: rank {} waits for {}", rank, wait_of(rank)); });
    for (const MessageId id : unexpected_.in_order(state.unexpected))
      unreceived.add([&] {
        const Message& message = messages_[id];
        return fmt::format("rank {} never received {} bytes from rank {}, tag {}", rank,
                           message.bytes, message.source, message.tag);
      });
    for (const std::uint32_t i : posted_.in_order(state.posted))
      if (!requests_[i].waited && !requests_[i].watched)
        unmatched.add([&] {
          return fmt::format("rank {} posted a receive for {} that never came", rank,
                             describe(requests_[i]));
        });
  }
  Sentences unwaited(limit, "requests never waited for");
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    const RequestRecord& request = requests_[i];
    if (request.in_use && request.done && !request.waited && !request.watched)
      unwaited.add([&] {
        return fmt::format("rank {} never waited for its {} rank {}, tag {}", request.owner,
                           request.is_send ? "send to" : "receive from", request.peer, request.tag);
      });
  }
  stuck.move_to(all);
  unreceived.move_to(all);
  unmatched.move_to(all);
  unwaited.move_to(all);
  return all;
}

}  // namespace tutti::runtime
