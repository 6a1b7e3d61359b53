// SPDX-License-Identifier: BSD-3-Clause
// Stores of a test: created, filled, read, compared bit by bit.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/store/store.hpp"

namespace tutti::tests {

inline std::string key_of(std::size_t i) { return fmt::format("{:032x}", i); }

inline store::Store opened(const std::string& path,
                           store::Store::Access access = store::Store::Access::write) {
  auto store = store::Store::open(path, access);
  REQUIRE_MESSAGE(store, (store ? "" : store.error().message));
  return *std::move(store);
}

inline void put(store::Store& store, const store::StoredPoint& point) {
  const auto error = store.put(point);
  REQUIRE_MESSAGE(!error, (error ? error->message : ""));
}

inline store::StoredStudy study_called(const std::string& name) {
  return {.name = name,
          .description = "of a test",
          .toml = "[study]\nname = \"" + name + "\"\n",
          .command = "sim sweep " + name + ".toml",
          .version = "0.1.0 (0000000)",
          .simgrid_version = "3.32",
          .started = "2026-01-01T00:00:00Z"};
}

inline void set_members(store::Store& store, const std::string& study,
                        const std::vector<std::string>& keys, bool replaces = true) {
  const auto error = store.set_members(study_called(study), keys, replaces);
  REQUIRE_MESSAGE(!error, (error ? error->message : ""));
}

inline std::vector<store::StoredPoint> points_of(const store::Store& store,
                                                 bool members_only = false) {
  std::vector<store::StoredPoint> points;
  const auto error = store.visit([&](const auto& point) { points.push_back(point); }, members_only);
  REQUIRE_MESSAGE(!error, (error ? error->message : ""));
  return points;
}

inline std::vector<store::StoredPoint> points_of(const std::string& path) {
  return points_of(opened(path, store::Store::Access::read));
}

inline std::vector<std::string> keys_of(const store::Store& store, bool members_only) {
  std::vector<std::string> keys;
  for (const auto& point : points_of(store, members_only)) keys.push_back(point.key);
  return keys;
}

inline bool same_bits(const Cell& a, const Cell& b) {
  if (a.index() == b.index() && std::holds_alternative<double>(a))
    return std::bit_cast<std::uint64_t>(std::get<double>(a)) ==
           std::bit_cast<std::uint64_t>(std::get<double>(b));
  return a == b;
}

// Whether both have the same values, in any order.
inline bool same(const std::vector<store::StoredPoint>& a,
                 const std::vector<store::StoredPoint>& b) {
  const auto same_cell = [](const NamedCell& left, const NamedCell& right) {
    return left.name == right.name && same_bits(left.value, right.value);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const auto& left, const auto& right) {
                      return left.key == right.key && left.status == right.status &&
                             std::equal(left.values.begin(), left.values.end(),
                                        right.values.begin(), right.values.end(), same_cell);
                    });
}

// Points with values of every type, some of them failed.
inline std::vector<store::StoredPoint> sample_points(std::size_t count) {
  std::vector<store::StoredPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    points.push_back({key_of(i * 7919 % 1000),
                      store::Status::done,
                      {{"algorithm", std::string(i % 2 == 0 ? "ring" : "chain")},
                       {"collective", std::string("bcast")},
                       {"commutative", i % 3 == 0},
                       {"procs", number * 16},
                       {"time_s", 1e-6 * static_cast<double>(i * i + 1) / 3}}});
    if (i % 5 == 4)
      points.back() = {points.back().key,
                       store::Status::failed,
                       {{"collective", std::string("bcast")}, {"error", std::string("crashed")}}};
  }
  return points;
}

}  // namespace tutti::tests
