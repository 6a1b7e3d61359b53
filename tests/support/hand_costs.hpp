// SPDX-License-Identifier: BSD-3-Clause
// Compares costs of algorithms with manual sums of the costs of single messages, in both models.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/models/message_cost.hpp"
#include "tests/support/close_to.hpp"

namespace tutti::tests::hand {

inline constexpr double l = 3e-6, b = 1.5e9, c = 2.5e9;  // c: combine bandwidth
inline constexpr double L = 1.84e-6, o = 1.49e-6, g = 1.08e-6, G = 0.67e-9;

// The kinds of terms, written by hand.
struct Hockney {
  double hop(double m) const { return l + m / b; }
  double next(double m) const { return hop(m); }
  double exchange(double m) const { return hop(m); }
  double combine(double m) const { return m / c; }
};
struct LogGP {
  double gap_s = g;
  double hop(double m) const { return L + 2 * o + stream(m); }
  double next(double m) const { return gap_s + stream(m); }
  double exchange(double m) const { return o + std::max(gap_s, L + o) + stream(m); }
  double combine(double m) const { return m / c; }
  static double stream(double m) { return std::max(0.0, m - 1) * G; }
};

inline double cost(const algorithms::Algorithm& algorithm, int procs,
                   const algorithms::CollectiveArgs& call, Hockney) {
  return algorithms::models::hockney(algorithm, {procs, call, c},
                                     {.set = "test", .l_s = l, .b_Bps = b});
}
inline double cost(const algorithms::Algorithm& algorithm, int procs,
                   const algorithms::CollectiveArgs& call, LogGP terms) {
  return algorithms::models::loggp(algorithm, {procs, call, c},
                                   {.set = "test",
                                    .L_s = L,
                                    .o_s = o,
                                    .g_s = platforms::Piecewise(terms.gap_s),
                                    .G_s_per_B = G});
}

inline auto nearly(double value) { return close_to(value, 1e-12); }

// `sum` gets the terms of a model.
template <class Sum>
void check(std::string_view collective, std::string_view name, int procs,
           const algorithms::CollectiveArgs& call, Sum sum) {
  CAPTURE(collective);
  CAPTURE(name);
  CAPTURE(procs);
  const algorithms::Algorithm* algorithm = algorithms::find_algorithm(collective, name);
  REQUIRE(algorithm != nullptr);
  CHECK(cost(*algorithm, procs, call, Hockney{}) == nearly(sum(Hockney{})));
  CHECK(cost(*algorithm, procs, call, LogGP{}) == nearly(sum(LogGP{})));
}

}  // namespace tutti::tests::hand
