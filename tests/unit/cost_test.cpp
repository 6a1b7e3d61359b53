// SPDX-License-Identifier: BSD-3-Clause
// The costs of the algorithms in Hockney's model and LogGP, against Table 4.1 of the dissertation
// where it has them, otherwise against manual sums.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tests/support/hand_costs.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace {

using tutti::Bytes;
using tutti::Seconds;
using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::ModelArgs;
using tutti::platforms::HockneyParameters;
using tutti::platforms::LogGPParameters;
using tutti::platforms::Piecewise;

namespace models = tutti::algorithms::models;

namespace hand = tutti::tests::hand;
using hand::b, hand::G, hand::g, hand::L, hand::l, hand::o;

const Algorithm& algorithm(std::string_view name, std::string_view collective = "bcast") {
  const Algorithm* found = tutti::algorithms::find_algorithm(collective, name);
  REQUIRE(found != nullptr);
  return *found;
}

Seconds hockney(std::string_view name, int procs, const CollectiveArgs& call) {
  return hand::cost(algorithm(name), procs, call, hand::Hockney{});
}

Seconds loggp(std::string_view name, int procs, const CollectiveArgs& call) {
  return hand::cost(algorithm(name), procs, call, hand::LogGP{});
}

// The number of message times that Hockney's model counts: latency 1, no bytes.
double hops(std::string_view name, int procs, const CollectiveArgs& call) {
  const HockneyParameters p{.set = "test", .l_s = 1, .b_Bps = 1e300};
  return models::hockney(algorithm(name), {procs, call}, p);
}

auto exactly(double value) { return hand::nearly(value); }

double log2_up(int n) { return std::ceil(std::log2(n)); }

TEST_CASE("unsegmented chain, binary and binomial costs are those of Table 4.1") {
  for (const int P : {2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 576, 100000})
    for (const double m : {1., 64., 1000., 65536., 4e6}) {
      CAPTURE(P);
      CAPTURE(m);
      const CollectiveArgs call{.message_bytes = static_cast<Bytes>(m), .fanout = 1};
      CHECK(hockney("chain", P, call) == exactly((P - 1) * (l + m / b)));
      CHECK(loggp("chain", P, call) == exactly((P - 1) * (L + 2 * o + (m - 1) * G)));
      CHECK(hockney("pipeline", P, call) == exactly((P - 1) * (l + m / b)));
      CHECK(loggp("pipeline", P, call) == exactly((P - 1) * (L + 2 * o + (m - 1) * G)));
      CHECK(hockney("binary_tree", P, call) == exactly(2 * (log2_up(P + 1) - 1) * (l + m / b)));
      CHECK(loggp("binary_tree", P, call) ==
            exactly((log2_up(P + 1) - 1) * (L + g + 2 * (o + (m - 1) * G))));
      CHECK(hockney("binomial", P, call) == exactly(log2_up(P) * (l + m / b)));
      CHECK(loggp("binomial", P, call) == exactly(log2_up(P) * (L + 2 * o + (m - 1) * G)));
    }
}

TEST_CASE("a broadcast of one process costs nothing") {
  for (const Algorithm* each : tutti::tests::plain_algorithms_of("bcast"))
    for (const Bytes bytes : {0, 1, 100000}) {
      CAPTURE(each->name);
      const CollectiveArgs call{.message_bytes = bytes, .segment_bytes = 1000};
      CHECK(hockney(each->name, 1, call) == 0);
      CHECK(loggp(each->name, 1, call) == 0);
    }
}

TEST_CASE("an empty message costs the same as a byte in LogGP") {
  for (const Algorithm* each : tutti::tests::plain_algorithms_of("bcast")) {
    CAPTURE(each->name);
    const double empty_s = loggp(each->name, 8, {.message_bytes = 0});
    const bool sends_it = each->set != "mpich";  // MPICH returns at once
    CHECK(empty_s == exactly(sends_it ? loggp(each->name, 8, {.message_bytes = 1}) : 0));
  }
}

TEST_CASE("a segment that contains the whole message is not segmentation") {
  for (const Algorithm* each : tutti::tests::plain_algorithms_of("bcast"))
    for (const Bytes segment : {1000, 1001}) {
      CAPTURE(each->name);
      if (each->name == "split_binary_tree") continue;  // it falls back to the chain here
      const CollectiveArgs whole{.message_bytes = 1000};
      const CollectiveArgs cut{.message_bytes = 1000, .segment_bytes = segment};
      CHECK(hockney(each->name, 20, cut) == hockney(each->name, 20, whole));
      CHECK(loggp(each->name, 20, cut) == loggp(each->name, 20, whole));
    }
}

TEST_CASE("segments follow the first one at the pace of the root") {
  const CollectiveArgs call{.message_bytes = 10000, .segment_bytes = 1000, .fanout = 1};
  const double one = l + 1000 / b;
  const double after = g + 999 * G;
  const double fill = L + 2 * o + 999 * G;
  CHECK(hockney("chain", 9, call) == exactly((8 + 9) * one));
  CHECK(loggp("chain", 9, call) == exactly(8 * fill + 9 * after));
  CHECK(hockney("binary_tree", 9, call) == exactly(2 * (3 + 9) * one));
  CHECK(loggp("binary_tree", 9, call) == exactly(3 * (fill + after) + 9 * 2 * after));
  CHECK(hockney("binomial", 9, call) == exactly(10 * 4 * one));
  CHECK(loggp("binomial", 9, call) == exactly(4 * fill + 9 * 4 * after));
}

TEST_CASE("a chain ends with the longest line or with the last one") {
  const double hop = L + 2 * o + 99 * G;
  const double next = g + 99 * G;
  // 8 ranks in 4 lines of 2: the last line starts 3 sends later.
  CHECK(loggp("chain", 9, {.message_bytes = 100, .fanout = 4}) == exactly(3 * next + 2 * hop));
  // 9 ranks in lines of 3, 2, 2, 2: the first line has one more hop, the last starts 3 sends later.
  CHECK(loggp("chain", 10, {.message_bytes = 100, .fanout = 4}) ==
        exactly(std::max(3 * hop, 3 * next + 2 * hop)));
  CHECK(hops("chain", 9, {.message_bytes = 100, .fanout = 4}) == exactly(3 + 2));
  CHECK(hops("chain", 10, {.message_bytes = 100, .fanout = 4}) == exactly(3 + 2));
  CHECK(hops("chain", 9, {.message_bytes = 100, .segment_bytes = 50, .fanout = 4}) ==
        exactly(3 + 2 + 4));
}

TEST_CASE("k-nomial trees are between the binomial tree and the linear broadcast") {
  for (const int P : {2, 3, 5, 8, 20, 33})
    for (const Bytes segment : {0, 100}) {
      CAPTURE(P);
      CAPTURE(segment);
      CollectiveArgs call{.message_bytes = 1000, .segment_bytes = segment, .fanout = 2};
      CHECK(hockney("knomial", P, call) == exactly(hockney("binomial", P, call)));
      CHECK(loggp("knomial", P, call) == exactly(loggp("binomial", P, call)));
      call = {.message_bytes = 1000, .fanout = 64};
      CHECK(hockney("knomial", P, call) == exactly(hockney("basic_linear", P, call)));
      CHECK(loggp("knomial", P, call) == exactly(loggp("basic_linear", P, call)));
    }
  // Radix 4, P = 16: two levels of 3 children each.
  CHECK(hops("knomial", 16, {.message_bytes = 1, .fanout = 4}) == exactly(6));
  CHECK(hops("knomial", 16, {.message_bytes = 1}) == exactly(6));  // 4 is the default
  // P = 10: only two of the upper level's children exist.
  CHECK(hops("knomial", 10, {.message_bytes = 1, .fanout = 4}) == exactly(5));
}

TEST_CASE("the linear broadcast is a train of messages from the root") {
  CHECK(hockney("basic_linear", 5, {.message_bytes = 1000}) == exactly(4 * (l + 1000 / b)));
  CHECK(loggp("basic_linear", 5, {.message_bytes = 1000, .segment_bytes = 10}) ==
        exactly(L + 2 * o + 999 * G + 3 * (g + 999 * G)));
}

TEST_CASE("the split binary tree sends halves and exchanges them") {
  // P = 9: 3 levels; 1001 bytes: the longer half has 501, 6 segments of up to 100.
  const CollectiveArgs call{.message_bytes = 1001, .segment_bytes = 100};
  CHECK(hockney("split_binary_tree", 9, call) ==
        exactly(2 * (3 + 5) * (l + 100 / b) + l + 501 / b));
  CHECK(loggp("split_binary_tree", 9, call) ==
        exactly(3 * (L + g + 2 * (o + 99 * G)) + 2 * 5 * (g + 99 * G) + o + L + o + 500 * G));
}

TEST_CASE("a message that cannot be split has the cost of a chain with fan-out 1") {
  struct Case {
    Bytes message;
    Bytes segment;
    Bytes element;
  };
  for (const Case& c :
       {Case{1, 0, 1}, Case{0, 0, 1}, Case{1000, 501, 1}, Case{1001, 501, 1}, Case{8, 1, 8}}) {
    CAPTURE(c.message);
    const CollectiveArgs call{.message_bytes = c.message,
                              .segment_bytes = c.segment,
                              .fanout = 4,
                              .element_bytes = c.element};
    CHECK(hockney("split_binary_tree", 9, call) == hockney("pipeline", 9, call));
    CHECK(loggp("split_binary_tree", 9, call) == loggp("pipeline", 9, call));
  }
}

TEST_CASE("scatter and allgather move the message twice, for any number of processes") {
  const double m = 8000;
  const CollectiveArgs call{.message_bytes = 8000};
  const double moved = m - m / 8;
  CHECK(hockney("scatter_allgather", 8, call) == exactly(2 * (3 * l + moved / b)));
  CHECK(loggp("scatter_allgather", 8, call) ==
        exactly(3 * (L + 2 * o - G) + 3 * (o + L + o - G) + 2 * moved * G));
  CHECK(hockney("scatter_allgather_ring", 8, call) ==
        exactly(3 * l + moved / b + 7 * (l + 1000 / b)));
  CHECK(loggp("scatter_allgather_ring", 8, call) ==
        exactly(3 * (L + 2 * o - G) + moved * G + 7 * (L + 2 * o + 999 * G)));
}

TEST_CASE("recursive doubling without a power of two takes additional rounds") {
  // Scatter and allgather: ceil(log2 P) steps each; then the rounds in which the incomplete group's
  // run spreads, by hand from the algorithm.
  struct Case {
    int procs;
    double rounds;
  };
  for (const Case& c : {Case{2, 0}, Case{3, 1}, Case{4, 0}, Case{5, 2}, Case{6, 1}, Case{7, 1 + 1},
                        Case{8, 0}, Case{9, 3}, Case{16, 0}}) {
    CAPTURE(c.procs);
    const CollectiveArgs call{.message_bytes = 1000L * c.procs};
    CHECK(hops("scatter_allgather", c.procs, call) == exactly(2 * log2_up(c.procs) + c.rounds));
  }
}

TEST_CASE("with fewer elements than processes scatter broadcasts have the cost of the linear one") {
  for (const char* name : {"scatter_allgather", "scatter_allgather_ring"}) {
    const CollectiveArgs few{.message_bytes = 28, .element_bytes = 4};
    CHECK(hockney(name, 8, few) == hockney("basic_linear", 8, few));
    CHECK(loggp(name, 8, few) == loggp("basic_linear", 8, few));
    const CollectiveArgs enough{.message_bytes = 32, .element_bytes = 4};
    CHECK(hockney(name, 8, enough) != hockney("basic_linear", 8, enough));
  }
}

TEST_CASE("the gap is that of the segment's size") {
  const LogGPParameters p{.set = "test",
                          .L_s = 0,
                          .o_s = 0,
                          .g_s = Piecewise({0, 1, 0}, {{500, 10, 0}}),
                          .G_s_per_B = 0};
  const Algorithm& linear = algorithm("basic_linear");
  CHECK(models::loggp(linear, {3, {.message_bytes = 500}}, p) == exactly(1));
  CHECK(models::loggp(linear, {3, {.message_bytes = 501}}, p) == exactly(10));
  const Algorithm& pipeline = algorithm("pipeline");
  CHECK(models::loggp(pipeline, {3, {.message_bytes = 1000, .segment_bytes = 500}}, p) ==
        exactly(1));
  CHECK(models::loggp(pipeline, {3, {.message_bytes = 2000, .segment_bytes = 1000}}, p) ==
        exactly(10));
}

// The allgathers' sums of exchanges.
struct Exchanges {
  double steps;
  double bytes;

  auto in_hockney() const { return exactly(steps * l + bytes / b); }
  auto in_loggp(double gap) const {
    return exactly(steps * (o + std::max(gap, L + o) - G) + bytes * G);
  }
};

void check_allgather(std::string_view name, int P, Bytes m, const Exchanges& expected) {
  CAPTURE(name);
  CAPTURE(P);
  CAPTURE(m);
  const Algorithm& each = algorithm(name, "allgather");
  const CollectiveArgs call{.message_bytes = m};
  CHECK(hand::cost(each, P, call, hand::Hockney{}) == expected.in_hockney());
  for (const double gap : {g, 10 * (L + o)})
    CHECK(hand::cost(each, P, call, hand::LogGP{.gap_s = gap}) == expected.in_loggp(gap));
}

TEST_CASE("recursive doubling of powers of two has the costs of Table 4.1") {
  for (const int P : {2, 4, 8, 32, 1024, 262144})
    for (const Bytes m : {1, 64, 4000})
      check_allgather("recursive_doubling", P, m,
                      {.steps = std::log2(P), .bytes = (P - 1) * static_cast<double>(m)});
}

TEST_CASE("Bruck's allgather moves every block once, in the steps of the next power of two") {
  for (const char* name : {"bruck", "recursive_doubling"})
    for (const int P : {2, 3, 5, 6, 7, 8, 9, 100, 250000})
      check_allgather(name, P, 64, {.steps = log2_up(P), .bytes = (P - 1) * 64.});
}

TEST_CASE("an allgather of one process costs nothing") {
  for (const char* name : {"bruck", "recursive_doubling"})
    check_allgather(name, 1, 64, {.steps = 0, .bytes = 0});
}

}  // namespace
