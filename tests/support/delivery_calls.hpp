// SPDX-License-Identifier: BSD-3-Clause
// The calls of one algorithm whose delivery is verified: process counts, roots, sizes, segments,
// fan-outs, request limits, operations and machines, as far as the algorithm depends on them.
#pragma once

#include <algorithm>
#include <compare>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace tutti::tests {

// P = 1..33, 47, 64, 65, 100, 127..129; with uneven counts, P = 1..33.
inline std::vector<int> delivery_procs(bool with_counts) {
  std::vector<int> procs(33);
  std::iota(procs.begin(), procs.end(), 1);
  if (!with_counts) procs.insert(procs.end(), {47, 64, 65, 100, 127, 128, 129});
  return procs;
}

struct DeliveryCall {
  static constexpr Bytes equal_blocks = -1;

  int procs = 1;
  int root = 0;
  Bytes elements = 0;           // of the message, without counts
  Bytes counts = equal_blocks;  // or 0..3: the kind of uneven counts
  bool in_segments = false;
  int fanout = 0;
  int max_requests = 0;
  bool commutative = true;
  bool eager = false;  // short messages are eager, or all wait for the receive

  auto operator<=>(const DeliveryCall&) const = default;

  Bytes element_bytes() const { return eager ? 4 : 1; }
  Bytes segment_elements() const { return eager ? 2 : 8; }

  // Growing counts; zeros between; one rank has all; zeros at the end.
  algorithms::Counts uneven() const {
    std::vector<Bytes> bytes(procs);
    for (int rank = 0; rank < procs; ++rank) {
      const Bytes of_kind[] = {rank, rank % 3 == 1 ? 0 : 7 * rank % 11 + 1,
                               rank == procs / 2 ? 20 : 0, rank < procs - 3 ? 5 : 0};
      bytes[rank] = of_kind[counts] * element_bytes();
    }
    return algorithms::Counts(bytes);
  }

  // Returns the result of `use` for the arguments of this call; the counts do not outlive `use`.
  template <class Use>
  auto with_args(Use use) const {
    algorithms::CollectiveArgs args{
        .message_bytes = elements * element_bytes(),
        .segment_bytes = in_segments ? segment_elements() * element_bytes() : 0,
        .fanout = fanout,
        .root = root,
        .element_bytes = element_bytes(),
        .max_requests = max_requests,
        .commutative = commutative};
    if (counts == equal_blocks) return use(args);
    const algorithms::Counts table = uneven();
    args.message_bytes = table.total();
    args.counts = &table;
    return use(args);
  }
};

// Chooses the calls of one algorithm.
class DeliveryChoice {
 public:
  DeliveryChoice(const algorithms::Algorithm& algorithm, bool with_counts)
      : algorithm_(algorithm),
        collective_(*algorithms::find_collective(algorithm.collective)),
        with_counts_(with_counts) {
    add_between(1, 9, {.strength = 3, .seed = seed_of(algorithm)});
    add_between(10, 33, {.strength = 2, .seed = seed_of(algorithm)});
    // Large process counts are expensive, some algorithms with the square of the count: each count
    // occurs at least twice, and with it each root, size, ...
    add_between(34, most_procs, {.strength = 1, .seed = seed_of(algorithm), .times = 2});
  }

  const std::set<DeliveryCall>& calls() const { return calls_; }

 private:
  // The levels of the factors that do not depend on the process count, none of them empty.
  struct Factors {
    std::vector<int> procs = {};
    std::vector<bool> in_segments = {};
    std::vector<int> fanouts = {};
    std::vector<int> limits = {};
    std::vector<bool> commutative = {};
  };

  // Calls of `least` to `most` processes. An algorithm that rejects some operations gets separate
  // rows for each kind; in a shared array the rejected combinations would be missing.
  void add_between(int least, int most, const Coverage& coverage) {
    Factors factors{.procs = delivery_procs(with_counts_)};
    std::erase_if(factors.procs,
                  [&](int each) { return each < least || each > most || !runs({.procs = each}); });
    if (factors.procs.empty()) return;
    if (collective_.reduces && algorithm_.runs == nullptr) {
      factors.commutative = {true, false};
      add_limits(factors, coverage);
      return;
    }
    for (const bool commutative : {true, false}) {
      factors.commutative = {commutative};
      if (commutative || collective_.reduces) add_limits(factors, coverage);
    }
  }

  // With and without request limits, with the first fan-out only, and with segments if the
  // algorithm has any.
  void add_limits(Factors factors, const Coverage& coverage) {
    const bool segmented = algorithm_.segmented && !with_counts_;
    factors.in_segments = segmented ? std::vector{false, true} : std::vector{false};
    factors.fanouts = fanouts_of_algorithm();
    factors.limits = {0};
    add(factors, coverage);
    if (!algorithm_.limits_requests || segmented != algorithm_.segmented) return;
    factors.in_segments = {segmented};
    factors.fanouts.resize(1);
    factors.limits = {1, 3};
    add(factors, coverage);
  }

  void add(const Factors& factors, const Coverage& coverage) {
    const auto add_case = [&](const auto& levels) {
      const auto [p, root, message, segments, fanout, limit, operation] = levels;
      DeliveryCall call{.procs = factors.procs[p],
                        .in_segments = factors.in_segments[segments],
                        .fanout = factors.fanouts[fanout],
                        .max_requests = factors.limits[limit],
                        .commutative = factors.commutative[operation]};
      call.root = at_level(roots(call.procs), root);
      const auto [eager, size] = at_level(messages(call), message);
      call.eager = eager;
      (with_counts_ ? call.counts : call.elements) = size;
      if (runs(call)) calls_.insert(call);
    };
    const int most = factors.procs.back();
    for_each_case<7>({factors.procs.size(), roots(most).size(),
                      messages({.procs = most_procs}).size(), factors.in_segments.size(),
                      factors.fanouts.size(), factors.limits.size(), factors.commutative.size()},
                     coverage, add_case);
  }

  bool runs(const DeliveryCall& call) const {
    return algorithm_.runs == nullptr ||
           call.with_args([&](const algorithms::CollectiveArgs& args) {
             return algorithm_.runs({call.procs, args});
           });
  }

  // At most 9 roots, and the last rank.
  std::set<int> roots(int procs) const {
    std::set<int> roots{0};
    if (!collective_.rooted) return roots;
    for (int root = 0; root < std::min(procs, 10); ++root) roots.insert(root);
    roots.insert(procs - 1);
    return roots;
  }

  // On both machines, which have different segment lengths: the kinds of counts, or elements around
  // the edges of segments and of blocks of one element per rank.
  std::set<std::pair<bool, Bytes>> messages(DeliveryCall call) const {
    std::set<std::pair<bool, Bytes>> found;
    for (const bool eager : {false, true}) {
      call.eager = eager;
      for (const Bytes size : with_counts_ ? std::set<Bytes>{0, 1, 2, 3} : sizes(call))
        found.emplace(eager, size);
    }
    return found;
  }

  std::set<Bytes> sizes(const DeliveryCall& call) const {
    if (!collective_.has_message) return {0};
    const Bytes segment = call.segment_elements();
    const Bytes procs = call.procs;
    std::set<Bytes> sizes{0, 1, segment - 1, segment, segment + 1, 3 * segment + 1};
    if (!collective_.in_blocks)
      sizes.insert({procs - 1, procs, procs + 1, 2 * procs + 1, 3 * procs - 2});
    if (call.in_segments && call.max_requests > 0)
      std::erase_if(sizes, [&](Bytes each) { return each <= segment; });
    return sizes;
  }

  std::vector<int> fanouts_of_algorithm() const {
    if (algorithm_.default_fanout == 0) return {0};
    const std::set<int> fanouts{algorithm_.least_fanout, 2, 3, 4, 5};
    return {fanouts.begin(), fanouts.end()};
  }

  static constexpr int most_procs = 129;

  const algorithms::Algorithm& algorithm_;
  const algorithms::Collective& collective_;
  bool with_counts_;
  std::set<DeliveryCall> calls_;
};

// Each call once, in increasing order of the process count.
inline std::set<DeliveryCall> delivery_calls(const algorithms::Algorithm& algorithm,
                                             bool with_counts) {
  return DeliveryChoice(algorithm, with_counts).calls();
}

}  // namespace tutti::tests
