// SPDX-License-Identifier: BSD-3-Clause
// The improvement models of chapter 4 of the dissertation: by hand, and Table 4.2 against the costs
// from which it was derived.
#include "sim/validate/improvement.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/close_to.hpp"

using namespace tutti::studies;
using tutti::Bytes;
using tutti::algorithms::ModelArgs;
using tutti::platforms::Piecewise;
using tutti::tests::close_to;
using tutti::tests::exactly;

namespace {

// Parameters of crill (Table 4.3, section 4.1.4).
ModelParameters crill(double g_s = 1.08e-6) {
  return {
      {.set = "test", .l_s = 1.6e-6, .b_Bps = 1941.5e6},
      {.set = "test", .L_s = 1.84e-6, .o_s = 1.49e-6, .g_s = Piecewise(g_s), .G_s_per_B = 0.67e-9}};
}

ModelArgs args_of(int procs, Bytes message_bytes, int fanout = 1) {
  return {.procs = procs, .call = {.message_bytes = message_bytes, .fanout = fanout}};
}

const tutti::algorithms::Algorithm& algorithm_of(const TableRatio& row) {
  const auto* found = tutti::algorithms::find_algorithm(row.collective, row.algorithm);
  REQUIRE(found != nullptr);
  return *found;
}

std::string sign_of(double ratio) {
  if (std::abs(ratio - 1) < 1e-9) return "=";
  return ratio < 1 ? "<" : ">";
}

}  // namespace

TEST_CASE("an improvement is the saved fraction of the time") {
  CHECK(improvement_of(10, 9).value() == exactly(0.1));
  CHECK(improvement_of(10, 11).value() == exactly(-0.1));
  CHECK(improvement_of(10, 10).value() == 0);
  CHECK_FALSE(improvement_of(0, 1).has_value());
}

TEST_CASE("tuned parameters are those of equations 4.13, 4.14, 4.17 and 4.18") {
  // 10% of 16 KiB: Hockney 1.6 + 8.43883 us, LogGP 4.82 + 16383 x 0.67 ns = 15.79661 us.
  const MessageGain gain{.message_bytes = 16384, .improvement = 0.1};
  const double hockney_s = 1.6e-6 + 16384 / 1941.5e6;
  CHECK(hockney_s == close_to(10.03883e-6, 1e-6));
  CHECK(tuned_value(Affected::l, gain, crill()).value() == close_to(0.596117e-6, 1e-6));
  CHECK(tuned_value(Affected::b, gain, crill()).value() ==
        exactly(16384 / (16384 / 1941.5e6 - 0.1 * hockney_s)));
  CHECK(tuned_value(Affected::o, gain, crill()).value() == close_to(0.7001695e-6, 1e-6));
  CHECK(tuned_value(Affected::G, gain, crill()).value() == exactly(0.67e-9 - 1.579661e-6 / 16383));
}

TEST_CASE("a tuned message takes (1 - i) times as long: 4.10 is printed with the inverse") {
  for (const double i : {-0.5, -0.01, 0.01, 0.05})
    for (const Affected affected : all_affected) {
      CAPTURE(i);
      CAPTURE(name_of(affected));
      const auto* chain = tutti::algorithms::find_algorithm("bcast", "pipeline");
      const auto gain = expected_gain(affected, *chain, args_of(2, 4096), i, crill());
      REQUIRE(gain.has_value());
      CHECK(gain->tuned_s == exactly((1 - i) * gain->untuned_s));
    }
}

TEST_CASE("a gain larger than a parameter's share is impossible") {
  const auto value = [](Affected affected, Bytes bytes, double improvement) {
    return tuned_value(affected, {bytes, improvement}, crill());
  };
  CHECK_FALSE(value(Affected::l, 65536, 0.1).has_value());  // 3.5 us of 1.6
  CHECK_FALSE(value(Affected::o, 65536, 0.1).has_value());  // 4.9 us of 3.0
  CHECK_FALSE(value(Affected::b, 128, 0.1).has_value());    // 0.17 us of 0.07
  CHECK_FALSE(value(Affected::G, 128, 0.1).has_value());    // 0.49 us of 0.09
  CHECK_FALSE(value(Affected::b, 0, 0.1).has_value());      // no byte to speed up
  CHECK_FALSE(value(Affected::G, 1, 0.1).has_value());      // no gap between bytes
  CHECK(value(Affected::b, 65536, 0.1).has_value());
  CHECK(value(Affected::G, 65536, 0.1).has_value());
  CHECK(value(Affected::l, 128, 0.1).has_value());
  CHECK(value(Affected::o, 128, 0.1).has_value());
}

TEST_CASE("no improvement leaves every parameter unchanged, for every message") {
  for (const Bytes bytes : {0, 1, 2, 65536}) {
    CHECK(tuned_value(Affected::l, {bytes, 0}, crill()).value() == 1.6e-6);
    CHECK(tuned_value(Affected::b, {bytes, 0}, crill()).value() == 1941.5e6);
    CHECK(tuned_value(Affected::o, {bytes, 0}, crill()).value() == 1.49e-6);
    CHECK(tuned_value(Affected::G, {bytes, 0}, crill()).value() == 0.67e-9);
  }
}

TEST_CASE("the binary tree gains follow equations 4.19 to 4.21") {
  const auto* binary = tutti::algorithms::find_algorithm("bcast", "binary_tree");
  const double i = 0.08, m = 16384, L = 1.84e-6, o = 1.49e-6, g = 1.08e-6, G = 0.67e-9;
  const auto expected = [&](Affected affected) {
    const auto gain = expected_gain(affected, *binary, args_of(32, 16384), i, crill());
    REQUIRE(gain.has_value());
    return improvement_of(gain->untuned_s, gain->tuned_s).value();
  };
  const double top = L + 2 * o + (m - 1) * G, bottom = L + g + 2 * (o + (m - 1) * G);
  CHECK(expected(Affected::l) == exactly(i));
  CHECK(expected(Affected::b) == exactly(i));
  CHECK(expected(Affected::o) == exactly(i * top / bottom));
  CHECK(expected(Affected::G) == exactly(i * 2 * top / bottom));
}

TEST_CASE("Table 4.2 follows from its costs, wherever L + o > g") {
  int compared = 0;
  for (const auto& row : table_4_2())
    for (const int procs : {2, 4, 6, 8, 10, 16, 30, 32, 64, 100, 128, 576, 1024})
      for (const Bytes bytes : {2, 16, 128, 1024, 12288, 16384, 32768, 65536, 1 << 20})
        for (const double g_s : {0.0, 1.08e-6, 3.3e-6}) {
          if (!row.holds_for(procs)) continue;
          CAPTURE(row.algorithm);
          CAPTURE(name_of(row.affected));
          CAPTURE(procs);
          CAPTURE(bytes);
          const auto parameters = crill(g_s);
          const auto derived =
              gain_ratio(row.affected, algorithm_of(row), args_of(procs, bytes), parameters);
          REQUIRE(derived.has_value());
          CHECK(row.ratio(procs, bytes, parameters) == close_to(*derived, 1e-7));
          ++compared;
        }
  CHECK(compared > 10000);
}

TEST_CASE("the true signs are valid over a wide grid, and those of both kinds occur with both") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> power(-9, -4), rate(7, 11);
  const auto anything = [&] { return std::pow(10, power(random)); };
  for (const auto& row : table_4_2()) {
    CAPTURE(row.algorithm);
    CAPTURE(name_of(row.affected));
    bool below = false, above = false;
    for (int draw = 0; draw < 2000; ++draw) {
      const int procs = 2 << (1 + draw % 12);
      const Bytes bytes = Bytes{2} << (draw % 19);
      ModelParameters p{{.set = "", .l_s = anything(), .b_Bps = std::pow(10, rate(random))},
                        {.set = "",
                         .L_s = anything(),
                         .o_s = anything(),
                         .g_s = {},
                         .G_s_per_B = std::pow(10, -rate(random))}};
      p.loggp.g_s = Piecewise(std::min(anything(), 0.999 * (p.loggp.L_s + p.loggp.o_s)));
      const std::string sign = sign_of(row.ratio(procs, bytes, p));
      below |= sign == "<";
      above |= sign == ">";
    }
    if (row.true_sign == "=") CHECK((!below && !above));
    if (row.true_sign == "<") CHECK((below && !above));
    if (row.true_sign == ">") CHECK((!below && above));
    // The sign of the binary tree needs g > L + 2 o, which L + o > g excludes.
    if (row.true_sign == "<>") CHECK(above);
    if (row.true_sign == "<>" && row.algorithm != "binary_tree") CHECK(below);
  }
}

TEST_CASE("the binary tree gains less by G if the gap is above L + 2 o") {
  const auto* row = table_4_2_row("bcast", "binary_tree", Affected::G);
  REQUIRE(row != nullptr);
  CHECK(row->ratio(64, 65536, crill(11.9e-6)) < 1);
  CHECK(row->ratio(64, 65536, crill()) > 1);
}

TEST_CASE("the pairwise alltoall gains more by G if o > g: 1.09 of 128 B on crill") {
  const auto* row = table_4_2_row("alltoall", "pairwise", Affected::G);
  REQUIRE(row != nullptr);
  CHECK(row->ratio(32, 128, crill()) == close_to(1.09, 5e-3));
  CHECK(row->printed_sign == "<");
  CHECK(row->true_sign == "<>");
}

TEST_CASE("closed forms do not apply to every number of processes") {
  CHECK_FALSE(table_4_2_row("allgather", "recursive_doubling", Affected::l)->holds_for(24));
  CHECK(table_4_2_row("allgather", "recursive_doubling", Affected::l)->holds_for(32));
  CHECK_FALSE(table_4_2_row("allgather", "neighbor", Affected::l)->holds_for(25));
  CHECK(table_4_2_row("bcast", "binomial", Affected::l)->holds_for(25));
}
