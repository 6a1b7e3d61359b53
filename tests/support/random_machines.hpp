// SPDX-License-Identifier: BSD-3-Clause
// Platform files of every shape, drawn from a seed, and the comparison of their routes.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "platforms/reader.hpp"
#include "sim/commands/route_check.hpp"
#include "tests/support/files.hpp"
#include "tests/support/random_clusters.hpp"
#include "tests/support/random_zones.hpp"

namespace tutti::tests {

// The text of a file that SimGrid 3.32 accepts.
inline std::string random_machine(std::uint64_t seed) {
  Draw draw(seed);
  const auto most_hosts = draw.pick({6U, 20U, 20U, 40U, 80U, 200U});
  const auto cluster = [&](ClusterKind kind) {
    return random_cluster(draw, "c", kind, most_hosts).element;
  };
  std::string content;
  switch (seed % 6) {
    case 0:
      content = cluster(ClusterKind::fat_tree);
      break;
    case 1:
      content = cluster(ClusterKind::torus);
      break;
    case 2:
      content = cluster(ClusterKind::dragonfly);
      break;
    case 3:
      content = random_zones(draw, 0, most_hosts / 4);
      break;
    case 4:
      content = random_zones(draw, static_cast<int>(draw.between(1, 4)), draw.between(1, 8));
      break;
    case 5:
      content = cluster(ClusterKind::flat);
      break;
  }
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         content + "\n</platform>\n";
}

// How the routes of a platform file differ from SimGrid's; empty if they are equal. Counts the
// pairs.
inline std::string route_difference(const std::string& path, std::uint64_t& pairs) {
  const auto machine = platforms::load_machine(path);
  if (!machine) return machine.error().message;
  const auto check = commands::check_routes(*machine, {}, [](std::uint64_t) {});
  if (!check) return check.error().message;
  pairs += check->pairs;
  if (check->renamed > 0) return fmt::format("{} links have other names", check->renamed);
  return fmt::format("{}", fmt::join(check->first_reported, "\n"));
}

// Compares the machines of `count` seeds, starting at `first`.
inline void check_random_machines(std::uint64_t first, std::uint64_t count) {
  const TemporaryFolder folder;
  std::uint64_t pairs = 0;
  for (auto seed = first; seed < first + count; ++seed) {
    const auto text = random_machine(seed);
    const auto difference = route_difference(folder.write("machine.xml", text), pairs);
    CHECK_MESSAGE(difference.empty(), "seed ", seed, ": ", difference, "\n", text);
  }
  MESSAGE(pairs, " pairs of hosts compared");
}

}  // namespace tutti::tests
