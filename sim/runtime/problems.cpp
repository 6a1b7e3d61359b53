// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/problems.hpp"

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
    std::ranges::move(kept_, std::back_inserter(all));
    if (count_ > limit_) all.push_back(fmt::format("and {} more {}", count_ - limit_, more_));
  }

 private:
  std::size_t limit_;
  std::string_view more_;
  std::size_t count_ = 0;
  std::vector<std::string> kept_;
};

std::string describe(const RequestRecord& request) {
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
std::string describe_wait(const JobState& job, const WholeExchanges& exchanges, RankId rank) {
  if (const auto source = exchanges.first_missing_source(rank)) {
    RequestRecord missing;
    missing.peer = *source;
    return describe(missing);
  }
  for (std::uint32_t i = 0; i < job.requests.size(); ++i) {
    const RequestRecord& request = job.requests[i];
    if (request.in_use && request.owner == rank && (request.waited || request.watched) &&
        !request.done)
      return describe(request);
  }
  return "nothing";
}

}  // namespace

std::vector<Leftover> find_leftovers(const JobState& job, const Matching& matching,
                                     std::size_t limit) {
  std::vector<Leftover> leftovers;
  for (RankId rank = 0; rank < job.size() && leftovers.size() < limit; ++rank)
    for (const MessageId id : matching.unexpected(rank))
      if (const MessageRecord& message = job.messages[id]; leftovers.size() < limit)
        leftovers.push_back({message.source, rank, message.tag, message.bytes});
  return leftovers;
}

std::vector<std::string> describe_problems(const JobState& job, const Matching& matching,
                                           const WholeExchanges& exchanges,
                                           const std::vector<std::string>& truncated,
                                           std::size_t limit) {
  std::vector<std::string> all;
  Sentences too_large(limit, "truncated messages");
  for (const std::string& sentence : truncated) too_large.add([&] { return sentence; });
  too_large.move_to(all);

  Sentences stuck(limit, "deadlocked ranks");
  Sentences unreceived(limit, "messages never received");
  Sentences unmatched(limit, "receives never matched");
  for (RankId rank = 0; rank < job.size(); ++rank) {
    if (job.ranks[rank].parked)
      stuck.add([&] {
        return fmt::format("deadlock: rank {} waits for {}", rank,
                           describe_wait(job, exchanges, rank));
      });
    for (const MessageId id : matching.unexpected(rank))
      unreceived.add([&] {
        const MessageRecord& message = job.messages[id];
        return fmt::format("rank {} never received {} bytes from rank {}, tag {}", rank,
                           message.bytes, message.source, message.tag);
      });
    for (const std::uint32_t id : matching.posted(rank))
      if (const RequestRecord& request = job.requests[id]; !request.waited && !request.watched)
        unmatched.add([&] {
          return fmt::format("rank {} posted a receive for {} that never came", rank,
                             describe(request));
        });
  }
  Sentences unwaited(limit, "requests never waited for");
  for (std::uint32_t i = 0; i < job.requests.size(); ++i) {
    const RequestRecord& request = job.requests[i];
    if (request.in_use && request.done && !request.waited && !request.watched)
      unwaited.add([&] {
        return fmt::format("rank {} never waited for its {} rank {}, tag {}", request.owner,
                           request.is_send ? "send to" : "receive from", request.peer, request.tag);
      });
  }
  for (Sentences* sentences : {&stuck, &unreceived, &unmatched, &unwaited}) sentences->move_to(all);
  return all;
}

}  // namespace tutti::runtime
