// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce by recursive exchange of radix k (`fanout`): recursive doubling in which k
// partners exchange their intermediate vectors in each phase (recexch.hpp). The receives of two
// phases are posted at once. Preserves the order of the operands.
// Derived, with D = floor(log_k P): D (exchange + (k-2) next + (k-1) combine), and with up to r
// ranks that drop out per representative: 2 hop + 2 (r-1) next + r combine.
#include "algorithms/allreduce/recexch.hpp"

namespace tutti::algorithms {

RecursiveExchange exchange_of(const CollectiveArgs& args, RankId procs) {
  return {procs, fanout_or(default_exchange_radix, args)};
}

namespace {

// One rank's part. The vectors of a phase are received side by side into one scratch buffer.
class VectorExchange {
 public:
  VectorExchange(Rank& me, const CollectiveArgs& args)
      : me_(me),
        exchange_(exchange_of(args, me.size())),
        bytes_(args.message_bytes),
        commutative_(args.commutative) {}

  const RecursiveExchange& exchange() const { return exchange_; }
  Slice result() const { return reduction::vector_in(runtime::recv_buffer, bytes_); }
  Slice incoming(int slot) const { return {slot * bytes_, bytes_, runtime::scratch_buffer}; }

  void begin() const {
    me_.allocate(2 * (exchange_.radix() - 1) * bytes_);
    me_.copy(result(), reduction::vector_in(runtime::send_buffer, bytes_));
  }
  std::vector<RankId> partners(int phase) const {
    auto partners = exchange_.neighbors(exchange_.number(me_.id()), phase);
    for (RankId& partner : partners) partner = exchange_.rank(partner);
    return partners;
  }
  void post_receives(int phase, int first_slot, std::vector<Request>& receives) const {
    int slot = first_slot;
    for (const RankId partner : partners(phase))
      receives.push_back(me_.irecv({.from = partner, .data = incoming(slot++)}));
  }
  std::vector<Request> post_sends(const std::vector<RankId>& to) const {
    std::vector<Request> sends;
    for (const RankId partner : to) sends.push_back(me_.isend({.to = partner, .data = result()}));
    return sends;
  }
  // Combines the vectors in the slots from `first` on, those of lower ranks first.
  void combine(int phase, int first) const {
    const auto from = partners(phase);
    const int count = static_cast<int>(from.size());
    const auto lower = static_cast<int>(
        std::ranges::count_if(from, [&](RankId partner) { return partner < me_.id(); }));
    const int before = commutative_ ? count : lower;  // operands to the left of the rank's own
    for (int i = 0; i + 1 < before; ++i)
      me_.combine(incoming(first + i + 1), incoming(first + i), Operand::left);
    if (before > 0) me_.combine(result(), incoming(first + before - 1), Operand::left);
    if (before == count) return;
    me_.combine(incoming(first + before), result(), Operand::left);
    for (int i = before; i + 1 < count; ++i)
      me_.combine(incoming(first + i + 1), incoming(first + i), Operand::left);
    me_.copy(result(), incoming(first + count - 1));
  }

 private:
  Rank& me_;
  RecursiveExchange exchange_;
  Bytes bytes_;
  bool commutative_;
};

// The vectors of the ranks that drop out, the nearest one first.
Task receive_represented(Rank& me, const VectorExchange& vectors,
                         const std::vector<RankId>& represented) {
  std::vector<Request> receives;
  int slot = 0;
  for (const RankId from : represented)
    receives.push_back(me.irecv({.from = from, .data = vectors.incoming(slot++)}));
  co_await me.wait_all(receives);
  for (int i = 0; i < slot; ++i) me.combine(vectors.result(), vectors.incoming(i), Operand::left);
}

Task run_phase(Rank& me, const VectorExchange& vectors, int phase,
               const std::vector<Request>& receives, int first_slot) {
  const auto sends = vectors.post_sends(vectors.partners(phase));
  co_await me.wait_all(sends);
  co_await me.wait_all(receives);
  vectors.combine(phase, first_slot);
}

Task run_two_phases(Rank& me, const VectorExchange& vectors, int phase) {
  const int slots = vectors.exchange().radix() - 1;
  const bool has_second = phase + 1 < vectors.exchange().phases();
  std::vector<Request> first;
  std::vector<Request> second;
  vectors.post_receives(phase, 0, first);
  if (has_second) vectors.post_receives(phase + 1, slots, second);
  co_await run_phase(me, vectors, phase, first, 0);
  if (has_second) co_await run_phase(me, vectors, phase + 1, second, slots);
}

Task run_exchange(Rank& me, CollectiveArgs args) {
  const VectorExchange vectors(me, args);
  const RecursiveExchange& exchange = vectors.exchange();
  vectors.begin();
  if (!exchange.takes_part(me.id())) {
    const RankId other = exchange.representative(me.id());
    co_await me.send({.to = other, .data = vectors.result()});
    co_await me.recv({.from = other, .data = vectors.result()});
    co_return;
  }
  const auto represented = exchange.represented(me.id());
  if (!represented.empty()) co_await receive_represented(me, vectors, represented);
  for (int phase = 0; phase < exchange.phases(); phase += 2)
    co_await run_two_phases(me, vectors, phase);
  const auto sends = vectors.post_sends(represented);
  co_await me.wait_all(sends);
}

}  // namespace

Task exchange_vectors(Rank& me, CollectiveArgs args) { return run_exchange(me, args); }

Seconds exchange_vectors_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RecursiveExchange exchange = exchange_of(args.call, args.procs);
  const Bytes m = args.call.message_bytes;
  const Seconds phase_s = phase_cost(exchange, m, cost) + (exchange.radix() - 1) * cost.combine(m);
  const RankId represented = exchange.most_represented();
  const Seconds fold_s = represented == 0 ? 0
                                          : 2 * (cost.hop(m) + (represented - 1) * cost.next(m)) +
                                                represented * cost.combine(m);
  return exchange.phases() * phase_s + fold_s;
}

std::int64_t exchange_vectors_messages(const ModelArgs& args) {
  const RecursiveExchange exchange = exchange_of(args.call, args.procs);
  return std::int64_t{2} * exchange.dropped() + exchange.messages_of_phases();
}

const Algorithm allreduce::recexch{
    .default_fanout = default_exchange_radix,
    .least_fanout = 2,
    .program = reduction::program<exchange_vectors>,
    .cost = reduction::cost<exchange_vectors_cost>,
    .messages = reduction::messages<exchange_vectors_messages>,
};

}  // namespace tutti::algorithms
