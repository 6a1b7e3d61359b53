// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/exchange.hpp"

#include "sim/runtime/rank.hpp"

namespace tutti::runtime {
namespace {

// The other ranks in their order.
class OtherRanks {
 public:
  OtherRanks(const Rank& me, const ExchangeOrder& order)
      : me_(me.id()), procs_(me.size()), order_(order), next_(order.first) {}
  RankId take() {
    if (next_ == me_) next_ = order_.next(me_, procs_);
    return std::exchange(next_, order_.next(next_, procs_));
  }

 private:
  RankId me_;
  RankId procs_;
  ExchangeOrder order_;
  RankId next_;
};

std::vector<Request> post_each(Rank& me, const ExchangeArgs& args) {
  OtherRanks sources(me, args.receives), destinations(me, args.sends);
  std::vector<Request> requests;
  const RankId others = me.size() - 1;
  requests.reserve(2 * static_cast<std::size_t>(others));
  const auto receive = [&] {
    const RankId from = sources.take();
    requests.push_back(me.irecv({.from = from, .data = args.blocks.from(from)}));
  };
  const auto send = [&] {
    const RankId to = destinations.take();
    requests.push_back(me.isend({.to = to, .data = args.blocks.to(to)}));
  };
  for (RankId i = 0; i < others; ++i) {
    receive();
    if (args.alternates) send();
  }
  for (RankId i = 0; i < others && !args.alternates; ++i) send();
  return requests;
}

}  // namespace

bool WaitExchange::await_ready() {
  const bool is_whole_job = me_.view_ == nullptr && strand() == nullptr;
  is_whole_ = is_whole_job && core().start_exchange(rank(), args_);
  if (is_whole_) return false;
  requests_ = post_each(me_, args_);
  return start_wait_all(requests_);
}

}  // namespace tutti::runtime
