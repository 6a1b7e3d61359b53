// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce by recursive multiplying of radix k (`fanout`): as recexch, but the ranks from
// the largest power of k on, p, drop out: rank r sends its vector to rank r mod p and gets the
// result from it. Non-commutative operation and P not a power of k: recursive_doubling. Derived: as
// recexch.
#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_multiplier = 2;  // MPIR_CVAR_ALLREDUCE_RECURSIVE_MULTIPLYING_KVAL

// The largest power of the radix that is at most P, and its logarithm.
struct PowerOf {
  std::int64_t size = 1;
  int phases = 0;

  PowerOf(std::int64_t procs, int radix) {
    for (; size * radix <= procs; size *= radix) ++phases;
  }
};

// One rank's part. The vectors of a phase are received side by side into one scratch buffer.
class Multiplying {
 public:
  Multiplying(Rank& me, const CollectiveArgs& args)
      : me_(me),
        radix_(fanout_or(default_multiplier, args)),
        size_(PowerOf(me.size(), radix_).size),
        bytes_(args.message_bytes) {}

  std::int64_t size() const { return size_; }
  int radix() const { return radix_; }
  Slice result() const { return reduction::vector_in(runtime::recv_buffer, bytes_); }
  Slice incoming(int slot) const { return {slot * bytes_, bytes_, runtime::scratch_buffer}; }
  // The ranks r + p, r + 2 p, ... of rank r.
  std::vector<RankId> outside() const {
    std::vector<RankId> ranks;
    for (std::int64_t rank = me_.id() + size_; rank < me_.size(); rank += size_)
      ranks.push_back(static_cast<RankId>(rank));
    return ranks;
  }
  // The ranks whose numbers differ from the rank's in one digit, and itself, ascending.
  std::vector<RankId> group(std::int64_t distance) const {
    const std::int64_t first = me_.id() / (distance * radix_) * (distance * radix_);
    std::vector<RankId> ranks;
    for (std::int64_t i = 0; i < radix_; ++i)
      ranks.push_back(static_cast<RankId>(first + me_.id() % distance + i * distance));
    return ranks;
  }
  // Combines the vectors of the slots with the rank's own in the order of the ranks, which ends in
  // the last slot unless the rank's own vector is the last operand.
  void combine(const std::vector<RankId>& ranks) const {
    const auto own = static_cast<int>(std::ranges::find(ranks, me_.id()) - ranks.begin());
    const auto last = static_cast<int>(ranks.size()) - 1;
    const auto operand = [&](int i) { return i == own ? result() : incoming(i < own ? i : i - 1); };
    for (int i = 0; i < last; ++i) me_.combine(operand(i + 1), operand(i), Operand::left);
    if (own != last) me_.copy(result(), operand(last));
  }

 private:
  Rank& me_;
  int radix_;
  std::int64_t size_;
  Bytes bytes_;
};

Task multiply_phase(Rank& me, const Multiplying& part, std::int64_t distance) {
  const auto ranks = part.group(distance);
  std::vector<Request> requests;
  int slot = 0;
  for (const RankId other : ranks) {
    if (other == me.id()) continue;
    requests.push_back(me.isend({.to = other, .data = part.result()}));
    requests.push_back(me.irecv({.from = other, .data = part.incoming(slot++)}));
  }
  co_await me.wait_all(requests);
  part.combine(ranks);
}

Task receive_outside(Rank& me, const Multiplying& part, const std::vector<RankId>& outside) {
  std::vector<Request> receives;
  int slot = 0;
  for (const RankId from : outside)
    receives.push_back(me.irecv({.from = from, .data = part.incoming(slot++)}));
  co_await me.wait_all(receives);
  for (int i = 0; i + 1 < slot; ++i)
    me.combine(part.incoming(i + 1), part.incoming(i), Operand::left);
  if (slot > 0) me.combine(part.result(), part.incoming(slot - 1), Operand::left);
}

Task multiply_recursively(Rank& me, CollectiveArgs args) {
  const Multiplying part(me, args);
  me.allocate((part.radix() - 1) * args.message_bytes);
  me.copy(part.result(), reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (me.id() >= part.size()) {
    const auto inside = static_cast<RankId>(me.id() % part.size());
    co_await me.send({.to = inside, .data = part.result()});
    co_await me.recv({.from = inside, .data = part.result()});
    co_return;
  }
  const auto outside = part.outside();
  co_await receive_outside(me, part, outside);
  for (std::int64_t distance = 1; distance < part.size(); distance *= part.radix())
    co_await multiply_phase(me, part, distance);
  std::vector<Request> sends;
  for (const RankId to : outside) sends.push_back(me.isend({.to = to, .data = part.result()}));
  co_await me.wait_all(sends);
}

bool can_multiply(const CollectiveArgs& args, int procs) {
  return args.commutative || PowerOf(procs, fanout_or(default_multiplier, args)).size == procs;
}

Seconds multiply_recursively_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const int radix = fanout_or(default_multiplier, args.call);
  const PowerOf power(args.procs, radix);
  const Bytes m = args.call.message_bytes;
  const Seconds phase_s =
      cost.exchange(m) + (radix - 2) * cost.next(m) + (radix - 1) * cost.combine(m);
  // Ranks outside per rank inside.
  const auto outside = static_cast<double>((args.procs - 1) / power.size);
  const Seconds fold_s =
      outside == 0 ? 0
                   : 2 * (cost.hop(m) + (outside - 1) * cost.next(m)) + outside * cost.combine(m);
  return power.phases * phase_s + fold_s;
}

std::int64_t multiply_recursively_messages(const ModelArgs& args) {
  const int radix = fanout_or(default_multiplier, args.call);
  const PowerOf power(args.procs, radix);
  return 2 * (args.procs - power.size) + power.size * power.phases * (radix - 1);
}

using Multiplied = OrElse<can_multiply, multiply_recursively, multiply_recursively_cost,
                          multiply_recursively_messages, allreduce::recursive_doubling>;

}  // namespace

const Algorithm allreduce::recursive_multiplying{
    .default_fanout = default_multiplier,
    .least_fanout = 2,
    .restriction = "a commutative operation, or P a power of the radix",
    .program = reduction::program<Multiplied::program>,
    .cost = reduction::cost<Multiplied::cost>,
    .messages = reduction::messages<Multiplied::messages>,
    .falls_back_to = Multiplied::falls_back_to,
};

}  // namespace tutti::algorithms
