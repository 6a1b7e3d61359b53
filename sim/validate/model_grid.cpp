// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/model_grid.hpp"

#include <fmt/format.h>

#include <bit>

#include "sim/base/units.hpp"

namespace tutti::studies::papers {
namespace {

constexpr double s_per_us = 1e-6;

// Tables 4.3 (with both of its gaps) and 5.2; Hockney's parameters those of crill.
std::vector<ModelPoint> networks() {
  const auto named = [](const char* name, double L_us, double o_us, double g_us, double G_us) {
    return ModelPoint{.network = name,
                      .procs = 0,
                      .bytes = 0,
                      .l_s = 1.6 * s_per_us,
                      .b_Bps = 1.9415e9,
                      .L_s = L_us * s_per_us,
                      .o_s = o_us * s_per_us,
                      .g_s = g_us * s_per_us,
                      .G_s_per_B = G_us * s_per_us};
  };
  std::vector<ModelPoint> all{named("crill", 1.84, 1.49, 1.08, 0.00067),
                              named("crill, g of 32 KB", 1.84, 1.49, 11.9, 0.00067),
                              named("opuntia", 6.04, 25.88, 7.40, 0.00351),
                              named("crill-GE", 32.96, 139.7, 297, 0.07991)};
  for (const double L_us : {0.3, 3.0, 30.0})
    for (const double o_us : {0.3, 3.0, 30.0})
      for (const double g_us : {0.4, 4.0, 40.0})
        for (const double G_us : {0.00002, 0.002, 0.2})
          all.push_back({.network = {},
                         .procs = 0,
                         .bytes = 0,
                         .l_s = L_us * s_per_us,
                         .b_Bps = 1 / (G_us * s_per_us),
                         .L_s = L_us * s_per_us,
                         .o_s = o_us * s_per_us,
                         .g_s = g_us * s_per_us,
                         .G_s_per_B = G_us * s_per_us});
  return all;
}

bool is_itself(std::string_view algorithm, int procs) {
  if (algorithm == "recursive_doubling") return std::has_single_bit(static_cast<unsigned>(procs));
  return algorithm != "neighbor" || procs % 2 == 0;
}

}  // namespace

Variables ModelPoint::variables() const {
  return {{"P", procs}, {"m", static_cast<double>(bytes)},
          {"l", l_s},   {"b", b_Bps},
          {"L", L_s},   {"o", o_s},
          {"g", g_s},   {"G", G_s_per_B}};
}

platforms::HockneyParameters ModelPoint::hockney() const {
  return {.set = "printed", .l_s = l_s, .b_Bps = b_Bps};
}

platforms::LogGPParameters ModelPoint::loggp() const {
  return {.set = "printed",
          .L_s = L_s,
          .o_s = o_s,
          .g_s = platforms::Piecewise(g_s),
          .G_s_per_B = G_s_per_B};
}

std::string ModelPoint::text() const {
  const std::string of =
      network.empty()
          ? fmt::format("L = {}, o = {}, g = {}, G = {} a byte", format_seconds(L_s),
                        format_seconds(o_s), format_seconds(g_s), format_seconds(G_s_per_B))
          : network;
  return fmt::format("{}, P = {}, {}", of, procs, format_bytes(bytes));
}

std::vector<ModelPoint> model_grid(std::string_view algorithm, Bytes least_bytes) {
  std::vector<ModelPoint> points;
  for (const ModelPoint& network : networks())
    for (const int procs : {4, 5, 6, 8, 9, 32, 33, 64, 1024}) {
      if (!is_itself(algorithm, procs)) continue;
      for (const Bytes bytes : {1, 2, 128, 8 * 1024, 1 << 20, 16 << 20}) {
        if (bytes < least_bytes) continue;
        ModelPoint& point = points.emplace_back(network);
        point.procs = procs;
        point.bytes = bytes;
      }
    }
  return points;
}

}  // namespace tutti::studies::papers
