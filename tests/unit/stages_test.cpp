// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/models/stages.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::algorithms;
using models::Gamma;
using models::StageForm;
using tests::exactly;

namespace {

// A straight line on which no value is by chance.
const Gamma& gamma_line() {
  static const Gamma line({1, 1.11, 1.23, 1.32, 1.45, 1.56, 1.71}, 0.78, 0.117);
  return line;
}

StageForm form_of(const char* collective, const char* name, int procs, Bytes message,
                  Bytes segment = 0, int fanout = 0) {
  const auto* algorithm = find_algorithm(collective, name);
  REQUIRE(algorithm != nullptr);
  return models::stage_form(
      *algorithm,
      {.procs = procs,
       .call = {.message_bytes = message, .segment_bytes = segment, .fanout = fanout}},
      gamma_line());
}

double only_count(const StageForm& form) {
  REQUIRE(form.messages.size() == 1);
  return form.messages.front().count;
}

}  // namespace

TEST_CASE("gamma is the measured values, then a straight line, and never falls") {
  const auto& gamma = gamma_line();
  CHECK(gamma.of_procs(2) == 1);
  CHECK(gamma.of_procs(8) == 1.71);
  CHECK(gamma.of_procs(9) == exactly(0.78 + 0.117 * 9));
  CHECK(Gamma({1, 2}, 0, 0.1).of_procs(4) == 2);
  CHECK(gamma.of_children(1) == 1);
}

TEST_CASE("a binomial broadcast has the stages of equation 6") {
  for (const int procs : {2, 3, 4, 8, 16, 64, 90, 100, 124})
    for (const int segments : {1, 3, 20}) {
      const int height = std::bit_width(static_cast<unsigned>(procs - 1));
      double count = segments * gamma_line().of_procs(height + 1);
      for (int i = 1; i < height; ++i) count += gamma_line().of_procs(height - i + 1);
      const auto form = form_of("bcast", "binomial", procs, segments * 1024, 1024);
      CAPTURE(procs);
      // A rank with this number of children on every level exists only for powers of two.
      if (std::has_single_bit(static_cast<unsigned>(procs)))
        CHECK(only_count(form) == exactly(count));
      else
        CHECK(only_count(form) <= count);
      CHECK(only_count(form) >= segments * gamma_line().of_procs(height + 1));
      CHECK(form.messages[0].bytes == 1024);
    }
}

TEST_CASE("a pipeline has P - 1 + ns - 1 stages of one message") {
  const auto form = form_of("bcast", "pipeline", 90, 10 * 8192, 8192);
  CHECK(only_count(form) == 89 + 9);
  CHECK(form.messages[0].hops == 89);
}

TEST_CASE("the root of a chain serves its lines at once") {
  const auto form = form_of("bcast", "chain", 90, 10 * 8192, 8192, 4);
  // 23 ranks in the longest line.
  CHECK(only_count(form) == exactly(10 * gamma_line().of_procs(5) + 22));
  CHECK(form.messages[0].hops == 23);
  CHECK(only_count(form_of("bcast", "chain", 3, 8192, 0, 4)) == gamma_line().of_procs(3));
}

TEST_CASE("a binary tree's ranks serve two children; the halves of a split one are exchanged") {
  // 63 ranks: 5 levels that forward.
  CHECK(only_count(form_of("bcast", "binary_tree", 63, 4 * 8192, 8192)) ==
        exactly((3 + 5) * gamma_line().of_procs(3)));
  // 64: one more rank has a child.
  CHECK(only_count(form_of("bcast", "binary_tree", 64, 4 * 8192, 8192)) ==
        exactly((3 + 5) * gamma_line().of_procs(3) + 1));
  const auto split = form_of("bcast", "split_binary_tree", 63, 8 * 8192, 8192);
  REQUIRE(split.messages.size() == 2);
  CHECK(split.messages[0].bytes == 8192);
  CHECK(split.messages[0].count == exactly((3 + 5) * gamma_line().of_procs(3)));
  CHECK(split.messages[1].bytes == 4 * 8192);
  CHECK(split.messages[1].count == 1);
}

TEST_CASE("a split binary tree that cannot split has the stages of a pipeline") {
  const auto form = form_of("bcast", "split_binary_tree", 50, 8192, 8192);
  CHECK(only_count(form) == only_count(form_of("bcast", "pipeline", 50, 8192, 8192)));
}

TEST_CASE("linear broadcasts and scatters by nonblocking sends are one stage of gamma(P)") {
  CHECK(only_count(form_of("bcast", "basic_linear", 40, 5000)) == gamma_line().of_procs(40));
  CHECK(only_count(form_of("scatter", "linear_nb", 40, 5000)) == gamma_line().of_procs(40));
}

TEST_CASE("blocking trains, rings and runs of blocks have the messages of their costs") {
  // Equation 8.
  CHECK(only_count(form_of("gather", "basic_linear", 40, 5000)) == 39);
  CHECK(only_count(form_of("scatter", "basic_linear", 40, 5000)) == 39);
  const auto ring = form_of("allgather", "ring", 40, 5000);
  CHECK(only_count(ring) == 39);
  CHECK(ring.messages[0].hops == 39);
  const auto neighbor = form_of("allgather", "neighbor", 40, 5000);
  REQUIRE(neighbor.messages.size() == 2);
  CHECK(neighbor.messages[0].count == 1);
  CHECK(neighbor.messages[1].bytes == 10000);
  CHECK(neighbor.messages[1].count == 19);
  CHECK(only_count(form_of("allreduce", "ring", 40, 40000)) == 2 * 39);
  const auto binomial = form_of("gather", "binomial", 40, 100);
  REQUIRE(binomial.messages.size() == 5);  // of 1, 2, 4, 8 and 16 blocks, 8 twice
  double blocks = 0;
  for (const auto& each : binomial.messages)
    blocks += each.count * static_cast<double>(each.bytes) / 100;
  CHECK(blocks == 39);
}

TEST_CASE("a reduction's further segments follow at the pace of its root") {
  const auto form = form_of("reduce", "binary", 63, 4 * 8192, 8192);
  CHECK(only_count(form) == 5 * 2 + 3 * 2);
  CHECK(form.messages[0].hops == 5);
}

TEST_CASE("messages of one size are stored once") {
  StageForm form;
  models::add(form, {.bytes = 8, .count = 1, .hops = 1});
  models::add(form, {.bytes = 4, .count = 2, .hops = 0});
  models::add(form, {.bytes = 8, .count = 3, .hops = 1});
  REQUIRE(form.messages.size() == 2);
  CHECK(form.messages[0].bytes == 4);
  CHECK(form.messages[1].count == 4);
  CHECK(form.messages[1].hops == 2);
}
