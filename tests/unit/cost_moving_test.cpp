// SPDX-License-Identifier: BSD-3-Clause
// The costs of allgathers, gathers, scatters, alltoalls and barriers in Hockney's model and LogGP:
// against Table 4.1 of the dissertation where it has them, otherwise against manual sums.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "algorithms/counts.hpp"
#include "tests/support/hand_costs.hpp"

namespace {

using namespace tutti;
using algorithms::CollectiveArgs;
using algorithms::Counts;

namespace hand = tests::hand;
using hand::b, hand::G, hand::g, hand::L, hand::l, hand::o;

auto exactly(double value) { return hand::nearly(value); }

// One algorithm in both models.
class Cost {
 public:
  Cost(std::string_view collective, std::string_view name)
      : algorithm_(algorithms::find_algorithm(collective, name)) {
    REQUIRE(algorithm_ != nullptr);
  }
  Seconds hockney(int procs, const CollectiveArgs& call) const {
    return hand::cost(*algorithm_, procs, call, hand::Hockney{});
  }
  Seconds loggp(int procs, const CollectiveArgs& call, double gap = g) const {
    return hand::cost(*algorithm_, procs, call, hand::LogGP{.gap_s = gap});
  }

 private:
  const algorithms::Algorithm* algorithm_;
};

// The three kinds of messages, calculated by hand.
double hop(double m) { return hand::LogGP{}.hop(m); }
double next(double m) { return hand::LogGP{}.next(m); }
double exchange(double m) { return hand::LogGP{}.exchange(m); }
double message(double m) { return hand::Hockney{}.hop(m); }  // of any kind

template <class Check>
void for_rows_of_table(Check check) {
  for (const int P : {2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 576, 100000})
    for (const double m : {1., 7., 64., 1000., 65536.}) {
      CAPTURE(P);
      CAPTURE(m);
      check(P, m, CollectiveArgs{.message_bytes = static_cast<Bytes>(m)});
    }
}

TEST_CASE("the allgather ring and neighbour exchange have the costs of Table 4.1") {
  const Cost ring("allgather", "ring");
  const Cost neighbor("allgather", "neighbor");
  for_rows_of_table([&](int P, double m, const CollectiveArgs& call) {
    CHECK(ring.hockney(P, call) == exactly((P - 1) * (l + m / b)));
    CHECK(ring.loggp(P, call) == exactly((P - 1) * (L + 2 * o + (m - 1) * G)));
    if (P % 2 == 0) {
      CHECK(neighbor.hockney(P, call) == exactly(l + m / b + (P / 2 - 1) * (l + 2 * m / b)));
      CHECK(neighbor.loggp(P, call) == exactly(P / 2 * (L + 2 * o + (2 * m - 1) * G) - m * G));
    } else {
      CHECK(neighbor.hockney(P, call) == ring.hockney(P, call));
      CHECK(neighbor.loggp(P, call) == ring.loggp(P, call));
    }
  });
}

TEST_CASE("linear, pairwise and Bruck's alltoall have the costs of Table 4.1") {
  const Cost linear("alltoall", "linear");
  const Cost pairwise("alltoall", "pairwise");
  const Cost bruck("alltoall", "modified_bruck");
  for_rows_of_table([&](int P, double m, const CollectiveArgs& call) {
    for (const Cost& each : {linear, pairwise})
      CHECK(each.hockney(P, call) == exactly((P - 1) * (l + m / b)));
    CHECK(linear.loggp(P, call) == exactly(L + 2 * o + (m - 1) * G + 2 * (P - 1) * g));
    CHECK(pairwise.loggp(P, call) == exactly((P - 1) * (L + o + (m - 1) * G + g)));
    const double whole = std::floor(std::log2(P));
    CHECK(bruck.hockney(P, call) == exactly(std::ceil(std::log2(P)) * l + whole * m * P / (2 * b) +
                                            (P - std::exp2(whole)) * m / b));
    for (const double gap : {g, 10 * (L + o)})
      CHECK(bruck.loggp(P, call, gap) ==
            exactly(std::log2(P) * (o + (P * m / 2 - 1) * G + std::max(gap, L + o))));
  });
}

TEST_CASE("the linear allgathers cost a gather and a broadcast of Open MPI's choice") {
  // P = 2: binomial gather, binary tree broadcast of 200 B; P = 5: linear gather, linear broadcast.
  const Cost linear("allgather", "linear");
  CHECK(linear.loggp(2, {.message_bytes = 100}) == exactly(hop(100) + hop(200) + next(200)));
  CHECK(linear.hockney(2, {.message_bytes = 100}) == exactly(message(100) + 2 * message(200)));
  CHECK(linear.loggp(5, {.message_bytes = 4000}) ==
        exactly(hop(4000) + 3 * next(4000) + hop(20000) + 3 * next(20000)));
  // P = 16, 1 MiB in total: scatter and allgather; allgatherv's one element cannot be scattered.
  const CollectiveArgs call{.message_bytes = 65536};
  CHECK(linear.hockney(16, call) == exactly(4 * l + 15 * 65536 / b + 2 * (4 * l + 15 * 65536 / b)));
  CHECK(Cost("allgatherv", "default").hockney(16, call) ==
        exactly(15 * message(65536) + 15 * message(1 << 20)));
}

TEST_CASE("allgathers of uneven blocks are as slow as the longest blocks") {
  const Counts counts({10, 40, 30, 20});
  const CollectiveArgs call{.message_bytes = 100, .counts = &counts};
  CHECK(Cost("allgatherv", "ring").loggp(4, call) == exactly(3 * hop(40)));
  CHECK(Cost("allgatherv", "neighbor").loggp(4, call) == exactly(hop(40) + hop(50)));
  // One block, then two: the longest run of two is 40 + 30.
  CHECK(Cost("allgatherv", "bruck").loggp(4, call) == exactly(exchange(40) + exchange(70)));
  CHECK(Cost("allgatherv", "bruck").hockney(4, call) == exactly(message(40) + message(70)));
  const Counts two({10, 40});
  CHECK(Cost("allgatherv", "two_proc").loggp(2, {.message_bytes = 50, .counts = &two}) ==
        exactly(exchange(40)));
}

TEST_CASE("allgathervs of equal blocks have the costs of allgathers") {
  for (const int P : {2, 3, 6, 9, 100})
    for (const char* name : {"ring", "neighbor", "bruck"}) {
      const CollectiveArgs call{.message_bytes = 640};
      CHECK(Cost("allgatherv", name).loggp(P, call) ==
            exactly(Cost("allgather", name).loggp(P, call)));
    }
}

TEST_CASE("linear gathers and scatters are trains of messages") {
  const CollectiveArgs call{.message_bytes = 1000};
  for (const auto& [collective, name] :
       {std::pair{"gather", "basic_linear"}, std::pair{"scatter", "basic_linear"},
        std::pair{"scatter", "linear_nb"}, std::pair{"gatherv", "linear"},
        std::pair{"scatterv", "linear"}, std::pair{"alltoallv", "basic_linear"}}) {
    CAPTURE(collective);
    CHECK(Cost(collective, name).hockney(5, call) == exactly(4 * message(1000)));
    CHECK(Cost(collective, name).loggp(5, call) == exactly(hop(1000) + 3 * next(1000)));
  }
}

TEST_CASE("gatherv and scatterv send neither empty blocks nor the root's") {
  const Counts counts({10, 0, 30, 20});
  for (const char* collective : {"gatherv", "scatterv"}) {
    const Cost linear(collective, "linear");
    CHECK(linear.loggp(4, {.message_bytes = 60, .root = 0, .counts = &counts}) ==
          exactly(next(30) + hop(20)));
    CHECK(linear.loggp(4, {.message_bytes = 60, .root = 3, .counts = &counts}) ==
          exactly(next(10) + hop(30)));
    CHECK(linear.loggp(4, {.message_bytes = 0}) == 0);
    const Counts only_root(std::vector<Bytes>{0, 8, 0});
    CHECK(linear.hockney(3, {.message_bytes = 8, .root = 1, .counts = &only_root}) == 0);
  }
}

TEST_CASE("binomial gathers and scatters move P-1 blocks in as many hops as the tree's depth") {
  for (const char* collective : {"gather", "scatter"}) {
    const Cost binomial(collective, "binomial");
    const CollectiveArgs call{.message_bytes = 100};
    CHECK(binomial.hockney(8, call) == exactly(3 * l + 700 / b));
    CHECK(binomial.loggp(8, call) == exactly(hop(100) + hop(200) + hop(400)));
    CHECK(binomial.loggp(6, call) == exactly(hop(100) + hop(200) + hop(200)));
    CHECK(binomial.loggp(9, call) == exactly(hop(100) + hop(200) + hop(400) + hop(100)));
  }
}

TEST_CASE("a synchronized gather takes a round trip or a block's time for each rank") {
  const Cost sync("gather", "linear_sync");
  // One piece: the second one is empty.
  CHECK(sync.hockney(5, {.message_bytes = 1000}) == exactly(4 * (2 * l + 1000 / b) + l));
  CHECK(sync.loggp(5, {.message_bytes = 1000}) == exactly(4 * (hop(0) + hop(1000)) + g));
  // A small first piece: the blocks' bytes determine the pace.
  const CollectiveArgs large{.message_bytes = 1000000, .segment_bytes = 1000};
  CHECK(sync.loggp(5, large) ==
        exactly(3 * (next(1000) + next(999000)) + hop(0) + hop(1000) + next(999000)));
  CHECK(sync.hockney(5, large) == exactly(4 * (2 * l + 1e6 / b) + l));
}

TEST_CASE("a request limit slows an alltoall down to that number of messages per hop") {
  const Cost sync("alltoall", "linear_sync");
  CollectiveArgs call{.message_bytes = 1000};
  CHECK(sync.hockney(9, call) == exactly(8 * message(1000)));
  CHECK(sync.loggp(9, call) == exactly(hop(1000) + 7 * next(1000)));
  call.max_requests = 1;
  CHECK(sync.hockney(9, call) == exactly(8 * message(1000)));
  CHECK(sync.loggp(9, call) == exactly(8 * hop(1000)));
  call.max_requests = 2;
  CHECK(sync.loggp(9, call) == exactly(hop(1000) + 7 * hop(1000) / 2));
  call.max_requests = 100;
  CHECK(sync.loggp(9, call) == exactly(hop(1000) + 7 * next(1000)));
}

TEST_CASE("alltoallvs are as slow as the rank with the longest blocks") {
  const Counts counts({10, 0, 40, 30});
  const CollectiveArgs call{.message_bytes = 80, .counts = &counts};
  CHECK(Cost("alltoallv", "basic_linear").loggp(4, call) == exactly(hop(40) + 2 * next(40)));
  CHECK(Cost("alltoallv", "pairwise").loggp(4, call) == exactly(3 * exchange(40)));
  CHECK(Cost("alltoallv", "pairwise").hockney(4, call) == exactly(3 * message(40)));
}

TEST_CASE("two processes exchange once") {
  for (const char* collective : {"allgather", "allgatherv", "alltoall"}) {
    CHECK(Cost(collective, "two_proc").loggp(2, {.message_bytes = 64}) == exactly(exchange(64)));
    CHECK(Cost(collective, "two_proc").hockney(2, {.message_bytes = 64}) == exactly(message(64)));
  }
  CHECK(Cost("barrier", "two_proc").loggp(2, {}) == exactly(exchange(0)));
}

TEST_CASE("barriers cost their empty messages in sequence") {
  struct Case {
    const char* name;
    int procs;
    double hockney_l;
    double loggp_s;
  };
  for (const Case& c : {
           Case{"linear", 5, 8, 2 * (hop(0) + 3 * g)},
           Case{"double_ring", 5, 10, 10 * hop(0)},
           Case{"recursive_doubling", 8, 3, 3 * exchange(0)},
           Case{"recursive_doubling", 9, 5, 3 * exchange(0) + 2 * hop(0)},
           Case{"recursive_doubling", 2, 1, exchange(0)},
           Case{"bruck", 8, 3, 3 * exchange(0)},
           Case{"bruck", 9, 4, 4 * exchange(0)},
           Case{"tree", 8, 6, 6 * hop(0)},
           Case{"tree", 9, 8, 8 * hop(0)},
       }) {
    CAPTURE(c.name);
    CAPTURE(c.procs);
    CHECK(Cost("barrier", c.name).hockney(c.procs, {}) == exactly(c.hockney_l * l));
    CHECK(Cost("barrier", c.name).loggp(c.procs, {}) == exactly(c.loggp_s));
  }
}

TEST_CASE("costs of 250,000 processes and large blocks do not overflow") {
  const int P = 250000;
  const CollectiveArgs call{.message_bytes = Bytes{1} << 30};
  const double m = 0x1p30;
  CHECK(Cost("allgather", "ring").hockney(P, call) == exactly((P - 1) * (l + m / b)));
  CHECK(Cost("gather", "binomial").hockney(P, call) == exactly(18 * l + (P - 1) * m / b));
  CHECK(Cost("allgatherv", "bruck").hockney(P, call) == exactly(18 * l + (P - 1) * m / b));
}

}  // namespace
