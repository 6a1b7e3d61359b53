// SPDX-License-Identifier: BSD-3-Clause
// Linear alltoall with a request limit: each rank posts up to `max_requests` receives, starting
// with rank + 1 in ascending order, and as many sends, starting with rank - 1 in descending order
// (0: all of them); whenever one completes, it posts the next one of the same kind.
//   Derived: with n = max_requests pending messages a rank sends one every max(next, hop / n):
//   hop + (P-2) max(next, hop / n)
//   Hockney (P-1) (l + m/b), LogGP without limit L + 2 o + (m-1) G + (P-2) (g + (m-1) G)

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

RankId window_of(const CollectiveArgs& args, RankId procs) {
  const RankId others = procs - 1;
  return args.max_requests <= 0 ? others : std::min<RankId>(args.max_requests, others);
}

// The pending requests: a completed one is replaced by the next one of its kind, if there is one.
class Window {
 public:
  Window(Rank& me, const CollectiveArgs& args) : me_(me), blocks_(me, args) {
    const RankId size = window_of(args, me.size());
    requests_.reserve(2 * static_cast<std::size_t>(size));
    for (RankId i = 0; i < size; ++i) add({next_receive(), true});
    for (RankId i = 0; i < size; ++i) add({next_send(), false});
  }

  const std::vector<Request>& requests() const { return requests_; }

  void replace(std::size_t done) {
    const bool is_receive = is_receive_[done];
    if ((is_receive ? received_ : sent_) < others()) {
      requests_[done] = is_receive ? next_receive() : next_send();
      return;
    }
    requests_[done] = requests_.back();
    is_receive_[done] = is_receive_.back();
    requests_.pop_back();
    is_receive_.pop_back();
  }

 private:
  struct Posted {
    Request request;
    bool is_receive;
  };
  void add(const Posted& posted) {
    requests_.push_back(posted.request);
    is_receive_.push_back(posted.is_receive);
  }
  RankId others() const { return me_.size() - 1; }
  Request next_receive() {
    const auto from = static_cast<RankId>((std::int64_t{me_.id()} + ++received_) % me_.size());
    return me_.irecv({.from = from, .data = blocks_.from(from)});
  }
  Request next_send() {
    const auto to =
        static_cast<RankId>((std::int64_t{me_.id()} + me_.size() - ++sent_) % me_.size());
    return me_.isend({.to = to, .data = blocks_.to(to)});
  }

  Rank& me_;
  PersonalBlocks blocks_;
  RankId received_ = 0;  // receives posted so far
  RankId sent_ = 0;
  std::vector<Request> requests_;
  std::vector<bool> is_receive_;
};

Task alltoall_linear_sync(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  blocks.copy_own(me);
  if (window_of(args, me.size()) == me.size() - 1) {
    co_await me.exchange(descending_sends(me, blocks));
    co_return;
  }
  Window window(me, args);
  while (!window.requests().empty()) window.replace(co_await me.wait_any(window.requests()));
}

Seconds alltoall_linear_sync_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  const Seconds hop_s = cost.hop(m);
  const Seconds pace_s = std::max(cost.next(m), hop_s / window_of(args.call, args.procs));
  return hop_s + (args.procs - 2) * pace_s;
}

}  // namespace

const Algorithm alltoall::linear_sync{
    .limits_requests = true,
    .posts_to_all = true,
    .posts_by_distance = true,
    .program = alltoall_linear_sync,
    .cost = alltoall_linear_sync_cost,
    .messages = one_per_pair,
};

}  // namespace tutti::algorithms
