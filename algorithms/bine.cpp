// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/bine.hpp"

namespace tutti::algorithms::bine {
namespace {

constexpr int largest_table = 256;

// rho_s, and the distance that one step leads up (negative: down).
std::int64_t rho(int step) {
  const std::int64_t power = std::int64_t{1} << (step + 1);
  return (1 + (step % 2 == 0 ? power : -power)) / 3;
}

// The digits of x in base -2; the lowest D digits depend on x mod 2^D only.
std::uint32_t negabinary(std::int64_t x) {
  constexpr std::uint32_t odd_digits = 0xAAAAAAAA;
  return (static_cast<std::uint32_t>(x) + odd_digits) ^ odd_digits;
}

// A path of rank 0 as a set of steps: bit D-1-s is set if it contains step s.
std::uint32_t path_of(std::uint32_t digits, int steps) {
  digits &= (1U << steps) - 1;
  const std::uint32_t turns = digits ^ (digits >> 1);
  std::uint32_t path = 0;
  for (int bit = 0; bit < steps; ++bit) path |= (turns >> bit & 1) << (steps - 1 - bit);
  return path;
}

// The digits that lead rank 0 to x: odd x are reached by going up last, even x by going down.
std::int64_t reached(std::int64_t x) { return x % 2 != 0 ? x : -x; }

// The range of numbers of `steps` digits.
bool has_digits(std::int64_t x, int steps) {
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (int bit = 0; bit < steps; ++bit) (bit % 2 == 0 ? most : least) += std::int64_t{1} << bit;
  return -least <= x && x <= most;
}

// The path with the smallest number to block b, also around the ring. HLC-Lab/pico considers x and
// x - P only, which loses blocks for some P between two powers of two (74, 142, 146, ...).
std::uint32_t shortest_path(RankId b, RankId procs, int steps) {
  std::uint32_t least = ~std::uint32_t{0};
  for (const std::int64_t around : {-2, -1, 0, 1, 2}) {
    const std::int64_t x = reached(b) + around * procs;
    if (has_digits(x, steps)) least = std::min(least, path_of(negabinary(x), steps));
  }
  return least;
}

std::vector<RankId> remapped_numbers(RankId procs) {
  const int steps = steps_of(procs);
  std::vector<RankId> numbers(static_cast<std::size_t>(procs));
  for (RankId rank = 0; rank < procs; ++rank)
    numbers[static_cast<std::size_t>(rank)] = static_cast<RankId>(
        path_of(negabinary(reached(rank)), steps) & (static_cast<std::uint32_t>(procs) - 1));
  return numbers;
}

std::vector<RankId> numbers_by_smallest(RankId procs) {
  std::vector<RankId> numbers(static_cast<std::size_t>(procs), 0);
  std::vector<RankId> smallest(numbers.size());  // of the ranks with the same bits so far
  for (RankId rank = 0; rank < procs; ++rank) smallest[static_cast<std::size_t>(rank)] = rank;
  const int steps = steps_of(procs);
  for (int step = steps - 1; step >= 0; --step) {
    const std::vector<RankId> halves = smallest;
    for (RankId rank = 0; rank < procs; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      const RankId other = halves[static_cast<std::size_t>(partner(rank, step, procs))];
      if (other < halves[at]) numbers[at] |= RankId{1} << (steps - 1 - step);
      smallest[at] = std::min(halves[at], other);
    }
  }
  return numbers;
}

// Returns a table that lives as long as a rank of the job keeps it, and is made only once.
template <class Table, class Key, class Make>
std::shared_ptr<const Table> shared_table(const Key& key, Make make) {
  struct Last {
    Key key;
    std::weak_ptr<const Table> table;
  };
  thread_local Last last{key, {}};
  std::shared_ptr<const Table> table = last.table.lock();
  if (table != nullptr && last.key == key) return table;
  table = make();
  last = {key, table};
  return table;
}

}  // namespace

bool has_power_of_two(const ModelArgs& args) {
  return std::has_single_bit(static_cast<unsigned>(args.procs));
}
bool commutes_on_power_of_two(const ModelArgs& args) {
  return args.call.commutative && has_power_of_two(args);
}
bool has_table(const ModelArgs& args) {
  return has_power_of_two(args) && args.procs <= largest_table;
}
bool commutes_with_table(const ModelArgs& args) { return args.call.commutative && has_table(args); }
bool is_even(const ModelArgs& args) { return args.procs == 1 || args.procs % 2 == 0; }
bool commutes_on_even(const ModelArgs& args) { return args.call.commutative && is_even(args); }

int steps_of(std::int64_t procs) { return std::bit_width(static_cast<std::uint64_t>(procs - 1)); }

RankId partner(RankId rank, int step, RankId procs) {
  const std::int64_t there = (rank + (rank % 2 == 0 ? rho(step) : -rho(step))) % procs;
  return static_cast<RankId>(there < 0 ? there + procs : there);
}

int receive_step(RankId v, RankId procs, Distances distances) {
  const int steps = steps_of(procs);
  const std::uint32_t digits = negabinary(distances == Distances::doubling ? reached(v) : v);
  if (distances == Distances::doubling) return steps - 1 - std::countr_zero(path_of(digits, steps));
  // The lowest digits are equal.
  const int equal = std::countr_zero((digits ^ (digits >> 1)) | 1U << (steps - 1));
  return std::min(equal, steps - 1);
}

trees::Node tree(const trees::Position& at, Distances distances) {
  trees::Node node;
  const RankId v = trees::shifted(at);
  const int steps = steps_of(at.procs);
  const auto neighbor = [&](int step) { return trees::unshifted(at, partner(v, step, at.procs)); };
  const bool doubles = distances == Distances::doubling;
  int next = doubles ? 0 : steps - 1;
  if (v > 0) {
    const int received = receive_step(v, at.procs, distances);
    node.parent = neighbor(received);
    next = doubles ? received + 1 : received - 1;
  }
  for (int step = next; doubles ? step < steps : step >= 0; step += doubles ? 1 : -1)
    node.children.push_back(neighbor(step));
  return node;
}

std::shared_ptr<const Numbers> Numbers::of(Numbering numbering, RankId procs) {
  TUTTI_CHECK(std::has_single_bit(static_cast<unsigned>(procs)),
              "the ranks of a Bine butterfly must be a power of two");
  return shared_table<Numbers>(std::pair(numbering, procs), [&] {
    return std::shared_ptr<const Numbers>(new Numbers(
        numbering == Numbering::remapped ? remapped_numbers(procs) : numbers_by_smallest(procs)));
  });
}

Numbers::Numbers(std::vector<RankId> numbers)
    : numbers_(std::move(numbers)), ranks_(numbers_.size()) {
  for (std::size_t rank = 0; rank < numbers_.size(); ++rank)
    ranks_[static_cast<std::size_t>(numbers_[rank])] = static_cast<RankId>(rank);
}

std::int64_t Numbers::moved() const {
  std::int64_t moved = 0;
  for (std::size_t rank = 0; rank < numbers_.size(); ++rank)
    moved += numbers_[rank] != static_cast<RankId>(rank);
  return moved;
}

std::int64_t moved_ranks(Numbering numbering, RankId procs) {
  return std::has_single_bit(static_cast<unsigned>(procs)) ? Numbers::of(numbering, procs)->moved()
                                                           : 0;
}

Task scatter_sums(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer) {
  for (int step = 0; step < butterfly.steps(); ++step) {
    const RankId partner = butterfly.partner(step);
    const Slice kept = slice_of(blocks, butterfly.kept(step), buffer);
    const Slice incoming{kept.offset, kept.bytes, incoming_buffer};
    co_await me.sendrecv({.to = partner,
                          .send = slice_of(blocks, butterfly.sent(step), buffer),
                          .from = partner,
                          .recv = incoming});
    me.combine(kept, incoming, Operand::left);
  }
}

Task gather_blocks(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer) {
  for (int step = butterfly.steps() - 1; step >= 0; --step) {
    const RankId partner = butterfly.partner(step);
    co_await me.sendrecv({.to = partner,
                          .send = slice_of(blocks, butterfly.kept(step), buffer),
                          .from = partner,
                          .recv = slice_of(blocks, butterfly.sent(step), buffer)});
  }
}

namespace {

constexpr std::int32_t packed_buffer = runtime::scratch_buffer + 2;

// Calls `each(block, packed)` for the blocks of a run of numbers, `packed` being their places in a
// message, and returns the message.
template <class Each>
Slice for_packed(const Butterfly& butterfly, const RankBlocks& blocks, const Butterfly::Run& run,
                 std::int32_t packed_in, const Each& each) {
  Slice message{.buffer = packed_in};
  for (RankId i = 0; i < run.count; ++i) {
    const RankId rank = butterfly.numbers().rank(run.first + i);
    each(rank, Slice{message.bytes, blocks.bytes(rank), packed_in});
    message.bytes += blocks.bytes(rank);
  }
  return message;
}

Slice packed_size(const Butterfly& butterfly, const RankBlocks& blocks, const Butterfly::Run& run) {
  return for_packed(butterfly, blocks, run, incoming_buffer, [](RankId, const Slice&) {});
}

Task run_sums_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer) {
  for (int step = 0; step < butterfly.steps(); ++step) {
    const RankId partner = butterfly.partner(step);
    const auto pack = [&](RankId rank, const Slice& packed) {
      me.copy(packed, blocks.block(rank, buffer));
    };
    const Slice message = for_packed(butterfly, blocks, butterfly.sent(step), packed_buffer, pack);
    co_await me.sendrecv({.to = partner,
                          .send = message,
                          .from = partner,
                          .recv = packed_size(butterfly, blocks, butterfly.kept(step))});
    for_packed(butterfly, blocks, butterfly.kept(step), incoming_buffer,
               [&](RankId rank, const Slice& packed) {
                 me.combine(blocks.block(rank, buffer), packed, Operand::left);
               });
  }
}

Task run_gather_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks,
                       std::int32_t buffer) {
  for (int step = butterfly.steps() - 1; step >= 0; --step) {
    const RankId partner = butterfly.partner(step);
    const auto pack = [&](RankId rank, const Slice& packed) {
      me.copy(packed, blocks.block(rank, buffer));
    };
    const Slice message = for_packed(butterfly, blocks, butterfly.kept(step), packed_buffer, pack);
    co_await me.sendrecv({.to = partner,
                          .send = message,
                          .from = partner,
                          .recv = packed_size(butterfly, blocks, butterfly.sent(step))});
    for_packed(
        butterfly, blocks, butterfly.sent(step), incoming_buffer,
        [&](RankId rank, const Slice& packed) { me.copy(blocks.block(rank, buffer), packed); });
  }
}

}  // namespace

Task scatter_sums_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks,
                         std::int32_t buffer) {
  return run_sums_packed(me, butterfly, blocks, buffer);
}

Task gather_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer) {
  return run_gather_packed(me, butterfly, blocks, buffer);
}

Seconds gather_blocks_cost(const RankBlocks& blocks, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (std::int64_t count = blocks.count() / 2; count > 0; count /= 2)
    total_s += cost.exchange(blocks.longest_run(count));
  return total_s;
}

Seconds scatter_sums_cost(const RankBlocks& blocks, const models::MessageCost& cost) {
  Seconds total_s = gather_blocks_cost(blocks, cost);
  for (std::int64_t count = blocks.count() / 2; count > 0; count /= 2)
    total_s += cost.combine(blocks.longest_run(count));
  return total_s;
}

std::shared_ptr<const Departures> Departures::of(RankId procs) {
  return shared_table<Departures>(
      procs, [&] { return std::shared_ptr<const Departures>(new Departures(procs)); });
}

Departures::Departures(RankId procs) : blocks_(static_cast<std::size_t>(steps_of(procs))) {
  const int steps = steps_of(procs);
  for (RankId b = 1; b < procs; ++b) {
    const int first = steps - std::bit_width(shortest_path(b, procs, steps));
    blocks_[static_cast<std::size_t>(first)].push_back(b);
  }
}

namespace {

Task run_sums_in_blocks(Rank& me, RankBlocks blocks, std::int32_t buffer,
                        std::optional<Slice> result) {
  const RankId procs = me.size();
  const auto departures = Departures::of(procs);
  std::vector<Request> sends;
  std::vector<Request> receives;
  for (int step = 0; step < steps_of(procs); ++step) {
    const RankId other = partner(me.id(), step, procs);
    const auto leaving = departures->leaving(step);
    const bool into_result = result && step + 1 == steps_of(procs);
    const auto arriving = [&](RankId b) {
      return into_result ? *result : blocks.block(block_seen(b, other, procs), incoming_buffer);
    };
    sends.clear();
    receives.clear();
    for (const RankId b : leaving) {
      sends.push_back(
          me.isend({.to = other, .data = blocks.block(block_seen(b, me.id(), procs), buffer)}));
      receives.push_back(me.irecv({.from = other, .data = arriving(b)}));
    }
    for (std::size_t i = 0; i < leaving.size(); ++i) {
      const Slice held = blocks.block(block_seen(leaving[i], other, procs), buffer);
      const Slice arrived = arriving(leaving[i]);
      co_await me.wait(receives[i]);
      me.combine(into_result ? arrived : held, into_result ? held : arrived, Operand::left);
    }
    co_await me.wait_all(sends);
  }
}

}  // namespace

Task scatter_sums_in_blocks(Rank& me, RankBlocks blocks, std::int32_t buffer,
                            std::optional<Slice> result) {
  return run_sums_in_blocks(me, blocks, buffer, result);
}

Task gather_in_blocks(Rank& me, RankBlocks blocks, std::int32_t buffer) {
  const RankId procs = me.size();
  const auto departures = Departures::of(procs);
  std::vector<Request> requests;
  for (int step = steps_of(procs) - 1; step >= 0; --step) {
    const RankId other = partner(me.id(), step, procs);
    requests.clear();
    for (const RankId b : departures->leaving(step)) {
      requests.push_back(
          me.isend({.to = other, .data = blocks.block(block_seen(b, other, procs), buffer)}));
      requests.push_back(
          me.irecv({.from = other, .data = blocks.block(block_seen(b, me.id(), procs), buffer)}));
    }
    co_await me.wait_all(requests);
  }
}

Seconds in_blocks_cost(std::int64_t procs, Bytes block_bytes, const models::MessageCost& cost) {
  const auto steps = static_cast<double>(steps_of(procs));
  return steps * cost.exchange(block_bytes) +
         (static_cast<double>(procs - 1) - steps) * cost.next(block_bytes);
}

}  // namespace tutti::algorithms::bine
