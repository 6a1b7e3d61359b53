// SPDX-License-Identifier: BSD-3-Clause
// A collective on the ideal engine, which proves that it keeps its contract (contract.hpp) without
// a deadlock or leftover messages.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/contract.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/test_machine.hpp"

namespace tutti::tests {

// All messages wait for their receives: whatever can deadlock does.
inline platforms::Machine rendezvous_machine(platforms::HostId hosts) {
  platforms::Machine machine = test_machine(hosts);
  machine.inter.eager_max = machine.inter.detached_max = -1;
  return machine;
}

inline std::vector<std::string> problems_of(const algorithms::Algorithm& algorithm,
                                            std::string_view collective,
                                            const platforms::Machine& machine, int procs,
                                            const algorithms::CollectiveArgs& args) {
  const auto placement = test_placement(procs);
  return engines::run_ideal(
             {.machine = machine,
              .placement = placement,
              .program = [&](runtime::Rank& me) { return algorithm.program(me, args); }},
             Contract(collective, procs, args).check())
      .problems;
}

// Every algorithm of a collective, over process counts, roots, sizes, segments, fan-outs, limits of
// requests, counts and operations as far as they matter to it.
class Delivery {
 public:
  explicit Delivery(std::string_view name) : collective_(*algorithms::find_collective(name)) {}

  // P = 1..33, 47, 64, 65, 100, 127..129, the roots up to 9 and the last one, sizes in elements
  // around the edges of segments and of blocks of one per rank.
  enum class Roots { all, ends };  // `ends`: the first and the last rank
  void prove(const platforms::Machine& machine, Bytes segment_elements, Bytes element_bytes,
             Roots which = Roots::all) {
    std::vector<int> counts{47, 64, 65, 100, 127, 128, 129};
    for (int procs = 1; procs <= 33; ++procs) counts.push_back(procs);
    for (const auto* algorithm : plain_algorithms_of(collective_.name))
      for (const int procs : counts)
        for (const int root : roots(procs, which))
          for (const Bytes elements : sizes(procs, segment_elements))
            for (const Bytes segment :
                 algorithm->segmented ? std::set{Bytes{0}, segment_elements} : std::set{Bytes{0}})
              vary(*algorithm, machine, procs,
                   {.message_bytes = elements * element_bytes,
                    .segment_bytes = segment * element_bytes,
                    .root = root,
                    .element_bytes = element_bytes});
  }

  // Counts that differ, zeros among them.
  void prove_counts(const platforms::Machine& machine, Bytes element_bytes) {
    for (const auto* algorithm : plain_algorithms_of(collective_.name))
      for (int procs = 1; procs <= 33; ++procs)
        for (const int root : roots(procs))
          for (int kind = 0; kind < 4; ++kind) {
            const algorithms::Counts counts = uneven(procs, kind, element_bytes);
            vary(*algorithm, machine, procs,
                 {.message_bytes = counts.total(),
                  .root = root,
                  .element_bytes = element_bytes,
                  .counts = &counts});
          }
  }

 private:
  std::set<int> roots(int procs, Roots which = Roots::all) const {
    if (!collective_.rooted) return {0};
    std::set<int> roots{0, procs - 1};
    if (which == Roots::ends) return roots;
    for (int root = 0; root < std::min(procs, 10); ++root) roots.insert(root);
    return roots;
  }

  std::set<Bytes> sizes(int procs, Bytes segment) const {
    if (collective_.name == "barrier") return {0};
    std::set<Bytes> sizes{0, 1, segment - 1, segment, segment + 1, 3 * segment + 1};
    if (!collective_.in_blocks)
      sizes.insert({procs - 1, procs, procs + 1, 2 * procs + 1, 3 * procs - 2});
    return sizes;
  }

  // Everything else that matters.
  void vary(const algorithms::Algorithm& algorithm, const platforms::Machine& machine, int procs,
            algorithms::CollectiveArgs args) {
    const std::set<int> fanouts =
        algorithm.default_fanout == 0 ? std::set{0} : std::set{algorithm.least_fanout, 2, 3, 4, 5};
    // Of segments a limit matters where there are several.
    const bool can_limit = algorithm.limits_requests &&
                           (!algorithm.segmented ||
                            (args.segment_bytes > 0 && args.message_bytes > args.segment_bytes));
    const std::set<int> limits = can_limit ? std::set{0, 1, 3} : std::set{0};
    const std::set<bool> commutative = collective_.reduces ? std::set{false, true} : std::set{true};
    for (const int fanout : fanouts)
      for (const int limit : limits)
        for (const bool commutes : commutative) {
          if (limit > 0 && fanout != *fanouts.begin()) continue;  // each for itself
          args.fanout = fanout;
          args.max_requests = limit;
          args.commutative = commutes;
          check(algorithm, machine, procs, args);
        }
  }

  void check(const algorithms::Algorithm& algorithm, const platforms::Machine& machine, int procs,
             const algorithms::CollectiveArgs& args) {
    if (algorithm.runs != nullptr && !algorithm.runs({procs, args})) return;
    const auto problems = problems_of(algorithm, collective_.name, machine, procs, args);
    if (problems.empty()) return;
    CAPTURE(algorithm.collective);
    CAPTURE(algorithm.name);
    CAPTURE(procs);
    CAPTURE(args.root);
    CAPTURE(args.message_bytes);
    CAPTURE(args.segment_bytes);
    CAPTURE(args.element_bytes);
    CAPTURE(args.fanout);
    CAPTURE(args.max_requests);
    CAPTURE(args.commutative);
    CAPTURE(args.counts != nullptr);
    CHECK(problems == std::vector<std::string>{});
  }

  // Growing ones; zeros between; one rank has all; the last ones have none.
  static algorithms::Counts uneven(int procs, int kind, Bytes element_bytes) {
    std::vector<Bytes> bytes(procs);
    for (int rank = 0; rank < procs; ++rank) {
      const Bytes elements[] = {rank, rank % 3 == 1 ? 0 : 7 * rank % 11 + 1,
                                rank == procs / 2 ? 20 : 0, rank < procs - 3 ? 5 : 0};
      bytes[rank] = elements[kind] * element_bytes;
    }
    return algorithms::Counts(bytes);
  }

  const algorithms::Collective& collective_;
};

// The three runs that each collective must pass.
inline void prove_delivery(std::string_view collective) {
  constexpr int most_procs = 129;
  Delivery(collective).prove(rendezvous_machine(most_procs), 8, 1);
  Delivery(collective).prove(test_machine(most_procs), 2, 4, Delivery::Roots::ends);
  if (algorithms::find_collective(collective)->has_counts) {
    Delivery(collective).prove_counts(rendezvous_machine(most_procs), 1);
    Delivery(collective).prove_counts(test_machine(most_procs), 4);
  }
}

}  // namespace tutti::tests
